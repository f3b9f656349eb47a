/* fmt_cbl.c - the older library of CCBridge, "version 21": all games in one
 * zlib stream (formats reference 6.3).
 *
 *   "CCBridge", u32 21, u32, u32 unpacked size, zlib stream
 *   unpacked: five texts, 38 bytes of dates, u32 games, a text; then games
 *   game: u32 size of all of it, 32 squares, and what read_game reads
 *   text: u32 length, bytes
 *
 * The stream is unpacked as far as the next game needs, so that memory is one
 * game, and a size that lies costs nothing: room grows with bytes that are
 * there.  Places are offsets in the unpacked stream, behind the 20 bytes of
 * the header. */
#include "libpgn/binary.h"
#include "libpgn/bytes.h"
#include "libpgn/xqf.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define HEADER 20
/* Safety limit: the unpacked bytes of one game. */
#define RECORD_MAX ((size_t)32 << 20)
/* A record whose texts are empty and that has no moves. */
#define RECORD_MIN ((size_t)143)

struct pgn_unpack {
    z_stream z;
    bool open, ended, broken;
    uint8_t *s; /* unpacked: what is needed stands in [from, to) */
    size_t from, to, cap;
    uint64_t at;     /* offset in the stream of s[from] */
    uint32_t due, n; /* games that there should be; read so far */
    bool gave_up, surplus;
};

static void close_stream(struct pgn_unpack *u)
{
    if (u->open)
        inflateEnd(&u->z);
    u->open = false;
}

void pgn_unpack_free(struct pgn_unpack *u)
{
    if (!u)
        return;
    close_stream(u);
    free(u->s);
    free(u);
}

/* Have n unpacked bytes at u->s + u->from, or as many as there are; returns
 * how many.  False in *memory: there is none. */
static size_t need(struct pgn_unpack *u, size_t n, bool *memory)
{
    *memory = true;
    if (u->to - u->from < n && u->from) {
        memmove(u->s, u->s + u->from, u->to - u->from);
        u->to -= u->from;
        u->from = 0;
    }
    while (u->to - u->from < n && !u->ended) {
        if (u->cap - u->to < 1024) {
            const size_t cap = u->cap ? 2 * u->cap : 64 << 10;
            uint8_t *p = realloc(u->s, cap);
            if (!p) {
                *memory = false;
                return 0;
            }
            u->s = p;
            u->cap = cap;
        }
        u->z.next_out = u->s + u->to;
        u->z.avail_out = (uInt)(u->cap - u->to);
        const int rc = inflate(&u->z, Z_NO_FLUSH);
        u->to = (size_t)(u->z.next_out - u->s);
        if (rc != Z_OK) {
            u->ended = true;
            u->broken =
                rc != Z_STREAM_END && (rc != Z_BUF_ERROR || u->z.avail_in > 0);
        }
    }
    return u->to - u->from < n ? u->to - u->from : n;
}

static void take(struct pgn_unpack *u, size_t n)
{
    u->from += n;
    u->at += n;
}

/* ---- pieces of a record ---- */

/* What is left to read of a record; `bad` when a size went beyond it. */
struct cursor {
    const uint8_t *s;
    size_t n, i;
    bool bad;
};

static const uint8_t *get(struct cursor *c, size_t n)
{
    static const uint8_t NOTHING[64];
    if (n > c->n - c->i || c->bad) {
        c->bad = true;
        return NOTHING; /* all that is asked for unseen is shorter */
    }
    c->i += n;
    return c->s + c->i - n;
}

static uint32_t get_u32(struct cursor *c) { return pgn_u32(get(c, 4)); }

struct text {
    const uint8_t *s;
    size_t n, at;
};

static struct text get_text(struct cursor *c)
{
    struct text t = {NULL, get_u32(c), c->i};
    if (t.n > c->n - c->i)
        c->bad = true;
    if (c->bad)
        t.n = 0;
    t.s = get(c, t.n);
    return t;
}

/* ---- the library ---- */

/* Over the library's own texts to the number of games. */
static bool read_library(pgn_reader *r, struct pgn_unpack *u)
{
    bool memory;
    for (int i = 0; i < 6; i++) {
        size_t n = i < 5 ? 4 : 38 + 4 + 4;
        if (need(u, n, &memory) < n) {
            r->failed = r->failed || !memory;
            return false;
        }
        const uint8_t *p = u->s + u->from;
        const size_t len = pgn_u32(p + n - 4);
        if (i == 5)
            u->due = pgn_u32(p + 38);
        take(u, n);
        if (len > RECORD_MAX || need(u, len, &memory) < len) {
            r->failed = r->failed || !memory;
            return false;
        }
        take(u, len);
    }
    return true;
}

