/* What the commands of the screen do; keys are short for them (keys.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/table.h"
#include "ui/app.h"

void app_notice(struct app *a, const char *text)
{
	buf_clear(&a->v.notice);
	text_safe(&a->v.notice, (struct bytes){text, strcspn(text, "\n")}, false);
}

void app_show_text(struct app *a, const char *title, struct bytes text)
{
	a->v.overlay = OVERLAY_TEXT;
	a->v.over = (struct place){0};
	snprintf(a->v.over_title, sizeof a->v.over_title, "%s", title);
	a->v.over_title[strcspn(a->v.over_title, "\n")] = 0;
	buf_clear(&a->v.over_text);
	text_safe(&a->v.over_text, text, true);
}

/* ---- moving in time ---- */

/* Whatever moves ends the welcome, the answer and the last message. */
static void moved(struct app *a)
{
	a->v.welcome = false;
	a->v.reveal = false;
	a->v.said[0] = a->v.asked[0] = 0;
	buf_clear(&a->v.notice);
}

static void move(struct app *a, bool (*how)(struct player *), const char *at_end)
{
	a->v.playing = false;
	moved(a);
	if (!how(a->p))
		app_notice(a, at_end);
}

static void start_demo(struct app *a, const char *which)
{
	struct buf err = {0};

	if (session_load_demo(a->session, which, &err)) {
		a->p = session_player(a->session);
		moved(a);
	} else {
		app_notice(a, buf_str(&err));
	}
	buf_free(&err);
}

static void do_continue(struct app *a, const char *arg)
{
	(void)arg;
	if (a->v.playing) { /* SPACE pauses */
		a->v.playing = false;
		return;
	}
	if (a->v.welcome && player_steps(a->p) == 0) {
		start_demo(a, "1");
		return;
	}
	move(a, player_step, "This is the end. : types a command, d chooses another demo.");
}

static void do_back(struct app *a, const char *arg)
{
	(void)arg;
	move(a, player_back, "This is the start.");
}

static void do_step(struct app *a, const char *arg)
{
	(void)arg;
	move(a, player_step_event, "This is the end.");
}

static void do_back_event(struct app *a, const char *arg)
{
	(void)arg;
	move(a, player_back_event, "This is the start.");
}

static void do_step_command(struct app *a, const char *arg)
{
	(void)arg;
	move(a, player_step_command, "There is no later command.");
}

static void do_back_command(struct app *a, const char *arg)
{
	(void)arg;
	move(a, player_back_command, "There is no earlier command.");
}

static void do_goto_start(struct app *a, const char *arg)
{
	(void)arg;
	moved(a);
	player_goto(a->p, 0, UINT64_MAX);
}

static void do_goto_end(struct app *a, const char *arg)
{
	(void)arg;
	moved(a);
	if (player_steps(a->p))
		player_goto(a->p, player_steps(a->p), 0);
	player_seek(a->p, player_end(a->p));
}

static void do_play(struct app *a, const char *arg)
{
	int speed = arg[0] ? atoi(arg) : 0;

	a->v.playing = arg[0] ? true : !a->v.playing;
	for (a->v.speed = speed > 0 ? 0 : a->v.speed; speed > 1; speed /= 2)
		a->v.speed++;
	a->v.overlay = OVERLAY_NONE;
	a->due_ms = app_clock_ms() + app_play_interval_ms(a);
	if (a->v.playing && a->v.welcome)
		start_demo(a, "1");
}

static void do_pause(struct app *a, const char *arg)
{
	(void)arg;
	a->v.playing = false;
}

static void do_faster(struct app *a, const char *arg)
{
	(void)arg;
	a->v.speed += a->v.speed < 4;
}

static void do_slower(struct app *a, const char *arg)
{
	(void)arg;
	a->v.speed -= a->v.speed > -2;
}

/* ---- the line ---- */

void app_type(struct app *a, const char *text)
{
	if (!a->line) {
		app_notice(a, "No command line: the system gave no pseudo-terminal.");
		return;
	}
	a->v.typing = true;
	a->v.playing = false;
	a->typed_for_key = text[0] != 0;
	line_set(a->line, text);
}

