/* engine_lines.h - what engines print, read line by line.
 *
 * Pure functions on text: a line in, what it says out.  Lines come from
 * strangers: any bytes may be passed.  Nothing allocates; slices that come out
 * point into the line.
 *
 * Sources: UCI, April 2006; UCCI 3.0; CECP version 2 (XBoard); what
 * Fairy-Stockfish 11.1 and HoiXiangqi 0.22 print. */
#ifndef ENGINE_LINES_H
#define ENGINE_LINES_H

#include "engine/pos.h"

/* The next word of *rest, and *rest behind it; n is 0 at the end. */
xq_str engine_word(xq_str *rest);
/* Does the line begin with this word?  *rest (may be NULL): what follows. */
bool engine_begins(xq_str line, const char *word, xq_str *rest);

/* ---- moves ---- */

/* How ranks are counted: from 0 (h2e2), or from 1 (h3e3). */
typedef enum engine_ranks { ENGINE_RANKS_0, ENGINE_RANKS_1 } engine_ranks;

/* A move of an engine: h2e2, h10g8, and as HoiXiangqi writes lines, Ra9xb9+,
 * Pc6-c5.  XQ_NOMOVE: it is none; whether it is legal is not asked. */
xq_move engine_move(xq_str word, engine_ranks ranks);
/* The moves of a line from p, up to the first word that is none or is not
 * legal; move numbers ("1.", "2...") are passed over.  Returns how many. */
unsigned engine_moves(xq_str text, engine_ranks ranks, const xq_pos *p,
                      xq_move *out, unsigned max);

/* ---- info ---- */

typedef struct engine_info {
    unsigned multipv; /* 1: the best, or not said */
    unsigned depth;   /* 0: not said */
    uint64_t nodes;
    bool has_score, mate; /* mate: score is own moves, < 0 is mated */
    int bound;            /* -1 upper, 1 lower: the score is no score yet */
    int score;            /* the side to move's view, cut to ANALYSIS_CP_MAX
                             (analysis.h) */
    xq_str pv;            /* n is 0: none */
} engine_info;

/* "info ..." of UCI and UCCI (a score without "cp" is hundredths, too).  False:
 * it is no such line, or a text ("info string", "info message"). */
bool engine_read_info(xq_str line, engine_info *out);

/* CECP: "DEPTH SCORE CENTISECONDS NODES MOVES..."; scores beyond 99,000 are
 * mates: 100,003 in 3 moves (XBoard), 99,995 in 5 plies (HoiXiangqi). */
bool engine_read_thinking(xq_str line, engine_info *out);

/* ---- bestmove ---- */

typedef enum engine_answer {
    ENGINE_NO_ANSWER, /* another line */
    ENGINE_MOVE,      /* *move is a word that may be a move */
    ENGINE_NO_MOVE,   /* "nobestmove", "bestmove (none)", "0000", "a0a0" */
} engine_answer;
engine_answer engine_read_best(xq_str line, xq_str *move);

/* ---- options ---- */

typedef enum engine_option_kind {
    ENGINE_CHECK,
    ENGINE_SPIN,
    ENGINE_COMBO,
    ENGINE_BUTTON,
    ENGINE_STRING,
} engine_option_kind;

typedef struct engine_option {
    xq_str name;
    engine_option_kind kind;
    bool has_min, has_max;
    int64_t min, max;
    xq_str preset; /* of a string: its value unless it is set */
    xq_str vars;   /* the text from the first "var " on: engine_option_var */
} engine_option;

/* "option name Repetition Rule type combo var A var B" (UCI), "option hashsize
 * type spin min 0 max 1024" (UCCI: no word "name").  False: no such line. */
bool engine_read_option(xq_str line, engine_option *out);
/* CECP: what stands in option="...", "NAME -spin 0 1 2". */
bool engine_read_feature(xq_str text, engine_option *out);
/* The choices of a combo, one at a time; *rest starts as o->vars. */
bool engine_option_var(xq_str *rest, xq_str *var);

/* May the option have this value?  *spelt is it as the engine writes it ("Red"
 * for "red", "true" for "TRUE"); n is 0 for a button. */
bool engine_option_takes(const engine_option *o, xq_str value, xq_str *spelt);

#endif
