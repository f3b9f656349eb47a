/* split.c - cut files into segments of whole games.
 *
 * A segment's buffer is filled by the source directly; only what stands
 * behind the last boundary, less than a game, is copied to the next one. */
#include "libpgn/split.h"

#include "libpgn/boundary.h"
#include "libpgn/json.h"
#include "libpgn/pgn_scan.h"
#include "libpgn/repair.h"
#include "libpgn/sniff.h"
#include "libpgn/suffix.h"
#include "libpgn/text_kinds.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    SEGMENT = 1 << 20, /* bytes read for a segment, if games allow */
    SOFT = 4 << 20,    /* without a hard boundary so far, a soft one does */
    HEAD = 64 << 10,   /* what the kind and the encoding are judged by */
    TAG_HEAD = PGN_TAG_HEAD,
};

struct item {
    char *path;
    bool operand; /* named by the user, not found in a folder */
};

struct pgn_split {
    pgn_encoding wanted;
    struct item *stack; /* what is still to be read, the next one last */
    size_t nstack, capstack;
    pgn_source *src;  /* open, or NULL */
    bool src_operand; /* named by the user */
    bool operand;     /* the member is: it stands in no archive or folder */
    bool meant;       /* for games: by the user, or by its name */
    const char *name; /* of the member, the source's */

    bool in_member, first, ended;
    size_t size; /* of segments, about */
    bool repair; /* judge texts as repaired */
    pgn_format format;
    pgn_encoding encoding;
    uint64_t index, file, byte0, line0;
    char *head;     /* header row of a CSV file, else NULL */
    uint8_t *carry; /* read, but behind the last cut */
    size_t ncarry, capcarry;
    xq_err late; /* met behind bytes that are handed out first */

    uint64_t skipped, skipped_before; /* pgn_skipped */
    char *skipped_first;

    uint64_t consumed, total;
};

/* ---- boundaries ---- */

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t'; }

static bool is_bom(const uint8_t *s) { return !memcmp(s, "\xEF\xBB\xBF", 3); }

/* An object that begins a line ("{" in the first column). */
static size_t last_json_boundary(const uint8_t *s, size_t from, size_t to)
{
    for (size_t end = to; end > from;) {
        const uint8_t *p = memrchr(s + from, '{', end - from);
        if (!p)
            return 0;
        end = (size_t)(p - s);
        if (end > 0 && pgn_byte_breaks(s[end - 1]))
            return end;
    }
    return 0;
}

static bool has_tag(const uint8_t *s, size_t n);

static bool is_wide(pgn_encoding e)
{
    return e == PGN_ENC_UTF16LE || e == PGN_ENC_UTF16BE;
}

/* UTF-16 as one byte a unit, for the searches above.  What is not ASCII
 * becomes 0x80; a byte order mark '[', which makes them overlook what stands
 * beside it. */
static uint8_t *narrow(const uint8_t *s, size_t units, pgn_encoding e)
{
    uint8_t *t = malloc(units + 1);
    const size_t hi = e == PGN_ENC_UTF16LE;
    for (size_t i = 0; t && i < units; i++) {
        const unsigned u = (unsigned)s[2 * i + hi] << 8 | s[2 * i + !hi];
        t[i] = (uint8_t)(u == 0xFEFF ? '[' : u > 0x7F ? 0x80 : u);
    }
    return t;
}

/* The same over bytes. */
static size_t last_in(const pgn_split *sp, const uint8_t *s, size_t n,
                      size_t from, size_t to)
{
    if (sp->format == PGN_FMT_JSON)
        return last_json_boundary(s, from, to);
    if (sp->format >= PGN_FMT_DHTMLXQ && sp->format <= PGN_FMT_SCORE)
        return pgn_text_boundary_last(
            sp->format, sp->head ? xq_str_of(sp->head) : (xq_str){NULL, 0}, s,
            n, from, to);
    size_t hard = pgn_boundary_last(s, n, from, to);
    if (hard && sp->first && !has_tag(s, hard) &&
        !pgn_boundary_last(s, n, 0, hard))
        hard = 0; /* text before the first game: noted there */
    return hard || to < SOFT ? hard : pgn_boundary_soft(s, n, to);
}

