/* gen_hostile.c - files of the binary kinds with one fault each, for the
 * hostile matrix (tests/golden/verify/hostile-binary).
 *
 *   build/release/tests/gen/gen_hostile FOLDER
 *
 * Where a file holds several games, the fault stands between two good ones. */
#include "tests/unit/binary_util.h"

#include <sys/stat.h>

static const char *folder;

/* Written and freed. */
static void save(const char *name, struct bytes *b)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(b->s, 1, b->n, f) != b->n || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    free(b->s);
    *b = (struct bytes){NULL, 0};
}

static void set_u32(struct bytes *b, size_t at, uint32_t v)
{
    for (size_t i = 0; i < 4; i++)
        b->s[at + i] = (uint8_t)(v >> 8 * i);
}

static struct bytes of(const void *s, size_t n)
{
    struct bytes b = {NULL, 0};
    put_bytes(&b, s, n);
    return b;
}
#define SAVE_TEXT(name, text)                                                  \
    do {                                                                       \
        struct bytes b_ = of(text, sizeof(text) - 1);                          \
        save(name, &b_);                                                       \
    } while (0)

/* ---- XQF ---- */

/* b2e2 {c} (h2e2) h7e7 h0g2, version 1.8 or 1.0. */
static struct bytes xqf(const struct xqf_keys *k)
{
    struct bytes b = xqf_file(k, XQF_START);
    const bool v10 = k->head[2] == 0x0A;
    xqf_field(&b, 0x130, "\xBA\xFA\xC8\xD9\xBB\xAA");
    b.s[0x33] = 1;
    xqf_node(&b, k, 0, 0, v10 ? 0xF0 : 0x80, NULL);
    xqf_node(&b, k, 12, 42, v10 ? 0xFF : 0xC0, "c");
    xqf_node(&b, k, 77, 47, v10 ? 0xF0 : 0x80, NULL);
    xqf_node(&b, k, 70, 62, 0, NULL);
    xqf_node(&b, k, 72, 42, 0, NULL);
    return b;
}

static void xqf_cut(const char *name, const struct xqf_keys *k, size_t by)
{
    struct bytes b = xqf(k);
    b.n -= by;
    save(name, &b);
}

