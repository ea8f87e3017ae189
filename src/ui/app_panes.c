/* Focus, zoom, moving inside panes, and what lies over them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "ui/app.h"

static void do_stage(struct app *a, const char *arg)
{
	struct view *v = &a->v;

	(void)arg;
	if (v->overlay != OVERLAY_NONE)
		v->overlay = OVERLAY_NONE;
	else if (v->zoom)
		v->zoom = false;
	else if (v->focus == PANE_STAGE && scene_violation(&a->scene))
		v->dismissed = scene_violation(&a->scene)->event + 1;
	else
		v->focus = PANE_STAGE, v->find[0] = 0;
}

static void do_focus(struct app *a, const char *arg)
{
	struct view *v = &a->v;
	int next = (int)v->focus;

	if (strcmp(arg, "next") == 0)
		next = ((int)v->focus + 1) % PANE_COUNT;
	else if (strcmp(arg, "previous") == 0)
		next = ((int)v->focus + PANE_COUNT - 1) % PANE_COUNT;
	else if (pane_named(arg) < PANE_COUNT)
		next = (int)pane_named(arg);
	else
		app_notice(a, "There is no such pane: client, members, watch, store, story, trace "
			      "and stage are.");
	v->focus = (enum pane)next;
	v->overlay = OVERLAY_NONE;
	if (v->focus == PANE_STAGE)
		v->zoom = false;
}

static void do_zoom(struct app *a, const char *arg)
{
	if (arg[0]) {
		do_focus(a, arg);
		a->v.zoom = a->v.focus != PANE_STAGE;
		return;
	}
	if (a->v.focus == PANE_STAGE)
		a->v.focus = PANE_MEMBERS;
	a->v.zoom = !a->v.zoom;
}

static size_t index_keys(const struct app *a)
{
	return (size_t)mvcc_index_count(&world_member(a->scene.w, scene_member(&a->scene))->store);
}

/* Places of a text of so many rows in a window of h rows. */
static size_t beyond(int rows, int h)
{
	return rows > h ? (size_t)(rows - (h > 0 ? h : 0)) + 1 : 1;
}

/* Lines that can be moved over. */
static size_t lines_of(const struct app *a)
{
	const struct rect *body = &a->scene.l.body[a->v.focus];
	const struct trace *t = player_trace(a->p);

	switch (a->v.focus) {
	case PANE_MEMBERS:
		return a->scene.w->nmembers;
	case PANE_STORE:
		return index_keys(a);
	case PANE_TRACE:
		return t ? (size_t)(t->end - t->first) : 0;
	case PANE_CLIENT:
		return beyond(client_reply_rows(&a->scene, body->w), body->h - 2);
	case PANE_STORY:
		return beyond(story_rows(&a->scene, body->w), body->h);
	case PANE_WATCH:
		return beyond((int)watch_lines(&a->scene, body->w), body->h);
	case PANE_STAGE:
	case PANE_COUNT:
		break;
	}
	return 0;
}

static size_t page_rows(const struct app *a)
{
	int h = a->v.overlay != OVERLAY_NONE ? a->scene.l.rows - 3 : a->scene.l.body[a->v.focus].h;

	return h > 2 ? (size_t)h - 1 : 1;
}

static size_t shifted(size_t at, const char *how, size_t page, size_t n)
{
	size_t last = n ? n - 1 : 0;

	if (strcmp(how, "up") == 0)
		return at ? at - 1 : 0;
	if (strcmp(how, "down") == 0)
		return at < last ? at + 1 : last;
	if (strcmp(how, "pageup") == 0)
		return at > page ? at - page : 0;
	if (strcmp(how, "pagedown") == 0)
		return at + page < last ? at + page : last;
	return strcmp(how, "home") == 0 ? 0 : strcmp(how, "end") == 0 ? last : at;
}

static void move_overlay(struct app *a, const char *how)
{
	struct place *o = &a->v.over;
	const struct demo *demos;

	switch (a->v.overlay) {
	case OVERLAY_HELP:
		o->top = shifted(o->top,
				 strstr(how, "up")     ? "up"
				 : strstr(how, "down") ? "down"
						       : how,
				 1, 3);
		break;
	case OVERLAY_MENU:
		o->selected =
		    shifted(o->selected, how, page_rows(a), session_demos(a->session, &demos));
		break;
	case OVERLAY_BRANCHES:
		o->selected = shifted(o->selected, how, page_rows(a), player_branches(a->p));
		break;
	default:
		o->top = shifted(
		    o->top, how, page_rows(a),
		    (size_t)text_rows(&a->canvas, buf_str(&a->v.over_text), a->canvas.columns - 2));
	}
}

