/* national.c - the Chinese national rules: not written yet, so every window
 * is answered as unsupported. */
#include "engine/judge.h"

void xq_cxa_judge(const xq_profile *pr, const xq_pos *first,
                  const xq_move *moves, uint32_t n, xq_ruling *out)
{
    (void)pr, (void)first, (void)moves, (void)n;
    out->outcome = XQ_NO_VERDICT;
    out->unsupported = true;
    out->article = "C-41";
}

void xq_cxa_explain(const xq_profile *pr, const xq_pos *first,
                    const xq_move *moves, uint32_t n, uint32_t i, xq_ply *out)
{
    (void)pr, (void)first, (void)moves, (void)n, (void)i;
    out->traits |= XQ_TRAIT_UNDECIDED;
}