static void xqf_files(void)
{
    const struct xqf_keys *k = &XQF_SAMPLE;
    struct bytes b = xqf(k);
    save("good.xqf", &b);
    b = xqf(&XQF_PLAIN);
    save("good10.xqf", &b);
    b = xqf(k);
    b.n = 0x200;
    save("header-cut.xqf", &b);
    b = xqf(k);
    b.n = 0x400;
    save("no-tree.xqf", &b);
    xqf_cut("tree-cut.xqf", k, 8); /* behind a node */
    xqf_cut("node-cut.xqf", k, 2); /* inside one */
    xqf_cut("node-cut10.xqf", &XQF_PLAIN, 18);
    b = xqf(k);
    b.s[2] = 0x1F;
    save("version-31.xqf", &b);
    b = xqf(k);
    b.s[2] = 0x20;
    save("version-32.xqf", &b);
    b = xqf(k);
    b.s[0x0C]++; /* the sum of the keys, and what follows from KeysSum */
    save("keys-sum.xqf", &b);
    b = xqf(k);
    b.s[0x0E]++; /* moves and board come out wrong */
    save("keys.xqf", &b);

    /* comments longer than the file */
    static const uint32_t LENGTHS[] = {100, 0xFFFFFFFF};
    for (int i = 0; i < 2; i++) {
        char name[40];
        const uint32_t n = LENGTHS[i] + k->r;
        const uint8_t node[8] = {12 + 24 + 196,
                                 42 + 32 + 52,
                                 0xA0,
                                 0,
                                 (uint8_t)n,
                                 (uint8_t)(n >> 8),
                                 (uint8_t)(n >> 16),
                                 (uint8_t)(n >> 24)};
        b = xqf_file(k, XQF_START);
        xqf_node(&b, k, 0, 0, 0x80, NULL);
        xqf_body(&b, k, node, 8);
        xqf_body(&b, k, "short", 5);
        snprintf(name, sizeof name, "comment-%u.xqf", (unsigned)i + 1);
        save(name, &b);
    }

    /* no end of siblings: each says that another one follows */
    b = xqf_file(k, XQF_START);
    xqf_node(&b, k, 0, 0, 0x80, NULL);
    for (int i = 0; i < 20000; i++)
        xqf_node(&b, k, i % 2 ? 12 : 72, 42, 0x40, NULL);
    save("siblings.xqf", &b);
    /* each continues and has a sibling: as many wait */
    b = xqf_file(k, XQF_START);
    xqf_node(&b, k, 0, 0, 0x80, NULL);
    for (int i = 0; i < 20000; i++)
        xqf_node(&b, k, i % 2 ? 77 : 12, i % 2 ? 47 : 42, 0xC0, NULL);
    save("nesting.xqf", &b);
    b = xqf_file(k, XQF_START); /* the root has one, which cannot be */
    xqf_node(&b, k, 0, 0, 0xC0, NULL);
    xqf_node(&b, k, 12, 42, 0, NULL);
    save("root-sibling.xqf", &b);
    b = xqf_file(k, XQF_START);
    xqf_node(&b, k, 0, 0, 0x80, NULL);
    xqf_node(&b, k, 12, 42, 0x80, NULL);
    xqf_node(&b, k, 99, 42, 0x80, NULL); /* no square */
    xqf_node(&b, k, 79, 67, 0, NULL);
    save("no-square.xqf", &b);

    uint8_t pieces[32];
    memcpy(pieces, XQF_START, 32);
    pieces[4] = 0xFF;
    b = xqf_file(k, pieces);
    xqf_node(&b, k, 0, 0, 0, NULL);
    save("no-king.xqf", &b);
    memcpy(pieces, XQF_START, 32);
    pieces[1] = pieces[0];
    b = xqf_file(k, pieces);
    xqf_node(&b, k, 0, 0, 0, NULL);
    save("two-on-a-square.xqf", &b);
    b = xqf(k);
    b.s[0x130] = 200; /* longer than its field */
    save("name-length.xqf", &b);
    b = xqf(k);
    put_bytes(&b, "more", 4);
    save("behind-the-end.xqf", &b);
}

/* ---- the packed library ---- */

static const uint8_t MOVES[][3] = {
    {1, 0x77, 0x47}, {2, 0x70, 0x62}, {2, 0x72, 0x42}, {1, 0x17, 0x47}};

/* Three games; `at` is where the second one begins, before packing. */
static struct bytes library(unsigned games, size_t *at)
{
    struct bytes b = cbl_library(games);
    cbl_game(&b, CBL_START, MOVES, 4, "one\r\n\r\nx||y\r\n\r\n");
    *at = b.n;
    cbl_game(&b, CBL_START, MOVES, 4, "\r\n\r\n\r\n\r\n");
    cbl_game(&b, CBL_START, MOVES, 2, "\r\n\r\n");
    return b;
}

static void save_packed(const char *name, struct bytes *b)
{
    struct bytes packed = cbl_pack(b);
    save(name, &packed);
}