/* The last boundary in s[0..to) of n bytes, 0 when there is none; what begins
 * before `from` was looked at already, save a tag that was cut there.  False:
 * no memory. */
static bool last_boundary(const pgn_split *sp, const uint8_t *s, size_t n,
                          size_t from, size_t to, size_t *at)
{
    if (to > n)
        to = n;
    if (pgn_format_is_whole(sp->format)) {
        *at = pgn_record_last(sp->format, s, from, to);
        if (sp->first && pgn_record_next(s, *at, 0) == *at)
            *at = 0; /* a library's head and index: not without a record */
        return true;
    }
    from = from > TAG_HEAD ? from - TAG_HEAD : 0;
    if (!is_wide(sp->encoding)) {
        *at = last_in(sp, s, n, from, to);
        return true;
    }
    uint8_t *t = narrow(s, n / 2, sp->encoding);
    if (!t)
        return false;
    *at = 2 * last_in(sp, t, n / 2, from / 2, to / 2);
    free(t);
    return true;
}

/* ---- line breaks ---- */

/* LFs, and whether there is a CR at all; so written for the vector unit. */
static uint64_t count_lf(const uint8_t *s, size_t n, bool *cr)
{
    typedef uint8_t vec __attribute__((vector_size(16)));
    uint64_t lines = 0;
    size_t i = 0;
    vec any = {0};
    while (n - i >= 16) {
        const size_t rounds = (n - i) / 16 < 255 ? (n - i) / 16 : 255;
        vec sum = {0};
        for (size_t k = 0; k < rounds; k++, i += 16) {
            vec v;
            memcpy(&v, s + i, 16);
            sum -= (vec)(v == '\n'); /* true is -1 */
            any |= (vec)(v == '\r');
        }
        for (int k = 0; k < 16; k++)
            lines += sum[k];
    }
    *cr = false;
    for (int k = 0; k < 16; k++)
        *cr |= any[k] != 0;
    for (; i < n; i++) {
        lines += s[i] == '\n';
        *cr |= s[i] == '\r';
    }
    return lines;
}

static uint64_t count_lines(const uint8_t *s, size_t n)
{
    bool cr;
    uint64_t lines = count_lf(s, n, &cr);
    if (!cr)
        return lines;
    for (size_t i = 0; i < n; i++)
        lines += s[i] == '\r' && pgn_ends_line(s, n, i);
    return lines;
}

static bool count_segment(const pgn_split *sp, const uint8_t *s, size_t n,
                          uint64_t *lines)
{
    if (pgn_format_is_binary(sp->format)) {
        *lines = 0;
        return true;
    }
    if (!is_wide(sp->encoding)) {
        *lines = count_lines(s, n);
        return true;
    }
    uint8_t *t = narrow(s, n / 2, sp->encoding);
    if (!t)
        return false;
    *lines = count_lines(t, n / 2);
    free(t);
    return true;
}

/* ---- what a member is ---- */

/* Is this key of an object one of those our JSON has? */
static bool is_our_key(xq_str key)
{
    static const char *const NAMES[] = {
        "tags",     "fen",        "moves",  "nags",
        "comments", "variations", "result", "problems",
    };
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (xq_str_eq(key, xq_str_of(NAMES[k])))
            return true;
    return false;
}

/* Our JSON: an object whose first key is one of ours, or that has moves among
 * its keys. */
static bool is_json(xq_str text)
{
    while (text.n >= 3 && is_bom((const uint8_t *)text.s))
        text = (xq_str){text.s + 3, text.n - 3};
    const uint8_t *s = (const uint8_t *)text.s;
    size_t i = 0;
    while (i < text.n && (is_blank(s[i]) || pgn_byte_breaks(s[i])))
        i++;
    if (i == text.n || s[i] != '{')
        return false;
    xq_arena arena = {0};
    pgn_json j;
    pgn_json_start(&j, text, &arena);
    pgn_json_next(&j);
    bool first = true, ours = false;
    while (!ours && pgn_json_next(&j) == PGN_JSON_KEY) {
        ours =
            first ? is_our_key(j.text) : xq_str_eq(j.text, xq_str_of("moves"));
        first = false;
        if (!ours)
            pgn_json_skip(&j, pgn_json_next(&j));
    }
    xq_arena_free(&arena);
    return ours;
}

