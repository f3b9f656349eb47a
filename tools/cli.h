/* cli.h - what every subcommand shares: options, messages, JSON, output files.
 *
 *   static const struct cli_opt OPTS[] = {
 *       {"fen", 0, CLI_STR, offsetof(struct args, fen), "FEN", "position"},
 *       {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL, "JSON lines"},
 *       {0},
 *   };
 *   int cmd_show(const struct cli_cmd *self, int argc, char **argv)
 *   {
 *       struct args a = {0};
 *       int rc = cli_parse(self, OPTS, &a, &argc, &argv);
 *       if (rc >= 0)
 *           return rc;                 help was printed, or the usage was bad
 *       ...argv[0..argc) are the operands
 *       return cli_finish(0);          closes stdout and checks it
 *   }
 *
 * Exit statuses are those of the command line's contract: 0 done, 1 done and
 * something was found wrong or not found, 2 bad usage, unreadable input or a
 * failed write, 130 interrupted. */
#ifndef CLI_H
#define CLI_H

#include "engine/pos.h"
#include "libpgn/notation.h"
#include "tools/cli_draft.h"

#include <stdio.h>

/* What --input-encoding takes, for messages. */
#define CLI_ENCODINGS                                                          \
    "utf-8, gb18030, gbk, big5, utf-16le, utf-16be, latin1, cp1252 ..."

enum { CLI_OK = 0, CLI_FOUND = 1, CLI_FAIL = 2, CLI_INTERRUPTED = 130 };

typedef enum cli_type {
    CLI_FLAG, /* bool; no argument */
    CLI_STR,  /* const char * */
    CLI_UINT, /* uint64_t, decimal */
    CLI_SIZE, /* uint64_t, with K M G suffix (powers of 1024) */
    CLI_LIST, /* struct cli_list: may be given several times */
} cli_type;

struct cli_list {
    const char **v; /* the strings are argv's; the array is ours */
    size_t n;
};
void cli_list_free(struct cli_list *l);

struct cli_opt {
    const char *name; /* long name without dashes */
    char letter;      /* short name or 0 */
    cli_type type;
    size_t offset;    /* of the field in the caller's struct */
    const char *arg;  /* placeholder for help, NULL for flags */
    const char *help; /* one line */
};

/* One row of the dispatch table in qipu.c; `qipu help` prints it. */
struct cli_cmd {
    const char *name;  /* "book build" is two words */
    const char *usage; /* what follows the name: "--fen FEN | --moves M" */
    const char *summary;
    const char *details; /* more help text, or NULL */
    /* argv[0] is the first word behind the name; argv[argc] is NULL. */
    int (*run)(const struct cli_cmd *self, int argc, char **argv);
};

/* Read options into *dst; on return *argc and *argv hold the operands only
 * (the array is rearranged in place).  "--" ends the options; "--name=value"
 * and "--name value" (which may not begin with "--"); short flags may be
 * joined; a repeated option's last value counts, save for lists.  Every command
 * also knows -q, --quiet and -h, --help.  Returns -1 to go on, or an exit
 * status: 0 after --help (on stdout), 2 after a mistake (one line on stderr
 * that names the option and the nearest valid one, then the usage line); lists
 * are then already freed. */
int cli_parse(const struct cli_cmd *cmd, const struct cli_opt *opts, void *dst,
              int *argc, char ***argv);

/* A usage mistake found later: message, usage line, returns 2. */
int cli_usage(const struct cli_cmd *cmd, const char *fmt, ...) XQ_PRINTF(2, 3);

/* "qipu: message" on stderr, always printed.  Control characters and bad
 * UTF-8 in the message are made visible (cli_buf_text). */
void cli_error(const char *fmt, ...) XQ_PRINTF(1, 2);
/* The same unless -q was given (cli_quiet). */
void cli_note(const char *fmt, ...) XQ_PRINTF(1, 2);
extern bool cli_quiet;
/* What messages and usage lines begin with: "qipu", unless a program with
 * another name sets its own before the first. */
extern const char *cli_program;

/* How far `word` is from `name`: the number of letters to add, drop, change or
 * exchange with the next one; 0 too when it is the name's beginning. */
size_t cli_distance(const char *word, const char *name);
/* Is it near enough to ask "did you mean NAME"?  Not for the name itself, nor
 * when more than a third of the longer one would have to change. */
bool cli_is_like(const char *word, const char *name);

/* A path behind its last '/', whole where nothing follows; points into it. */
const char *cli_base_name(const char *path);

/* ---- results ---- */

/* As fwrite, fputs and fprintf, for results on stdout or in a cli_out.  A
 * buffer that cannot be written out is lost together with the reason: these
 * keep the reason for cli_finish and cli_out_commit.  One thread at a time. */
