/* test_national.c - the Chinese national rules: the rows of
 * tests/data/repetition.tsv, its articles one by one, and both rule books side
 * by side. */
#include "tests/unit/referee_util.h"

#include "engine/tactic.h"

/* The rows were made with mates of at most two own moves (C-40). */
static xq_profile profile_of_the_rows(void)
{
    xq_profile pr;
    xq_profile_init(&pr, XQ_CXA);
    assert_int_equal(pr.threat_depth, 2);
    return pr;
}

static bool next_cxa_row(FILE *f, struct repetition_row *row)
{
    while (next_row(f, row))
        if (row->rules == XQ_CXA)
            return true;
    return false;
}

static void fail_row(const struct repetition_row *row, const xq_ruling *r)
{
    fail_msg("%s: outcome %d by %s, not %d (%s)", row->id, (int)r->outcome,
             r->article, (int)row->expected, row->reason);
}

/* ---- the table ---- */

/* All of them, the one of low confidence (cx-051) too. */
static void rows_are_judged_as_published(void **state)
{
    FILE *f = open_data("repetition.tsv");
    const xq_profile pr = profile_of_the_rows();
    struct repetition_row row;
    unsigned n = 0;
    (void)state;
    while (next_cxa_row(f, &row)) {
        const xq_ruling r = ruling_from(&pr, &row.line, 0);
        const bool judged = row.expected != XQ_NO_VERDICT;
        if (r.outcome != row.expected || r.unsupported)
            fail_row(&row, &r);
        assert_int_equal(r.ending, judged ? XQ_REPEATED : XQ_GOES_ON);
        assert_int_equal(r.occurrences >= 3, judged);
        if (judged && row.reason[0] == 'C' &&
            strncmp(r.article, row.reason, strlen(r.article)) != 0)
            fail_row(&row, &r);
        n++;
    }
    fclose(f);
    assert_int_equal(n, 76);
}

/* Deeper searches find what the rows did not look for.  cg-012: c4e4 mates by
 * checks in four, so both of Black's moves threaten mate.  cx-024, cx-142: two
 * checks and a capture win a piece; is that a chase?  (C-41) */
static void rows_seen_deeper(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    unsigned differ = 0;
    xq_profile pr;
    (void)state;
    xq_profile_init(&pr, XQ_CXA);
    pr.threat_depth = 4;
    while (next_cxa_row(f, &row)) {
        const xq_ruling r = ruling_from(&pr, &row.line, 0);
        if (strcmp(row.id, "cg-012") == 0) {
            assert_int_equal(r.outcome, XQ_BLACK_LOSES);
            assert_string_equal(r.article, "C-22");
            assert_int_equal(r.side[XQ_BLACK].plies[XQ_MATE_THREAT], 2);
        } else if (strcmp(row.id, "cx-024") == 0 ||
                   strcmp(row.id, "cx-142") == 0) {
            assert_int_equal(r.outcome, XQ_NO_VERDICT);
            assert_true(r.unsupported);
            assert_string_equal(r.article, "C-41");
        } else {
            if (r.outcome != row.expected)
                fail_row(&row, &r);
            continue;
        }
        differ++;
    }
    fclose(f);
    assert_int_equal(differ, 3);
}

/* "C-22: Red check+chase, Black idle+idle": how often each nature is named of
 * the side.  False when the reason does not name them. */
static bool named_natures(const char *reason, const char *side,
                          uint32_t plies[4])
{
    static const struct {
        const char *name;
        xq_nature nature;
    } NAMES[] = {
        {"check", XQ_CHECK},
        {"mate threat", XQ_MATE_THREAT},
        {"chase", XQ_CHASE},
        {"idle", XQ_IDLE},
        {"king/pawn attack (idle)", XQ_IDLE},
        {"exchange offer", XQ_IDLE},
    };
    const char *s = strstr(reason, side);
    memset(plies, 0, 4 * sizeof *plies);
    if (!s)
        return false;
    for (s += strlen(side);; s++) {
        const size_t n = strcspn(s, "+,");
        bool known = false;
        for (size_t i = 0; i < COUNT_OF(NAMES); i++)
            if (strlen(NAMES[i].name) == n &&
                strncmp(s, NAMES[i].name, n) == 0) {
                plies[NAMES[i].nature]++;
                known = true;
            }
        if (!known)
            return false;
        s += n;
        if (*s != '+')
            return true;
    }
}

