/* threat.h - checks and mates by checks, for the rule sets.  Not public (the
 * public question is xq_threatens_mate, referee.h).
 *
 * The side to move is asked, the other king must not be in check.  Keys and
 * counters are not looked at; *p comes back as it was. */
#ifndef XQ_THREAT_H
#define XQ_THREAT_H

#include "engine/internal.h"

/* All legal moves that give check, facing kings not among them. */
void xq_gen_checks(xq_pos *p, xq_movelist *list);

/* Can the side to move mate with its next move? */
bool xq_mates_at_once(xq_pos *p);

#endif
