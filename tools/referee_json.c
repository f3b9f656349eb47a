/* referee_json.c - the referee's report, for programs. */
#include "tools/referee_case.h"

#include <inttypes.h>

static void add_attack(cli_buf *b, const xq_attack *a)
{
    char attacker[3], victim[3];
    xq_sq_format(a->attacker, attacker);
    xq_sq_format(a->victim, victim);
    cli_buf_printf(b,
                   "{\"attacker\":\"%s\",\"attacker_piece\":\"%s\","
                   "\"victim\":\"%s\",\"victim_piece\":\"%s\",\"how\":[",
                   attacker, ref_kind_code(a->attacker_piece), victim,
                   ref_kind_code(a->victim_piece));
    ref_how_json(b, a->how);
    cli_buf_puts(b, "]}");
}

static void add_square(cli_buf *b, const char *name, xq_sq s, xq_piece piece)
{
    char text[3];
    if (s == XQ_NOSQ)
        return;
    xq_sq_format(s, text);
    cli_buf_printf(b, ",\"%s\":\"%s\",\"%s_piece\":\"%s\"", name, text, name,
                   ref_kind_code(piece));
}

/* after: the board after the ply. */
static void add_note(cli_buf *b, const ref_case *c, const xq_pos *after,
                     const xq_ply_note *note)
{
    cli_buf_printf(b, "{\"trait\":\"%s\"", ref_trait_code(note->trait));
    add_square(b, "attacker", note->attacker, note->attacker_piece);
    add_square(b, "victim", note->victim, note->victim_piece);
    if (note->move != XQ_NOMOVE) {
        char move[5], text[PGN_MOVE_TEXT_MAX];
        xq_pos again = *after;
        again.side ^= 1; /* the side that moved moves once more */
        xq_move_format(note->move, move);
        pgn_move_write(&again, note->move, c->how.notation, c->how.script,
                       text);
        cli_buf_printf(b, ",\"move\":\"%s\",\"text\":", move);
        cli_buf_json(b, xq_str_of(text));
    }
    if (note->moves)
        cli_buf_printf(b, ",\"moves\":%" PRIu32, note->moves);
    cli_buf_puts(b, "}");
}

static void add_ply(cli_buf *b, const ref_case *c, const xq_pos *before,
                    uint32_t number, const xq_ply *ply)
{
    char move[5], text[PGN_MOVE_TEXT_MAX];
    xq_move_format(ply->move, move);
    pgn_move_write(before, ply->move, c->how.notation, c->how.script, text);
    cli_buf_printf(
        b, "{\"ply\":%" PRIu32 ",\"side\":\"%s\",\"move\":\"%s\",\"text\":",
        number, ref_side_code((xq_side)before->side), move);
    cli_buf_json(b, xq_str_of(text));
    cli_buf_printf(b, ",\"nature\":\"%s\",\"traits\":[",
                   ref_nature_code(ply->nature));
    ref_traits_json(b, ply->traits);
    cli_buf_puts(b, "],\"attacks\":[");
    for (unsigned i = 0; i < ply->count && i < XQ_MAX_ATTACKS; i++) {
        cli_buf_puts(b, i ? "," : "");
        add_attack(b, &ply->attacks[i]);
    }
    cli_buf_puts(b, "],\"notes\":[");
    xq_pos after = *before;
    xq_pos_make(&after, ply->move, NULL);
    for (unsigned i = 0; i < ply->note_count; i++) {
        cli_buf_puts(b, i ? "," : "");
        add_note(b, c, &after, &ply->notes[i]);
    }
    cli_buf_puts(b, "]}");
}

void ref_report_json_plies(cli_buf *b, const ref_case *c)
{
    cli_buf_puts(b, "[");
    if (c->ruling.ending == XQ_REPEATED) {
        const uint32_t begin = c->ruling.from_ply - 1;
        xq_pos p = c->first;
        for (uint32_t i = begin; i < c->ruling.to_ply; i++) {
            xq_ply ply;
            ref_case_explain(c, i - begin, &ply);
            cli_buf_puts(b, i > begin ? "," : "");
            add_ply(b, c, &p, i + 1, &ply);
            xq_pos_make(&p, ply.move, NULL);
        }
    }
    cli_buf_puts(b, "]");
}

