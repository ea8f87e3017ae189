/* The rows at the bottom: prompt, hint, key bar (screen-design.md B.8, B.11). */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/keys.h"
#include "ui/scene.h"

static unsigned where_of(const struct view *v)
{
	if (v->typing)
		return WHILE_TYPING;
	if (v->overlay == OVERLAY_MENU)
		return IN_MENU;
	if (v->overlay != OVERLAY_NONE)
		return IN_PAGES;
	return v->focus == PANE_STAGE ? ON_STAGE : IN_PANE;
}

static int item_width(const struct canvas *c, const struct bar_item *i)
{
	return canvas_width(c, bytes_of(i->key)) + 1 + (int)strlen(i->word) + 2;
}

/* The key of an item, in its left and its right half; its word means the last of them. */
static void add_item_spots(const struct scene *s, int x, int y, int w, const struct bar_item *i)
{
	uint32_t first = i->press[0], last = i->press[1] ? i->press[1] : first;

	spots_add(s->spots, (struct rect){x, y, w + 1 + (int)strlen(i->word), 1}, "press %u", last);
	if (first != last)
		spots_add(s->spots, (struct rect){x, y, (w + 1) / 2, 1}, "press %u", first);
}

/* When it gets narrow items go from the middle: the last two always stay. */
void draw_keys(const struct scene *s, struct canvas *c, int y)
{
	size_t n, keep = 0;

	if (y < 0)
		return;
	const struct bar_item *items = key_bar(where_of(s->v), s->v, overlay_is_whole(s, c), &n);
	int room = c->columns - item_width(c, &items[n - 2]) - item_width(c, &items[n - 1]) + 1;
	while (keep < n - 2 && room - item_width(c, &items[keep]) >= 0)
		room -= item_width(c, &items[keep++]);
	int x = 1;
	for (size_t i = 0; i < n; i++) {
		if (i >= keep && i < n - 2)
			continue;
		int from = x;
		x = canvas_puts(c, x, y, STYLE_KEY, items[i].key);
		add_item_spots(s, from, y, x - from, &items[i]);
		x = canvas_printf(c, x, y, STYLE_NORMAL, " %s", items[i].word) + 2;
	}
}

/* Cuts text at the left so that the cursor can be seen; *cursor in columns. */
static const char *scrolled(const struct canvas *c, const char *text, int *cursor, int room)
{
	while (*text && *cursor >= room) {
		uint32_t code = '?';
		int len = utf8_decode(text, strlen(text), &code);
		*cursor -= canvas_width(c, (struct bytes){text, (size_t)(len ? len : 1)});
		text += len ? len : 1;
	}
	return text;
}

static void draw_candidates(const struct scene *s, struct canvas *c, int x, int y)
{
	const char *p = s->v->candidates;

	while (p && *p) {
		size_t n = strcspn(p, "\n");
		if (x + (int)n + 2 >= c->columns) {
			canvas_puts(c, x, y, STYLE_HINT, "...");
			return;
		}
		x = draw_bytes(c, x, y, c->columns - x, STYLE_HINT, (struct bytes){p, n}, false) +
		    2;
		p += n + (p[n] == '\n');
	}
}

/* Nobody types here now: the row is dim, and says what opens it. */
static void draw_closed_prompt(const struct scene *s, struct canvas *c, int y)
{
	int x = canvas_printf(c, 0, y, STYLE_HINT, "S%u>", world_default_endpoint(s->w)) + 2;

	if (s->v->live && !s->v->notice.n && s->v->overlay == OVERLAY_NONE)
		canvas_puts(c, x, y, STYLE_HINT, ": to type");
}

void draw_prompt(const struct scene *s, struct canvas *c, int y)
{
	const struct view *v = s->v;
	int x, cursor = v->prompt_cursor > 0 ? v->prompt_cursor : 0;

	if (y < 0)
		return;
	spots_add(s->spots, (struct rect){0, y, c->columns, 1}, "type ");
	if (!v->typing) {
		draw_closed_prompt(s, c, y);
		return;
	}
	if (v->prompt && v->prompt[0])
		x = canvas_puts(c, 0, y, STYLE_NORMAL, v->prompt);
	else
		x = canvas_printf(c, 0, y, STYLE_KEY, "S%u>", world_default_endpoint(s->w)) + 1;
	if (x > c->columns - 8)
		x = c->columns > 8 ? c->columns - 8 : 0;
	const char *text =
	    scrolled(c, v->prompt_text ? v->prompt_text : "", &cursor, c->columns - x - 1);
	int end = canvas_puts(c, x, y, STYLE_NORMAL, text);
	if (s->l.hint < 0) {
		if (v->candidates && v->candidates[0])
			draw_candidates(s, c, end + 2, y);
		else if (v->hint)
			canvas_puts(c, end + !(v->hint[0] == ' '), y, STYLE_HINT, v->hint);
	}
	c->cursor_x = x + cursor;
	c->cursor_y = y;
}

void draw_notice(const struct scene *s, struct canvas *c)
{
	const struct layout *l = &s->l;
	int y = l->hint >= 0 ? l->hint : l->prompt, w = c->columns - 2, from = 1;
	struct buf b = {0};

	if (!s->v->notice.n || y < 0)
		return;
	buf_printf(&b, "! %s", buf_str(&s->v->notice));
	int rows = text_rows(c, buf_str(&b), w), width = canvas_width(c, buf_bytes(&b));
	bool beside = l->hint < 0 && width + 8 <= c->columns && !s->v->typing;
	if (beside)
		from = c->columns - 1 - width;
	else if (l->hint < 0 || (s->v->typing && s->v->hint && s->v->hint[0]))
		y = l->prompt - rows;
	else
		y -= rows - 1;
	if (y < 0)
		y = 0;
	if (!beside)
		canvas_fill(c, (struct rect){0, y, c->columns, rows}, STYLE_NORMAL, ' ');
	draw_block(c, (struct rect){from, y, w, rows}, STYLE_CHANGED, 0, buf_str(&b), "");
	buf_free(&b);
}

void draw_hint(const struct scene *s, struct canvas *c, int y)
{
	if (y < 0 || !s->v->typing)
		return;
	if (s->v->candidates && s->v->candidates[0])
		draw_candidates(s, c, 1, y);
	else if (s->v->hint && s->v->hint[0])
		canvas_printf(c, 1, y, STYLE_HINT, "command: %s", s->v->hint);
}
