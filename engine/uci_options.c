/* uci_options.c - the options of both dialects: one table, a name for each.
 *
 * UCI:  option name Hash type spin default 16 min 1 max 1024
 * UCCI: option hashsize type spin min 0 max 1024 default 16 */
#include "engine/uci_parts.h"

#include <inttypes.h>
#include <stdio.h>

enum kind { CHECK, SPIN, COMBO, BUTTON, STRING };

struct option {
    const char *uci, *ucci; /* NULL: the dialect does not have it */
    enum kind kind;
    bool of_books;
    uint64_t def, min, max; /* of a combo: numbers of vars */
    const char *const *vars;
    /* v: a number, 0 or 1, or the number of one of vars; or the text */
    xq_status (*set)(xq_session *s, uint64_t v, xq_str text, xq_err *err);
};

/* ---- what they do ---- */

static xq_status search_set(xq_session *s, const xq_search_options *o,
                            xq_err *err)
{
    const xq_status rc = xq_search_set(s->search, o, err);
    if (rc == XQ_OK)
        s->search_set = *o;
    return rc;
}

static xq_status set_hash(xq_session *s, uint64_t v, xq_str text, xq_err *err)
{
    xq_search_options o = s->search_set;
    (void)text;
    if (v == 0) /* UCCI: as the engine likes */
        v = s->io->max_hash && s->io->max_hash < 16 ? s->io->max_hash : 16;
    if (v > SIZE_MAX >> 20)
        return xq_fail(err, XQ_ENOMEM, "more than this machine can have");
    o.hash = (size_t)v << 20;
    return search_set(s, &o, err);
}

static xq_status set_threads(xq_session *s, uint64_t v, xq_str text,
                             xq_err *err)
{
    xq_search_options o = s->search_set;
    (void)text;
    o.threads = (unsigned)v;
    return search_set(s, &o, err);
}

static xq_status set_multipv(xq_session *s, uint64_t v, xq_str text,
                             xq_err *err)
{
    xq_search_options o = s->search_set;
    (void)text;
    o.multipv = (unsigned)v;
    return search_set(s, &o, err);
}

static xq_status set_rules(xq_session *s, uint64_t v, xq_str text, xq_err *err)
{
    xq_search_options o = s->search_set;
    (void)text;
    o.rules = v == 1 ? XQ_CXA : XQ_ASIAN;
    return search_set(s, &o, err);
}

static xq_status set_limit(xq_session *s, uint64_t v, xq_str text, xq_err *err)
{
    xq_search_options o = s->search_set;
    (void)text;
    o.natural_limit = (uint32_t)v;
    return search_set(s, &o, err);
}

static xq_status clear(xq_session *s, uint64_t v, xq_str text, xq_err *err)
{
    (void)v, (void)text, (void)err;
    xq_search_clear(s->search);
    return XQ_OK;
}

static void remark(void *to, const char *text)
{
    xq_note((xq_session *)to, "%s", text);
}

static xq_status set_books(xq_session *s, uint64_t v, xq_str text, xq_err *err)
{
    (void)v;
    if (xq_word_is(text, "<empty>"))
        text.n = 0;
    return s->io->book->open(s->io->book->arg, text, remark, s, err);
}

#define SETS(name, field, type)                                                \
    static xq_status name(xq_session *s, uint64_t v, xq_str text, xq_err *err) \
    {                                                                          \
        (void)text, (void)err;                                                 \
        s->set.field = (type)v;                                                \
        return XQ_OK;                                                          \
    }
SETS(set_overhead, overhead, uint64_t)
SETS(set_ponder, ponder, bool)
SETS(set_wdl, show_wdl, bool)
SETS(set_own_book, own_book, bool)
SETS(set_weighted, weighted, bool)
SETS(set_millisec, millisec, bool)

/* Offered because GUIs send it; nothing here depends on it. */
static xq_status ignore(xq_session *s, uint64_t v, xq_str text, xq_err *err)
{
    (void)s, (void)v, (void)text, (void)err;
    return XQ_OK;
}

/* ---- the table ---- */

static const char *const RULES[] = {"AsianRule", "ChineseRule", NULL};
static const char *const CHOICE[] = {"Best", "Weighted", NULL};
static const char *const RANDOM[] = {"none", "small", "medium", "large", NULL};

