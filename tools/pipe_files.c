/* pipe_files.c - what became of the files of a pipe's input. */
#include "tools/pipe_files.h"

#include "bookdb/foreign.h"
#include "libpgn/sniff.h"
#include "tools/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Blanks, breaks and byte order marks, of UTF-16 too. */
static bool is_blank(const uint8_t *s, size_t n)
{
    static const char BLANKS[] = " \t\r\n\v\f\xEF\xBB\xBF\xFF\xFE";
    for (size_t i = 0; i < n; i++)
        if (!memchr(BLANKS, s[i], sizeof BLANKS)) /* its NUL too */
            return false;
    return true;
}

void pipe_files_part(pipe_files *f, const pgn_segment *seg, bool first)
{
    f->blank = (first || f->blank) && is_blank(seg->bytes, seg->n);
}

/* The earliest in the order of the input is the first, whoever found it. */
static void note_first(pipe_files *f, const char *name, uint64_t before)
{
    if (f->first && f->before < before)
        return;
    free(f->first);
    f->first = strdup(name);
    f->before = before;
}

#define BOOK_HINT " (looks like an opening book: try qipu book import)"

static bool is_book(const char *path)
{
    bk_format kind;
    bool one_wing;
    return strcmp(path, "-") != 0 &&
           bk_foreign_kind(path, &kind, &one_wing, NULL) == XQ_OK;
}

/* Its kind is certain without a game: a CSV header without rows, a library
 * without records.  It is empty, not mistaken for games. */
static bool may_be_empty(pgn_format f)
{
    return f == PGN_FMT_CSV || pgn_format_is_whole(f);
}

bool pipe_files_end(pipe_files *f, const pgn_segment *seg, uint64_t games)
{
    if (games || f->blank || may_be_empty(seg->format)) {
        f->read++;
    } else if (seg->named) {
        cli_error("%s: no games found%s", seg->name,
                  is_book(seg->name) ? BOOK_HINT : "");
        return false;
    } else {
        if (f->skipped++ == 0)
            note_first(f, seg->name, seg->file);
    }
    return true;
}

void pipe_files_failed(const char *name, const xq_err *err)
{
    const bool ours = err->code == XQ_ESYNTAX && cli_is_database(name);
    bk_book *book = NULL;
    if (ours && bk_book_open(&book, name, NULL) == XQ_OK)
        cli_error("%s: an opening book, no game file", name);
    else if (ours)
        cli_error("%s: a database, no game file: 'qipu db export %s' writes "
                  "its games",
                  name, name);
    else if (err->code == XQ_ESYNTAX && is_book(name))
        cli_error("%s: no game file" BOOK_HINT, name);
    else
        cli_error("%s: %s", name, err->msg);
    bk_book_close(book);
}

void pipe_files_skipped(pipe_files *f, const pgn_skipped *s)
{
    f->skipped += s->n;
    if (s->first)
        note_first(f, s->first, s->before);
}

void pipe_files_note(const pipe_files *f)
{
    if (f->skipped)
        cli_note("%" PRIu64 " file%s skipped: no games of a known kind in %s "
                 "(%s%s)",
                 f->skipped, f->skipped == 1 ? "" : "s",
                 f->skipped == 1 ? "it" : "them",
                 f->skipped == 1 ? "" : "first: ", f->first ? f->first : "?");
}

void pipe_files_free(pipe_files *f) { free(f->first); }
