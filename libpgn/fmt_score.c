/* fmt_score.c - Chinese score sheets without tags: CCBridge's and Lianzhong's
 * text exports, and our own plain text.
 *
 *   标题：五七炮对屏风马                中 国 象 棋 对 局 记 录
 *   红方：...                           对局名称：红方[689] - 黑方[811]
 *   结果：红胜                          红    方：...  耗时：  2分 24秒
 *   FEN ：rnbakabnr/...                 棋谱   红方           黑方
 *     1. 炮二平五 马８进７                1.  炮二平五       马２进３
 *
 * Keys become tags, other lines of the header the comment of the game; moves
 * are read by the reader of PGN.  Source: formats reference 6.7. */
#include "libpgn/boundary.h"
#include "libpgn/fmt_text.h"
#include "libpgn/pgn_scan.h"
#include "libpgn/score.h"

#include <string.h>

const pgn_score_key pgn_score_keys[] = {
    {"标题", "標題", "Title"},
    {"赛事", "賽事", "Event"},
    {"地点", "地點", "Site"},
    {"日期", "日期", "Date"},
    {"轮次", "輪次", "Round"},
    {"红方", "紅方", "Red"},
    {"红队", "紅隊", "RedTeam"},
    {"红等级分", "紅等級分", "RedElo"},
    {"红方用时", "紅方用時", "RedTime"},
    {"黑方", "黑方", "Black"},
    {"黑队", "黑隊", "BlackTeam"},
    {"黑等级分", "黑等級分", "BlackElo"},
    {"黑方用时", "黑方用時", "BlackTime"},
    {"结果", "結果", "Result"},
    {"分类", "分類", "Class"},
    {"来源", "來源", "Source"},
    {"赛事类型", "賽事類型", "EventType"},
    {"组别", "組別", "Group"},
    {"台次", "臺次", "Table"},
    {"时间规则", "時間規則", "TimeControl"},
    {"解说", "解說", "Annotator"},
    {"录入", "錄入", "Recorder"},
    {"创建日期", "創建日期", "Created"},
    {"修改日期", "修改日期", "Modified"},
    {"棋谱类型", "棋譜類型", "Type"},
    {"对局种类", "對局種類", "GameType"},
    {"结束方式", "結束方式", "Termination"},
    {"布局", "佈局", "Opening"},
    {"ECCO", "ECCO", "ECCO"},
    {"FEN", "FEN", "FEN"},
    /* Lianzhong */
    {"对局名称", "對局名稱", "Title"},
    {"比赛名称", "比賽名稱", "Event"},
    {"比赛日期", "比賽日期", "Date"},
    {"比赛地点", "比賽地點", "Site"},
    {"比赛结果", "比賽結果", "Result"},
    {"裁判员", "裁判員", "Referee"},
    {"耗时", "耗時", NULL}, /* of the player named before it */
    {NULL, NULL, NULL},
};

const char *pgn_score_result(pgn_result r, bool traditional)
{
    static const char *const WORDS[2][4] = {{"未知", "红胜", "黑胜", "和棋"},
                                            {"未知", "紅勝", "黑勝", "和棋"}};
    return WORDS[traditional][r];
}

static const char HEADINGS[2][28] = {"中国象棋对局记录", "中國象棋對局記錄"};

/* ---- what a line is ---- */

static bool is_wide_colon(const char *p, const char *end)
{
    return end - p >= 3 && !memcmp(p, "\xEF\xBC\x9A", 3);
}

/* The key that ends before `end`, blanks inside it dropped. */
static const pgn_score_key *find_key(xq_str text)
{
    char key[64];
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        size_t len = 1;
        const uint32_t cp = pgn_peek(text.s + i, text.s + text.n, &len);
        if (!pgn_is_blank(cp)) {
            if (n + len > sizeof key)
                return NULL;
            memcpy(key + n, text.s + i, len);
            n += len;
        }
        i += len - 1;
    }
    for (const pgn_score_key *k = pgn_score_keys; n && k->simplified; k++)
        if (xq_str_eq((xq_str){key, n}, xq_str_of(k->simplified)) ||
            xq_str_eq((xq_str){key, n}, xq_str_of(k->traditional)))
            return k;
    return NULL;
}

