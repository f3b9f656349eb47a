/* binary.c - texts, boards and trees of the binary kinds. */
#include "libpgn/binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 64 << 10, /* bytes of text that the judge is shown */
};

void pgn_binary_free(struct pgn_binary *b)
{
    if (!b)
        return;
    free(b->v);
    free(b->stack);
    pgn_buf_free(&b->body);
    pgn_buf_free(&b->sample);
    pgn_buf_free(&b->utf8);
    pgn_unpack_free(b->unpack);
    free(b);
}

struct pgn_binary *pgn_binary_reset(pgn_reader *r)
{
    if (!r->binary && !(r->binary = calloc(1, sizeof *r->binary))) {
        r->failed = true;
        return NULL;
    }
    struct pgn_binary *b = r->binary;
    if (!pgn_build_room(r, &b->v, 0, &b->cap, sizeof *b->v))
        return NULL;
    b->v[0] = (pgn_stored){.from = XQ_NOSQ, .to = XQ_NOSQ};
    b->n = 1;
    b->last = b->waiting = 0;
    b->goes_on = true;
    b->sample.n = 0;
    return b;
}

xq_status pgn_binary_whole(pgn_reader *r, bool decode,
                           void (*read)(pgn_reader *r), xq_err *err)
{
    if (r->at >= r->nraw)
        return XQ_DONE;
    r->at = r->nraw;
    if (pgn_binary_reset(r) &&
        (!decode || pgn_block_load(r, 0, r->nraw, r->encoding)))
        read(r);
    if (r->failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    r->game.notation = PGN_ICCS;
    return XQ_OK;
}

/* ---- texts ---- */

void pgn_binary_sample(pgn_reader *r, const uint8_t *s, size_t n)
{
    pgn_buf *to = &r->binary->sample;
    size_t i = 0;
    if (r->opts.encoding != PGN_ENC_AUTO || to->n >= SAMPLE)
        return;
    while (i < n && s[i] < 0x80)
        i++;
    if (i == n)
        return; /* ASCII tells nothing */
    pgn_buf_add(to, s, n < SAMPLE - to->n ? n : SAMPLE - to->n);
    pgn_buf_add(to, "\n", 1);
    r->failed = r->failed || to->failed;
}

/* Two characters of GBK are now and then two of two bytes in UTF-8, but
 * Chinese has three there. */
static bool has_three(const uint8_t *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] >= 0xE0)
            return true;
    return false;
}

pgn_encoding pgn_binary_judge(pgn_reader *r, pgn_encoding usual)
{
    const uint8_t *s = (const uint8_t *)r->binary->sample.s;
    const size_t n = r->binary->sample.n;
    if (r->opts.encoding != PGN_ENC_AUTO)
        return r->opts.encoding;
    if (n == 0)
        return PGN_ENC_UTF8;
    const pgn_encoding e = pgn_encoding_judge(s, n, usual);
    if (e == PGN_ENC_BIG5 || (e == PGN_ENC_UTF8 && has_three(s, n)))
        return e;
    return usual;
}

static bool is_blank(char c) { return (unsigned char)c <= ' '; }

/* Line breaks become LF or blanks, NUL a blank; in place. */
static size_t tidy(char *s, size_t n, unsigned flags)
{
    const bool lines = (flags & PGN_TEXT_LINES) != 0;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (c == '\r' && i + 1 < n && s[i + 1] == '\n')
            continue;
        if ((flags & PGN_TEXT_BARS) && c == '|' && i + 1 < n &&
            s[i + 1] == '|') {
            i++;
            c = '\n';
        }
        if (c == '\r')
            c = '\n';
        if (c == 0 || (!lines && is_blank(c)))
            c = ' ';
        s[k++] = c;
    }
    return k;
}

static size_t decode(pgn_reader *r, pgn_encoding e, const uint8_t *s, size_t n,
                     unsigned flags, size_t *bad)
{
    pgn_buf *to = &r->binary->utf8;
    size_t used;
    to->n = 0;
    *bad = 0;
    char *out = pgn_buf_room(to, pgn_decode_bound(n));
    if (!out) {
        r->failed = true;
        return 0;
    }
    return pgn_decode(e, s, n, !(flags & PGN_TEXT_CUT), out, &used, bad);
}