static void natures_are_those_the_rows_name(void **state)
{
    static const char *const SIDES[2] = {": Red ", ", Black "};
    FILE *f = open_data("repetition.tsv");
    const xq_profile pr = profile_of_the_rows();
    struct repetition_row row;
    unsigned named = 0;
    (void)state;
    while (next_cxa_row(f, &row)) {
        const xq_ruling r = ruling_from(&pr, &row.line, 0);
        uint32_t want[4];
        for (int s = 0; s < 2; s++) {
            if (!named_natures(row.reason, SIDES[s], want))
                continue;
            if (memcmp(want, r.side[s].plies, sizeof want) != 0)
                fail_row(&row, &r);
            named++;
        }
    }
    fclose(f);
    assert_true(named >= 2 * 68);
}

/* ---- changes that must not matter ---- */

/* Counts and outcome are those of the plies explained one by one; and the
 * window may be entered anywhere, mirrored, its sides exchanged. */
static void check_window(const xq_profile *pr, const struct line_of_play *w,
                         const char *what)
{
    const struct line_of_play wing = mirrored(w), side = turned(w);
    const struct line_of_play twice = repeated(w, 2);
    uint32_t plies[2][4] = {{0}};
    xq_ruling r, o;
    bool open = false;
    xq_judge_window(pr, &w->start, w->moves, w->n, &r);
    for (uint32_t i = 0; i < w->n; i++) {
        xq_ply ply;
        xq_explain_ply(pr, &w->start, w->moves, w->n, i, &ply);
        plies[w->start.side ^ (i & 1)][ply.nature]++;
        open |= (ply.traits & XQ_TRAIT_UNDECIDED) != 0;
        bool wins = false;
        for (unsigned k = 0; k < ply.count && k < XQ_MAX_ATTACKS; k++)
            wins |= !(ply.attacks[k].how & XQ_HOW_OPEN);
        if (wins != ((ply.traits & XQ_TRAIT_CHASES) != 0) ||
            (ply.nature == XQ_CHASE && !wins))
            fail_msg("%s: ply %u, is it a chase?", what, (unsigned)i);
    }
    for (int s = 0; s < 2; s++)
        if (memcmp(plies[s], r.side[s].plies, sizeof plies[s]) != 0)
            fail_msg("%s: explained otherwise than counted", what);
    if (r.unsupported && !open && strcmp(r.article, "C-25") != 0)
        fail_msg("%s: no verdict, but every ply is clear", what);
    xq_judge_window(pr, &wing.start, wing.moves, wing.n, &o);
    if (o.outcome != r.outcome || strcmp(o.article, r.article) != 0)
        fail_msg("%s: mirrored %d", what, (int)o.outcome);
    xq_judge_window(pr, &side.start, side.moves, side.n, &o);
    if (o.outcome != outcome_turned(r.outcome) ||
        strcmp(o.article, r.article) != 0)
        fail_msg("%s: turned %d", what, (int)o.outcome);
    for (int s = 0; s < 2; s++)
        assert_memory_equal(&o.side[s], &r.side[!s], sizeof o.side[s]);
    for (uint32_t k = 1; k < w->n; k++) {
        const xq_pos first = pos_after(&twice, k);
        xq_judge_window(pr, &first, twice.moves + k, w->n, &o);
        if (o.outcome != r.outcome || strcmp(o.article, r.article) != 0)
            fail_msg("%s: from ply %u %d", what, (unsigned)k, (int)o.outcome);
    }
}

static void rows_may_be_mirrored_turned_and_entered_anywhere(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    (void)state;
    while (next_row(f, &row)) { /* those of the Asian rules as well */
        const struct line_of_play w = window_of(&row.line);
        xq_profile pr = profile_of_the_rows();
        if (w.n == 0)
            continue;
        check_window(&pr, &w, row.id);
        pr.threat_depth = 4;
        check_window(&pr, &w, row.id);
    }
    fclose(f);
}

/* A piece of each side goes somewhere and back, if it may. */
static bool random_window(uint64_t *x, struct line_of_play *out)
{
    const xq_pos start = random_odd(x, 14);
    *out = (struct line_of_play){.start = start};
    xq_pos p = start;
    if (xq_in_check(&p, (xq_side)(p.side ^ 1)))
        return false;
    while (out->n < 4) {
        const xq_move last = out->n < 2 ? 0 : out->moves[out->n - 2];
        const xq_move m =
            last ? xq_move_make(xq_move_to(last), xq_move_from(last))
                 : random_move(&p, x);
        if (!xq_move_is_legal(&p, m) || p.at[xq_move_to(m)])
            return false;
        xq_pos_make(&p, m, NULL);
        out->moves[out->n++] = m;
    }
    return p.key == start.key;
}

