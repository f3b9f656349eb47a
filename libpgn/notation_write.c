/* notation_write.c - writing a legal move in each notation.
 *
 * A piece that stands alone on its file is named by the file.  How pieces one
 * behind another are told apart is what the dialects disagree about; each has
 * one function here that names the piece, and formats.md 2.4-2.6 the rule. */
#include "engine/rules.h"
#include "libpgn/notation_internal.h"

/* How the moving piece is named. */
struct name {
    enum {
        BY_FILE,    /* C2.5; value: file number */
        BY_ORDER,   /* C+.5; value: 1 front, 2 middle, 3 rear */
        BY_INDEX,   /* Pa.5, 一兵平五, 15=4; value: index */
        BY_ENDS,    /* ++.4 --.4 (WXF 2018); value: 1 front, 3 rear */
        BY_NOTHING, /* the dialect has no name for this piece */
    } how;
    unsigned value;
    unsigned file; /* not 0: take the file digit for the piece letter (3+.4) */
};

/* What a four-part name is made from. */
struct mover {
    const xq_pos *p;
    xq_side side;
    xq_kind kind;
    xq_sq from, to;
    unsigned file; /* number, as the mover counts */
    unsigned dir, target;
    unsigned n, place; /* pieces of the kind on the file; place from 1 */
    xq_sq column[10];  /* these pieces, front first */
};

static struct mover mover_of(const xq_pos *p, xq_move m)
{
    struct mover v = {.p = p,
                      .side = (xq_side)p->side,
                      .from = xq_move_from(m),
                      .to = xq_move_to(m)};
    unsigned file = xq_file_of[v.from], to_file = xq_file_of[v.to];
    int rise = xq_rank_of[v.to] - xq_rank_of[v.from];
    v.kind = xq_piece_kind(p->at[v.from]);
    v.file = pgn_file_number(v.side, file);
    v.dir = rise == 0 ? 3 : (rise > 0) == (v.side == XQ_RED) ? 1 : 2;
    v.target = file != to_file ? pgn_file_number(v.side, to_file)
                               : (unsigned)(rise < 0 ? -rise : rise);
    v.n = pgn_on_file(p, v.kind, file, v.column);
    for (unsigned i = 0; i < v.n; i++)
        if (v.column[i] == v.from)
            v.place = i + 1;
    return v;
}

/* Do direction and target alone tell an advisor or elephant from those that
 * share its file?  They do in every position of a game. */
static bool direction_tells(const struct mover *v)
{
    if (v->kind != XQ_ADVISOR && v->kind != XQ_ELEPHANT)
        return false;
    for (unsigned i = 0; i < v->n; i++) {
        xq_sq to =
            pgn_part_target(v->side, v->kind, v->column[i], v->dir, v->target);
        if (v->column[i] != v->from && to != XQ_NOSQ &&
            xq_move_is_pseudo(v->p, xq_move_make(v->column[i], to)))
            return false;
    }
    return true;
}

/* xqbase and Chinese (formats reference 2.4, 2.5): all pieces that stand one
 * behind another, on whatever file, are counted together. */
static struct name xqbase_name(const struct mover *v)
{
    if (v->n == 1 || direction_tells(v))
        return (struct name){.how = BY_FILE, .value = v->file};
    xq_sq set[XQ_SQUARES];
    unsigned n = pgn_tandem(v->p, v->kind, set), i = 0;
    while (set[i] != v->from)
        i++;
    if (n == 2)
        return (struct name){.how = BY_ORDER, .value = i == 0 ? 1 : 3};
    if (n == 3)
        return (struct name){.how = BY_ORDER, .value = i + 1};
    if (i >= 9)
        return (struct name){.how = BY_NOTHING};
    return (struct name){.how = BY_INDEX, .value = i + 1};
}

/* wxf.org (2.6): each file by itself; ++ + - -- from the ends inward, the
 * middle one keeps the file digit; with several such files the file digit
 * takes the place of the letter. */
