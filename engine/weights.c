/* weights.c - the numbers of the evaluation (weights.h) and their names. */
#include "engine/weights.h"

/* clang-format off */
const xq_weight xq_weights[XQ_WEIGHTS] = {
    /* pieces */
    {170, 180}, /* advisor */
    {165, 170}, /* elephant */
    {450, 500}, /* horse */
    {1000, 1060}, /* rook */
    {490, 470}, /* cannon */
    {75, 100}, /* pawn */
    /* places of the king: files a to e; ranks upwards from the own back rank */
    {   0,    0}, {   0,    0}, {   0,    0}, {  -4,    0}, {   6,   10},
    {   0,    0}, {   0,    0}, {   0,    0}, { -34,   -5}, { -30,    5},
    {   0,    0}, {   0,    0}, {   0,    0}, { -64,  -15}, { -60,   -5},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    /* places of the advisor: files a to e; ranks upwards from the own back rank */
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {  16,    8},
    {   0,    0}, {   0,    0}, {   0,    0}, { -14,   -7}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    /* places of the elephant: files a to e; ranks upwards from the own back rank */
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    { -16,   -8}, {   0,    0}, {   0,    0}, {   0,    0}, {  22,   11},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, { -10,   -5}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    /* places of the horse: files a to e; ranks upwards from the own back rank */
    { -40,  -40}, { -45,  -35}, { -25,  -25}, { -30,  -25}, { -50,  -35},
    { -35,  -30}, { -20,  -20}, { -10,  -15}, {  -5,  -10}, { -40,  -20},
    { -20,  -20}, { -10,  -10}, {  15,    0}, {  10,    0}, {  -5,    0},
    { -10,  -10}, {   5,    0}, {  10,   10}, {  20,   15}, {  15,   15},
    {  -5,    0}, {  10,   15}, {  20,   25}, {  30,   30}, {  25,   30},
    {   5,    5}, {  25,   25}, {  35,   35}, {  40,   45}, {  45,   45},
    {  10,   10}, {  40,   40}, {  50,   55}, {  60,   60}, {  55,   60},
    {  15,   10}, {  55,   50}, {  70,   65}, {  70,   65}, {  55,   55},
    {  15,    5}, {  45,   35}, {  80,   60}, {  55,   45}, {  10,   20},
    { -10,  -20}, {   0,   -5}, {  10,    0}, {  10,    0}, { -10,  -10},
    /* places of the rook: files a to e; ranks upwards from the own back rank */
    { -45,  -15}, { -10,  -10}, {  -5,  -10}, {  15,    0}, { -30,  -10},
    { -10,   -5}, {   5,    0}, {   5,    0}, {  20,    5}, {   0,    0},
    { -15,   -5}, {   5,    0}, {   0,    0}, {  20,    5}, {   5,    5},
    {  -5,    0}, {   5,    5}, {   5,    5}, {  15,   10}, {  10,   10},
    {   5,    5}, {  15,    5}, {  10,    5}, {  20,   10}, {  20,   10},
    {  10,    5}, {  20,   10}, {  15,   10}, {  25,   15}, {  25,   15},
    {  10,   10}, {  20,   10}, {  20,   10}, {  30,   20}, {  30,   20},
    {  10,   10}, {  25,   15}, {  25,   15}, {  35,   25}, {  40,   25},
    {  15,   10}, {  25,   15}, {  25,   15}, {  45,   25}, {  50,   25},
    {  10,    5}, {  15,   10}, {  15,   10}, {  35,   15}, {  25,   10},
    /* places of the cannon: files a to e; ranks upwards from the own back rank */
    {   0,   15}, {   0,   15}, {   5,   20}, {  10,   30}, {  10,   35},
    {   0,   10}, {   0,   10}, {   5,   15}, {   5,   25}, {  10,   30},
    {   0,   10}, {   5,   10}, {  10,   15}, {   5,   20}, {  35,   30},
    {   0,    5}, {   0,    5}, {   0,    5}, {   0,   10}, {  15,   15},
    {   0,    0}, {   0,    0}, {   5,    0}, {   0,    5}, {  20,   10},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    5}, {  15,    5},
    {  -5,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {  10,    0},
    {   5,    0}, {   5,    0}, {   0,    0}, { -10,    0}, {  -5,    0},
    {  10,    0}, {   0,    0}, {   0,    0}, { -10,   -5}, { -10,   -5},
    {  25,    0}, {  20,    0}, {   0,    0}, { -10,   -5}, { -15,  -10},
    /* places of the pawn: files a to e; ranks upwards from the own back rank */
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0}, {   0,    0},
    {  -5,    0}, {   0,    0}, {  -5,    5}, {   0,    0}, {   0,   10},
    {  -5,    5}, {   0,    0}, {  15,   15}, {   0,    0}, {  20,   20},
    {  40,   60}, {  55,   70}, {  75,   80}, {  85,   90}, {  85,   90},
    {  60,   75}, {  80,   90}, { 100,  105}, { 115,  120}, { 120,  125},
    {  75,   80}, { 100,  105}, { 125,  130}, { 150,  150}, { 155,  155},
    {  70,   70}, { 105,  100}, { 140,  125}, { 170,  145}, { 160,  140},
    { -10,  -30}, {  10,  -10}, {  20,    0}, {  35,   15}, {  40,   20},
    /* moves of a horse: 0 to 8 */
    {-70, -70}, {-40, -40}, {-18, -18}, {-4, -4}, {6, 6}, {14, 14},
    {20, 20}, {25, 25}, {29, 29},
    /* moves of a rook: 0 to 17 */
    {-70, -70}, {-50, -50}, {-36, -36}, {-26, -26}, {-18, -18}, {-11, -11},
    {-5, -5}, {0, 0}, {4, 4}, {8, 8}, {12, 12}, {15, 15},
    {18, 18}, {21, 21}, {24, 24}, {26, 26}, {28, 28}, {30, 30},
    /* quiet moves of a cannon: 0 to 17 */
    {-30, -30}, {-24, -24}, {-18, -18}, {-13, -13}, {-9, -9}, {-6, -6},
    {-3, -3}, {0, 0}, {2, 2}, {4, 4}, {6, 6}, {8, 8},
    {9, 9}, {10, 10}, {11, 11}, {12, 12}, {13, 13}, {14, 14},
    {-12, -8}, /* forward leg blocked */
    {-3, -2}, /* eye blocked */
    {60, 30}, /* hollow cannon, near */
    {90, 50}, /* hollow cannon, middle */
    {120, 70}, /* hollow cannon, far */
    {45, 15}, /* cannon behind two on the king's file */
    {60, 30}, /* hollow cannon at the bottom */
    {25, 10}, /* cannon behind two at the bottom */
    {0, 0}, /* bottom cannon, no advisor */
    {10, 5}, /* bottom cannon, one advisor */
    {20, 10}, /* bottom cannon, two advisors */
    {20, 15}, /* rook behind one before the king */
    {6, 5}, /* palace points of rooks */
    {9, 8}, /* palace points of horses */
    {5, 4}, /* palace points of cannons */
    {10, 10}, /* palace points of pawns */
    {0, 0}, /* no attacker */
    {0, 0}, /* one attacker */
    {12, 8}, /* two attackers */
    {40, 20}, /* three attackers */
    {75, 40}, /* four attackers */
    {110, 60}, /* five attackers */
    {6, 5}, /* attackers against lacking defenders */
    {18, 20}, /* pawns side by side */
    {15, 15}, /* two advisors */
    {15, 15}, /* two elephants */
    {15, 10}, /* rooks against lacking advisors */
    {12, 12}, /* horses against lacking advisors */
    {6, 8}, /* cannons with enemy advisors */
    {14, 6}, /* cannons against lacking elephants */
    {5, 6}, /* crossed pawns against lacking elephants */
    {0, 0}, /* two rooks */
    {0, 0}, /* two horses */
    {0, 0}, /* two cannons */
    {10, 10}, /* horse and cannon */
    {-60, -30}, /* no rook */
    {10, 10}, /* advisor hanging */
    {10, 10}, /* elephant hanging */
    {35, 30}, /* horse hanging */
    {55, 50}, /* rook hanging */
    {35, 30}, /* cannon hanging */
    {12, 14}, /* pawn hanging */
    {35, 35}, /* guarded rook chased */
    {25, 25}, /* guarded horse or cannon chased */
    {8, 6}, /* horse guarded */
    {4, 4}, /* cannon guarded */
    {8, 10}, /* crossed pawn guarded */
    {14, 8}, /* the right to move */
};

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
