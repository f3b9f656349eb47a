/* uci_parts.h - what the files of the protocols share.
 *
 *   protocol.c     the two threads, and commands common to all dialects
 *   uci_lines.c    lines in
 *   uci_out.c      lines out
 *   uci_game.c     position ... moves ...
 *   uci_options.c  options of both dialects
 *   uci_job.c      a search, from `go` to its answer
 *   uci_show.c     d, eval, perft
 *   uci.c, ucci.c  what the dialects have for themselves
 *
 * The reading thread owns the session while nothing is searched; during a
 * search it only reads it, and the searching thread does too. */
#ifndef XQ_UCI_PARTS_H
#define XQ_UCI_PARTS_H

#include "engine/protocol.h"
#include "engine/rules.h"
#include "engine/search.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- lines in ---- */

typedef struct xq_lines {
    int fd;
    char *buf;
    size_t start;    /* the first line that is not done */
    size_t ahead;    /* the first line that xq_lines_ahead has not shown */
    size_t complete; /* end of the last complete line */
    size_t end, cap; /* of what was read, and of buf */
    bool eof;
    bool skipping; /* to the end of a line that found no memory */
    bool dropped;  /* there was one; for the caller to say and clear */
} xq_lines;

/* Read once, and more than nothing unless *l is at its end; call when the
 * descriptor is readable.  XQ_EIO. */
xq_status xq_lines_fill(xq_lines *l, xq_err *err);
/* The first line not done, without its line end; false: none is complete. */
bool xq_lines_head(const xq_lines *l, xq_str *line);
/* Done with that line. */
void xq_lines_drop(xq_lines *l);
/* The lines behind the head, each once while it stays the head. */
bool xq_lines_ahead(xq_lines *l, xq_str *line);
/* Does a line that is not done begin with this word? */
bool xq_lines_have(const xq_lines *l, const char *what);
/* Replace a line by blanks: it counts as done. */
void xq_lines_blank(xq_lines *l, xq_str line);
void xq_lines_free(xq_lines *l);

/* The next word of *text, which then begins behind it; false: none.  All
 * bytes up to the blank, NUL and carriage return too, part words. */
bool xq_word(xq_str *text, xq_str *word);
bool xq_word_is(xq_str word, const char *what);
/* The word as a number, cut at UINT64_MAX; a negative one is 0. */
bool xq_word_number(xq_str word, uint64_t *n);
/* The text without blanks around it. */
xq_str xq_trim(xq_str text);
/* A word for messages: ASCII, cut when long. */
typedef struct xq_shown {
    char s[48];
} xq_shown;
xq_shown xq_show(xq_str word);

/* ---- lines out ---- */

typedef struct xq_writer {
    int fd, wake;     /* wake: to tell the reading thread that lines are held */
    pthread_t reader; /* who never waits here, and hands out what is held */
    pthread_mutex_t lock;
    pthread_cond_t empty; /* nothing is held any more, or it failed */
    char *held;
    size_t n, cap;
    uint64_t moved;    /* when bytes were written last, by xq_clock_ms */
    atomic_int failed; /* errno of the first failure */
} xq_writer;

/* What the bytes mean that wake the reading thread. */
#define XQ_WAKE_HELD ((const char){'h'})
#define XQ_WAKE_DONE ((const char){'d'})

/* Make the lock, which its owner may take again (xq_out_begin). */
void xq_out_lock_init(xq_writer *o);
/* Bytes that wait for room, which poll tells of: then xq_out_flush. */
size_t xq_out_held(xq_writer *o);
void xq_out_flush(xq_writer *o);
/* Whatever is held or said from now on is lost: `failed` becomes why. */
void xq_out_give_up(xq_writer *o, int why);
uint64_t xq_out_moved(xq_writer *o);
uint64_t xq_clock_ms(void);

/* ---- a game up to now ---- */

typedef struct xq_game {
    xq_pos start, now;
    xq_move *moves;
    uint32_t n, cap;
} xq_game;

/* ---- the session ---- */

typedef struct xq_settings {
    bool ponder, show_wdl, own_book, weighted, millisec;
    uint64_t overhead; /* ms */
} xq_settings;

