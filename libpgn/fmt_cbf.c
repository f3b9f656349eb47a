/* fmt_cbf.c - CBF, the XML of CCBridge (formats reference 6.4).
 *
 *   <ChineseChessRecord Version="1.0"><Head><Name>..</Name>..</Head>
 *   <MoveList><Move value="00-00">comment of the game</Move>
 *             <Move value="77-47" branch="1" end="1">comment</Move>..
 *
 * Squares are file and row from the top.  branch: a sibling comes later; end:
 * the line ends here. */
#include "libpgn/cbf.h"

#include "libpgn/binary.h"
#include "libpgn/xml.h"

#include <string.h>

const struct pgn_cbf_field pgn_cbf_fields[] = {
    {"Name", "Title"},
    {"URL", "URL"},
    {"From", "Source"},
    {"ContestType", "EventType"},
    {"Contest", "Event"},
    {"Round", "Round"},
    {"Group", "Group"},
    {"Table", "Table"},
    {"Date", "Date"},
    {"Site", "Site"},
    {"TimeRule", "TimeControl"},
    {"Red", "Red"},
    {"RedTeam", "RedTeam"},
    {"RedTime", "RedTime"},
    {"RedRating", "RedElo"},
    {"Black", "Black"},
    {"BlackTeam", "BlackTeam"},
    {"BlackTime", "BlackTime"},
    {"BlackRating", "BlackElo"},
    {"Referee", "Referee"},
    {"Recorder", "Recorder"},
    {"Commentator", "Annotator"},
    {"CommentatorURL", "AnnotatorURL"},
    {"Creator", "Author"},
    {"CreatorURL", "AuthorURL"},
    {"DateCreated", "Created"},
    {"DateModified", "Modified"},
    {"ECCO", "ECCO"},
    {"RecordType", "RecordType"},
    {"RecordKind", "RecordKind"},
    {"RecordResult", NULL},
    {"ResultType", "Termination"},
    {"FEN", NULL},
};
const unsigned pgn_cbf_nfields = sizeof pgn_cbf_fields / sizeof *pgn_cbf_fields;

struct cbf {
    const struct pgn_cbf_field *field; /* of the head, being read */
    size_t from;                       /* in body: where its text begins */
    size_t at;                         /* in the text */
    bool head, list, root_seen, too_many;
    uint32_t node; /* whose comment is being read */
    bool in_move;
    xq_str fen;
    size_t fen_at, result_at, many_at;
    pgn_result result;
};

static xq_sq square_of(const char *s)
{
    const int file = s[0] - '0', row = s[0] ? s[1] - '0' : -1;
    return file >= 0 && file < 9 && row >= 0 && row < 10
               ? xq_sq_of(file, 9 - row)
               : XQ_NOSQ;
}

static void begin_move(pgn_xml *x, const char **attributes)
{
    struct cbf *c = x->me;
    struct pgn_binary *b = x->r->binary;
    const char *v = pgn_xml_value(attributes, "value");
    const bool ends = strcmp(pgn_xml_value(attributes, "end"), "1") == 0;
    const bool branch = strcmp(pgn_xml_value(attributes, "branch"), "1") == 0;
    c->node = 0;
    if (!c->root_seen && strcmp(v, "00-00") == 0) {
        b->goes_on = !ends;
    } else if (pgn_stored_due(b)) {
        const bool whole = strlen(v) == 5 && v[2] == '-';
        c->node = pgn_stored_put(x->r, whole ? square_of(v) : XQ_NOSQ,
                                 whole ? square_of(v + 3) : XQ_NOSQ, x->at,
                                 !ends, branch);
    } else {
        c->many_at = c->too_many ? c->many_at : x->at;
        c->too_many = true;
        return;
    }
    c->root_seen = c->in_move = true;
    c->from = b->body.n;
}

static void begin(pgn_xml *x, const char *name, const char **attributes)
{
    struct cbf *c = x->me;
    if (strcmp(name, "Head") == 0)
        c->head = true;
    else if (strcmp(name, "MoveList") == 0)
        c->list = true;
    else if (c->list && strcmp(name, "Move") == 0)
        begin_move(x, attributes);
    if (!c->head)
        return;
    for (unsigned i = 0; i < pgn_cbf_nfields; i++)
        if (strcmp(name, pgn_cbf_fields[i].element) == 0) {
            c->field = &pgn_cbf_fields[i];
            c->from = x->r->binary->body.n;
            c->at = x->at;
        }
}

static void text(pgn_xml *x, const char *s, size_t n)
{
    struct cbf *c = x->me;
    pgn_buf *b = &x->r->binary->body;
    if (c->field || c->in_move)
        pgn_buf_add(b, s, n);
    x->r->failed = x->r->failed || b->failed;
}

static void end_field(pgn_xml *x)
{
    static const pgn_result RESULTS[] = {PGN_UNKNOWN, PGN_RED_WINS,
                                         PGN_BLACK_WINS, PGN_DRAW};
    struct cbf *c = x->me;
    pgn_buf *b = &x->r->binary->body;
    const size_t n = b->n - c->from;
    const xq_str v =
        n ? pgn_xml_copy(x->r, b->s + c->from, n) : (xq_str){NULL, 0};
    b->n = c->from;
    if (v.n && c->field->tag) {
        pgn_build_tag(x->r, xq_str_of(c->field->tag), v, c->at);
    } else if (v.n && strcmp(c->field->element, "FEN") == 0) {
        c->fen = v;
        c->fen_at = c->at;
    } else if (v.n) {
        c->result_at = c->at;
        if (v.n == 1 && v.s[0] >= '0' && v.s[0] <= '3')
            c->result = RESULTS[v.s[0] - '0'];
    }
    c->field = NULL;
}

static void end(pgn_xml *x, const char *name)
{
    struct cbf *c = x->me;
    struct pgn_binary *b = x->r->binary;
    if (strcmp(name, "Head") == 0) {
        c->head = false;
    } else if (strcmp(name, "MoveList") == 0) {
        c->list = false;
    } else if (c->field && strcmp(name, c->field->element) == 0) {
        end_field(x);
    } else if (c->in_move && strcmp(name, "Move") == 0) {
        b->v[c->node].text = c->from;
        b->v[c->node].ntext = (uint32_t)(b->body.n - c->from);
        c->in_move = false;
    }
}

static void read_game(pgn_reader *r)
{
    static const pgn_xml_handlers ON = {begin, end, text};
    struct cbf c = {.result = PGN_UNKNOWN};
    size_t at;
    r->binary->body.n = 0;
    pgn_build_start(r, 0);
    const char *error = pgn_xml_run(r, &ON, &c, &at);
    if (r->failed)
        return;
    /* that the last line ends need not be said */
    const uint32_t missing = pgn_stored_close(r->binary);
    if (error)
        pgn_binary_damaged(r, at, "not XML: %s", error);
    else if (missing)
        pgn_binary_damaged(r, r->ntext, "the list ends before %u variation%s",
                           (unsigned)missing, missing == 1 ? "" : "s");
    if (c.too_many)
        pgn_binary_damaged(r, c.many_at, "moves behind the end of the tree");
    pgn_binary_setup_fen(r, c.fen, c.result, c.fen_at);
    pgn_binary_play(r, (const uint8_t *)r->binary->body.s, PGN_TEXT_UTF8);
    pgn_build_finish(r, r->ntext);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    return pgn_binary_whole(r, true, read_game, err);
}

const pgn_fmt pgn_fmt_cbf = {PGN_FMT_CBF, next};