/* A word that our writer puts before '：' for a tag without a Chinese name. */
static bool is_own_name(xq_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.s[i];
        if (!((c | 32) >= 'a' && (c | 32) <= 'z') &&
            (i == 0 || !((c >= '0' && c <= '9') || c == '_' || c == '-')))
            return false;
    }
    return s.n > 0;
}

struct key {
    const pgn_score_key *known; /* NULL: `name` is the tag's own */
    xq_str name;
    const char *value;
};

/* The colon of the key that begins at p; *value is behind it. */
static bool key_at(const char *p, const char *le, struct key *k)
{
    for (const char *q = p; q < le && q - p < 90; q++) {
        const bool wide = is_wide_colon(q, le);
        if (!wide && *q != ':')
            continue;
        const xq_str name = pgn_text_trim((xq_str){p, (size_t)(q - p)});
        k->known = find_key(name);
        k->name = name;
        k->value = q + (wide ? 3 : 1);
        return k->known || (wide && is_own_name(name));
    }
    return false;
}

static bool heading_at(const char *p, const char *le)
{
    char text[32];
    size_t n = 0;
    for (; p < le;) {
        size_t len = 1;
        const uint32_t cp = pgn_peek(p, le, &len);
        if (!pgn_is_blank(cp)) {
            if (n + len > sizeof text)
                return false;
            memcpy(text + n, p, len);
            n += len;
        }
        p += len;
    }
    return xq_str_eq((xq_str){text, n}, xq_str_of(HEADINGS[0])) ||
           xq_str_eq((xq_str){text, n}, xq_str_of(HEADINGS[1]));
}

bool pgn_score_kind(xq_str text)
{
    const char *p = text.s, *end = p + text.n;
    struct key k;
    for (unsigned keys = 0, lines = 0; p < end && lines < 6; lines++) {
        p = pgn_skip_blanks(p, end);
        const char *le = pgn_line_end(p, end);
        if (heading_at(p, le))
            return true;
        keys += key_at(p, le, &k);
        if (keys == 2 ||
            (keys == 1 && lines == 0 && k.known &&
             is_wide_colon(k.value - 3, end) && k.known == pgn_score_keys))
            return true;
        if (keys <= lines) /* only keys */
            return false;
        p = le;
        while (p < end && pgn_is_break(*p))
            p++;
    }
    return false;
}

/* 标题 and the heading in the encodings they come in. */
static const char *const BEGINS[] = {
    "\xE6\xA0\x87\xE9\xA2\x98\xEF\xBC\x9A", /* 标题：UTF-8 */
    "\xE6\xA8\x99\xE9\xA1\x8C\xEF\xBC\x9A", /* 標題：UTF-8 */
    "\xB1\xEA\xCC\xE2\xA3\xBA",             /* 标题：GBK */
    "\x98\xCB\xEE\x7D\xA3\xBA",             /* 標題：GBK */
    "\xBC\xD0\xC3\x44\xA1\x47",             /* 標題：Big5 */
    "\xD6\xD0 \xB9\xFA \xCF\xF3 \xC6\xE5 ", /* 中 国 象 棋, GBK */
    "\xE4\xB8\xAD \xE5\x9B\xBD \xE8\xB1\xA1 \xE6\xA3\x8B ", /* UTF-8 */
};

bool pgn_score_boundary(const uint8_t *s, size_t n, size_t at)
{
    for (size_t i = 0; i < sizeof BEGINS / sizeof *BEGINS; i++) {
        const size_t len = strlen(BEGINS[i]);
        if (n - at >= len && !memcmp(s + at, BEGINS[i], len))
            return true;
    }
    return false;
}

/* ---- the header ---- */

struct sheet {
    pgn_reader *r;
    const char *p, *end;
    xq_str side; /* "Red" or "Black", the player named last */
    xq_str result;
    size_t result_at;
    bool columns; /* Lianzhong's: several keys in a line */
};