static void cbl_files(void)
{
    size_t at;
    struct bytes b = library(3, &at), packed;
    save_packed("good.cbl", &b);
    b = library(5, &at);
    save_packed("count-high.cbl", &b);
    b = library(2, &at);
    save_packed("count-low.cbl", &b);
    b = library(0xFFFFFFFF, &at);
    save_packed("count-huge.cbl", &b);

    b = library(3, &at);
    packed = cbl_pack(&b);
    packed.n = 20;
    save("header-only.cbl", &packed);
    b = library(3, &at);
    packed = cbl_pack(&b);
    packed.n -= 40;
    save("stream-cut.cbl", &packed);
    b = library(3, &at);
    packed = cbl_pack(&b);
    memset(packed.s + 20, 0, 2);
    save("no-stream.cbl", &packed);
    b = library(3, &at);
    packed = cbl_pack(&b);
    memset(packed.s + packed.n - 60, 0xAA, 40);
    save("stream-damaged.cbl", &packed);

    /* the second record; the third is still found by its size */
    static const struct {
        const char *name;
        size_t at; /* in the record */
        uint32_t v;
    } FAULTS[] = {
        {"text-length.cbl", 40, 0x7FFFFFFF}, /* of the event */
        {"ply-jump.cbl", 0, 0},
        {"ply-0.cbl", 0, 0},
        {"square.cbl", 0, 0},
        {"plies.cbl", 0, 0},
        {"board.cbl", 4, 0},
    };
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        b = library(3, &at);
        const size_t size = b.s[at] | (size_t)b.s[at + 1] << 8;
        const size_t moves = at + size - 4 * 6 - 4 * 2; /* four, no comments */
        if (FAULTS[i].at)
            set_u32(&b, at + FAULTS[i].at, FAULTS[i].v);
        else if (i == 1)
            b.s[moves + 6] = 9;
        else if (i == 2)
            b.s[moves] = 0;
        else if (i == 3)
            b.s[moves + 6 + 2] = 0xFF;
        else
            set_u32(&b, moves - 4, 1000000);
        save_packed(FAULTS[i].name, &b);
    }
    /* sizes of records, which lead to the third one */
    static const uint32_t SIZES[] = {0, 3, 4, 0x7FFFFFFF, 180, 500};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        char name[40];
        b = library(3, &at);
        set_u32(&b, at, SIZES[i]);
        snprintf(name, sizeof name, "size-%u.cbl", (unsigned)i + 1);
        save_packed(name, &b);
    }
}

/* ---- CBR, and the library of records ---- */

static struct bytes record(unsigned version)
{
    struct bytes b = cbr_record(version, CBR_START);
    const bool v1 = version == 1;
    cbr_node(&b, 0, 0, 0, "game");
    cbr_node(&b, 2, v1 ? 0x77 : 70, v1 ? 0x47 : 67, NULL);
    cbr_node(&b, 1, v1 ? 0x70 : 7, v1 ? 0x62 : 24, NULL);
    cbr_node(&b, 1, v1 ? 0x17 : 64, v1 ? 0x47 : 67, "var");
    return b;
}

/* A library of three records, the second one `r`, which is freed. */
static struct bytes shelf(struct bytes *r)
{
    struct bytes b = {NULL, 0}, good = record(2);
    put_bytes(&b, "CCBridgeLibrary", 16);
    put_zeros(&b, 101952 - 16);
    b.s[60] = 128;
    put_bytes(&b, good.s, good.n);
    put_zeros(&b, 4096 - good.n);
    put_bytes(&b, r->s, r->n);
    put_zeros(&b, r->n < 4096 ? 4096 - r->n : 0);
    put_bytes(&b, good.s, good.n);
    free(good.s);
    free(r->s);
    *r = (struct bytes){NULL, 0};
    return b;
}

static void save_shelf(const char *name, struct bytes *r)
{
    struct bytes b = shelf(r);
    save(name, &b);
}

