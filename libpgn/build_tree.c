/* build_tree.c - a game grows: moves, variations, notes.
 *
 * Variations of one move form one list in the order written, also where one
 * stands inside another that it replaces from its first move on.  They nest
 * as deep as PGN_DEPTH_MAX (each level holds a position). */
#include "libpgn/reader_internal.h"

#include <string.h>

/* ---- moves ---- */

/* Make the node of a move the last of the current line. */
static bool add_node(pgn_reader *r, xq_move m)
{
    pgn_game *g = &r->game;
    pgn_line *l = &r->line;
    if (!pgn_build_room(r, &g->nodes, g->nnodes, &r->capnodes,
                        sizeof *g->nodes))
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
        if (g->plies == r->capmain &&
            !pgn_build_room(r, &g->main, g->plies, &r->capmain,
                            sizeof *g->main))
            return;
        g->main[g->plies++] = m;
    }
    if (r->depth == 0 && g->nnodes < r->capnodes) { /* nearly all moves */
        const uint32_t i = g->nnodes++;
        g->nodes[i] = (pgn_node){.move = m};
        g->nodes[l->last].next = i;
        l->last = l->alt_tail = i;
        l->owner = l->note_tail = 0;
    } else if (!add_node(r, m)) {
        return;
    }
    xq_pos_make(&l->pos, m, &l->undo);
    l->count++;
    l->ply++;
}

/* Code points that only one script has, of those in moves. */
static int script_of(uint32_t cp)
{
    switch (cp) {
    case 0x9032:
    case 0x99AC:
    case 0x508C:
    case 0x8ECA:
    case 0x4FE5:
    case 0x5E25:
    case 0x5C07:
    case 0x5F8C:
    case 0x7832:
        return 1; /* 進 馬 傌 車 俥 帥 將 後 砲 */
    case 0x8FDB:
    case 0x9A6C:
    case 0x8F66:
    case 0x5E05:
    case 0x5C06:
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
    pgn_build_problem(
        r, PGN_WARNING, PGN_P_FEN, fen ? r->tag[PGN_TAG_FEN].at : at, 0, text,
        fen ? "FEN names the other side, but %s moves first" : "%s moves first",
        side);
    l->pos = p;
    r->game.start = p;
    r->game.standard = false;
    note_written(r, text, m);
    pgn_build_play(r, m);
    return true;
}

void pgn_build_bad_move(pgn_reader *r, xq_status rc, xq_str text, size_t at,
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
                          (unsigned)round, side, pgn_build_shown(text), text.s,
                          why, (unsigned)l->ply, l->ply == 1 ? "ply" : "plies");
    } else {
        pgn_build_problem(r, PGN_ERROR, kind, at, l->ply + 1, text,
                          "move %u (%s) \"%.*s\" of a variation: %s",
                          (unsigned)round, side, pgn_build_shown(text), text.s,
                          why);
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
    pgn_build_bad_move(r, rc, text, at, e.msg);
    return false;
}

/* ---- variations ---- */

bool pgn_build_enter(pgn_reader *r, size_t at)
{
    pgn_line *l = &r->line;
    const bool deep = r->depth >= PGN_DEPTH_MAX;
    if (r->unplayed || l->dead || l->count == 0 || deep || r->opts.main_only) {
        if (r->unplayed++ || l->dead || r->opts.main_only)
            return false;
        if (deep)
            pgn_build_problem(
                r, PGN_ERROR, PGN_P_LIMIT, at, l->ply, (xq_str){NULL, 0},
                "variations more than %d deep, passed over", PGN_DEPTH_MAX);
        else
            pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at, l->ply,
                              (xq_str){NULL, 0},
                              "variation before any move, passed over");
        return false;
    }
    if (!pgn_build_room(r, &r->stack, r->depth, &r->capstack, sizeof *r->stack))
        return false;
    r->stack[r->depth++] = *l;
    xq_pos_unmake(&l->pos, &l->undo);
    l->last = 0;
    l->count = 0;
    l->ply--;
    l->note_tail = l->pending = l->alt_tail = 0;
    l->at = at;
    return true;
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
    if (!pgn_build_room(r, &g->notes, g->nnotes, &r->capnotes,
                        sizeof *g->notes))
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
