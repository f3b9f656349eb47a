/* command_words.c - a command line split into words. */
#include "tools/command_words.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/* One word from s on, copied to *to; the place behind it, NULL where a quote
 * stays open. */
static const char *take_word(const char *s, char **to)
{
    char quote = 0;
    for (; *s && (quote || !is_blank(*s)); s++) {
        if (quote ? *s == quote : *s == '"' || *s == '\'') {
            quote = quote ? 0 : *s;
            continue;
        }
        const bool escapes =
            *s == '\\' && s[1] &&
            (quote == 0 || (quote == '"' && (s[1] == '"' || s[1] == '\\')));
        if (escapes)
            s++;
        *(*to)++ = *s;
    }
    *(*to)++ = '\0';
    return quote ? NULL : s;
}

xq_status command_words(char ***words, size_t *n, const char *line, xq_err *err)
{
    /* No more words than characters; the texts stand behind the pointers. */
    const size_t len = strlen(line), most = len / 2 + 2;
    char **v = malloc(most * sizeof *v + len + 2);
    if (!v)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    char *to = (char *)(v + most);
    size_t count = 0;
    while (is_blank(*line))
        line++;
    while (line && *line) {
        v[count++] = to;
        line = take_word(line, &to);
        while (line && is_blank(*line))
            line++;
    }
    if (!line || count == 0) {
        free(v);
        return xq_fail(err, XQ_ESYNTAX,
                       line ? "the command is empty"
                            : "a quote in the command is never closed");
    }
    v[count] = NULL;
    *words = v;
    *n = count;
    return XQ_OK;
}
