/* test_chase.c - why a ply is what it is, article by article: small windows
 * made from the words of the rule, and rule-book diagrams by their rows. */
#include "tests/unit/referee_util.h"

/* An attack as text: pieces and squares, then a letter for each XQ_HOW_ bit:
 * moved, discovered, unrooted, no root, false root, protected, exchange,
 * Answered, Lasting, joint, Excused, open, Spared. */
static void describe(const xq_ply *ply, char *out, size_t size)
{
    static const char KINDS[] = " KABNRCP", BITS[] = "mdunfpxALjEoS";
    size_t used = 0;
    *out = '\0';
    for (unsigned i = 0; i < ply->count && i < XQ_MAX_ATTACKS; i++) {
        const xq_attack *a = &ply->attacks[i];
        char from[3], to[3], how[16] = "";
        for (unsigned b = 0, n = 0; BITS[b]; b++)
            if (a->how >> b & 1)
                how[n++] = BITS[b];
        xq_sq_format(a->attacker, from);
        xq_sq_format(a->victim, to);
        used += (size_t)snprintf(out + used, size - used, "%s%c%s%c%s:%s",
                                 i ? " " : "", KINDS[a->attacker_piece & 7],
                                 from, KINDS[a->victim_piece & 7], to, how);
        assert_true(used < size);
    }
}

static void check_ply(const char *what, const struct line_of_play *w,
                      uint32_t i, xq_nature nature, unsigned traits,
                      const char *attacks)
{
    xq_profile pr;
    xq_ply ply;
    char text[1024];
    xq_profile_init(&pr, XQ_ASIAN);
    xq_explain_ply(&pr, &w->start, w->moves, w->n, i, &ply);
    describe(&ply, text, sizeof text);
    if (ply.nature != nature || ply.traits != traits ||
        strcmp(text, attacks) != 0)
        fail_msg("%s, ply %u: nature %d, traits %u, attacks '%s'", what,
                 (unsigned)i, (int)ply.nature, ply.traits, text);
}

/* ---- small windows ---- */

enum {
    ANSWERS = XQ_TRAIT_ANSWERS_CHECK,
    THREAT = XQ_TRAIT_MATE_THREAT,
    CHASES = XQ_TRAIT_CHASES,
    OWN_ATTACK = XQ_TRAIT_KING_OR_PAWN,
    EXCHANGE = XQ_TRAIT_EXCHANGE,
    SACRIFICE = XQ_TRAIT_SACRIFICE,
    BLOCK = XQ_TRAIT_BLOCK,
};

struct small_window {
    const char *article, *fen, *moves;
    uint32_t ply; /* of the window, from 0 */
    xq_nature nature;
    unsigned traits;
    const char *attacks;
};

static const struct small_window WINDOWS[] = {
    /* The rook attacks the horse anew, which flees. */
    {"A-11", "3k4n/9/9/9/9/9/9/9/9/4K2R1 w", "h0i0 i9h7 i0h0 h7i9", 0, XQ_CHASE,
     CHASES, "Ri0Ni9:mnAL"},
    /* It goes along the line on which it attacks already. */
    {"A-11", "3akab2/9/8n/9/9/9/9/9/9/3K4R w", "i0i1 g9e7 i1i0 e7g9", 0,
     XQ_IDLE, 0, ""},
    /* The attack is left standing. */
    {"A-12", "3k4n/9/9/9/9/9/9/9/9/4K2R1 w", "h0i0 d9d8 i0h0 d8d9", 0, XQ_IDLE,
     0, "Ri0Ni9:mn"},
    /* A root is made, which is an answer. */
    {"A-12", "8n/3k5/9/9/9/9/9/9/r8/4K2R1 w", "h0i0 a1a9 i0h0 a9a1", 0,
     XQ_CHASE, CHASES, "Ri0Ni9:mnA"},
    /* A pawn at home is no victim (its root goes and comes); beyond the river
     * it is. */
    {"A-14", "3akab2/9/4b4/p8/9/9/9/9/9/1R1K5 w", "b0a0 e7c5 a0b0 c5e7", 0,
     XQ_IDLE, 0, ""},
    {"A-14", "3akab2/9/9/9/9/p8/9/9/9/1R1K5 w", "b0a0 a4b4 a0b0 b4a4", 0,
     XQ_CHASE, CHASES, "Ra0Pa4:mnAL"},
    /* Kings and pawns may attack as they like. */
    {"A-15", "4k4/9/9/2n6/1P7/9/9/9/9/3K5 w", "b5c5 c6e7 c5b5 e7c6", 0, XQ_IDLE,
     OWN_ATTACK, ""},
    /* Cannon on a protected rook; rook on a protected cannon. */
    {"A-16", "2bakab2/9/9/r8/9/9/9/P8/9/1C3K3 w", "b0a0 a6b6 a0b0 b6a6", 0,
     XQ_CHASE, CHASES, "Ca0Ra6:mnA"},
    {"A-16", "c1bakab2/9/n8/r8/9/9/9/P8/9/1C3K3 w", "b0a0 a6b6 a0b0 b6a6", 0,
     XQ_CHASE, CHASES, "Ca0Ra6:mpA"},
    {"A-16", "2bakab2/9/2n6/c8/9/9/9/9/9/1R3K3 w", "b0a0 a6b6 a0b0 b6a6", 0,
     XQ_IDLE, 0, "Ra0Ca6:mpAS"},
    /* Rook and rook, both free to take: an exchange. */
    {"A-17", "r1bakab2/9/9/9/9/9/9/9/9/1R3K3 w", "b0a0 g9e7 a0b0 e7g9", 0,
     XQ_IDLE, EXCHANGE, ""},
    /* One of them is tied to its file: it cannot take back. */
    {"A-17", "4k4/9/9/4r4/9/9/9/9/4R4/R2K5 w", "a0a6 e6e7 a6a7 e7e6", 0,
     XQ_CHASE, CHASES | THREAT, "Ra6Re6:mnAL"},
};