/* Rows of `newgame` and `Clear Hash` are buttons: they say when, not what. */
static const struct option OPTIONS[] = {
    {NULL, "usemillisec", CHECK, false, 0, 0, 1, NULL, set_millisec},
    {NULL, "batch", CHECK, false, 0, 0, 1, NULL, ignore},
    {NULL, "debug", CHECK, false, 0, 0, 1, NULL, ignore},
    {"Hash", NULL, SPIN, false, 16, 1, 33554432, NULL, set_hash},
    {NULL, "hashsize", SPIN, false, 0, 0, 33554432, NULL, set_hash},
    {"Clear Hash", "clearhash", BUTTON, false, 0, 0, 0, NULL, clear},
    {"Threads", "threads", SPIN, false, 1, 1, XQ_MAX_THREADS, NULL,
     set_threads},
    {"MultiPV", "multipv", SPIN, false, 1, 1, 500, NULL, set_multipv},
    {"Ponder", "ponder", CHECK, false, 0, 0, 1, NULL, set_ponder},
    {"Move Overhead", "moveoverhead", SPIN, false, 10, 0, 5000, NULL,
     set_overhead},
    {"UCI_ShowWDL", NULL, CHECK, false, 0, 0, 1, NULL, set_wdl},
    {"Repetition Rule", "repetitionrule", COMBO, false, 0, 0, 1, RULES,
     set_rules},
    {"Natural Limit", "naturallimit", SPIN, false, 120, 0, 10000, NULL,
     set_limit},
    {"OwnBook", "usebook", CHECK, true, 1, 0, 1, NULL, set_own_book},
    {"Book", "bookfiles", STRING, true, 0, 0, 0, NULL, set_books},
    {"Book Choice", NULL, COMBO, true, 0, 0, 1, CHOICE, set_weighted},
    {NULL, "randomness", COMBO, true, 0, 0, 3, RANDOM, set_weighted},
    {NULL, "newgame", BUTTON, false, 0, 0, 0, NULL, clear},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

static const char *name_of(const xq_session *s, const struct option *o)
{
    if (o->of_books && !s->io->book)
        return NULL;
    return s->dialect->ucci ? o->ucci : o->uci;
}

/* The largest value, which who starts the engine may have lowered. */
static uint64_t most(const xq_session *s, const struct option *o)
{
    const uint64_t cap = o->set == set_hash      ? s->io->max_hash
                         : o->set == set_threads ? s->io->max_threads
                                                 : 0;
    return cap && cap < o->max ? cap : o->max;
}

/* ---- telling ---- */

static void print(xq_session *s, const struct option *o)
{
    static const char *const KIND[] = {"check", "spin", "combo", "button",
                                       "string"};
    char def[64] = "", range[160] = "";
    size_t n = 0;
    if (o->kind == CHECK)
        snprintf(def, sizeof def, " default %s", o->def ? "true" : "false");
    if (o->kind == SPIN) {
        snprintf(def, sizeof def, " default %" PRIu64, o->def);
        snprintf(range, sizeof range, " min %" PRIu64 " max %" PRIu64, o->min,
                 most(s, o));
    }
    if (o->kind == COMBO)
        snprintf(def, sizeof def, " default %s", o->vars[o->def]);
    for (size_t i = 0; o->kind == COMBO && o->vars[i]; i++)
        n += (size_t)snprintf(range + n, sizeof range - n, " var %s",
                              o->vars[i]);
    if (o->kind == STRING && !s->dialect->ucci)
        snprintf(def, sizeof def, " default <empty>");
    if (s->dialect->ucci)
        xq_say(s, "option %s type %s%s%s", o->ucci, KIND[o->kind], range, def);
    else
        xq_say(s, "option name %s type %s%s%s", o->uci, KIND[o->kind], def,
               range);
}

void xq_options_print(xq_session *s)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (name_of(s, &OPTIONS[i]))
            print(s, &OPTIONS[i]);
}

/* ---- setting ---- */

/* Names match without case, and with any blanks between their words. */
static bool same_name(const char *name, xq_str given)
{
    xq_str have = xq_str_of(name), a, b;
    for (;;) {
        const bool more = xq_word(&have, &a);
        if (more != xq_word(&given, &b))
            return false;
        if (!more)
            return true;
        if (!xq_str_eq_nocase(a, b))
            return false;
    }
}

static const struct option *find(const xq_session *s, xq_str name)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        const char *const own = name_of(s, &OPTIONS[i]);
        if (own && same_name(own, name))
            return &OPTIONS[i];
    }
    return NULL;
}

/* The value of a check, spin or combo. */
static bool read_value(const xq_session *s, const struct option *o,
                       xq_str value, uint64_t *v)
{
    switch (o->kind) {
    case CHECK:
        *v = xq_str_eq_nocase(value, xq_str_of("true"));
        return *v || xq_str_eq_nocase(value, xq_str_of("false"));
    case SPIN:
        return xq_word_number(value, v) && value.s[0] != '-' && *v >= o->min &&
               *v <= most(s, o);
    case COMBO:
        for (*v = 0; o->vars[*v]; ++*v)
            if (xq_str_eq_nocase(value, xq_str_of(o->vars[*v])))
                return true;
        return false;
    default:
        *v = 0;
        return true;
    }
}

static void refuse(xq_session *s, const struct option *o, xq_str value)
{
    char want[160] = "true or false";
    size_t n = 0;
    if (o->kind == SPIN)
        snprintf(want, sizeof want, "%" PRIu64 " to %" PRIu64, o->min,
                 most(s, o));
    for (size_t i = 0; o->kind == COMBO && o->vars[i]; i++)
        n += (size_t)snprintf(want + n, sizeof want - n, "%s%s",
                              i ? ", " : "one of ", o->vars[i]);
    xq_note(s, "error: option %s takes %s, not '%s'", name_of(s, o), want,
            xq_show(value).s);
}

void xq_options_set(xq_session *s, xq_str name, xq_str value)
{
    const struct option *const o = find(s, name);
    uint64_t v;
    xq_err err;
    if (!o)
        xq_note(s, "error: there is no option '%s'", xq_show(name).s);
    else if (!read_value(s, o, value, &v))
        refuse(s, o, value);
    else if (o->set(s, v, value, &err) != XQ_OK)
        xq_note(s, "error: option %s stays as it was: %s", name_of(s, o),
                err.msg);
}
