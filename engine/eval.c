/* eval.c - the evaluation: terms of a position, times their weights.
 *
 * Each side's camp is looked at once: what every piece reaches, as sets of
 * squares, mobility and palace points on the way.  Terms that need both camps
 * (hanging pieces) follow.  The same code counts for xq_eval, where nothing is
 * written down, and for xq_eval_trace. */
#include "engine/eval.h"
#include "engine/internal.h"

/* ---- sums ---- */

struct tally {
    xq_weight sum;   /* Red minus Black */
    int (*count)[2]; /* by weight and side; NULL: not wanted */
};

XQ_INLINE void add(struct tally *t, unsigned side, unsigned weight, int n)
{
    t->sum += (side == XQ_RED ? n : -n) * xq_weights[weight];
    if (t->count)
        t->count[weight][side] += n;
}

/* ---- one camp ---- */

/* What a side's pieces attack or guard. */
struct camp {
    const struct xq_shape_side *shape;
    xq_set all;
    xq_set small;       /* by king, advisors, elephants, pawns */
    xq_set lesser;      /* by all but rooks */
    unsigned attackers; /* pieces that attack the enemy's palace */
};

static const uint64_t PALACE[2] = {
    /* d-f of ranks 0-2, and of ranks 7-9 counted from 5 */
    UINT64_C(7) << 3 | UINT64_C(7) << 12 | UINT64_C(7) << 21,
    UINT64_C(7) << 21 | UINT64_C(7) << 30 | UINT64_C(7) << 39,
};

XQ_INLINE unsigned palace_points(xq_set set, unsigned palace)
{
    return (unsigned)__builtin_popcountll(set.half[palace] & PALACE[palace]);
}

/* for (unsigned i = p->first[code]; next_of(p, code, &i, &s);) */
XQ_INLINE bool next_of(const xq_pos *p, unsigned code, unsigned *i, xq_sq *s)
{
    while (*i < p->first[code + 1])
        if ((*s = p->sq[(*i)++]) != XQ_NOSQ)
            return true;
    return false;
}

static uint8_t count_of(const xq_pos *p, unsigned code)
{
    unsigned n = 0;
    for (unsigned i = p->first[code]; i < p->first[code + 1]; i++)
        n += p->sq[i] != XQ_NOSQ;
    return (uint8_t)n;
}

XQ_INLINE int lacking(unsigned have) { return have < 2 ? 2 - (int)have : 0; }

/* Of a side what hangs on nothing but where king, advisors and pawns stand and
 * what else there is (eval.h). */
XQ_INLINE void look_at_shape(const xq_pos *p, unsigned side,
                             struct xq_shape_side *h, struct tally *t)
{
    unsigned base = 8 * side, enemy = side ^ 1;
    const uint8_t *first = p->first + base;
    xq_set all = xq_king_to[side][xq_pos_king(p, (xq_side)side)];
    uint64_t crossed = 0;
    unsigned attackers = 0;
    xq_sq s;
    for (unsigned i = first[XQ_ADVISOR]; next_of(p, base + XQ_ADVISOR, &i, &s);)
        all = set_or(all, xq_advisor_to[side][s]);
    for (unsigned i = first[XQ_PAWN]; next_of(p, base + XQ_PAWN, &i, &s);) {
        xq_set to = xq_pawn_to[side][s];
        all = set_or(all, to);
        if (half_of(s) != side) {
            unsigned points = palace_points(to, enemy);
            crossed |= bit_of(s);
            attackers += points > 0;
            add(t, side, XQ_W_PALACE_PAWN, (int)points);
        }
    }
    /* Side by side, not from file i to file a. */
    const uint64_t not_i = UINT64_C(0x0ff) * UINT64_C(0x1008040201);
    int pairs = __builtin_popcountll(crossed & (crossed & not_i) << 1);
    add(t, side, XQ_W_PAWN_PAIR, pairs);
    h->reach[0] = all.half[0];
    h->reach[1] = all.half[1];
    h->crossed = crossed;
    h->attackers = (uint8_t)attackers;
    h->advisors = count_of(p, base + XQ_ADVISOR);
    h->elephants = count_of(p, base + XQ_ELEPHANT);
    h->horses = count_of(p, base + XQ_HORSE);
    h->rooks = count_of(p, base + XQ_ROOK);
    h->cannons = count_of(p, base + XQ_CANNON);
    h->lacking = (uint8_t)(lacking(h->advisors) + lacking(h->elephants));
}

