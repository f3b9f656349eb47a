/* fuzz_fen.c - any text as FEN: refused with a reason, or a position that
 * survives writing and reading, mirroring, and one move of each kind. */
#include "engine/key.h"
#include "engine/rules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

static bool same(const xq_pos *a, const xq_pos *b)
{
    return memcmp(a->at, b->at, sizeof a->at) == 0 && a->side == b->side &&
           a->key == b->key && a->mirror_key == b->mirror_key &&
           a->halfmove == b->halfmove && a->fullmove == b->fullmove;
}

static void check_moves(const xq_pos *p)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    check((list.n > 0) == xq_has_legal_move(p));
    check(xq_perft(p, 1) == list.n);
    xq_pos q = *p;
    for (unsigned i = 0; i < list.n; i++) {
        xq_undo u;
        check(xq_move_is_legal(p, list.m[i]));
        xq_pos_make(&q, list.m[i], &u);
        check(q.key == xq_key_of(&q));
        xq_pos_unmake(&q, &u);
        check(same(p, &q));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    xq_pos p, again;
    xq_err err = {0};
    unsigned flags = 0;
    if (xq_fen_parse(&p, (xq_str){(const char *)data, n}, &flags, &err) < 0) {
        check(err.msg[0] != '\0' && err.code < 0);
        return 0;
    }
    char fen[XQ_FEN_MAX];
    size_t len = xq_fen_format(&p, fen);
    check(len == strlen(fen) && len < XQ_FEN_MAX);
    check(xq_fen_parse(&again, (xq_str){fen, len}, &flags, &err) >= 0);
    check(flags == 0 && same(&p, &again));
    check(p.key == xq_key_of(&p));

    xq_pos mirror;
    xq_pos_mirror(&mirror, &p);
    check(mirror.key == p.mirror_key && mirror.mirror_key == p.key);

    char msg[128];
    for (unsigned it = 0; xq_pos_odd(&p, &it, msg);)
        check(msg[0] && memchr(msg, '\0', sizeof msg));
    xq_sq from[XQ_MAX_CHECKERS];
    check((xq_checkers(&p, from) > 0) == xq_in_check(&p, (xq_side)p.side));
    check_moves(&p);
    return 0;
}
