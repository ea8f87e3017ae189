/* The whole screen: cuts it, calls the panes, joins the rules (scene.h). */
#include <string.h>

#include "ui/scene.h"

void scene_init(struct scene *s, struct player *p, const struct view *v, struct session *session)
{
	*s = (struct scene){.p = p, .w = player_world(p), .mark = player_mark(p), .v = v};
	if (session &&
	    v->overlay == OVERLAY_MENU) /* nobody else needs the list, and it reads files */
		s->ndemos = session_demos(session, &s->demos);
	if (v->asks) { /* the step has not run: nothing is new in it */
		s->mark.events = s->w->events;
		s->mark.ntrace = player_trace(p)->end;
		s->mark.rev = INT64_MAX;
	}
	s->call = client_pane_call(s);
}

static bool is_beside(const struct view *v)
{
	return v->trace != TRACE_PANE_OFF;
}

static void cut(struct scene *s, int columns, int rows)
{
	const struct view *v = s->v;
	int why_rows, rows_of_client = client_rows(s, columns, &why_rows);
	struct layout_wants w = {.members = (int)s->w->nmembers,
				 .client_rows = rows_of_client,
				 .why_rows = why_rows,
				 .story_rows = story_rows(s, columns),
				 .timeline =
				     (int)(player_steps(s->p) < 1000 ? player_steps(s->p) : 1000),
				 .trace = is_beside(v),
				 .zoom = v->zoom ? v->focus : PANE_STAGE,
				 .choice = v->layout};

	layout_cut(&s->l, columns, rows, &w);
	if (v->focus != PANE_STAGE && !v->zoom && s->l.body[v->focus].h == 0 && !s->l.micro) {
		w.zoom = v->focus; /* a pane that is not on this screen is opened in full */
		layout_cut(&s->l, columns, rows, &w);
	}
}

/* The rule between panes side by side, and where it meets the titles. */
static void draw_divider(struct canvas *c, int x, int top, int bottom, bool closed)
{
	if (x < 0)
		return;
	canvas_puts(c, x, top, STYLE_TITLE, "┬");
	for (int y = top + 1; y < bottom; y++)
		canvas_puts(c, x, y, STYLE_TITLE, "│");
	if (closed)
		canvas_puts(c, x, bottom, STYLE_TITLE, "┴");
}

static void draw_dividers(const struct scene *s, struct canvas *c)
{
	const struct layout *l = &s->l;
	const struct rect *watch = &l->body[PANE_WATCH], *trace = &l->body[PANE_TRACE];

	if (l->divider >= 0 && watch->h > 0 && l->kind == LAYOUT_TINY && l->title[PANE_WATCH] >= 0)
		canvas_puts(c, l->divider, l->title[PANE_WATCH], STYLE_TITLE, "─");
	else if (l->divider >= 0 && watch->h > 0)
		draw_divider(c, l->divider, l->title[PANE_WATCH], watch->y + watch->h,
			     l->title[PANE_STORY] >= 0);
	if (l->trace_divider >= 0 && trace->h > 0)
		draw_divider(c, l->trace_divider, l->title[PANE_TRACE], trace->y + trace->h,
			     l->title[PANE_WATCH] >= 0);
}

typedef void draw_pane(const struct scene *s, struct canvas *c, struct rect r, int title);

static draw_pane *const panes[PANE_COUNT] = {
    [PANE_CLIENT] = draw_client, [PANE_MEMBERS] = draw_members, [PANE_WATCH] = draw_watch,
    [PANE_STORE] = draw_store,	 [PANE_STORY] = draw_story,	[PANE_TRACE] = draw_trace,
};

/* A pane with its title can be pressed, and in it the things that it adds itself. */
static void add_pane_spot(const struct scene *s, enum pane p)
{
	struct rect r = s->l.body[p];

	if (s->l.title[p] >= 0 && s->l.title[p] < r.y)
		r.h += r.y - s->l.title[p], r.y = s->l.title[p];
	spots_add(s->spots, r, "focus %s", pane_name(p));
}

static void draw_panes(const struct scene *s, struct canvas *c)
{
	for (int p = PANE_CLIENT; p < PANE_COUNT; p++) {
		if (s->l.body[p].h <= 0)
			continue;
		add_pane_spot(s, (enum pane)p);
		panes[p](s, c, s->l.body[p], s->l.title[p] >= 0);
	}
	draw_dividers(s, c);
}

/* Too small for panes: counters, the last reply, a word about size. */
static void draw_micro(const struct scene *s, struct canvas *c)
{
	struct buf b = {0};
	const struct rect *reply = &s->l.body[PANE_CLIENT], *story = &s->l.body[PANE_STORY];

	if (reply->h > 0) {
		client_reply_line(s, &b);
		draw_bytes(c, 0, reply->y, c->columns, STYLE_NORMAL, buf_bytes(&b), false);
	}
	if (story->h > 0)
		draw_bytes(c, 0, story->y, c->columns, STYLE_HINT, BYTES("more from 40x10 on"),
			   false);
	buf_free(&b);
}

/* All that a page lies over. */
static void draw_stage(const struct scene *s, struct canvas *c)
{
	draw_header(s, c, s->l.header);
	draw_counters(s, c, s->l.counters);
	if (s->l.micro) {
		draw_micro(s, c);
		return;
	}
	draw_path(s, c, 1, s->l.path, c->columns - 1);
	draw_panes(s, c);
	draw_timeline(s, c, s->l.timeline);
}

void scene_draw(struct scene *s, struct canvas *c)
{
	cut(s, c->columns, c->rows);
	if (s->l.micro || s->v->overlay == OVERLAY_NONE)
		draw_stage(s, c);
	draw_hint(s, c, s->l.hint);
	if (s->v->overlay == OVERLAY_NONE || s->v->typing)
		draw_prompt(s, c, s->l.prompt);
	if (!s->l.micro || s->v->overlay == OVERLAY_BLANK)
		draw_overlay(s, c);
	if (s->v->overlay == OVERLAY_NONE || s->v->overlay == OVERLAY_TEXT)
		draw_notice(s, c);
	if (s->v->overlay != OVERLAY_BLANK)
		draw_keys(s, c, s->l.keys);
}
