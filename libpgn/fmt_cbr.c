/* fmt_cbr.c - CBR, one game of CCBridge, versions 1 and 2, and CBL version 3,
 * a library of them (formats reference 6.2, 6.3).
 *
 * A record: magic, byte 19 the version, texts in UTF-16LE in fixed fields, the
 * board row by row from a9, then nodes of four bytes, flags 0 from to:
 *   flags 1  the line ends here      2  a sibling comes later
 *         4  u32 length and a comment follow
 * In a library records are found by their magic: the index says nothing that
 * is not in them. */
#include "libpgn/binary.h"
#include "libpgn/bytes.h"
#include "libpgn/sniff.h"

#include <string.h>

struct field {
    uint16_t at, size;
    const char *tag;
};

struct layout {
    const struct field *fields;
    unsigned nfields;
    uint16_t type, result, side, round; /* round 0: has none */
    uint16_t board, nodes;
    bool nibbles; /* squares are file and row, else 9 * row + file */
};

/* clang-format off */
static const struct field FIELDS1[] = {
    {52, 128, "Title"},      {180, 256, "Path"},      {436, 64, "Source"},
    {500, 64, "EventType"},  {564, 64, "Event"},      {628, 64, "Round"},
    {692, 32, "Group"},      {724, 32, "Table"},      {756, 64, "Date"},
    {820, 64, "Site"},       {884, 64, "TimeControl"},
    {948, 64, "Red"},        {1012, 64, "RedTeam"},   {1076, 64, "RedTime"},
    {1140, 32, "RedElo"},    {1172, 64, "Black"},     {1236, 64, "BlackTeam"},
    {1300, 64, "BlackTime"}, {1364, 32, "BlackElo"},  {1396, 128, "Remark"},
    {1524, 128, "Author"},   {1652, 64, "Created"},   {1716, 68, "Modified"},
    {1788, 32, "RecordKind"}, {1824, 32, "Termination"},
};
static const struct field FIELDS2[] = {
    {180, 128, "Title"},     {308, 256, "Path"},      {564, 64, "Source"},
    {628, 64, "EventType"},  {692, 64, "Event"},      {756, 64, "Round"},
    {820, 32, "Group"},      {852, 32, "Table"},      {884, 64, "Date"},
    {948, 64, "Site"},       {1012, 64, "TimeControl"},
    {1076, 64, "Red"},       {1140, 64, "RedTeam"},   {1204, 64, "RedTime"},
    {1268, 32, "RedElo"},    {1300, 64, "Black"},     {1364, 64, "BlackTeam"},
    {1428, 64, "BlackTime"}, {1492, 32, "BlackElo"},  {1524, 64, "Referee"},
    {1588, 64, "Recorder"},  {1652, 64, "Annotator"},
    {1716, 64, "AnnotatorMail"}, {1780, 64, "Author"},
    {1844, 64, "AuthorMail"}, {1908, 64, "Created"},  {1972, 68, "Modified"},
    {2044, 32, "RecordKind"}, {2080, 32, "Termination"},
};
/* clang-format on */

static const struct layout LAYOUT[] = {
    {FIELDS1, sizeof FIELDS1 / sizeof *FIELDS1, 1784, 1820, 1856, 0, 1864, 1958,
     true},
    {FIELDS2, sizeof FIELDS2 / sizeof *FIELDS2, 2040, 2076, 2112, 2116, 2120,
     2214, false}};

static xq_sq square_of(const struct layout *l, uint8_t v)
{
    const unsigned file = l->nibbles ? v >> 4 : v % 9u;
    const unsigned row = l->nibbles ? v & 15u : v / 9u;
    return file < 9 && row < 10 ? xq_sq_of((int)file, 9 - (int)row) : XQ_NOSQ;
}

/* 11-17 and 21-27: rook, horse, elephant, advisor, king, cannon, pawn.  False:
 * what stands on a square is no piece. */
