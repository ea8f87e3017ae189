/* What a person sees: the curses screen, its plain twin for screen readers and pipes, and the theme
 * check.
 *
 * All three draw what the session's player shows and change it only through commands.
 */
#ifndef UI_UI_H
#define UI_UI_H

#include "session/session.h"

struct ui_options {
	const char *theme; /* NULL: $ETCDSCOPE_THEME, else the one chosen last, else auto */
	const char
	    *color; /* "16", "256", "true", "never"; NULL: as the terminal and NO_COLOR say */
	bool ascii; /* only bytes 0x20 to 0x7e are drawn */
};

/* Is the screen possible and wanted?  False for TERM=dumb, ETCDSCOPE_PLAIN, ACCESSIBLE, or where
 * standard input or output is no terminal: then ui_plain is the one to call. */
bool ui_can_draw(void);

/* The screen.  Returns the program's exit status, 128 + n if signal n ended it; the terminal is as
 * it was found. Where the terminal cannot be used as a screen it says so and goes on as ui_plain.
 */
int ui_run(struct session *s, const struct ui_options *o);

/* The conversation: one fact, one line, only appended (screen-design.md A.8). */
int ui_plain(struct session *s, const struct ui_options *o);

/* Can the theme be had?  False: err says why, and what would be right. */
bool ui_theme_known(const char *name, struct buf *err);
/* Prints contrast and colour-blind distances of a theme; 0: it passes, 1: a warning was given, 2:
 * no such theme. */
int ui_theme_check(const char *name);

#endif