/* They and all they reach are in their own half. */
XQ_INLINE void look_at_elephants(const xq_pos *p, unsigned side, struct camp *c,
                                 struct tally *t)
{
    unsigned base = 8 * side;
    const uint8_t *first = p->first + base;
    uint64_t reach = 0;
    int blocked = 0;
    xq_sq s;
    for (unsigned i = first[XQ_ELEPHANT];
         next_of(p, base + XQ_ELEPHANT, &i, &s);) {
        const xq_set *to = xq_elephant_to[side][s];
        uint64_t free = to[blocked_eyes(p, s)].half[side];
        reach |= free;
        blocked += __builtin_popcountll(to[0].half[side] ^ free);
    }
    c->all.half[side] |= reach;
    add(t, side, XQ_W_EYE, blocked);
}

XQ_INLINE void look_at_horses(const xq_pos *p, unsigned side, struct camp *c,
                              struct tally *t)
{
    unsigned base = 8 * side;
    const uint8_t *first = p->first + base;
    xq_set own = {{p->own[side][0], p->own[side][1]}};
    xq_sq s;
    for (unsigned i = first[XQ_HORSE]; next_of(p, base + XQ_HORSE, &i, &s);) {
        unsigned legs = blocked_legs(p, s);
        xq_set to = xq_horse_to[s][legs];
        unsigned points = palace_points(to, side ^ 1);
        c->all = set_or(c->all, to);
        c->attackers += points > 0;
        add(t, side, XQ_W_PALACE_HORSE, (int)points);
        add(t, side, XQ_W_HORSE_MOVES + set_count(set_minus(to, own)), 1);
        /* Bit 3 is the rank above, bit 1 the rank below. */
        add(t, side, XQ_W_LEG, legs >> (side == XQ_RED ? 3 : 1) & 1);
    }
}

/* Squares on which a cannon could capture are those beyond its first piece,
 * up to and with the second; where it moves is not what it attacks. */
XQ_INLINE void look_at_cannons(const xq_pos *p, unsigned side, struct camp *c,
                               struct tally *t)
{
    unsigned base = 8 * side;
    const uint8_t *first = p->first + base;
    xq_sq s;
    for (unsigned i = first[XQ_CANNON]; next_of(p, base + XQ_CANNON, &i, &s);) {
        unsigned f = xq_file_of[s], r = xq_rank_of[s];
        unsigned rank = line_occ(p->line[r]);
        unsigned file = line_occ(p->line[10 + f]);
        unsigned near_r = xq_reach[f][rank].rook;
        unsigned near_f = xq_reach[r][file].rook;
        unsigned far_r = xq_reach[f][rank & ~near_r].rook & ~near_r;
        unsigned far_f = xq_reach[r][file & ~near_f].rook & ~near_f;
        xq_set to = lines_to_set(far_r, far_f, s);
        unsigned points = palace_points(to, side ^ 1);
        c->all = set_or(c->all, to);
        c->attackers += points > 0;
        add(t, side, XQ_W_PALACE_CANNON, (int)points);
        unsigned moves = (unsigned)__builtin_popcount(
            (near_r & ~rank & XQ_RANK_BITS) | (near_f & ~file) << 16);
        add(t, side, XQ_W_CANNON_MOVES + moves, 1);
    }
}

XQ_INLINE void look_at_rooks(const xq_pos *p, unsigned side, struct camp *c,
                             struct tally *t)
{
    unsigned base = 8 * side;
    const uint8_t *first = p->first + base;
    xq_sq s;
    for (unsigned i = first[XQ_ROOK]; next_of(p, base + XQ_ROOK, &i, &s);) {
        unsigned f = xq_file_of[s], r = xq_rank_of[s];
        uint64_t rank = p->line[r], file = p->line[10 + f];
        unsigned on_r = xq_reach[f][line_occ(rank)].rook & XQ_RANK_BITS;
        unsigned on_f = xq_reach[r][line_occ(file)].rook;
        xq_set to = lines_to_set(on_r, on_f, s);
        unsigned points = palace_points(to, side ^ 1);
        c->all = set_or(c->all, to);
        c->attackers += points > 0;
        add(t, side, XQ_W_PALACE_ROOK, (int)points);
        unsigned moves =
            (unsigned)__builtin_popcount((on_r & ~line_own(rank, side)) |
                                         (on_f & ~line_own(file, side)) << 16);
        add(t, side, XQ_W_ROOK_MOVES + moves, 1);
    }
}

XQ_INLINE void look_at_camp(const xq_pos *p, unsigned side,
                            const struct xq_shape_side *h, struct camp *c,
                            struct tally *t)
{
    *c = (struct camp){
        .all = {{h->reach[0], h->reach[1]}},
        .shape = h,
        .attackers = h->attackers,
    };
    look_at_elephants(p, side, c, t);
    c->small = c->all;
    look_at_horses(p, side, c, t);
    look_at_cannons(p, side, c, t);
    c->lesser = c->all;
    look_at_rooks(p, side, c, t);
}