static bool begin(pgn_reader *r)
{
    struct pgn_binary *b = r->binary;
    if (!b->unpack && !(b->unpack = calloc(1, sizeof *b->unpack))) {
        r->failed = true;
        return false;
    }
    struct pgn_unpack *u = b->unpack;
    uint8_t *s = u->s;
    const size_t cap = u->cap;
    close_stream(u);
    *u = (struct pgn_unpack){.s = s, .cap = cap};
    u->z.next_in = (Bytef *)(uintptr_t)(r->raw + HEADER);
    u->z.avail_in = (uInt)(r->nraw - HEADER);
    if (inflateInit(&u->z) != Z_OK) {
        r->failed = true;
        return false;
    }
    u->open = true;
    return read_library(r, u);
}

/* ---- a game ---- */

/* High nibble file + 1, low nibble row + 1 from the top; 0: taken. */
static bool read_board(const uint8_t *s, uint8_t at[XQ_SQUARES])
{
    bool good = true;
    memset(at, 0, XQ_SQUARES);
    for (unsigned i = 0; i < 32; i++) {
        const unsigned file = s[i] >> 4, row = s[i] & 15;
        if (s[i] == 0)
            continue;
        if (file < 1 || file > 9 || row < 1 || row > 10) {
            good = false;
            continue;
        }
        uint8_t *to = &at[xq_sq_of((int)file - 1, 10 - (int)row)];
        good = good && *to == XQ_EMPTY;
        *to = xq_piece_of(i < 16 ? XQ_RED : XQ_BLACK,
                          (xq_kind)pgn_xqf_slots[i % 16]);
    }
    return good;
}

static xq_sq square_of(uint8_t v)
{
    const unsigned file = v >> 4, row = v & 15;
    return file < 9 && row < 10 ? xq_sq_of((int)file, 9 - (int)row) : XQ_NOSQ;
}

/* All of a record but its moves. */
struct record {
    const uint8_t *board;
    uint32_t kind, round, result, plies;
    uint8_t side;
    struct text text[13];
    const uint8_t *dates;
    size_t dates_at;
};

static const char *const TAGS[13] = {
    "Event",    "Title",        "Source", NULL,        "Site",
    "Date",     "Red",          "Black",  "Annotator", "AnnotatorMail",
    "Recorder", "RecorderMail", "Remark"};

static void read_head(struct cursor *c, struct record *g)
{
    g->board = get(c, 32);
    g->kind = get_u32(c);
    g->text[0] = get_text(c);
    g->round = get_u32(c);
    for (int i = 1; i < 8; i++)
        g->text[i] = get_text(c);
    g->result = get_u32(c);
    for (int i = 8; i < 13; i++)
        g->text[i] = get_text(c);
    g->side = *get(c, 1);
    g->dates_at = c->i;
    g->dates = get(c, 38);
    g->plies = get_u32(c);
}

/* `path` holds the node of each ply of the line read last. */
static bool put_move(pgn_reader *r, uint32_t *path, uint32_t *ply,
                     const uint8_t *p, size_t at)
{
    struct pgn_binary *b = r->binary;
    const uint32_t k = pgn_u16(p);
    if (k == 0 || k > *ply + 1)
        return false;
    const uint32_t i = pgn_stored_add(r, square_of(p[2]), square_of(p[3]), at);
    if (!i)
        return false;
    if (k == *ply + 1)
        b->v[path[k - 1]].next = i;
    else /* the line read last has the last of the alternatives */
        b->v[path[k]].alt = i;
    path[k] = i;
    *ply = k;
    return true;
}

/* Moves; false when a ply number fits nowhere. */
static bool read_moves(pgn_reader *r, struct cursor *c, uint32_t n)
{
    uint32_t ply = 0;
    const uint32_t room = n < UINT16_MAX ? n : UINT16_MAX;
    uint32_t *path = xq_arena_calloc(&r->arena, (size_t)room + 2, sizeof *path);
    bool good = path != NULL;
    r->failed = r->failed || !path;
    for (uint32_t i = 0; good && i < n; i++) {
        const size_t at = c->i;
        good = put_move(r, path, &ply, get(c, 6), at);
    }
    return good;
}

/* A line for each move, ended by CR LF; empty where there is no comment. */
static void read_comments(pgn_reader *r, struct cursor *c)
{
    struct pgn_binary *b = r->binary;
    for (uint32_t i = 1; i < b->n && c->i < c->n; i++) {
        const uint8_t *p = c->s + c->i;
        const uint8_t *end = memchr(p, '\n', c->n - c->i);
        size_t n = end ? (size_t)(end - p) : c->n - c->i;
        const size_t step = n + (end != NULL);
        if (n && p[n - 1] == '\r')
            n--;
        b->v[i].text = c->i;
        b->v[i].ntext = (uint32_t)n;
        if (n)
            pgn_binary_sample(r, p, n);
        c->i += step;
    }
}

