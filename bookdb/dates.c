/* dates.c - year, month and day out of a Date tag as people write it.
 *
 * Numbers are taken from the text in order, whatever stands between them, and
 * the first reading that fits is used:
 *   YYYY [M [D]]     1998-12-13  2022.6.16  1999年12月9日  2014.??.??
 *   YYYYMMDD, YYYYMMD, YYMMDD
 *   D M YYYY, M D YYYY   when it is a day at all; ambiguous: the year only
 *   YY M D           00-30 are 20yy, 31-99 19yy
 * A part that cannot be (month 13, day 190) is unknown; where the year itself
 * hangs on an impossible day (30.2.2020) there is no date. */
#include "bookdb/db_internal.h"

#include "libpgn/text.h"

struct number {
    int value, digits;
};

/* Digits, full width too; `?`, `X` and `*` stand for an unknown number. */
static int numbers(xq_str s, struct number out[4])
{
    int n = 0;
    bool in = false, unknown = false;
    for (size_t i = 0, len; i < s.n; i += len) {
        uint32_t c = pgn_utf8_next(s.s + i, s.n - i, &len);
        if (c >= 0xFF10 && c <= 0xFF19)
            c -= 0xFF10 - '0';
        if (c >= '0' && c <= '9') {
            if (!in && n == 4)
                return n;
            if (!in)
                out[n++] = (struct number){0, 0};
            in = true;
            unknown = false;
            if (out[n - 1].digits < 8)
                out[n - 1].value = out[n - 1].value * 10 + (int)(c - '0');
            out[n - 1].digits++;
        } else if (c == '?' || c == 'X' || c == 'x' || c == '*') {
            if (!unknown && n < 4 && !in)
                out[n++] = (struct number){0, 0};
            unknown = true;
            in = false;
        } else {
            in = unknown = false;
        }
    }
    return n;
}

static bool is_day(int y, int m, int d)
{
    static const int DAYS[13] = {0,  31, 29, 31, 30, 31, 30,
                                 31, 31, 30, 31, 30, 31};
    if (m < 1 || m > 12 || d < 1 || d > DAYS[m])
        return false;
    bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    return !(m == 2 && d == 29 && !leap);
}

static bool is_year(int y) { return y >= 1000 && y <= 2199; }

static bool year_first(int y, int m, int d, int *year, int *month, int *day)
{
    *year = y;
    *month = m >= 1 && m <= 12 ? m : 0;
    *day = *month && is_day(y, m, d) ? d : 0;
    return true;
}

static int century(int yy) { return yy <= 30 ? 2000 + yy : 1900 + yy; }

bool bk_date_parse(xq_str text, int *year, int *month, int *day)
{
    struct number a[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    int n = numbers(text, a);
    *year = *month = *day = 0;
    if (n == 0)
        return false;
    int v = a[0].value;
    if (a[0].digits == 4 && is_year(v))
        return year_first(v, n > 1 ? a[1].value : 0, n > 2 ? a[2].value : 0,
                          year, month, day);
    if (a[0].digits == 8 && is_year(v / 10000))
        return year_first(v / 10000, v / 100 % 100, v % 100, year, month, day);
    if (a[0].digits == 7 && is_year(v / 1000)) /* the last digit was lost */
        return year_first(v / 1000, v / 10 % 100, 0, year, month, day);
    if (a[0].digits == 6 && is_day(century(v / 10000), v / 100 % 100, v % 100))
        return year_first(century(v / 10000), v / 100 % 100, v % 100, year,
                          month, day);
    if (a[0].digits == 6 && is_year(v / 100) &&
        is_day(v / 100, v / 10 % 10, v % 10))
        return year_first(v / 100, v / 10 % 10, v % 10, year, month, day);
    if (n < 3 || a[0].digits > 2 || a[1].digits > 2)
        return false;
    if (a[2].digits == 4 && is_year(a[2].value)) {
        int y = a[2].value;
        bool dm = is_day(y, a[1].value, v), md = is_day(y, v, a[1].value);
        if (dm && (!md || v == a[1].value))
            return year_first(y, a[1].value, v, year, month, day);
        if (md && !dm)
            return year_first(y, v, a[1].value, year, month, day);
        *year = dm ? y : 0;
        return dm;
    }
    if (a[2].digits > 2 || a[0].digits != 2)
        return false;
    int y = century(v);
    /* DD.MM.YY looks the same when the first number is a day */
    if (!is_day(y, a[1].value, a[2].value) || (v > 12 && v <= 30))
        return false;
    return year_first(y, a[1].value, a[2].value, year, month, day);
}
