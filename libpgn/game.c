/* game.c - what every format shares: results, tags, the walk, the digest.
 *
 * Trees come from strangers and may be as deep as they are long, so nothing
 * here recurses: the walk takes moves back with undo records, the digest
 * keeps one index a level. */
#include "libpgn/game.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const char *pgn_problem_kind_name(pgn_problem_kind k)
{
    static const char *const NAMES[] = {
        [PGN_P_ENCODING] = "encoding",
        [PGN_P_STRUCTURE] = "structure",
        [PGN_P_TAG] = "tag",
        [PGN_P_FEN] = "fen",
        [PGN_P_MOVE] = "move",
        [PGN_P_ILLEGAL] = "illegal",
        [PGN_P_AMBIGUOUS] = "ambiguous",
        [PGN_P_RESULT] = "result",
        [PGN_P_VARIANT] = "variant",
        [PGN_P_LIMIT] = "limit",
        [PGN_P_RULE] = "rule",
    };
    size_t i = (size_t)k;
    return i < sizeof NAMES / sizeof *NAMES ? NAMES[i] : "structure";
}

/* ---- results ---- */

const char *pgn_result_text(pgn_result r)
{
    switch (r) {
    case PGN_RED_WINS:
        return "1-0";
    case PGN_BLACK_WINS:
        return "0-1";
    case PGN_DRAW:
        return "1/2-1/2";
    default:
        return "*";
    }
}

/* Spellings are folded first, so that the table stays short: no blanks,
 * letters small, full width to half, traditional to simplified; and the
 * words that change nothing are dropped (红方先胜, 红先胜, 红胜 are one;
 * "先胜" alone speaks of the side that moves first, Red). */
static const struct result_word {
    const char *text;
    pgn_result r;
} RESULTS[] = {
    {"", PGN_UNKNOWN},
    {"*", PGN_UNKNOWN},
    {"?", PGN_UNKNOWN},
    {"-", PGN_UNKNOWN},
    {"unknown", PGN_UNKNOWN},
    {"不明", PGN_UNKNOWN},
    {"未知", PGN_UNKNOWN},
    {"未完", PGN_UNKNOWN},
    {"1-0", PGN_RED_WINS},
    {"0-1", PGN_BLACK_WINS},
    {"1/2-1/2", PGN_DRAW},
    {"1/2", PGN_DRAW},
    {"0.5-0.5", PGN_DRAW},
    {".5-.5", PGN_DRAW},
    {"0.5", PGN_DRAW},
    {"=", PGN_DRAW},
    {"=-=", PGN_DRAW},
    {"redwins", PGN_RED_WINS},
    {"redwin", PGN_RED_WINS},
    {"redwon", PGN_RED_WINS},
    {"whitewins", PGN_RED_WINS},
    {"blackwins", PGN_BLACK_WINS},
    {"blackwin", PGN_BLACK_WINS},
    {"blackwon", PGN_BLACK_WINS},
    {"draw", PGN_DRAW},
    {"drawn", PGN_DRAW},
    {"红胜", PGN_RED_WINS},
    {"红赢", PGN_RED_WINS},
    {"红负", PGN_BLACK_WINS},
    {"红输", PGN_BLACK_WINS},
    {"红胜黑负", PGN_RED_WINS},
    {"红负黑胜", PGN_BLACK_WINS},
    {"胜", PGN_RED_WINS},
    {"负", PGN_BLACK_WINS},
    {"黑胜", PGN_BLACK_WINS},
    {"黑赢", PGN_BLACK_WINS},
    {"黑负", PGN_RED_WINS},
    {"黑输", PGN_RED_WINS},
    {"后胜", PGN_BLACK_WINS},
    {"后负", PGN_RED_WINS},
    {"和", PGN_DRAW},
    {"平", PGN_DRAW},
    {"红和", PGN_DRAW},
    {"黑和", PGN_DRAW},
    {"后和", PGN_DRAW},
    {"双和", PGN_DRAW},
};

static uint32_t fold_result_char(uint32_t c)
{
    if (c >= 0xFF01 && c <= 0xFF5E) /* full width */
        c -= 0xFEE0;
    if (c >= 'A' && c <= 'Z')
        return c + 32;
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case 0xA0:
    case 0x3000:
    case 0xFEFF:
    case 0x200B:
    case 0x65B9: /* 方 */
    case 0x68CB: /* 棋 */
    case 0x5C40: /* 局 */
    case 0x5148: /* 先 */
    case 0x624B: /* 手 */
        return 0;
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212:
    case 0x2500:
    case ':':
        return '-';
    case 0x7D05: /* 紅 */
        return 0x7EA2;
    case 0x52DD: /* 勝 */
        return 0x80DC;
    case 0x8CA0: /* 負 */
        return 0x8D1F;
    case 0x8D0F: /* 贏 */
        return 0x8D62;
    case 0x8F38: /* 輸 */
        return 0x8F93;
    case 0x5F8C: /* 後 */
        return 0x540E;
    case 0x96D9: /* 雙 */
        return 0x53CC;
    default:
        return c;
    }
}

