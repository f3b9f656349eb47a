/* reader_internal.h - what the formats (fmt_*.c) share with reader.c.
 *
 * A format is a function that reads the next game of the reader's segment:
 *
 *   static xq_status next(pgn_reader *r, xq_err *err)
 *   {
 *       ...find the next piece of the segment, r->at .. to; XQ_DONE if none
 *       pgn_block_load(r, r->at, to, enc);       decoded into r->text
 *       pgn_build_start(r, at);                  a new game in r->game
 *       pgn_build_tag(r, name, value, at);
 *       pgn_build_setup(r);                      start position, from the tags
 *       pgn_build_move(r, text, at);             炮二平五, resolved and played
 *       pgn_build_enter(r, at); ... pgn_build_leave(r, at);   a variation
 *       pgn_build_marker(r, result, at);
 *       pgn_build_finish(r, at);
 *       return r->failed ? XQ_ENOMEM : XQ_OK;
 *   }
 *
 * `at` is always an offset in r->text.  Where in the file that is, is worked
 * out only when a problem is noted.  Adding never fails on the spot: memory
 * that ran out sets r->failed, asked once at the end. */
#ifndef PGN_READER_INTERNAL_H
#define PGN_READER_INTERNAL_H

#include "engine/rules.h"
#include "libpgn/pgn_quick.h"
#include "libpgn/reader.h"

typedef struct pgn_fmt {
    pgn_format id;
    /* Read the next game of r->seg into r->game.  XQ_OK; XQ_DONE at the end
     * of the segment; XQ_ENOMEM, XQ_ELIMIT with *err filled. */
    xq_status (*next)(pgn_reader *r, xq_err *err);
} pgn_fmt;

extern const pgn_fmt pgn_fmt_pgn, pgn_fmt_json;
/* The kinds of binary.h. */
extern const pgn_fmt pgn_fmt_xqf, pgn_fmt_cbr, pgn_fmt_cbl, pgn_fmt_cbf,
    pgn_fmt_pfc, pgn_fmt_che, pgn_fmt_chn, pgn_fmt_ccm, pgn_fmt_mxq,
    pgn_fmt_xgf, pgn_fmt_xqr;
extern const pgn_fmt pgn_fmt_dhtmlxq, pgn_fmt_wxf, pgn_fmt_moves, pgn_fmt_csv,
    pgn_fmt_fens, pgn_fmt_score;

/* Tags that the reader itself looks at. */
enum pgn_special_tag {
    PGN_TAG_RESULT,
    PGN_TAG_FEN,
    PGN_TAG_GAME,
    PGN_TAG_VARIANT,
    PGN_TAG_FORMAT,
    PGN_TAGS /* how many */
};

/* A line of play that grows: where the next move goes. */
typedef struct pgn_line {
    xq_pos pos;         /* before the next move */
    xq_undo undo;       /* takes the last move back */
    uint32_t last;      /* node of the last move, 0 when there is none */
    uint32_t count;     /* moves in this line itself */
    uint32_t ply;       /* plies from the start position up to here */
    uint32_t note_tail; /* last note of `last` (of `pending`), 0: none */
    uint32_t pending;   /* notes before the first move of a variation */
    uint32_t alt_tail;  /* last alternative to `last`, itself at first */
    uint32_t owner;     /* depth of the line whose alt_tail it is */
    bool dead;          /* a move failed: the rest is not played */
    size_t at;          /* where it was opened */
} pgn_line;

/* A piece of a block in several encodings, up to the next one's begin. */
typedef struct pgn_piece {
    size_t raw, at; /* offsets in the block, and in text */
    pgn_encoding e;
} pgn_piece;

struct pgn_reader {
    pgn_reader_options opts;

    /* where the bytes come from */
    pgn_split *split;       /* NULL: segments are loaded by the caller */
    pgn_segment own;        /* the splitter's segment */
    const pgn_segment *seg; /* being read; NULL: none */
    const pgn_fmt *fmt;     /* of seg */
    const uint8_t *raw;     /* the bytes read: seg->bytes, or `wide` */
    size_t nraw;
    pgn_encoding encoding; /* of the segment, as its bytes in raw are */
    size_t at;             /* offset in raw: what was not read yet */
    uint64_t games;        /* read so far in this file or segment */
    uint64_t file;         /* running number of the file they are of */
    pgn_buf wide;          /* a UTF-16 segment as UTF-8 */
    pgn_encoding wide_enc; /* the segment's own encoding then, else AUTO */

    size_t wide_raw, wide_at; /* raw[wide_raw] is the segment's byte wide_at */
    size_t begin_wide;        /* the same at begin_raw */
    size_t wide_bad;          /* units replaced in raw */

