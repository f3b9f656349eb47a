/* test_pos.c - the board: squares, slots, make and unmake, mirror. */
#include "tests/unit/engine_util.h"

static void squares_are_file_plus_nine_ranks(void **state)
{
    (void)state;
    assert_int_equal(xq_sq_of(0, 0), 0);
    assert_int_equal(xq_sq_of(8, 9), 89);
    for (int s = 0; s < 90; s++) {
        assert_int_equal(xq_file_of[s], s % 9);
        assert_int_equal(xq_rank_of[s], s / 9);
        assert_int_equal(xq_sq_mirror[s], s / 9 * 9 + 8 - s % 9);
    }
}

static void moves_are_read_and_written(void **state)
{
    static const char *const BAD[] = {
        "",     "h2",    "h2e",  "h2e2 ", "H2e2", "j2e2", "h2e:",
        "h2-e", "h10e2", "2h2e", "h2ez",  "@2e2", "h/e2",
    };
    char text[5];
    (void)state;
    xq_move m = xq_move_parse("h2e2");
    assert_int_equal(m, xq_move_make(xq_sq_of(7, 2), xq_sq_of(4, 2)));
    xq_move_format(xq_move_mirror(m), text);
    assert_string_equal(text, "b2e2");
    for (size_t i = 0; i < COUNT_OF(BAD); i++)
        if (xq_move_parse(BAD[i]) != XQ_NOMOVE)
            fail_msg("'%s' was read", BAD[i]);
    for (xq_sq from = 0; from < 90; from++)
        for (xq_sq to = 0; to < 90; to++) {
            m = xq_move_make(from, to);
            assert_int_equal(m >> 14, 0);
            xq_move_format(m, text);
            assert_int_equal(xq_move_parse(text), m);
        }
    xq_move_format(0xffff, text); /* no square, no crash */
}

static void slots_follow_code_then_square(void **state)
{
    xq_pos p;
    unsigned slot = 0;
    (void)state;
    xq_pos_start(&p);
    assert_int_equal(p.first[16], 32);
    for (unsigned code = 0; code < 16; code++) {
        assert_int_equal(p.first[code], slot);
        for (xq_sq s = 0; s < 90; s++)
            if (p.at[s] == code && code) {
                assert_int_equal(p.sq[slot], s);
                assert_int_equal(p.slot[s], slot);
                slot++;
            }
    }
    for (; slot < 90; slot++)
        assert_int_equal(p.sq[slot], XQ_NOSQ);
    assert_int_equal(xq_pos_king(&p, XQ_RED), xq_sq_of(4, 0));
    assert_int_equal(xq_pos_king(&p, XQ_BLACK), xq_sq_of(4, 9));
}

static void slot_follows_its_piece_until_captured(void **state)
{
    xq_pos p;
    xq_undo u;
    (void)state;
    xq_pos_start(&p);
    unsigned cannon = p.slot[xq_sq_of(1, 2)], horse = p.slot[xq_sq_of(1, 9)];
    xq_pos_make(&p, xq_move_parse("b2b9"), &u); /* takes the horse */
    assert_int_equal(p.sq[cannon], xq_sq_of(1, 9));
    assert_int_equal(p.sq[horse], XQ_NOSQ);
    assert_int_equal(p.slot[xq_sq_of(1, 9)], cannon);
    assert_int_equal(u.captured, xq_piece_of(XQ_BLACK, XQ_HORSE));
    xq_pos_unmake(&p, &u);
    assert_int_equal(p.sq[horse], xq_sq_of(1, 9));
}

static void counters_count(void **state)
{
    xq_pos p;
    (void)state;
    xq_pos_start(&p);
    xq_pos_make(&p, xq_move_parse("h2e2"), NULL);
    assert_fen(&p, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/"
                   "RNBAKABNR b - - 1 1");
    xq_pos_make(&p, xq_move_parse("h9g7"), NULL);
    xq_pos_make(&p, xq_move_parse("e2e6"), NULL); /* takes a pawn */
    assert_fen(&p, "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/"
                   "RNBAKABNR b - - 0 2");
    p.halfmove = UINT16_MAX; /* stays where it is */
    xq_pos_make(&p, xq_move_parse("i9h9"), NULL);
    assert_int_equal(p.halfmove, UINT16_MAX);
    assert_int_equal(p.fullmove, 3);
}

static void set_refuses_broken_boards(void **state)
{
    uint8_t at[XQ_SQUARES] = {0};
    xq_pos p;
    xq_err err;
    (void)state;
    assert_int_equal(xq_pos_set(&p, at, XQ_RED, &err), XQ_EILLEGAL);
    assert_string_equal(err.msg,
                        "rank 0, file e: no red king, here or elsewhere");
    at[3] = xq_piece_of(XQ_RED, XQ_KING);
    assert_int_equal(xq_pos_set(&p, at, XQ_RED, NULL), XQ_EILLEGAL);
    at[84] = xq_piece_of(XQ_BLACK, XQ_KING);
    assert_int_equal(xq_pos_set(&p, at, XQ_BLACK, &err), XQ_OK);
    assert_int_equal(p.side, XQ_BLACK);
    at[40] = 8; /* black, but no kind */
    assert_int_equal(xq_pos_set(&p, at, XQ_RED, &err), XQ_EILLEGAL);
    assert_string_equal(err.msg,
                        "rank 4, file e: piece code 8 is out of range");
    at[40] = 16;
    assert_int_equal(xq_pos_set(&p, at, XQ_RED, &err), XQ_EILLEGAL);
    at[40] = xq_piece_of(XQ_RED, XQ_KING);
    assert_int_equal(xq_pos_set(&p, at, XQ_RED, &err), XQ_EILLEGAL);
    assert_string_equal(err.msg, "rank 4, file e: a second red king");
    at[3] = 0;
    assert_int_equal(xq_pos_set(&p, at, XQ_RED, &err), XQ_EILLEGAL);
    assert_string_equal(err.msg, "rank 4, file e: red king outside its palace");
}

