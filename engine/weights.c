/* weights.c - the numbers of the evaluation (weights.h) and their names. */
#include "engine/weights.h"

/* clang-format off */
#define W(mg, eg) XQ_WEIGHT(mg, eg)
const xq_weight xq_weights[XQ_WEIGHTS] = {
    /* pieces */
    W(170, 180), /* advisor */
    W(165, 170), /* elephant */
    W(450, 500), /* horse */
    W(1000, 1060), /* rook */
    W(490, 470), /* cannon */
    W(75, 100), /* pawn */
    /* places of the king: files a to e; ranks upwards from the own back rank */
    W(   0,    0), W(   0,    0), W(   0,    0), W(  -4,    0), W(   6,   10),
    W(   0,    0), W(   0,    0), W(   0,    0), W( -34,   -5), W( -30,    5),
    W(   0,    0), W(   0,    0), W(   0,    0), W( -64,  -15), W( -60,   -5),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    /* places of the advisor: files a to e; ranks upwards from the own back rank */
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(  16,    8),
    W(   0,    0), W(   0,    0), W(   0,    0), W( -14,   -7), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    /* places of the elephant: files a to e; ranks upwards from the own back rank */
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W( -16,   -8), W(   0,    0), W(   0,    0), W(   0,    0), W(  22,   11),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W( -10,   -5), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    /* places of the horse: files a to e; ranks upwards from the own back rank */
    W( -40,  -40), W( -45,  -35), W( -25,  -25), W( -30,  -25), W( -50,  -35),
    W( -35,  -30), W( -20,  -20), W( -10,  -15), W(  -5,  -10), W( -40,  -20),
    W( -20,  -20), W( -10,  -10), W(  15,    0), W(  10,    0), W(  -5,    0),
    W( -10,  -10), W(   5,    0), W(  10,   10), W(  20,   15), W(  15,   15),
    W(  -5,    0), W(  10,   15), W(  20,   25), W(  30,   30), W(  25,   30),
    W(   5,    5), W(  25,   25), W(  35,   35), W(  40,   45), W(  45,   45),
    W(  10,   10), W(  40,   40), W(  50,   55), W(  60,   60), W(  55,   60),
    W(  15,   10), W(  55,   50), W(  70,   65), W(  70,   65), W(  55,   55),
    W(  15,    5), W(  45,   35), W(  80,   60), W(  55,   45), W(  10,   20),
    W( -10,  -20), W(   0,   -5), W(  10,    0), W(  10,    0), W( -10,  -10),
    /* places of the rook: files a to e; ranks upwards from the own back rank */
    W( -45,  -15), W( -10,  -10), W(  -5,  -10), W(  15,    0), W( -30,  -10),
    W( -10,   -5), W(   5,    0), W(   5,    0), W(  20,    5), W(   0,    0),
    W( -15,   -5), W(   5,    0), W(   0,    0), W(  20,    5), W(   5,    5),
    W(  -5,    0), W(   5,    5), W(   5,    5), W(  15,   10), W(  10,   10),
    W(   5,    5), W(  15,    5), W(  10,    5), W(  20,   10), W(  20,   10),
    W(  10,    5), W(  20,   10), W(  15,   10), W(  25,   15), W(  25,   15),
    W(  10,   10), W(  20,   10), W(  20,   10), W(  30,   20), W(  30,   20),
    W(  10,   10), W(  25,   15), W(  25,   15), W(  35,   25), W(  40,   25),
    W(  15,   10), W(  25,   15), W(  25,   15), W(  45,   25), W(  50,   25),
    W(  10,    5), W(  15,   10), W(  15,   10), W(  35,   15), W(  25,   10),
    /* places of the cannon: files a to e; ranks upwards from the own back rank */
    W(   0,   15), W(   0,   15), W(   5,   20), W(  10,   30), W(  10,   35),
    W(   0,   10), W(   0,   10), W(   5,   15), W(   5,   25), W(  10,   30),
    W(   0,   10), W(   5,   10), W(  10,   15), W(   5,   20), W(  35,   30),
    W(   0,    5), W(   0,    5), W(   0,    5), W(   0,   10), W(  15,   15),
    W(   0,    0), W(   0,    0), W(   5,    0), W(   0,    5), W(  20,   10),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    5), W(  15,    5),
    W(  -5,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(  10,    0),
    W(   5,    0), W(   5,    0), W(   0,    0), W( -10,    0), W(  -5,    0),
    W(  10,    0), W(   0,    0), W(   0,    0), W( -10,   -5), W( -10,   -5),
    W(  25,    0), W(  20,    0), W(   0,    0), W( -10,   -5), W( -15,  -10),
    /* places of the pawn: files a to e; ranks upwards from the own back rank */
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0), W(   0,    0),
    W(  -5,    0), W(   0,    0), W(  -5,    5), W(   0,    0), W(   0,   10),
    W(  -5,    5), W(   0,    0), W(  15,   15), W(   0,    0), W(  20,   20),
    W(  40,   60), W(  55,   70), W(  75,   80), W(  85,   90), W(  85,   90),
    W(  60,   75), W(  80,   90), W( 100,  105), W( 115,  120), W( 120,  125),
    W(  75,   80), W( 100,  105), W( 125,  130), W( 150,  150), W( 155,  155),
    W(  70,   70), W( 105,  100), W( 140,  125), W( 170,  145), W( 160,  140),
    W( -10,  -30), W(  10,  -10), W(  20,    0), W(  35,   15), W(  40,   20),
    /* moves of a horse: 0 to 8 */
    W(-70, -70), W(-40, -40), W(-18, -18), W(-4, -4), W(6, 6), W(14, 14),
    W(20, 20), W(25, 25), W(29, 29),
    /* moves of a rook: 0 to 17 */
    W(-70, -70), W(-50, -50), W(-36, -36), W(-26, -26), W(-18, -18), W(-11, -11),
    W(-5, -5), W(0, 0), W(4, 4), W(8, 8), W(12, 12), W(15, 15),
    W(18, 18), W(21, 21), W(24, 24), W(26, 26), W(28, 28), W(30, 30),
    /* quiet moves of a cannon: 0 to 17 */
    W(-30, -30), W(-24, -24), W(-18, -18), W(-13, -13), W(-9, -9), W(-6, -6),
    W(-3, -3), W(0, 0), W(2, 2), W(4, 4), W(6, 6), W(8, 8),
    W(9, 9), W(10, 10), W(11, 11), W(12, 12), W(13, 13), W(14, 14),
    W(-12, -8), /* forward leg blocked */
    W(-3, -2), /* eye blocked */
    W(60, 30), /* hollow cannon, near */
    W(90, 50), /* hollow cannon, middle */
    W(120, 70), /* hollow cannon, far */
    W(45, 15), /* cannon behind two on the king's file */
    W(60, 30), /* hollow cannon at the bottom */
    W(25, 10), /* cannon behind two at the bottom */
    W(0, 0), /* bottom cannon, no advisor */
    W(10, 5), /* bottom cannon, one advisor */
    W(20, 10), /* bottom cannon, two advisors */
    W(20, 15), /* rook behind one before the king */
    W(6, 5), /* palace points of rooks */
    W(9, 8), /* palace points of horses */
    W(5, 4), /* palace points of cannons */
    W(10, 10), /* palace points of pawns */
    W(0, 0), /* no attacker */
    W(0, 0), /* one attacker */
    W(12, 8), /* two attackers */
    W(40, 20), /* three attackers */
    W(75, 40), /* four attackers */
    W(110, 60), /* five attackers */
    W(6, 5), /* attackers against lacking defenders */
    W(18, 20), /* pawns side by side */
    W(15, 15), /* two advisors */
    W(15, 15), /* two elephants */
    W(15, 10), /* rooks against lacking advisors */
    W(12, 12), /* horses against lacking advisors */
    W(6, 8), /* cannons with enemy advisors */
    W(14, 6), /* cannons against lacking elephants */
    W(5, 6), /* crossed pawns against lacking elephants */
    W(0, 0), /* two rooks */
    W(0, 0), /* two horses */
    W(0, 0), /* two cannons */
    W(10, 10), /* horse and cannon */
    W(-60, -30), /* no rook */
    W(10, 10), /* advisor hanging */
    W(10, 10), /* elephant hanging */
    W(35, 30), /* horse hanging */
    W(55, 50), /* rook hanging */
    W(35, 30), /* cannon hanging */
    W(12, 14), /* pawn hanging */
    W(35, 35), /* guarded rook chased */
    W(25, 25), /* guarded horse or cannon chased */
    W(8, 6), /* horse guarded */
    W(4, 4), /* cannon guarded */
    W(8, 10), /* crossed pawn guarded */
    W(14, 8), /* the right to move */
};

const xq_weight xq_chance_shift = W(330, 330), xq_chance_spread = W(170, 170);

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
