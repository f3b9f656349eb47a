/* mktables.c - writes the big tables of internal.h as C text to stdout.
 *
 * Runs on the build machine (the Makefile builds it with plain host flags).
 * It is kept obvious rather than fast: each entry is found by walking. */
#include "engine/internal.h"
#include "engine/key.h"

#include <stdio.h>

const char xq_zone_map[10][10] = XQ_ZONE_MAP;

static bool on_board(int f, int r)
{
    return f >= 0 && f < 9 && r >= 0 && r < 10;
}

static bool is_palace(int side, int f, int r)
{
    char z = xq_zone_map[r][f];
    return r / 5 == side && (z == 'a' || z == 'k' || z == 'b');
}

/* ---- lines ---- */

struct line_view {
    unsigned rook, cannon, third;
};

static struct line_view view(int place, unsigned occ)
{
    struct line_view v = {0, 0, 0};
    for (int step = -1; step <= 1; step += 2) {
        int met = 0;
        for (int i = place + step; i >= 0 && i < 10 && met < 3; i += step) {
            unsigned bit = 1u << i;
            if (!(occ & bit)) {
                if (met == 0) {
                    v.rook |= bit;
                    v.cannon |= bit;
                }
                continue;
            }
            met++;
            if (met == 1)
                v.rook |= bit;
            else if (met == 2)
                v.cannon |= bit;
            else
                v.third |= bit;
        }
    }
    return v;
}

static void line_tables(void)
{
    printf("const struct xq_reach xq_reach[10][1024] = {\n");
    for (int place = 0; place < 10; place++) {
        printf("{");
        for (unsigned occ = 0; occ < 1024; occ++) {
            struct line_view v = view(place, occ);
            printf("{%u,%u},%s", v.rook, v.cannon, occ % 8 == 7 ? "\n" : "");
        }
        printf("},\n");
    }
    printf("};\nconst uint16_t xq_third[10][1024] = {\n");
    for (int place = 0; place < 10; place++) {
        printf("{");
        for (unsigned occ = 0; occ < 1024; occ++)
            printf("%u,%s", view(place, occ).third, occ % 16 == 15 ? "\n" : "");
        printf("},\n");
    }
    printf("};\n");
}

/* ---- sets ---- */

static void add(xq_set *set, int f, int r)
{
    int s = f + 9 * r;
    set->half[s / 45] |= UINT64_C(1) << s % 45;
}

static bool has(xq_set set, int s) { return set.half[s / 45] >> s % 45 & 1; }

static void print_set(xq_set set)
{
    printf("{{UINT64_C(0x%llx),UINT64_C(0x%llx)}},\n",
           (unsigned long long)set.half[0], (unsigned long long)set.half[1]);
}

static void file_spread(void)
{
    printf("const xq_set xq_file_spread[1024] = {\n");
    for (int occ = 0; occ < 1024; occ++) {
        xq_set set = {{0, 0}};
        for (int r = 0; r < 10; r++)
            if (occ >> r & 1)
                add(&set, 0, r);
        print_set(set);
    }
    printf("};\n");
}

/* ---- steps ---- */

static xq_set horse_to(int s, int blocked)
{
    static const struct {
        int df, dr, leg;
    } STEPS[8] = {
        {-2, -1, 0}, {-2, 1, 0}, {-1, -2, 1}, {1, -2, 1},
        {2, -1, 2},  {2, 1, 2},  {-1, 2, 3},  {1, 2, 3},
    };
    xq_set set = {{0, 0}};
    for (int i = 0; i < 8; i++) {
        int f = s % 9 + STEPS[i].df, r = s / 9 + STEPS[i].dr;
        if (on_board(f, r) && !(blocked >> STEPS[i].leg & 1))
            add(&set, f, r);
    }
    return set;
}

static xq_set elephant_to(int side, int s, int blocked)
{
    xq_set set = {{0, 0}};
    for (int i = 0; i < 4; i++) {
        int f = s % 9 + (i & 2 ? 2 : -2), r = s / 9 + (i & 1 ? 2 : -2);
        if (on_board(f, r) && r / 5 == side && !(blocked >> i & 1))
            add(&set, f, r);
    }
    return set;
}

static xq_set palace_step(int side, int s, int diagonal)
{
    xq_set set = {{0, 0}};
    for (int df = -1; df <= 1; df++)
        for (int dr = -1; dr <= 1; dr++) {
            int f = s % 9 + df, r = s / 9 + dr;
            if ((df != 0) + (dr != 0) == 1 + diagonal && on_board(f, r) &&
                is_palace(side, f, r))
                add(&set, f, r);
        }
    return set;
}

static xq_set pawn_to(int side, int s)
{
    xq_set set = {{0, 0}};
    int f = s % 9, r = s / 9, front = side == XQ_RED ? r + 1 : r - 1;
    if (on_board(f, front))
        add(&set, f, front);
    if (r / 5 != side) {
        if (f > 0)
            add(&set, f - 1, r);
        if (f < 8)
            add(&set, f + 1, r);
    }
    return set;
}

