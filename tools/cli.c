/* cli.c - messages, and the position that --fen and --moves name. */
#include "tools/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_quiet;
const char *cli_program = "qipu";

/* A quoted text may be a megabyte of noise.  Of an endless message the two
 * ends are shown: the beginning, and the reason. */
static void put_ends(cli_buf *out, const cli_buf *raw)
{
    const size_t end = 500;
    if (raw->n <= 2 * end) {
        cli_buf_text(out, (xq_str){raw->s, raw->n});
        return;
    }
    size_t head = end, tail = raw->n - end;
    while (head > end - 4 && (raw->s[head] & 0xC0) == 0x80)
        head--;
    while (tail < raw->n - end + 4 && (raw->s[tail] & 0xC0) == 0x80)
        tail++;
    cli_buf_text(out, (xq_str){raw->s, head});
    cli_buf_puts(out, " ... ");
    cli_buf_text(out, (xq_str){raw->s + tail, raw->n - tail});
}

static void XQ_PRINTF(1, 0) message(const char *fmt, va_list ap)
{
    /* One write a message, so that messages of threads do not mingle. */
    cli_buf raw = {0}, out = {0};
    cli_buf_vprintf(&raw, fmt, ap);
    cli_buf_printf(&out, "%s: ", cli_program);
    put_ends(&out, &raw);
    cli_buf_puts(&out, "\n");
    if (raw.failed || out.failed)
        fprintf(stderr, "%s: out of memory\n", cli_program);
    else
        fwrite(out.s, 1, out.n, stderr);
    cli_buf_free(&raw);
    cli_buf_free(&out);
}

void cli_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message(fmt, ap);
    va_end(ap);
}

void cli_note(const char *fmt, ...)
{
    if (cli_quiet)
        return;
    va_list ap;
    va_start(ap, fmt);
    message(fmt, ap);
    va_end(ap);
}

static bool read_fen(const char *fen, bool strict, xq_pos *out)
{
    xq_err err = {0};
    unsigned flags = 0;
    if (xq_fen_parse(out, xq_str_of(fen), &flags, &err) < 0) {
        cli_error("bad FEN '%s': %s", fen, err.msg);
        return false;
    }
    if (flags & XQ_FEN_NO_SIDE)
        cli_note("warning: FEN names no side to move, Red is assumed");
    if (flags & XQ_FEN_COUNTERS)
        cli_note("warning: FEN has unreadable counters, 0 and 1 are assumed");
    if (flags & XQ_FEN_TRAILING)
        cli_note("warning: FEN is followed by text that is ignored");
    unsigned it = 0;
    char msg[128];
    bool odd = false;
    while (xq_pos_odd(out, &it, msg)) {
        odd = true;
        if (strict)
            cli_error("odd position refused: %s", msg);
        else
            cli_note("warning: odd position: %s", msg);
    }
    return !(odd && strict);
}

/* Is text s at one of these?  Bytes of the one it is at, or 0. */
static size_t at_any(const char *s, const char *const *set)
{
    for (; *set; set++)
        if (strncmp(s, *set, strlen(*set)) == 0)
            return strlen(*set);
    return 0;
}

/* What stands between moves: blanks of ASCII and of web pages, commas. */
static size_t between(const char *s)
{
    static const char *const SET[] = {
        " ",      "\t",     "\n",     "\v",     "\f",     "\r", ",",  ";",
        "\u00A0", "\u200B", "\u3000", "\u3001", "\uFEFF", "，", "；", NULL};
    return at_any(s, SET);
}

static size_t digit(const char *s)
{
    static const char *const SET[] = {"0",  "1",  "2",  "3",  "4",  "5",  "6",
                                      "7",  "8",  "9",  "０", "１", "２", "３",
                                      "４", "５", "６", "７", "８", "９", NULL};
    return at_any(s, SET);
}

static size_t dot(const char *s)
{
    static const char *const SET[] = {".", "．", NULL};
    return at_any(s, SET);
}

/* Length of a move number such as "12." or "3..." in front of a move, or of
 * one that stands alone; zeros alone are no number but UCI's null move. */
static size_t move_number(const char *s, size_t n)
{
    size_t i = 0, k;
    while (i < n && (k = digit(s + i)) > 0)
        i += k;
    if (i == n && strspn(s, "0") >= n)
        return 0;
    if (i == 0 || i == n)
        return i;
    size_t digits = i;
    while (i < n && (k = dot(s + i)) > 0)
        i += k;
    if (i == digits)
        return 0;
    /* "14.5" may be meant as a pawn's move: leave it to the reader. */
    return i < n && digit(s + i) ? 0 : i;
}