typedef struct xq_job {
    enum { XQ_JOB_SEARCH, XQ_JOB_PERFT, XQ_JOB_END } kind;
    xq_limits lim;
    xq_move *only;  /* owned; lim.only */
    bool book;      /* may be answered from a book */
    bool mate_only; /* no other limit: may end by itself soon, or late */
    bool evaluate;  /* UCCI `go depth 0`: no search, no move */
    unsigned perft;
} xq_job;

typedef struct xq_session xq_session;

/* What differs between the dialects. */
typedef struct xq_dialect {
    const char *note; /* what a message for people begins with */
    bool ucci;
    /* Take a command that only this dialect has; false: it has none such. */
    bool (*command)(xq_session *s, xq_str word, xq_str rest);
    /* Start a search as the words behind `go` say. */
    void (*go)(xq_session *s, xq_str rest);
    /* name and value of `setoption`; false: a message was sent */
    bool (*option)(xq_session *s, xq_str rest, xq_str *name, xq_str *value);
    void (*info)(xq_session *s, const xq_info *info);
    /* a may have no move. */
    void (*best)(xq_session *s, const xq_answer *a);
    void (*idle_stop)(xq_session *s);
    void (*bye)(xq_session *s);
} xq_dialect;
extern const xq_dialect xq_dialect_uci, xq_dialect_ucci;

struct xq_session {
    const xq_protocol *io;
    const xq_dialect *dialect;
    xq_lines in;
    xq_writer out;
    xq_game game;
    xq_move *banned; /* owned */
    unsigned nbanned;
    xq_settings set;
    xq_search_options search_set;
    xq_search *search;
    uint64_t random; /* state of the choice from books */

    xq_job job;
    /* the reading thread's */
    bool busy, pondering, quit;
    bool go_waits;    /* behind the search at hand */
    uint64_t stop_at; /* by xq_clock_ms; 0: never */
    uint64_t leaving; /* since when nothing more is to be heard; 0: not yet */
    atomic_bool stop; /* the search at hand shall end */
    atomic_bool draw_offered;
    /* the searching thread waits for `given`, and writes XQ_WAKE_DONE to wake
     * when done */
    pthread_t searcher;
    pthread_mutex_t lock;
    pthread_cond_t cond;
    bool given;
    int wake[2];
};

/* One line out; control characters become '?'. */
void xq_say(xq_session *s, const char *fmt, ...) XQ_PRINTF(2, 3);
/* Between the two nobody else says anything: for the reading thread. */
void xq_out_begin(xq_writer *o);
void xq_out_end(xq_writer *o);
/* The same as a message for people: "info string ..." */
void xq_note(xq_session *s, const char *fmt, ...) XQ_PRINTF(2, 3);

/* Read "{startpos | fen FEN} [moves ...]" into *g, of which nothing is changed
 * on failure: XQ_ESYNTAX, XQ_EILLEGAL (err->ply: the move), XQ_ENOMEM. */
xq_status xq_game_read(xq_game *g, xq_str text, unsigned *fen_flags,
                       xq_err *err);
/* Moves among the words of *text, up to the first that is no move; those that
 * are not legal in p are named and left out.  *out is the caller's to free;
 * NULL when there are none or memory is short. */
unsigned xq_read_moves(xq_session *s, xq_str *text, const char *what,
                       xq_move **out);

void xq_options_print(xq_session *s);
void xq_options_set(xq_session *s, xq_str name, xq_str value);

/* An empty job to fill in. */
void xq_job_clear(xq_session *s);
/* Milliseconds as limits have them: never 0, which is no limit. */
uint64_t xq_job_ms(uint64_t n, uint64_t unit);
/* Give s->job to the searching thread.  unreadable: some limit could not be
 * read; a search that has no other is then kept short. */
void xq_job_start(xq_session *s, bool unreadable);
/* End the one at hand as soon as possible. */
void xq_job_stop(xq_session *s);
/* What the searching thread does with it. */
void xq_job_run(xq_session *s);
/* No limit that was given ends it. */
bool xq_job_endless(const xq_session *s);

void xq_show_board(xq_session *s);
void xq_show_eval(xq_session *s);
void xq_show_perft(xq_session *s, unsigned depth);

#endif
