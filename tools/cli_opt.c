/* cli_opt.c - options: reading them, help made from their table, and what is
 * said about a wrong one. */
#include "tools/cli.h"

#include <stdlib.h>
#include <string.h>

/* Options every command has. */
static const struct cli_opt QUIET = {
    "quiet", 'q', CLI_FLAG, 0, NULL, "no progress and messages, only errors"};
static const struct cli_opt HELP = {"help", 'h',  CLI_FLAG,
                                    0,      NULL, "print this text"};

/* The arguments while they are read. */
struct scan {
    const struct cli_cmd *cmd;
    const struct cli_opt *opts;
    char *dst;
    char **argv;
    int argc, next; /* next: the argument behind the current one */
    bool help;
};

void cli_list_free(struct cli_list *l)
{
    free(l->v);
    *l = (struct cli_list){0};
}

/* Least number of letters to add, drop, change or exchange with the next. */
size_t cli_distance(const char *word, const char *name)
{
    size_t n = strlen(word), m = strlen(name);
    if (n && n < m && strncmp(word, name, n) == 0)
        return 0;
    if (n > 4 * m) /* nothing like it; also keeps the rows below small */
        return n;
    size_t *rows = calloc(3 * (m + 1), sizeof *rows);
    if (!rows)
        return n + m;
    size_t *above = rows, *row = rows + m + 1, *two_above = row + m + 1;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *oldest = two_above;
        two_above = above;
        above = row;
        row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = above[j - 1] + (word[i - 1] != name[j - 1]);
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (i > 1 && j > 1 && word[i - 1] == name[j - 2] &&
                word[i - 2] == name[j - 1] && two_above[j - 2] + 1 < best)
                best = two_above[j - 2] + 1;
            row[j] = best;
        }
    }
    size_t d = row[m];
    free(rows);
    return d;
}

bool cli_is_like(const char *word, const char *name)
{
    const size_t n = strlen(word), m = strlen(name);
    return strcmp(word, name) != 0 &&
           3 * cli_distance(word, name) <= (n > m ? n : m);
}

static void usage_line(FILE *f, const struct cli_cmd *cmd)
{
    cli_printf(f, "usage: %s %s%s%s\n", cli_program, cmd->name,
               *cmd->usage ? " " : "", cmd->usage);
}

int cli_usage(const struct cli_cmd *cmd, const char *fmt, ...)
{
    cli_buf b = {0};
    cli_buf_printf(&b, "%s: ", cmd->name);
    va_list ap;
    va_start(ap, fmt);
    cli_buf_vprintf(&b, fmt, ap);
    va_end(ap);
    cli_error("%s", b.failed ? "out of memory" : b.s);
    cli_buf_free(&b);
    usage_line(stderr, cmd);
    return CLI_FAIL;
}

/* ---- help ---- */

static void option_help(const struct cli_opt *o, int width)
{
    cli_buf b = {0};
    if (o->letter)
        cli_buf_printf(&b, "-%c%s", o->letter, o->name ? ", " : "");
    if (o->name)
        cli_buf_printf(&b, "--%s", o->name);
    if (o->arg)
        cli_buf_printf(&b, " %s", o->arg);
    cli_printf(stdout, "  %-*s  %s\n", width, b.s ? b.s : "", o->help);
    cli_buf_free(&b);
}

static int option_width(const struct cli_opt *o)
{
    size_t n = (o->letter ? 2 : 0) + (o->name ? 2 + strlen(o->name) : 0) +
               (o->letter && o->name ? 2 : 0) +
               (o->arg ? 1 + strlen(o->arg) : 0);
    return (int)n;
}

static bool is_end(const struct cli_opt *o) { return !o->name && !o->letter; }

static int print_help(const struct scan *s)
{
    const struct cli_cmd *cmd = s->cmd;
    usage_line(stdout, cmd);
    cli_printf(stdout, "\n%s.\n\n", cmd->summary);
    int width = option_width(&QUIET);
    for (const struct cli_opt *o = s->opts; !is_end(o); o++)
        if (option_width(o) > width)
            width = option_width(o);
    for (const struct cli_opt *o = s->opts; !is_end(o); o++)
        option_help(o, width);
    option_help(&QUIET, width);
    option_help(&HELP, width);
    if (cmd->details)
        cli_printf(stdout, "\n%s\n", cmd->details);
    return cli_finish(CLI_OK);
}