static struct name wxf2018_name(const struct mover *v)
{
    unsigned from_rear = v->n + 1 - v->place;
    bool middle = v->place == from_rear;
    bool several = v->n > 1 && pgn_tandem_files(v->p, v->kind) > 1;

    if (v->n == 1 || direction_tells(v))
        return (struct name){.how = BY_FILE, .value = v->file};
    if (v->kind != XQ_PAWN)
        return v->n == 2 && !several
                   ? (struct name){.how = BY_ORDER,
                                   .value = v->place == 1 ? 1 : 3}
                   : (struct name){.how = BY_NOTHING};
    if (v->n > 5 || (several && v->n > 3))
        return (struct name){.how = BY_NOTHING};

    struct name name = {.file = several ? v->file : 0};
    if (middle) {
        name.how = BY_FILE;
        name.value = v->file;
    } else {
        bool end = v->place == 1 || from_rear == 1;
        name.how = v->n >= 4 && end ? BY_ENDS : BY_ORDER;
        name.value = v->place < from_rear ? 1 : 3;
    }
    return name;
}

/* The part of the board a kind may stand on, as Fairy-Stockfish sees it. */
static bool in_region(const struct mover *v, int file, int rank)
{
    int from_home = v->side == XQ_RED ? rank : 9 - rank;
    switch (v->kind) {
    case XQ_KING:
    case XQ_ADVISOR:
        return file >= 3 && file <= 5 && from_home >= 0 && from_home <= 2;
    case XQ_ELEPHANT:
        return from_home >= 0 && from_home <= 4;
    default:
        return rank >= 0 && rank <= 9;
    }
}

/* Fairy-Stockfish (apiutil.h): index and file from three on, or from two on
 * when two files hold two; of exactly two a sign, but only if the other one
 * would stay on its part of the board when it went the same way. */
static struct name fairy_name(const struct mover *v)
{
    bool several = v->n > 1 && pgn_tandem_files(v->p, v->kind) > 1;

    if (v->n >= 3 || (v->n == 2 && several))
        return (struct name){
            .how = BY_INDEX, .value = v->place, .file = v->file};
    if (v->n == 2) {
        xq_sq other = v->column[v->place == 1 ? 1 : 0];
        int rank = xq_rank_of[other] + xq_rank_of[v->to] - xq_rank_of[v->from];
        if (in_region(v, xq_file_of[v->to], rank))
            return (struct name){.how = BY_ORDER,
                                 .value = v->place == 1 ? 1 : 3};
    }
    return (struct name){.how = BY_FILE, .value = v->file};
}

/* ---- putting characters together ---- */

struct text {
    char *s;
    size_t n;
};

static void put(struct text *t, char c) { t->s[t->n++] = c; }

static void put_str(struct text *t, const char *s)
{
    while (*s)
        t->s[t->n++] = *s++;
}

static void put_digit(struct text *t, unsigned d) { put(t, (char)('0' + d)); }

static void put_file(struct text *t, xq_sq s)
{
    put(t, (char)('a' + xq_file_of[s]));
}

static void put_rank(struct text *t, xq_sq s, unsigned first_rank)
{
    unsigned rank = xq_rank_of[s] + first_rank;
    if (rank == 10)
        put(t, '1');
    put_digit(t, rank % 10);
}

static void put_square(struct text *t, xq_sq s, unsigned first_rank)
{
    put_file(t, s);
    put_rank(t, s, first_rank);
}

static void put_squares(struct text *t, xq_move m, unsigned first_rank)
{
    put_square(t, xq_move_from(m), first_rank);
    put_square(t, xq_move_to(m), first_rank);
}

static const char XQBASE_LETTER[] = " KABNRCP", WXF_LETTER[] = " KAEHRCP";
static const char ORDER_SIGN[] = " +.-";

