/* pipe_files.h - what became of the files of a pipe's input.
 *
 * A file is read, or skipped: found in a folder or an archive without a game
 * of a known kind in it.  One that the user named and that has no game is
 * reported, as one whose kind cannot be told is; an empty one (nothing but
 * blanks, or the head of a table or library) is read.
 *
 *   pipe_files_part(&f, seg, first);        each segment, in input order
 *   pipe_files_end(&f, seg, games);         behind a file's last one
 *   pipe_files_skipped(&f, &skipped);       what the splitter passed over
 *   pipe_files_note(&f);
 *   pipe_files_free(&f);
 *
 * Threads: one at a time. */
#ifndef PIPE_FILES_H
#define PIPE_FILES_H

#include "libpgn/split.h"

typedef struct pipe_files {
    uint64_t read, skipped;
    char *first;     /* the first one skipped, ours; NULL: none, no memory */
    uint64_t before; /* members handed out before it */
    bool blank;      /* nothing is printed in the file so far */
} pipe_files;

/* `first`: the segment is the first of its file. */
void pipe_files_part(pipe_files *f, const pgn_segment *seg, bool first);
/* False: the file was named and has no game, which is reported. */
bool pipe_files_end(pipe_files *f, const pgn_segment *seg, uint64_t games);
void pipe_files_skipped(pipe_files *f, const pgn_skipped *s);
/* Say that reading it failed, and what to do with a file that holds games but
 * is no game file. */
void pipe_files_failed(const char *name, const xq_err *err);
/* "3 files skipped: ..." on stderr, if there are any. */
void pipe_files_note(const pipe_files *f);
void pipe_files_free(pipe_files *f);

#endif
