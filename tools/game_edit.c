/* game_edit.c - a copy of a game, to which notes and variations are added. */
#include "tools/game_edit.h"

#include <string.h>

static xq_str copy_text(game_edit *e, xq_str s)
{
    if (!s.s)
        return s;
    const xq_str t = xq_arena_copy(&e->arena, s);
    e->failed = e->failed || !t.s;
    return t;
}

static void *copy_array(game_edit *e, const void *from, size_t n, size_t size)
{
    void *to = xq_arena_alloc(&e->arena, n * size + 1);
    if (!to)
        e->failed = true;
    else if (n)
        memcpy(to, from, n * size);
    return to;
}

static void copy_problems(game_edit *e, const pgn_game *g)
{
    e->g.problems =
        copy_array(e, g->problems, g->nproblems, sizeof *g->problems);
    for (uint32_t i = 0; i < g->nproblems && !e->failed; i++) {
        e->g.problems[i].text = copy_text(e, g->problems[i].text);
        e->g.problems[i].message = copy_text(e, g->problems[i].message);
    }
}

void game_edit_copy(game_edit *e, const pgn_game *g)
{
    xq_arena_reset(&e->arena);
    e->failed = false;
    e->g = *g;
    e->cap_nodes = g->nnodes;
    e->cap_notes = g->nnotes;
    e->cap_tags = g->ntags;
    e->g.tags = copy_array(e, g->tags, g->ntags, sizeof *g->tags);
    e->g.main = copy_array(e, g->main, g->plies, sizeof *g->main);
    e->g.nodes = copy_array(e, g->nodes, g->nnodes, sizeof *g->nodes);
    e->g.notes = copy_array(e, g->notes, g->nnotes, sizeof *g->notes);
    copy_problems(e, g);
    for (uint32_t i = 0; i < g->ntags && !e->failed; i++) {
        e->g.tags[i].name = copy_text(e, g->tags[i].name);
        e->g.tags[i].value = copy_text(e, g->tags[i].value);
    }
    for (uint32_t i = 1; i < g->nnotes && !e->failed; i++)
        e->g.notes[i].text = copy_text(e, g->notes[i].text);
}

void game_edit_free(game_edit *e)
{
    xq_arena_free(&e->arena);
    *e = (game_edit){0};
}

/* ---- growing ---- */

/* Room for one more of n; the array, which may have moved. */
static void *grow(game_edit *e, void *v, uint32_t n, uint32_t *cap, size_t size)
{
    if (n < *cap || e->failed)
        return v;
    const uint32_t more = *cap + *cap / 2 + 16;
    void *to = more > *cap ? xq_arena_calloc(&e->arena, more, size) : NULL;
    if (!to) {
        e->failed = true;
        return v;
    }
    if (n)
        memcpy(to, v, n * size);
    *cap = more;
    return to;
}

static void add_note(game_edit *e, uint32_t node, pgn_note note)
{
    if (e->g.nnotes == 0) /* number 0 is "none" */
        e->g.nnotes = 1;
    e->g.notes =
        grow(e, e->g.notes, e->g.nnotes, &e->cap_notes, sizeof *e->g.notes);
    if (e->failed)
        return;
    const uint32_t i = e->g.nnotes++;
    e->g.notes[i] = note;
    uint32_t *at = &e->g.nodes[node].notes;
    while (*at)
        at = &e->g.notes[*at].next;
    *at = i;
}

void game_edit_comment(game_edit *e, uint32_t node, const char *text)
{
    if (e->failed)
        return;
    add_note(e, node,
             (pgn_note){.kind = PGN_NOTE_AFTER,
                        .text = copy_text(e, xq_str_of(text))});
}

bool game_edit_nag(game_edit *e, uint32_t node, uint32_t nag)
{
    if (e->failed)
        return false;
    for (uint32_t i = e->g.nodes[node].notes; i; i = e->g.notes[i].next)
        if (e->g.notes[i].kind == PGN_NOTE_NAG && e->g.notes[i].nag == nag)
            return false;
    add_note(e, node, (pgn_note){.kind = PGN_NOTE_NAG, .nag = nag});
    return true;
}

void game_edit_tag(game_edit *e, const char *name, const char *value)
{
    if (e->failed)
        return;
    const xq_str v = copy_text(e, xq_str_of(value));
    for (uint32_t i = 0; i < e->g.ntags; i++)
        if (xq_str_eq_nocase(e->g.tags[i].name, xq_str_of(name))) {
            e->g.tags[i].value = v;
            return;
        }
    e->g.tags = grow(e, e->g.tags, e->g.ntags, &e->cap_tags, sizeof *e->g.tags);
    const xq_str n = copy_text(e, xq_str_of(name));
    if (!e->failed)
        e->g.tags[e->g.ntags++] = (pgn_tag){n, v};
}

void game_edit_untag(game_edit *e, const char *name)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->g.ntags; i++)
        if (!xq_str_eq_nocase(e->g.tags[i].name, xq_str_of(name)))
            e->g.tags[n++] = e->g.tags[i];
    e->g.ntags = n;
}

