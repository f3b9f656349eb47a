/* pgn_scan.h - the characters of PGN: what fmt_pgn.c and pgn_tags.c share.
 *
 * All of it walks over a block's decoded text, which is valid UTF-8 and
 * followed by zero bytes, so that looking a few bytes ahead is safe. */
#ifndef PGN_SCAN_H
#define PGN_SCAN_H

#include "libpgn/reader_internal.h"

/* The code point at p and its length.  p < end, or a zero byte. */
static inline uint32_t pgn_peek(const char *p, const char *end, size_t *len)
{
    unsigned char c = (unsigned char)*p;
    if (c < 0x80) {
        *len = 1;
        return c;
    }
    return pgn_utf8_next(p, (size_t)(end - p), len);
}

/* The same with full-width ASCII made narrow. */
static inline uint32_t pgn_peek_narrow(const char *p, const char *end,
                                       size_t *len)
{
    uint32_t cp = pgn_peek(p, end, len);
    return cp >= 0xFF01 && cp <= 0xFF5E ? cp - 0xFF01 + '!' : cp;
}

static inline bool pgn_is_break(char c) { return c == '\n' || c == '\r'; }

/* A blank that is no line break: also NUL and the blanks of typography. */
static inline bool pgn_is_blank(uint32_t cp)
{
    if (cp < 0x80)
        return cp == ' ' || cp == '\t' || cp == '\v' || cp == '\f' || cp == 0;
    return cp == 0xA0 || cp == 0x3000 || (cp >= 0x2000 && cp <= 0x200F) ||
           cp == 0x2028 || cp == 0x2029 || cp == 0x202F || cp == 0x205F ||
           cp == 0x2060 || cp == 0xFEFF;
}

/* Behind the blanks at p; line breaks stop it. */
static inline const char *pgn_skip_blanks(const char *p, const char *end)
{
    while (p < end) {
        size_t len = 1;
        if ((unsigned char)*p > ' ' && (unsigned char)*p < 0x80)
            break;
        if (pgn_is_break(*p) || !pgn_is_blank(pgn_peek(p, end, &len)))
            break;
        p += len;
    }
    return p;
}

/* The line break at or behind p, or end. */
static inline const char *pgn_line_end(const char *p, const char *end)
{
    while (p < end && !pgn_is_break(*p))
        p++;
    return p;
}

/* ---- pgn_tags.c ---- */

/* p[0] is '[': does a tag with a quoted value begin here? */
bool pgn_tag_begins(const char *p, const char *end);
/* Read the tag at text[at] into the game, damaged as it may be; returns the
 * offset behind it.  *name receives its name (empty: it was none). */
size_t pgn_tag_read(pgn_reader *r, size_t at, xq_str *name);

/* ---- pgn_words.c ---- */

static inline unsigned pgn_class(uint32_t cp)
{
    return cp < 0x10000 ? pgn_class_of[cp] : 0;
}

/* Separators that are not ASCII, blanks among them. */
bool pgn_is_separator(uint32_t cp);
/* Does a word end before this character? */
bool pgn_ends_word(uint32_t cp);
/* Where the word at p ends; a Chinese move ends behind its target. */
const char *pgn_word_end(const char *p, const char *end);
/* The same for words of ASCII alone. */
const char *pgn_ascii_word_end(const char *p, const char *end);
/* "h2" */
bool pgn_is_square(const char *p);
/* A result that begins with a digit; returns what is behind it, or NULL. */
const char *pgn_result_digits(const char *p, const char *end, pgn_result *res);
/* A move that begins with a digit (33.4, 3+.4). */
bool pgn_digit_move(const char *p, const char *end);

/* ---- pgn_chess.c ---- */

/* The movetext at p reads as international chess throughout. */
bool pgn_reads_as_chess(const char *p, const char *end);

/* ---- pgn_movetext.c ---- */

/* Where the reading of one game stands. */
struct pgn_scan {
    pgn_reader *r;
    const char *p, *end;  /* what was not read yet */
    uint32_t number_base; /* number of the first round, UINT32_MAX: unknown */
    bool number_lied;
    bool unread;       /* a word outside ASCII was no move */
    bool inner_result; /* a result stood last in an open variation */
    bool left;         /* a word showed that the game has ended */
    pgn_result inner;
    size_t inner_at;
};

/* Read moves, variations, notes up to the result or the next game's begin;
 * s->p is then behind the result, or there. */
void pgn_movetext(struct pgn_scan *s);
/* Read the comment whose '{' stands before s->p. */
void pgn_brace(struct pgn_scan *s);

#endif
