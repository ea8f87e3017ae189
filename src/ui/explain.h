/* An error in the program's own words: the cause with numbers, then what to do (screen-design.md
 * B.7). */
#ifndef UI_EXPLAIN_H
#define UI_EXPLAIN_H

#include "script/player.h"

/* The explanation of the last error; a first line for the client pane, then more. */
void explain_error(struct player *p, struct buf *out);

#endif
