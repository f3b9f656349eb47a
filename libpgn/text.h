/* text.h - bytes of unknown encoding to UTF-8, and back.
 *
 *   pgn_encoding e = pgn_encoding_judge(bytes, n, PGN_ENC_AUTO);
 *   n_out = pgn_decode(e, bytes, n, true, out, &used, &bad);
 *
 * Text is decoded before it is tokenised: trail bytes of GBK and Big5 look
 * like [ \ ] { | }.  The two-byte encodings go through const tables that the
 * build fills by iconv(3): GB18030 (its four-byte part too), and Big5 as CP950
 * with what HKSCS adds.  A bad byte becomes U+FFFD alone: of a bad pair only
 * the lead byte is lost, the second byte is read again. Source: formats
 * reference 8. */
#ifndef PGN_TEXT_H
#define PGN_TEXT_H

#include "libpgn/buf.h"

typedef enum pgn_encoding {
    PGN_ENC_AUTO = 0, /* judge it */
    PGN_ENC_UTF8,
    PGN_ENC_GB18030, /* reads GB2312 and GBK as well */
    PGN_ENC_BIG5,    /* CP950 with HKSCS */
    PGN_ENC_UTF16LE,
    PGN_ENC_UTF16BE,
    PGN_ENC_GBK,   /* writing: two-byte characters only; reading:
                      the same as GB18030 */
    PGN_ENC_BYTES, /* nothing fits: bytes above 7F become \xHH */
    PGN_ENC_OTHER, /* 8 and above: single-byte code pages named by the
                      user, numbered by pgn_encoding_of */
} pgn_encoding;

/* "utf-8", "gb18030", "big5", ... as the summary of `verify` prints it. */
const char *pgn_encoding_name(pgn_encoding e);
/* From a user's name: ours, common aliases (gb2312, cp936, utf8, hkscs,
 * cp950, ...), and the single-byte Windows and ISO code pages that iconv
 * knows (cp1250-cp1258, iso-8859-N, koi8-r, ...).  Case, '-' and '_' do not
 * matter.  PGN_ENC_AUTO for "auto"; false when the name is unknown. */
bool pgn_encoding_of(const char *name, pgn_encoding *e);

/* Bytes that pgn_decode may write for n bytes of input. */
static inline size_t pgn_decode_bound(size_t n) { return 4 * n + 8; }

/* Decode in[0..n) into `out` as UTF-8 and return the length written.  *used
 * receives how many bytes of input were taken: all of them when `final`,
 * else a character cut by the end of input is left for the next call.  *bad
 * is increased by the number of bytes replaced (in UTF-16: of units; escaped
 * ones of PGN_ENC_BYTES count).  Byte order marks anywhere
 * are dropped (UTF-8's, and UTF-16's own), NUL stays.  Runs of ASCII go at
 * the speed of memory. */
size_t pgn_decode(pgn_encoding e, const uint8_t *in, size_t n, bool final,
                  char *out, size_t *used, size_t *bad);

/* The way back: the offset in `in` of the character that stands at offset
 * `at` of what pgn_decode writes for it. */
size_t pgn_decode_offset(pgn_encoding e, const uint8_t *in, size_t n,
                         size_t at);

/* The next byte at or after *from that pgn_decode would replace, or n.
 * Advances *from behind it: call again for the next one. */
size_t pgn_decode_bad(pgn_encoding e, const uint8_t *in, size_t n,
                      size_t *from);

/* Judge a piece of text: byte order mark, strict UTF-8 (a character cut by
 * the end is no fault), then GB18030 or Big5, whichever makes more moves
 * readable and spoils fewer bytes.  ASCII only: `prior`, or UTF-8 when that is
 * PGN_ENC_AUTO.  No moves: `prior` if it decodes cleanly, then GB18030, then
 * Big5, then whatever decodes with very few bad bytes; else PGN_ENC_BYTES.
 * UTF-16 without a mark shows by its NULs.  About 2 us a game. */
pgn_encoding pgn_encoding_judge(const uint8_t *in, size_t n,
                                pgn_encoding prior);

/* What a piece of text is worth in an encoding: moves that are readable (see
 * below), and characters outside ASCII. */
typedef struct pgn_worth {
    size_t moves, good, bad;
} pgn_worth;
pgn_worth pgn_encoding_worth(pgn_encoding e, const uint8_t *in, size_t n);

/* Groups of four characters that look like moves in Chinese writing (piece,
 * place, direction, target): what the judge goes by. */
size_t pgn_count_moves(xq_str utf8);

/* Append UTF-8 text in encoding e.  A character that e lacks becomes '?' and
 * is counted in *lost, as does a byte that is not UTF-8; e is UTF8, GB18030,
 * GBK, BIG5, UTF16LE or UTF16BE.  No byte order mark is written: that is for
 * the first text of a file only.  XQ_ENOMEM. */
xq_status pgn_encode(pgn_encoding e, xq_str utf8, pgn_buf *out, size_t *lost);

/* The two bytes that e (GB18030, GBK or BIG5) writes for cp, the first one
 * highest; 0 when it writes it otherwise, or not at all. */
unsigned pgn_encode_pair(pgn_encoding e, uint32_t cp);

/* Big5 as browsers read it differs from ours, which is Windows's, in 408 pairs
 * (C6A1-C8FE): there kana, Cyrillic and signs, here characters for private use.
 * Such a pair's code point, and the other way round; 0: it is none of them. */
uint32_t pgn_big5_web_char(unsigned pair);
unsigned pgn_big5_web_pair(uint32_t cp);

/* ---- UTF-8 ---- */

/* The code point at s[0..n), n > 0, and its length in *len (1 and U+FFFD for
 * a bad byte; overlong forms and surrogates are bad). */
uint32_t pgn_utf8_next(const char *s, size_t n, size_t *len);
/* Write cp; returns 1..4. */
size_t pgn_utf8_put(uint32_t cp, char out[4]);
bool pgn_utf8_valid(xq_str s);

/* Simplified <-> traditional for the characters of moves is notation.h's
 * work; free text is never converted. */

#endif