static void full_board_fits(void **state)
{
    uint8_t at[XQ_SQUARES];
    xq_pos p;
    xq_movelist list;
    (void)state;
    for (int s = 0; s < 90; s++)
        at[s] = xq_piece_of(s < 45 ? XQ_RED : XQ_BLACK, XQ_PAWN);
    at[4] = xq_piece_of(XQ_RED, XQ_KING);
    at[85] = xq_piece_of(XQ_BLACK, XQ_KING);
    assert_int_equal(xq_pos_set(&p, at, XQ_RED, NULL), XQ_OK);
    assert_int_equal(p.first[16], 90);
    xq_gen_legal(&p, &list);
    assert_int_equal(list.n, 9); /* pawns of rank 4 take those of rank 5 */
}

/* Everything the board holds, compared with one set up from its squares. */
static void assert_consistent(const xq_pos *p)
{
    xq_pos fresh;
    assert_int_equal(xq_pos_set(&fresh, p->at, (xq_side)p->side, NULL), XQ_OK);
    assert_memory_equal(p->line, fresh.line, sizeof p->line);
    assert_memory_equal(p->own, fresh.own, sizeof p->own);
    assert_true(p->key == fresh.key && p->mirror_key == fresh.mirror_key);
    for (int s = 0; s < 90; s++) {
        unsigned f = xq_file_of[s], r = xq_rank_of[s];
        assert_int_equal(xq_rank_occ(p, r) >> f & 1, p->at[s] != 0);
        assert_int_equal(xq_file_occ(p, f) >> r & 1, p->at[s] != 0);
        if (!p->at[s])
            continue;
        unsigned slot = p->slot[s];
        assert_int_equal(p->sq[slot], s);
        assert_in_range(slot, p->first[p->at[s]], p->first[p->at[s] + 1] - 1);
    }
}

static void check_unmake(const xq_pos *p, const char *what, uint64_t seed)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        xq_pos copy = *p;
        xq_undo u;
        xq_pos_make(&copy, list.m[i], &u);
        assert_consistent(&copy);
        xq_pos_unmake(&copy, &u);
        if (memcmp(&copy, p, sizeof copy) != 0)
            fail_msg("%s, seed %llu: unmake differs", what,
                     (unsigned long long)seed);
    }
}

static void unmake_restores_every_bit(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int game = 0; game < 10; game++) {
        xq_pos p;
        xq_move m;
        xq_pos_start(&p);
        for (int ply = 0; ply < 80 && (m = random_move(&p, &r)); ply++) {
            check_unmake(&p, "playout", seed);
            xq_pos_make(&p, m, NULL);
        }
    }
    for (int i = 0; i < 300; i++) {
        xq_pos p = random_odd(&r, 60);
        check_unmake(&p, "odd position", seed);
    }
}

static void pass_twice_changes_nothing(void **state)
{
    xq_pos p = pos_of("4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 5 9"), q = p;
    (void)state;
    xq_pos_pass(&q);
    assert_int_equal(q.side, XQ_RED);
    assert_true(q.key == xq_key_of(&q));
    assert_int_equal(q.halfmove, 5);
    xq_pos_pass(&q);
    assert_memory_equal(&p, &q, sizeof p);
}

static void mirror_turns_left_and_right(void **state)
{
    xq_pos p = pos_of("3k5/9/9/9/9/2P6/9/9/9/R3K4 b - - 7 30"), q;
    (void)state;
    xq_pos_mirror(&q, &p);
    assert_fen(&q, "5k3/9/9/9/9/6P2/9/9/9/4K3R b - - 7 30");
    xq_pos_mirror(&q, &q); /* in place */
    assert_fen(&q, "3k5/9/9/9/9/2P6/9/9/9/R3K4 b - - 7 30");
    assert_memory_equal(&p, &q, sizeof p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_file_plus_nine_ranks),
        cmocka_unit_test(moves_are_read_and_written),
        cmocka_unit_test(slots_follow_code_then_square),
        cmocka_unit_test(slot_follows_its_piece_until_captured),
        cmocka_unit_test(counters_count),
        cmocka_unit_test(set_refuses_broken_boards),
        cmocka_unit_test(full_board_fits),
        cmocka_unit_test(unmake_restores_every_bit),
        cmocka_unit_test(pass_twice_changes_nothing),
        cmocka_unit_test(mirror_turns_left_and_right),
    };
    return cmocka_run_group_tests_name("pos", tests, NULL, NULL);
}