xq_str pgn_binary_text(pgn_reader *r, const uint8_t *s, size_t n,
                       unsigned flags, size_t at)
{
    const xq_str none = {NULL, 0};
    pgn_encoding e = flags & PGN_TEXT_UTF8 ? PGN_ENC_UTF8 : r->block_enc;
    size_t bad, other;
    size_t len = decode(r, e, s, n, flags, &bad);
    if (bad && r->opts.encoding == PGN_ENC_AUTO && e != PGN_ENC_UTF16LE) {
        /* programs paste what another wrote: by itself it may be good */
        const pgn_encoding own = pgn_encoding_judge(s, n, PGN_ENC_AUTO);
        if (own == PGN_ENC_BIG5 || own == PGN_ENC_GB18030) {
            decode(r, own, s, n, flags, &other);
            e = other < bad ? own : e;
        }
        len = decode(r, e, s, n, flags, &bad);
    }
    if (r->failed)
        return none;
    if (e != PGN_ENC_BYTES)
        pgn_build_replaced(r, e, bad);
    if (bad)
        pgn_build_problem(r, PGN_WARNING, PGN_P_ENCODING, at, 0, none,
                          "%zu byte%s of a text not %s, replaced by U+FFFD",
                          bad, bad == 1 ? "" : "s", pgn_encoding_name(e));
    xq_str t = {r->binary->utf8.s, tidy(r->binary->utf8.s, len, flags)};
    while (t.n > 0 && is_blank(t.s[0]))
        t = (xq_str){t.s + 1, t.n - 1};
    while (t.n > 0 && is_blank(t.s[t.n - 1]))
        t.n--;
    if (t.n == 0)
        return none;
    t = xq_arena_copy(&r->arena, t);
    r->failed = r->failed || !t.s;
    return t.s ? t : none;
}

void pgn_binary_tag(pgn_reader *r, const char *name, const uint8_t *s, size_t n,
                    unsigned flags, size_t at)
{
    if (n == 0)
        return;
    const xq_str v = pgn_binary_text(r, s, n, flags, at);
    if (v.n)
        pgn_build_tag(r, xq_str_of(name), v, at);
}

size_t pgn_utf16_length(const uint8_t *s, size_t n)
{
    size_t i = 0;
    while (i + 2 <= n && (s[i] || s[i + 1]))
        i += 2;
    return i;
}

/* ---- the game ---- */

void pgn_binary_start(pgn_reader *r, size_t at, pgn_encoding e)
{
    r->block_enc = e;
    r->bad = 0; /* each text notes its own */
    r->ntext = 0;
    pgn_build_start(r, at);
}

void pgn_binary_damaged(pgn_reader *r, size_t at, const char *fmt, ...)
{
    char msg[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    pgn_build_problem(r, PGN_ERROR, PGN_P_STRUCTURE, at, 0, (xq_str){NULL, 0},
                      "%s", msg);
    r->broken = true; /* the final position says nothing */
}

/* Any board at all, so that the reader of FENs can say what is wrong with
 * it. */
static size_t board_fen(const uint8_t at[XQ_SQUARES], xq_side side,
                        uint32_t round, char out[XQ_FEN_MAX])
{
    static const char LETTERS[] = ".KABNRCP.kabnrcp";
    size_t n = 0;
    for (int rank = 9; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 9; file++) {
            const uint8_t piece = at[xq_sq_of(file, rank)];
            if (piece == XQ_EMPTY) {
                empty++;
                continue;
            }
            if (empty)
                out[n++] = (char)('0' + empty);
            empty = 0;
            out[n++] = LETTERS[piece & 15];
        }
        if (empty)
            out[n++] = (char)('0' + empty);
        if (rank)
            out[n++] = '/';
    }
    return n + (size_t)snprintf(out + n, XQ_FEN_MAX - n, " %c - - 0 %u",
                                side == XQ_RED ? 'w' : 'b', (unsigned)round);
}

