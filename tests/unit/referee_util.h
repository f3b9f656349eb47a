/* referee_util.h - what the tests of the referee share: the rows of
 * tests/data/repetition.tsv, boards turned round, and the window that a list
 * of moves ends with.  QIPU_SRC names the source folder when a test does not
 * run there. */
#ifndef REFEREE_UTIL_H
#define REFEREE_UTIL_H

#include "tests/unit/engine_util.h"

#include <stdio.h>

#include "engine/referee.h"

enum { MAX_PLIES = 512 };

struct line_of_play {
    xq_pos start;
    xq_move moves[MAX_PLIES];
    uint32_t n;
};

/* ---- playing ---- */

/* "h2e2 h9g7 ..."; every move must be legal. */
static inline struct line_of_play line_of(const char *fen, const char *moves)
{
    struct line_of_play out = {.start = pos_of(fen)};
    xq_pos p = out.start;
    for (const char *s = moves; *s;) {
        char text[5] = "";
        int used = 0;
        if (sscanf(s, " %4s%n", text, &used) != 1)
            break;
        const xq_move m = xq_move_parse(text);
        if (!xq_move_is_legal(&p, m) || out.n == MAX_PLIES)
            fail_msg("%s: %s is not legal", fen, text);
        xq_pos_make(&p, m, NULL);
        out.moves[out.n++] = m;
        s += used;
    }
    return out;
}

static inline xq_pos pos_after(const struct line_of_play *l, uint32_t ply)
{
    xq_pos p = l->start;
    for (uint32_t i = 0; i < ply; i++)
        xq_pos_make(&p, l->moves[i], NULL);
    return p;
}

static inline xq_ruling ruling_from(const xq_profile *pr,
                                    const struct line_of_play *l, uint32_t from)
{
    xq_key keys[MAX_PLIES + 1];
    xq_ruling r;
    xq_referee(pr, &l->start, l->moves, l->n, from, keys, &r);
    for (uint32_t i = 0; i <= l->n; i += 7)
        assert_true(keys[i] == pos_after(l, i).key);
    return r;
}

static inline xq_ruling ruling_of(xq_ruleset rules,
                                  const struct line_of_play *l)
{
    xq_profile pr;
    xq_profile_init(&pr, rules);
    return ruling_from(&pr, l, 0);
}

/* The plies between the last two occurrences of the last position; n is 0
 * when it stood only once. */
static inline struct line_of_play window_of(const struct line_of_play *l)
{
    struct line_of_play out = {.n = 0};
    const xq_key last = pos_after(l, l->n).key;
    for (uint32_t i = l->n; i-- > 0;)
        if (pos_after(l, i).key == last) {
            out.start = pos_after(l, i);
            out.n = l->n - i;
            memcpy(out.moves, l->moves + i, out.n * sizeof *l->moves);
            break;
        }
    return out;
}

/* The window over and over. */
static inline struct line_of_play repeated(const struct line_of_play *window,
                                           unsigned times)
{
    struct line_of_play out = {.start = window->start};
    for (unsigned t = 0; t < times; t++)
        for (uint32_t i = 0; i < window->n && out.n < MAX_PLIES; i++)
            out.moves[out.n++] = window->moves[i];
    return out;
}

/* ---- left and right, Red and Black exchanged ---- */

static inline struct line_of_play mirrored(const struct line_of_play *l)
{
    struct line_of_play out = *l;
    xq_pos_mirror(&out.start, &l->start);
    for (uint32_t i = 0; i < l->n; i++)
        out.moves[i] = xq_move_mirror(l->moves[i]);
    return out;
}

static inline xq_sq sq_turned(xq_sq s)
{
    return xq_sq_of(xq_file_of[s], 9 - xq_rank_of[s]);
}

static inline xq_pos pos_turned(const xq_pos *p)
{
    uint8_t at[XQ_SQUARES];
    xq_pos out;
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        at[sq_turned(s)] = p->at[s] ? p->at[s] ^ 8 : XQ_EMPTY;
    assert_int_equal(xq_pos_set(&out, at, (xq_side)(p->side ^ 1), NULL), XQ_OK);
    out.halfmove = p->halfmove;
    out.fullmove = p->fullmove;
    return out;
}

static inline struct line_of_play turned(const struct line_of_play *l)
{
    struct line_of_play out = *l;
    out.start = pos_turned(&l->start);
    for (uint32_t i = 0; i < l->n; i++)
        out.moves[i] = xq_move_make(sq_turned(xq_move_from(l->moves[i])),
                                    sq_turned(xq_move_to(l->moves[i])));
    return out;
}

static inline xq_outcome outcome_turned(xq_outcome o)
{
    return o == XQ_RED_LOSES     ? XQ_BLACK_LOSES
           : o == XQ_BLACK_LOSES ? XQ_RED_LOSES
                                 : o;
}

/* ---- the table ---- */

struct repetition_row {
    char id[16], reason[256], confidence[8];
    xq_ruleset rules;
    xq_outcome expected;
    struct line_of_play line;
};

static inline xq_outcome outcome_named(const char *name)
{
    static const char *const NAMES[] = {"no_verdict", "draw", "red_loses",
                                        "black_loses"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, NAMES[i]) == 0)
            return (xq_outcome)i;
    fail_msg("no outcome '%s'", name);
    return XQ_NO_VERDICT;
}

static inline FILE *open_data(const char *name)
{
    const char *src = getenv("QIPU_SRC");
    char path[512], line[4096];
    snprintf(path, sizeof path, "%s/tests/data/%s", src ? src : ".", name);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(line, sizeof line, f)) /* the line of names */
        fail_msg("cannot read %s", path);
    return f;
}

/* The next of up to `max` fields of a line; fewer are an error. */
static inline bool next_fields(FILE *f, char *line, size_t size, char *field[],
                               int max)
{
    if (!fgets(line, (int)size, f))
        return false;
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < max; i++) {
        field[i] = line;
        if (i == max - 1)
            break;
        line = strchr(line, '\t');
        if (!line)
            fail_msg("line with too few fields: %s", field[0]);
        *line++ = '\0';
    }
    return true;
}

static inline bool next_row(FILE *f, struct repetition_row *out)
{
    char line[4096], *field[8];
    if (!next_fields(f, line, sizeof line, field, 8))
        return false;
    snprintf(out->id, sizeof out->id, "%s", field[0]);
    out->rules = strcmp(field[1], "cxa") == 0 ? XQ_CXA : XQ_ASIAN;
    out->line = line_of(field[2], field[3]);
    out->expected = outcome_named(field[4]);
    snprintf(out->reason, sizeof out->reason, "%s", field[5]);
    snprintf(out->confidence, sizeof out->confidence, "%s", field[7]);
    return true;
}

#endif