static void small_windows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(WINDOWS); i++) {
        const struct small_window *t = &WINDOWS[i];
        const struct line_of_play w = line_of(t->fen, t->moves);
        char what[160];
        snprintf(what, sizeof what, "%s, %s %s", t->article, t->fen, t->moves);
        check_ply(what, &w, t->ply, t->nature, t->traits, t->attacks);
    }
}

/* ---- diagrams ---- */

static const struct row_ply {
    const char *id;
    uint32_t ply; /* of the window, from 0 */
    xq_nature nature;
    unsigned traits;
    const char *attacks;
} ROWS[] = {
    /* */
    {"as-013", 2, XQ_MATE_THREAT, THREAT, ""},
    /* an attack on a protected piece is none. */
    {"as-130", 1, XQ_IDLE, 0, "Ra6Na8:mpAS Ca4Na8:dpAS"},
    {"as-130", 2, XQ_CHASE, CHASES, "Nc7Ra6:mnA"},
    /* the protector is pinned. */
    {"as-126", 1, XQ_CHASE, CHASES, "Rg6Cf6:mfAL"},
    /* the advisor uncovers the cannon on a protected rook. */
    {"as-025", 0, XQ_CHASE, CHASES, "Ch1Rc1:dpAL"},
    {"as-025", 2, XQ_CHASE, CHASES | BLOCK, "Ch1Rc1:dpAL"},
    /* U-4: an elephant on a protected rook. */
    {"dp-03", 0, XQ_CHASE, CHASES, "Be2Rc4:dpAL"},
    /* like pieces, one pinned; one with its leg blocked. */
    {"as-076", 1, XQ_CHASE, CHASES | THREAT, "Cc4Cc9:mnAL"},
    {"as-078", 0, XQ_CHASE, CHASES, "Nf5Ng7:mnAL"},
    {"as-170", 0, XQ_IDLE, EXCHANGE, "Rb4Ra4:mnxAS"},
    /* only a pawn at home is attacked. */
    {"as-085", 0, XQ_IDLE, 0, "Ci0Pi5:dnAS"},
    /* the rook answers; that the cannon on b2 lost its root does not
     * count, though the attack on h2 does. */
    {"as-086", 1, XQ_CHASE, CHASES, "Rc2Cb2:ufAE Rc2Ch2:dfA"},
    {"as-086", 3, XQ_IDLE, BLOCK, "Rc2Cb2:unAE"},
    /* two pieces chase the rook on the leg; its own attack is revived. */
    {"as-056", 0, XQ_CHASE, CHASES, "Rb8Rf8:mnAL Ca8Rf8:dnAL"},
    {"as-056", 3, XQ_IDLE, 0, "Rf8Ng8:ufAE"},
    /* */
    {"as-100", 0, XQ_IDLE, OWN_ATTACK, ""},
    /* a block, a sacrifice. */
    {"as-143", 0, XQ_IDLE, BLOCK, ""},
    {"as-151", 0, XQ_IDLE, SACRIFICE | BLOCK, ""},
    /* Loss of root by whoever cuts it, when nothing is answered. */
    {"fs-27", 3, XQ_CHASE, CHASES, "Cg0Nd0:ufAL"},
    /* U-3: a check that attacks is a check. */
    {"dp-01", 2, XQ_CHECK, CHASES, "Cf6Pf1:dnA"},
    {"fs-06", 0, XQ_CHECK, ANSWERS | BLOCK, ""},
};

