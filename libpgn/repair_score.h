/* repair_score.h - how much a text looks like Chinese in game records.
 *
 * Characters count: +3 those that game records are full of (repair_score.c
 * lists them), +1 other common ones and the punctuation of Chinese text, 0
 * lines, stars and the like, -1 rare ones, -2 what no Chinese text is made of
 * (letters with accents, kana, Greek, private use, U+FFFD); ASCII nothing.
 * "Common" is what a national standard says: the first level of GB 2312 (3,755
 * characters) or of Big5 (5,401). 第 with a number and a counter behind it
 * (第3轮) gives 4 more.  Damaged text scores below 0 a character, real one
 * above 1: comments about 2, names 1. */
#ifndef PGN_REPAIR_SCORE_H
#define PGN_REPAIR_SCORE_H

#include "engine/base.h"

typedef struct pgn_looks {
    int64_t sum;     /* of the values above */
    size_t n;        /* characters outside ASCII */
    size_t hanzi;    /* common and rare ones */
    size_t rare;     /* of them */
    size_t strange;  /* -2, U+FFFD not among them */
    size_t lost;     /* U+FFFD; several in a row are one */
    size_t asian;    /* from U+2E80 on: no Western code page has them */
    size_t letters;  /* of ASCII */
    size_t alphabet; /* accented Latin, Greek, Cyrillic, kana */
    size_t signs;    /* bopomofo and small forms: stops of GBK read as Big5 */
    size_t private_use;
    bool two;      /* at least two different common ones */
    bool ordinal;  /* 第3轮 */
    bool capitals; /* all are capitals of Latin-1, C0-DE: a word, not bytes */
    bool mark;     /* a byte order mark is the first character */
} pgn_looks;

pgn_looks pgn_looks_of(xq_str utf8);

/* value(a) - value(b), a character of a, times a.n * b.n: compare without
 * dividing. */
static inline int64_t pgn_looks_better(const pgn_looks *a, const pgn_looks *b)
{
    return a->sum * (int64_t)b->n - b->sum * (int64_t)a->n;
}

#endif
