/* repair.h - text that was encoded twice, and the way back.
 *
 *   pgn_repair rp = {0};
 *   pgn_repair_look(&rp, text1);                   what the texts of a game
 *   pgn_repair_look(&rp, text2);                   have in common
 *   pgn_repair_text(&rp, text1, &out);             text1, repaired
 *   for (size_t i = 0; i < rp.n; i++)
 *       use(&rp.v[i]);                             what was changed, or lost
 *   pgn_repair_free(&rp);
 *
 * A program reads text in the wrong encoding, shows nonsense and saves that:
 * 炮二平五 in GBK becomes ÅÚ¶þÆ½Îå.  Where each byte became a character of its
 * own, the way back is exact; where one became U+FFFD or '?', it is lost.
 *
 * Text is repaired in *runs*, pieces without a byte below 30 hex (blanks, line
 * breaks, quotes, parentheses, dots): none of these is part of a character in
 * any encoding, so readers agree again there whatever they met before.
 *
 * A run is changed only if
 *   1. the way back is exact: what comes out, damaged again on the same way,
 *      is the run, byte for byte; and
 *   2. it does not look like Chinese text and what comes out does, by far
 *      (repair_find.c has the numbers, repair_score.h the measure): at least
 *      two different common characters, hardly a rare one.  What was UTF-8
 *      needs two characters of any kind, as UTF-8 does not come about by
 *      chance.  Shorter runs, and rarer ones, are repaired where most of the
 *      text around was damaged on the same way.
 * ASCII never changes, nor do words of other alphabets, nor text that two
 * encodings explain equally well.
 *
 * What it cannot know: one character alone ("Àî"); other encodings read as
 * Latin-1 that would be common characters in GBK (Korean is such).  Western
 * text in UTF-8 read as Latin-1 ("RenÃ©") stays, unless it stands among
 * Chinese.  Text damaged twice over comes back one step at a time.  Source:
 * formats reference 8. */
#ifndef PGN_REPAIR_H
#define PGN_REPAIR_H

#include "libpgn/buf.h"

/* What the text was, and what it was read as.  Latin-1 stands for
 * Windows-1252 as well, GBK for what Windows and browsers call so (80 is the
 * euro sign). */
typedef enum pgn_damage {
    PGN_UNDAMAGED = 0,
    PGN_UTF8_AS_LATIN1,
    PGN_GBK_AS_LATIN1,
    PGN_BIG5_AS_LATIN1,
    PGN_UTF8_AS_GBK,
    PGN_BIG5_AS_GBK,
    PGN_UTF8_AS_BIG5,
    PGN_GBK_AS_BIG5,
    PGN_DAMAGES /* how many */
} pgn_damage;

/* "UTF-8 read as GBK" */
const char *pgn_damage_name(pgn_damage d);

/* A run that was repaired, or that is damaged beyond that. */
typedef struct pgn_repair_place {
    size_t from, n; /* in the text given */
    size_t to, nto; /* in what is written */
    pgn_damage damage;
    bool lost; /* unchanged: bytes are missing */
} pgn_repair_place;

/* How much text, in characters outside ASCII, shows a kind of damage. */
typedef struct pgn_repair_evidence {
    size_t strong; /* by itself */
    size_t weak;   /* only beside others */
    size_t lost;
    int64_t value; /* what undoing it gains (repair_score.h) */
} pgn_repair_evidence;

typedef struct pgn_repair {
    /* of the last call of pgn_repair_text, in order */
    pgn_repair_place *v;
    size_t n;
    /* private */
    size_t cap;
    pgn_repair_evidence seen[PGN_DAMAGES];
    size_t all; /* characters outside ASCII looked at */
    pgn_buf bytes, back, again;
} pgn_repair;

/* Forget what was looked at: another game begins. */
void pgn_repair_begin(pgn_repair *rp);
/* Look at a text.  XQ_ENOMEM. */
xq_status pgn_repair_look(pgn_repair *rp, xq_str utf8);
/* The damage that most of what was looked at has, or PGN_UNDAMAGED. */
pgn_damage pgn_repair_common(const pgn_repair *rp);
/* Append the text to *out, repaired where it can be.  rp->n is 0 when nothing
 * was wrong and *out got the text as it is.  XQ_ENOMEM. */
xq_status pgn_repair_text(pgn_repair *rp, xq_str utf8, pgn_buf *out);
void pgn_repair_free(pgn_repair *rp);

/* One text by itself: what is wrong with it, and whether *out (appended to)
 * is free of that.  Where several things are, the first. */
xq_status pgn_repair_one(xq_str utf8, pgn_buf *out, pgn_damage *damage,
                         bool *whole);

#endif