void ref_report_json_natures(cli_buf *b, const ref_case *c, xq_side s)
{
    const char *comma = "";
    cli_buf_puts(b, "[");
    if (c->ruling.ending == XQ_REPEATED) {
        const uint32_t n = c->ruling.to_ply - (c->ruling.from_ply - 1);
        for (uint32_t i = c->first.side == s ? 0 : 1; i < n; i += 2) {
            xq_ply ply;
            ref_case_explain(c, i, &ply);
            cli_buf_printf(b, "%s\"%s\"", comma, ref_nature_code(ply.nature));
            comma = ",";
        }
    }
    cli_buf_puts(b, "]");
}

void ref_report_json_verdict(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    cli_buf_printf(b,
                   "\"verdict\":\"%s\",\"rules\":\"%s\",\"article\":\"%s\","
                   "\"from_ply\":%" PRIu32 ",\"to_ply\":%" PRIu32,
                   ref_outcome_code(r->outcome),
                   ref_rules_code(c->how.rules.rules), r->article, r->from_ply,
                   r->to_ply);
}

static void add_occurrences(cli_buf *b, const ref_case *c)
{
    cli_buf_puts(b, "[");
    for (uint32_t i = 0; i < c->occurrences; i++)
        cli_buf_printf(b, "%s%" PRIu32, i ? "," : "", c->after[i]);
    cli_buf_puts(b, "]");
}

static void add_outcomes(cli_buf *b, unsigned outcomes)
{
    const char *comma = "";
    for (int o = XQ_DRAW; o <= XQ_BLACK_LOSES; o++) {
        if (!(outcomes >> o & 1))
            continue;
        cli_buf_printf(b, "%s\"%s\"", comma, ref_outcome_code((xq_outcome)o));
        comma = ",";
    }
}

/* The natural limit, and what its count is made of. */
static void add_limit(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    ref_count count;
    ref_case_count(c, &count);
    cli_buf_printf(
        b,
        "{\"plies\":%" PRIu32 ",\"of\":%" PRIu32 ",\"checks\":{\"red\":%" PRIu32
        ",\"black\":%" PRIu32 "},\"fen\":%" PRIu32 ",\"played\":%" PRIu32
        ",\"checks_off\":{\"red\":%" PRIu32 ",\"black\":%" PRIu32
        "},\"replies_off\":%" PRIu32 "}",
        r->counted, c->how.rules.natural_limit, r->checks[XQ_RED],
        r->checks[XQ_BLACK], count.base, count.played, count.checks_off[XQ_RED],
        count.checks_off[XQ_BLACK], count.replies);
}

void ref_report_json(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    cli_buf reason = {0};
    ref_report_json_verdict(b, c);
    cli_buf_puts(b, ",\"red\":");
    ref_report_json_natures(b, c, XQ_RED);
    cli_buf_puts(b, ",\"black\":");
    ref_report_json_natures(b, c, XQ_BLACK);
    ref_report_reason(&reason, c);
    ref_script(&reason, 0, &c->how);
    cli_buf_puts(b, ",\"reason\":");
    cli_buf_json(b, (xq_str){reason.s, reason.n});
    b->failed |= reason.failed;
    cli_buf_free(&reason);
    cli_buf_printf(b, ",\"ending\":\"%s\",\"unsupported\":%s,\"between\":[",
                   ref_ending_code(r->ending),
                   r->unsupported ? "true" : "false");
    add_outcomes(b, r->outcomes);
    cli_buf_puts(b, "],\"occurrences\":");
    add_occurrences(b, c);
    cli_buf_printf(b, ",\"length\":%" PRIu32 ",\"limit\":", c->n);
    add_limit(b, c);
    cli_buf_puts(b, ",\"plies\":");
    ref_report_json_plies(b, c);
}
