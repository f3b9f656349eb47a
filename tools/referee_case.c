/* referee_case.c - a line of moves before the referee. */
#include "tools/referee_case.h"

#include "engine/key.h"

#include <stdlib.h>
#include <string.h>

void ref_how_rules(ref_how *how, xq_ruleset rules)
{
    xq_profile_init(&how->rules, rules);
    how->rules.repetitions = how->repetitions;
    how->rules.natural_limit = how->natural_limit;
    how->rules.bare_draw = how->bare_draw;
    if (how->threat_depth)
        how->rules.threat_depth = how->threat_depth;
}

/* ---- occurrences ---- */

struct stand {
    xq_key key;
    uint32_t ply;
};

static int by_key(const void *a, const void *b)
{
    const struct stand *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->ply < y->ply ? -1 : x->ply > y->ply;
}

/* The last ply after which the position stood that has come up most often, of
 * several such positions the one seen last. */
static bool find_commonest(const ref_case *c, uint32_t *ply)
{
    const size_t n = (size_t)c->n + 1;
    struct stand *all = malloc(n * sizeof *all);
    size_t most = 0;
    if (!all)
        return false;
    for (size_t i = 0; i < n; i++)
        all[i] = (struct stand){c->keys[i], (uint32_t)i};
    qsort(all, n, sizeof *all, by_key);
    for (size_t i = 0, begin = 0; i < n; i++) {
        if (all[i].key != all[begin].key)
            begin = i;
        const size_t count = i - begin + 1;
        if (count > most || (count == most && all[i].ply > *ply)) {
            most = count;
            *ply = all[i].ply;
        }
    }
    free(all);
    return true;
}

static bool find_occurrences(ref_case *c)
{
    uint32_t ply = c->ruling.to_ply;
    if (c->ruling.ending == XQ_GOES_ON && !find_commonest(c, &ply))
        return false;
    const uint32_t most = ply / 2 + 1;
    c->after = malloc(most * sizeof *c->after);
    if (!c->after)
        return false;
    c->occurrences = xq_occurrences(c->keys, ply, c->after, most);
    return true;
}

/* ---- judging ---- */

static bool prepare(ref_case *c)
{
    c->keys = malloc(((size_t)c->n + 1) * sizeof *c->keys);
    return c->keys != NULL;
}

bool ref_case_judge(ref_case *c, uint32_t from)
{
    if (!prepare(c))
        return false;
    xq_referee(&c->how.rules, c->start, c->moves, c->n, from, c->keys,
               &c->ruling);
    if (c->ruling.ending == XQ_REPEATED)
        ref_case_board(c, c->ruling.from_ply - 1, &c->first);
    return find_occurrences(c);
}

/* The last ply before `ply` after which the same position stood, or `ply`. */
static uint32_t last_before(const xq_key *keys, uint32_t ply)
{
    for (uint32_t i = ply; i >= 2;) {
        i -= 2;
        if (keys[i] == keys[ply])
            return i;
    }
    return ply;
}

static void judge_cycle(ref_case *c, uint32_t begin, uint32_t end)
{
    ref_case_board(c, begin, &c->first);
    xq_judge_window(&c->how.rules, &c->first, c->moves + begin, end - begin,
                    &c->ruling);
    c->ruling.from_ply = begin + 1;
    c->ruling.to_ply = end;
}

bool ref_case_cycle(ref_case *c)
{
    if (!prepare(c))
        return false;
    xq_pos p = *c->start;
    c->keys[0] = p.key;
    for (uint32_t i = 0; i < c->n; i++) {
        xq_pos_make(&p, c->moves[i], NULL);
        c->keys[i + 1] = p.key;
    }
    c->ruling = (xq_ruling){.article = "", .from_ply = c->n, .to_ply = c->n};
    for (uint32_t end = c->n; end > 0; end--) {
        const uint32_t begin = last_before(c->keys, end);
        if (begin < end) {
            judge_cycle(c, begin, end);
            break;
        }
    }
    if (!find_occurrences(c))
        return false;
    c->ruling.occurrences = c->occurrences;
    return true;
}

void ref_case_free(ref_case *c)
{
    free(c->keys);
    free(c->after);
    c->keys = NULL;
    c->after = NULL;
}

/* ---- looking at it ---- */

void ref_case_board(const ref_case *c, uint32_t ply, xq_pos *out)
{
    *out = *c->start;
    for (uint32_t i = 0; i < ply; i++)
        xq_pos_make(out, c->moves[i], NULL);
}

void ref_case_explain(const ref_case *c, uint32_t i, xq_ply *out)
{
    const uint32_t begin = c->ruling.from_ply - 1;
    xq_explain_ply(&c->how.rules, &c->first, c->moves + begin,
                   c->ruling.to_ply - begin, i, out);
}

bool ref_case_is_open(const ref_case *c, const xq_ply *ply)
{
    return c->ruling.unsupported && ply->traits & XQ_TRAIT_UNDECIDED;
}

void ref_case_doings(const ref_case *c, ref_doings out[2])
{
    const uint32_t n = c->ruling.to_ply - (c->ruling.from_ply - 1);
    uint32_t threats[2] = {0, 0}, all[2] = {0, 0};
    xq_side side = (xq_side)c->first.side;
    memset(out, 0, 2 * sizeof *out);
    for (uint32_t i = 0; i < n; i++) {
        xq_ply ply;
        ref_case_explain(c, i, &ply);
        out[side].plies[ply.nature]++;
        out[side].open |= ref_case_is_open(c, &ply);
        threats[side] += (ply.traits & XQ_TRAIT_MATE_THREAT) != 0;
        all[side]++;
        side = (xq_side)(side ^ 1);
    }
    for (int s = 0; s < 2; s++)
        if (strcmp(c->ruling.article, "A-23") == 0 && threats[s] == all[s]) {
            memset(out[s].plies, 0, sizeof out[s].plies);
            out[s].plies[XQ_MATE_THREAT] = all[s];
        }
}

void ref_case_count(const ref_case *c, ref_count *out)
{
    const xq_ruling *r = &c->ruling;
    xq_pos p = *c->start;
    *out = (ref_count){.base = p.halfmove};
    for (uint32_t i = 0; i < r->to_ply; i++) {
        out->played++;
        if (p.at[xq_move_to(c->moves[i])] != XQ_EMPTY)
            *out = (ref_count){.base = 0};
        xq_pos_make(&p, c->moves[i], NULL);
    }
    const uint32_t most = c->how.rules.limit_checks;
    uint32_t off = out->base + out->played - r->counted;
    for (int s = 0; s < 2; s++) {
        out->checks_off[s] = r->checks[s] > most ? r->checks[s] - most : 0;
        off -= out->checks_off[s];
    }
    out->replies = off;
}