void pgn_setup_usual(pgn_setup *s)
{
    xq_pos p;
    xq_pos_start(&p);
    *s = (pgn_setup){.side = XQ_RED};
    memcpy(s->at, p.at, sizeof s->at);
}

/* Whose piece the first stored move moves; `side` when it is nobody's. */
static xq_side first_mover(const struct pgn_binary *b, const uint8_t *at,
                           xq_side side)
{
    const pgn_stored *first = &b->v[b->v[0].next];
    if (first->from >= XQ_SQUARES || at[first->from] == XQ_EMPTY)
        return side;
    return xq_piece_side(at[first->from]);
}

static void set_result(pgn_reader *r, pgn_result res, size_t at)
{
    pgn_build_tag(r, xq_str_of("Result"), xq_str_of(pgn_result_text(res)), at);
    pgn_build_marker(r, res, at);
}

static void set_fen(pgn_reader *r, const char *fen, size_t n, size_t at)
{
    const xq_str s = xq_arena_copy(&r->arena, (xq_str){fen, n});
    if (s.s)
        pgn_build_tag(r, xq_str_of("FEN"), s, at);
    r->failed = r->failed || !s.s;
}

void pgn_binary_setup(pgn_reader *r, const pgn_setup *s, size_t at)
{
    const xq_side side = first_mover(r->binary, s->at, s->side);
    /* rounds beyond this are no numbers of rounds */
    const uint32_t round = s->round >= 1 && s->round <= 9999 ? s->round : 1;
    set_result(r, s->result, at);
    if (side != XQ_RED || round != 1 ||
        memcmp(s->at, r->standard.at, sizeof s->at) != 0) {
        char fen[XQ_FEN_MAX];
        set_fen(r, fen, board_fen(s->at, side, round, fen), at);
    }
    pgn_build_setup(r);
}

void pgn_binary_setup_fen(pgn_reader *r, xq_str fen, pgn_result res, size_t at)
{
    xq_pos p;
    set_result(r, res, at);
    if (fen.n && !xq_str_eq(fen, xq_str_of(XQ_FEN_START))) {
        if (xq_fen_parse(&p, fen, NULL, NULL) >= 0 &&
            first_mover(r->binary, p.at, (xq_side)p.side) != p.side) {
            char text[XQ_FEN_MAX];
            xq_pos_pass(&p);
            set_fen(r, text, xq_fen_format(&p, text), at);
            pgn_build_problem(r, PGN_WARNING, PGN_P_FEN, at, 0, fen,
                              "FEN names the other side, but %s moves first",
                              p.side == XQ_RED ? "Red" : "Black");
        } else {
            set_fen(r, fen.s, fen.n, at);
        }
    } else if (first_mover(r->binary, r->standard.at, XQ_RED) == XQ_BLACK) {
        char text[XQ_FEN_MAX];
        set_fen(r, text, board_fen(r->standard.at, XQ_BLACK, 1, text), at);
    }
    pgn_build_setup(r);
}

/* ---- the tree ---- */

uint32_t pgn_stored_add(pgn_reader *r, xq_sq from, xq_sq to, size_t at)
{
    struct pgn_binary *b = r->binary;
    if (!pgn_build_room(r, &b->v, b->n, &b->cap, sizeof *b->v))
        return 0;
    b->v[b->n] = (pgn_stored){.at = at, .from = from, .to = to};
    return b->n++;
}

uint32_t pgn_stored_put(pgn_reader *r, xq_sq from, xq_sq to, size_t at,
                        bool goes_on, bool sibling)
{
    struct pgn_binary *b = r->binary;
    const uint32_t i = pgn_stored_add(r, from, to, at);
    if (!i) {
        b->goes_on = false;
        b->waiting = 0;
        return 0;
    }
    if (b->goes_on) {
        b->v[b->last].next = i;
    } else {
        const uint32_t brother = b->waiting;
        b->waiting = b->v[brother].alt;
        b->v[brother].alt = i;
    }
    if (sibling) {
        b->v[i].alt = b->waiting;
        b->waiting = i;
    }
    b->last = i;
    b->goes_on = goes_on;
    return i;
}

