/* gen_seeds.c - seeds of the fuzz targets of binary formats, small and made
 * by hand.
 *
 *   build/release/tests/gen/gen_seeds tests/fuzz/corpus
 *
 * The first byte of each says how the target reads the rest. */
#include "tests/unit/binary_util.h"

#include <sys/stat.h>

static const char *folder;

static void save(const char *target, const char *name, unsigned first,
                 struct bytes *b)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, target);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", folder, target, name);
    FILE *f = fopen(path, "wb");
    if (!f || fputc((int)first, f) == EOF || fwrite(b->s, 1, b->n, f) != b->n ||
        fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    free(b->s);
    *b = (struct bytes){NULL, 0};
}

static struct bytes xqf(const struct xqf_keys *k)
{
    struct bytes b = xqf_file(k, XQF_START);
    xqf_field(&b, 0x130, "\xBA\xFA\xC8\xD9\xBB\xAA");
    b.s[0x33] = 1;
    const bool v10 = k->head[2] == 0x0A;
    xqf_node(&b, k, 0, 0, v10 ? 0xF0 : 0x80, "\xBA\xFA");
    xqf_node(&b, k, 77 - 65, 42, v10 ? 0xFF : 0xC0, NULL);
    xqf_node(&b, k, 77, 47, v10 ? 0x0F : 0x40, "x");
    xqf_node(&b, k, 79, 67, 0, NULL);
    xqf_node(&b, k, 72, 42, 0, NULL);
    return b;
}

static struct bytes record(unsigned version)
{
    struct bytes b = cbr_record(version, CBR_START);
    const bool v1 = version == 1;
    utf16_at(&b, 180, "title");
    cbr_node(&b, 0, 0, 0, "game");
    cbr_node(&b, 2, v1 ? 0x77 : 70, v1 ? 0x47 : 67, NULL);
    cbr_node(&b, 1, v1 ? 0x70 : 7, v1 ? 0x62 : 24, NULL);
    cbr_node(&b, 1, v1 ? 0x17 : 64, v1 ? 0x47 : 67, "var");
    return b;
}

static void ccbridge(void)
{
    static const uint8_t MOVES[][3] = {
        {1, 0x77, 0x47}, {2, 0x70, 0x62}, {2, 0x72, 0x42}, {1, 0x17, 0x47}};
    struct bytes b = record(1), two = record(2);
    save("cbr", "version1", 0, &b);
    b = record(2);
    put_bytes(&b, two.s, two.n);
    free(two.s);
    save("cbr", "two", 0, &b);
    b = cbl_library(2);
    cbl_game(&b, CBL_START, MOVES, 4, "one\r\n\r\nx||y\r\n");
    cbl_game(&b, CBL_START, MOVES, 1, "");
    save("cbl", "plain", 0, &b);
    b = cbl_library(1);
    cbl_game(&b, CBL_START, MOVES, 4, "");
    struct bytes packed = cbl_pack(&b);
    save("cbl", "packed", 16, &packed);
}

static void texts(void)
{
    static const char CBF[] =
        "<ChineseChessRecord><Head><Red>r</Red><RecordResult>1</RecordResult>"
        "<FEN>3k5/9/9/9/9/9/9/9/4R4/4K4 w</FEN></Head><MoveList>"
        "<Move value=\"00-00\">g</Move><Move value=\"48-08\" branch=\"1\"/>"
        "<Move value=\"30-31\" end=\"1\"/><Move value=\"48-47\" end=\"1\">"
        "<![CDATA[v]]></Move></MoveList></ChineseChessRecord>";
    static const char PFC[] =
        "<n version=\"2\" win=\"*\" m=\"3k5/9/9/9/9/9/9/9/4R4/4K4 w\">"
        "<n m=\"e1a1\" c=\"x\"/><n m=\"e1e2\" default=\"true\"/></n>";
    static const char CHE[] =
        "1 2 26 32 1 2 7 2 4 0 1 0 6 32 0 9 7 7 6 0 2 0\n";
    static const char MXQ[] = "\1s\1d\5a-x-b\1r\1r\1"
                              "1\1"
                              "1\1"
                              "1\1"
                              "1\1"
                              "1\1e\5Moves\5"
                              "7C-4C\4Ends";
    static const char CCM[] = "\1\0\x12\0\x6b\x96\x60\x58\1\0\0\0"
                              "\x0f\1\6\7\7\4\7\0";
    static const char XQR[] = "\0\2\x20\x17\2\1e\x09\0"
                              "\0\0\1\0\x77\x74\1\0\x07\x26\0";
    const struct {
        const char *target, *name;
        unsigned first;
        const char *s;
        size_t n;
    } SEEDS[] = {
        {"cbf", "small", 0, CBF, sizeof CBF - 1},
        {"kinds", "pfc", 0x00, PFC, sizeof PFC - 1},
        {"kinds", "che", 0x10, CHE, sizeof CHE - 1},
        {"kinds", "ccm", 0x30, CCM, sizeof CCM},
        {"kinds", "mxq", 0x40, MXQ, sizeof MXQ - 1},
        {"kinds", "xqr", 0x60, XQR, sizeof XQR},
        {"kinds", "any_che", 0xF0, CHE, sizeof CHE - 1},
    };
    for (size_t i = 0; i < sizeof SEEDS / sizeof *SEEDS; i++) {
        struct bytes b = {NULL, 0};
        put_bytes(&b, SEEDS[i].s, SEEDS[i].n);
        save(SEEDS[i].target, SEEDS[i].name, SEEDS[i].first, &b);
    }
}

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : "tests/fuzz/corpus";
    struct bytes b = xqf(&XQF_PLAIN);
    save("xqf", "plain", 0, &b);
    b = xqf(&XQF_SAMPLE);
    save("xqf", "keys", 0, &b);
    ccbridge();
    texts();
    return 0;
}
