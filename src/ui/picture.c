/* Pictures without a terminal (picture.h): the same panes, on a canvas that is printed. */
#include "ui/picture.h"

#include <string.h>

#include "ui/scene.h"

enum { MOST = 1000, WHOLE_PANE = 200, LISTS = 400, BESIDE_TEXTS = 56 };

static const struct mvcc *store_of(const struct world *w)
{
	return &world_member(w, world_view(w))->store;
}

/* Columns in which the newest rows stand whole. */
static int store_columns(const struct world *w, int columns)
{
	const struct mvcc *m = store_of(w);
	uint64_t n = mvcc_row_count(m), first = n > WHOLE_PANE ? n - WHOLE_PANE : 0;
	size_t key = 0, value = 0;

	for (uint64_t i = first; i < n; i++) {
		const struct row *row = mvcc_row(m, i);
		key = row_key(row).n > key ? row_key(row).n : key;
		value = row_value(row).n > value ? row_value(row).n : value;
	}
	size_t all = key + value + BESIDE_TEXTS;
	return all > (size_t)columns ? (int)(all < LISTS ? all : LISTS) : columns;
}

/* The keys and rows there are, with their heads. */
static int store_rows(const struct world *w)
{
	uint64_t n = mvcc_row_count(store_of(w)) + (uint64_t)mvcc_index_count(store_of(w)) + 4;

	return n < WHOLE_PANE ? (int)n : WHOLE_PANE;
}

/* What is a list of lines needs no edge: it is as wide as its longest one. */
static int columns_for(const struct world *w, const char *what, int columns)
{
	static const char *const lists[] = {"trace", "disk", NULL};
	bool is_list = what[0] == 'S' && what[1] >= '1' && what[1] <= '9' && !what[2];

	for (int i = 0; lists[i]; i++)
		is_list = is_list || strcmp(what, lists[i]) == 0;
	if (strcmp(what, "store") == 0)
		return store_columns(w, columns);
	return is_list && columns < LISTS ? LISTS : columns;
}

static void trim_blank_lines(struct buf *out, size_t from)
{
	while (out->n > from + 1 && out->p[out->n - 1] == '\n' && out->p[out->n - 2] == '\n')
		out->p[--out->n] = 0;
}

static bool draw_one(struct scene *s, struct canvas *c, const char *what)
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
		draw_store(s, c, (struct rect){0, 0, c->columns, store_rows(s->w)}, 0);
	else if (strcmp(what, "disk") == 0)
		draw_disks(s, c, all);
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
	columns = columns_for(player_world(p), what, columns);
	rows = rows <= 0 ? (whole ? 24 : WHOLE_PANE) : rows > MOST ? MOST : rows;
	scene_init(&s, p, &v, NULL);
	canvas_init(&c, columns, rows, false);
	if (whole)
		scene_draw(&s, &c);
	else
		known = draw_one(&s, &c, what);
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