/* ---- mistakes ---- */

static int unknown_long(const struct scan *s, const char *text, size_t n)
{
    char *word = strndup(text, n);
    const char *best = HELP.name;
    size_t least = SIZE_MAX;
    for (const struct cli_opt *o = s->opts; word; o++) {
        if (is_end(o))
            o = &QUIET;
        size_t d = o->name ? cli_distance(word, o->name) : SIZE_MAX;
        if (d < least) {
            least = d;
            best = o->name;
        }
        if (o == &QUIET)
            break;
    }
    if (word && cli_distance(word, HELP.name) < least)
        best = HELP.name;
    int rc =
        word && cli_is_like(word, best)
            ? cli_usage(s->cmd, "unknown option '--%s', did you mean '--%s'?",
                        word, best)
            : cli_usage(s->cmd, "unknown option '--%s'", word ? word : "");
    free(word);
    return rc;
}

static int unknown_letter(const struct scan *s, const char *text)
{
    /* Whole characters: half of one would be unreadable. */
    size_t n = 1;
    while (((unsigned char)text[n] & 0xC0) == 0x80)
        n++;
    char *word = strndup(text, n);
    const char *best = NULL;
    for (const struct cli_opt *o = s->opts; !is_end(o); o++)
        if (o->name && o->name[0] == text[0]) {
            best = o->name;
            break;
        }
    int rc =
        best ? cli_usage(s->cmd, "unknown option '-%s', did you mean '--%s'?",
                         word ? word : "", best)
             : cli_usage(s->cmd, "unknown option '-%s'", word ? word : "");
    free(word);
    return rc;
}

/* The option's name as its user wrote it. */
static const char *shown(const struct cli_opt *o, bool is_long, char letter[3])
{
    if (is_long)
        return o->name;
    letter[0] = o->letter;
    letter[1] = '\0';
    return letter;
}

/* ---- values ---- */

static bool parse_uint(const char *text, bool suffix, uint64_t *out)
{
    uint64_t v = 0;
    const char *p = text;
    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned d = (unsigned)(*p - '0');
        if (v > (UINT64_MAX - d) / 10)
            return false;
        v = v * 10 + d;
    }
    if (suffix && *p) {
        static const char LETTERS[] = "kmgtKMGT";
        const char *at = strchr(LETTERS, *p);
        if (!at)
            return false;
        unsigned shift = 10 * ((unsigned)((at - LETTERS) % 4) + 1);
        if (v > UINT64_MAX >> shift)
            return false;
        v <<= shift;
        p++;
    }
    *out = v;
    return *p == '\0';
}

static int set_value(const struct scan *s, const struct cli_opt *o,
                     const char *value, bool is_long)
{
    char letter[3];
    const char *dash = is_long ? "--" : "-", *name = shown(o, is_long, letter);
    void *field = s->dst + o->offset;
    switch (o->type) {
    case CLI_FLAG:
        *(bool *)field = true;
        break;
    case CLI_STR:
        *(const char **)field = value;
        break;
    case CLI_UINT:
        if (!parse_uint(value, false, field))
            return cli_usage(s->cmd,
                             "option '%s%s' takes a whole number, not '%s'",
                             dash, name, value);
        break;
    case CLI_SIZE:
        if (!parse_uint(value, true, field))
            return cli_usage(s->cmd,
                             "option '%s%s' takes a size such as 256M, "
                             "not '%s'",
                             dash, name, value);
        break;
    case CLI_LIST: {
        struct cli_list *l = field;
        const char **v = realloc(l->v, (l->n + 1) * sizeof *v);
        if (!v) {
            cli_error("out of memory");
            return CLI_FAIL;
        }
        l->v = v;
        v[l->n++] = value;
        break;
    }
    }
    return -1;
}

