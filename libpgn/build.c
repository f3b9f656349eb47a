/* build.c - a game grows: tags, start position, moves, variations, notes,
 * result, and what is wrong with each.
 *
 * The arrays of the game belong to the reader and are kept from game to game,
 * so that a steady stream of games allocates nothing. */
#include "libpgn/reader_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more in a growing array.  False: no memory. */
static bool room(pgn_reader *r, void *array, uint32_t n, uint32_t *cap,
                 size_t size)
{
    if (n < *cap)
        return true;
    void *old;
    memcpy(&old, array, sizeof old);
    if (n > UINT32_MAX / 2 || (size_t)n > SIZE_MAX / 4 / size) {
        r->failed = true;
        return false;
    }
    uint32_t more = *cap ? 2 * *cap : 64;
    void *p = realloc(old, more * size);
    if (!p) {
        r->failed = true;
        return false;
    }
    memcpy(array, &p, sizeof p);
    *cap = more;
    return true;
}

void pgn_build_start(pgn_reader *r, size_t at)
{
    pgn_game *g = &r->game;
    const pgn_game old = *g;
    xq_arena_reset(&r->arena);
    memset(g, 0, sizeof *g);
    g->tags = old.tags;
    g->main = old.main;
    g->nodes = old.nodes;
    g->notes = old.notes;
    g->problems = old.problems;
    g->nnotes = 1;
    g->number = ++r->games;
    g->encoding = r->block_enc;
    if (!room(r, &g->nodes, 1, &r->capnodes, sizeof *g->nodes) ||
        !room(r, &g->notes, 1, &r->capnotes, sizeof *g->notes) ||
        !room(r, &g->main, 1, &r->capmain, sizeof *g->main) ||
        !room(r, &g->tags, 1, &r->captags, sizeof *g->tags))
        return;
    memset(&g->nodes[0], 0, sizeof g->nodes[0]);
    memset(&g->notes[0], 0, sizeof g->notes[0]);
    g->nnodes = 1;

    r->begin = at;
    pgn_block_where(r, at, &g->byte, &g->line);
    r->begin_raw = r->mark_lines_raw;
    r->begin_line = r->mark_line;
    r->depth = 0;
    r->unplayed = 0;
    memset(r->written, 0, sizeof r->written);
    r->traditional = r->simplified = 0;
    r->hint = r->format = PGN_NOTATION_ANY;
    r->marker = false;
    r->broken = false;
    for (unsigned i = 0; i < PGN_TAGS; i++)
        r->tag[i].index = UINT32_MAX;
    r->setup = r->fen_given = r->ours_given = false;

    pgn_line *l = &r->line;
    l->pos = r->standard;
    l->last = l->count = l->ply = 0;
    l->note_tail = l->pending = l->alt_tail = l->owner = 0;
    l->dead = false;
}

/* ---- problems ---- */

XQ_PRINTF(8, 0)
static void problem_v(pgn_reader *r, pgn_level level, pgn_problem_kind kind,
                      uint64_t byte, uint64_t line, uint32_t ply, xq_str text,
                      const char *fmt, va_list ap)
{
    pgn_game *g = &r->game;
    if (level == PGN_ERROR)
        g->faulty = true;
    if (!room(r, &g->problems, g->nproblems, &r->capproblems,
              sizeof *g->problems))
        return;
    char msg[512];
    int n = vsnprintf(msg, sizeof msg, fmt, ap);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof msg ? (size_t)n : sizeof msg - 1;
    if (n > 0 && (size_t)n >= sizeof msg) /* cut at a character's begin */
        while (len > 0 && ((unsigned char)msg[len] & 0xC0) == 0x80)
            len--;
    xq_str message = xq_arena_copy(&r->arena, (xq_str){msg, len});
    if (!message.s) {
        r->failed = true;
        return;
    }
    g->problems[g->nproblems++] = (pgn_problem){
        .level = level,
        .kind = kind,
        .line = line,
        .byte = byte,
        .ply = ply,
        .text = text,
        .message = message,
    };
}