    /* the block: a piece of raw, decoded */
    size_t block, nblock;   /* its extent in raw */
    pgn_encoding block_enc; /* of most of it */
    pgn_piece *pieces;      /* where it is in several: mixed.c */
    uint32_t npieces, cappieces;
    char *text; /* decoded; 16 zero bytes follow text[ntext) */
    size_t ntext, captext;
    size_t bad;                /* bytes replaced in it */
    size_t redecoded;          /* bytes of it judged again */
    size_t line_from, line_to; /* of text: one line whose end is known */
    size_t pos;                /* offset in text: what was not read yet */
    size_t mark_at, mark_raw;  /* text[mark_at], as it was decoded, stands at
                                  raw[mark_raw] */
    size_t mark_lines_raw;     /* mark_line breaks stand before this offset */
    uint64_t mark_line;
    size_t begin_raw; /* the same for the begin of the game */
    uint64_t begin_line;

    /* the game, and the arrays it points into (kept from game to game) */
    pgn_game game;
    xq_arena arena;
    uint32_t captags, capmain, capnodes, capnotes, capproblems;
    pgn_line line;   /* being read */
    pgn_line *stack; /* the lines it is a variation in */
    uint32_t depth, capstack;
    uint32_t unplayed; /* variations opened in a dead line, or skipped */
    uint32_t written[PGN_NOTATIONS];  /* moves by notation */
    uint32_t traditional, simplified; /* Chinese moves that tell the script */
    struct pgn_quick quick;
    xq_pos standard; /* the start position, ready to copy */
    bool marker;     /* a result stands behind the moves */
    pgn_result marker_result;
    size_t marker_at;
    struct pgn_tag_place {
        uint32_t index; /* in game.tags; UINT32_MAX: there is none */
        size_t at;      /* in text */
    } tag[PGN_TAGS];
    pgn_notation hint;          /* what moves were written in so far */
    pgn_notation format;        /* what the Format tag says, or ANY */
    pgn_notation numbering;     /* read under this one, whatever Format says */
    bool setup;                 /* the start position is set */
    bool fen_given, ours_given; /* by a FEN tag; Game or Variant name it */
    size_t moves_at;            /* where the movetext begins in text */
    size_t begin;               /* where the game begins in text */
    bool broken;                /* the main line ended at a faulty move */
    uint32_t listed[2], unlisted[2]; /* problems of the game, by level */
    pgn_buf scratch;
    pgn_repair repair;         /* its places: what was changed in text */
    pgn_buf mended;            /* text repaired, before it is put back */
    bool block_mended;         /* the places are of this block */
    struct pgn_binary *binary; /* what binary.h needs, or NULL */
    bool plain;                /* `at` counts bytes; there are no lines */
    uint64_t plain_at;         /* offset in the file that `at` 0 stands for */
    bool failed;               /* memory ran out */
};

/* ---- blocks: block.c ---- */

/* Decode raw[from..to) in encoding e into r->text.  False: no memory. */
bool pgn_block_load(pgn_reader *r, size_t from, size_t to, pgn_encoding e);
/* The same in r->pieces, whose raw and e are filled. */
bool pgn_block_load_pieces(pgn_reader *r, size_t from, size_t to);
/* Load raw[from..to), which reads badly as r->block_enc, in pieces of several
 * encodings.  False: that reads no better, nothing changed (or no memory:
 * r->failed). */
bool pgn_block_mixed(pgn_reader *r, size_t from, size_t to);
/* Do two Chinese characters of UTF-8 stand somewhere?  In other encodings that
 * is rare. */
bool pgn_shows_utf8(const uint8_t *s, size_t n);
/* raw[from..to) was loaded and may read badly: load it again as what reads
 * better, if anything does.  False: no memory. */
bool pgn_block_reload(pgn_reader *r, size_t from, size_t to);
/* Put other text in its place (mend.c). */
bool pgn_block_put(pgn_reader *r, const char *s, size_t n);
/* Where r->text[at] stands in the file: byte from 0, line from 1.  Cheap when
 * asked in rising order. */
void pgn_block_where(pgn_reader *r, size_t at, uint64_t *byte, uint64_t *line);
/* The offset in raw of r->text[at]. */
size_t pgn_block_raw(pgn_reader *r, size_t at);
/* Where text[0..at) ends in the file, what follows the text's end included. */
uint64_t pgn_block_file_end(pgn_reader *r, size_t at);
/* Note a warning for each byte of text[from..to) that could not be decoded, and
 * one where it is in several encodings. */
void pgn_block_bad_bytes(pgn_reader *r, size_t from, size_t to);

