/* engine_name.h - what an engine calls itself, made fit for people.
 *
 * Engines write names in the code page of their author's system, with colours,
 * or without end; the name goes into tags of games. */
#ifndef ENGINE_NAME_H
#define ENGINE_NAME_H

#include "engine/base.h"

/* Bytes of a name: more is no name. */
enum { ENGINE_NAME_MAX = 199 };

/* `said` as UTF-8: its encoding is judged (libpgn/text.h), control characters
 * are dropped, and what is too long is cut behind a character.  It may come out
 * empty.  The caller's to free; NULL: no memory. */
char *engine_name(xq_str said);

#endif