static void random_windows_may_be_turned_too(void **state)
{
    uint64_t x = seed_of_run();
    unsigned outcomes[4] = {0}, n = 0;
    xq_profile pr;
    xq_profile_init(&pr, XQ_CXA);
    (void)state;
    while (n < 1500) {
        struct line_of_play w;
        char what[64 + XQ_FEN_MAX], fen[XQ_FEN_MAX], m[2][5];
        xq_ruling r;
        if (!random_window(&x, &w))
            continue;
        xq_fen_format(&w.start, fen);
        xq_move_format(w.moves[0], m[0]);
        xq_move_format(w.moves[1], m[1]);
        snprintf(what, sizeof what, "seed %llu: %s %s %s",
                 (unsigned long long)seed_of_run(), fen, m[0], m[1]);
        check_window(&pr, &w, what);
        xq_judge_window(&pr, &w.start, w.moves, w.n, &r);
        outcomes[r.outcome]++;
        n++;
    }
    for (int o = 0; o < 4; o++)
        assert_true(outcomes[o] > 5);
}

/* ---- the articles, ply by ply ---- */

struct ply_case {
    const char *fen, *moves;
    unsigned ply; /* from 0 */
    xq_nature nature;
    unsigned has, has_not; /* traits */
};

static void check_plies(const struct ply_case *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct line_of_play w = line_of(t[i].fen, t[i].moves);
        xq_profile pr;
        xq_ply ply;
        xq_profile_init(&pr, XQ_CXA);
        assert_true(pos_after(&w, w.n).key == w.start.key);
        xq_explain_ply(&pr, &w.start, w.moves, w.n, t[i].ply, &ply);
        if (ply.nature != t[i].nature || (ply.traits & t[i].has) != t[i].has ||
            ply.traits & t[i].has_not)
            fail_msg("%s, %s, ply %u: nature %d, traits %x", t[i].fen,
                     t[i].moves, t[i].ply, (int)ply.nature, ply.traits);
    }
}

enum {
    ANSWERS = XQ_TRAIT_ANSWERS_CHECK,
    THREATENS = XQ_TRAIT_MATE_THREAT,
    CHASES = XQ_TRAIT_CHASES,
    OWN = XQ_TRAIT_KING_OR_PAWN,
    OFFER = XQ_TRAIT_EXCHANGE,
    OPEN = XQ_TRAIT_UNDECIDED,
};

/* C-14: check, mate threat, chase, idle. */
static void the_most_serious_quality_counts(void **state)
{
    static const struct ply_case T[] = {
        /* cg-023: checks, and attacks a rook. */
        {"r1N3b2/3ka4/9/9/9/9/9/9/5K3/9 w", "c9b7 d8d7 b7c9 d7d8", 0, XQ_CHECK,
         CHASES, THREATENS | OPEN},
        /* cg-038: threatens mate, and attacks a horse. */
        {"9/9/3aka1P1/1c4R2/2n6/9/8p/B8/5K3/5A3 w", "g6g5 c5e6 g5g6 e6c5", 2,
         XQ_MATE_THREAT, THREATENS | CHASES, OPEN},
        {"2bak1b2/4a4/9/9/7n1/1R7/9/9/9/2BAKAB2 w", "b4b5 g9i7 b5b4 i7g9", 0,
         XQ_CHASE, CHASES, THREATENS | OPEN},
        {"2bak1b2/4a4/9/9/7n1/1R7/9/9/9/2BAKAB2 w", "b4b5 g9i7 b5b4 i7g9", 1,
         XQ_IDLE, 0, CHASES | THREATENS | OPEN},
    };
    (void)state;
    check_plies(T, COUNT_OF(T));
}