static void do_move(struct app *a, const char *how)
{
	struct place *at = &a->v.place[a->v.focus];
	size_t n = lines_of(a);

	if (a->v.overlay != OVERLAY_NONE) {
		move_overlay(a, how);
		return;
	}
	if (at->follow && a->v.focus == PANE_TRACE) /* begins where the pane is: at the end */
		at->selected = n ? n - 1 : 0;
	at->selected = shifted(at->selected, how, page_rows(a), n);
	if (a->v.focus == PANE_CLIENT || a->v.focus == PANE_WATCH || a->v.focus == PANE_STORY)
		at->top = at->selected;
	at->follow = false;
	if (a->v.focus == PANE_STORE) {
		if (!a->v.zoom)
			a->v.zoom = true; /* a place in a list needs the list */
		size_t rows = page_rows(a) * 3 / 5;
		at->top = at->selected < at->top ? at->selected
			  : at->selected >= at->top + (rows ? rows : 1)
			      ? at->selected - (rows ? rows : 1) + 1
			      : at->top;
	}
}

void app_scroll(struct app *a, enum pane p, const char *how)
{
	enum pane was = a->v.focus;
	size_t n;

	a->v.focus = p;
	n = lines_of(a);
	if (n <= 1 || (p == PANE_MEMBERS && was != p))
		a->v.focus = was;
	else
		app_command(a, how);
}

/* "members 2": the second line of the pane; once more: what ENTER shows of it. */
static void do_select(struct app *a, const char *arg)
{
	char pane[16];
	size_t line;

	if (sscanf(arg, "%15s %zu", pane, &line) != 2 || pane_named(pane) >= PANE_COUNT || !line) {
		app_notice(a, "It takes a pane and the number of a line: select members 2.");
		return;
	}
	enum pane p = pane_named(pane);
	struct place *at = &a->v.place[p];
	bool again = a->v.focus == p && at->selected == line - 1;
	a->v.focus = p;
	at->selected = line - 1 < lines_of(a) ? line - 1 : at->selected;
	at->follow = false;
	if (again && p == PANE_MEMBERS)
		app_command(a, "details");
}

static void do_details(struct app *a, const char *arg)
{
	struct place *at = &a->v.place[a->v.focus];

	(void)arg;
	at->details = !(at->details && a->v.zoom);
	a->v.zoom = at->details || a->v.focus == PANE_STORE || a->v.focus == PANE_TRACE;
}

static void do_follow(struct app *a, const char *arg)
{
	struct place *at = &a->v.place[a->v.focus];

	(void)arg;
	at->follow = !at->follow;
	app_notice(a, at->follow ? "Follows what changes." : "Stays where it is.");
}

/* Looking at another store is no command: the answer of the last one stays. */
static void do_view(struct app *a, const char *arg)
{
	(void)arg;
	a->v.member = scene_member(&a->scene) % a->scene.w->nmembers + 1;
	a->v.member_over = world_view(a->scene.w);
}

/* The next row of a text that holds what is looked for, behind row *at or (back) before it; from
 * the other end where there is none. */
static bool find_row(const struct app *a, const char *text, int w, bool back, size_t *at)
{
	size_t before = SIZE_MAX, behind = SIZE_MAX, first = SIZE_MAX, last = SIZE_MAX, row = 0;

	for (size_t n, next; *text; text += next, row++) {
		n = line_break(&a->canvas, text, w, &next);
		if (!memmem(text, n, a->v.find, strlen(a->v.find)))
			continue;
		first = first == SIZE_MAX ? row : first;
		last = row;
		before = row < *at ? row : before;
		behind = row > *at && behind == SIZE_MAX ? row : behind;
	}
	if (first == SIZE_MAX)
		return false;
	*at = back ? (before != SIZE_MAX ? before : last) : behind != SIZE_MAX ? behind : first;
	return true;
}

/* In a page of text, or in the client's reply. */
static void find_in_text(struct app *a, struct place *at, const char *text, int w, const char *how)
{
	size_t row = strcmp(how, "first") == 0 ? SIZE_MAX : at->top;
	struct buf none = {0};

	if (find_row(a, text, w, strcmp(how, "previous") == 0, &row)) {
		at->top = at->selected = row;
		at->follow = false;
	} else {
		buf_printf(&none, "There is no %s here.", a->v.find);
		app_notice(a, buf_str(&none));
	}
	buf_free(&none);
}