void cli_write(FILE *f, const void *s, size_t n);
void cli_puts(FILE *f, const char *s);
void cli_printf(FILE *f, const char *fmt, ...) XQ_PRINTF(2, 3);

/* Flush and close stdout; a failed write (a full disk) turns `status` to 2
 * with a message that says why. */
int cli_finish(int status);

/* ---- output: stdout, or a file that appears only when complete ---- */

typedef struct cli_out {
    FILE *f;
    char *path;      /* NULL for stdout */
    cli_draft draft; /* of a regular file */
} cli_out;

/* path NULL or "-": stdout.  Otherwise a file that gets this name when it is
 * complete (cli_draft.h); what is no regular file (a pipe, /dev/null) is
 * written directly. */
xq_status cli_out_open(cli_out *o, const char *path, xq_err *err);
/* Keep it: flush, close, rename.  XQ_EIO when a write failed; of stdout that is
 * cli_finish's to say. */
xq_status cli_out_commit(cli_out *o, xq_err *err);
/* Would both names be the same regular file, which may not exist yet?  NULL
 * and "-" are none. */
bool cli_same_file(const char *a, const char *b);
/* Does an LMDB file stand there: a database, a book, a cache of evaluations? */
bool cli_is_database(const char *path);
/* Drop it; safe on a zeroed struct and after a commit. */
void cli_out_abort(cli_out *o);

/* ---- JSON: objects, one a line ---- */

/* Writes to a growing memory buffer: no FILE, so workers can use it. */
typedef struct cli_buf {
    char *s;
    size_t n, cap;
    bool failed; /* memory ran out: contents are incomplete */
} cli_buf;

void cli_buf_add(cli_buf *b, const char *s, size_t n);
void cli_buf_puts(cli_buf *b, const char *s);
void cli_buf_printf(cli_buf *b, const char *fmt, ...) XQ_PRINTF(2, 3);
void cli_buf_vprintf(cli_buf *b, const char *fmt, va_list ap) XQ_PRINTF(2, 0);
/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void cli_buf_json(cli_buf *b, xq_str s);
/* For people: control characters and bad UTF-8 made visible. */
void cli_buf_text(cli_buf *b, xq_str s);
void cli_buf_free(cli_buf *b);

/* ---- a position from --fen and --moves ---- */

/* The position that --fen FEN (NULL: the start) and --moves "m1 m2 ..." (NULL:
 * none; any notation, move numbers skipped) name together.  Prints what is
 * wrong and returns false: the command's exit status is then CLI_FAIL.  What
 * was assumed about the FEN and what is odd about it is noted on stderr; with
 * `strict` odd positions are refused. */
bool cli_position(const char *fen, const char *moves, bool strict, xq_pos *out);

/* The same with the way there: where it began, and the moves. */
typedef struct cli_line {
    xq_pos start;
    xq_move *moves; /* ours; NULL when there are none */
    size_t n;
} cli_line;
bool cli_line_read(cli_line *l, const char *fen, const char *moves,
                   bool strict);
void cli_line_free(cli_line *l); /* safe on a zeroed struct */

/* pgn_move_read as the command line means it: where `from` is ANY and bare
 * squares fit with ranks 0-9 and with 1-10, they are ranks 0-9. */
xq_status cli_read_move(const xq_pos *p, xq_str text, pgn_notation from,
                        xq_move *m, pgn_candidates *amb, xq_err *err);

/* The values of --notation and --script.  A name that is none: usage message
 * that lists the valid ones, false. */
bool cli_notation(const struct cli_cmd *cmd, const char *option,
                  const char *name, pgn_notation *out);
bool cli_script(const struct cli_cmd *cmd, const char *name, pgn_script *out);

/* Moves in the order of their text (a0a1 first), so that what is printed does
 * not depend on how they were found. */
void cli_sort_moves(xq_move *m, size_t n);

/* How many threads -j N asks for: N, or the number of cores for 0. */
unsigned cli_threads(uint64_t asked);

/* ---- interrupts and progress ---- */

/* SIGINT, SIGTERM and SIGHUP set this instead of killing; long loops ask it. */
bool cli_interrupted(void);
void cli_catch_interrupts(void);

/* A progress line on stderr, only when it is a terminal or `force`, and never
 * with -q; ten times a second, or once where stderr is no terminal.  total 0:
 * unknown.  Rates and time left are worked out here. */
typedef struct cli_progress {
    bool on, tty;
    int width; /* columns of the line that stands on the terminal */
    uint64_t total, started_ns, last_ns;
} cli_progress;
void cli_progress_start(cli_progress *p, bool force, uint64_t total_bytes);
void cli_progress_tick(cli_progress *p, uint64_t bytes, uint64_t games);
void cli_progress_end(cli_progress *p);

#endif
