/* build.c - a game begins: tags, start position, and what is wrong.
 *
 * The arrays of the game belong to the reader and are kept from game to game,
 * so that a steady stream of games allocates nothing.
 *
 * A FEN that is refused is an error and no move is kept (CCPD: six games, 153
 * written plies).  It is not our game where Variant or Game says so, the FEN
 * has eight ranks, or all moves are chess and one is not legal here
 * (pgn_chess.c). */
#include "libpgn/reader_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pgn_build_room(pgn_reader *r, void *array, uint32_t n, uint32_t *cap,
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

/* A game of nothing but faults would be a list of millions of problems: more
 * than this of a level are counted, not listed. */
enum { LISTED = 200 };

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
    g->encoding = r->wide_enc != PGN_ENC_AUTO ? r->wide_enc : r->block_enc;
    if (!pgn_build_room(r, &g->nodes, 1, &r->capnodes, sizeof *g->nodes) ||
        !pgn_build_room(r, &g->notes, 1, &r->capnotes, sizeof *g->notes) ||
        !pgn_build_room(r, &g->main, 1, &r->capmain, sizeof *g->main) ||
        !pgn_build_room(r, &g->tags, 1, &r->captags, sizeof *g->tags))
        return;
    memset(&g->nodes[0], 0, sizeof g->nodes[0]);
    memset(&g->notes[0], 0, sizeof g->notes[0]);
    g->nnodes = 1;

    r->begin = at;
    pgn_block_where(r, at, &g->byte, &g->line);
    r->begin_raw = r->mark_lines_raw;
    r->begin_wide = r->wide_at;
    r->begin_line = r->mark_line;
    r->depth = 0;
    r->unplayed = 0;
    memset(r->written, 0, sizeof r->written);
    r->traditional = r->simplified = 0;
    r->hint = r->format = PGN_NOTATION_ANY;
    r->marker = false;
    r->broken = false;
    memset(r->listed, 0, sizeof r->listed);
    memset(r->unlisted, 0, sizeof r->unlisted);
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

/* Is a problem to be listed?  The move that ends the main line always is. */
static bool is_listed(pgn_reader *r, pgn_level level, pgn_problem_kind kind)
{
    const bool main =
        r->depth == 0 && (kind == PGN_P_MOVE || kind == PGN_P_ILLEGAL ||
                          kind == PGN_P_AMBIGUOUS || kind == PGN_P_VARIANT);
    if (level == PGN_ERROR)
        r->game.faulty = true;
    if (r->listed[level] < LISTED || main) {
        r->listed[level]++;
        return true;
    }
    r->unlisted[level]++;
    return false;
}

void pgn_build_unlisted(pgn_reader *r, size_t at)
{
    const uint32_t errors = r->unlisted[PGN_ERROR];
    const uint32_t warnings = r->unlisted[PGN_WARNING];
    const pgn_level level = errors ? PGN_ERROR : PGN_WARNING;
    if (!errors && !warnings)
        return;
    r->listed[level] = 0;
    pgn_build_problem(r, level, PGN_P_LIMIT, at, 0, (xq_str){NULL, 0},
                      "%u more error%s and %u more warning%s of this game not "
                      "listed",
                      (unsigned)errors, errors == 1 ? "" : "s",
                      (unsigned)warnings, warnings == 1 ? "" : "s");
}

XQ_PRINTF(8, 0)
static void problem_v(pgn_reader *r, pgn_level level, pgn_problem_kind kind,
                      uint64_t byte, uint64_t line, uint32_t ply, xq_str text,
                      const char *fmt, va_list ap)
{
    pgn_game *g = &r->game;
    if (!pgn_build_room(r, &g->problems, g->nproblems, &r->capproblems,
                        sizeof *g->problems))
        return;
    char msg[512];
    int n = vsnprintf(msg, sizeof msg, fmt, ap);
    size_t len = n < 0                    ? 0
                 : (size_t)n < sizeof msg ? (size_t)n
                                          : sizeof msg - 1;
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
        .in_variation = r->depth > 0,
    };
}

void pgn_build_problem_at(pgn_reader *r, pgn_level level, pgn_problem_kind kind,
                          uint64_t byte, uint64_t line, uint32_t ply,
                          xq_str text, const char *fmt, ...)
{
    va_list ap;
    if (!is_listed(r, level, kind))
        return;
    va_start(ap, fmt);
    problem_v(r, level, kind, byte, line, ply, text, fmt, ap);
    va_end(ap);
}

void pgn_build_problem(pgn_reader *r, pgn_level level, pgn_problem_kind kind,
                       size_t at, uint32_t ply, xq_str text, const char *fmt,
                       ...)
{
    uint64_t byte = 0, line = 0;
    if (!is_listed(r, level, kind))
        return;
    pgn_block_where(r, at, &byte, &line);
    va_list ap;
    va_start(ap, fmt);
    problem_v(r, level, kind, byte, line, ply, text, fmt, ap);
    va_end(ap);
}

void pgn_build_replaced(pgn_reader *r, pgn_encoding e, size_t n)
{
    r->game.replaced[e < PGN_ENC_OTHER ? e : PGN_ENC_OTHER] += n;
}