static void put_wxf(struct text *t, const struct mover *v, struct name name,
                    pgn_notation n)
{
    const char *letter = n == PGN_WXF ? XQBASE_LETTER : WXF_LETTER;
    const char *dir = n == PGN_FAIRY ? " +-=" : " +-.";

    if (name.how == BY_ENDS) {
        put(t, ORDER_SIGN[name.value]);
        put(t, ORDER_SIGN[name.value]);
    } else if (n == PGN_FAIRY && name.how == BY_INDEX) {
        put_digit(t, name.value);
        put_digit(t, name.file);
    } else {
        if (name.file)
            put_digit(t, name.file);
        else
            put(t, letter[v->kind]);
        if (name.how == BY_FILE)
            put_digit(t, name.value);
        else if (name.how == BY_ORDER)
            put(t, ORDER_SIGN[name.value]);
        else
            put(t, (char)('a' + name.value - 1));
    }
    put(t, dir[v->dir]);
    put_digit(t, v->target);
}

/* Words by side and script.  馬 and 車 for both sides: 傌 and 俥 are rare,
 * and Big5 lacks 俥. */
static const char *const PIECE[2][2][8] = {
    [PGN_SIMPLIFIED] = {{"", "帅", "仕", "相", "马", "车", "炮", "兵"},
                        {"", "将", "士", "象", "马", "车", "炮", "卒"}},
    [PGN_TRADITIONAL] = {{"", "帥", "仕", "相", "馬", "車", "炮", "兵"},
                         {"", "將", "士", "象", "馬", "車", "砲", "卒"}},
};
static const char *const ORDER[2][4] = {{"", "前", "中", "后"},
                                        {"", "前", "中", "後"}};
static const char *const DIR[2][4] = {{"", "进", "退", "平"},
                                      {"", "進", "退", "平"}};