static void read_tags(pgn_reader *r, const struct record *g)
{
    static const char *const KINDS[] = {NULL, NULL, "opening", "middle game",
                                        "endgame"};
    for (int i = 0; i < 13; i++)
        if (TAGS[i])
            pgn_binary_tag(r, TAGS[i], g->text[i].s, g->text[i].n,
                           i == 12 ? PGN_TEXT_BARS : 0, g->text[i].at);
    pgn_binary_tag(r, "Created", g->dates, 19, PGN_TEXT_CUT, g->dates_at);
    pgn_binary_tag(r, "Modified", g->dates + 19, 19, PGN_TEXT_CUT,
                   g->dates_at + 19);
    if (g->kind < 5 && KINDS[g->kind])
        pgn_build_tag(r, xq_str_of("Type"), xq_str_of(KINDS[g->kind]),
                      g->dates_at);
}

/* How long the record at s is by what it holds, which is at most n: its texts
 * have lengths, its moves a number, and each move has a line of comment.  0: it
 * does not end there. */
static size_t length_of(const uint8_t *s, size_t n)
{
    struct cursor c = {s, n, 4, false};
    struct record g = {0};
    if (n < RECORD_MIN)
        return 0;
    read_head(&c, &g);
    if (c.bad || g.plies > (n - c.i) / 6)
        return 0;
    const uint8_t *p = s + c.i + 6 * (size_t)g.plies;
    for (uint32_t i = 0; i < g.plies; i++) {
        p = memchr(p, '\n', (size_t)(s + n - p));
        if (!p)
            return 0;
        p++;
    }
    return (size_t)(p - s);
}

/* Does a record begin at s, or the library end there? */
static bool may_follow(const uint8_t *s, size_t n)
{
    uint8_t at[XQ_SQUARES];
    const uint32_t size = n < 36 ? 0 : pgn_u32(s);
    return n == 0 ||
           (size >= RECORD_MIN && size <= RECORD_MAX && read_board(s + 4, at));
}

/* What is wrong with a record, beside its moves. */
enum fault { NO_FAULT, WRONG_SIZE, CUT, DAMAGED, SURPLUS };

/* The record of n bytes at s. */
static void read_game(pgn_reader *r, const uint8_t *s, size_t n,
                      enum fault fault)
{
    static const pgn_result RESULTS[] = {PGN_UNKNOWN, PGN_RED_WINS,
                                         PGN_BLACK_WINS, PGN_DRAW};
    const struct pgn_unpack *u = r->binary->unpack;
    struct cursor c = {s, n, 4, false};
    struct record g = {0};
    bool moves = true;
    read_head(&c, &g);
    const bool head = !c.bad;
    uint32_t plies = head ? g.plies : 0;
    const bool fits = plies <= (n - c.i) / 6;
    if (!fits)
        plies = (uint32_t)((n - c.i) / 6);
    if (head) {
        /* the arena is emptied when the game begins */
        xq_arena_reset(&r->arena);
        moves = read_moves(r, &c, plies);
        read_comments(r, &c);
        for (int i = 0; i < 13; i++)
            pgn_binary_sample(r, g.text[i].s, g.text[i].n);
    }
    pgn_binary_start(r, 0, pgn_binary_judge(r, PGN_ENC_GB18030));
    if (r->failed)
        return;
    pgn_setup setup = {.side = g.side == 0 && head ? XQ_BLACK : XQ_RED,
                       .round = g.round,
                       .result =
                           g.result < 4 ? RESULTS[g.result] : PGN_UNKNOWN};
    if (head)
        read_tags(r, &g);
    if (fault == CUT || fault == DAMAGED)
        pgn_binary_damaged(r, n, "%s: %u of %u games are there",
                           fault == CUT ? "the library ends inside the game"
                                        : "the packed data is damaged",
                           (unsigned)u->n, (unsigned)u->due);
    else if (!fits || c.bad)
        pgn_binary_damaged(r, n, "a size goes beyond the game's record");
    else if (!moves)
        pgn_binary_damaged(r, r->binary->v[r->binary->n - 1].at,
                           "the next ply number fits nowhere");
    else if (fault == WRONG_SIZE)
        pgn_binary_damaged(
            r, 0, "the size of the record is wrong, it has %zu bytes", n);
    else if (fault == SURPLUS)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, 0, 0,
                          (xq_str){NULL, 0},
                          "the library says that it has %u games: more follow",
                          (unsigned)u->due);
    if (!head) {
        pgn_build_setup(r);
        pgn_build_marker(r, PGN_UNKNOWN, 0);
    } else {
        if (!read_board(g.board, setup.at))
            pgn_build_problem(r, PGN_WARNING, PGN_P_FEN, 4, 0,
                              (xq_str){NULL, 0},
                              "squares of pieces that are none, or taken "
                              "twice");
        pgn_binary_setup(r, &setup, 4);
        pgn_binary_play(r, s, PGN_TEXT_BARS);
    }
    pgn_build_finish(r, n);
}