void pgn_build_problem_at(pgn_reader *r, pgn_level level, pgn_problem_kind kind,
                          uint64_t byte, uint64_t line, uint32_t ply,
                          xq_str text, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    problem_v(r, level, kind, byte, line, ply, text, fmt, ap);
    va_end(ap);
}

void pgn_build_problem(pgn_reader *r, pgn_level level, pgn_problem_kind kind,
                       size_t at, uint32_t ply, xq_str text, const char *fmt,
                       ...)
{
    uint64_t byte = 0, line = 0;
    pgn_block_where(r, at, &byte, &line);
    va_list ap;
    va_start(ap, fmt);
    problem_v(r, level, kind, byte, line, ply, text, fmt, ap);
    va_end(ap);
}

/* For messages: at most so much of a text a user may have written. */
static int shown(xq_str s)
{
    size_t n = s.n < 60 ? s.n : 60;
    while (n > 0 && n < s.n && ((unsigned char)s.s[n] & 0xC0) == 0x80)
        n--;
    return (int)n;
}

/* ---- tags, start position ---- */

/* The tags that the reader itself looks at. */
static const xq_str SPECIAL[PGN_TAGS] = {
    [PGN_TAG_RESULT] = {"Result", 6}, [PGN_TAG_FEN] = {"FEN", 3},
    [PGN_TAG_GAME] = {"Game", 4},     [PGN_TAG_VARIANT] = {"Variant", 7},
    [PGN_TAG_FORMAT] = {"Format", 6}};

void pgn_build_tag(pgn_reader *r, xq_str name, xq_str value, size_t at)
{
    pgn_game *g = &r->game;
    if (!room(r, &g->tags, g->ntags, &r->captags, sizeof *g->tags))
        return;
    for (unsigned i = 0; i < PGN_TAGS; i++)
        if (name.n == SPECIAL[i].n && xq_str_eq_nocase(name, SPECIAL[i])) {
            if (r->tag[i].index == UINT32_MAX)
                r->tag[i] = (struct pgn_tag_place){g->ntags, at};
            break;
        }
    g->tags[g->ntags++] = (pgn_tag){name, value};
}

/* The value of a tag that the reader looks at; empty when there is none. */
static xq_str tag_value(const pgn_reader *r, enum pgn_special_tag t)
{
    uint32_t i = r->tag[t].index;
    return i < r->game.ntags ? r->game.tags[i].value : (xq_str){NULL, 0};
}

/* Letters and digits in lower case, everything else of ASCII dropped; what is
 * longer than `out` is cut. */
static void plain_name(xq_str s, char out[64])
{
    size_t n = 0;
    for (size_t i = 0; i < s.n && n < 63; i++) {
        char c = s.s[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 32);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c & 0x80)
            out[n++] = c;
    }
    out[n] = 0;
}