/* ---- against the enemy's king ---- */

/* Cannons and rooks on the lines of the enemy's king. */
XQ_INLINE void look_at_king(const xq_pos *p, unsigned side,
                            const struct camp *enemy, struct tally *t)
{
    xq_sq king = xq_pos_king(p, (xq_side)(side ^ 1));
    unsigned f = xq_file_of[king], r = xq_rank_of[king];
    uint64_t file = p->line[10 + f], rank = p->line[r];
    struct xq_reach on_f = xq_reach[r][line_occ(file)];
    struct xq_reach on_r = xq_reach[f][line_occ(rank)];
    unsigned cannons = line_cannons(file, side);
    unsigned hollow = cannons & on_f.rook;
    for (; hollow; hollow &= hollow - 1) {
        int far = __builtin_ctz(hollow) - (int)r;
        far = far < 0 ? -far : far;
        add(t, side, XQ_W_HOLLOW + (far > 3) + (far > 5), 1);
    }
    if (cannons & xq_third[r][line_occ(file)])
        add(t, side, XQ_W_TWO_SCREENS, 1);
    cannons = line_cannons(rank, side);
    if (cannons) {
        if (cannons & on_r.rook)
            add(t, side, XQ_W_BOTTOM_HOLLOW, 1);
        if (cannons & xq_third[f][line_occ(rank)])
            add(t, side, XQ_W_BOTTOM_SCREENS, 1);
    }
    /* A facing king is no rook: the enemy's king stands in its own palace and
     * would be met from the other side of the screen, so leave it out. */
    unsigned rooks = line_rooks(file, side) & on_f.cannon & line_occ(file);
    xq_sq own = xq_pos_king(p, (xq_side)side);
    rooks &= ~(unsigned)xq_line_bit[10 + f][own];
    rooks |= (line_rooks(rank, side) & on_r.cannon & line_occ(rank)) << 16;
    if (rooks)
        add(t, side, XQ_W_ROOK_BEHIND, 1);

    unsigned back = line_cannons(p->line[side == XQ_RED ? 9 : 0], side);
    if (back) {
        unsigned advisors = enemy->shape->advisors;
        add(t, side, XQ_W_BOTTOM + (advisors > 2 ? 2 : advisors),
            __builtin_popcount(back));
    }
}

/* ---- what the pieces make together ---- */

/* By what there is; attackers apart. */
XQ_INLINE void look_at_balance(unsigned side, const struct xq_shape_side *c,
                               const struct xq_shape_side *enemy,
                               struct tally *t)
{
    int no_advisors = lacking(enemy->advisors);
    int no_elephants = lacking(enemy->elephants);
    int rooks = c->rooks, horses = c->horses, cannons = c->cannons;
    add(t, side, XQ_W_ROOK_OPEN, rooks * no_advisors);
    add(t, side, XQ_W_HORSE_OPEN, horses * no_advisors);
    add(t, side, XQ_W_CANNON_OPEN, cannons * no_elephants);
    add(t, side, XQ_W_PAWN_OPEN,
        __builtin_popcountll(c->crossed) * no_elephants);
    add(t, side, XQ_W_CANNON_ADVISORS, cannons * enemy->advisors);
    add(t, side, XQ_W_ADVISORS, c->advisors >= 2);
    add(t, side, XQ_W_ELEPHANTS, c->elephants >= 2);
    add(t, side, XQ_W_ROOKS, rooks >= 2);
    add(t, side, XQ_W_HORSES, horses >= 2);
    add(t, side, XQ_W_CANNONS, cannons >= 2);
    add(t, side, XQ_W_MIXED, horses && cannons);
    add(t, side, XQ_W_NO_ROOK, !rooks && enemy->rooks);
}

XQ_INLINE void look_at_attackers(unsigned side, const struct camp *c,
                                 const struct camp *enemy, struct tally *t)
{
    unsigned attackers = c->attackers > 5 ? 5 : c->attackers;
    add(t, side, XQ_W_ATTACKERS + attackers, 1);
    add(t, side, XQ_W_ATTACK_OPEN, (int)attackers * enemy->shape->lacking);
}

/* How many pieces stand on squares of the set. */
XQ_INLINE int guarded_of(const xq_pos *p, unsigned code, xq_set set)
{
    int n = 0;
    for (unsigned i = p->first[code]; i < p->first[code + 1]; i++)
        n += p->sq[i] != XQ_NOSQ && set_has(set, p->sq[i]);
    return n;
}