bool pgn_result_parse(xq_str text, pgn_result *r)
{
    char folded[48];
    size_t n = 0;
    for (size_t i = 0, len; i < text.n; i += len) {
        uint32_t c =
            fold_result_char(pgn_utf8_next(text.s + i, text.n - i, &len));
        if (c == 0)
            continue;
        if (n + 4 > sizeof folded)
            return false;
        if (c == 0xBD) { /* the character for one half */
            memcpy(folded + n, "1/2", 3);
            n += 3;
        } else {
            n += pgn_utf8_put(c, folded + n);
        }
    }
    for (size_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++)
        if (strlen(RESULTS[i].text) == n &&
            memcmp(RESULTS[i].text, folded, n) == 0) {
            *r = RESULTS[i].r;
            return true;
        }
    return false;
}

/* ---- tags ---- */

static const pgn_tag *find_tag(const pgn_game *g, xq_str head, xq_str tail)
{
    for (uint32_t i = 0; i < g->ntags; i++) {
        xq_str name = g->tags[i].name;
        if (name.n == head.n + tail.n &&
            xq_str_eq_nocase((xq_str){name.s, head.n}, head) &&
            xq_str_eq_nocase((xq_str){name.s + head.n, tail.n}, tail))
            return &g->tags[i];
    }
    return NULL;
}

xq_str pgn_game_tag(const pgn_game *g, const char *name)
{
    xq_str want = xq_str_of(name), none = {NULL, 0};
    const pgn_tag *t = find_tag(g, want, none);
    if (!t && want.n >= 3 &&
        xq_str_eq_nocase((xq_str){want.s, 3}, xq_str_of("red")))
        t = find_tag(g, xq_str_of("white"), (xq_str){want.s + 3, want.n - 3});
    if (!t)
        return none;
    /* A value is never "none", even when it is empty. */
    return t->value.s ? t->value : (xq_str){"", 0};
}

/* ---- walking ---- */

/* One variation that is being walked, or one move of it that was made: both
 * live on one stack, a variation below its moves.
 *   node != 0   the move whose alternatives are walked; `alt` is the one
 *               under way, `ply` that move's ply in its own line
 *   node == 0   undo a move */
struct pgn_walk_level {
    uint32_t node, alt, ply;
    xq_undo undo;
};

void pgn_walk_start(pgn_walk *w, const pgn_game *g)
{
    memset(w, 0, sizeof *w);
    w->game = g;
    w->pos = g->start;
}

void pgn_walk_end(pgn_walk *w)
{
    free(w->stack);
    w->stack = NULL;
    w->nstack = w->cap = 0;
}

static struct pgn_walk_level *push(pgn_walk *w)
{
    if (w->nstack == w->cap) {
        size_t cap = w->cap ? (size_t)w->cap * 2 : 64;
        struct pgn_walk_level *s = NULL;
        if (cap <= UINT32_MAX)
            s = realloc(w->stack, cap * sizeof *s);
        if (!s) {
            w->failed = true;
            return NULL;
        }
        w->stack = s;
        w->cap = (uint32_t)cap;
    }
    return &w->stack[w->nstack++];
}

static bool arrive(pgn_walk *w, uint32_t node, uint32_t ply)
{
    w->node = node;
    w->ply = ply;
    w->move = w->game->nodes[node].move;
    return true;
}

/* Take back the moves of the variation that ended; its level is then on top. */
static struct pgn_walk_level *back_to_level(pgn_walk *w)
{
    while (w->stack[w->nstack - 1].node == 0)
        xq_pos_unmake(&w->pos, &w->stack[--w->nstack].undo);
    return &w->stack[w->nstack - 1];
}

