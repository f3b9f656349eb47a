/* annotate_record.c - what annotate has added to a game, kept in a tag. */
#include "tools/annotate_record.h"

#include <inttypes.h>
#include <string.h>

#define ADDED     "AnnotatorAdded"
#define ANNOTATOR "Annotator"
#define AND       " / "

static void begin_item(annotate_record *r, uint32_t ply)
{
    cli_buf_printf(&r->items, "%s%" PRIu32, r->items.n ? " " : "", ply);
}

void annotate_record_nag(annotate_record *r, uint32_t ply, uint32_t nag)
{
    begin_item(r, ply);
    cli_buf_printf(&r->items, "$%" PRIu32, nag);
}

void annotate_record_variation(annotate_record *r, uint32_t ply, xq_move first)
{
    char move[5];
    xq_move_format(first, move);
    begin_item(r, ply);
    cli_buf_puts(&r->items, move);
}

static void set_tag(game_edit *e, const char *name, cli_buf *value)
{
    cli_buf_add(value, "", 1);
    if (value->failed)
        e->failed = true;
    else
        game_edit_tag(e, name, value->s);
}

void annotate_record_write(annotate_record *r, game_edit *e, const char *name)
{
    if (name) {
        const xq_str before = pgn_game_tag(&e->g, ANNOTATOR);
        cli_buf whole = {0};
        if (before.n) {
            cli_buf_add(&whole, before.s, before.n);
            cli_buf_puts(&whole, AND);
        }
        cli_buf_puts(&whole, name);
        set_tag(e, ANNOTATOR, &whole);
        cli_buf_free(&whole);
        cli_buf_puts(&r->items, "; ");
        cli_buf_puts(&r->items, name);
        set_tag(e, ADDED, &r->items);
    }
    cli_buf_free(&r->items);
}

/* ---- the way back ---- */

/* A number at *s, which is moved behind it; false: none, or too long. */
static bool read_number(xq_str *s, uint32_t *v)
{
    size_t n = 0;
    for (*v = 0; n < s->n && n < 9 && s->s[n] >= '0' && s->s[n] <= '9'; n++)
        *v = *v * 10 + (uint32_t)(s->s[n] - '0');
    s->s += n;
    s->n -= n;
    return n > 0;
}

/* Where the way through the game has come to. */
struct place {
    uint32_t ply, node;
};

/* Items come in the order of their plies.  False: they do not, or are no items.
 */
static bool undo_item(game_edit *e, struct place *at, xq_str item)
{
    uint32_t ply, nag;
    char move[5] = {0};
    if (!read_number(&item, &ply) || !item.n || ply < at->ply || ply == 0)
        return false;
    for (; at->ply < ply; at->ply++)
        if (!(at->node = e->g.nodes[at->node].next))
            return false;
    if (*item.s == '$') {
        item.s++, item.n--;
        if (read_number(&item, &nag) && !item.n)
            game_edit_unnag(e, at->node, nag);
    } else if (item.n == 4) {
        memcpy(move, item.s, 4);
        game_edit_prune(e, at->node, xq_move_parse(move), ANNOTATE_EVAL_OPEN);
    }
    return true;
}

/* Our name, alone or behind others. */
static void undo_annotator(game_edit *e, xq_str name)
{
    static const size_t AND_SIZE = sizeof AND - 1;
    const xq_str whole = pgn_game_tag(&e->g, ANNOTATOR);
    if (xq_str_eq(whole, name)) {
        game_edit_untag(e, ANNOTATOR);
        return;
    }
    if (whole.n < name.n + AND_SIZE)
        return;
    const size_t keep = whole.n - name.n - AND_SIZE;
    if (memcmp(whole.s + keep, AND, AND_SIZE) != 0 ||
        memcmp(whole.s + whole.n - name.n, name.s, name.n) != 0)
        return;
    cli_buf b = {0};
    cli_buf_add(&b, whole.s, keep);
    set_tag(e, ANNOTATOR, &b);
    cli_buf_free(&b);
}

void annotate_record_undo(game_edit *e)
{
    xq_str all = pgn_game_tag(&e->g, ADDED);
    struct place at = {0, 0};
    if (!all.n || !e->g.nodes || e->failed)
        return;
    for (bool go_on = true; go_on && all.n && *all.s != ';';) {
        const char *blank = memchr(all.s, ' ', all.n);
        const char *semicolon = memchr(all.s, ';', all.n);
        size_t n = blank ? (size_t)(blank - all.s) : all.n;
        if (semicolon && (size_t)(semicolon - all.s) < n)
            n = (size_t)(semicolon - all.s);
        go_on = undo_item(e, &at, (xq_str){all.s, n});
        n += n < all.n && all.s[n] == ' ';
        all.s += n;
        all.n -= n;
    }
    const char *name = all.n ? memmem(all.s, all.n, "; ", 2) : NULL;
    if (name)
        undo_annotator(e,
                       (xq_str){name + 2, all.n - (size_t)(name + 2 - all.s)});
    game_edit_untag(e, ADDED);
}
