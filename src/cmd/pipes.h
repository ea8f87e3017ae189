/* The built-in filters behind a |. */
#ifndef CMD_PIPES_H
#define CMD_PIPES_H

#include "cmd/words.h"

/* Puts the text of b from `from` on through the filters. */
void pipes_apply(struct buf *b, size_t from, const struct pipe *pipes, size_t n);

#endif