/* A line that begins like a tag. */
static bool has_tag(const uint8_t *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t *p = memchr(s + i, '[', n - i);
        if (!p)
            return false;
        i = (size_t)(p - s);
        size_t line = i;
        while (line > 0 && is_blank(s[line - 1]))
            line--;
        while (line >= 3 && is_bom(s + line - 3))
            line -= 3;
        if ((line == 0 || pgn_byte_breaks(s[line - 1])) && pgn_tag_at(s, n, i))
            return true;
    }
    return false;
}

static bool one_of(char c, const char *set) { return c && strchr(set, c); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_file(char c) { return (c | 32) >= 'a' && (c | 32) <= 'i'; }

/* Only marks behind the move: "h2e2!", "Rxf9+", "C2.5;". */
static bool is_end(const char *w) { return !w[strspn(w, "!?+#,;")]; }

/* h2e2, H2-E2; C2.5, C+-2, P..6; Cbe2, Rxf9+, A10e9: one word of ASCII. */
static bool is_ascii_move(const char *w)
{
    static const char PIECES[] = "KAEBHNRCPkaebhnrcp";
    if (is_file(w[0]) && is_digit(w[1])) {
        const char *t = w + 2 + (w[2] == '-');
        if (is_file(t[0]) && is_digit(t[1]) && is_end(t + 2))
            return true;
    }
    if (!one_of(w[0], PIECES))
        return false;
    if ((is_digit(w[1]) || one_of(w[1], "+-.abcde")) && one_of(w[2], "+-.=") &&
        is_digit(w[3]) && is_end(w + 4))
        return true;
    const char *t = w + 1;
    while (is_digit(*t))
        t++;
    t += is_file(t[0]) && !is_digit(t[1]);
    t += *t == 'x';
    return is_file(t[0]) && is_digit(t[1]) &&
           is_end(t + 2 + (t[1] == '1' && t[2] == '0'));
}

static bool is_result(const char *w)
{
    return !strcmp(w, "1-0") || !strcmp(w, "0-1") || !strcmp(w, "1/2-1/2");
}

/* The next character as ASCII: full-width forms made narrow, white space of
 * any kind a blank, all else 0x7F. */
static char plain_char(uint32_t cp)
{
    if (cp >= 0xFF01 && cp <= 0xFF5E)
        cp -= 0xFEE0;
    if (cp <= 0x20 || cp == 0xA0 || cp == 0x3000 || cp == 0x200B)
        return ' ';
    return cp < 0x7F ? (char)cp : 0x7F;
}

/* One word of text at *at, without move number; false at the end. */
static bool next_word(xq_str text, size_t *at, char word[32], xq_str *raw)
{
    size_t i = *at, n = 0, len;
    while (i < text.n) {
        const uint32_t cp = pgn_utf8_next(text.s + i, text.n - i, &len);
        if (plain_char(cp) != ' ')
            break;
        i += len;
    }
    raw->s = text.s + i;
    while (i < text.n) {
        const char c = plain_char(pgn_utf8_next(text.s + i, text.n - i, &len));
        if (c == ' ')
            break;
        if (n < 31)
            word[n++] = c;
        i += len;
    }
    word[n] = 0;
    raw->n = (size_t)(text.s + i - raw->s);
    *at = i;
    /* "12." or "12..." before the move */
    size_t k = 0;
    while (is_digit(word[k]))
        k++;
    if (k && word[k] == '.') {
        while (word[k] == '.')
            k++;
        memmove(word, word + k, n - k + 1);
    }
    return raw->n > 0;
}

/* Movetext without any tag.  Of a file that is meant for games, one readable
 * move or result is enough; another must begin with two, or hold nothing
 * else. */
static bool has_moves(xq_str text, bool meant)
{
    char word[32];
    xq_str raw;
    unsigned words = 0, moves = 0;
    bool star = false;
    for (size_t at = 0; next_word(text, &at, word, &raw);) {
        if (!*word) /* a move number by itself */
            continue;
        star = strcmp(word, "*") == 0;
        words++;
        moves += is_ascii_move(word) || is_result(word) || (star && !meant) ||
                 ((meant || !is_digit(*word)) && pgn_count_moves(raw));
        if (moves >= (meant ? 1 : 2))
            return true;
        if (!meant && (words == 4 || (!moves && *word != '{')))
            return false;
    }
    /* a result of "*" only as the last word: it is common elsewhere */
    return words == moves || star;
}

/* [Event “...”]: a line that begins with a tag as the reader takes them, in
 * quotes of another kind or with a blank of another width. */
static bool has_odd_tag(xq_str text)
{
    const char *end = text.s + text.n;
    for (size_t i = 0; i < text.n; i++) {
        const char *p = memchr(text.s + i, '[', text.n - i);
        if (!p)
            return false;
        i = (size_t)(p - text.s);
        size_t line = i;
        while (line > 0 && is_blank((uint8_t)text.s[line - 1]))
            line--;
        if ((line == 0 || pgn_byte_breaks((uint8_t)text.s[line - 1])) &&
            pgn_tag_begins(p, end))
            return true;
    }
    return false;
}

/* The text formats of text_kinds.h; the header row of CSV is kept.  False: no
 * memory. */
static bool judge_text(pgn_split *sp, xq_str text)
{
    xq_str header;
    sp->format = pgn_text_kind(text, sp->meant);
    if (sp->format == PGN_FMT_CSV && pgn_csv_header(text, &header))
        sp->head = strndup(header.s, header.n);
    return sp->format != PGN_FMT_CSV || sp->head;
}

/* Text, if need be with some NULs in it: more are in what is none. */
static bool is_text(const uint8_t *s, size_t n)
{
    size_t nuls = 0;
    for (const uint8_t *p = s; (p = memchr(p, 0, (size_t)(s + n - p))); p++)
        nuls++;
    return 16 * nuls <= n;
}

/* The head of a text, repaired into *to.  False: no memory. */
static bool repair_head(xq_str *head, pgn_buf *to)
{
    pgn_repair rp = {0};
    bool ok = pgn_repair_look(&rp, *head) == XQ_OK &&
              pgn_repair_text(&rp, *head, to) == XQ_OK;
    pgn_repair_free(&rp);
    pgn_buf_add(to, "", 1);
    ok = ok && !to->failed;
    if (ok)
        *head = (xq_str){to->s, to->n - 1};
    return ok;
}

/* False: no memory. */
static bool judge_format(pgn_split *sp, const uint8_t *s, size_t n)
{
    sp->format = PGN_FMT_UNKNOWN;
    free(sp->head);
    sp->head = NULL;
    if (n > HEAD)
        n = HEAD;
    const bool wide = is_wide(sp->encoding);
    if (n == 0 || (!wide && pgn_tag_at(s, n, 0))) {
        sp->format = PGN_FMT_PGN;
        return true;
    }
    char *text = malloc(pgn_decode_bound(n) + 1);
    if (!text)
        return false;
    size_t used, bad = 0;
    xq_str t = {text, pgn_decode(sp->encoding, s, n, false, text, &used, &bad)};
    text[t.n] = 0;
    pgn_buf repaired = {0};
    bool room = true;
    if (sp->repair && !repair_head(&t, &repaired))
        room = false;
    else if (is_json(t))
        sp->format = PGN_FMT_JSON;
    else if (wide || is_text(s, n))
        room = judge_text(sp, t);
    if (room && sp->format == PGN_FMT_UNKNOWN &&
        ((!wide && has_tag(s, n)) ||
         ((wide || !memchr(s, 0, n)) &&
          (has_odd_tag(t) || has_moves(t, sp->meant)))))
        sp->format = PGN_FMT_PGN;
    free(text);
    pgn_buf_free(&repaired);
    return room;
}

/* The head, or the first piece of text that is not ASCII. */
static pgn_encoding judge_encoding(const uint8_t *s, size_t n)
{
    const size_t head = n < HEAD ? n : HEAD;
    const pgn_encoding e = pgn_encoding_judge(s, head, PGN_ENC_AUTO);
    size_t at = 0;
    while (at < n && s[at] < 0x80)
        at++;
    if (at < head || at == n || is_wide(e))
        return e;
    while (at > 0 && !pgn_byte_breaks(s[at - 1]))
        at--;
    return pgn_encoding_judge(s + at, n - at < HEAD ? n - at : HEAD, e);
}

/* ---- operands and folders ---- */

static bool push(pgn_split *sp, char *path, bool operand)
{
    if (!path)
        return false;
    if (sp->nstack == sp->capstack) {
        const size_t cap = sp->capstack ? 2 * sp->capstack : 16;
        struct item *p = realloc(sp->stack, cap * sizeof *p);
        if (!p) {
            free(path);
            return false;
        }
        sp->stack = p;
        sp->capstack = cap;
    }
    sp->stack[sp->nstack++] = (struct item){path, operand};
    return true;
}

static char *join(const char *folder, const char *name)
{
    const size_t a = strlen(folder), b = strlen(name);
    const bool slash = a && folder[a - 1] != '/';
    char *s = malloc(a + slash + b + 1);
    if (s) {
        memcpy(s, folder, a);
        s[a] = '/';
        memcpy(s + a + slash, name, b + 1);
    }
    return s;
}

/* The last name first: the stack turns it round. */
static int by_path_down(const void *a, const void *b)
{
    return strcmp(((const struct item *)b)->path,
                  ((const struct item *)a)->path);
}

static xq_status push_folder(pgn_split *sp, const char *path, xq_err *err)
{
    DIR *d = opendir(path);
    if (!d)
        return xq_fail(err, XQ_EIO, "cannot open folder: %s", strerror(errno));
    const size_t before = sp->nstack;
    const struct dirent *e;
    xq_status rc = XQ_OK;
    while (errno = 0, (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (!push(sp, join(path, e->d_name), false)) {
            rc = xq_fail(err, XQ_ENOMEM, "out of memory");
            break;
        }
    }
    if (rc == XQ_OK && errno)
        rc = xq_fail(err, XQ_EIO, "cannot read folder: %s", strerror(errno));
    closedir(d);
    if (sp->nstack > before + 1)
        qsort(sp->stack + before, sp->nstack - before, sizeof *sp->stack,
              by_path_down);
    return rc;
}

enum what { A_FILE, A_FOLDER, TO_SKIP };

/* In folders only regular files and real folders count: a link to a folder
 * could lead round in circles, a pipe could wait for ever. */
static enum what look_at(const struct item *it)
{
    struct stat st;
    if (it->operand) {
        if (strcmp(it->path, "-") == 0 || stat(it->path, &st) < 0)
            return A_FILE; /* opening it tells what is wrong */
        return S_ISDIR(st.st_mode) ? A_FOLDER : A_FILE;
    }
    if (lstat(it->path, &st) < 0)
        return A_FILE;
    if (S_ISDIR(st.st_mode))
        return A_FOLDER;
    if (S_ISLNK(st.st_mode) && stat(it->path, &st) < 0)
        return TO_SKIP;
    return S_ISREG(st.st_mode) ? A_FILE : TO_SKIP;
}

static bool set_name(pgn_segment *seg, const char *name)
{
    const size_t n = strlen(name) + 1;
    if (seg->name_cap < n) {
        char *p = realloc(seg->name, n);
        if (!p)
            return false;
        seg->name = p;
        seg->name_cap = n;
    }
    memcpy(seg->name, name, n);
    return true;
}

static xq_status fail_memory(xq_err *err)
{
    return xq_fail(err, XQ_ENOMEM, "out of memory");
}

static void close_source(pgn_split *sp)
{
    if (sp->src) { /* what was passed over is done with, too */
        const uint64_t n = pgn_source_consumed(sp->src);
        const uint64_t size = pgn_source_size(sp->src);
        sp->consumed += n > size ? n : size;
    }
    pgn_source_close(sp->src);
    sp->src = NULL;
    sp->in_member = false;
    sp->ncarry = 0;
}

/* Open the next operand or file of a folder.  XQ_DONE: there is none. */
static xq_status open_next(pgn_split *sp, pgn_segment *seg, xq_err *err)
{
    while (sp->nstack) {
        const struct item it = sp->stack[--sp->nstack];
        const enum what what = look_at(&it);
        xq_status rc = XQ_OK;
        if (what == A_FOLDER) {
            rc = push_folder(sp, it.path, err);
        } else if (what == A_FILE) {
            sp->src_operand = it.operand;
            rc = pgn_source_open(&sp->src, it.path, err);
        }
        if (rc != XQ_OK && !set_name(seg, it.path))
            rc = fail_memory(err);
        free(it.path);
        if (rc != XQ_OK || sp->src)
            return rc;
    }
    return XQ_DONE;
}

/* ---- segments ---- */

static bool room(pgn_segment *seg, size_t n)
{
    /* What one huge game needed is given back. */
    if (seg->bytes_cap >= n && seg->bytes_cap <= n + 4 * (size_t)SEGMENT)
        return true;
    if (seg->bytes_cap > n) {
        free(seg->bytes);
        seg->bytes = NULL;
        seg->bytes_cap = 0;
    }
    uint8_t *p = realloc(seg->bytes, n);
    if (!p)
        return false;
    seg->bytes = p;
    seg->bytes_cap = n;
    return true;
}

/* Read until *n is `want` or the member ends.  A failure is kept for later:
 * what was read before it is good. */
static void fill(pgn_split *sp, pgn_segment *seg, size_t want, size_t *n)
{
    while (*n < want && !sp->ended) {
        size_t got = 0;
        const xq_status rc = pgn_source_read(sp->src, seg->bytes + *n,
                                             want - *n, &got, &sp->late);
        if (rc != XQ_OK)
            sp->late.code = rc;
        sp->ended = rc != XQ_OK || !got;
        *n += got;
    }
}

static bool keep_tail(pgn_split *sp, const uint8_t *s, size_t n)
{
    if (n > sp->capcarry) {
        uint8_t *p = realloc(sp->carry, n);
        if (!p)
            return false;
        sp->carry = p;
        sp->capcarry = n;
    }
    memcpy(sp->carry, s, n);
    sp->ncarry = n;
    return true;
}

/* Bytes of the next segment, up to a boundary: *n of them, *cut belong to the
 * segment. */
static xq_status gather(pgn_split *sp, pgn_segment *seg, size_t *n, size_t *cut,
                        xq_err *err)
{
    size_t limit = sp->size; /* the boundary wanted stands before it */
    *n = sp->ncarry;
    if (!room(seg, *n > limit ? *n : limit))
        return fail_memory(err);
    if (sp->ncarry)
        memcpy(seg->bytes, sp->carry, sp->ncarry);
    sp->ncarry = 0;
    if (sp->first) {
        /* Judge by the same bytes, however segments are to be cut. */
        if (!room(seg, SEGMENT))
            return fail_memory(err);
        fill(sp, seg, SEGMENT, n);
        sp->format = pgn_sniff(seg->bytes, *n);
        sp->encoding = sp->wanted != PGN_ENC_AUTO ? sp->wanted
                       : pgn_format_is_binary(sp->format)
                           ? PGN_ENC_AUTO /* the reader judges its texts */
                           : judge_encoding(seg->bytes, *n);
        if (sp->format == PGN_FMT_UNKNOWN && !judge_format(sp, seg->bytes, *n))
            return fail_memory(err);
        if (sp->format == PGN_FMT_UNKNOWN)
            return XQ_OK;
    }
    for (size_t searched = 0;;) {
        fill(sp, seg, limit, n);
        *cut = *n;
        if (sp->ended && *n <= limit)
            return XQ_OK;
        if (!last_boundary(sp, seg->bytes, *n, searched, limit, cut))
            return fail_memory(err);
        if (*cut)
            return XQ_OK;
        searched = limit;
        if (limit >= PGN_GAME_MAX)
            return xq_fail(err, XQ_ELIMIT,
                           "a game of more than %u MiB: not read further",
                           (unsigned)(PGN_GAME_MAX >> 20));
        limit *= 2;
        if (!room(seg, limit))
            return fail_memory(err);
    }
}

/* Count a file that is passed over. */
static xq_status skip(pgn_split *sp, xq_err *err)
{
    if (sp->skipped++ == 0) {
        sp->skipped_before = sp->file;
        if (!(sp->skipped_first = strdup(sp->name)))
            return fail_memory(err);
    }
    return XQ_DONE;
}

/* The next segment of the open member; XQ_DONE: it is not ours to read. */
static xq_status next_segment(pgn_split *sp, pgn_segment *seg, xq_err *err)
{
    size_t n = 0, cut = 0;
    if (!set_name(seg, sp->name))
        return fail_memory(err);
    const xq_status rc = gather(sp, seg, &n, &cut, err);
    if (rc != XQ_OK)
        return rc;
    if (sp->late.code && n == 0) {
        if (err)
            *err = sp->late;
        return sp->late.code;
    }
    if (sp->format == PGN_FMT_UNKNOWN) {
        if (sp->late.code)
            return XQ_DONE; /* that it is damaged is said next */
        if (!sp->operand)
            return skip(sp, err);
        return xq_fail(
            err, XQ_ESYNTAX,
            "cannot tell what kind of file this is (tried: PGN, JSON, "
            "DhtmlXQ, WXF, lists of moves, CSV, lists of positions, score "
            "sheets, " PGN_SNIFFED_KINDS ")");
    }
    uint64_t lines = 0;
    const bool last = sp->ended && cut == n;
    if (!last && (!keep_tail(sp, seg->bytes + cut, n - cut) ||
                  !count_segment(sp, seg->bytes, cut, &lines)))
        return fail_memory(err);
    seg->n = cut;
    seg->index = sp->index++;
    seg->file = sp->file;
    seg->byte0 = sp->byte0;
    seg->line0 = sp->line0;
    seg->first = sp->first;
    seg->last = last;
    seg->named = sp->operand;
    seg->format = sp->format;
    seg->encoding = sp->encoding;
    free(seg->head);
    seg->head = NULL;
    if (sp->head && !(seg->head = strdup(sp->head)))
        return fail_memory(err);
    sp->byte0 += cut;
    sp->line0 += lines;
    sp->first = false;
    if (last) {
        sp->in_member = false;
        sp->file++;
    }
    return XQ_OK;
}

xq_status pgn_split_next(pgn_split *sp, pgn_segment *seg, xq_err *err)
{
    for (;;) {
        xq_status rc;
        if (!sp->in_member && sp->late.code) {
            rc = sp->late.code;
            if (err)
                *err = sp->late;
            sp->late.code = XQ_OK;
            return set_name(seg, sp->name) ? rc : fail_memory(err);
        }
        if (sp->in_member) {
            rc = next_segment(sp, seg, err);
            if (rc == XQ_OK)
                return rc;
            sp->in_member = false;
            sp->ncarry = 0;
            if (rc == XQ_DONE)
                continue;
            if (!sp->first)
                sp->file++;
            sp->late.code = XQ_OK;
            return rc; /* an archive's other members may be good */
        }
        if (!sp->src) {
            rc = open_next(sp, seg, err);
            if (rc != XQ_OK)
                return rc;
        }
        rc = pgn_source_next(sp->src, &sp->name, err);
        if (rc == XQ_OK) {
            sp->in_member = sp->first = true;
            sp->operand = sp->src_operand && !pgn_source_is_archive(sp->src);
            sp->meant = sp->operand || pgn_suffix_is_game(sp->name);
            sp->byte0 = sp->line0 = 0;
            sp->ended = false;
            continue;
        }
        if (rc < 0 && rc != XQ_ENOMEM && !set_name(seg, sp->name))
            rc = fail_memory(err);
        if (rc == XQ_DONE || rc == XQ_ENOMEM)
            close_source(sp);
        if (rc < 0)
            return rc;
    }
}

/* ---- opening ---- */

xq_status pgn_split_open(pgn_split **out, const char *const *paths, size_t n,
                         pgn_encoding encoding, xq_err *err)
{
    *out = NULL;
    pgn_split *sp = calloc(1, sizeof *sp);
    if (!sp)
        return fail_memory(err);
    sp->wanted = encoding;
    sp->size = SEGMENT;
    bool known = true;
    for (size_t i = n; i-- > 0;) {
        struct stat st;
        if (!push(sp, strdup(paths[i]), true)) {
            pgn_split_close(sp);
            return fail_memory(err);
        }
        if (strcmp(paths[i], "-") == 0 ? fstat(0, &st) : stat(paths[i], &st))
            continue;
        known = known && S_ISREG(st.st_mode);
        sp->total += (uint64_t)st.st_size;
    }
    if (!known)
        sp->total = 0;
    *out = sp;
    return XQ_OK;
}

xq_status pgn_split_open_mem(pgn_split **out, const char *name,
                             const void *bytes, size_t n, pgn_encoding encoding,
                             xq_err *err)
{
    *out = NULL;
    pgn_split *sp = calloc(1, sizeof *sp);
    if (!sp)
        return fail_memory(err);
    sp->wanted = encoding;
    sp->size = SEGMENT;
    sp->total = n;
    sp->src_operand = true;
    const xq_status rc = pgn_source_open_mem(&sp->src, name, bytes, n, err);
    if (rc != XQ_OK) {
        pgn_split_close(sp);
        return rc;
    }
    *out = sp;
    return XQ_OK;
}

void pgn_split_size(pgn_split *sp, size_t bytes)
{
    sp->size = bytes < 2 ? 2 : bytes;
}

void pgn_split_repair(pgn_split *sp) { sp->repair = true; }

pgn_skipped pgn_split_skipped(const pgn_split *sp)
{
    return (pgn_skipped){sp->skipped, sp->skipped_before, sp->skipped_first};
}

uint64_t pgn_split_consumed(const pgn_split *sp)
{
    return sp->consumed + (sp->src ? pgn_source_consumed(sp->src) : 0);
}
uint64_t pgn_split_measure(const pgn_split *sp)
{
    pgn_split walk = {0}; /* its stack of paths is all that counts */
    uint64_t sum = 0;
    bool known = true;
    for (size_t i = 0; known && i < sp->nstack; i++)
        known = push(&walk, strdup(sp->stack[i].path), sp->stack[i].operand);
    while (walk.nstack) {
        const struct item it = walk.stack[--walk.nstack];
        struct stat st;
        const enum what what = known ? look_at(&it) : TO_SKIP;
        if (what == A_FOLDER)
            (void)push_folder(&walk, it.path, NULL);
        else if (what == A_FILE &&
                 (strcmp(it.path, "-") ? stat(it.path, &st) : fstat(0, &st)) ==
                     0) {
            known = S_ISREG(st.st_mode);
            sum += (uint64_t)st.st_size;
        }
        free(it.path);
    }
    free(walk.stack);
    return known ? sum : 0;
}

uint64_t pgn_split_total(const pgn_split *sp) { return sp->total; }

void pgn_segment_free(pgn_segment *seg)
{
    free(seg->bytes);
    free(seg->name);
    free(seg->head);
    *seg = (pgn_segment){0};
}

void pgn_split_close(pgn_split *sp)
{
    if (!sp)
        return;
    pgn_source_close(sp->src);
    for (size_t i = 0; i < sp->nstack; i++)
        free(sp->stack[i].path);
    free(sp->stack);
    free(sp->head);
    free(sp->skipped_first);
    free(sp->carry);
    free(sp);
}
