/* Everything that happened, a line a record, or as a ladder with a column for each member. */
#include <stdio.h>
#include <string.h>

#include "sim/trace.h"
#include "ui/scene.h"
#include "ui/wire.h"

static size_t count(const struct scene *s)
{
	const struct trace *t = player_trace(s->p);

	return t ? (size_t)(t->end - t->first) : 0;
}

static bool is_message(const struct trace_record *r)
{
	return r->kind == TRACE_SEND || r->kind == TRACE_RECV || r->kind == TRACE_LOST;
}

static bool shown(const struct scene *s, const struct trace_record *r)
{
	struct buf b = {0};
	const char *find = s->v->find;

	if (r->kind == TRACE_SEND && s->v->trace == TRACE_PANE_LADDER)
		return false; /* the ladder draws a message once, when it arrives or is lost */
	if (!find[0])
		return true;
	trace_print(&b, r);
	bool yes = strstr(buf_str(&b), find) != NULL;
	buf_free(&b);
	return yes;
}

static void draw_list_line(const struct scene *s, struct canvas *c, struct rect r, int y,
			   const struct trace_record *t)
{
	struct buf b = {0};

	trace_print(&b, t);
	draw_bytes(c, r.x + 1, y, r.w - 1, scene_is_new(s, t->event) ? STYLE_CHANGED : STYLE_NORMAL,
		   buf_bytes(&b), false);
	buf_free(&b);
}

static int ladder_x(const struct rect *r, unsigned member, unsigned n)
{
	return r->x + 10 + (int)(member - 1) * (r->w - 12) / (int)(n > 1 ? n : 1) + 2;
}

/* An arrow between two members' lines with the message's name on it. */
static void draw_arrow(struct canvas *c, int from, int to, int y, const char *text, bool lost)
{
	int left = from < to ? from : to, right = from < to ? to : from;
	struct buf b = {0};

	canvas_fill(c, (struct rect){left + 1, y, right - left - 1, 1}, STYLE_NORMAL, 0x2500);
	canvas_shorten(c, &b, bytes_of(text), right - left - 4, false);
	canvas_puts(c, left + 2, y, STYLE_NORMAL, buf_str(&b));
	const char *head = lost ? "×" : from < to ? "►" : "◄";
	canvas_puts(c, from < to ? right - 1 : left + 1, y, STYLE_NORMAL, head);
	buf_free(&b);
}

static void draw_ladder_line(const struct scene *s, struct canvas *c, struct rect r, int y,
			     const struct trace_record *t)
{
	struct buf b = {0};

	put_seconds(&b, t->ms);
	canvas_puts(c, r.x + 1, y, STYLE_NORMAL, buf_str(&b));
	for (unsigned i = 1; i <= s->w->nmembers; i++)
		canvas_puts(c, ladder_x(&r, i, s->w->nmembers), y, STYLE_NORMAL,
			    member_role(world_member(s->w, i)) == ROLE_DOWN ? ":" : "│");
	buf_clear(&b);
	if (is_message(t) && t->peer && t->member) {
		put_message(&b, &t->msg, true);
		draw_arrow(
		    c, ladder_x(&r, t->kind == TRACE_RECV ? t->peer : t->member, s->w->nmembers),
		    ladder_x(&r, t->kind == TRACE_RECV ? t->member : t->peer, s->w->nmembers), y,
		    buf_str(&b), t->kind == TRACE_LOST);
	} else {
		trace_print(&b, t); /* "1.000 S2 commit 2": what follows the member's name */
		const char *text = strchr(buf_str(&b), ' ');
		if (text && t->member)
			text = strchr(text + 1, ' ');
		int x = t->member ? ladder_x(&r, t->member, s->w->nmembers) + 1 : r.x + 10;
		draw_bytes(c, x, y, r.x + r.w - x, STYLE_NORMAL, bytes_of(text ? text : ""), false);
	}
	buf_free(&b);
}

/* Number of the first record shown so that the last `rows` that pass the filter before `end` are
 * seen. */
static uint64_t first_shown(const struct scene *s, const struct trace *t, uint64_t end, int rows)
{
	while (end > t->first && rows > 0)
		rows -= shown(s, trace_get(t, --end));
	return end;
}

void draw_trace(const struct scene *s, struct canvas *c, struct rect r, int title)
{
	const struct trace *t = player_trace(s->p);
	const struct place *place = &s->v->place[PANE_TRACE];
	struct rect before = canvas_clip(c, r);
	bool ladder = s->v->trace == TRACE_PANE_LADDER && r.w >= 40;
	int y = r.y;

	if (ladder) {
		canvas_puts(c, r.x + 1, y, STYLE_NORMAL, "clock");
		for (unsigned i = 1; i <= s->w->nmembers; i++)
			canvas_printf(c, ladder_x(&r, i, s->w->nmembers), y, STYLE_NORMAL, "S%u%s",
				      i, role_glyph(member_role(world_member(s->w, i))));
		y++;
	}
	uint64_t end = t ? t->end : 0;
	if (t && !place->follow && s->v->focus == PANE_TRACE && place->selected < count(s))
		end = t->first + place->selected + 1;
	for (uint64_t i = t ? first_shown(s, t, end, r.y + r.h - y) : 0; i < end && y < r.y + r.h;
	     i++) {
		const struct trace_record *record = trace_get(t, i);
		if (!shown(s, record))
			continue;
		spots_add(s->spots, (struct rect){r.x, y, r.w, 1}, "select trace %zu",
			  (size_t)(i - t->first) + 1);
		if (ladder)
			draw_ladder_line(s, c, r, y++, record);
		else
			draw_list_line(s, c, r, y++, record);
	}
	if (count(s) == 0)
		canvas_puts(c, r.x + 1, r.y, STYLE_HINT, "nothing has happened yet");
	canvas_clip(c, before);
	if (title)
		draw_title(s, c, PANE_TRACE, r.x, r.w, ladder ? "ladder" : "",
			   ladder ? "t off" : "t ladder");
}