static bool in_list(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

/* What Variant and Game may say of our game, as plain_name writes it. */
static const char *const OURS[] = {
    "", "xiangqi", "xianqi", "chinesechess", "cchess", "chinesechessxiangqi",
    "xiangqichinesechess", "cnchess", "象棋", "中国象棋", "中國象棋", "normal",
    "standard", "orthodox", NULL};

/* And of others: a name that is in neither list decides nothing. */
static const char *const OTHERS[] = {
    "jieqi", "jiequi", "darkxiangqi", "darkchinesechess", "揭棋", "暗棋",
    "翻翻棋", "盲棋", "banqi", "minixiangqi", "manchu", "supply", "janggi",
    "changgi", "koreanchess", "shogi", "japanesechess", "将棋", "將棋",
    "makruk", "sittuyin", "shatranj", "chess", "internationalchess",
    "westernchess", "国际象棋", "國際象棋", "chess960", "fischerandom",
    "fischerrandom", "fischerrandomchess", "freestyle", "crazyhouse",
    "bughouse", "atomic", "antichess", "suicide", "giveaway", "losers",
    "horde", "racingkings", "kingofthehill", "threecheck", "3check",
    "seirawan", "schess", "capablanca", "gothic", "grand", "go", "weiqi",
    "围棋", "圍棋", "gomoku", "五子棋", "军棋", "checkers", "draughts", NULL};

/* Variant and Game say that it is another game. */
static bool other_game(pgn_reader *r)
{
    static const enum pgn_special_tag TAGS[2] = {PGN_TAG_VARIANT, PGN_TAG_GAME};
    for (unsigned i = 0; i < 2; i++) {
        enum pgn_special_tag t = TAGS[i];
        xq_str v = tag_value(r, t);
        if (!v.n)
            continue;
        char name[64];
        plain_name(v, name);
        if (in_list(OURS, name)) {
            r->ours_given = name[0] != 'n' && name[0] != 's' && name[0] != 'o';
            continue;
        }
        if (in_list(OTHERS, name)) {
            pgn_build_skip(r, r->tag[t].at, v, SPECIAL[t].s);
            return true;
        }
        if (t == PGN_TAG_VARIANT)
            pgn_build_problem(r, PGN_WARNING, PGN_P_VARIANT, r->tag[t].at, 0, v,
                              "unknown variant \"%.*s\", read as Xiangqi",
                              shown(v), v.s);
    }
    return false;
}

void pgn_build_drop_moves(pgn_reader *r)
{
    pgn_game *g = &r->game;
    if (g->nproblems)
        g->nproblems--;
    g->plies = 0;
    g->nnodes = 1;
    g->nodes[0].next = g->nodes[0].notes = 0;
    g->nnotes = 1;
    g->has_variations = false;
    memset(r->written, 0, sizeof r->written);
    r->line.dead = true;
    r->broken = true;
}

void pgn_build_skip(pgn_reader *r, size_t at, xq_str what, const char *where)
{
    r->game.skipped = true;
    pgn_build_problem(r, PGN_ERROR, PGN_P_VARIANT, at, 0, what,
                      "not a Xiangqi game: %s is \"%.*s\"; skipped", where,
                      shown(what), what.s);
}

/* Format names a notation as the command line does ("ICCS", "WXF", "SAN10",
 * ...), in any case. */
static void use_format(pgn_reader *r)
{
    xq_str v = tag_value(r, PGN_TAG_FORMAT);
    char name[16] = "";
    if (!v.n || v.n >= sizeof name)
        return;
    for (size_t i = 0; i < v.n; i++)
        name[i] = v.s[i] >= 'A' && v.s[i] <= 'Z' ? (char)(v.s[i] | 32) : v.s[i];
    pgn_notation n = pgn_notation_of(name);
    if (n > PGN_NOTATION_ANY && n < PGN_NOTATIONS)
        r->hint = r->format = n;
}

/* Ranks of the board of a FEN: 8 are chess. */
static unsigned ranks_of(xq_str fen)
{
    unsigned n = 1;
    for (size_t i = 0; i < fen.n && fen.s[i] != ' '; i++)
        n += fen.s[i] == '/';
    return n;
}

static bool use_fen(pgn_reader *r, xq_str fen)
{
    pgn_game *g = &r->game;
    static const char START[] = XQ_FEN_START;
    if (fen.n == sizeof START - 1 && memcmp(fen.s, START, fen.n) == 0)
        return true; /* the usual start position is set already */
    unsigned flags = 0;
    xq_err e = {0};
    xq_status rc = xq_fen_parse(&r->line.pos, fen, &flags, &e);
    if (rc < 0) {
        r->line.pos = r->standard;
        if (ranks_of(fen) == 8) {
            pgn_build_skip(r, r->tag[PGN_TAG_FEN].at, fen, "FEN");
            return false;
        }
        pgn_build_problem(r, PGN_ERROR, PGN_P_FEN, r->tag[PGN_TAG_FEN].at, 0, fen,
                          "start position refused: %s", e.msg);
        return false;
    }
    g->start = r->line.pos;
    g->standard = g->start.key == r->standard.key;
    static const struct {
        unsigned bit;
        const char *text;
    } ODD[] = {
        {XQ_FEN_NO_SIDE, "FEN names no side to move, Red assumed"},
        {XQ_FEN_TRAILING, "text behind the last field of the FEN ignored"},
        {XQ_FEN_COUNTERS, "counters of the FEN unreadable, 0 and 1 assumed"}};
    for (size_t i = 0; i < sizeof ODD / sizeof *ODD; i++)
        if (flags & ODD[i].bit)
            pgn_build_problem(r, PGN_WARNING, PGN_P_FEN, r->tag[PGN_TAG_FEN].at, 0, fen,
                              "%s", ODD[i].text);
    unsigned it = 0;
    char msg[128];
    bool strict = r->opts.strict_fen, odd = false;
    while (xq_pos_odd(&g->start, &it, msg)) {
        odd = true;
        pgn_build_problem(r, strict ? PGN_ERROR : PGN_WARNING, PGN_P_FEN,
                          r->tag[PGN_TAG_FEN].at, 0, fen, "odd start position: %s", msg);
    }
    return !(odd && strict);
}

bool pgn_build_setup(pgn_reader *r)
{
    pgn_game *g = &r->game;
    r->setup = true;
    g->start = r->standard;
    g->standard = true;
    bool ours = !other_game(r);
    if (ours) {
        use_format(r);
        xq_str fen = tag_value(r, PGN_TAG_FEN);
        r->fen_given = fen.n > 0;
        if (fen.n)
            ours = use_fen(r, fen);
    }
    if (!ours) {
        r->line.dead = true;
        r->broken = true;
    }
    return ours;
}

/* ---- moves ---- */

/* Make the node of a move the last of the current line. */
static bool add_node(pgn_reader *r, xq_move m)
{
    pgn_game *g = &r->game;
    pgn_line *l = &r->line;
    if (!room(r, &g->nodes, g->nnodes, &r->capnodes, sizeof *g->nodes))
        return false;
    uint32_t i = g->nnodes++;
    g->nodes[i] = (pgn_node){.move = m};
    l->note_tail = 0;
    if (r->depth > 0 && l->count == 0) {
        /* another move for what the line around this one played last: into
         * the list of alternatives to that, wherever it began */
        pgn_line *owner = &r->stack[r->stack[r->depth - 1].owner];
        g->nodes[owner->alt_tail].alt = i;
        owner->alt_tail = i;
        l->owner = r->stack[r->depth - 1].owner;
        if (l->pending) {
            g->nodes[i].notes = l->pending;
            uint32_t t = l->pending;
            while (g->notes[t].next)
                t = g->notes[t].next;
            l->note_tail = t;
            l->pending = 0;
        }
        g->has_variations = true;
    } else {
        g->nodes[l->last].next = i;
        l->owner = r->depth;
        l->alt_tail = i;
    }
    l->last = i;
    return true;
}

void pgn_build_play(pgn_reader *r, xq_move m)
{
    pgn_game *g = &r->game;
    pgn_line *l = &r->line;
    if (r->depth == 0) {
        if (!room(r, &g->main, g->plies, &r->capmain, sizeof *g->main))
            return;
        g->main[g->plies++] = m;
    }
    if (!add_node(r, m))
        return;
    xq_pos_make(&l->pos, m, &l->undo);
    l->count++;
    l->ply++;
}

/* Code points that only one script has, of those in moves. */
static int script_of(uint32_t cp)
{
    switch (cp) {
    case 0x9032: case 0x99AC: case 0x508C: case 0x8ECA: case 0x4FE5:
    case 0x5E25: case 0x5C07: case 0x5F8C: case 0x7832:
        return 1; /* 進 馬 傌 車 俥 帥 將 後 砲 */
    case 0x8FDB: case 0x9A6C: case 0x8F66: case 0x5E05: case 0x5C06:
        return -1; /* 进 马 车 帅 将 */
    default:
        return 0;
    }
}

/* In which notation was `text` written, which turned out to be m?  By its
 * looks; only what hints and the writer's choice rest on. */
static pgn_notation notation_of(pgn_reader *r, xq_str text, xq_move m)
{
    char plain[8]; /* full-width ASCII made narrow */
    size_t n = 0, i = 0;
    bool chinese = false;
    int script = 0;
    while (i < text.n && n < sizeof plain) {
        size_t len = 1;
        uint32_t cp = pgn_utf8_next(text.s + i, text.n - i, &len);
        if (cp >= 0xFF01 && cp <= 0xFF5E)
            cp = cp - 0xFF01 + '!';
        i += len;
        if (cp >= 0x80) {
            chinese = chinese || cp >= 0x3000;
            script += script_of(cp);
        }
        plain[n++] = cp < 0x80 ? (char)cp : '?';
    }
    if (chinese) {
        r->traditional += script > 0;
        r->simplified += script < 0;
        return PGN_CHINESE;
    }
    char iccs[5], low[8];
    xq_move_format(m, iccs);
    size_t k = 0;
    bool equals = false, dir = false;
    for (size_t j = 0; j < n; j++) {
        char c = plain[j];
        equals = equals || c == '=';
        dir = dir || (j > 0 && (c == '=' || c == '.' ||
                                ((c == '+' || c == '-') && j + 1 < n &&
                                 plain[j + 1] >= '0' && plain[j + 1] <= '9')));
        if (c != '-' && c != '?')
            low[k++] = c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
    }
    if (k >= 4 && memcmp(low, iccs, 4) == 0)
        return PGN_ICCS;
    if (k >= 4 && low[0] == iccs[0] && low[1] >= '0' && low[1] <= '9')
        return PGN_UCI10;
    if (equals)
        return PGN_FAIRY;
    if (dir)
        return PGN_WXF;
    /* SAN: the rank of the target, written last, tells 0-9 from 1-10 */
    unsigned rank = 0, scale = 1;
    while (n > 0 && (plain[n - 1] < '0' || plain[n - 1] > '9'))
        n--;
    while (n > 0 && plain[n - 1] >= '0' && plain[n - 1] <= '9') {
        rank += scale * (unsigned)(plain[--n] - '0');
        scale *= 10;
    }
    return rank == xq_rank_of[xq_move_to(m)] + 1u ? PGN_SAN10 : PGN_SAN;
}

static void note_written(pgn_reader *r, xq_str text, xq_move m)
{
    pgn_notation n = notation_of(r, text, m);
    r->written[n]++;
    /* the Format tag is worth some moves: h3e3 may be either, and is what the
     * tag says until many moves contradict it */
    uint32_t weight = r->hint == r->format ? 16 : 0;
    if (r->hint == PGN_NOTATION_ANY ||
        r->written[n] > r->written[r->hint] + weight)
        r->hint = n;
}

/* The first move of the game cannot be played: can the other side play it?
 * Then the FEN names the wrong side (formats reference 2.8). */
static bool other_side_moves(pgn_reader *r, xq_str text, size_t at)
{
    pgn_line *l = &r->line;
    if (r->depth > 0 || l->ply > 0)
        return false;
    xq_pos p = l->pos;
    xq_pos_pass(&p);
    xq_move m = XQ_NOMOVE;
    if (pgn_move_read(&p, text, r->hint, &m, NULL, NULL) != XQ_OK)
        return false;
    bool fen = r->fen_given;
    const char *side = p.side == XQ_RED ? "Red" : "Black";
    pgn_build_problem(r, PGN_WARNING, PGN_P_FEN, fen ? r->tag[PGN_TAG_FEN].at : at, 0, text,
                      fen ? "FEN names the other side, but %s moves first"
                          : "%s moves first",
                      side);
    l->pos = p;
    r->game.start = p;
    r->game.standard = false;
    note_written(r, text, m);
    pgn_build_play(r, m);
    return true;
}

static void bad_move(pgn_reader *r, xq_status rc, xq_str text, size_t at,
                     const char *why)
{
    pgn_line *l = &r->line;
    pgn_problem_kind kind = rc == XQ_EILLEGAL     ? PGN_P_ILLEGAL
                            : rc == XQ_EAMBIGUOUS ? PGN_P_AMBIGUOUS
                                                  : PGN_P_MOVE;
    uint32_t round = (l->ply + (r->game.start.side == XQ_BLACK)) / 2 + 1;
    const char *side = l->pos.side == XQ_RED ? "Red" : "Black";
    if (r->depth == 0) {
        r->broken = true;
        pgn_build_problem(r, PGN_ERROR, kind, at, l->ply + 1, text,
                          "move %u (%s) \"%.*s\": %s; kept %u %s",
                          (unsigned)round, side, shown(text), text.s, why,
                          (unsigned)l->ply, l->ply == 1 ? "ply" : "plies");
    } else {
        pgn_build_problem(r, PGN_ERROR, kind, at, l->ply + 1, text,
                          "move %u (%s) \"%.*s\" of a variation: %s",
                          (unsigned)round, side, shown(text), text.s, why);
    }
    l->dead = true;
}

bool pgn_build_move(pgn_reader *r, xq_str text, size_t at)
{
    pgn_line *l = &r->line;
    if (l->dead)
        return false;
    xq_move m = XQ_NOMOVE;
    xq_err e = {0};
    xq_status rc = pgn_move_read(&l->pos, text, r->hint, &m, NULL, &e);
    if (rc == XQ_OK) {
        note_written(r, text, m);
        pgn_build_play(r, m);
        return true;
    }
    if (other_side_moves(r, text, at))
        return true;
    bad_move(r, rc, text, at, e.msg);
    return false;
}

/* ---- variations ---- */

void pgn_build_enter(pgn_reader *r, size_t at)
{
    pgn_line *l = &r->line;
    if (r->unplayed || l->dead || l->count == 0 || r->opts.main_only) {
        if (!r->unplayed && !l->dead && !r->opts.main_only)
            pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at, l->ply,
                              (xq_str){NULL, 0},
                              "variation before any move, passed over");
        r->unplayed++;
        return;
    }
    if (!room(r, &r->stack, r->depth, &r->capstack, sizeof *r->stack))
        return;
    r->stack[r->depth++] = *l;
    xq_pos_unmake(&l->pos, &l->undo);
    l->last = 0;
    l->count = 0;
    l->ply--;
    l->note_tail = l->pending = l->alt_tail = 0;
    l->at = at;
}

