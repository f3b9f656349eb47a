/* fmt_mxq.c - .mxq of Movesky (formats reference 6.7): short strings, a length
 * byte and GBK.
 *
 *   site, date, "Red-和-Black", two ratings, five numbers, remark, "Moves",
 *   "7C-4C" a ply (file from the left, A: Red's back rank), "Ends", ...
 *
 * The middle of the third string is the result as Red sees it. */
#include "libpgn/binary.h"

#include <string.h>

enum { HEAD = 11 }; /* strings before "Moves" */

struct text {
    const uint8_t *s;
    size_t n, at;
};

static bool next_text(const pgn_reader *r, size_t *i, struct text *t)
{
    if (*i >= r->nraw || r->raw[*i] > r->nraw - *i - 1)
        return false;
    *t = (struct text){r->raw + *i + 1, r->raw[*i], *i};
    *i += 1 + t->n;
    return true;
}

static bool is(const struct text *t, const char *word)
{
    return t->n == strlen(word) && memcmp(t->s, word, t->n) == 0;
}

static xq_sq square_of(const uint8_t *s)
{
    return s[0] >= '0' && s[0] <= '8' && s[1] >= 'A' && s[1] <= 'J'
               ? xq_sq_of(s[0] - '0', s[1] - 'A')
               : XQ_NOSQ;
}

/* Red-胜-Black in UTF-8 to its parts. */
static bool split_names(xq_str s, xq_str *red, xq_str *black, pgn_result *res)
{
    static const struct {
        const char *text;
        pgn_result res;
    } MIDDLE[] = {
        {"-胜-", PGN_RED_WINS}, {"-负-", PGN_BLACK_WINS}, {"-和-", PGN_DRAW}};
    for (size_t i = 0; i < sizeof MIDDLE / sizeof *MIDDLE; i++) {
        const size_t n = strlen(MIDDLE[i].text);
        const char *p = s.n ? memmem(s.s, s.n, MIDDLE[i].text, n) : NULL;
        if (!p)
            continue;
        *red = (xq_str){s.s, (size_t)(p - s.s)};
        *black = (xq_str){p + n, (size_t)(s.s + s.n - p) - n};
        *res = MIDDLE[i].res;
        return true;
    }
    return false;
}

/* head[0..n): what stood before "Moves". */
static pgn_result read_tags(pgn_reader *r, const struct text *head, size_t n)
{
    static const char *const TAGS[HEAD] = {
        "Site", "Date", NULL, "RedElo", "BlackElo",   NULL,
        NULL,   NULL,   NULL, NULL,     "Termination"};
    pgn_result res = PGN_UNKNOWN;
    if (n != HEAD)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, 0, 0,
                          (xq_str){NULL, 0},
                          "%zu strings before the moves where %d are known: "
                          "only names are read",
                          n, HEAD);
    for (size_t i = 0; i < n; i++) {
        const struct text *t = &head[i];
        xq_str red, black;
        if (i == 2) {
            const xq_str s = pgn_binary_text(r, t->s, t->n, 0, t->at);
            if (split_names(s, &red, &black, &res)) {
                pgn_build_tag(r, xq_str_of("Red"), red, t->at);
                pgn_build_tag(r, xq_str_of("Black"), black, t->at);
            } else if (s.n) {
                pgn_build_tag(r, xq_str_of("Title"), s, t->at);
            }
        } else if (n == HEAD && TAGS[i]) {
            pgn_binary_tag(r, TAGS[i], t->s, t->n, 0, t->at);
        }
    }
    return res;
}

static void read_game(pgn_reader *r)
{
    struct text head[HEAD + 1], t;
    size_t i = 0, n = 0;
    bool ended = false;
    pgn_setup setup;
    while (next_text(r, &i, &t) && !is(&t, "Moves")) {
        pgn_binary_sample(r, t.s, t.n);
        if (n <= HEAD)
            head[n++] = t;
    }
    while (!r->failed && next_text(r, &i, &t) && !(ended = is(&t, "Ends"))) {
        const bool whole = t.n == 5 && t.s[2] == '-';
        pgn_stored_put(r, whole ? square_of(t.s) : XQ_NOSQ,
                       whole ? square_of(t.s + 3) : XQ_NOSQ, t.at, true, false);
    }
    pgn_stored_close(r->binary);
    pgn_binary_start(r, 0, pgn_binary_judge(r, PGN_ENC_GB18030));
    pgn_setup_usual(&setup);
    setup.result = read_tags(r, head, n);
    if (!ended)
        pgn_binary_damaged(r, i, "the file ends in the middle of the moves");
    pgn_binary_setup(r, &setup, 0);
    pgn_binary_play(r, r->raw, 0);
    pgn_build_finish(r, r->nraw);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    return pgn_binary_whole(r, false, read_game, err);
}

const pgn_fmt pgn_fmt_mxq = {PGN_FMT_MXQ, next};