static void step_tables(void)
{
    printf("const xq_set xq_horse_to[90][16] = {\n");
    for (int s = 0; s < 90; s++) {
        printf("{");
        for (int blocked = 0; blocked < 16; blocked++)
            print_set(horse_to(s, blocked));
        printf("},\n");
    }
    printf("};\nconst xq_set xq_elephant_to[2][90][16] = {\n");
    for (int side = 0; side < 2; side++) {
        printf("{");
        for (int s = 0; s < 90; s++) {
            printf("{");
            for (int blocked = 0; blocked < 16; blocked++)
                print_set(elephant_to(side, s, blocked));
            printf("},\n");
        }
        printf("},\n");
    }
    printf("};\n");
    static const char *const NAMES[3] = {"king", "advisor", "pawn"};
    for (int kind = 0; kind < 3; kind++) {
        printf("const xq_set xq_%s_to[2][90] = {\n", NAMES[kind]);
        for (int side = 0; side < 2; side++) {
            printf("{");
            for (int s = 0; s < 90; s++)
                print_set(kind == 2 ? pawn_to(side, s)
                                    : palace_step(side, s, kind));
            printf("},\n");
        }
        printf("};\n");
    }
}

static int horse_leg(int from, int to)
{
    int df = to % 9 - from % 9, dr = to / 9 - from / 9;
    if (dr * dr == 4 && df * df == 1)
        return from + 9 * (dr / 2);
    if (df * df == 4 && dr * dr == 1)
        return from + df / 2;
    return XQ_NOSQ;
}

static void horse_legs(void)
{
    printf("const uint8_t xq_horse_leg[90][256] = {\n");
    for (int to = 0; to < 90; to++) {
        printf("{");
        for (int from = 0; from <= XQ_NOSQ; from++)
            printf("%d,%s", from < 90 ? horse_leg(from, to) : XQ_NOSQ,
                   from % 18 == 17 ? "\n" : "");
        printf("},\n");
    }
    printf("};\n");
}

static void pawn_from(void)
{
    printf("const uint64_t xq_pawn_from[90] = {\n");
    for (int king = 0; king < 90; king++) {
        int side = king / 45;
        xq_set from = {{0, 0}};
        for (int s = 0; s < 90; s++)
            if (has(pawn_to(!side, s), king))
                add(&from, s % 9, s / 9);
        printf("UINT64_C(0x%llx),\n", (unsigned long long)from.half[side]);
    }
    printf("};\n");
}

/* ---- pairs of squares ---- */

static struct xq_pair pair_of(int from, int to)
{
    struct xq_pair pair = {.via = (uint8_t)from, .there = 15};
    unsigned codes = 0;
    for (int side = 0; side < 2; side++) {
        unsigned king = has(palace_step(side, from, 0), to);
        unsigned advisor = has(palace_step(side, from, 1), to);
        unsigned elephant = has(elephant_to(side, from, 0), to);
        unsigned pawn = has(pawn_to(side, from), to);
        codes |= (king << XQ_KING | advisor << XQ_ADVISOR |
                  elephant << XQ_ELEPHANT | pawn << XQ_PAWN)
                 << 8 * side;
        if (elephant)
            pair.via = (uint8_t)((from + to) / 2);
    }
    if (horse_leg(from, to) != XQ_NOSQ) {
        codes |= 0x101u << XQ_HORSE;
        pair.via = (uint8_t)horse_leg(from, to);
    }
    pair.codes = (uint16_t)codes;
    if (from != to && (from / 9 == to / 9 || from % 9 == to % 9)) {
        bool rank = from / 9 == to / 9;
        pair.line = (uint8_t)(rank ? from / 9 : 10 + from % 9);
        pair.here = (uint8_t)(rank ? from % 9 : from / 9);
        pair.there = (uint8_t)(rank ? to % 9 : to / 9);
    }
    return pair;
}

static void pairs(void)
{
    printf("const struct xq_pair xq_pair[90][90] = {\n");
    for (int from = 0; from < 90; from++) {
        printf("{");
        for (int to = 0; to < 90; to++) {
            struct xq_pair p = pair_of(from, to);
            printf("{%d,%d,%d,%d,%d,{0,0}},%s", p.codes, p.via, p.line, p.here,
                   p.there, to % 9 == 8 ? "\n" : "");
        }
        printf("},\n");
    }
    printf("};\n");
}

static void line_bits(void)
{
    printf("const uint16_t xq_line_bit[19][90] = {\n");
    for (int line = 0; line < 19; line++) {
        printf("{");
        for (int s = 0; s < 90; s++)
            printf("%d,%s",
                   line < 10 ? (s / 9 == line) << s % 9
                             : (s % 9 == line - 10) << s / 9,
                   s % 18 == 17 ? "\n" : "");
        printf("},\n");
    }
    printf("};\n");
}

/* ---- keys (key.h) ---- */

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void zobrist(void)
{
    static uint64_t key[16][90];
    uint64_t state = XQ_KEY_SEED;
    for (int piece = 1; piece < 16; piece++)
        for (int s = 0; s < 90 && piece != 8; s++)
            key[piece][s] = split_mix(&state);
    printf("const struct xq_zobrist xq_zobrist[16][90] = {\n");
    for (int piece = 0; piece < 16; piece++) {
        printf("{");
        for (int s = 0; s < 90; s++)
            printf("{UINT64_C(0x%llx),UINT64_C(0x%llx)},\n",
                   (unsigned long long)key[piece][s],
                   (unsigned long long)key[piece][s / 9 * 9 + 8 - s % 9]);
        printf("},\n");
    }
    printf("};\nconst uint64_t xq_zobrist_black = UINT64_C(0x%llx);\n",
           (unsigned long long)split_mix(&state));
}

int main(void)
{
    printf("/* Written by engine/mktables.c: do not edit. */\n");
    line_tables();
    file_spread();
    step_tables();
    horse_legs();
    pawn_from();
    pairs();
    line_bits();
    zobrist();
    return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
