/* command_words.h - a command line as a user writes it, split into words.
 *
 *   "象棋 引擎/py engine.sh" --uci     two words
 *   C:\ is not meant: a backslash keeps the next character as it is
 *
 * Words stand apart by blanks; quotes, '...' and "...", keep blanks and may be
 * anywhere in a word; \ keeps the next character, in "..." only \ and ".
 * Nothing is expanded: no shell is asked. */
#ifndef COMMAND_WORDS_H
#define COMMAND_WORDS_H

#include "engine/base.h"

/* *words: NULL-terminated, *n of them, at least one; free it as one block.
 * XQ_ESYNTAX: no word, or a quote that is never closed; XQ_ENOMEM. */
xq_status command_words(char ***words, size_t *n, const char *line,
                        xq_err *err);

#endif