/* C-15, C-16, C-17. */
static void kings_and_pawns(void **state)
{
    static const struct ply_case T[] = {
        /* C-15: the king answers a check, and the cannon attacks (cg-028). */
        {"5k3/9/9/4N4/5cb2/7n1/9/3r5/5p3/2B1KN3 w", "e6g7 f9f8 g7e6 f8f9", 1,
         XQ_IDLE, ANSWERS | CHASES, OPEN},
        /* C-16: a pawn attacks a horse. */
        {"2bak1b2/4a4/9/6n2/5P3/9/9/9/9/2BAKAB2 w", "f5g5 g6h8 g5f5 h8g6", 0,
         XQ_IDLE, OWN, CHASES | OPEN},
        /* C-16: the king attacks a cannon (cx-098). */
        {"4ka3/4a4/4b4/p7p/9/4C4/4P4/4B4/3K5/3Ac1B2 w", "d1e1 e0f0 e1d1 f0e0",
         0, XQ_IDLE, 0, CHASES | OPEN},
        /* C-16: but a pawn's threat of mate is one. */
        {"P2k5/4P4/9/9/8n/9/9/9/9/4K4 w", "a9b9 i5g4 b9a9 g4i5", 0,
         XQ_MATE_THREAT, THREATENS, OPEN},
        /* C-17: a pawn puts a screen before the cannon. */
        {"2bak1b2/4a4/6n2/9/5P3/9/9/6C2/9/2BAKAB2 w", "f5g5 g7i8 g5f5 i8g7", 0,
         XQ_CHASE, CHASES, OPEN},
        /* C-17: the king moves, a horse attacks (cx-102). */
        {"3a2b1r/4ak3/8p/7P1/9/9/9/B2NN3B/3K5/4p4 w", "d1e1 e0d0 e1d1 d0e0", 0,
         XQ_CHASE, CHASES, OPEN},
    };
    (void)state;
    check_plies(T, COUNT_OF(T));
}

static void a_chase_must_be_new(void **state)
{
    static const struct ply_case T[] = {
        /* C-30: the rook goes on attacking from another point. */
        {"2bak1b2/4a4/9/9/R6n1/9/9/9/9/2BAKAB2 w", "a5b5 g9i7 b5a5 i7g9", 0,
         XQ_IDLE, 0, CHASES | OPEN},
        /* C-30: the rooks attacked the horse all the time, but for the check
         * that came in between. */
        {"2bakab2/9/4c4/R8/R3n4/9/4P4/9/4A4/2B1KAB2 w", "e1d2 e5g6 d2e1 g6e5",
         2, XQ_CHASE, ANSWERS | CHASES, OPEN},
        /* C-37: the horse itself went where the rook attacks it. */
        {"2bakab2/9/4c4/R8/4n4/9/4P4/9/4A4/2B1KAB2 w", "e1d2 e5g6 d2e1 g6e5", 2,
         XQ_IDLE, ANSWERS, CHASES | OPEN},
    };
    (void)state;
    check_plies(T, COUNT_OF(T));
}

static void what_is_no_chase(void **state)
{
    static const struct ply_case T[] = {
        /* C-13: rook offers itself for rook. */
        {"2bak1b2/4a4/9/9/9/r8/9/9/9/1RBAKAB2 w", "b0a0 a4b4 a0b0 b4a4", 0,
         XQ_IDLE, OFFER, CHASES | OPEN},
        /* C-34: whoever takes the horse is mated; with e0 free he is not. */
        {"4k4/9/7n1/9/9/8R/9/8r/9/3K5 w", "i4h4 i2a2 h4i4 a2i2", 0, XQ_IDLE, 0,
         CHASES | OPEN},
        {"4k4/9/7n1/9/4p4/8R/9/8r/9/3K5 w", "i4h4 i2a2 h4i4 a2i2", 0, XQ_CHASE,
         CHASES, OPEN},
    };
    (void)state;
    check_plies(T, COUNT_OF(T));
}

