/* The screen, or one pane of it, as text and without a terminal. */
#ifndef UI_PICTURE_H
#define UI_PICTURE_H

#include "script/player.h"

/* Draws what is shown of a player at columns x rows and appends it, a line a row, without blanks at
 * the ends of lines.  what: "screen", or a pane: "client", "members", "watch", "leases", "store",
 * "story", "trace", "path", "counters", "disk", "S1" .. "S9".  False: there is no such picture.
 * columns, rows of 0: 80x24, or for a pane as many rows as it needs.  The player is only looked at.
 */
bool screen_picture(struct player *p, const char *what, int columns, int rows, struct buf *out);

/* The same for shell_hooks.picture; arg is the player. */
bool screen_picture_hook(void *arg, const char *what, int columns, int rows, struct buf *out);

#endif
