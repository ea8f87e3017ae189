/* A grid of cells that panes draw on (canvas.h). */
#include "ui/canvas.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/text.h"

static const struct {
	uint16_t code;
	const char *twin;
} twins[] = {
    {0x2500, "-"},  {0x2502, "|"}, {0x250c, "+"},  {0x2510, "+"},  {0x2514, "+"}, {0x2518, "+"},
    {0x251c, "+"},  {0x2524, "+"}, {0x252c, "+"},  {0x2534, "+"},  {0x253c, "+"}, {0x25b2, "L"},
    {0x25cb, "F"},  {0x25c6, "C"}, {0x25c7, "P"},  {0x25cc, "N"},  {0x00d7, "X"}, {0x25ba, ">"},
    {0x25c4, "<"},  {0x221a, "v"}, {0x2026, ".."}, {0x00b7, "."},  {0x2588, "#"}, {0x2591, "."},
    {0x25bc, "v"},  {0x254e, "/"}, {0x2190, "<-"}, {0x2192, "->"}, {0x2191, "^"}, {0x2193, "v"},
    {0x25a4, "D:"},
};

const char *glyph_ascii(uint32_t code)
{
	for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
		if (twins[i].code == code)
			return twins[i].twin;
	return NULL;
}

void canvas_init(struct canvas *c, int columns, int rows, bool ascii)
{
	*c = (struct canvas){.ascii = ascii};
	canvas_reset(c, columns, rows);
}

void canvas_free(struct canvas *c)
{
	free(c->cells);
	*c = (struct canvas){0};
}

