/* binary.h - what the readers of binary and XML kinds share: texts in their
 * fields, boards, and trees in the order in which files store them.
 *
 *   pgn_binary_reset(r)                      no nodes yet but the root
 *   pgn_binary_sample(r, s, n) ...           all texts, for the judge
 *   pgn_binary_start(r, at, pgn_binary_judge(r, PGN_ENC_GB18030));
 *   pgn_binary_tag(r, "Red", s, n, PGN_TEXT_CUT, at);
 *   while (pgn_stored_due(b)) pgn_stored_put(r, from, to, ...);
 *   pgn_binary_setup(r, &setup, at);
 *   pgn_binary_play(r, base, PGN_TEXT_CUT);
 *   pgn_build_finish(r, end);
 *
 * Trees.  XQF, CBR and CBF store a node, then what continues it, then what
 * replaces it; the builder wants a move, its variations, then what continues.
 * So nodes are first collected, then played.  Neither pass recurses.
 *
 * Damage is an error of kind `structure` at its byte (there are no lines: 0),
 * and what stands before it is kept.  Every size is checked against what the
 * file still holds; room grows with bytes that are there.  A board without both
 * kings is a refused FEN, an illegal move ends its line, as in PGN.
 *
 * The side to move is the first move's, whatever the header says: XQF's says
 * Red nearly always.  Texts of a file (of a game in CBL 21) are judged
 * together: GB18030 unless Big5 or UTF-8 is plain; one with bytes that do not
 * fit is judged once more by itself.  An encoding that the user names is
 * believed, save in CBR and XML, which say it themselves.
 *
 * Tags: Result always, FEN for another start.  Type (opening, middle game,
 * endgame), RecordType and RecordKind (CCBridge's own codes) besides those that
 * PGN knows. */
#ifndef PGN_BINARY_H
#define PGN_BINARY_H

#include "libpgn/reader_internal.h"

/* A move as stored.  Indices; 0 is none, node 0 the root, which has no move.
 * Until the tree is complete `alt` of a node that waits for its sibling names
 * the node that waits longer. */
typedef struct pgn_stored {
    size_t text; /* its comment, from a base that play is told */
    size_t at;   /* where it stands */
    uint32_t ntext, next, alt;
    xq_sq from, to; /* XQ_NOSQ: no square */
} pgn_stored;

struct pgn_binary {
    pgn_stored *v;
    uint32_t n, cap;
    uint32_t last, waiting; /* node put last; last one to wait for a sibling */
    bool goes_on;           /* what continues `last` comes next */
    pgn_buf body;           /* bytes made readable */
    pgn_buf sample;         /* texts for the judge */
    pgn_buf utf8;           /* a text being decoded */
    uint32_t *stack;        /* heads and alternatives being played */
    uint32_t capstack;
    struct pgn_unpack *unpack; /* of fmt_cbl.c */
};

void pgn_binary_free(struct pgn_binary *b);
void pgn_unpack_free(struct pgn_unpack *u);

/* An empty tree and no texts.  NULL: no memory (r->failed). */
struct pgn_binary *pgn_binary_reset(pgn_reader *r);

/* The `next` of a kind that holds one game a file: `read` reads it, once.
 * `decode` turns the bytes to r->text first (XML). */
xq_status pgn_binary_whole(pgn_reader *r, bool decode,
                           void (*read)(pgn_reader *r), xq_err *err);

/* ---- texts ---- */

enum {
    PGN_TEXT_CUT = 1,   /* the field ends where it may: half a character there
                           is dropped */
    PGN_TEXT_BARS = 2,  /* "||" is a line break */
    PGN_TEXT_LINES = 4, /* line breaks are kept, as LF; else blanks */
    PGN_TEXT_UTF8 = 8   /* it is UTF-8, whatever the file */
};

/* Show the judge a text. */
void pgn_binary_sample(pgn_reader *r, const uint8_t *s, size_t n);
/* The encoding of the texts shown: the user's word, else what they look like,
 * `usual` in doubt. */
pgn_encoding pgn_binary_judge(pgn_reader *r, pgn_encoding usual);
/* A text in the game's encoding as UTF-8, in the reader's arena; blanks and
 * NULs around it are dropped.  Bytes that do not fit are noted. */
xq_str pgn_binary_text(pgn_reader *r, const uint8_t *s, size_t n,
                       unsigned flags, size_t at);
/* A tag, unless its text is empty. */
void pgn_binary_tag(pgn_reader *r, const char *name, const uint8_t *s, size_t n,
                    unsigned flags, size_t at);
/* The length of UTF-16LE text in a field of n bytes: up to its NUL. */
size_t pgn_utf16_length(const uint8_t *s, size_t n);

/* ---- the game ---- */

/* A new game begins at `at`; its texts are in encoding e. */
void pgn_binary_start(pgn_reader *r, size_t at, pgn_encoding e);
/* An error of the file's structure; what was read before it is kept. */
void pgn_binary_damaged(pgn_reader *r, size_t at, const char *fmt, ...)
    XQ_PRINTF(3, 4);

typedef struct pgn_setup {
    uint8_t at[XQ_SQUARES]; /* piece codes */
    xq_side side;           /* where no move tells */
    uint32_t round;         /* number of the first round; 0: 1 */
    pgn_result result;
} pgn_setup;

/* The usual start position, Red to move, no result. */
void pgn_setup_usual(pgn_setup *s);

/* Tags Result and FEN (where it is not the usual start), and the start
 * position.  The side that owns the first stored move's piece moves first. */
void pgn_binary_setup(pgn_reader *r, const pgn_setup *s, size_t at);
/* The same where the file has a FEN. */
void pgn_binary_setup_fen(pgn_reader *r, xq_str fen, pgn_result res, size_t at);

/* ---- the tree ---- */

/* Add a node behind all others, linked to nothing.  0: no memory. */
uint32_t pgn_stored_add(pgn_reader *r, xq_sq from, xq_sq to, size_t at);
/* Does the tree want another node? */
static inline bool pgn_stored_due(const struct pgn_binary *b)
{
    return b->goes_on || b->waiting;
}
/* Add the node that is due; what follows it: its continuation, and later a
 * sibling. */
uint32_t pgn_stored_put(pgn_reader *r, xq_sq from, xq_sq to, size_t at,
                        bool goes_on, bool sibling);
/* No more nodes come: when some were due, that is an error. */
void pgn_stored_end(pgn_reader *r, size_t at);
/* The same without a word; returns how many siblings were waited for. */
uint32_t pgn_stored_close(struct pgn_binary *b);

/* Play the tree: moves, variations, comments.  Comments are slices of `base`;
 * flags as for pgn_binary_text. */
void pgn_binary_play(pgn_reader *r, const uint8_t *base, unsigned flags);

#endif