static void cbr_files(void)
{
    struct bytes r = record(2), b;
    save("good.cbr", &r);
    r = record(1);
    save("good1.cbr", &r);
    r = record(2);
    r.n = 18;
    save("magic-only.cbr", &r);
    r = record(2);
    r.n = 2000;
    save("header-cut.cbr", &r);
    r = record(2);
    r.n -= 14;
    save("tree-cut.cbr", &r);
    r = record(2);
    r.n -= 2;
    save("comment-cut.cbr", &r);
    r = record(2);
    r.s[19] = 9;
    save("version.cbr", &r);
    r = record(2);
    set_u32(&r, 2214 + 4, 0x7FFFFFFE);
    save("comment-length.cbr", &r);
    r = record(2);
    r.s[2214 + 2] = 70; /* the root moves */
    save("no-root.cbr", &r);
    r = record(2);
    r.s[2120] = 0x55;
    r.s[2120 + 4] = 0;
    save("board.cbr", &r);

    r = record(2);
    save_shelf("good3.cbl", &r);
    r = record(2);
    b = shelf(&r);
    b.n = 70000;
    save("index-cut.cbl", &b);
    r = record(2);
    b = shelf(&r); /* with an index of three games and no record */
    b.n = 101952;
    for (size_t i = 0; i < 3; i++) {
        set_u32(&b, 66624 + 276 * i, 7);
        set_u32(&b, 66624 + 276 * i + 8, 1);
        set_u32(&b, 66624 + 276 * i + 12, 2400);
    }
    save("no-records.cbl", &b);
    r = record(2);
    b = shelf(&r);
    b.n = 101952;
    save("empty3.cbl", &b);
    r = record(2);
    b = shelf(&r);
    b.n = 101952 + 4096 + 2230;
    save("record-cut.cbl", &b);
    r = record(2);
    r.s[19] = 9;
    save_shelf("version3.cbl", &r);
    r = record(2);
    set_u32(&r, 2214 + 4, 0x7FFFFFFE);
    save_shelf("comment3.cbl", &r);
    r = record(2);
    b = shelf(&r);
    set_u32(&b, 60, 0xFFFFFFFF);
    save("capacity.cbl", &b);
}

/* ---- the kinds of one sample ---- */

static const uint8_t CHN_BOARD[90] = {
    0x19, 0,    0,    0x1f, 0,    0,    0x17, 0,    0,    0x11, 0x1a, 0,
    0x1b, 0,    0,    0,    0,    0x13, 0,    0x12, 0x1e, 0,    0,    0x2f,
    0,    0,    0x27, 0,    0,    0x16, 0x1d, 0,    0,    0,    0,    0,
    0,    0,    0,    0x15, 0x1c, 0,    0,    0x3f, 0,    0,    0x37, 0,
    0,    0x14, 0x2d, 0,    0,    0,    0,    0,    0,    0,    0,    0x25,
    0x2e, 0,    0,    0x4f, 0,    0,    0x47, 0,    0,    0x26, 0x2a, 0,
    0x2b, 0,    0,    0,    0,    0x23, 0,    0x22, 0x29, 0,    0,    0x5f,
    0,    0,    0x57, 0,    0,    0x21};

static struct bytes lianzhong(void)
{
    static const char HEAD[] = "GL\xD0\7\xD4\7\1\0Tue Dec 27 20:57:56 2016\n";
    struct bytes b = of(HEAD, sizeof HEAD - 1);
    put_zeros(&b, 0x1FC - b.n);
    memcpy(b.s + 0xB4, CHN_BOARD, 90);
    b.s[0x16C] = 2;
    put_zeros(&b, 72);
    memcpy(b.s + 0x1FC + 14, "\x77\x74", 2);
    memcpy(b.s + 0x1FC + 36 + 14, "\x07\x26", 2);
    return b;
}

static struct bytes xiexie(void)
{
    static const uint8_t SQUARES[32] = {
        0x6b, 0x7b, 0x5b, 0x8b, 0x4b, 0x9b, 0x3b, 0xab, 0x2b, 0x99, 0x39,
        0x28, 0x48, 0x68, 0x88, 0xa8, 0x62, 0x72, 0x52, 0x82, 0x42, 0x92,
        0x32, 0xa2, 0x22, 0x94, 0x34, 0x25, 0x45, 0x65, 0x85, 0xa5};
    static const char HEAD[] = "\6\x0B\1\5event\2\0\3\4date\4\1"
                               "7\5\3red\6\0\7\3"
                               "blk\x08\0\x09\0";
    struct bytes b = of(HEAD, sizeof HEAD - 1);
    put_zeros(&b, 300);
    for (unsigned i = 0; i < 32; i++)
        put_u32(&b, SQUARES[i]);
    put_u32(&b, 0);
    put_u32(&b, 2);
    put_u32(&b, 2);
    for (int i = 0; i < 2; i++) {
        put_bytes(&b, i ? "\x92\0\x84\0" : "\x99\0\x69\0", 4);
        put_zeros(&b, 13);
        put_bytes(&b, "\xFF\xFF\xFF", 3);
    }
    return b;
}

