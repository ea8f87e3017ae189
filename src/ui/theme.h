/* How each style looks, by theme and by what the terminal can do.
 *
 * A theme gives a look to every style; what it does not name keeps the built-in look.  Fewer
 * colours than 256 have forms of their own (screen-design.md A.2, A.3): sixteen colours cannot be
 * computed from the palette, because only four of them stay apart for colour-blind people.
 */
#ifndef UI_THEME_H
#define UI_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "ui/canvas.h"
#include "ui/style.h"

enum { COLOR_DEFAULT = -1, COLOR_RGB = 0x1000000 /* | 0xrrggbb */ };

struct look {
	int32_t fg, bg; /* COLOR_DEFAULT, 0..255, or COLOR_RGB | rgb */
	uint8_t attr;	/* enum attr */
};

struct theme {
	char name[64];
	struct look look[STYLE_COUNT];
};

/* Colours that the terminal has; the value is how many. */
enum depth { DEPTH_MONO = 0, DEPTH_8 = 8, DEPTH_16 = 16, DEPTH_256 = 256, DEPTH_TRUE = 1 << 24 };

/* The names of the built-in themes, NULL-terminated: dark, light, contrast, mono, page. */
extern const char *const theme_names[];
bool theme_builtin(struct theme *t, const char *name);
/* "auto" is dark or light by $COLORFGBG.  Other names: a file NAME.json of the theme folders, else
 * a built-in one; a name with a slash is a file.  False: *t is unchanged and err has one message.
 */
bool theme_load(struct theme *t, const char *name, struct buf *err);
/* Reads a theme from the text of its file; items that are not named keep what *t has. */
bool theme_parse(struct theme *t, const char *file, const char *text, struct buf *err);

/* The look of a style on a terminal of that depth: colours below the depth, or default. */
struct look theme_look(const struct theme *t, enum style s, enum depth d);
/* The name of a style in theme files; NULL: it has none. */
const char *style_name(enum style s);

/* Prints the table of contrasts and distances; the number of warnings. */
int theme_check(const struct theme *t, struct buf *out);

#endif
