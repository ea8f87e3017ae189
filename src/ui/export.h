/* Pictures for files: a drawn canvas as plain text, as text with colours, as SVG, and the way from
 * the start to here as an asciicast (version 2), which terminal players show. */
#ifndef UI_EXPORT_H
#define UI_EXPORT_H

#include "script/player.h"
#include "ui/canvas.h"
#include "ui/theme.h"

/* "txt", "ans" or "svg" of a canvas; false: there is no such form. */
bool export_canvas(const struct canvas *c, const struct theme *t, const char *form,
		   struct buf *out);

/* Who draws the frames of a cast: draw puts what the player shows now on the canvas. */
struct export_source {
	struct player *p;
	const struct canvas *c;
	void (*draw)(void *arg);
	void *arg;
};

/* A frame for each step (in free play: each command) from the start to where the player stands, two
 * seconds each.  The player is moved, and put back. */
void export_cast(const struct export_source *src, const struct theme *t, struct buf *out);

/* The screen of a player at 80x24 in one of these forms or as "cast"; arg is the player. */
bool screen_export(void *arg, const char *form, struct buf *out);

#endif