static void sample_files(void)
{
    struct bytes b = lianzhong();
    save("good.chn", &b);
    b = lianzhong();
    b.n = 0x100;
    save("header-cut.chn", &b);
    b = lianzhong();
    b.n -= 20;
    save("cut.chn", &b);
    b = lianzhong();
    set_u32(&b, 0x16C, 9000);
    save("plies.chn", &b);
    b = xiexie();
    save("good.xgf", &b);
    b = xiexie();
    b.s[b.n - 40 - 12 - 128] = 0x6a; /* king on e1 */
    save("start.xgf", &b);
    b = xiexie();
    b.n -= 15;
    save("cut.xgf", &b);
    SAVE_TEXT("good.mxq", "\1s\1d\5a-x-b\1r\1r\1"
                          "1\1"
                          "1\1"
                          "1\1"
                          "1\1"
                          "1\1e\5Moves\5"
                          "7C-4C\4Ends\013CommentsEnd");
    SAVE_TEXT("cut.mxq", "\1s\1d\5a-x-b\1r\1r\1"
                         "1\1"
                         "1\1"
                         "1\1"
                         "1\1"
                         "1\1e\5Moves\5"
                         "7C-4C\5"
                         "7J-");
    SAVE_TEXT("square.mxq", "\1s\1d\5a-x-b\1r\1r\1"
                            "1\1"
                            "1\1"
                            "1\1"
                            "1\1"
                            "1\1e\5Moves\5"
                            "7C-4C\5"
                            "9Z-6H\4Ends");
    SAVE_TEXT("good.ccm", "\1\0\x12\0\x6b\x96\x60\x58\1\0\0\0"
                          "\x0f\1\6\7\7\4\7\0\0");
    SAVE_TEXT("square.ccm", "\1\0\x12\0\x6b\x96\x60\x58\2\0\0\0"
                            "\x0f\1\6\7\7\4\7\0\0"
                            "\x0e\2\4\7\0\x20\2\0\0");
    SAVE_TEXT("cut.ccm", "\1\0\x12\0\x6b\x96\x60\x58\2\0\0\0"
                         "\x0f\1\6\7\7\4\7\0\0"
                         "\x0e\2\4");
    SAVE_TEXT("good.che", "1 2 26 32 1 2 7 2 4 0 1 0 6 32 0 9 7 7 6 0 2 0\n");
    SAVE_TEXT("cut.che", "1 9 26 32 1 2 7 2 4 0 1 0 6 32 0 9 7 7 6 0 2 0\n");
    SAVE_TEXT("good.xqr", "\0\2\x20\x17\1\1\0\2\1e\7\1\1\x09\0"
                          "\0\0\1\0\x77\x74\1\0\x07\x26\0\0");
    SAVE_TEXT("variation.xqr", "\0\2\x20\x17\1\1\0\2\1e\7\1\1\x09\0"
                               "\0\0\1\0\x77\x74\3\0\x17\x14\0\0\x07\x26\0\0");
    SAVE_TEXT("cut.xqr", "\0\2\x20\x17\1\1\0\2\1e\7\1\1\x09\0"
                         "\0\0\1\0\x77\x74\1\0\x07");
    SAVE_TEXT("sum.xqr", "\0\2\x20\x17\1\1\0\2\1e\7\1\1\x09\0"
                         "\0\0\1\0\x77\x74\1\0\x07\x26\0\0\x0a\4zzzz");
}

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : ".";
    xqf_files();
    cbl_files();
    cbr_files();
    sample_files();
    return 0;
}