void pgn_build_restore(pgn_reader *r, const pgn_problem *p)
{
    pgn_game *g = &r->game;
    if (!pgn_build_room(r, &g->problems, g->nproblems, &r->capproblems,
                        sizeof *g->problems))
        return;
    g->faulty = g->faulty || p->level == PGN_ERROR;
    g->problems[g->nproblems++] = *p;
}

int pgn_build_shown(xq_str s)
{
    size_t n = s.n < 60 ? s.n : 60;
    while (n > 0 && n < s.n && ((unsigned char)s.s[n] & 0xC0) == 0x80)
        n--;
    return (int)n;
}

/* ---- tags, start position ---- */

/* The tags that the reader itself looks at. */
static const xq_str SPECIAL[PGN_TAGS] = {[PGN_TAG_RESULT] = {"Result", 6},
                                         [PGN_TAG_FEN] = {"FEN", 3},
                                         [PGN_TAG_GAME] = {"Game", 4},
                                         [PGN_TAG_VARIANT] = {"Variant", 7},
                                         [PGN_TAG_FORMAT] = {"Format", 6}};

void pgn_build_tag(pgn_reader *r, xq_str name, xq_str value, size_t at)
{
    pgn_game *g = &r->game;
    if (!pgn_build_room(r, &g->tags, g->ntags, &r->captags, sizeof *g->tags))
        return;
    for (unsigned i = 0; i < PGN_TAGS; i++)
        if (name.n == SPECIAL[i].n && xq_str_eq_nocase(name, SPECIAL[i])) {
            if (r->tag[i].index == UINT32_MAX)
                r->tag[i] = (struct pgn_tag_place){g->ntags, at};
            break;
        }
    g->tags[g->ntags++] = (pgn_tag){name, value};
}

xq_str pgn_build_value(const pgn_reader *r, enum pgn_special_tag t)
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
static const char *const OURS[] = {"",
                                   "xiangqi",
                                   "xianqi",
                                   "chinesechess",
                                   "cchess",
                                   "chinesechessxiangqi",
                                   "xiangqichinesechess",
                                   "cnchess",
                                   "象棋",
                                   "中国象棋",
                                   "中國象棋",
                                   "normal",
                                   "standard",
                                   "orthodox",
                                   NULL};

/* And of others: a name that is in neither list decides nothing. */
static const char *const OTHERS[] = {"jieqi",
                                     "jiequi",
                                     "darkxiangqi",
                                     "darkchinesechess",
                                     "揭棋",
                                     "暗棋",
                                     "翻翻棋",
                                     "盲棋",
                                     "banqi",
                                     "minixiangqi",
                                     "manchu",
                                     "supply",
                                     "janggi",
                                     "changgi",
                                     "koreanchess",
                                     "shogi",
                                     "japanesechess",
                                     "将棋",
                                     "將棋",
                                     "makruk",
                                     "sittuyin",
                                     "shatranj",
                                     "chess",
                                     "internationalchess",
                                     "westernchess",
                                     "国际象棋",
                                     "國際象棋",
                                     "chess960",
                                     "fischerandom",
                                     "fischerrandom",
                                     "fischerrandomchess",
                                     "freestyle",
                                     "crazyhouse",
                                     "bughouse",
                                     "atomic",
                                     "antichess",
                                     "suicide",
                                     "giveaway",
                                     "losers",
                                     "horde",
                                     "racingkings",
                                     "kingofthehill",
                                     "threecheck",
                                     "3check",
                                     "seirawan",
                                     "schess",
                                     "capablanca",
                                     "gothic",
                                     "grand",
                                     "go",
                                     "weiqi",
                                     "围棋",
                                     "圍棋",
                                     "gomoku",
                                     "五子棋",
                                     "军棋",
                                     "checkers",
                                     "draughts",
                                     NULL};

/* Variant and Game say that it is another game. */
static bool other_game(pgn_reader *r)
{
    static const enum pgn_special_tag TAGS[2] = {PGN_TAG_VARIANT, PGN_TAG_GAME};
    for (unsigned i = 0; i < 2; i++) {
        enum pgn_special_tag t = TAGS[i];
        xq_str v = pgn_build_value(r, t);
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
                              pgn_build_shown(v), v.s);
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
                      pgn_build_shown(what), what.s);
}

/* Format names a notation as the command line does ("ICCS", "WXF", "SAN10",
 * ...), in any case. */
static void use_format(pgn_reader *r)
{
    xq_str v = pgn_build_value(r, PGN_TAG_FORMAT);
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
        pgn_build_problem(r, PGN_ERROR, PGN_P_FEN, r->tag[PGN_TAG_FEN].at, 0,
                          fen, "start position refused: %s", e.msg);
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
            pgn_build_problem(r, PGN_WARNING, PGN_P_FEN, r->tag[PGN_TAG_FEN].at,
                              0, fen, "%s", ODD[i].text);
    unsigned it = 0;
    char msg[128];
    bool strict = r->opts.strict_fen, odd = false;
    while (xq_pos_odd(&g->start, &it, msg)) {
        odd = true;
        pgn_build_problem(r, strict ? PGN_ERROR : PGN_WARNING, PGN_P_FEN,
                          r->tag[PGN_TAG_FEN].at, 0, fen,
                          "odd start position: %s", msg);
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
        if (r->numbering != PGN_NOTATION_ANY)
            r->hint = r->format = r->numbering;
        xq_str fen = pgn_build_value(r, PGN_TAG_FEN);
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
