/* The screen as a whole: layout, theme, mouse, blank, redraw, suspend, quit. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "session/files.h"
#include "ui/app.h"

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

void app_say(struct app *a, const char *text)
{
	say(a->v.said, sizeof a->v.said, text);
}

static void do_say(struct app *a, const char *arg)
{
	app_say(a, arg);
}

static void do_ask(struct app *a, const char *arg)
{
	say(a->v.asked, sizeof a->v.asked, arg);
}

/* Kept for the next start. */
static void keep(struct app *a, const char *setting, const char *value, struct buf *said)
{
	struct buf err = {0};

	if (!session_set_setting(a->session, setting, value, &err))
		buf_printf(said, " It is not kept: %s", buf_str(&err));
	buf_free(&err);
}

static void next_layout(struct app *a)
{
	struct view *v = &a->v;
	int fits = (int)layout_for(a->scene.l.columns, a->scene.l.rows);

	if (v->kinds)
		v->kinds = false, v->layout = LAYOUT_AUTO;
	else if ((int)v->layout + 1 < fits)
		v->layout++;
	else
		v->kinds = true, v->layout = LAYOUT_AUTO;
}

bool app_choose_layout(struct app *a, const char *name)
{
	bool kinds = name && strcmp(name, "kinds") == 0;
	int k = LAYOUT_AUTO;

	while (name && !kinds && k < LAYOUT_CHOICES &&
	       strcmp(layout_name((enum layout_choice)k), name) != 0)
		k++;
	if (!name || k == LAYOUT_CHOICES)
		return false;
	a->v.kinds = kinds;
	a->v.layout = (enum layout_choice)k;
	return true;
}

static void do_layout(struct app *a, const char *arg)
{
	struct buf said = {0};

	if (strcmp(arg, "next") == 0 || !arg[0]) {
		next_layout(a);
	} else if (!app_choose_layout(a, arg)) {
		app_notice(a, "There is no such layout: auto, tiny, standard, large, wall and "
			      "kinds are.");
		return;
	}
	const char *name = a->v.kinds ? "kinds" : layout_name(a->v.layout);
	buf_printf(&said, "Layout %s.", name);
	keep(a, "layout", name, &said);
	app_notice(a, buf_str(&said));
	buf_free(&said);
}

void app_show_theme(struct app *a)
{
	tty_set_theme(a->tty, &a->theme);
	a->v.theme = a->theme.name;
	a->v.uncommitted_underlined = (a->theme.look[STYLE_UNCOMMITTED].attr & ATTR_UNDERLINE) != 0;
}

/* A file is found again from another folder. */
static void keep_theme(struct app *a, const char *name, struct buf *said)
{
	struct buf whole = {0};

	if (strchr(name, '/'))
		files_absolute(&whole, name);
	else
		buf_puts(&whole, name);
	keep(a, "theme", buf_str(&whole), said);
	buf_free(&whole);
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
	if (!arg[0])
		arg = "auto";
	if (theme_load(&a->theme, arg, &err)) {
		app_show_theme(a);
		buf_printf(&err, "Theme %s.", a->theme.name);
		keep_theme(a, arg, &err);
	}
	app_notice(a, buf_str(&err));
	buf_free(&err);
}

/* "on", "off", or the other one. */
static bool switched(bool now, const char *arg)
{
	return strcmp(arg, "on") == 0 || (strcmp(arg, "off") != 0 && !now);
}

static void do_quiz(struct app *a, const char *arg)
{
	a->v.quiz = switched(a->v.quiz, arg);
	a->v.asks = a->v.reveal = false;
	app_notice(a, a->v.quiz ? "Quiz: SPACE asks first, and then shows the step and the answer."
				: "No quiz.");
}

static void do_notes(struct app *a, const char *arg)
{
	a->v.notes = switched(a->v.notes, arg);
	app_notice(a, a->v.notes ? "Notes: the story has the answer and the next command."
				 : "No notes.");
}

static void do_pgdn(struct app *a, const char *arg)
{
	a->v.pgdn_steps = strcmp(arg, "step") == 0;
	app_notice(a, a->v.pgdn_steps ? "PgDn and PgUp step, whatever has the focus."
				      : "PgDn and PgUp move in the pane that has the focus.");
}

static void do_mouse(struct app *a, const char *arg)
{
	a->mouse = switched(a->mouse, arg);
	struct buf said = {0};

	tty_mouse(a->tty, a->mouse);
	buf_puts(&said, a->mouse ? "The mouse presses and scrolls; M gives it back to the terminal."
				 : "The mouse is the terminal's.");
	keep(a, "mouse", a->mouse ? "on" : "off", &said);
	app_notice(a, buf_str(&said));
	buf_free(&said);
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

/* The screen as a whole. */
const struct app_command app_screen_commands[] = {
    {.name = "blank", .run = do_blank},
    {.name = "reveal", .run = do_reveal},
    {.name = "say", .run = do_say, .takes_argument = true},
    {.name = "ask", .run = do_ask, .takes_argument = true},
    {.name = "layout", .run = do_layout, .takes_argument = true},
    {.name = "theme", .run = do_theme, .takes_argument = true},
    {.name = "quiz", .run = do_quiz, .takes_argument = true},
    {.name = "notes", .run = do_notes, .takes_argument = true},
    {.name = "pgdn", .run = do_pgdn, .takes_argument = true},
    {.name = "mouse", .run = do_mouse, .takes_argument = true},
    {.name = "trace", .run = do_trace, .takes_argument = true},
    {.name = "interrupt", .run = do_interrupt},
    {.name = "redraw", .run = do_redraw},
    {.name = "suspend", .run = do_suspend},
    {.name = "quit", .run = do_quit},
    {.name = NULL},
};