bool pgn_walk_next(pgn_walk *w)
{
    const pgn_node *nodes = w->game->nodes;
    if (w->failed || w->game->nnodes == 0)
        return false;
    if (w->ply == 0) {
        uint32_t first = nodes[0].next;
        return w->node == 0 && first ? arrive(w, first, 1) : false;
    }
    /* A variation's first move stands itself in the list of alternatives,
     * which the level below it is walking. */
    bool is_alt = w->depth > 0 && w->ply == 1;
    uint32_t node = w->node;
    if (!is_alt && nodes[node].alt) {
        struct pgn_walk_level *l = push(w);
        if (!l)
            return false;
        *l = (struct pgn_walk_level){
            .node = node, .alt = nodes[node].alt, .ply = w->ply};
        w->depth++;
        return arrive(w, nodes[node].alt, 1);
    }
    for (uint32_t ply = w->ply;;) {
        if (nodes[node].next) {
            struct pgn_walk_level *l = NULL;
            if (w->depth > 0) {
                if (!(l = push(w)))
                    return false;
                l->node = 0;
            }
            xq_pos_make(&w->pos, nodes[node].move, l ? &l->undo : NULL);
            return arrive(w, nodes[node].next, ply + 1);
        }
        if (w->depth == 0) {
            w->ply = 0; /* stays at the end: node is not 0 */
            return false;
        }
        struct pgn_walk_level *l = back_to_level(w);
        if (nodes[l->alt].alt) {
            l->alt = nodes[l->alt].alt;
            return arrive(w, l->alt, 1);
        }
        node = l->node;
        ply = l->ply;
        w->nstack--;
        w->depth--;
    }
}

/* ---- digest ---- */

/* What is hashed, so that no two games give the same bytes:
 *   a tag        128-bit hash of (hash of name, hash of value); the sum of
 *                all tags does not depend on their order
 *   main line    two bytes a move, low byte first
 *   start        90 squares and the side, when not the usual one
 *   tree         only when there are notes or variations: a stream of
 *                tokens, each a letter followed by a fixed number of bytes or
 *                by a length and as many bytes
 * and, over the four hashes, their counts and the result, one last hash. */

/* XXH3's stream state is large and slow to begin; small trees never need it. */
struct tree_hash {
    uint8_t buf[1024];
    size_t n;
    bool streaming;
    XXH3_state_t state;
};

static void tree_flush(struct tree_hash *t)
{
    if (!t->streaming) {
        XXH3_128bits_reset(&t->state);
        t->streaming = true;
    }
    XXH3_128bits_update(&t->state, t->buf, t->n);
    t->n = 0;
}

/* Room for a token of at most 16 bytes. */
static uint8_t *tree_room(struct tree_hash *t)
{
    if (t->n + 16 > sizeof t->buf)
        tree_flush(t);
    return t->buf + t->n;
}

static void put_le(uint8_t *out, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (uint8_t)(v >> 8 * i);
}

static void tree_letter(struct tree_hash *t, char letter)
{
    *tree_room(t) = (uint8_t)letter;
    t->n++;
}

static void tree_text(struct tree_hash *t, char letter, xq_str s)
{
    uint8_t *p = tree_room(t);
    p[0] = (uint8_t)letter;
    put_le(p + 1, s.n, 8);
    t->n += 9;
    if (s.n <= sizeof t->buf - t->n) {
        if (s.n)
            memcpy(t->buf + t->n, s.s, s.n);
        t->n += s.n;
        return;
    }
    tree_flush(t);
    XXH3_128bits_update(&t->state, s.s, s.n);
}

/* NAGs before comments: the JSON layout keeps the order within each kind but
 * not between them, and the game is the same. */
static void tree_notes(struct tree_hash *t, const pgn_game *g, uint32_t first)
{
    for (uint32_t i = first; i; i = g->notes[i].next)
        if (g->notes[i].kind == PGN_NOTE_NAG) {
            uint8_t *p = tree_room(t);
            p[0] = '$';
            put_le(p + 1, g->notes[i].nag, 4);
            t->n += 5;
        }
    for (uint32_t i = first; i; i = g->notes[i].next)
        if (g->notes[i].kind == PGN_NOTE_BEFORE)
            tree_text(t, 'b', g->notes[i].text);
    for (uint32_t i = first; i; i = g->notes[i].next)
        if (g->notes[i].kind == PGN_NOTE_AFTER)
            tree_text(t, 'a', g->notes[i].text);
}

static void tree_node(struct tree_hash *t, const pgn_game *g, uint32_t node)
{
    uint8_t *p = tree_room(t);
    p[0] = 'm';
    put_le(p + 1, g->nodes[node].move, 2);
    t->n += 3;
    if (g->nodes[node].notes)
        tree_notes(t, g, g->nodes[node].notes);
}

/* The moves whose alternatives are being hashed, and which of these.  Real
 * games stay within the array. */
struct level {
    uint32_t node, alt;
};
#define LEVELS 32

