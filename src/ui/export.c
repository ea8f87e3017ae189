/* Pictures for files (export.h). */
#include "ui/export.h"

#include <string.h>

#include "base/text.h"
#include "ui/color.h"
#include "ui/scene.h"

/* ---- what a cell looks like ---- */

static struct look look_of(const struct theme *t, const struct cell *cell)
{
	struct look l = theme_look(t, (enum style)cell->style, DEPTH_256);

	l.attr |= cell->attr;
	return l;
}

static bool same_look(struct look a, struct look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

static bool is_plain(struct look l)
{
	return l.fg == COLOR_DEFAULT && l.bg == COLOR_DEFAULT && !l.attr;
}

/* The characters of a cell; nothing of the right half of a wide one. */
static void put_cell(struct buf *out, const struct cell *cell)
{
	char utf8[4];

	if (cell->code == 0)
		return;
	buf_add(out, utf8, (size_t)utf8_encode(utf8, cell->code));
	for (int i = 0; i < CANVAS_MARKS && cell->mark[i]; i++)
		buf_add(out, utf8, (size_t)utf8_encode(utf8, cell->mark[i]));
}

/* Columns of a row up to the last one in which something can be seen. */
static int used_columns(const struct canvas *c, const struct theme *t, int y)
{
	int n = c->columns;

	while (n > 0 && canvas_at(c, n - 1, y)->code == ' ' &&
	       is_plain(look_of(t, canvas_at(c, n - 1, y))))
		n--;
	return n;
}

/* ---- text with colours ---- */

static void put_color(struct buf *out, int32_t color, int base)
{
	if (color == COLOR_DEFAULT)
		return;
	if (color & COLOR_RGB)
		buf_printf(out, ";%d;2;%d;%d;%d", base, color >> 16 & 255, color >> 8 & 255,
			   color & 255);
	else
		buf_printf(out, ";%d;5;%d", base, color);
}

static void put_look(struct buf *out, struct look l)
{
	static const struct {
		unsigned attr;
		char code;
	} codes[] = {{ATTR_BOLD, '1'}, {ATTR_DIM, '2'}, {ATTR_UNDERLINE, '4'}, {ATTR_REVERSE, '7'}};

	buf_puts(out, "\033[0");
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (l.attr & codes[i].attr)
			buf_printf(out, ";%c", codes[i].code);
	put_color(out, l.fg, 38);
	put_color(out, l.bg, 48);
	buf_putc(out, 'm');
}

static void put_ansi(const struct canvas *c, const struct theme *t, const char *newline,
		     struct buf *out)
{
	for (int y = 0; y < c->rows; y++) {
		struct look now = {COLOR_DEFAULT, COLOR_DEFAULT, 0};
		int n = used_columns(c, t, y);
		for (int x = 0; x < n; x++) {
			const struct cell *cell = canvas_at(c, x, y);
			struct look l = look_of(t, cell);
			if (!same_look(l, now))
				put_look(out, l);
			now = l;
			put_cell(out, cell);
		}
		buf_puts(out, is_plain(now) ? "" : "\033[0m");
		buf_puts(out, y + 1 < c->rows || newline[0] == '\n' ? newline : "");
	}
}

/* ---- SVG ---- */

/* Pixels of a cell, and how far the line that letters stand on is from its top. */
enum { CELL_W = 9, CELL_H = 18, BASE = 14 };

struct ink {
	uint32_t paper, text; /* 0xrrggbb */
};

/* Of a place without colours: what a terminal has by itself, which a theme for light ones knows by
 * its name alone. */
static struct ink page_of(const struct theme *t)
{
	return strcmp(t->name, "light") == 0 ? (struct ink){0xffffff, 0x000000}
					     : (struct ink){0x1c1c1c, 0xe4e4e4};
}

static struct ink ink_of(const struct theme *t, struct look l)
{
	struct ink page = page_of(t), k = {l.bg == COLOR_DEFAULT ? page.paper : color_hex(l.bg),
					   l.fg == COLOR_DEFAULT ? page.text : color_hex(l.fg)};

	return l.attr & ATTR_REVERSE ? (struct ink){k.text, k.paper} : k;
}

static void put_escaped(struct buf *out, struct bytes text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == '&')
			buf_puts(out, "&amp;");
		else if (text.p[i] == '<')
			buf_puts(out, "&lt;");
		else if (text.p[i] == '>')
			buf_puts(out, "&gt;");
		else
			buf_putc(out, text.p[i]);
}

/* A word in cells from..to of a row.  It stands where its cells are and is as long, whatever font
 * the reader has. */
static void put_word(struct buf *out, const struct canvas *c, const struct theme *t, int y,
		     int from, int to)
{
	struct look l = look_of(t, canvas_at(c, from, y));
	struct buf text = {0};

	for (int x = from; x < to; x++)
		put_cell(&text, canvas_at(c, x, y));
	buf_printf(out,
		   "<text x=\"%d\" y=\"%d\" textLength=\"%d\" "
		   "lengthAdjust=\"spacingAndGlyphs\" fill=\"#%06x\"%s%s%s>",
		   from * CELL_W, y * CELL_H + BASE, (to - from) * CELL_W, ink_of(t, l).text,
		   l.attr & ATTR_BOLD ? " font-weight=\"bold\"" : "",
		   l.attr & ATTR_UNDERLINE ? " text-decoration=\"underline\"" : "",
		   l.attr & ATTR_DIM ? " opacity=\"0.6\"" : "");
	put_escaped(out, buf_bytes(&text));
	buf_puts(out, "</text>\n");
	buf_free(&text);
}