static void value_of(struct sheet *x, const struct key *k, xq_str v)
{
    pgn_reader *r = x->r;
    const size_t at = pgn_text_at(r, k->name.s);
    v = pgn_text_value(r, v);
    if (v.n == 0 || xq_str_eq(v, xq_str_of("(Email:)")))
        return;
    if (!k->known) {
        pgn_build_tag(r, k->name, v, at);
        return;
    }
    const xq_str tag =
        k->known->tag ? xq_str_of(k->known->tag) : (xq_str){NULL, 0};
    if (!k->known->tag) {
        if (x->side.n)
            pgn_text_tag(r, x->side.n == 3 ? "RedTime" : "BlackTime", v, at);
    } else if (xq_str_eq(tag, xq_str_of("Result"))) {
        x->result = v;
        x->result_at = at;
        pgn_text_result(r, v, at);
    } else if (xq_str_eq(tag, xq_str_of("FEN"))) {
        if (!xq_str_eq(v, xq_str_of(XQ_FEN_START)))
            pgn_text_fen(r, v, at);
    } else if (xq_str_eq(tag, xq_str_of("ECCO")) && v.n > 4 && v.s[3] == ' ') {
        pgn_build_tag(r, tag, (xq_str){v.s, 3}, at);
        pgn_text_tag(r, "Opening", (xq_str){v.s + 4, v.n - 4}, at);
    } else {
        pgn_build_tag(r, tag, v, at);
    }
    if (xq_str_eq(tag, xq_str_of("Red")) || xq_str_eq(tag, xq_str_of("Black")))
        x->side = tag;
}

/* The keys of a line, which begins with one; under Lianzhong's heading several
 * stand side by side, set apart by blanks. */
static void key_line(struct sheet *x, struct key k, const char *le)
{
    for (;;) {
        const char *from = k.value, *p = from, *value_end = le;
        struct key next = {NULL, {NULL, 0}, NULL};
        while (x->columns && p < le) {
            size_t len = 1;
            const bool blank = pgn_is_blank(pgn_peek(p, le, &len));
            p += len;
            if (blank && p < le && key_at(p, le, &next) && next.known) {
                const char *w = p; /* no blanks inside keys that follow */
                while (w < next.value && !pgn_is_blank(pgn_peek(w, le, &len)))
                    w += len;
                if (w >= next.value) {
                    value_end = p;
                    break;
                }
            }
            next.known = NULL;
        }
        value_of(x, &k, (xq_str){from, (size_t)(value_end - from)});
        if (!next.known)
            return;
        k = next;
    }
}

/* "-----", and the heads of the columns. */
static bool is_ornament(const char *p, const char *le)
{
    if (le - p >= 6 && (!memcmp(p, "棋谱", 6) || !memcmp(p, "棋譜", 6)))
        return true;
    while (p < le && (*p == '-' || *p == '=' || *p == '_' || *p == ' '))
        p++;
    return p == le;
}

/* Do moves begin at p: a number, a result, a comment, or a move? */
static bool moves_at(pgn_reader *r, const char *p, const char *le)
{
    pgn_result res;
    if (*p == '{' || *p == '(' || *p == '*')
        return true;
    if (*p >= '0' && *p <= '9') {
        if (pgn_result_digits(p, le, &res))
            return true;
        while (p < le && *p >= '0' && *p <= '9')
            p++;
        size_t len = 1;
        const uint32_t cp = p < le ? pgn_peek_narrow(p, le, &len) : 0;
        return cp == '.' || cp == 0x3001;
    }
    const char *e = pgn_word_end(p, le);
    xq_move m = XQ_NOMOVE;
    return e > p && pgn_move_read(&r->standard, (xq_str){p, (size_t)(e - p)},
                                  PGN_NOTATION_ANY, &m, NULL, NULL) == XQ_OK;
}

/* Lines up to the moves, or to the end. */
static void header(struct sheet *x)
{
    pgn_reader *r = x->r;
    pgn_buf *b = &r->scratch;
    b->n = 0;
    bool any = false;
    while (x->p < x->end) {
        const char *p = pgn_skip_blanks(x->p, x->end);
        const char *le = pgn_line_end(p, x->end);
        struct key k;
        if (p < le && !key_at(p, le, &k) && moves_at(r, p, le))
            break;
        if (p == le) {
            ;
        } else if (key_at(p, le, &k)) {
            if (any && k.known == pgn_score_keys)
                break; /* 标题 of the next game */
            any = true;
            key_line(x, k, le);
        } else if (heading_at(p, le)) {
            x->columns = true;
        } else if (!is_ornament(p, le)) {
            if (b->n)
                pgn_buf_puts(b, "\n");
            pgn_buf_add(b, p, (size_t)(le - p));
        }
        x->p = le;
        while (x->p < x->end && pgn_is_break(*x->p))
            x->p++;
    }
    if (b->failed)
        r->failed = true;
}