static const char *const NUMERAL[2][10] = {
    {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"},
    {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"}};

static void put_chinese(struct text *t, const struct mover *v, struct name name,
                        pgn_script script)
{
    const unsigned s = script == PGN_TRADITIONAL;
    const char *piece = PIECE[s][v->side][v->kind];

    if (name.how == BY_FILE) {
        put_str(t, piece);
        put_str(t, NUMERAL[v->side][name.value]);
    } else {
        /* The numerals of pawns are Chinese for both sides. */
        put_str(t, name.how == BY_ORDER ? ORDER[s][name.value]
                                        : NUMERAL[XQ_RED][name.value]);
        put_str(t, piece);
    }
    put_str(t, DIR[s][v->dir]);
    put_str(t, NUMERAL[v->side][v->target]);
}

/* No dialect has names for all the odd positions that can be set up: rooks
 * by the dozen, eleven pawns on two files.  There the squares are written,
 * as ICCS does, which every reader of the dialect can tell apart. */
static void put_parts(struct text *t, const xq_pos *p, xq_move m,
                      pgn_notation n, pgn_script script)
{
    struct mover v = mover_of(p, m);
    struct name name = n == PGN_FAIRY     ? fairy_name(&v)
                       : n == PGN_WXF2018 ? wxf2018_name(&v)
                                          : xqbase_name(&v);
    if (name.how != BY_NOTHING) {
        if (n == PGN_CHINESE)
            put_chinese(t, &v, name, script);
        else
            put_wxf(t, &v, name, n);
        if (v.n == 1 || pgn_means_only(p, (xq_str){t->s, t->n}, n, m))
            return;
    }
    t->n = pgn_iccs_upper(m, t->s);
}

/* ---- SAN ---- */

/* The least origin that tells the mover from others of its kind that could
 * legally go to the same square: file, else rank, else both. */
static void put_origin(struct text *t, const xq_pos *p, xq_move m,
                       unsigned first_rank)
{
    const xq_sq from = xq_move_from(m), to = xq_move_to(m);
    const xq_piece piece = p->at[from];
    bool others = false, same_file = false, same_rank = false;

    for (unsigned i = p->first[piece]; i < p->first[piece + 1]; i++) {
        xq_sq s = p->sq[i];
        if (s == XQ_NOSQ || s == from ||
            !xq_move_is_legal(p, xq_move_make(s, to)))
            continue;
        others = true;
        same_file |= xq_file_of[s] == xq_file_of[from];
        same_rank |= xq_rank_of[s] == xq_rank_of[from];
    }
    if (others && (!same_file || same_rank))
        put_file(t, from);
    if (same_file)
        put_rank(t, from, first_rank);
}

/* Does m give check, `after` being the position behind it?  In an odd
 * position the other side may stand in check already: only a checker that
 * was none before counts, as for Fairy-Stockfish. */
static bool gives_check(const xq_pos *p, const xq_pos *after)
{
    xq_sq now[XQ_MAX_CHECKERS], was[XQ_MAX_CHECKERS];
    unsigned n = xq_checkers(after, now);
    if (n == 0)
        return false;
    xq_pos before = *p;
    xq_pos_pass(&before);
    unsigned k = xq_checkers(&before, was);
    for (unsigned i = 0; i < n && i < XQ_MAX_CHECKERS; i++) {
        unsigned j = 0;
        while (j < k && j < XQ_MAX_CHECKERS && was[j] != now[i])
            j++;
        if (j == k)
            return true;
    }
    return false;
}

/* "+" and "#"; XBoard writes "#" for stalemate too, which loses as well. */
static void put_check(struct text *t, const xq_pos *p, xq_move m,
                      pgn_notation n)
{
    xq_pos after = *p;
    xq_pos_make(&after, m, NULL);
    bool check = gives_check(p, &after);
    if ((check || n == PGN_SAN) && !xq_has_legal_move(&after))
        put(t, '#');
    else if (check)
        put(t, '+');
}

static void put_san(struct text *t, const xq_pos *p, xq_move m, pgn_notation n)
{
    const unsigned first_rank = n == PGN_SAN10 ? 1 : 0;
    const xq_sq from = xq_move_from(m), to = xq_move_to(m);
    const bool takes = p->at[to] != XQ_EMPTY;
    const xq_kind kind = xq_piece_kind(p->at[from]);

    if (kind == XQ_PAWN && n == PGN_SAN) {
        /* XBoard (moves.c): c5, exe5 straight on; de5, dxe5 sideways. */
        if (takes || xq_file_of[from] != xq_file_of[to])
            put_file(t, from);
    } else {
        put(t, WXF_LETTER[kind]);
        put_origin(t, p, m, first_rank);
    }
    if (takes)
        put(t, 'x');
    put_square(t, to, first_rank);

    put_check(t, p, m, n);
}

size_t pgn_iccs_upper(xq_move m, char out[PGN_MOVE_TEXT_MAX])
{
    struct text t = {out, 0};
    put_square(&t, xq_move_from(m), 0);
    put(&t, '-');
    put_square(&t, xq_move_to(m), 0);
    out[0] = (char)(out[0] - 'a' + 'A');
    out[3] = (char)(out[3] - 'a' + 'A');
    out[t.n] = '\0';
    return t.n;
}

size_t pgn_move_write(const xq_pos *p, xq_move m, pgn_notation n, pgn_script s,
                      char out[PGN_MOVE_TEXT_MAX])
{
    struct text t = {out, 0};
    switch (n) {
    case PGN_WXF:
    case PGN_WXF2018:
    case PGN_FAIRY:
    case PGN_CHINESE:
        put_parts(&t, p, m, n, s);
        break;
    case PGN_SAN:
    case PGN_SAN10:
        put_san(&t, p, m, n);
        break;
    case PGN_UCI10:
        put_squares(&t, m, 1);
        break;
    case PGN_NOTATION_ANY:
    case PGN_ICCS:
    case PGN_UCI:
    case PGN_NOTATIONS:
        put_squares(&t, m, 0);
        break;
    }
    out[t.n] = '\0';
    return t.n;
}
