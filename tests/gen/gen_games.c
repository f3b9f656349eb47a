/* gen_games.c - random games for tests of scale and of faults.
 *
 *   gen_games N [SEED [ENCODING [NOTATION]]]
 *
 * Writes N games as PGN to stdout.  Game i depends on SEED and i alone, so
 * that more games begin with the same ones.  All moves are legal; captures
 * and checks are preferred and openings are few, so that the first positions
 * are shared by many games and the later ones by few, as in real ones.
 * Names are numbers, of nobody.  Of a hundred games one comes twice, and
 * three have comments and a variation.
 * ENCODING: utf-8 (default), gb18030, gbk, big5.  NOTATION: chinese. */
#include "engine/key.h"
#include "engine/rules.h"
#include "libpgn/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLIES_MAX 300
#define TAGS      9

static uint64_t state;

static uint64_t rnd(void) /* SplitMix64 */
{
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
static unsigned below(unsigned n) { return (unsigned)(rnd() % n); }

struct made {
    pgn_game g;
    pgn_tag tags[TAGS];
    char text[TAGS][64];
    xq_move main[PLIES_MAX];
    pgn_node nodes[PLIES_MAX + 8];
    pgn_note notes[8];
};

/* One of the legal moves; a capture twice as often, and in the opening one
 * of the first few. */
static xq_move choose(const xq_pos *p, uint32_t ply)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    if (list.n == 0)
        return XQ_NOMOVE;
    if (ply < 12) /* few openings: powers make small numbers likely */
        return list.m[(below(list.n) * below(list.n) * below(list.n)) /
                      (list.n * list.n)];
    xq_move m = list.m[below(list.n)];
    if (!p->at[xq_move_to(m)])
        m = list.m[below(list.n)];
    return m;
}

static void add_tag(struct made *m, const char *name, const char *format,
                    unsigned long long a, unsigned b, unsigned c)
{
    uint32_t i = m->g.ntags++;
    char *s = m->text[i];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int n = snprintf(s, sizeof m->text[i], format, a, b, c);
#pragma GCC diagnostic pop
    m->tags[i] = (pgn_tag){xq_str_of(name), {s, (size_t)n}};
}

static void make_tags(struct made *m, uint64_t number)
{
    static const char *const RESULTS[] = {"*", "1-0", "0-1", "1/2-1/2"};
    unsigned long long event = number / 40;
    m->g.ntags = 0;
    add_tag(m, "Game", "Chinese Chess", 0, 0, 0);
    add_tag(m, "Event", "第%llu次测试比赛", event, 0, 0);
    add_tag(m, "Round", "%llu", number % 40 / 4 + 1, 0, 0);
    add_tag(m, "Date", "%04llu.%02u.%02u", 1980 + event % 45,
            1 + (unsigned)(event % 12), 1 + below(28));
    add_tag(m, "Site", "棋室%llu", event % 97, 0, 0);
    add_tag(m, "Red", "棋手%llu号", (unsigned long long)below(5000), 0, 0);
    add_tag(m, "Black", "棋手%llu号", (unsigned long long)below(5000), 0, 0);
    add_tag(m, "Result", RESULTS[m->g.result], 0, 0, 0);
    add_tag(m, "RedElo", "%llu", 1200 + (unsigned long long)below(1400), 0, 0);
    m->g.tags = m->tags;
}

/* A comment behind ply `at`, and another move there as a variation. */
static void annotate(struct made *m, uint32_t at)
{
    pgn_game *g = &m->g;
    xq_pos p = g->start;
    xq_movelist list;
    for (uint32_t i = 0; i + 1 < at; i++)
        xq_pos_make(&p, g->main[i], NULL);
    xq_gen_legal(&p, &list);
    g->notes[g->nnotes] = (pgn_note){
        .kind = PGN_NOTE_AFTER,
        .text = xq_str_of(at % 2 ? "此着可以商榷。" : "好棋! A fine move.")};
    g->nodes[at].notes = g->nnotes++;
    xq_move other = list.m[below(list.n)];
    if (other == g->main[at - 1])
        return;
    g->nodes[g->nnodes] = (pgn_node){.move = other};
    g->nodes[at].alt = g->nnodes++;
    g->has_variations = true;
}

static void make(struct made *m, uint64_t seed, uint64_t number)
{
    state = seed * UINT64_C(0xD6E8FEB86659FD93) + number;
    (void)rnd();
    if (number % 100 == 99) /* the same as an earlier one */
        number -= 1 + number % 7;
    state = seed * UINT64_C(0xD6E8FEB86659FD93) + number;
    memset(&m->g, 0, sizeof m->g);
    pgn_game *g = &m->g;
    g->main = m->main;
    g->nodes = m->nodes;
    g->notes = m->notes;
    g->nnotes = 1;
    g->nnodes = 1;
    g->standard = true;
    g->notation = PGN_CHINESE;
    xq_pos_start(&g->start);
    xq_pos p = g->start;
    uint32_t want = 30 + below(50) + below(50);
    xq_move move;
    memset(&m->nodes[0], 0, sizeof m->nodes[0]);
    while (g->plies < want && (move = choose(&p, g->plies)) != XQ_NOMOVE) {
        g->main[g->plies++] = move;
        g->nodes[g->nnodes] = (pgn_node){.move = move};
        g->nodes[g->nnodes - 1].next = g->nnodes;
        g->nnodes++;
        xq_pos_make(&p, move, NULL);
    }
    g->result = (pgn_result)below(4);
    if (number % 100 < 3 && g->plies > 20)
        for (uint32_t at = 5; at <= 15; at += 5)
            annotate(m, at);
    make_tags(m, number);
}

int main(int argc, char **argv)
{
    pgn_encoding enc = PGN_ENC_UTF8;
    pgn_style style = {.notation = PGN_CHINESE};
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (n == 0 || (argc > 3 && !pgn_encoding_of(argv[3], &enc))) {
        fprintf(stderr, "usage: gen_games N [SEED [ENCODING [NOTATION]]]\n");
        return 2;
    }
    if (argc > 4)
        style.notation = pgn_notation_of(argv[4]);
    if (enc == PGN_ENC_BIG5)
        style.script = PGN_TRADITIONAL;
    struct made *m = malloc(sizeof *m);
    pgn_buf text = {0}, out = {0};
    size_t lost = 0;
    for (uint64_t i = 0; m && i < n; i++) {
        make(m, seed, i);
        text.n = out.n = 0;
        if (pgn_write_pgn(&m->g, &style, &text, NULL) != XQ_OK)
            break;
        if (enc == PGN_ENC_UTF8)
            fwrite(text.s, 1, text.n, stdout);
        else if (pgn_encode(enc, (xq_str){text.s, text.n}, &out, &lost) ==
                 XQ_OK)
            fwrite(out.s, 1, out.n, stdout);
    }
    pgn_buf_free(&text);
    pgn_buf_free(&out);
    free(m);
    return fflush(stdout) != 0;
}
