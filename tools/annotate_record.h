/* annotate_record.h - what annotate has added to a game, kept in a tag, so that
 * the next run takes out just that.
 *
 *   annotate_record_undo(&edit);              what the last run has added
 *   annotate_record r = {0};
 *   if (game_edit_nag(&edit, node, 4))
 *       annotate_record_nag(&r, ply, 4);      ...what this one adds
 *   annotate_record_write(&r, &edit, "qipu 0.1.0, 100000 nodes");
 *
 *   [AnnotatorAdded "3$6 3h2e2 9$7; qipu 0.1.0, 100000 nodes"]
 *
 * PLY$NAG: that NAG of the move, plies from 1; PLYMOVE: the variation in its
 * place that begins so, with nothing but moves and one [%eval].  Behind "; "
 * stands what was written into the tag Annotator, or, with " / " between,
 * behind who was named there. */
#ifndef ANNOTATE_RECORD_H
#define ANNOTATE_RECORD_H

#include "tools/cli.h"
#include "tools/game_edit.h"

/* How a command with an evaluation begins, which ends at "]". */
#define ANNOTATE_EVAL_OPEN "[%eval "

typedef struct annotate_record {
    cli_buf items;
} annotate_record;

void annotate_record_nag(annotate_record *r, uint32_t ply, uint32_t nag);
void annotate_record_variation(annotate_record *r, uint32_t ply, xq_move first);
/* Set Annotator and the record's tag; name NULL: neither.  Frees the record. */
void annotate_record_write(annotate_record *r, game_edit *e, const char *name);

/* Take out what the record's tag names, and the tag itself.  What is not there
 * any more, or was changed, is passed over. */
void annotate_record_undo(game_edit *e);

#endif