/* C-32, C-33: a full exchange that ends ahead. */
static void joint_chases(void **state)
{
    static const struct ply_case T[] = {
        {"2bak1b2/4a4/9/1n7/R2c5/9/9/N8/9/2BAKAB2 w", "a2c3 g9i7 c3a2 i7g9", 0,
         XQ_CHASE, CHASES, OPEN},
        /* Example 30: the horses could take each other in one of the two. */
        {"2bakab2/9/2n1c3c/pCp1N3p/7n1/2P6/P3P1P1P/4CrN2/9/1RBAKAB2 w",
         "b6b2 f2f6 b2b6 f6f2", 1, XQ_IDLE, OFFER, CHASES | OPEN},
        {"2bakab2/9/2n1c3c/pCp1N3p/7n1/2P6/P3P1P1P/4CrN2/9/1RBAKAB2 w",
         "b6b2 f2f6 b2b6 f6f2", 2, XQ_IDLE, OFFER, CHASES | OPEN},
        {"2bakab2/9/4c1n1c/pCp1N3p/7n1/2P6/P3P1P1P/4CrN2/9/1RBAKAB2 w",
         "b6b2 f2f6 b2b6 f6f2", 2, XQ_IDLE, 0, OFFER | CHASES | OPEN},
        {"2bakab2/9/4c1n1c/pCp1N3p/7n1/2P6/P3P1P1P/4CrN2/9/1RBAKAB2 w",
         "b6b2 f2f6 b2b6 f6f2", 1, XQ_CHASE, CHASES, OPEN},
    };
    (void)state;
    check_plies(T, COUNT_OF(T));
    const struct line_of_play w = line_of(T[4].fen, T[4].moves);
    xq_profile pr;
    xq_ply ply;
    xq_profile_init(&pr, XQ_CXA);
    xq_explain_ply(&pr, &w.start, w.moves, w.n, 1, &ply);
    assert_int_equal(ply.count, 1);
    assert_int_equal(ply.attacks[0].attacker, xq_sq_of(6, 7));
    assert_int_equal(ply.attacks[0].victim, xq_sq_of(4, 6));
    assert_int_equal(ply.attacks[0].attacker_piece,
                     xq_piece_of(XQ_BLACK, XQ_HORSE));
    assert_int_equal(ply.attacks[0].how, XQ_HOW_UNROOTED | XQ_HOW_PROTECTED |
                                             XQ_HOW_JOINT | XQ_HOW_ANSWERED);
}

/* C-41: what the text leaves open is said to be open, and shown as idle. */
static void what_the_text_leaves_open(void **state)
{
    static const struct ply_case T[] = {
        /* A check on d7 would win the rook. */
        {"3ak4/9/9/1r7/9/9/1N7/9/9/3K5 w", "b3c5 d9e8 c5b3 e8d9", 0, XQ_IDLE,
         OPEN, CHASES},
        /* Cannon takes horse, rook takes cannon, and leaves its other one. */
        {"2bak1b2/4a4/3r3c1/9/9/2Pn5/C8/9/7R1/2BAKAB2 w", "a3a4 g9i7 a4a3 i7g9",
         0, XQ_IDLE, OPEN, CHASES},
        /* Without a pawn's help the exchange would not be ahead. */
        {"2bak1b2/4a4/9/3r5/2Pc5/9/9/N8/9/2BAKAB2 w", "a2c3 g9i7 c3a2 i7g9", 0,
         XQ_IDLE, OPEN, CHASES},
        /* C-36: the last rook of a defender attacks an advisor; a pawn more,
         * or nobody to defend against, and it is a chase. */
        {"3akab2/9/4b4/9/9/R8/9/9/4r4/3K1A3 w", "a4a9 e1e2 a9a4 e2e1", 0,
         XQ_IDLE, OPEN, 0},
        {"3akab2/9/4b4/9/8P/R8/9/9/4r4/3K1A3 w", "a4a9 e1e2 a9a4 e2e1", 0,
         XQ_CHASE, CHASES, OPEN},
        {"3akab2/9/4b4/9/9/R8/9/9/9/3K1A3 w", "a4a9 e9e8 a9a4 e8e9", 0,
         XQ_CHASE, CHASES, OPEN},
    };
    (void)state;
    check_plies(T, COUNT_OF(T));

    /* Where no attack is listed, a note says who may be won, and how. */
    static const char *const PLANS[][2] = {{"c5d7", "b6"}, {"a4d4", "d4"}};
    for (size_t i = 0; i < COUNT_OF(PLANS); i++) {
        const struct line_of_play w = line_of(T[i].fen, T[i].moves);
        xq_profile pr;
        xq_ply ply;
        char move[5], victim[3];
        xq_profile_init(&pr, XQ_CXA);
        xq_explain_ply(&pr, &w.start, w.moves, w.n, 0, &ply);
        const xq_ply_note *note = &ply.notes[0];
        while (note->trait != XQ_TRAIT_UNDECIDED)
            assert_true(++note < ply.notes + ply.note_count);
        xq_move_format(note->move, move);
        xq_sq_format(note->victim, victim);
        if (strcmp(move, PLANS[i][0]) != 0 || strcmp(victim, PLANS[i][1]) != 0)
            fail_msg("%s: %s wins %s", T[i].fen, move, victim);
    }
}

/* A search that is cut short on a board no game knows leaves it alone, too. */
static void boards_come_back(void **state)
{
    uint64_t x = seed_of_run();
    const xq_slots all = {{~UINT64_C(0), ~UINT64_C(0)}};
    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        xq_pos b0 = random_odd(&x, 60), b1;
        if (xq_in_check(&b0, (xq_side)(b0.side ^ 1)))
            continue;
        const xq_pos before = b1 = b0;
        (void)xq_may_chase(&b0, &b1, all, XQ_MAX_THREAT_DEPTH);
        assert_memory_equal(b0.at, before.at, sizeof before.at);
        assert_memory_equal(b1.at, before.at, sizeof before.at);
    }
}

