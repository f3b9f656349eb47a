/* sniff.c - which of the binary and XML kinds a file is (formats reference
 * 6). */
#include "libpgn/sniff.h"

#include "libpgn/bytes.h"

#include <string.h>

static bool begins(const uint8_t *s, size_t n, const void *magic, size_t len)
{
    return n >= len && memcmp(s, magic, len) == 0;
}

/* ---- kinds with a magic ---- */

/* "XQ" and a version.  Version 1.0 is a line feed: a NUL close behind tells it
 * from a text. */
static bool is_xqf(const uint8_t *s, size_t n)
{
    return n > 16 && begins(s, n, "XQ", 2) && s[2] >= 0x0A && s[2] < 0x20 &&
           memchr(s + 3, 0, (n < 96 ? n : 96) - 3);
}

static bool is_cbl21(const uint8_t *s, size_t n)
{
    return n >= 20 && begins(s, n, "CCBridge", 8) && pgn_u32(s + 8) == 21;
}

static bool is_cbr(const uint8_t *s, size_t n)
{
    return begins(s, n, PGN_CBR_MAGIC, PGN_CBR_MAGIC_N) ||
           begins(s, n, "CCBridgeLibrary", 16);
}

/* Lianzhong: records of 36 bytes behind the header, as many as it says. */
static bool is_chn(const uint8_t *s, size_t n)
{
    return n >= 64 && begins(s, n, "GL", 2) && s[2] == 0xD0 &&
           memchr(s, 0, 64) && (n < 0x1FC || pgn_u32(s + 0x16C) < 10000);
}

/* Records of 9 bytes: id, side 1 or 2, type 1 to 7.  The file may be cut. */
static bool is_ccm(const uint8_t *s, size_t n)
{
    return n >= 12 && begins(s, n, "\1\0\x12", 4) && pgn_u32(s + 8) < 10000 &&
           (n - 12) / 9 <= pgn_u32(s + 8) &&
           (n < 15 || ((s[13] == 1 || s[13] == 2) && s[14] >= 1 && s[14] <= 7));
}

static bool is_xqr(const uint8_t *s, size_t n)
{
    return begins(s, n, "\0\2\x20\x17", 4);
}

/* ---- kinds that are told by what they hold ---- */

/* Movesky: short strings, among them "Moves" before the first move. */
static bool is_mxq(const uint8_t *s, size_t n)
{
    const size_t head = n < 2048 ? n : 2048;
    const uint8_t *p = memmem(s, head, "\5Moves", 6);
    size_t at = 0;
    if (!p)
        return false;
    while (at < (size_t)(p - s)) /* strings up to there */
        at += 1u + s[at];
    return at == (size_t)(p - s);
}

/* XieXie: texts with the tags 1 to 8 in order, or the number of plies twice
 * before as many records of 20 bytes, which end the file. */
static bool is_xgf(const uint8_t *s, size_t n)
{
    size_t i = 2;
    uint8_t tag = 1;
    if (!begins(s, n, "\x06\x0B\x01", 3))
        return false;
    while (tag <= 8 && n - i >= 2 && s[i] == tag && s[i + 1] <= n - i - 2) {
        i += 2u + s[i + 1];
        tag++;
    }
    return tag > 8 || pgn_xgf_table(s, n) > 0;
}

/* QQ: numbers and nothing else, ten a ply; the second of each ten is 32. */
static bool is_che(const uint8_t *s, size_t n)
{
    unsigned long v[16] = {0};
    size_t k = 0;
    bool digit = false;
    for (size_t i = 0; i < n && k < 16; i++) {
        if (s[i] >= '0' && s[i] <= '9') {
            v[k] = v[k] * 10 + (s[i] - '0');
            if (v[k] > 100000)
                return false;
            digit = true;
        } else if (s[i] == ' ' || s[i] == '\r' || s[i] == '\n') {
            k += digit;
            digit = false;
        } else {
            return false;
        }
    }
    return k >= 12 && v[0] == 1 && v[3] == 32 && v[4] <= 1 && v[5] <= 9 &&
           v[6] <= 8 && v[7] <= 9 && v[8] <= 8 && (k < 14 || v[13] == 32);
}