void app_leave_line(struct app *a)
{
	a->v.typing = false;
	a->typed_for_key = false;
	if (a->line)
		line_set(a->line, "");
}

static void do_leave(struct app *a, const char *arg)
{
	(void)arg;
	app_leave_line(a);
}

static void do_none(struct app *a, const char *arg)
{
	(void)a;
	(void)arg;
}

/* ---- panes ---- */

static void do_stage(struct app *a, const char *arg)
{
	struct view *v = &a->v;

	(void)arg;
	if (v->overlay != OVERLAY_NONE)
		v->overlay = OVERLAY_NONE;
	else if (v->zoom)
		v->zoom = false;
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
	return (size_t)mvcc_index_count(&world_member(a->scene.w, world_view(a->scene.w))->store);
}

/* Lines that can be moved over. */
static size_t lines_of(const struct app *a)
{
	const struct trace *t = player_trace(a->p);

	switch (a->v.focus) {
	case PANE_MEMBERS:
		return a->scene.w->nmembers;
	case PANE_STORE:
		return index_keys(a);
	case PANE_TRACE:
		return t ? (size_t)(t->end - t->first) : 0;
	default:
		return 1000;
	}
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

static size_t text_lines(const struct buf *b)
{
	size_t n = 1;

	for (size_t i = 0; i < b->n; i++)
		n += b->p[i] == '\n';
	return n;
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
		o->top = shifted(o->top, how, page_rows(a), text_lines(&a->v.over_text));
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
	at->top = a->v.focus == PANE_CLIENT || a->v.focus == PANE_WATCH ? at->selected : at->top;
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

static void do_view(struct app *a, const char *arg)
{
	char line[32];
	unsigned now = world_view(a->scene.w), next = now % a->scene.w->nmembers + 1;

	(void)arg;
	snprintf(line, sizeof line, "set view S%u", next);
	app_execute(a, line);
}

static void do_find(struct app *a, const char *arg)
{
	bool again = strcmp(arg, "next") == 0 || strcmp(arg, "previous") == 0;

	if (!again) {
		snprintf(a->v.find, sizeof a->v.find, "%s", arg);
		if (a->v.focus != PANE_TRACE)
			a->v.focus = PANE_STORE;
		a->v.zoom = true;
		a->v.place[a->v.focus].selected = a->v.place[a->v.focus].top = 0;
		a->v.place[a->v.focus].follow = a->v.focus == PANE_TRACE;
		return;
	}
	if (!a->v.find[0]) {
		app_notice(a, "Nothing is looked for: / asks.");
		return;
	}
	do_move(a, strcmp(arg, "next") == 0 ? "down" : "up"); /* the panes show only what matches */
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

	(void)arg;
	a->v.overlay = OVERLAY_NONE;
	if (was == OVERLAY_MENU && i < n) {
		snprintf(number, sizeof number, "%d", demos[i].number);
		start_demo(a, demos[i].number > 0 ? number : demos[i].title);
	} else if (was == OVERLAY_BRANCHES && i < player_branches(a->p)) {
		player_switch(a->p, player_branch_at(a->p, i));
		moved(a);
	}
}

static void do_why(struct app *a, const char *arg)
{
	(void)arg;
	app_execute(a, "why");
}

static void do_blank(struct app *a, const char *arg)
{
	(void)arg;
	a->v.overlay = OVERLAY_BLANK;
}

static void do_reveal(struct app *a, const char *arg)
{
	(void)arg;
	a->v.reveal = !a->v.reveal;
}

static void say(char *out, size_t size, const char *text)
{
	struct buf b = {0};

	text_safe(&b, bytes_of(text), false);
	snprintf(out, size, "%s", buf_str(&b));
	buf_free(&b);
}

static void do_say(struct app *a, const char *arg)
{
	say(a->v.said, sizeof a->v.said, arg);
}

static void do_ask(struct app *a, const char *arg)
{
	say(a->v.asked, sizeof a->v.asked, arg);
}

/* ---- the screen ---- */

static void do_layout(struct app *a, const char *arg)
{
	struct view *v = &a->v;
	int fits = (int)layout_for(a->scene.l.columns, a->scene.l.rows);
	char text[64];

	if (strcmp(arg, "next") == 0 || !arg[0]) {
		if (v->kinds)
			v->kinds = false, v->layout = LAYOUT_AUTO;
		else if ((int)v->layout + 1 < fits)
			v->layout++;
		else
			v->kinds = true, v->layout = LAYOUT_AUTO;
	} else {
		int k = LAYOUT_AUTO;
		while (k < LAYOUT_CHOICES && strcmp(layout_name((enum layout_choice)k), arg) != 0)
			k++;
		v->kinds = strcmp(arg, "kinds") == 0;
		if (k == LAYOUT_CHOICES && !v->kinds) {
			app_notice(a, "There is no such layout: auto, tiny, standard, large, wall "
				      "and kinds are.");
			return;
		}
		v->layout = v->kinds ? LAYOUT_AUTO : (enum layout_choice)k;
	}
	snprintf(text, sizeof text, "Layout %s.", v->kinds ? "kinds" : layout_name(v->layout));
	app_notice(a, text);
}

static void do_theme(struct app *a, const char *arg)
{
	struct buf err = {0};
	int i = 0;

	if (strcmp(arg, "next") == 0) {
		while (theme_names[i] && strcmp(theme_names[i], a->theme.name) != 0)
			i++;
		arg = theme_names[i] && theme_names[i + 1] ? theme_names[i + 1] : theme_names[0];
	}
	if (theme_load(&a->theme, arg[0] ? arg : "auto", &err)) {
		tty_set_theme(a->tty, &a->theme);
		buf_printf(&err, "Theme %s.", a->theme.name);
	}
	app_notice(a, buf_str(&err));
	buf_free(&err);
}

static void do_mouse(struct app *a, const char *arg)
{
	a->mouse = strcmp(arg, "on") == 0 || (strcmp(arg, "off") != 0 && !a->mouse);
	tty_mouse(a->tty, a->mouse);
	app_notice(a, a->mouse ? "The wheel scrolls; M gives the mouse back to the terminal."
			       : "The mouse is the terminal's.");
}

static void do_trace(struct app *a, const char *arg)
{
	static const char *const names[] = {"list", "ladder", "off"};
	int next = ((int)a->v.trace + 1) % 3;

	for (int i = 0; i < 3; i++)
		if (strcmp(arg, names[i]) == 0)
			next = i;
	a->v.trace = (enum trace_mode)next;
	if (next != TRACE_PANE_OFF)
		a->v.focus = PANE_TRACE;
	else if (a->v.focus == PANE_TRACE)
		a->v.focus = PANE_STAGE, a->v.zoom = false;
}

static void do_interrupt(struct app *a, const char *arg)
{
	(void)arg;
	if (a->v.playing) {
		a->v.playing = false;
		app_notice(a, "Stopped.");
		return;
	}
	app_notice(a, "Nothing is going on to be stopped. q quits.");
}

static void do_redraw(struct app *a, const char *arg)
{
	(void)arg;
	tty_redraw(a->tty);
}

static void do_suspend(struct app *a, const char *arg)
{
	(void)arg;
	a->v.playing = false;
	tty_suspend(a->tty);
}

static void do_quit(struct app *a, const char *arg)
{
	(void)arg;
	if (session_unsaved(a->session) && !a->v.quit_asked) {
		a->v.quit_asked = true;
		app_notice(
		    a,
		    "The recording is not saved. q again quits without it; :save FILE saves it.");
		return;
	}
	a->quit = true;
}

static void do_type(struct app *a, const char *arg)
{
	app_type(a, arg);
}

static void do_restart(struct app *a, const char *arg)
{
	do_goto_start(a, arg);
}

/* ---- dispatch ---- */

/* Longer names before their beginnings. */
static const struct {
	const char *name;
	void (*run)(struct app *a, const char *arg);
	bool takes_argument;
} commands[] = {
    {"continue", do_continue, false},
    {"back event", do_back_event, false},
    {"back command", do_back_command, false},
    {"back", do_back, false},
    {"step command", do_step_command, false},
    {"step", do_step, false},
    {"goto 0", do_goto_start, false},
    {"goto end", do_goto_end, false},
    {"restart demo", do_restart, false},
    {"play", do_play, true},
    {"pause", do_pause, false},
    {"faster", do_faster, false},
    {"slower", do_slower, false},
    {"demos", do_demos, false},
    {"type", do_type, true},
    {"leave", do_leave, false},
    {"none", do_none, false},
    {"stage", do_stage, false},
    {"focus", do_focus, true},
    {"zoom", do_zoom, true},
    {"move", do_move, true},
    {"details", do_details, false},
    {"follow", do_follow, false},
    {"view", do_view, true},
    {"find", do_find, true},
    {"keys", do_keys, false},
    {"branches", do_branches, false},
    {"choose", do_choose, false},
    {"why", do_why, false},
    {"blank", do_blank, false},
    {"reveal", do_reveal, false},
    {"say", do_say, true},
    {"ask", do_ask, true},
    {"layout", do_layout, true},
    {"theme", do_theme, true},
    {"mouse", do_mouse, true},
    {"trace", do_trace, true},
    {"interrupt", do_interrupt, false},
    {"redraw", do_redraw, false},
    {"suspend", do_suspend, false},
    {"quit", do_quit, false},
};

bool app_command(struct app *a, const char *command)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		size_t n = strlen(commands[i].name);
		if (strncmp(command, commands[i].name, n) != 0 || (command[n] && command[n] != ' '))
			continue;
		if (command[n] && !commands[i].takes_argument)
			continue;
		commands[i].run(a, command[n] ? command + n + 1 : "");
		return true;
	}
	return false;
}

