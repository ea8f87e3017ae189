/* Gives out the rows of the screen (layout.h). */
#include "ui/layout.h"

#include <string.h>

enum { MICRO_COLUMNS = 40, MICRO_ROWS = 10 };

enum layout_choice layout_for(int columns, int rows)
{
	if (columns >= 160 && rows >= 50)
		return LAYOUT_WALL;
	if (columns >= 100 && rows >= 30)
		return LAYOUT_LARGE;
	return columns >= 80 && rows >= 24 ? LAYOUT_STANDARD : LAYOUT_TINY;
}

const char *layout_name(enum layout_choice k)
{
	static const char *const name[] = {"auto", "tiny", "standard", "large", "wall"};

	return name[k];
}

/* Rows left and how many each part has got. */
struct shares {
	int left;
	int header, counters, path, lanes, lane, gap, flights, client, story, watch, timeline, hint,
	    keys, air;
	bool title_client, title_members, title_watch, title_story;
};

static bool take(struct shares *s, int *what, int n)
{
	if (n <= 0 || s->left < n)
		return false;
	s->left -= n;
	*what += n;
	return true;
}

static bool take_title(struct shares *s, bool *title)
{
	int row = 0;

	*title = take(s, &row, 1);
	return *title;
}

static void take_up_to(struct shares *s, int *what, int most)
{
	while (*what < most && take(s, what, 1))
		;
}

/* What no screen of 40x10 or more goes without, then what comes next in importance. */
static void share_essentials(struct shares *s, const struct layout_wants *w,
			     enum layout_choice kind)
{
	bool explains = w->why_rows > 1 && kind != LAYOUT_TINY;
	int client = explains ? 5 : 4, watch = explains || kind == LAYOUT_TINY ? 1 : 2;

	take(s, &s->keys, 1);
	take(s, &s->counters, 1);
	take(s, &s->path, 1);
	take_up_to(s, &s->lanes, w->members * s->lane);
	take(s, &s->client, 2);
	take(s, &s->story, 1);
	take(s, &s->header, 1);
	take_up_to(s, &s->client, 3);
	take_title(s, &s->title_members);
	take_title(s, &s->title_client);
	take_title(s, &s->title_story);
	take_up_to(s, &s->story, 2);
	take_up_to(s, &s->client, w->client_rows < client ? w->client_rows : client);
	if (s->left >= 2 && take_title(s, &s->title_watch))
		take_up_to(s, &s->watch, watch);
	take_up_to(s, &s->story, w->story_rows < 3 ? w->story_rows : 3);
}

/* Rows that everything but the lanes needs: three at the top, two at the bottom, four titles, and
 * three for each of client, watch and story. */
enum { ROWS_BESIDE_LANES = 18, ROWS_MORE_IF_TALL = 3 };

static bool is_tall(const struct layout *l)
{
	return l->kind >= LAYOUT_LARGE && l->columns >= 120 && l->rows >= 40;
}

/* A lane has the form that the size and the number of members allow, whatever is to be shown: it
 * does not change from step to step. */
static void choose_lanes(struct shares *s, const struct layout_wants *w, const struct layout *l)
{
	int most = l->kind == LAYOUT_TINY ? 1 : l->kind == LAYOUT_STANDARD ? 2 : 3;
	int room = l->rows - ROWS_BESIDE_LANES;

	for (s->lane = 1; s->lane < most && w->members * (s->lane + 1) <= room;)
		s->lane++;
	room -= w->members * s->lane + ROWS_MORE_IF_TALL;
	if (is_tall(l) && s->lane == 3 && room >= w->members - 1)
		s->gap = 1;
}

/* Rows of the client at least, so that the lanes stay where they are from one request to the next.
 */
static int steady_client(const struct layout *l)
{
	return is_tall(l) ? 6 : l->kind >= LAYOUT_LARGE ? 4 : 3;
}

/* What only a larger screen has. */
static void share_luxuries(struct shares *s, const struct layout_wants *w, const struct layout *l)
{
	int most_client = l->rows / 4 > 4 ? l->rows / 4 : 4;

	take_up_to(s, &s->client, steady_client(l));
	if (w->why_rows > 1) /* why it went wrong comes before more of watch and store */
		take_up_to(s, &s->client,
			   w->client_rows < most_client ? w->client_rows : most_client);
	take_up_to(s, &s->watch, l->kind == LAYOUT_TINY ? 1 : 3);
	take_up_to(s, &s->story, w->story_rows < 4 ? w->story_rows : 4);
	take_up_to(s, &s->watch, l->rows >= 40 ? 7 : 5);
	take_up_to(s, &s->client, w->client_rows < most_client ? w->client_rows : most_client);
	take_up_to(s, &s->story, is_tall(l) ? 4 : 3);
	take_up_to(s, &s->watch, 10);
	take_up_to(s, &s->story, w->story_rows);
	take_up_to(s, &s->client, w->client_rows < l->rows / 3 ? w->client_rows : l->rows / 3);
}