/* Enemy pieces that may be lost, own ones that may not. */
XQ_INLINE void look_at_threats(const xq_pos *p, unsigned side,
                               const struct camp *c, const struct camp *enemy,
                               struct tally *t)
{
    /* What a guarded piece suffers; other kinds nothing. */
    static const struct {
        uint8_t rook, minor;
    } OF[8] = {[XQ_ROOK] = {1, 0}, [XQ_HORSE] = {0, 1}, [XQ_CANNON] = {0, 1}};
    xq_set theirs = {{p->own[side ^ 1][0], p->own[side ^ 1][1]}};
    xq_set aims = set_and(c->all, theirs);
    unsigned chased = 0, minors = 0;
    while (set_any(aims)) {
        const xq_sq s = set_pop(&aims);
        const xq_kind k = xq_piece_kind(p->at[s]);
        const unsigned guarded = set_has(enemy->all, s);
        chased += OF[k].rook & guarded & set_has(c->lesser, s);
        minors += OF[k].minor & guarded & set_has(c->small, s);
        if (k != XQ_KING) /* seldom */
            add(t, side, XQ_W_HANGING + k - XQ_ADVISOR, 1 - (int)guarded);
    }
    add(t, side, XQ_W_ROOK_CHASED, (int)chased);
    add(t, side, XQ_W_MINOR_CHASED, (int)minors);

    add(t, side, XQ_W_GUARDED, guarded_of(p, 8 * side + XQ_HORSE, c->all));
    add(t, side, XQ_W_GUARDED + 1, guarded_of(p, 8 * side + XQ_CANNON, c->all));
    add(t, side, XQ_W_GUARDED + 2,
        __builtin_popcountll(c->all.half[side ^ 1] & c->shape->crossed));
}

XQ_INLINE void look_at_enemy(const xq_pos *p, unsigned side,
                             const struct camp *c, const struct camp *enemy,
                             struct tally *t)
{
    look_at_king(p, side, enemy, t);
    look_at_attackers(side, c, enemy, t);
    look_at_threats(p, side, c, enemy, t);
}

/* Everything but pieces, places and shapes. */
XQ_INLINE void look(const xq_pos *p, const struct xq_shape *h, struct tally *t)
{
    /* Written out for either side, not looped over: in code of its own each
     * camp stays in registers. */
    struct camp red, black;
    look_at_camp(p, XQ_RED, &h->side[XQ_RED], &red, t);
    look_at_camp(p, XQ_BLACK, &h->side[XQ_BLACK], &black, t);
    look_at_enemy(p, XQ_RED, &red, &black, t);
    look_at_enemy(p, XQ_BLACK, &black, &red, t);
    add(t, p->side, XQ_W_TEMPO, 1);
}

static void look_at_shapes(const xq_pos *p, struct xq_shape *h, struct tally *t)
{
    look_at_shape(p, XQ_RED, &h->side[XQ_RED], t);
    look_at_shape(p, XQ_BLACK, &h->side[XQ_BLACK], t);
    look_at_balance(XQ_RED, &h->side[XQ_RED], &h->side[XQ_BLACK], t);
    look_at_balance(XQ_BLACK, &h->side[XQ_BLACK], &h->side[XQ_RED], t);
}

/* ---- pieces and places ---- */

const uint8_t xq_phase_of[8] = {
    [XQ_HORSE] = 2,
    [XQ_ROOK] = 4,
    [XQ_CANNON] = 2,
};

const xq_sq xq_shape_place[8] = {
    [XQ_KING] = 127,
    [XQ_ADVISOR] = 127,
    [XQ_PAWN] = 127,
};

void xq_eval_init(xq_eval_state *st, const xq_pos *p)
{
    *st = (xq_eval_state){0, 0, 0};
    for (xq_sq s = 0; s < XQ_SQUARES; s++) {
        if (p->at[s] == XQ_EMPTY)
            continue;
        xq_side side = xq_piece_side(p->at[s]);
        xq_kind k = xq_piece_kind(p->at[s]);
        xq_weight w = xq_weight_at(k, xq_place_of[side][s]);
        st->sum += side == XQ_RED ? w : -w;
        st->phase += xq_phase_of[k];
        st->shape += xq_zobrist[p->at[s]][s & xq_shape_place[k]].key;
    }
}

/* ---- the whole ---- */

/* Few are left: only then it matters who can win at all. */
enum { LATE = 8 };

/* By what the stronger side has that crosses the river:
 *   nothing                                 it cannot win
 *   one horse or cannon, no pawn            seldom, even against a bare king
 *   one rook, no pawn, against full defence hardly ever */
