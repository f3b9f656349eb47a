/* xengine_options.c - the options an engine offers, and setting them. */
#include "tools/xengine_parts.h"

#include "tools/cli.h"

#include <stdlib.h>
#include <string.h>

void xe_offers_free(xengine *e)
{
    for (size_t i = 0; i < e->noffers; i++)
        free(e->offers[i].line);
    free(e->offers);
    e->offers = NULL;
    e->noffers = 0;
}

static const struct xe_offer *find(const xengine *e, xq_str name)
{
    for (size_t i = 0; i < e->noffers; i++)
        if (xq_str_eq_nocase(e->offers[i].o.name, name))
            return &e->offers[i];
    return NULL;
}

bool xe_offers(const xengine *e, const char *name)
{
    return find(e, xq_str_of(name)) != NULL;
}

xq_status xe_offer_add(xengine *e, xq_str line, xq_err *err)
{
    struct xe_offer new = {.line = strndup(line.s, line.n)};
    if (!new.line)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    const xq_str own = xq_str_of(new.line);
    const bool ok = e->dialect == XE_CECP ? engine_read_feature(own, &new.o)
                                          : engine_read_option(own, &new.o);
    if (!ok || find(e, new.o.name)) {
        free(new.line);
        return XQ_OK;
    }
    struct xe_offer *v = realloc(e->offers, (e->noffers + 1) * sizeof *v);
    if (!v) {
        free(new.line);
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    e->offers = v;
    v[e->noffers++] = new;
    return XQ_OK;
}

/* ---- setting ---- */

static xq_status send_option(xengine *e, const engine_option *o, xq_str value,
                             xq_err *err)
{
    cli_buf b = {0};
    switch (e->dialect) {
    case XE_UCI:
        cli_buf_puts(&b, "setoption name ");
        break;
    case XE_UCCI:
        cli_buf_puts(&b, "setoption ");
        break;
    default:
        cli_buf_puts(&b, "option ");
        break;
    }
    cli_buf_add(&b, o->name.s, o->name.n);
    if (o->kind != ENGINE_BUTTON) {
        cli_buf_puts(&b, e->dialect == XE_UCI    ? " value "
                         : e->dialect == XE_UCCI ? " "
                                                 : "=");
        cli_buf_add(&b, value.s, value.n);
    }
    cli_buf_add(&b, "", 1);
    const bool sent = !b.failed && child_say(&e->c, b.s);
    const bool failed = b.failed;
    cli_buf_free(&b);
    if (failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    return sent ? XQ_OK : xe_unheard(XQ_EIO, 0, err);
}

/* What a user may give, for the message. */
static void describe(const engine_option *o, cli_buf *b)
{
    xq_str rest = o->vars, var;
    const char *sep = "";
    if (o->kind == ENGINE_CHECK)
        cli_buf_puts(b, "true or false");
    else if (o->kind == ENGINE_BUTTON)
        cli_buf_puts(b, "no value");
    else if (o->kind == ENGINE_SPIN)
        cli_buf_printf(b, "%lld to %lld", (long long)o->min, (long long)o->max);
    while (o->kind == ENGINE_COMBO && engine_option_var(&rest, &var)) {
        cli_buf_puts(b, sep);
        cli_buf_text(b, var);
        sep = ", ";
    }
}

static xq_status refuse(const engine_option *o, xq_str value, xq_err *err)
{
    cli_buf b = {0};
    describe(o, &b);
    const xq_status rc = xq_fail(
        err, XQ_ESYNTAX, "the engine's option '%.*s' takes %.*s%s'%.*s'",
        (int)o->name.n, o->name.s, b.failed ? 0 : (int)b.n, b.s ? b.s : "",
        ", not ", (int)value.n, value.s);
    cli_buf_free(&b);
    return rc;
}

static xq_status set(xengine *e, xq_str name, xq_str value, xq_err *err)
{
    const struct xe_offer *const offer = find(e, name);
    xq_str spelt;
    if (!offer)
        return xq_fail(err, XQ_ESYNTAX, "the engine has no option '%.*s'",
                       (int)name.n, name.s);
    if (!engine_option_takes(&offer->o, value, &spelt))
        return refuse(&offer->o, value, err);
    return send_option(e, &offer->o, spelt, err);
}

/* One of ours: where it is offered and takes the value. */
static xq_status set_own(xengine *e, const char *name, const char *value,
                         xq_err *err)
{
    const struct xe_offer *const offer = find(e, xq_str_of(name));
    xq_str spelt;
    if (!offer || !engine_option_takes(&offer->o, xq_str_of(value), &spelt))
        return XQ_OK;
    return send_option(e, &offer->o, spelt, err);
}

static xq_status set_own_number(xengine *e, const char *name, uint64_t value,
                                xq_err *err)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return set_own(e, name, text, err);
}

static xq_str trim(xq_str s)
{
    while (s.n && s.s[0] == ' ')
        s = (xq_str){s.s + 1, s.n - 1};
    while (s.n && s.s[s.n - 1] == ' ')
        s.n--;
    return s;
}

xq_status xe_options_send(xengine *e, xq_err *err)
{
    const xengine_setup *s = &e->setup;
    const size_t mib = s->hash >> 20;
    xq_status rc = set_own(e, "UCI_Variant", "xiangqi", err);
    if (rc == XQ_OK)
        rc = set_own(e, "usemillisec", "true", err);
    if (rc == XQ_OK && s->multipv > 1)
        rc = set_own_number(e, "MultiPV", s->multipv, err);
    if (rc == XQ_OK && mib)
        rc = set_own_number(e, "Hash", mib, err);
    if (rc == XQ_OK && mib)
        rc = set_own_number(e, "hashsize", mib, err);
    for (size_t i = 0; i < s->noptions && rc == XQ_OK; i++) {
        const char *text = s->options[i], *eq = strchr(text, '=');
        const xq_str name =
            eq ? (xq_str){text, (size_t)(eq - text)} : xq_str_of(text);
        rc = set(e, trim(name), trim(xq_str_of(eq ? eq + 1 : "")), err);
    }
    return rc;
}