static bool read_board(const uint8_t *s, uint8_t at[XQ_SQUARES])
{
    static const uint8_t KIND[8] = {0,          XQ_ROOK, XQ_HORSE,  XQ_ELEPHANT,
                                    XQ_ADVISOR, XQ_KING, XQ_CANNON, XQ_PAWN};
    bool good = true;
    for (int i = 0; i < XQ_SQUARES; i++) {
        const unsigned side = s[i] >> 4, kind = s[i] & 15;
        uint8_t *to = &at[xq_sq_of(i % 9, 9 - i / 9)];
        *to = XQ_EMPTY;
        if ((side == 1 || side == 2) && kind >= 1 && kind <= 7)
            *to =
                xq_piece_of(side == 1 ? XQ_RED : XQ_BLACK, (xq_kind)KIND[kind]);
        else if (s[i])
            good = false;
    }
    return good;
}

/* ---- nodes ---- */

static bool root_is_there(const uint8_t *s, size_t n, size_t i)
{
    return n >= 4 && i <= n - 4 && s[i + 2] == 0 && s[i + 3] == 0;
}

/* s[0..n) is the record.  Returns where the nodes end; *cut: inside one. */
static size_t read_nodes(pgn_reader *r, const uint8_t *s, size_t n,
                         const struct layout *l, size_t base, bool *cut)
{
    struct pgn_binary *b = r->binary;
    size_t i = l->nodes;
    bool root = true;
    *cut = false;
    while (!*cut && !r->failed && pgn_stored_due(b) && n - i >= 4) {
        const uint8_t *p = s + i;
        const bool goes_on = !(p[0] & 1);
        const size_t at = base + i;
        uint32_t id = 0;
        if (root)
            b->goes_on = goes_on;
        else
            id = pgn_stored_put(r, square_of(l, p[2]), square_of(l, p[3]), at,
                                goes_on, (p[0] & 2) != 0);
        root = false;
        i += 4;
        b->v[id].at = at;
        if (!(p[0] & 4))
            continue;
        size_t len = n - i < 4 ? 0 : pgn_u32(s + i);
        *cut = n - i < 4 || len > n - i - 4;
        i = n - i < 4 ? n : i + 4;
        if (*cut)
            len = (n - i) & ~(size_t)1;
        b->v[id].text = i;
        b->v[id].ntext = (uint32_t)len;
        i += len;
    }
    return i;
}

/* ---- a record ---- */

static void read_tags(pgn_reader *r, const uint8_t *s, const struct layout *l,
                      size_t base)
{
    for (unsigned i = 0; i < l->nfields; i++) {
        const struct field *f = &l->fields[i];
        const size_t n = pgn_utf16_length(s + f->at, f->size);
        pgn_binary_tag(r, f->tag, s + f->at, n,
                       n + 2 > f->size ? PGN_TEXT_CUT : 0, base + f->at);
    }
    if (s[l->type] >= 1 && s[l->type] <= 9) {
        static const char DIGITS[] = "123456789";
        pgn_build_tag(r, xq_str_of("RecordType"),
                      (xq_str){DIGITS + s[l->type] - 1, 1}, base + l->type);
    }
}

static void refuse(pgn_reader *r, size_t base, size_t end, const char *why)
{
    pgn_binary_damaged(r, base, "%s", why);
    pgn_build_setup(r);
    pgn_build_marker(r, PGN_UNKNOWN, base);
    pgn_build_finish(r, end);
}