/* ---- variations ---- */

static uint32_t add_node(game_edit *e, xq_move m)
{
    e->g.nodes =
        grow(e, e->g.nodes, e->g.nnodes, &e->cap_nodes, sizeof *e->g.nodes);
    if (e->failed)
        return 0;
    e->g.nodes[e->g.nnodes] = (pgn_node){.move = m};
    return e->g.nnodes++;
}

uint32_t game_edit_variation(game_edit *e, uint32_t node, const xq_move *moves,
                             size_t n)
{
    if (e->failed || n == 0)
        return 0;
    uint32_t last = node;
    if (e->g.nodes[node].move == moves[0])
        return 0;
    while (e->g.nodes[last].alt) {
        last = e->g.nodes[last].alt;
        if (e->g.nodes[last].move == moves[0])
            return 0;
    }
    uint32_t before = 0, first = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t at = add_node(e, moves[i]);
        if (e->failed)
            return 0;
        if (i == 0)
            first = e->g.nodes[last].alt = at;
        else
            e->g.nodes[before].next = at;
        before = at;
    }
    e->g.has_variations = true;
    return first;
}

/* ---- taking away ---- */

/* How long is the command at s[0..n) that begins with `open`: numbers and signs
 * up to ']'?  0: there is none, whatever somebody wrote. */
static size_t command_length(const char *s, size_t n, const char *open)
{
    size_t i = strlen(open);
    if (n <= i || memcmp(s, open, i) != 0)
        return 0;
    while (i < n && s[i] && strchr("0123456789+-.,/# ", s[i]))
        i++;
    return i < n && s[i] == ']' ? i + 1 : 0;
}

/* The first such command from s[at..) on; n: none. */
static size_t find_command(xq_str text, size_t at, const char *open)
{
    const char *s = text.s;
    while (at < text.n && (s = memchr(text.s + at, '[', text.n - at)) != NULL) {
        at = (size_t)(s - text.s);
        if (command_length(s, text.n - at, open))
            return at;
        at++;
    }
    return text.n;
}

/* `text` without these commands. */
static xq_str without(game_edit *e, xq_str text, const char *open)
{
    size_t from = find_command(text, 0, open), n = 0, at = 0;
    if (from == text.n)
        return text;
    char *s = xq_arena_alloc(&e->arena, text.n);
    if (!s) {
        e->failed = true;
        return text;
    }
    for (;;) {
        memcpy(s + n, text.s + at, from - at);
        n += from - at;
        if (from == text.n)
            return (xq_str){s, n};
        at = from + command_length(text.s + from, text.n - from, open);
        from = find_command(text, at, open);
    }
}

static bool is_blank(xq_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.s[i] > ' ')
            return false;
    return true;
}

void game_edit_strip(game_edit *e, uint32_t node, const char *open)
{
    if (e->failed)
        return;
    uint32_t *at = &e->g.nodes[node].notes;
    while (*at) {
        pgn_note *note = &e->g.notes[*at];
        const xq_str before = note->text;
        if (note->kind != PGN_NOTE_NAG)
            note->text = without(e, before, open);
        if (note->text.n != before.n && is_blank(note->text))
            *at = note->next;
        else
            at = &note->next;
    }
}

void game_edit_uncomment(game_edit *e, uint32_t node, const char *text)
{
    if (e->failed)
        return;
    uint32_t *at = &e->g.nodes[node].notes;
    while (*at) {
        pgn_note *note = &e->g.notes[*at];
        if (note->kind == PGN_NOTE_AFTER &&
            xq_str_eq(note->text, xq_str_of(text)))
            *at = note->next;
        else
            at = &note->next;
    }
}

void game_edit_unnag(game_edit *e, uint32_t node, uint32_t nag)
{
    uint32_t *last = NULL;
    for (uint32_t *at = &e->g.nodes[node].notes; *at && !e->failed;
         at = &e->g.notes[*at].next)
        if (e->g.notes[*at].kind == PGN_NOTE_NAG && e->g.notes[*at].nag == nag)
            last = at;
    if (last)
        *last = e->g.notes[*last].next;
}

/* Is the line from `node` on bare but for that one comment? */
static bool is_bare(const game_edit *e, uint32_t node, const char *open)
{
    const pgn_note *n = &e->g.notes[e->g.nodes[node].notes];
    if (!e->g.nodes[node].notes || n->next || n->kind != PGN_NOTE_AFTER ||
        n->text.n == 0 ||
        command_length(n->text.s, n->text.n, open) != n->text.n)
        return false;
    while ((node = e->g.nodes[node].next) != 0)
        if (e->g.nodes[node].notes || e->g.nodes[node].alt)
            return false;
    return true;
}

void game_edit_prune(game_edit *e, uint32_t node, xq_move first,
                     const char *open)
{
    for (uint32_t *at = &e->g.nodes[node].alt; *at && !e->failed;
         at = &e->g.nodes[*at].alt)
        if (e->g.nodes[*at].move == first) {
            if (is_bare(e, *at, open))
                *at = e->g.nodes[*at].alt;
            return;
        }
}