int xq_eval_scale(const xq_pos *p, int score)
{
    unsigned base = score > 0 ? 0 : 8, enemy = base ^ 8;
    unsigned rooks = count_of(p, base + XQ_ROOK);
    unsigned minors =
        count_of(p, base + XQ_HORSE) + count_of(p, base + XQ_CANNON);
    unsigned others = 4 * count_of(p, enemy + XQ_ROOK) +
                      2 * count_of(p, enemy + XQ_HORSE) +
                      2 * count_of(p, enemy + XQ_CANNON);
    if (4 * rooks + 2 * minors + others > LATE ||
        count_of(p, base + XQ_PAWN) > 0)
        return 64;
    unsigned defence =
        count_of(p, enemy + XQ_ADVISOR) + count_of(p, enemy + XQ_ELEPHANT);
    if (rooks + minors == 0)
        return 0;
    if (rooks == 0 && minors == 1)
        return defence == 0 ? 48 : 12;
    if (rooks == 1 && minors == 0)
        return defence >= 4 ? 16 : defence == 3 ? 40 : 64;
    return 64;
}

XQ_INLINE int eval(const xq_pos *p, const xq_eval_state *st,
                   const struct xq_shape *h)
{
    struct tally t = {st->sum + h->sum, NULL};
    look(p, h, &t);
    int phase = st->phase > XQ_PHASE_MAX ? XQ_PHASE_MAX : st->phase;
    int score = (xq_mg(t.sum) * phase + xq_eg(t.sum) * (XQ_PHASE_MAX - phase)) /
                XQ_PHASE_MAX;
    if (phase <= LATE)
        score = score * xq_eval_scale(p, score) / 64;
    if (p->side == XQ_BLACK)
        score = -score;
    return score > XQ_EVAL_MAX    ? XQ_EVAL_MAX
           : score < -XQ_EVAL_MAX ? -XQ_EVAL_MAX
                                  : score;
}

static void fill_shape(const xq_pos *p, const xq_eval_state *st,
                       struct xq_shape *h)
{
    struct tally t = {0, NULL};
    look_at_shapes(p, h, &t);
    h->key = st->shape;
    h->sum = t.sum;
}

/* With an instruction to count bits, where there is one. */
#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("popcnt,bmi"))) static int
eval_popcnt(const xq_pos *p, const xq_eval_state *st, const struct xq_shape *h)
{
    return eval(p, st, h);
}
static int eval_best(const xq_pos *p, const xq_eval_state *st,
                     const struct xq_shape *h)
{
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi")
               ? eval_popcnt(p, st, h)
               : eval(p, st, h);
}
#else
static int eval_best(const xq_pos *p, const xq_eval_state *st,
                     const struct xq_shape *h)
{
    return eval(p, st, h);
}
#endif

int xq_eval(const xq_pos *p, const xq_eval_state *st)
{
    struct xq_shape h;
    fill_shape(p, st, &h);
    return eval_best(p, st, &h);
}

int xq_eval_by(const xq_pos *p, const xq_eval_state *st, xq_shapes *known)
{
    struct xq_shape *h = &known->of[st->shape % XQ_SHAPES];
    if (h->key != st->shape)
        fill_shape(p, st, h);
    return eval_best(p, st, h);
}

unsigned xq_eval_trace(const xq_pos *p, xq_eval_term *out, unsigned max)
{
    int count[XQ_WEIGHTS][2] = {{0}};
    struct tally t = {0, count};
    for (xq_sq s = 0; s < XQ_SQUARES; s++) {
        if (p->at[s] == XQ_EMPTY)
            continue;
        xq_side side = xq_piece_side(p->at[s]);
        xq_kind k = xq_piece_kind(p->at[s]);
        if (k != XQ_KING)
            add(&t, side, (unsigned)(XQ_W_PIECE + k - XQ_ADVISOR), 1);
        add(&t, side,
            (unsigned)(XQ_W_PLACE + XQ_PLACES * (k - XQ_KING)) +
                xq_place_of[side][s],
            1);
    }
    struct xq_shape h;
    look_at_shapes(p, &h, &t);
    look(p, &h, &t);
    unsigned n = 0;
    for (unsigned w = 0; w < XQ_WEIGHTS; w++) {
        if (!count[w][0] && !count[w][1])
            continue;
        if (n < max)
            out[n] = (xq_eval_term){
                .weight = w,
                .name = xq_weight_names[w],
                .red = count[w][0],
                .black = count[w][1],
                .mg = xq_mg(xq_weights[w]),
                .eg = xq_eg(xq_weights[w]),
            };
        n++;
    }
    return n;
}