bool pgn_build_leave(pgn_reader *r, size_t at)
{
    if (r->unplayed) {
        r->unplayed--;
        return true;
    }
    if (r->depth == 0)
        return false;
    pgn_line *l = &r->line;
    uint32_t lost = 0;
    if (l->count == 0 && !l->dead) {
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at, l->ply,
                          (xq_str){NULL, 0}, "variation without a move");
        lost = l->pending;
    }
    *l = r->stack[--r->depth];
    /* what was said in a variation without moves is said of the move */
    for (pgn_note *notes = r->game.notes; lost;) {
        pgn_note *n = &notes[lost];
        if (l->note_tail)
            notes[l->note_tail].next = lost;
        else
            r->game.nodes[l->last].notes = lost;
        if (n->kind == PGN_NOTE_BEFORE)
            n->kind = PGN_NOTE_AFTER;
        l->note_tail = lost;
        lost = n->next;
    }
    return true;
}

/* ---- notes ---- */

static void add_note(pgn_reader *r, pgn_note_kind kind, uint32_t nag,
                     xq_str text)
{
    pgn_game *g = &r->game;
    pgn_line *l = &r->line;
    if (l->dead || r->unplayed || r->opts.main_only)
        return;
    if (!room(r, &g->notes, g->nnotes, &r->capnotes, sizeof *g->notes))
        return;
    uint32_t i = g->nnotes++;
    bool before = r->depth > 0 && l->count == 0;
    if (before && kind == PGN_NOTE_AFTER)
        kind = PGN_NOTE_BEFORE;
    g->notes[i] = (pgn_note){.kind = kind, .nag = nag, .text = text};
    if (l->note_tail)
        g->notes[l->note_tail].next = i;
    else if (before)
        l->pending = i;
    else
        g->nodes[l->last].notes = i;
    l->note_tail = i;
}

