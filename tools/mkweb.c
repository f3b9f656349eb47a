/* mkweb.c - writes tools/web/ as C text to stdout: style, scripts, shapes.
 *
 * Runs on the build machine, in the top folder (the Makefile sees to both).
 * Each text becomes an array of lines: one string would be longer than C
 * promises to take.  Comments and idle blanks stay behind, as a page has
 * to be small; so what begins a line with two strokes must be a comment.
 *
 * A page forbids itself every script and style but these, by their SHA-256
 * (Content Security Policy 3, 2.3.1), which is worked out here once. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- SHA-256 (FIPS 180-4) ---- */

struct sha256 {
    uint32_t h[8];
    uint8_t block[64];
    uint64_t n; /* bytes so far */
};

static const uint32_t SHA_START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                      0xa54ff53a, 0x510e527f, 0x9b05688c,
                                      0x1f83d9ab, 0x5be0cd19};

/* The first 32 bits of the fractional parts of the cube roots of the first 64
 * primes. */
static const uint32_t SHA_K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void sha_block(struct sha256 *s)
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)s->block[4 * i] << 24 |
               (uint32_t)s->block[4 * i + 1] << 16 |
               (uint32_t)s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(v, s->h, sizeof v);
    for (int i = 0; i < 64; i++) {
        const uint32_t a = v[0], e = v[4];
        const uint32_t t1 = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                            ((e & v[5]) ^ (~e & v[6])) + SHA_K[i] + w[i];
        const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                            ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        s->h[i] += v[i];
}

static void sha_byte(struct sha256 *s, uint8_t byte)
{
    s->block[s->n++ % 64] = byte;
    if (s->n % 64 == 0)
        sha_block(s);
}

static void sha_add(struct sha256 *s, const char *text)
{
    for (; *text; text++)
        sha_byte(s, (uint8_t)*text);
}

static void sha_end(struct sha256 *s, uint8_t out[32])
{
    const uint64_t bits = s->n * 8;
    sha_byte(s, 0x80);
    while (s->n % 64 != 56)
        sha_byte(s, 0);
    for (int i = 56; i >= 0; i -= 8)
        sha_byte(s, (uint8_t)(bits >> i));
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

/* 32 bytes are 43 letters and a '='. */
static void print_base64(const uint8_t hash[32])
{
    static const char LETTER[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 43; i++) {
        const int bit = 6 * i;
        const unsigned two = (unsigned)hash[bit / 8] << 8 |
                             (bit / 8 < 31 ? hash[bit / 8 + 1] : 0u);
        putchar(LETTER[two >> (10 - bit % 8) & 63]);
    }
    putchar('=');
}

/* ---- lines ---- */

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "mkweb: %s %s\n", what, path);
    exit(1);
}

static void print_string(const char *s)
{
    putchar('"');
    for (; *s; s++) {
        if (*s == '\n')
            printf("\\n");
        else if (*s == '"' || *s == '\\' || *s == '?') /* no trigraphs */
            printf("\\%c", *s);
        else
            putchar(*s);
    }
    putchar('"');
}

/* Is the blank between two such characters needed?  In a style sheet those
 * beside a '+' are: calc(100% + 24px).  In a script only those between words,
 * and between two signs, which would become one. */
static bool is_idle(bool style, char before, char after)
{
    if (style)
        return strchr("{};:,", before) || strchr("{}", after);
    if (before == after && strchr("+-/", before))
        return false;
    static const char *const SIGN = "=+-*/<>?:;,(){}[]&|!";
    return strchr(SIGN, before) || strchr(SIGN, after);
}

/* Take out blanks that say nothing, but for those in strings, and what else is
 * idle: the last semicolon of a rule, and that nothing can be assigned to a
 * name. */
static void squeeze(char *s, bool style)
{
    static const char CONST[] = "const ";
    char *to = s, before = '{', quote = 0;
    for (; *s; s++) {
        if (!quote && *s == ' ' && is_idle(style, before, s[1]))
            continue;
        if (style && !quote && *s == ';' && s[1] == ' ' && s[2] == '}')
            continue;
        if (!style && !quote && strchr("{(;", before) &&
            strncmp(s, CONST, sizeof CONST - 1) == 0) {
            memcpy(to, "let ", 4);
            to += 4;
            s += sizeof CONST - 2;
            before = ' ';
            continue;
        }
        if (quote && *s == '\\' && s[1])
            *to++ = *s++;
        else if (quote ? *s == quote : strchr("\"'`", *s) != NULL)
            quote = quote ? 0 : *s;
        before = *to++ = *s;
    }
    *to = '\0';
}

/* Take out the line break, but behind a word: our statements end with their
 * semicolons. */
static void join(char *s)
{
    const size_t n = strlen(s);
    if (n > 1 && s[n - 1] == '\n' && !isalnum((unsigned char)s[n - 2]))
        s[n - 1] = '\0';
}

/* The file's lines without comments that have lines of their own. */
static void print_file(const char *path, bool style, struct sha256 *sha)
{
    char *line = NULL;
    size_t cap = 0;
    bool comment = false;
    FILE *f = fopen(path, "r");
    if (!f)
        fail("cannot open", path);
    while (getline(&line, &cap, f) > 0) {
        char *s = line + strspn(line, " ");
        if (strlen(s) > 2000)
            fail("a line is too long in", path);
        if (strncmp(s, "/*", 2) == 0)
            comment = true;
        if (comment) {
            comment = strstr(s, "*/") == NULL;
            continue;
        }
        if (*s == '\n' || strncmp(s, "//", 2) == 0)
            continue;
        squeeze(s, style);
        join(s);
        printf("    ");
        print_string(s);
        printf(",\n");
        sha_add(sha, s);
    }
    if (ferror(f) || fclose(f))
        fail("cannot read", path);
    free(line);
}

/* The files one after the other, and the hash of it all. */
static void text(const char *name, const char *const *paths)
{
    struct sha256 sha = {.n = 0};
    uint8_t hash[32];
    memcpy(sha.h, SHA_START, sizeof sha.h);
    printf("static const char *const %s_LINES[] = {\n", name);
    for (; *paths; paths++)
        print_file(*paths, strcmp(name, "CSS") == 0, &sha);
    sha_end(&sha, hash);
    printf("};\nstatic const char %s_HASH[] = \"sha256-", name);
    print_base64(hash);
    printf("\";\n");
}

static void shapes(const char *path)
{
    char *line = NULL;
    size_t cap = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        fail("cannot open", path);
    printf("static const web_shape SHAPES[] = {\n");
    while (getline(&line, &cap, f) > 0) {
        if (*line == '#')
            continue;
        const char *name = strtok(line, " "), *size = strtok(NULL, " "),
                   *d = strtok(NULL, "\n");
        if (!name || !size || !d)
            fail("not a shape: a line of", path);
        printf("    {\"%s\", %d, \"%s\"},\n", name, atoi(size), d);
    }
    printf("};\n");
    if (ferror(f) || fclose(f))
        fail("cannot read", path);
    free(line);
}

int main(void)
{
    static const char *const CSS[] = {"tools/web/page.css", NULL};
    static const char *const JS[] = {"tools/web/words.js", "tools/web/board.js",
                                     "tools/web/game.js", "tools/web/page.js",
                                     NULL};
    printf("/* Written by tools/mkweb.c: do not edit. */\n");
    text("CSS", CSS);
    text("JS", JS);
    shapes("tools/web/shapes.txt");
    return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