/* ---- one game ---- */

/* The end of the line at p, or of that which the comments that begin on it end
 * on.  The last brace of the text stands at `last`. */
static const char *past_line(const char *p, const char *end, const char *last)
{
    for (; p < end && !pgn_is_break(*p); p++)
        if (*p == '{' && last && p < last)
            p = memchr(p, '}', (size_t)(end - p));
    return p;
}

/* Where the moves at p end: before a known key that begins a line behind a
 * blank one, which is another sheet's, without a title perhaps. */
static const char *moves_end(const char *p, const char *end)
{
    const char *last = memrchr(p, '}', (size_t)(end - p));
    while (p < end) {
        unsigned breaks = 0;
        struct key k;
        for (p = past_line(p, end, last);
             p < end && (pgn_is_break(*p) || *p == ' ' || *p == '\t'); p++)
            breaks += pgn_ends_line((const uint8_t *)p, (size_t)(end - p), 0);
        if (breaks > 1 && p < end && key_at(p, pgn_line_end(p, end), &k) &&
            k.known)
            return p;
    }
    return end;
}

static void read_game(struct sheet *x)
{
    pgn_reader *r = x->r;
    pgn_build_start(r, pgn_text_at(r, x->p));
    if (r->failed)
        return;
    header(x);
    const bool said = r->marker;
    const pgn_result result = r->marker_result;
    r->marker = false;
    const bool ours = pgn_build_setup(r);
    (void)ours;
    if (r->scratch.n) {
        const xq_str own =
            xq_arena_copy(&r->arena, (xq_str){r->scratch.s, r->scratch.n});
        if (own.s)
            pgn_build_comment(r, pgn_text_comment(r, own));
        else
            r->failed = true;
    }
    struct pgn_scan s = {.r = r,
                         .p = x->p,
                         .end = moves_end(x->p, x->end),
                         .number_base = UINT32_MAX};
    if (s.p < s.end && !r->failed)
        pgn_movetext(&s);
    x->p = s.p;
    if (!r->marker && s.inner_result && (r->depth || r->unplayed))
        pgn_build_marker(r, s.inner, s.inner_at);
    if (!r->marker && said)
        pgn_build_marker(r, result, x->result_at);
    pgn_text_finish(r, pgn_text_at(r, x->p), false);
}

/* Does a game begin at or behind p?  Adverts behind a result are passed
 * over. */
static const char *find_game(pgn_reader *r, const char *p, const char *end,
                             bool first)
{
    while (p < end) {
        const char *q = pgn_skip_blanks(p, end), *le = pgn_line_end(q, end);
        struct key k;
        if (q < le && (heading_at(q, le) || (key_at(q, le, &k) && k.known) ||
                       (first && moves_at(r, q, le))))
            return q;
        p = le;
        while (p < end && pgn_is_break(*p))
            p++;
    }
    return end;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    struct sheet x = {.r = r};
    for (;;) {
        x.end = r->ntext ? r->text + r->ntext : NULL;
        if (r->ntext && r->pos < r->ntext) {
            x.p = find_game(r, r->text + r->pos, x.end, r->pos == 0);
            if (x.p < x.end)
                break;
        }
        if (r->at >= r->nraw)
            return XQ_DONE;
        const size_t from = r->at;
        r->at =
            pgn_text_boundary_next(PGN_FMT_SCORE, r->raw, r->nraw, from + 1);
        if (!pgn_text_load(r, from, r->at))
            return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    read_game(&x);
    /* never the same place again */
    const size_t at = pgn_text_at(r, x.p);
    r->pos = at > r->pos ? at : r->ntext;
    return r->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

const pgn_fmt pgn_fmt_score = {PGN_FMT_SCORE, next};
