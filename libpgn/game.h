/* game.h - a game: tags, start position, tree of moves, what is wrong with it.
 *
 *   for (uint32_t i = 0; i < g->plies; i++)        main line, ready resolved
 *       play(g->main[i]);
 *
 *   pgn_walk w;                                     variations too
 *   pgn_walk_start(&w, g);
 *   while (pgn_walk_next(&w))
 *       use(&w.pos, w.node, w.depth);           w.pos: before the move
 *   pgn_walk_end(&w);
 *
 * A game belongs to the reader that made it and dies at the reader's next
 * step; nodes and notes refer to each other by index.  All text is UTF-8,
 * whatever the file's encoding.  Every move in it is legal: what was not is
 * a problem, and the line ends before it. */
#ifndef PGN_GAME_H
#define PGN_GAME_H

#include "engine/key.h"
#include "engine/pos.h"
#include "libpgn/notation.h"
#include "libpgn/repair.h"
#include "libpgn/text.h"

/* ---- problems: what is wrong is data ---- */

typedef enum pgn_level {
    PGN_WARNING, /* costs nothing */
    PGN_ERROR,   /* the game is faulty */
} pgn_level;

typedef enum pgn_problem_kind {
    PGN_P_ENCODING,
    PGN_P_STRUCTURE,
    PGN_P_TAG,
    PGN_P_FEN,
    PGN_P_MOVE, /* unreadable move text */
    PGN_P_ILLEGAL,
    PGN_P_AMBIGUOUS,
    PGN_P_RESULT,
    PGN_P_VARIANT, /* another game's variant */
    PGN_P_LIMIT,
    PGN_P_RULE,
} pgn_problem_kind;

/* "encoding", "structure", ...: the `kind` of the JSON contract. */
const char *pgn_problem_kind_name(pgn_problem_kind k);

typedef struct pgn_problem {
    pgn_level level;
    pgn_problem_kind kind;
    uint64_t line; /* from 1, in the unpacked file */
    uint64_t byte; /* from 0, in the unpacked file */
    uint32_t ply; /* the move concerned, from 1, counted from the start position
                     along its line of play; 0: none */
    xq_str text;  /* as written, may be empty */
    xq_str message;
    bool in_variation; /* met while one was read */
    bool restored;     /* a game's JSON had it: line and byte are those of the
                          file that the JSON was made from */
} pgn_problem;

/* ---- tags, results ---- */

typedef struct pgn_tag {
    xq_str name, value; /* value decoded and unescaped */
} pgn_tag;

typedef enum pgn_result {
    PGN_UNKNOWN = 0, /* "*" */
    PGN_RED_WINS,    /* "1-0" */
    PGN_BLACK_WINS,  /* "0-1" */
    PGN_DRAW,        /* "1/2-1/2" */
} pgn_result;

const char *pgn_result_text(pgn_result r);
/* Read any spelling ("1-0 ", "0.5-0.5", "½-½", "红胜", "黑先胜", "和棋",
 * "1/2"). False when it is none; the empty text and "*", "?" are PGN_UNKNOWN.
 */
bool pgn_result_parse(xq_str text, pgn_result *r);

/* ---- the tree ---- */

/* One move, and what continues or replaces it.  Index 0 is "none"; node 0 is
 * the root, which stands for the start position and has no move.
 *   next   the following move of the same line
 *   alt    the next alternative to this move (a variation's first node);
 *          alternatives form a list in the order they were written
 *   notes  first of this node's notes, in the order they were written */
typedef struct pgn_node {
    xq_move move;
    uint32_t next, alt, notes;
} pgn_node;

typedef enum pgn_note_kind {
    PGN_NOTE_AFTER,  /* comment behind the move (root: before the first) */
    PGN_NOTE_BEFORE, /* comment before the first move of a variation */
    PGN_NOTE_NAG,    /* $n */
} pgn_note_kind;

typedef struct pgn_note {
    pgn_note_kind kind;
    uint32_t nag;
    uint32_t next;
    xq_str text;
} pgn_note;

typedef struct pgn_game {
    uint64_t number; /* from 1 in its file; in its segment when a segment was
                        read (split.h) */
    uint64_t line;   /* where it begins */
    uint64_t byte, bytes; /* its extent in the unpacked file */

    pgn_tag *tags; /* in file order, Result and FEN among them */
    uint32_t ntags;

    xq_pos start;
    bool standard; /* start is the usual start position */
    pgn_result result;

    xq_move *main; /* main line, always legal */
    uint32_t plies;

    pgn_node *nodes; /* [0] the root; nodes[0].next the first move */
    uint32_t nnodes; /* root included */
    pgn_note *notes; /* [0] unused */
    uint32_t nnotes;
    bool has_variations;

    pgn_problem *problems; /* in the order they were met */
    uint32_t nproblems;
    bool faulty;  /* some problem is an error */
    bool skipped; /* not a Xiangqi game (another variant): no moves kept */

    /* Texts that were encoded twice and are whole now, by damage: lines of a
     * text file; tags and comments elsewhere.  Only with the reader's option;
     * what could not be repaired is a warning of kind encoding. */
    uint32_t repaired[PGN_DAMAGES];

    /* Bytes (of UTF-16: units) that were not in the encoding they were read as
     * and stand as U+FFFD in the game's text, by encoding; those of code pages
     * beyond PGN_ENC_OTHER under that. */
    uint64_t replaced[PGN_ENC_OTHER + 1];

    pgn_encoding encoding; /* how its bytes were read */
    pgn_notation notation; /* what most of its moves were written in */
    pgn_script script;     /* PGN_TRADITIONAL when its Chinese moves are */
} pgn_game;

/* Value of the first tag with that name (ASCII case does not matter; "Red"
 * also finds "White", "Black" is "Black", "RedElo" also "WhiteElo").  Its s
 * is NULL when there is none. */
xq_str pgn_game_tag(const pgn_game *g, const char *name);

/* Identity of a game for exact duplicates: start position, main line,
 * variations, comments, NAGs, result and all tags, the order of tags aside.
 * 128 bits; equal games have equal digests, and by chance no others.  The
 * same on every machine.  {0, 0} when memory for a tree nested more than 32
 * deep ran out; no game has that digest otherwise. */
typedef struct pgn_digest {
    uint64_t hi, lo;
} pgn_digest;
pgn_digest pgn_game_digest(const pgn_game *g);

/* ---- walking ---- */

/* Visits every move of the tree in the order it is written: a move, its
 * variations, then what follows.  Public fields are for reading. */
typedef struct pgn_walk {
    xq_pos pos; /* before the move */
    xq_move move;
    uint32_t node;  /* its index */
    uint32_t ply;   /* in its line, from 1 */
    uint32_t depth; /* 0 main line, 1 variation, 2 variation of one, ... */
    /* private */
    const pgn_game *game;
    struct pgn_walk_level *stack;
    uint32_t nstack, cap;
    bool failed;
} pgn_walk;

void pgn_walk_start(pgn_walk *w, const pgn_game *g);
/* False at the end, and when memory for the stack ran out (`failed`). */
bool pgn_walk_next(pgn_walk *w);
void pgn_walk_end(pgn_walk *w);

#endif