void pgn_build_comment(pgn_reader *r, xq_str text)
{
    if (text.n)
        add_note(r, PGN_NOTE_AFTER, 0, text);
}

void pgn_build_nag(pgn_reader *r, uint32_t nag)
{
    add_note(r, PGN_NOTE_NAG, nag, (xq_str){NULL, 0});
}

/* ---- the end ---- */

void pgn_build_marker(pgn_reader *r, pgn_result res, size_t at)
{
    r->marker = true;
    r->marker_result = res;
    r->marker_at = at;
}

/* Tag and marker: the tag wins; where it says nothing, the marker counts. */
static void settle_result(pgn_reader *r, size_t at)
{
    pgn_game *g = &r->game;
    const xq_str none = {NULL, 0};
    pgn_result tag = PGN_UNKNOWN;
    bool has_tag = r->tag[PGN_TAG_RESULT].index != UINT32_MAX;
    if (has_tag) {
        xq_str v = g->tags[r->tag[PGN_TAG_RESULT].index].value;
        if (!pgn_result_parse(v, &tag)) {
            tag = PGN_UNKNOWN;
            pgn_build_problem(r, PGN_WARNING, PGN_P_RESULT, r->tag[PGN_TAG_RESULT].at, 0,
                              v, "result \"%.*s\" says nothing", shown(v), v.s);
        }
    }
    g->result = tag;
    if (!r->marker) {
        pgn_build_problem(r, PGN_WARNING, PGN_P_RESULT, at, 0, none,
                          has_tag ? "no result at the end of the moves"
                                  : "no result, neither tag nor at the end");
        return;
    }
    if (g->result == PGN_UNKNOWN)
        g->result = r->marker_result;
    if (has_tag && tag != r->marker_result)
        pgn_build_problem(
            r, PGN_WARNING, PGN_P_RESULT, r->marker_at, 0, none,
            "result %s at the end contradicts the tag's %s; %s counts",
            pgn_result_text(r->marker_result), pgn_result_text(tag),
            pgn_result_text(g->result));
}