uint32_t pgn_stored_close(struct pgn_binary *b)
{
    uint32_t missing = 0;
    while (b->waiting) {
        const uint32_t i = b->waiting;
        b->waiting = b->v[i].alt;
        b->v[i].alt = 0;
        missing++;
    }
    b->goes_on = false;
    return missing;
}

void pgn_stored_end(pgn_reader *r, size_t at)
{
    const bool goes_on = r->binary->goes_on;
    const uint32_t missing = pgn_stored_close(r->binary);
    if (goes_on && r->binary->n == 1)
        pgn_binary_damaged(r, at, "the file ends where the first move is due");
    else if (goes_on)
        pgn_binary_damaged(r, at, "the file ends in the middle of a line");
    if (missing)
        pgn_binary_damaged(r, at, "the file ends before %u variation%s",
                           (unsigned)missing, missing == 1 ? "" : "s");
}

/* ---- playing ---- */

/* False: the line ends here. */
static bool play_move(pgn_reader *r, const pgn_stored *s)
{
    pgn_line *l = &r->line;
    if (l->dead)
        return false;
    const bool squares = s->from < XQ_SQUARES && s->to < XQ_SQUARES;
    const xq_move m = squares ? xq_move_make(s->from, s->to) : XQ_NOMOVE;
    if (squares && xq_move_is_legal(&l->pos, m)) {
        pgn_build_play(r, m);
        return !r->failed;
    }
    char why[128] = "no squares of the board";
    char text[5] = "";
    if (squares) {
        xq_move_format(m, text);
        xq_verdict_text(&l->pos, m, xq_move_judge(&l->pos, m), why);
    }
    const xq_str copy = xq_arena_copy(&r->arena, xq_str_of(text));
    pgn_build_bad_move(r, squares ? XQ_EILLEGAL : XQ_ESYNTAX, copy, s->at, why);
    return false;
}

static void play_comment(pgn_reader *r, const pgn_stored *s,
                         const uint8_t *base, unsigned flags)
{
    if (s->ntext && !r->opts.main_only)
        pgn_build_comment(r, pgn_binary_text(r, base + s->text, s->ntext,
                                             flags | PGN_TEXT_LINES, s->at));
}

/* A move whose alternatives are being read, and the one that is; two numbers
 * on the stack. */
static bool push(pgn_reader *r, uint32_t *depth, uint32_t head, uint32_t alt)
{
    struct pgn_binary *b = r->binary;
    if (!pgn_build_room(r, &b->stack, *depth + 1, &b->capstack,
                        sizeof *b->stack))
        return false;
    b->stack[(*depth)++] = head;
    b->stack[(*depth)++] = alt;
    return true;
}

void pgn_binary_play(pgn_reader *r, const uint8_t *base, unsigned flags)
{
    struct pgn_binary *b = r->binary;
    uint32_t depth = 0, i = b->v[0].next;
    bool first = false; /* of a variation: its alternatives are its head's */
    if (r->line.dead)
        return; /* no start position, no game */
    play_comment(r, &b->v[0], base, flags);
    while (!r->failed) {
        if (i && play_move(r, &b->v[i])) {
            play_comment(r, &b->v[i], base, flags);
            const uint32_t alt = b->v[i].alt;
            if (alt && !first && !r->opts.main_only) {
                if (!push(r, &depth, i, alt))
                    return;
                pgn_build_enter(r, b->v[alt].at);
                i = alt;
                first = true;
                continue;
            }
            i = b->v[i].next;
            first = false;
            if (i)
                continue;
        }
        /* the line is read */
        if (depth == 0)
            return;
        pgn_build_leave(r, b->v[b->stack[depth - 1]].at);
        uint32_t *top = &b->stack[depth - 2];
        top[1] = b->v[top[1]].alt;
        if (top[1]) {
            i = top[1];
            pgn_build_enter(r, b->v[i].at);
            first = true;
        } else {
            i = b->v[top[0]].next;
            first = false;
            depth -= 2;
        }
    }
}