/* ---- what the traits are about ---- */

/* "exchange e3 e7": attacker and victim, of threats the move and its count. */
static void describe_notes(const xq_ply *ply, char *out, size_t size)
{
    static const struct {
        unsigned trait;
        const char *name;
    } NAMES[] = {
        {THREAT, "mates"}, {OWN_ATTACK, "own"},      {EXCHANGE, "exchange"},
        {BLOCK, "block"},  {SACRIFICE, "sacrifice"},
    };
    size_t used = 0;
    unsigned seen = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < ply->note_count; i++) {
        const xq_ply_note *note = &ply->notes[i];
        char from[3] = "-", to[3] = "-", move[5];
        size_t k = 0;
        while (NAMES[k].trait != note->trait)
            k++;
        seen |= note->trait;
        if (note->attacker != XQ_NOSQ)
            xq_sq_format(note->attacker, from);
        if (note->victim != XQ_NOSQ)
            xq_sq_format(note->victim, to);
        xq_move_format(note->move, move);
        used += (size_t)snprintf(out + used, size - used, "%s%s ", i ? " " : "",
                                 NAMES[k].name);
        used += note->move ? (size_t)snprintf(out + used, size - used, "%s/%u",
                                              move, (unsigned)note->moves)
                           : (size_t)snprintf(out + used, size - used, "%s%s",
                                              from, to);
        assert_true(used < size);
    }
    /* Each trait that is about pieces has its note. */
    assert_int_equal(seen, ply->traits & (THREAT | OWN_ATTACK | EXCHANGE |
                                          BLOCK | SACRIFICE));
}

static void traits_name_their_pieces(void **state)
{
    static const struct {
        const char *fen, *moves;
        uint32_t ply;
        const char *notes;
    } T[] = {
        /* One rook holds a rank, the other would mate on the next one; and
         * two moves before that. */
        {"3k5/R8/9/9/9/9/3p5/9/2R6/4K4 w", "c1b1 d3c3 b1c1 c3d3", 0,
         "mates b1b9/1"},
        {"3k5/9/9/9/1R7/1R7/9/9/9/5K3 w", "b5c5 d9d8 c5b5 d8d9", 2,
         "mates b4d4/2"},
        /* Rook for rook; a horse that the rook may take. */
        {"4k4/9/9/9/r8/9/9/9/R8/3K5 w", "a1b1 e9e8 b1a1 e8e9", 2,
         "exchange a1a5"},
        {"4k4/9/9/9/r8/9/9/9/1N7/3K5 w", "b1a3 e9e8 a3b1 e8e9", 0,
         "sacrifice a5a3"},
        /* The king's own attack; an advisor between rook and horse. */
        {"4k4/9/9/9/9/9/9/5n3/9/5K3 w", "f0f1 f2h3 f1f0 h3f2", 0, "own f1f2"},
        {"3k5/9/9/9/9/9/9/r7N/4A4/4K4 w", "e1d2 a2a1 d2e1 a1a2", 0,
         "sacrifice a2d2 block a2i2"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        const struct line_of_play w = line_of(T[i].fen, T[i].moves);
        xq_profile pr;
        xq_ply ply;
        char text[256];
        xq_profile_init(&pr, XQ_ASIAN);
        xq_explain_ply(&pr, &w.start, w.moves, w.n, T[i].ply, &ply);
        describe_notes(&ply, text, sizeof text);
        if (strcmp(text, T[i].notes) != 0)
            fail_msg("%s, ply %u: '%s'", T[i].fen, (unsigned)T[i].ply, text);
    }
}

/* ---- diagrams of the rule book ---- */

static void diagrams(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const struct row_ply *t = &ROWS[i];
        FILE *f = open_data("repetition.tsv");
        struct repetition_row row;
        do
            assert_true(next_row(f, &row));
        while (strcmp(row.id, t->id) != 0);
        fclose(f);
        const struct line_of_play w = window_of(&row.line);
        check_ply(t->id, &w, t->ply, t->nature, t->traits, t->attacks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_windows),
        cmocka_unit_test(traits_name_their_pieces),
        cmocka_unit_test(diagrams),
    };
    return cmocka_run_group_tests_name("chase", tests, NULL, NULL);
}
