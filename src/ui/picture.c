/* Pictures without a terminal (picture.h): the same panes, on a canvas that is printed. */
#include "ui/picture.h"

#include <string.h>

#include "ui/scene.h"

enum { MOST = 1000, WHOLE_PANE = 200 };

static void trim_blank_lines(struct buf *out, size_t from)
{
	while (out->n > from + 1 && out->p[out->n - 1] == '\n' && out->p[out->n - 2] == '\n')
		out->p[--out->n] = 0;
}

static bool draw_one(struct scene *s, struct view *v, struct canvas *c, const char *what)
{
	struct rect all = {0, 0, c->columns, c->rows};

	s->l = (struct layout){
	    .columns = c->columns, .rows = c->rows, .kind = layout_for(c->columns, 24), .lane = 3};
	if (strcmp(what, "path") == 0)
		draw_path(s, c, 0, 0, c->columns);
	else if (strcmp(what, "counters") == 0)
		draw_counters(s, c, 0);
	else if (strcmp(what, "client") == 0)
		draw_client(s, c, all, 0);
	else if (strcmp(what, "members") == 0)
		draw_members(s, c, all, 0);
	else if (strcmp(what, "watch") == 0 || strcmp(what, "leases") == 0)
		draw_watch(s, c, all, 0);
	else if (strcmp(what, "story") == 0)
		draw_story(s, c, all, 0);
	else if (strcmp(what, "trace") == 0)
		draw_trace(s, c, all, 0);
	else if (strcmp(what, "store") == 0)
		v->zoom = true, v->focus = PANE_STORE, draw_store(s, c, all, 0);
	else if (what[0] == 'S' && what[1] >= '1' && what[1] < '1' + (int)s->w->nmembers &&
		 !what[2])
		draw_member_details(s, c, all, (unsigned)(what[1] - '0'));
	else
		return false;
	return true;
}

bool screen_picture(struct player *p, const char *what, int columns, int rows, struct buf *out)
{
	struct view v = {.trace = TRACE_PANE_LIST};
	struct scene s;
	struct canvas c;
	bool whole = strcmp(what, "screen") == 0, known = true;
	size_t from = out->n;

	for (int i = 0; i < PANE_COUNT; i++)
		v.place[i].follow = true;
	columns = columns <= 0 ? 80 : columns > MOST ? MOST : columns;
	rows = rows <= 0 ? (whole ? 24 : WHOLE_PANE) : rows > MOST ? MOST : rows;
	scene_init(&s, p, &v, NULL);
	canvas_init(&c, columns, rows, false);
	if (whole)
		scene_draw(&s, &c);
	else
		known = draw_one(&s, &v, &c, what);
	if (known)
		canvas_print(&c, out);
	if (known && !whole)
		trim_blank_lines(out, from);
	canvas_free(&c);
	return known;
}

bool screen_picture_hook(void *arg, const char *what, int columns, int rows, struct buf *out)
{
	return screen_picture(arg, what, columns, rows, out);
}
