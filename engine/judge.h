/* judge.h - what a rule set gives to referee.c.  Not public.
 *
 * Arguments as for xq_judge_window and xq_explain_ply, which pass them on by
 * pr->rules.  A judge finds *out cleared but for ending (XQ_REPEATED),
 * from_ply (1) and to_ply (n), and sets outcome, unsupported, article and both
 * sides' conduct.  An explainer finds *out cleared but for move, and sets the
 * rest.  (window.h walks a window, relation.h answers who could take whom.) */
#ifndef XQ_JUDGE_H
#define XQ_JUDGE_H

#include "engine/referee.h"

/* Asian rules: asian.c. */
void xq_asian_judge(const xq_profile *pr, const xq_pos *first,
                    const xq_move *moves, uint32_t n, xq_ruling *out);
void xq_asian_explain(const xq_profile *pr, const xq_pos *first,
                      const xq_move *moves, uint32_t n, uint32_t i,
                      xq_ply *out);

/* Chinese national rules: national.c. */
void xq_cxa_judge(const xq_profile *pr, const xq_pos *first,
                  const xq_move *moves, uint32_t n, xq_ruling *out);
void xq_cxa_explain(const xq_profile *pr, const xq_pos *first,
                    const xq_move *moves, uint32_t n, uint32_t i, xq_ply *out);

#endif