xq_status cli_read_move(const xq_pos *p, xq_str text, pgn_notation from,
                        xq_move *m, pgn_candidates *amb, xq_err *err)
{
    xq_status rc = pgn_move_read(p, text, from, m, amb, err);
    if (rc != XQ_EAMBIGUOUS || from != PGN_NOTATION_ANY)
        return rc;
    xq_move again;
    if (pgn_move_read(p, text, PGN_ICCS, &again, NULL, NULL) != XQ_OK)
        return rc;
    *m = again;
    return XQ_OK;
}

/* Moves as they are played; kept when there is a list for them. */
struct kept {
    xq_move *m;
    size_t n, cap;
};

static bool keep(struct kept *k, xq_move m)
{
    if (k->n == k->cap) {
        const size_t cap = k->cap ? 2 * k->cap : 64;
        xq_move *more = realloc(k->m, cap * sizeof *more);
        if (!more) {
            cli_error("out of memory");
            return false;
        }
        k->m = more;
        k->cap = cap;
    }
    k->m[k->n++] = m;
    return true;
}

static bool play(xq_pos *p, const char *moves, struct kept *kept)
{
    unsigned long ply = 0;
    for (const char *s = moves; *s;) {
        size_t b = between(s);
        if (b) {
            s += b;
            continue;
        }
        size_t n = 0;
        while (s[n] && !between(s + n))
            n++;
        size_t skip = move_number(s, n);
        xq_str text = {s + skip, n - skip};
        s += n;
        if (!text.n)
            continue;
        ply++;
        xq_move m = XQ_NOMOVE;
        xq_err err = {0};
        if (cli_read_move(p, text, PGN_NOTATION_ANY, &m, NULL, &err) != XQ_OK) {
            cli_error("--moves: ply %lu: '%.*s': %s", ply, (int)text.n, text.s,
                      err.msg);
            return false;
        }
        xq_pos_make(p, m, NULL);
        if (kept && !keep(kept, m))
            return false;
    }
    return true;
}

static bool begin(const char *fen, bool strict, xq_pos *out)
{
    if (fen)
        return read_fen(fen, strict, out);
    xq_pos_start(out);
    return true;
}

bool cli_position(const char *fen, const char *moves, bool strict, xq_pos *out)
{
    return begin(fen, strict, out) && (!moves || play(out, moves, NULL));
}

bool cli_line_read(cli_line *l, const char *fen, const char *moves, bool strict)
{
    struct kept kept = {0};
    xq_pos p;
    *l = (cli_line){0};
    if (!begin(fen, strict, &l->start))
        return false;
    p = l->start;
    if (moves && !play(&p, moves, &kept)) {
        free(kept.m);
        return false;
    }
    l->moves = kept.m;
    l->n = kept.n;
    return true;
}

void cli_line_free(cli_line *l)
{
    free(l->moves);
    *l = (cli_line){0};
}

bool cli_notation(const struct cli_cmd *cmd, const char *option,
                  const char *name, pgn_notation *out)
{
    pgn_notation n = pgn_notation_of(name);
    if (n != PGN_NOTATIONS && n != PGN_NOTATION_ANY) {
        *out = n;
        return true;
    }
    cli_buf names = {0};
    for (n = PGN_ICCS; n < PGN_NOTATIONS; n++)
        cli_buf_printf(&names, " %s", pgn_notation_name(n));
    cli_usage(cmd, "option '%s' takes a notation, not '%s':%s", option, name,
              names.failed ? "" : names.s);
    cli_buf_free(&names);
    return false;
}

bool cli_script(const struct cli_cmd *cmd, const char *name, pgn_script *out)
{
    if (strcmp(name, "simplified") == 0)
        *out = PGN_SIMPLIFIED;
    else if (strcmp(name, "traditional") == 0)
        *out = PGN_TRADITIONAL;
    else {
        cli_usage(cmd,
                  "option '--script' takes simplified or traditional, "
                  "not '%s'",
                  name);
        return false;
    }
    return true;
}

static int by_text(const void *a, const void *b)
{
    char x[5], y[5];
    xq_move_format(*(const xq_move *)a, x);
    xq_move_format(*(const xq_move *)b, y);
    return memcmp(x, y, 4);
}

void cli_sort_moves(xq_move *m, size_t n) { qsort(m, n, sizeof *m, by_text); }

unsigned cli_threads(uint64_t asked)
{
    /* More than that no machine has; each costs a stack. */
    const uint64_t most = 1024;
    if (!asked) {
        long n = sysconf(_SC_NPROCESSORS_ONLN);
        asked = n > 0 ? (uint64_t)n : 1;
    }
    return (unsigned)(asked < most ? asked : most);
}

const char *cli_base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}