/* The record raw[base..end). */
static void read_record(pgn_reader *r, size_t base, size_t end)
{
    const uint8_t *s = r->raw + base;
    const size_t n = end - base;
    static const pgn_result RESULTS[] = {PGN_UNKNOWN, PGN_RED_WINS,
                                         PGN_BLACK_WINS, PGN_DRAW};
    pgn_binary_start(r, base, PGN_ENC_UTF16LE);
    if (n < 20 || s[19] < 1 || s[19] > 2) {
        refuse(r, base, end,
               n < 20 ? "the file ends inside its header"
                      : "unknown version of CCBridge's record");
        return;
    }
    const struct layout *l = &LAYOUT[s[19] - 1];
    if (n < l->nodes) {
        refuse(r, base, end, "the file ends inside its header");
        return;
    }
    bool cut;
    const size_t nodes = read_nodes(r, s, n, l, base, &cut);
    pgn_setup setup = {.side = s[l->side] == 2 ? XQ_BLACK : XQ_RED,
                       .round = l->round ? pgn_u16(s + l->round) : 1,
                       .result = s[l->result] < 4 ? RESULTS[s[l->result]]
                                                  : PGN_UNKNOWN};
    read_tags(r, s, l, base);
    if (!read_board(s + l->board, setup.at))
        pgn_build_problem(r, PGN_WARNING, PGN_P_FEN, base + l->board, 0,
                          (xq_str){NULL, 0},
                          "bytes of the board that are no pieces passed over");
    if (!root_is_there(s, n, l->nodes))
        pgn_binary_damaged(r, base + l->nodes, "no tree of moves");
    if (cut)
        pgn_binary_damaged(r, base + nodes, "the file ends inside a comment");
    if (pgn_stored_due(r->binary))
        pgn_stored_end(r, end);
    pgn_binary_setup(r, &setup, base + l->board);
    pgn_binary_play(r, s, 0);
    pgn_build_finish(r, base + nodes);
}

/* Where a library's index begins, of entries of 276 bytes: u32 7, u32 order,
 * u32 1, u32 bytes used (0: a free one), ... */
enum { INDEX = 66624, ENTRY = 276, CAPACITY = 60 };

/* A library without a record: was there one?  NULL: it is empty. */
static const char *lost_records(const pgn_reader *r, uint32_t *listed)
{
    *listed = 0;
    if (r->nraw < INDEX)
        return "the library ends before its index";
    const uint32_t entries = pgn_u32(r->raw + CAPACITY);
    const size_t there = (r->nraw - INDEX) / ENTRY;
    for (size_t i = 0; i < entries && i < there; i++) {
        const uint8_t *e = r->raw + INDEX + i * ENTRY;
        *listed += pgn_u32(e) == 7 && pgn_u32(e + 12) > 0;
    }
    if (there < entries)
        return "the library ends inside its index";
    return *listed ? "the library ends behind its index" : NULL;
}

/* A game that says so.  False: there is nothing to say. */
static bool read_lost(pgn_reader *r)
{
    uint32_t listed;
    const char *why = lost_records(r, &listed);
    if (!why || !pgn_binary_reset(r))
        return false;
    pgn_binary_start(r, r->nraw, PGN_ENC_UTF16LE);
    if (listed)
        pgn_binary_damaged(r, r->nraw, "%s: none of %u games is there", why,
                           (unsigned)listed);
    else
        pgn_binary_damaged(r, r->nraw, "%s: no game is there", why);
    pgn_build_setup(r);
    pgn_build_marker(r, PGN_UNKNOWN, r->nraw);
    pgn_build_finish(r, r->nraw);
    return true;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    const bool begins = r->at == 0;
    const size_t from = pgn_record_next(r->raw, r->nraw, r->at);
    r->at = r->nraw;
    if (from == r->nraw) {
        /* a segment that begins a library and has no record is all of it */
        const bool lost = begins && r->nraw && r->seg->first && read_lost(r);
        if (r->failed)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        return lost ? XQ_OK : XQ_DONE;
    }
    const size_t to = pgn_record_next(r->raw, r->nraw, from + PGN_CBR_MAGIC_N);
    r->at = to;
    if (pgn_binary_reset(r))
        read_record(r, from, to);
    if (r->failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    r->game.notation = PGN_ICCS;
    return XQ_OK;
}

const pgn_fmt pgn_fmt_cbr = {PGN_FMT_CBR, next};