/* ---- typed lines ---- */

/* etcdctl's own prompts for the parts of a transaction, which blank lines divide. */
static void prompt_for_block(struct app *a, const char *line)
{
	static const char *const part[] = {
	    "compares:", "success requests (get, put, del):", "failure requests (get, put, del):"};

	if (a->block < 0)
		a->block_part = 0;
	else if (!line[strspn(line, " ")] && a->block_part < 2)
		a->block_part++;
	a->block = a->block < 0 ? 1 : a->block + 1;
	snprintf(a->question, sizeof a->question, "%s ", part[a->block_part]);
}

static bool same_position(struct player_position a, struct player_position b)
{
	return a.input == b.input && a.event == b.event;
}

/* Is it a command that is about looking, whose output is a page rather than a reply? */
static bool is_for_reading(const char *line)
{
	static const char *const words[] = {"show",    "trace", "why",	  "help",  "check",
					    "history", "set",	"branch", "share", NULL};
	size_t n = strcspn(line, " \n");

	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == n && strncmp(words[i], line, n) == 0)
			return true;
	return false;
}

static void run_line(struct app *a, const char *line)
{
	struct buf out = {0}, err = {0};
	struct player_position before = player_at(a->p);
	enum session_result r = session_exec(a->session, bytes_of(line), &out, &err);

	a->p = session_player(a->session);
	if (r != SESSION_SCREEN && r != SESSION_MORE)
		moved(a);
	if (r == SESSION_MORE) {
		prompt_for_block(a, line);
	} else {
		a->block = -1;
		a->question[0] = 0;
	}
	if (r == SESSION_ERROR)
		app_notice(a, buf_str(&err));
	else if (r == SESSION_SCREEN && !app_command(a, line))
		app_notice(a, "The screen does not know that command.");
	else if (r == SESSION_QUIT)
		do_quit(a, "");
	else if (r == SESSION_OK && out.n &&
		 (is_for_reading(line) || same_position(before, player_at(a->p))))
		app_show_text(a, line, buf_bytes(&out));
	buf_free(&out);
	buf_free(&err);
}

void app_execute(struct app *a, const char *line)
{
	bool for_key = a->typed_for_key;

	line += strspn(line, " ");
	if (a->v.overlay == OVERLAY_TEXT || a->v.overlay == OVERLAY_HELP)
		a->v.overlay = OVERLAY_NONE;
	if (line[0] || a->block >= 0)
		run_line(a, line);
	if (for_key && a->block < 0)
		a->v.typing = a->typed_for_key = false;
}