/* ---- repairs (option `repair`): mend.c ---- */

/* Repair r->text, which was decoded in encoding e just now.  *other: the
 * encoding that its bytes turn out to be in, where that explains all. */
bool pgn_mend_block(pgn_reader *r, pgn_encoding *other);
/* Where what stands at r->text[at] stood before it was repaired. */
size_t pgn_mend_before(const pgn_reader *r, size_t at);
/* The game ends before r->text[at]: repair its tags and comments where they
 * are no slices of a repaired block, count what was repaired, warn of what
 * could not be. */
void pgn_mend_game(pgn_reader *r, size_t at);

/* ---- building the game: build.c, build_tree.c, build_end.c ---- */

/* Forget the last game; the new one begins at r->text[at]. */
void pgn_build_start(pgn_reader *r, size_t at);

/* name and value must live as long as the game: slices of r->text, or copies
 * in r->arena. */
void pgn_build_tag(pgn_reader *r, xq_str name, xq_str value, size_t at);

/* Note a problem; the message is formatted, `text` copied when it has to be.
 * An error makes the game faulty.  Of each level so many are listed; the rest
 * is counted, which costs next to nothing. */
void pgn_build_problem(pgn_reader *r, pgn_level level, pgn_problem_kind kind,
                       size_t at, uint32_t ply, xq_str text, const char *fmt,
                       ...) XQ_PRINTF(7, 8);
/* The same with its place in the file. */
void pgn_build_problem_at(pgn_reader *r, pgn_level level, pgn_problem_kind kind,
                          uint64_t byte, uint64_t line, uint32_t ply,
                          xq_str text, const char *fmt, ...) XQ_PRINTF(8, 9);

/* Say how many problems were not listed. */
void pgn_build_unlisted(pgn_reader *r, size_t at);
/* n bytes of the game were not in encoding e: count them. */
void pgn_build_replaced(pgn_reader *r, pgn_encoding e, size_t n);
/* Note a problem as it stands, listed in any case. */
void pgn_build_restore(pgn_reader *r, const pgn_problem *p);

/* All tags are there: set the start position (FEN tag, all its problems
 * noted), look at Variant and Game.  False when no move will be kept: the
 * game is of another variant or its FEN was refused; calls to build moves are
 * then harmless. */
bool pgn_build_setup(pgn_reader *r);

/* Note that this game is of another kind: no move of it is kept.  `where` says
 * by what: "Variant", "Game". */
void pgn_build_skip(pgn_reader *r, size_t at, xq_str what, const char *where);

/* Resolve one written move in the current line and play it.  When it cannot
 * be: an error is noted and the rest of this line is dead.  True when it was
 * played. */
bool pgn_build_move(pgn_reader *r, xq_str text, size_t at);
/* The error that a move cannot be played for the reason `why`: the rest of the
 * line is dead. */
void pgn_build_bad_move(pgn_reader *r, xq_status rc, xq_str text, size_t at,
                        const char *why);
/* Play a move that is known to be legal. */
void pgn_build_play(pgn_reader *r, xq_move m);

/* Safety limit: variations in variations.  No real tree is as deep. */
enum { PGN_DEPTH_MAX = 1 << 16 };

/* A variation that replaces the last move of the current line; what follows
 * goes into it, until leave.  False when it is passed over up to there: the
 * line is dead, has no move, or is PGN_DEPTH_MAX deep. */
bool pgn_build_enter(pgn_reader *r, size_t at);
/* Back to the line around it.  False when there is none. */
bool pgn_build_leave(pgn_reader *r, size_t at);

/* A comment or a NAG at the end of the current line: behind its last move, or
 * before the first move of a variation or of the game. */
void pgn_build_comment(pgn_reader *r, xq_str text);
void pgn_build_nag(pgn_reader *r, uint32_t nag);

/* Forget the moves read so far, and the problem noted last with them: they
 * were of another game. */
void pgn_build_drop_moves(pgn_reader *r);

/* The result that stands behind the moves. */
void pgn_build_marker(pgn_reader *r, pgn_result res, size_t at);

/* For the three files themselves.  Room for one more in a growing array of the
 * game (a pointer to it is given); false: no memory. */
bool pgn_build_room(pgn_reader *r, void *array, uint32_t n, uint32_t *cap,
                    size_t size);
/* How much of a text that a user wrote a message shows. */
int pgn_build_shown(xq_str s);
/* The value of a tag that the reader looks at; empty when there is none. */
xq_str pgn_build_value(const pgn_reader *r, enum pgn_special_tag t);

/* The game ends before r->text[at]: settle the result, close what is open. */
void pgn_build_finish(pgn_reader *r, size_t at);

#endif