/* ---- verdicts beyond the table ---- */

static void further_verdicts(void **state)
{
    static const struct {
        const char *fen, *moves;
        xq_outcome outcome;
        const char *article;
    } T[] = {
        /* Both check all the time (Asian row fs-15). */
        {"9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w", "e3d3 d6e6 d3e3 e6d6", XQ_DRAW,
         "C-21"},
        /* A horse after the rook, and one after what is under-protected: from
         * a game of the national league. */
        {"1Cnak1b2/4a4/4bc2n/p2N1R2p/6P2/9/2c6/4B4/4A4/2BAK4 b",
         "i7g8 f6g6 g8i7 g6f6", XQ_BLACK_LOSES, "C-25"},
        /* Direct on one side, joint and a threat of mate... on the other: the
         * text is silent where the direct side also checks. */
        {"9/9/4bk3/4N4/2c6/7r1/3r5/2R1K4/9/9 b", "h4h5 e6f4 h5h4 f4e6",
         XQ_NO_VERDICT, "C-25"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        const struct line_of_play w = line_of(T[i].fen, T[i].moves);
        xq_profile pr;
        xq_ruling r;
        xq_profile_init(&pr, XQ_CXA);
        xq_judge_window(&pr, &w.start, w.moves, w.n, &r);
        if (r.outcome != T[i].outcome || strcmp(r.article, T[i].article) != 0)
            fail_msg("%s: %d by %s", T[i].fen, (int)r.outcome, r.article);
        assert_int_equal(r.unsupported, T[i].outcome == XQ_NO_VERDICT);
        check_window(&pr, &w, T[i].fen);
    }
}

/* The same moves by two books (4.5), by rows of the table. */
static void two_books(void **state)
{
    static const struct {
        const char *id, *window;
        bool asian_loses, cxa_loses;
    } T[] = {
        {"cg-023", "perpetual check", true, true},
        {"cx-013", "perpetual mate threat", false, true},
        {"cg-030", "check + mate threat", false, true},
        {"cg-011", "check + chase", false, true},
        {"cx-117", "chase of two pieces in turn", false, true},
        {"cg-017", "chase of one piece", true, true},
        {"cg-024", "check + idle", false, false},
        {"cg-016", "chase + idle", false, false},
        {"cg-008", "threat + idle", false, false},
        {"cg-020", "king or pawn attacks", false, false},
        {"cx-049", "perpetual chase against perpetual mate threat", true,
         false},
        {"cx-053", "perpetual chase against check + chase", true, false},
        {"cx-143", "block against perpetual mate threat", false, true},
    };
    unsigned found = 0;
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    (void)state;
    while (next_cxa_row(f, &row))
        for (size_t i = 0; i < COUNT_OF(T); i++) {
            if (strcmp(T[i].id, row.id) != 0)
                continue;
            const xq_outcome a = ruling_of(XQ_ASIAN, &row.line).outcome;
            const xq_outcome c = ruling_of(XQ_CXA, &row.line).outcome;
            if ((a != XQ_DRAW) != T[i].asian_loses ||
                (c != XQ_DRAW) != T[i].cxa_loses)
                fail_msg("%s, %s: Asian %d, Chinese %d", T[i].id, T[i].window,
                         (int)a, (int)c);
            found++;
        }
    fclose(f);
    assert_int_equal(found, COUNT_OF(T));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_judged_as_published),
        cmocka_unit_test(rows_seen_deeper),
        cmocka_unit_test(natures_are_those_the_rows_name),
        cmocka_unit_test(rows_may_be_mirrored_turned_and_entered_anywhere),
        cmocka_unit_test(random_windows_may_be_turned_too),
        cmocka_unit_test(the_most_serious_quality_counts),
        cmocka_unit_test(kings_and_pawns),
        cmocka_unit_test(a_chase_must_be_new),
        cmocka_unit_test(what_is_no_chase),
        cmocka_unit_test(joint_chases),
        cmocka_unit_test(what_the_text_leaves_open),
        cmocka_unit_test(boards_come_back),
        cmocka_unit_test(further_verdicts),
        cmocka_unit_test(two_books),
    };
    return cmocka_run_group_tests_name("national", tests, NULL, NULL);
}
