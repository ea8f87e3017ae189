/* A grid of cells that panes draw on.  It knows no terminal; it prints as text, so panes are tested
 * as text.
 *
 * Drawing never leaves the clip: what does not fit is cut at a character.  A cell is a character
 * with at most two combining marks, a style and extra attributes; a wide character owns the cell to
 * its right, whose code is 0. With `ascii` every glyph outside 0x20..0x7e is written as its twin
 * (screen-design.md A.6).
 */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "ui/style.h"

enum { CANVAS_MARKS = 2 };

enum attr { ATTR_BOLD = 1, ATTR_DIM = 2, ATTR_UNDERLINE = 4, ATTR_REVERSE = 8 };

struct cell {
	uint32_t code; /* 0: right half of a wide character */
	uint16_t mark[CANVAS_MARKS];
	uint8_t style, attr;
};

struct rect {
	int x, y, w, h;
};

struct canvas {
	int columns, rows;
	bool ascii;
	struct rect clip;
	int cursor_x, cursor_y; /* -1: no cursor */
	struct cell *cells;
};

void canvas_init(struct canvas *c, int columns, int rows, bool ascii);
void canvas_free(struct canvas *c);
/* Blank and of the given size; keeps memory where it can. */
void canvas_reset(struct canvas *c, int columns, int rows);

static inline struct cell *canvas_at(const struct canvas *c, int x, int y)
{
	return c->cells + (long)y * c->columns + x;
}

/* Limits drawing to a part of the screen; returns the clip before, for putting it back. */
struct rect canvas_clip(struct canvas *c, struct rect r);

/* Draws safe UTF-8 text at (x, y) and returns the column after it.  Negative x is cut at the left.
 */
int canvas_text(struct canvas *c, int x, int y, enum style s, unsigned attr, struct bytes text);
int canvas_puts(struct canvas *c, int x, int y, enum style s, const char *text);
int canvas_printf(struct canvas *c, int x, int y, enum style s, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* The same ending at column x (exclusive); returns the column where it begins. */
int canvas_puts_right(struct canvas *c, int x, int y, enum style s, const char *text);
/* Gives cells that are there another style and more attributes. */
void canvas_restyle(struct canvas *c, struct rect r, enum style s, unsigned attr);
void canvas_fill(struct canvas *c, struct rect r, enum style s, uint32_t code);

/* Columns that a text takes on this canvas. */
int canvas_width(const struct canvas *c, struct bytes text);
/* Text shortened to at most w columns: `keep_end` keeps the end behind "..", else the start before
 * "..".  Appended. */
void canvas_shorten(const struct canvas *c, struct buf *out, struct bytes text, int w,
		    bool keep_end);

/* The canvas as lines of text without blanks at their ends. */
void canvas_print(const struct canvas *c, struct buf *out);

/* The ASCII twin of a glyph of the frame; NULL: it has none. */
const char *glyph_ascii(uint32_t code);

#endif