/* Cells from..to of a row, all of one look: what is behind them, and the words. */
static void put_run(struct buf *out, const struct canvas *c, const struct theme *t, int y, int from,
		    int to)
{
	struct ink k = ink_of(t, look_of(t, canvas_at(c, from, y)));

	if (k.paper != page_of(t).paper)
		buf_printf(out,
			   "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
			   from * CELL_W, y * CELL_H, (to - from) * CELL_W, CELL_H, k.paper);
	for (int x = from, end; x < to; x = end) {
		end = x + 1;
		if (canvas_at(c, x, y)->code == ' ')
			continue;
		while (end < to && canvas_at(c, end, y)->code != ' ')
			end++;
		put_word(out, c, t, y, x, end);
	}
}

static void put_svg(const struct canvas *c, const struct theme *t, struct buf *out)
{
	int w = c->columns * CELL_W, h = c->rows * CELL_H;

	buf_printf(out,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		   "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, "
		   "monospace\" font-size=\"15\">\n"
		   "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
		   w, h, w, h, page_of(t).paper);
	for (int y = 0; y < c->rows; y++)
		for (int x = 0, to, n = used_columns(c, t, y); x < n; x = to) {
			struct look l = look_of(t, canvas_at(c, x, y));
			for (to = x + 1; to < n && same_look(l, look_of(t, canvas_at(c, to, y)));)
				to++;
			put_run(out, c, t, y, x, to);
		}
	buf_puts(out, "</svg>\n");
}

bool export_canvas(const struct canvas *c, const struct theme *t, const char *form, struct buf *out)
{
	if (strcmp(form, "txt") == 0)
		canvas_print(c, out);
	else if (strcmp(form, "ans") == 0)
		put_ansi(c, t, "\n", out);
	else if (strcmp(form, "svg") == 0)
		put_svg(c, t, out);
	else
		return false;
	return true;
}

/* ---- asciicast ---- */

enum { FRAME_S = 2 };

static void put_json(struct buf *out, struct bytes text)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == '"' || text.p[i] == '\\')
			buf_printf(out, "\\%c", text.p[i]);
		else if ((unsigned char)text.p[i] < ' ')
			buf_printf(out, "\\u%04x", text.p[i]);
		else
			buf_putc(out, text.p[i]);
	buf_putc(out, '"');
}

struct cast {
	const struct export_source *src;
	const struct theme *theme;
	struct buf *out;
	int seconds;
};

static void put_frame(struct cast *k)
{
	struct buf b = {0};

	k->src->draw(k->src->arg);
	buf_puts(&b, "\033[?25l\033[H\033[2J");
	put_ansi(k->src->c, k->theme, "\r\n", &b);
	buf_printf(k->out, "[%d.0, \"o\", ", k->seconds);
	put_json(k->out, buf_bytes(&b));
	buf_puts(k->out, "]\n");
	k->seconds += FRAME_S;
	buf_free(&b);
}

static bool is_before(struct player_position a, struct player_position b)
{
	return a.input != b.input ? a.input < b.input : a.event < b.event;
}

static void put_frames(struct cast *k, struct player_position here)
{
	struct player *p = k->src->p;
	size_t steps = player_steps(p), last = player_step_number(p);

	player_goto(p, 0, UINT64_MAX);
	for (size_t step = 1; is_before(player_at(p), here); step++) {
		put_frame(k);
		if (steps ? step > last || !player_goto(p, step, 0) : !player_step_command(p))
			break;
	}
	player_seek(p, here);
	put_frame(k);
}

void export_cast(const struct export_source *src, const struct theme *t, struct buf *out)
{
	struct cast k = {src, t, out, 0};
	struct buf frames = {0};

	k.out = &frames;
	put_frames(&k, player_at(src->p));
	buf_printf(out,
		   "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": ", src->c->columns,
		   src->c->rows);
	put_json(out, bytes_of(player_title(src->p)));
	buf_puts(out, "}\n");
	buf_put_bytes(out, buf_bytes(&frames));
	buf_free(&frames);
}

/* ---- without a terminal ---- */

struct screen {
	struct player *p;
	struct view v;
	struct canvas c;
};

static void draw(void *arg)
{
	struct screen *k = arg;
	struct scene s;

	canvas_reset(&k->c, 80, 24);
	scene_init(&s, k->p, &k->v, NULL);
	scene_draw(&s, &k->c);
}

bool screen_export(void *arg, const char *form, struct buf *out)
{
	struct screen k = {.p = arg, .v = {.trace = TRACE_PANE_LIST}};
	struct theme t;
	bool known = true;

	for (int i = 0; i < PANE_COUNT; i++)
		k.v.place[i].follow = true;
	theme_builtin(&t, "dark");
	canvas_init(&k.c, 80, 24, false);
	if (strcmp(form, "cast") == 0) {
		export_cast(&(struct export_source){k.p, &k.c, draw, &k}, &t, out);
	} else {
		draw(&k);
		known = export_canvas(&k.c, &t, form, out);
	}
	canvas_free(&k.c);
	return known;
}