/* ---- XML ---- */

/* `word` in the head; NULs aside, so that UTF-16 is found too. */
static bool head_has(const uint8_t *s, size_t n, const char *word)
{
    const size_t head = n < 2048 ? n : 2048;
    for (size_t i = 0; i < head; i++) {
        size_t k = 0;
        for (size_t j = i; j < head && word[k]; j++) {
            if (s[j] == 0 && j > i)
                continue;
            if (s[j] != (uint8_t)word[k])
                break;
            k++;
        }
        if (!word[k])
            return true;
    }
    return false;
}

/* A '<' is the first that is printed: byte order marks, NULs and blanks
 * aside. */
static bool is_xml(const uint8_t *s, size_t n)
{
    for (size_t i = 0; i < n && i < 64; i++) {
        if (s[i] == '<')
            return true;
        if (!strchr("\xEF\xBB\xBF\xFF\xFE \t\r\n", s[i]))
            return false;
    }
    return false;
}

pgn_format pgn_sniff(const uint8_t *s, size_t n)
{
    if (is_xqf(s, n))
        return PGN_FMT_XQF;
    if (is_cbr(s, n))
        return PGN_FMT_CBR;
    if (is_cbl21(s, n))
        return PGN_FMT_CBL;
    if (is_xml(s, n)) {
        if (head_has(s, n, "<ChineseChessRecord"))
            return PGN_FMT_CBF;
        if (head_has(s, n, "<n version=") || head_has(s, n, "<n m="))
            return PGN_FMT_PFC;
    }
    if (is_chn(s, n))
        return PGN_FMT_CHN;
    if (is_ccm(s, n))
        return PGN_FMT_CCM;
    if (is_xqr(s, n))
        return PGN_FMT_XQR;
    if (is_xgf(s, n))
        return PGN_FMT_XGF;
    if (is_mxq(s, n))
        return PGN_FMT_MXQ;
    return is_che(s, n) ? PGN_FMT_CHE : PGN_FMT_UNKNOWN;
}

bool pgn_format_is_whole(pgn_format f)
{
    return pgn_format_is_binary(f) || f == PGN_FMT_CBF || f == PGN_FMT_PFC;
}

bool pgn_format_is_binary(pgn_format f)
{
    switch (f) {
    case PGN_FMT_XQF:
    case PGN_FMT_CBR:
    case PGN_FMT_CBL:
    case PGN_FMT_CHE:
    case PGN_FMT_CHN:
    case PGN_FMT_CCM:
    case PGN_FMT_MXQ:
    case PGN_FMT_XGF:
    case PGN_FMT_XQR:
        return true;
    default:
        return false;
    }
}

/* ---- records ---- */

size_t pgn_record_next(const uint8_t *s, size_t n, size_t from)
{
    const uint8_t *p =
        from < n ? memmem(s + from, n - from, PGN_CBR_MAGIC, PGN_CBR_MAGIC_N)
                 : NULL;
    return p ? (size_t)(p - s) : n;
}

size_t pgn_record_last(pgn_format f, const uint8_t *s, size_t from, size_t to)
{
    if (f != PGN_FMT_CBR)
        return 0;
    from = from > PGN_CBR_MAGIC_N ? from - PGN_CBR_MAGIC_N : 0;
    for (size_t end = to; end > from;) {
        const uint8_t *p = memrchr(s + from, 'C', end - from);
        if (!p)
            return 0;
        end = (size_t)(p - s);
        if (end > 0 && begins(p, to - end, PGN_CBR_MAGIC, PGN_CBR_MAGIC_N))
            return end;
    }
    return 0;
}