/* True: a text has the focus, and how ("first", "next", "previous") has been looked for. */
static bool find_in_focus(struct app *a, const char *how)
{
	struct buf reply = {0};

	if (a->v.overlay == OVERLAY_TEXT) {
		find_in_text(a, &a->v.over, buf_str(&a->v.over_text), a->canvas.columns - 2, how);
		return true;
	}
	if (a->v.focus != PANE_CLIENT)
		return false;
	client_reply_text(&a->scene, &reply);
	find_in_text(a, &a->v.place[PANE_CLIENT], buf_str(&reply),
		     a->scene.l.body[PANE_CLIENT].w - 4, how);
	buf_free(&reply);
	return true;
}

/* The store and the trace show only what matches. */
static void filter(struct app *a)
{
	if (a->v.focus != PANE_TRACE)
		a->v.focus = PANE_STORE;
	a->v.zoom = true;
	a->v.place[a->v.focus].selected = a->v.place[a->v.focus].top = 0;
	a->v.place[a->v.focus].follow = a->v.focus == PANE_TRACE;
}

static void do_find(struct app *a, const char *arg)
{
	bool again = strcmp(arg, "next") == 0 || strcmp(arg, "previous") == 0;

	if (!again)
		snprintf(a->v.find, sizeof a->v.find, "%s", arg);
	if (!a->v.find[0])
		app_notice(a, "Nothing is looked for: / asks.");
	else if (find_in_focus(a, again ? arg : "first"))
		return;
	else if (again)
		do_move(a, strcmp(arg, "next") == 0 ? "down" : "up");
	else
		filter(a);
}

/* ---- overlays ---- */

static void open_overlay(struct app *a, enum overlay o)
{
	a->v.overlay = a->v.overlay == o ? OVERLAY_NONE : o;
	a->v.over = (struct place){0};
}

static void do_keys(struct app *a, const char *arg)
{
	(void)arg;
	open_overlay(a, OVERLAY_HELP);
	if (a->v.focus != PANE_STAGE || a->v.typing)
		a->v.over.top = 1;
	if (a->v.typing)
		app_leave_line(a);
}

static void do_demos(struct app *a, const char *arg)
{
	(void)arg;
	if (a->v.typing)
		app_leave_line(a);
	open_overlay(a, OVERLAY_MENU);
}

static void do_branches(struct app *a, const char *arg)
{
	const char *here = player_branch_name(a->p);

	(void)arg;
	open_overlay(a, OVERLAY_BRANCHES);
	for (size_t i = 0; i < player_branches(a->p); i++)
		if (strcmp(player_branch_at(a->p, i), here) == 0)
			a->v.over.selected = i;
}

static void do_choose(struct app *a, const char *arg)
{
	const struct demo *demos;
	size_t n = session_demos(a->session, &demos), i = a->v.over.selected;
	char number[16];
	enum overlay was = a->v.overlay;

	if (arg[0])
		i = strtoul(arg, NULL, 10) - 1; /* of none: beyond the list */
	a->v.overlay = OVERLAY_NONE;
	if (was == OVERLAY_MENU && i < n) {
		snprintf(number, sizeof number, "%d", demos[i].number);
		app_start_demo(a, demos[i].number > 0 ? number : demos[i].title);
	} else if (was == OVERLAY_BRANCHES && i < player_branches(a->p)) {
		player_switch(a->p, player_branch_at(a->p, i));
		app_moved(a);
	}
}

static void do_why(struct app *a, const char *arg)
{
	(void)arg;
	app_execute(a, "why");
}

/* Focus, places, overlays. */
const struct app_command app_pane_commands[] = {
    {.name = "demos", .run = do_demos},
    {.name = "stage", .run = do_stage},
    {.name = "focus", .run = do_focus, .takes_argument = true},
    {.name = "zoom", .run = do_zoom, .takes_argument = true},
    {.name = "move", .run = do_move, .takes_argument = true},
    {.name = "details", .run = do_details},
    {.name = "follow", .run = do_follow},
    {.name = "view", .run = do_view, .takes_argument = true},
    {.name = "find", .run = do_find, .takes_argument = true},
    {.name = "keys", .run = do_keys},
    {.name = "branches", .run = do_branches},
    {.name = "choose", .run = do_choose, .takes_argument = true},
    {.name = "select", .run = do_select, .takes_argument = true},
    {.name = "why", .run = do_why},
    {.name = NULL},
};