/* An option was found; its value may be attached (NULL: not). */
static int take(struct scan *s, const struct cli_opt *o, const char *attached,
                bool is_long)
{
    if (o == &QUIET || o == &HELP || o->type == CLI_FLAG) {
        if (attached)
            return cli_usage(s->cmd, "option '--%s' takes no value", o->name);
        if (o == &QUIET)
            cli_quiet = true;
        else if (o == &HELP)
            s->help = true;
        else
            return set_value(s, o, NULL, is_long);
        return -1;
    }
    if (!attached) {
        if (s->next >= s->argc) {
            char letter[3];
            return cli_usage(s->cmd, "option '%s%s' needs a value (%s)",
                             is_long ? "--" : "-", shown(o, is_long, letter),
                             o->arg ? o->arg : "VALUE");
        }
        attached = s->argv[s->next++];
        /* More likely the value was forgotten than that it begins so. */
        if (attached[0] == '-' && attached[1] == '-') {
            char letter[3];
            const char *const dash = is_long ? "--" : "-";
            const char *const name = shown(o, is_long, letter);
            return cli_usage(s->cmd,
                             "option '%s%s' needs a value (%s), not '%s'; "
                             "'%s%s%s%s' means just that",
                             dash, name, o->arg ? o->arg : "VALUE", attached,
                             dash, name, is_long ? "=" : "", attached);
        }
    }
    return set_value(s, o, attached, is_long);
}

static int take_long(struct scan *s, const char *text)
{
    size_t n = strcspn(text, "=");
    const char *value = text[n] ? text + n + 1 : NULL;
    const struct cli_opt *o = s->opts;
    while (!is_end(o) &&
           !(o->name && strlen(o->name) == n && memcmp(o->name, text, n) == 0))
        o++;
    if (is_end(o)) {
        if (n == strlen(QUIET.name) && memcmp(text, QUIET.name, n) == 0)
            o = &QUIET;
        else if (n == strlen(HELP.name) && memcmp(text, HELP.name, n) == 0)
            o = &HELP;
        else
            return unknown_long(s, text, n);
    }
    return take(s, o, value, true);
}

static int take_letters(struct scan *s, const char *text)
{
    for (; *text; text++) {
        const struct cli_opt *o = s->opts;
        while (!is_end(o) && o->letter != *text)
            o++;
        if (is_end(o)) {
            if (*text == QUIET.letter)
                o = &QUIET;
            else if (*text == HELP.letter)
                o = &HELP;
            else
                return unknown_letter(s, text);
        }
        if (o == &QUIET || o == &HELP || o->type == CLI_FLAG) {
            int rc = take(s, o, NULL, false);
            if (rc >= 0)
                return rc;
            continue;
        }
        return take(s, o, text[1] ? text + 1 : NULL, false); /* -j4, -j 4 */
    }
    return -1;
}

static void free_lists(const struct scan *s)
{
    for (const struct cli_opt *o = s->opts; !is_end(o); o++)
        if (o->type == CLI_LIST)
            cli_list_free((void *)(s->dst + o->offset));
}

int cli_parse(const struct cli_cmd *cmd, const struct cli_opt *opts, void *dst,
              int *argc, char ***argv)
{
    struct scan s = {
        .cmd = cmd, .opts = opts, .dst = dst, .argv = *argv, .argc = *argc};
    int kept = 0, rc = -1;
    bool ended = false;
    while (rc < 0 && s.next < s.argc) {
        char *arg = s.argv[s.next++];
        if (ended || arg[0] != '-' || arg[1] == '\0')
            s.argv[kept++] = arg;
        else if (strcmp(arg, "--") == 0)
            ended = true;
        else
            rc = arg[1] == '-' ? take_long(&s, arg + 2)
                               : take_letters(&s, arg + 1);
    }
    if (rc < 0 && s.help)
        rc = print_help(&s);
    if (rc >= 0) {
        free_lists(&s);
        return rc;
    }
    s.argv[kept] = NULL;
    *argc = kept;
    return -1;
}