/* Games that are not there, to say so. */
static void lost_games(pgn_reader *r, const struct pgn_unpack *u,
                       const char *why)
{
    pgn_binary_start(r, 0, PGN_ENC_UTF8);
    if (u->due)
        pgn_binary_damaged(r, 0, "%s: %u of %u games are there", why,
                           (unsigned)u->n, (unsigned)u->due);
    else
        pgn_binary_damaged(r, 0, "%s before its first game", why);
    pgn_build_setup(r);
    pgn_build_marker(r, PGN_UNKNOWN, 0);
    pgn_build_finish(r, 0);
}

/* A record that does not fit what it says of its size: does what it holds tell
 * where it ends?  0: no. */
static size_t find_length(struct pgn_unpack *u, bool *memory)
{
    for (size_t want = 64 << 10;; want *= 2) {
        const size_t n = need(u, want, memory);
        const size_t length = *memory ? length_of(u->s + u->from, n) : 0;
        if (length || n < want || want >= RECORD_MAX)
            return length;
    }
}

/* The length of the next record, and whether all of it is there.  0: its size
 * is wrong, and nothing tells its length. */
static size_t record_length(struct pgn_unpack *u, enum fault *fault,
                            bool *memory)
{
    const size_t size = pgn_u32(u->s + u->from);
    const size_t want = size < RECORD_MIN   ? RECORD_MIN
                        : size > RECORD_MAX ? RECORD_MAX
                                            : size;
    size_t n = need(u, want, memory);
    *fault = NO_FAULT;
    if (*memory && n == size && length_of(u->s + u->from, n) == size)
        return n; /* nearly all */
    const size_t length = *memory ? find_length(u, memory) : 0;
    if (!*memory)
        return 0;
    if (length && length != size) {
        /* what is in doubt is which of the two another record follows */
        const size_t both = (size > length ? size : length) + 36;
        const size_t got =
            need(u, both < RECORD_MAX ? both : length + 36, memory);
        if (!*memory)
            return 0;
        const uint8_t *s = u->s + u->from;
        const bool by_size = size >= RECORD_MIN && got >= size &&
                             may_follow(s + size, got - size);
        if (!by_size && may_follow(s + length, got - length)) {
            *fault = WRONG_SIZE;
            return length;
        }
    }
    n = need(u, want, memory);
    if (n < want) {
        *fault = u->broken ? DAMAGED : CUT;
        return n;
    }
    return size == want ? n : 0;
}

/* The next record, or what is wrong instead.  False: no more. */
static bool read_next(pgn_reader *r, bool library)
{
    struct pgn_unpack *u = r->binary->unpack;
    bool memory = true;
    enum fault fault = NO_FAULT;
    if (u->gave_up)
        return false;
    r->plain_at = HEADER + u->at;
    const size_t got = library ? need(u, 36, &memory) : 0;
    const bool surplus = library && u->n >= u->due;
    if (surplus && memory && (got < 36 || !may_follow(u->s + u->from, got)))
        return false;
    if (got < 4) {
        u->gave_up = true;
        if (memory)
            lost_games(r, u,
                       u->broken ? "the packed data is damaged"
                                 : "the library ends early");
    } else {
        const size_t n = record_length(u, &fault, &memory);
        u->gave_up = n == 0 || fault == CUT || fault == DAMAGED;
        if (surplus && fault == NO_FAULT && !u->surplus) {
            u->surplus = true;
            fault = SURPLUS;
        }
        if (memory && n == 0) {
            lost_games(r, u, "the size of the next record is wrong");
        } else if (memory) {
            u->n++;
            read_game(r, u->s + u->from, n, fault);
        }
        take(u, n);
    }
    r->failed = r->failed || !memory;
    return true;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    bool library = true;
    if (r->at >= r->nraw)
        return XQ_DONE;
    if (!pgn_binary_reset(r))
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (r->at == 0) {
        r->at = HEADER;
        library = begin(r);
    }
    const bool more = !r->failed && read_next(r, library);
    if (r->failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (!more) {
        close_stream(r->binary->unpack);
        r->at = r->nraw;
        return XQ_DONE;
    }
    r->game.notation = PGN_ICCS;
    return XQ_OK;
}

const pgn_fmt pgn_fmt_cbl = {PGN_FMT_CBL, next};
