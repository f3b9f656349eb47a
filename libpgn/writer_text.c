/* writer_text.c - a game as a Chinese score sheet, which fmt_score.c reads. */
#include "libpgn/score.h"
#include "libpgn/text_kinds.h"
#include "libpgn/writer.h"
#include "libpgn/writer_tags.h"

#include <string.h>

static void put_line(pgn_buf *out, const char *key, size_t n, xq_str value,
                     size_t *lost)
{
    pgn_buf_add(out, key, n);
    pgn_buf_puts(out, "：");
    if (value.n && ((unsigned char)value.s[0] <= ' ' ||
                    (unsigned char)value.s[value.n - 1] <= ' '))
        ++*lost; /* readers drop them */
    for (size_t i = 0; i < value.n; i++) {
        char c = value.s[i];
        if (c == '\n' || c == '\r' || c == 0) {
            c = ' ';
            ++*lost;
        }
        pgn_buf_add(out, &c, 1);
    }
    pgn_buf_puts(out, "\n");
}

static bool is_name(xq_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.s[i];
        if (!((c | 32) >= 'a' && (c | 32) <= 'z') &&
            (i == 0 || !((c >= '0' && c <= '9') || c == '_' || c == '-')))
            return false;
    }
    return s.n > 0 && s.n < 80;
}

static void put_header(const pgn_game *g, bool traditional, pgn_buf *out,
                       size_t *lost)
{
    char fen[XQ_FEN_MAX];
    bool result = false, start = false, title = false;
    const xq_str first = pgn_game_tag(g, "Title");
    const char *key =
        traditional ? pgn_score_keys->traditional : pgn_score_keys->simplified;
    put_line(out, key, strlen(key), first, lost);
    for (uint32_t i = 0; i < g->ntags; i++) {
        const pgn_tag *t = &g->tags[i];
        xq_str value = t->value;
        if (xq_str_eq_nocase(t->name, xq_str_of("Format")))
            continue; /* speaks of the text */
        if (xq_str_eq_nocase(t->name, xq_str_of("Title"))) {
            *lost += title; /* a second one would begin a game */
            title = true;
            continue;
        }
        if (!start && xq_str_eq_nocase(t->name, xq_str_of("FEN"))) {
            start = true;
            continue;
        }
        if (!result && xq_str_eq_nocase(t->name, xq_str_of("Result"))) {
            result = true;
            value = xq_str_of(pgn_score_result(g->result, traditional));
        }
        const pgn_score_key *k = pgn_score_keys;
        while (k->simplified &&
               !(k->tag && xq_str_eq(t->name, xq_str_of(k->tag))))
            k++;
        key = traditional ? k->traditional : k->simplified;
        if (k->simplified)
            put_line(out, key, strlen(key), value, lost);
        else if (is_name(t->name))
            put_line(out, t->name.s, t->name.n, value, lost);
        else
            ++*lost;
    }
    if (!result)
        put_line(out, traditional ? "結果" : "结果", 6,
                 xq_str_of(pgn_score_result(g->result, traditional)), lost);
    const xq_str refused = pgn_refused_fen(g);
    if (refused.s) {
        put_line(out, "FEN", 3, refused, lost);
    } else if (!g->standard || g->start.halfmove || g->start.fullmove != 1) {
        const size_t n = xq_fen_format(&g->start, fen);
        put_line(out, "FEN", 3, (xq_str){fen, n}, lost);
    }
    pgn_buf_puts(out, "\n");
}

/* A line of a comment that would begin the next game gets a blank in front. */
static void break_boundaries(pgn_buf *out, size_t from, size_t *lost)
{
    size_t at = from;
    while (!out->failed &&
           (at = pgn_text_boundary_next(PGN_FMT_SCORE, (const uint8_t *)out->s,
                                        out->n, at)) < out->n) {
        if (!pgn_buf_room(out, 1))
            return;
        memmove(out->s + at + 1, out->s + at, out->n - at);
        out->s[at] = ' ';
        out->n++;
        ++*lost;
    }
}

/* A mark that would make the file one of DhtmlXQ gets another bracket. */
static void break_marks(pgn_buf *out, size_t from, size_t *lost)
{
    static const char *const MARKS[] = {"[DhtmlXQ", "[DHJHtmlXQ"};
    static const char BRACKET[] = "［";
    const size_t more = sizeof BRACKET - 2;
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
        const char *p;
        while (!out->failed && out->n > from &&
               (p = memmem(out->s + from, out->n - from, MARKS[i],
                           strlen(MARKS[i])))) {
            const size_t at = (size_t)(p - out->s);
            if (!pgn_buf_room(out, more))
                return;
            memmove(out->s + at + 1 + more, out->s + at + 1, out->n - at - 1);
            memcpy(out->s + at, BRACKET, 1 + more);
            out->n += more;
            ++*lost;
        }
    }
}

xq_status pgn_write_text(const pgn_game *g, const pgn_style *st, pgn_buf *out,
                         size_t *lost)
{
    size_t changes = 0;
    const pgn_script script = st->script_as_game ? g->script : st->script;
    const size_t begin = out->n;
    put_header(g, script == PGN_TRADITIONAL, out, &changes);
    const size_t from = out->n;
    const xq_status rc = pgn_write_movetext(g, st, out, &changes);
    break_boundaries(out, from, &changes);
    break_marks(out, begin, &changes);
    if (lost)
        *lost += changes;
    return out->failed ? XQ_ENOMEM : rc;
}
