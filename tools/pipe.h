/* pipe.h - games from many files, read by several threads, results in order.
 *
 *   static bool count(void *result, const pgn_game *g, const pipe_at *at) ...
 *   static bool print(void *ctx, void *result, const pipe_part *part) ...
 *
 *   const pipe_job job = {.game = count, .emit = print, .ctx = &me,
 *                         .new_result = new_x, .free_result = free_x,
 *                         .threads = j, .encoding = e};
 *   int status = pipe_run(&job, paths, n);
 *
 * Each thread in turn: takes the input's lock and the next segment
 * (split.h), lets go, reads the segment's games with its own reader, and
 * hands each to `game` together with a result object that no other thread
 * touches.  When a segment is read, whoever completes the next one in the
 * order of the input calls `emit` for it and for all that wait behind it.  So
 * `emit` is never called by two threads at once and always in the order of
 * the input, whatever the number of threads: output does not depend on -j.
 *
 * There is no thread that only hands around.  At most 2 * threads + 2
 * segments are in the house at a time; who would read ahead further waits.
 * With one thread nothing is locked, nothing copied and no thread started.
 *
 * Memory: a segment (1 MiB or one game) and a result object for each place in
 * the house; objects and buffers are used again. */
#ifndef PIPE_H
#define PIPE_H

#include "libpgn/reader.h"

enum { PIPE_PIECE = 1 << 20 };

/* Where a game stands, beyond what it says itself. */
typedef struct pipe_at {
    const char *file; /* or member of an archive; lives as long as the call */
    pgn_format format;
    /* The segment the game was read from: its own bytes stand at
     * seg->bytes + (g->byte - seg->byte0). */
    const pgn_segment *seg;
    double share; /* of the input that is read when this game is, 0 to 1; 0
                     where its size is not known */
} pipe_at;

/* What emit is told about a part of the input, or a piece of one. */
typedef struct pipe_part {
    const char *file;      /* lives as long as the call */
    uint64_t file_index;   /* from 0 */
    uint64_t games_before; /* of the same file, in earlier parts (pieces of
                              a part share it): game n of the part is game
                              games_before + n of the file */
    uint64_t games;        /* in this piece */
    uint64_t bytes;        /* unpacked, in this part; told with its last piece,
                              0 before */
    bool first, last;      /* of its file */
} pipe_part;

/* How many files (members of archives count) were read, and how many passed
 * over: pipe_files.h. */
typedef struct pipe_sum {
    uint64_t files, skipped;
    bool failed; /* an operand could not be read, or memory ran out */
} pipe_sum;

typedef struct pipe_job {
    /* A game.  It and its strings die when the call returns.  g->number
     * counts from 1 in the part.  False: stop (after XQ_ENOMEM, say); what
     * was emitted stays, pipe_run returns CLI_FAIL. */
    bool (*game)(void *result, const pgn_game *g, const pipe_at *at);
    /* A part is read.  Called in input order; false: stop.  The result is
     * used again for another part afterwards: empty it. */
    bool (*emit)(void *ctx, void *result, const pipe_part *part);
    /* How many bytes a result holds.  One that grows beyond `piece` (0:
     * PIPE_PIECE) is emitted in pieces, while its part is still being read
     * (when its turn has come): games of one huge block or of a packed
     * library, or a flood of messages, do not pile up in memory.  Waiting for
     * a turn costs time: a piece should be more than a usual part makes.
     * NULL: a part is emitted as a whole. */
    size_t (*held)(const void *result);
    size_t piece;
    void *ctx;
    void *(*new_result)(void *ctx); /* NULL: no memory */
    void (*free_result)(void *result);

    unsigned threads;           /* 0: as many as there are processors */
    pgn_reader_options options; /* of the readers; its encoding counts here
                                   too */
    bool progress;              /* show it even where stderr is no terminal */
    bool own_progress;          /* the caller shows it: nothing is shown here */
    pipe_sum *sum;              /* filled at the end; NULL: not asked for */
} pipe_job;

/* Run the job over the operands.  An operand that cannot be read is reported
 * on stderr ("qipu: FILE: why") in its place among the emitted parts, and the
 * others are still read; so is a file that was named and has no game.  A
 * closing note counts the files of folders and archives that were passed over.
 *
 * Returns CLI_OK; CLI_FAIL when an operand could not be read, memory ran out
 * (reported) or a callback stopped; CLI_INTERRUPTED after a signal:
 * what was emitted is a whole beginning of the input. */
int pipe_run(const pipe_job *job, const char *const *paths, size_t n);

/* The value of -j: 0 (not given) becomes the number of processors. */
unsigned pipe_threads(uint64_t wanted);

#endif