/* Who cannot move has lost (G-10), whatever the result says. */
static void compare_final_position(pgn_reader *r)
{
    pgn_game *g = &r->game;
    const xq_pos *p = &r->line.pos;
    if (g->result == PGN_UNKNOWN || r->broken || xq_has_legal_move(p))
        return;
    pgn_result due = p->side == XQ_RED ? PGN_BLACK_WINS : PGN_RED_WINS;
    if (g->result != due) {
        const char *side = p->side == XQ_RED ? "Red" : "Black";
        pgn_build_problem(
            r, PGN_WARNING, PGN_P_RESULT,
            r->marker ? r->marker_at : r->tag[PGN_TAG_RESULT].at, r->line.ply,
            (xq_str){NULL, 0},
            "result is %s, but %s has no legal move at the end and has lost",
            pgn_result_text(g->result), side);
    }
}

/* The notation that most moves were written in, and the script. */
static void settle_notation(pgn_reader *r)
{
    pgn_game *g = &r->game;
    for (unsigned n = 1; n < PGN_NOTATIONS; n++)
        if (r->written[n] > r->written[g->notation])
            g->notation = (pgn_notation)n;
    bool other = r->traditional == r->simplified;
    g->script = (other ? r->block_enc == PGN_ENC_BIG5
                       : r->traditional > r->simplified)
                    ? PGN_TRADITIONAL
                    : PGN_SIMPLIFIED;
}

void pgn_build_finish(pgn_reader *r, size_t at)
{
    pgn_game *g = &r->game;
    if (!r->setup)
        pgn_build_setup(r);
    while (r->depth > 0) {
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, r->line.at, 0,
                          (xq_str){NULL, 0}, "variation is never closed");
        r->unplayed = 0;
        pgn_build_leave(r, at);
    }
    if (g->skipped) { /* nobody wants to know more of it */
        xq_str v = tag_value(r, PGN_TAG_RESULT);
        if ((!v.n || !pgn_result_parse(v, &g->result)) && r->marker)
            g->result = r->marker_result;
    } else {
        settle_result(r, at);
        compare_final_position(r);
    }
    pgn_block_bad_bytes(r, r->begin, at);
    settle_notation(r);
    g->bytes = pgn_block_file_end(r, at) - g->byte;
}