/* What a tall screen has besides, before anything is given out that changes from step to step. */
static void share_tall(struct shares *s, const struct layout_wants *w, const struct layout *l)
{
	if (!is_tall(l))
		return;
	take(s, &s->hint, 1);
	take(s, &s->timeline, w->timeline > 0);
	take(s, &s->flights, 1);
	if (s->gap)
		s->left -= w->members - 1;
}

static void place_pane(struct layout *l, enum pane p, bool titled, int rows, int *y)
{
	l->title[p] = titled ? (*y)++ : -1;
	l->body[p] = (struct rect){0, *y, l->columns, rows};
	*y += rows;
}

static int place_row(int rows, int *y)
{
	return rows ? (*y)++ : -1;
}

/* Watch and store lie side by side. */
static void split_watch(struct layout *l)
{
	struct rect *watch = &l->body[PANE_WATCH], *store = &l->body[PANE_STORE];

	l->title[PANE_STORE] = l->title[PANE_WATCH];
	*store = *watch;
	if (watch->h == 0)
		return;
	l->divider = l->columns >= 120	? 26 + l->columns / 6
		     : l->columns >= 80 ? 38
					: l->columns * 38 / 80;
	watch->w = l->divider;
	store->x = l->divider + 1;
	store->w = l->columns - store->x;
}

/* The trace stands to the right of client and members. */
static void split_trace(struct layout *l)
{
	int top = l->title[PANE_CLIENT], bottom = l->body[PANE_MEMBERS].y + l->body[PANE_MEMBERS].h;

	l->trace_divider = l->columns * 11 / 20;
	l->body[PANE_CLIENT].w = l->body[PANE_MEMBERS].w = l->trace_divider;
	l->title[PANE_TRACE] = top;
	l->body[PANE_TRACE] = (struct rect){l->trace_divider + 1, top + 1,
					    l->columns - l->trace_divider - 1, bottom - top - 1};
}

static void place_bottom(struct layout *l, const struct shares *s)
{
	int y = l->rows - 1;

	l->keys = s->keys ? y-- : -1;
	l->hint = s->hint ? y-- : -1;
	l->prompt = y--;
	l->timeline = s->timeline ? y-- : -1;
}

static void place_panes(struct layout *l, const struct shares *s, const struct layout_wants *w)
{
	int y = 0;

	l->header = place_row(s->header, &y);
	l->counters = place_row(s->counters, &y);
	l->path = place_row(s->path, &y);
	if (w->zoom != PANE_STAGE) {
		int end = l->timeline >= 0 ? l->timeline : l->prompt;
		place_pane(l, w->zoom, true, end - y - 1 > 0 ? end - y - 1 : 0, &y);
		return;
	}
	place_pane(l, PANE_CLIENT, s->title_client, s->client, &y);
	place_pane(l, PANE_MEMBERS, s->title_members,
		   s->lanes + s->flights + (s->gap ? w->members - 1 : 0), &y);
	place_pane(l, PANE_WATCH, s->title_watch, s->watch, &y);
	split_watch(l);
	place_pane(l, PANE_STORY, s->title_story, s->story + s->left, &y);
	if (w->trace && l->kind == LAYOUT_WALL)
		split_trace(l);
}

/* Under 40x10: counters, the last reply, the prompt, and what there is room for. */
static void cut_micro(struct layout *l)
{
	l->micro = true;
	l->prompt = l->rows - 1;
	if (l->rows >= 4 && l->columns >= MICRO_COLUMNS)
		l->keys = l->rows - 1, l->prompt--;
	if (l->prompt >= 1)
		l->counters = 0;
	if (l->prompt >= 2)
		l->body[PANE_CLIENT] = (struct rect){0, 1, l->columns, 1};
	if (l->prompt >= 3)
		l->body[PANE_STORY] = (struct rect){0, 2, l->columns, l->prompt - 2};
}

void layout_cut(struct layout *l, int columns, int rows, const struct layout_wants *w)
{
	struct shares s = {.left = rows - 1}; /* the prompt */

	*l = (struct layout){.columns = columns, .rows = rows};
	l->header = l->counters = l->path = l->timeline = l->prompt = l->hint = l->keys = -1;
	l->divider = l->trace_divider = -1;
	for (int p = 0; p < PANE_COUNT; p++)
		l->title[p] = -1;
	l->kind = layout_for(columns, rows);
	if (w->choice != LAYOUT_AUTO && w->choice < l->kind)
		l->kind = w->choice;
	if (columns < MICRO_COLUMNS || rows < MICRO_ROWS) {
		cut_micro(l);
		return;
	}
	choose_lanes(&s, w, l);
	share_tall(&s, w, l);
	share_essentials(&s, w, l->kind);
	share_luxuries(&s, w, l);
	if (w->trace &&
	    l->kind == LAYOUT_WALL) /* the trace stands beside the members: height is for both */
		take_up_to(&s, &s.lanes, s.lanes + (s.left > 4 ? s.left - 4 : 0));
	if (s.title_watch)
		take_up_to(&s, &s.watch, 1000);
	l->lane = s.lane;
	l->lane_gap = s.gap;
	l->flights = s.flights;
	place_bottom(l, &s);
	place_panes(l, &s, w);
}