void canvas_reset(struct canvas *c, int columns, int rows)
{
	columns = columns < 1 ? 1 : columns;
	rows = rows < 1 ? 1 : rows;
	if (!c->cells || columns != c->columns || rows != c->rows)
		c->cells = xrealloc(c->cells, (size_t)columns * (size_t)rows * sizeof *c->cells);
	c->columns = columns, c->rows = rows;
	c->clip = (struct rect){0, 0, columns, rows};
	c->cursor_x = c->cursor_y = -1;
	for (long i = 0, n = (long)columns * rows; i < n; i++)
		c->cells[i] = (struct cell){.code = ' '};
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

/* What both have in common. */
static struct rect common(struct rect a, struct rect b)
{
	int x = max(a.x, b.x), y = max(a.y, b.y);

	return (struct rect){x, y, max(min(a.x + a.w, b.x + b.w) - x, 0),
			     max(min(a.y + a.h, b.y + b.h) - y, 0)};
}

/* The part of r that lies on the canvas. */
static struct rect on_canvas(const struct canvas *c, struct rect r)
{
	return common(r, (struct rect){0, 0, c->columns, c->rows});
}

struct rect canvas_clip(struct canvas *c, struct rect r)
{
	struct rect before = c->clip;

	c->clip = on_canvas(c, r);
	return before;
}

static bool visible(const struct canvas *c, int x, int y, int w)
{
	return y >= c->clip.y && y < c->clip.y + c->clip.h && x >= c->clip.x &&
	       x + w <= c->clip.x + c->clip.w;
}

/* A half of a wide character cannot stay when the other half is drawn over. */
static void free_halves(struct canvas *c, int x, int y, int w)
{
	if (canvas_at(c, x, y)->code == 0 && x > 0)
		canvas_at(c, x - 1, y)->code = ' ';
	if (x + w < c->columns && canvas_at(c, x + w, y)->code == 0)
		canvas_at(c, x + w, y)->code = ' ';
}

static void put(struct canvas *c, int x, int y, uint32_t code, int w, enum style s, unsigned attr)
{
	if (!visible(c, x, y, w)) /* half a wide character is a blank */
		code = ' ', w = 1;
	if (!visible(c, x, y, w))
		return;
	free_halves(c, x, y, w);
	*canvas_at(c, x, y) = (struct cell){code, {0}, (uint8_t)s, (uint8_t)attr};
	if (w == 2)
		*canvas_at(c, x + 1, y) = (struct cell){0, {0}, (uint8_t)s, (uint8_t)attr};
}

static void put_mark(struct canvas *c, int x, int y, uint32_t code)
{
	if (code > 0xffff || !visible(c, x, y, 1))
		return;
	struct cell *cell = canvas_at(c, x, y);
	if (cell->code == 0 && x > 0)
		cell--;
	for (int i = 0; i < CANVAS_MARKS; i++)
		if (!cell->mark[i]) {
			cell->mark[i] = (uint16_t)code;
			return;
		}
}

/* With --ascii what has no twin is shown by its number, as text_safe shows what cannot be drawn. */
static int put_ascii(struct canvas *c, int x, int y, uint32_t code, enum style s, unsigned attr)
{
	char number[12];
	const char *twin = glyph_ascii(code);

	if (!twin) {
		snprintf(number, sizeof number, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
		twin = number;
	}
	for (; *twin; twin++, x++)
		put(c, x, y, (unsigned char)*twin, 1, s, attr);
	return x;
}

int canvas_text(struct canvas *c, int x, int y, enum style s, unsigned attr, struct bytes text)
{
	for (size_t i = 0; i < text.n;) {
		uint32_t code = 0;
		int len = utf8_decode(text.p + i, text.n - i, &code);

		i += len ? (size_t)len : 1;
		if (!len || code < 0x20)
			code = '?';
		int w = code < 0x80 ? 1 : text_width(code);
		if (c->ascii && code > 0x7e) {
			x = put_ascii(c, x, y, code, s, attr);
		} else if (w == 0) {
			put_mark(c, x - 1, y, code);
		} else {
			put(c, x, y, code, w, s, attr);
			x += w;
		}
	}
	return x;
}

int canvas_puts(struct canvas *c, int x, int y, enum style s, const char *text)
{
	return canvas_text(c, x, y, s, 0, bytes_of(text));
}

int canvas_printf(struct canvas *c, int x, int y, enum style s, const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	x = canvas_text(c, x, y, s, 0, buf_bytes(&b));
	buf_free(&b);
	return x;
}

int canvas_puts_right(struct canvas *c, int x, int y, enum style s, const char *text)
{
	x -= canvas_width(c, bytes_of(text));
	canvas_puts(c, x, y, s, text);
	return x;
}

void canvas_restyle(struct canvas *c, struct rect r, enum style s, unsigned attr)
{
	r = on_canvas(c, r);
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++) {
			canvas_at(c, x, y)->style = (uint8_t)s;
			canvas_at(c, x, y)->attr |= (uint8_t)attr;
		}
}

void canvas_fill(struct canvas *c, struct rect r, enum style s, uint32_t code)
{
	const char *twin = c->ascii && code > 0x7e ? glyph_ascii(code) : NULL;

	if (twin)
		code = (unsigned char)twin[0];
	r = common(r, c->clip);
	for (int y = r.y; y < r.y + r.h && r.w > 0; y++) {
		struct cell *cell = canvas_at(c, r.x, y);
		free_halves(c, r.x, y, r.w);
		for (int i = 0; i < r.w; i++)
			cell[i] = (struct cell){.code = code, .style = (uint8_t)s};
	}
}

/* Most of what is drawn is a byte and a column a character. */
static bool is_plain(char byte)
{
	return (unsigned char)byte < 0x7f;
}

static int width_of(const struct canvas *c, uint32_t code)
{
	if (code < 0x7f)
		return 1;
	if (!c->ascii)
		return text_width(code);
	const char *twin = glyph_ascii(code);
	return twin ? (int)strlen(twin) : code > 0xffff ? 10 : 6;
}

int canvas_width(const struct canvas *c, struct bytes text)
{
	int w = 0;

	for (size_t i = 0; i < text.n;) {
		uint32_t code = '?';
		if (is_plain(text.p[i])) {
			i++, w++;
			continue;
		}
		int len = utf8_decode(text.p + i, text.n - i, &code);
		i += len ? (size_t)len : 1;
		w += width_of(c, code);
	}
	return w;
}

/* Bytes of the longest start of the text that is at most w columns wide. */
static size_t fitting(const struct canvas *c, struct bytes text, int w)
{
	size_t i = 0;

	while (i < text.n) {
		uint32_t code = '?';
		int len = utf8_decode(text.p + i, text.n - i, &code);
		w -= width_of(c, code);
		if (w < 0)
			break;
		i += len ? (size_t)len : 1;
	}
	return i;
}

void canvas_shorten(const struct canvas *c, struct buf *out, struct bytes text, int w,
		    bool keep_end)
{
	int all = canvas_width(c, text);

	if (all <= w) {
		buf_put_bytes(out, text);
		return;
	}
	if (w < 2) {
		buf_add(out, "..", (size_t)max(w, 0));
		return;
	}
	if (!keep_end) {
		buf_add(out, text.p, fitting(c, text, w - 2));
		buf_puts(out, "..");
		return;
	}
	size_t skip = fitting(c, text, all - w + 2);
	while (skip < text.n &&
	       canvas_width(c, (struct bytes){text.p + skip, text.n - skip}) > w - 2)
		skip += fitting(c, (struct bytes){text.p + skip, text.n - skip}, 2);
	buf_puts(out, "..");
	buf_add(out, text.p + skip, text.n - skip);
}

static void print_row(const struct canvas *c, int y, struct buf *out)
{
	int end = c->columns;

	while (end > 0 && canvas_at(c, end - 1, y)->code == ' ')
		end--;
	for (int x = 0; x < end; x++) {
		const struct cell *cell = canvas_at(c, x, y);
		char s[4];
		if (cell->code)
			buf_add(out, s, (size_t)utf8_encode(s, cell->code));
		for (int i = 0; cell->code && i < CANVAS_MARKS && cell->mark[i]; i++)
			buf_add(out, s, (size_t)utf8_encode(s, cell->mark[i]));
	}
	buf_putc(out, '\n');
}

void canvas_print(const struct canvas *c, struct buf *out)
{
	for (int y = 0; y < c->rows; y++)
		print_row(c, y, out);
}