static bool grow_levels(struct level **lv, size_t *cap,
                        const struct level *fixed)
{
    size_t bytes = *cap * sizeof **lv;
    struct level *p = realloc(*lv == fixed ? NULL : *lv, bytes * 2);
    if (!p)
        return false;
    if (*lv == fixed)
        memcpy(p, fixed, bytes);
    *lv = p;
    *cap *= 2;
    return true;
}

static bool tree_lines(struct tree_hash *t, const pgn_game *g)
{
    const pgn_node *nodes = g->nodes;
    struct level fixed[LEVELS], *lv = fixed;
    size_t n = 0, cap = LEVELS;
    bool ok = true;

    tree_notes(t, g, nodes[0].notes);
    for (uint32_t node = nodes[0].next; node;) {
        tree_node(t, g, node);
        /* Open the list of alternatives, unless this move is in one. */
        bool is_alt = n > 0 && lv[n - 1].alt == node;
        if (!is_alt && nodes[node].alt) {
            if (n == cap && !(ok = grow_levels(&lv, &cap, fixed)))
                break;
            lv[n++] = (struct level){node, nodes[node].alt};
            tree_letter(t, '(');
            node = nodes[node].alt;
            continue;
        }
        node = nodes[node].next;
        while (!node && n > 0) {
            struct level *top = &lv[n - 1];
            tree_letter(t, ')');
            if (nodes[top->alt].alt) {
                tree_letter(t, '(');
                node = top->alt = nodes[top->alt].alt;
            } else {
                node = nodes[top->node].next;
                n--;
            }
        }
    }
    if (lv != fixed)
        free(lv);
    return ok;
}

/* Words are hashed low byte first on every machine: digests go to disk. */
static XXH128_hash_t hash_words(uint64_t *w, size_t n)
{
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    for (size_t i = 0; i < n; i++) {
        uint64_t v = w[i];
        put_le((uint8_t *)&w[i], v, 8);
    }
#endif
    return XXH3_128bits(w, n * sizeof *w);
}

static XXH128_hash_t hash_text(xq_str s)
{
    return XXH3_128bits(s.s ? s.s : "", s.n);
}

static XXH128_hash_t hash_tag(const pgn_tag *t)
{
    XXH128_hash_t name = hash_text(t->name), value = hash_text(t->value);
    uint64_t w[4] = {name.low64, name.high64, value.low64, value.high64};
    return hash_words(w, 4);
}

static XXH128_hash_t hash_main(const pgn_game *g)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return XXH3_128bits(g->plies ? (const void *)g->main : "",
                        (size_t)g->plies * sizeof *g->main);
#else
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (uint32_t i = 0; i < g->plies; i++) {
        uint8_t two[2];
        put_le(two, g->main[i], 2);
        XXH3_128bits_update(&state, two, sizeof two);
    }
    return XXH3_128bits_digest(&state);
#endif
}

pgn_digest pgn_game_digest(const pgn_game *g)
{
    /* lo, hi of: tags, main line, start, tree; then counts and result */
    uint64_t all[4 * 2 + 4] = {0};

    for (uint32_t i = 0; i < g->ntags; i++) {
        XXH128_hash_t h = hash_tag(&g->tags[i]);
        uint64_t low = all[0] + h.low64;
        all[1] += h.high64 + (low < h.low64); /* 128-bit sum */
        all[0] = low;
    }
    XXH128_hash_t h = hash_main(g);
    all[2] = h.low64;
    all[3] = h.high64;
    if (!g->standard) {
        uint8_t board[XQ_SQUARES + 1];
        memcpy(board, g->start.at, XQ_SQUARES);
        board[XQ_SQUARES] = g->start.side;
        h = XXH3_128bits(board, sizeof board);
        all[4] = h.low64;
        all[5] = h.high64;
    }
    bool tree = g->has_variations || g->nnotes > 1;
    if (tree) {
        struct tree_hash t;
        t.n = 0;
        t.streaming = false;
        if (!tree_lines(&t, g))
            return (pgn_digest){0, 0};
        if (t.streaming) {
            tree_flush(&t);
            h = XXH3_128bits_digest(&t.state);
        } else {
            h = XXH3_128bits(t.buf, t.n);
        }
        all[6] = h.low64;
        all[7] = h.high64;
    }
    all[8] = g->ntags;
    all[9] = g->plies;
    all[10] = (uint64_t)g->result;
    all[11] = (uint64_t)g->standard << 1 | tree;
    h = hash_words(all, sizeof all / sizeof *all);
    return (pgn_digest){h.high64, h.low64};
}
