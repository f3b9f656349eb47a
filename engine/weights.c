/* weights.c - the numbers of the evaluation (weights.h) and their names. */
#include "engine/weights.h"

/* clang-format off */
#define W(mg, eg) XQ_WEIGHT(mg, eg)
const xq_weight xq_weights[XQ_WEIGHTS] = {
    /* pieces */
    W(168, 164), /* advisor */
    W(172, 159), /* elephant */
    W(416, 528), /* horse */
    W(977, 1091), /* rook */
    W(466, 483), /* cannon */
    W(66, 116), /* pawn */
    /* places of the king: files a to e; ranks upwards from the own back rank */
    W(   0,    0), W(   0,    0), W(   0,    0), W(   1,   20), W(  56,    9),
    W(   0,    0), W(   0,    0), W(   0,    0), W( -57,    1), W( -14,    9),
    W(   0,    0), W(   0,    0), W(   0,    0), W( -97,  -34), W( -76,  -15),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    /* places of the advisor: files a to e; ranks upwards from the own back rank */
    W(   0,    0), W(   0,    0), W(   0,    0), W(   2,  -14), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(  32,    9),
    W(   0,    0), W(   0,    0), W(   0,    0), W( -36,   -9), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    /* places of the elephant: files a to e; ranks upwards from the own back rank */
    W(   0,    0), W(   0,    0), W(   4,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W( -17,  -17), W(   0,    0), W(   0,    0), W(   0,    0), W(  37,   10),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W( -22,   -6), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    /* places of the horse: files a to e; ranks upwards from the own back rank */
    W( -49,  -48), W( -64,  -25), W( -49,  -47), W( -46,  -25), W( -53,  -38),
    W( -46,  -48), W( -40,  -28), W( -27,  -30), W( -29,  -20), W( -15,  -23),
    W( -25,  -25), W( -25,  -13), W(  -2,  -19), W(  14,   -3), W(  -9,   -7),
    W( -14,  -10), W( -13,  -14), W(   6,   11), W(   5,   21), W(  24,   14),
    W(  -3,    1), W(  15,   13), W(  40,   35), W(  29,   35), W(  23,   34),
    W(   5,   14), W(  21,   37), W(  38,   26), W(  63,   49), W(  58,   42),
    W(   9,    9), W(  89,   65), W(  29,   46), W(  81,   74), W(  44,   54),
    W(  51,   49), W(  41,   39), W(  39,   49), W(  77,   61), W(  71,   82),
    W(  19,   14), W(  29,   38), W(  98,   61), W(  65,   51), W(  12,   22),
    W(   1,   -2), W(   4,   -4), W(  11,    7), W(  15,   12), W(  -8,   -6),
    /* places of the rook: files a to e; ranks upwards from the own back rank */
    W( -55,  -22), W(  -4,  -11), W( -12,  -12), W(   9,  -12), W( -33,  -16),
    W( -26,  -25), W(   3,   -7), W(  -1,   -3), W(   9,    1), W(   0,    2),
    W( -27,  -17), W(   3,    6), W( -12,    3), W(  20,   -1), W(  -9,   -1),
    W(  -8,    3), W(  14,   15), W(   8,   20), W(  27,   22), W(  21,   24),
    W(  10,   -1), W(  17,    6), W(  23,    5), W(  19,   10), W(  18,   18),
    W(  12,    0), W(   4,   14), W(  20,   18), W(  26,   17), W(  15,   14),
    W(  24,   14), W(  29,   27), W(  34,   15), W(  42,   28), W(  15,   19),
    W(   3,   13), W(  34,    8), W(  11,   14), W(  45,   17), W(  35,   13),
    W(  13,   15), W(  32,   27), W(  32,   17), W(  40,   36), W(  55,   28),
    W(  11,   -2), W(  20,   14), W(   0,    9), W(  41,   13), W(  27,   15),
    /* places of the cannon: files a to e; ranks upwards from the own back rank */
    W( -19,    8), W( -14,    4), W(  17,   13), W(  29,   19), W(  17,   52),
    W(  13,    6), W(   0,   23), W(  27,   12), W(  12,   20), W(  35,   38),
    W(  -1,   14), W(  -6,   15), W(  17,    8), W(  15,   15), W(  35,   34),
    W(  -8,    8), W(  -9,   11), W(  15,    0), W(   3,    6), W(  22,   14),
    W(   5,   10), W(   2,   -3), W(  15,  -11), W( -13,  -10), W(  15,    7),
    W(  18,    0), W( -25,   20), W(  -8,    2), W( -10,    6), W(  33,   -1),
    W(   7,    8), W(  -4,   14), W(   6,   -1), W( -13,   -4), W(   3,    1),
    W(  24,    9), W(  -1,    3), W(  -5,   -8), W( -28,   -4), W( -22,   -9),
    W(  14,   13), W( -16,   20), W(  -5,   -2), W( -35,  -12), W( -18,   -5),
    W(  45,   -1), W(  21,    5), W( -18,   -1), W( -30,  -11), W( -16,  -10),
    /* places of the pawn: files a to e; ranks upwards from the own back rank */
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W( -17,   -7), W(   0,    0), W( -24,   -1), W(   0,    0), W(  10,   12),
    W( -11,    5), W(   0,    0), W(  10,   20), W(   0,    0), W(  12,   35),
    W(  39,   45), W(  58,   77), W(  64,   80), W( 105,  101), W(  99,  108),
    W(  50,   65), W(  87,   86), W( 104,  118), W( 117,  127), W( 131,  133),
    W(  70,   77), W( 102,  103), W( 113,  116), W( 148,  152), W( 156,  159),
    W(  66,   66), W( 115,  105), W( 136,  110), W( 181,  140), W( 162,  144),
    W( -10,  -28), W(   8,  -12), W(  22,    8), W(  32,   10), W(  39,   19),
    /* moves of a horse: 0 to 8 */
    W(-32, -83), W(-35, -28), W(-22, -11), W(-12, 7), W(-5, 13), W(-1, 21),
    W(7, 22), W(12, 24), W(19, 25),
    /* moves of a rook: 0 to 17 */
    W(-68, -70), W(-41, -53), W(-32, -46), W(-24, -42), W(-18, -25), W(-9, -12),
    W(-5, -2), W(-2, 9), W(1, 11), W(3, 17), W(9, 19), W(9, 23),
    W(13, 25), W(14, 26), W(20, 26), W(24, 31), W(25, 32), W(27, 33),
    /* quiet moves of a cannon: 0 to 17 */
    W(-35, -35), W(-14, -23), W(-8, -22), W(-9, -14), W(-8, -7), W(-7, -3),
    W(-5, -3), W(-1, -4), W(0, 1), W(1, 5), W(-7, 11), W(0, 4),
    W(-2, 11), W(8, 7), W(9, 14), W(9, 14), W(19, 11), W(10, 33),
    W(-10, -25), /* forward leg blocked */
    W(-7, -4), /* eye blocked */
    W(49, 20), /* hollow cannon, near */
    W(89, 26), /* hollow cannon, middle */
    W(109, 44), /* hollow cannon, far */
    W(16, 43), /* cannon behind two on the king's file */
    W(29, 14), /* hollow cannon at the bottom */
    W(28, 21), /* cannon behind two at the bottom */
    W(-3, -13), /* bottom cannon, no advisor */
    W(6, 11), /* bottom cannon, one advisor */
    W(9, 13), /* bottom cannon, two advisors */
    W(22, 8), /* rook behind one before the king */
    W(1, -4), /* palace points of rooks */
    W(14, -6), /* palace points of horses */
    W(2, 2), /* palace points of cannons */
    W(29, 12), /* palace points of pawns */
    W(5, 11), /* no attacker */
    W(9, 0), /* one attacker */
    W(19, 0), /* two attackers */
    W(32, 16), /* three attackers */
    W(62, 41), /* four attackers */
    W(108, 60), /* five attackers */
    W(8, 1), /* attackers against lacking defenders */
    W(13, 19), /* pawns side by side */
    W(4, 23), /* two advisors */
    W(13, 19), /* two elephants */
    W(30, 19), /* rooks against lacking advisors */
    W(-9, 22), /* horses against lacking advisors */
    W(4, 17), /* cannons with enemy advisors */
    W(11, 10), /* cannons against lacking elephants */
    W(1, 8), /* crossed pawns against lacking elephants */
    W(-51, 0), /* two rooks */
    W(-16, 13), /* two horses */
    W(-21, -6), /* two cannons */
    W(-10, 32), /* horse and cannon */
    W(-87, -62), /* no rook */
    W(25, 21), /* advisor hanging */
    W(49, 23), /* elephant hanging */
    W(59, 52), /* horse hanging */
    W(58, 8), /* rook hanging */
    W(62, 46), /* cannon hanging */
    W(13, 30), /* pawn hanging */
    W(50, 41), /* guarded rook chased */
    W(82, 31), /* guarded horse or cannon chased */
    W(8, -4), /* horse guarded */
    W(6, -1), /* cannon guarded */
    W(10, -5), /* crossed pawn guarded */
    W(42, 21), /* the right to move */
};

const xq_weight xq_chance_shift = W(117, 320), xq_chance_spread = W(190, 178);

/* Names, in the same order. */
#define RANK(k, r)                                                             \
    k " a" r, k " b" r, k " c" r, k " d" r, k " e" r
#define BOARD(k)                                                               \
    RANK(k, "0"), RANK(k, "1"), RANK(k, "2"), RANK(k, "3"), RANK(k, "4"),      \
    RANK(k, "5"), RANK(k, "6"), RANK(k, "7"), RANK(k, "8"), RANK(k, "9")
#define UP_TO_8(what)                                                          \
    what " 0", what " 1", what " 2", what " 3", what " 4", what " 5",          \
    what " 6", what " 7", what " 8"
#define UP_TO_17(what)                                                         \
    UP_TO_8(what), what " 9", what " 10", what " 11", what " 12", what " 13",  \
    what " 14", what " 15", what " 16", what " 17"

const char *const xq_weight_names[XQ_WEIGHTS] = {
    "advisor", "elephant", "horse", "rook", "cannon", "pawn",
    BOARD("king"), BOARD("advisor"), BOARD("elephant"), BOARD("horse"),
    BOARD("rook"), BOARD("cannon"), BOARD("pawn"),
    UP_TO_8("horse moves"), UP_TO_17("rook moves"), UP_TO_17("cannon moves"),
    "forward leg blocked",
    "eye blocked",
    "hollow cannon, near",
    "hollow cannon, middle",
    "hollow cannon, far",
    "cannon behind two on the king's file",
    "hollow cannon at the bottom",
    "cannon behind two at the bottom",
    "bottom cannon, no advisor",
    "bottom cannon, one advisor",
    "bottom cannon, two advisors",
    "rook behind one before the king",
    "palace points of rooks",
    "palace points of horses",
    "palace points of cannons",
    "palace points of pawns",
    "no attacker",
    "one attacker",
    "two attackers",
    "three attackers",
    "four attackers",
    "five attackers",
    "attackers against lacking defenders",
    "pawns side by side",
    "two advisors",
    "two elephants",
    "rooks against lacking advisors",
    "horses against lacking advisors",
    "cannons with enemy advisors",
    "cannons against lacking elephants",
    "crossed pawns against lacking elephants",
    "two rooks",
    "two horses",
    "two cannons",
    "horse and cannon",
    "no rook",
    "advisor hanging",
    "elephant hanging",
    "horse hanging",
    "rook hanging",
    "cannon hanging",
    "pawn hanging",
    "guarded rook chased",
    "guarded horse or cannon chased",
    "horse guarded",
    "cannon guarded",
    "crossed pawn guarded",
    "the right to move",
};

#define FOLD_RANK(r) 5 * r, 5 * r + 1, 5 * r + 2, 5 * r + 3, 5 * r + 4,        \
                     5 * r + 3, 5 * r + 2, 5 * r + 1, 5 * r
const uint8_t xq_place_of[2][XQ_SQUARES] = {
    {FOLD_RANK(0), FOLD_RANK(1), FOLD_RANK(2), FOLD_RANK(3), FOLD_RANK(4),
     FOLD_RANK(5), FOLD_RANK(6), FOLD_RANK(7), FOLD_RANK(8), FOLD_RANK(9)},
    {FOLD_RANK(9), FOLD_RANK(8), FOLD_RANK(7), FOLD_RANK(6), FOLD_RANK(5),
     FOLD_RANK(4), FOLD_RANK(3), FOLD_RANK(2), FOLD_RANK(1), FOLD_RANK(0)},
};
/* clang-format on */
