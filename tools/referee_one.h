/* referee_one.h - qipu referee on one game of a file: the whole report, and
 * what comes behind the first ruling. */
#ifndef REFEREE_ONE_H
#define REFEREE_ONE_H

#include "tools/referee_game.h"

#include "libpgn/reader.h"

enum ref_form { REF_REPORT, REF_JSON, REF_SHEET };

struct ref_one {
    ref_how how;
    enum ref_form form;
    pgn_reader_options options;
    uint64_t number; /* of the game, from 1 */
    uint64_t ply;    /* judge the moves up to it; a ruling at it comes before
                        earlier ones.  REF_ALL: all moves, the first ruling */
};
#define REF_ALL UINT64_MAX

/* Write the answer to *b.  False, with a message: no such game or ply, it
 * cannot be read, no memory. */
bool ref_one_judge(const struct ref_one *job, const char *path, cli_buf *b);

/* The form of a case. */
void ref_one_add(cli_buf *b, enum ref_form form, const ref_case *c);

#endif
