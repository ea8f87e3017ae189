/* Moving in time: keys and commands that step, go back, play, and start a demo. */
#include <string.h>

#include "ui/app.h"

/* Whatever moves ends the welcome, the answer and the last message. */
void app_moved(struct app *a)
{
	a->v.welcome = false;
	a->v.reveal = a->v.asks = false;
	a->v.said[0] = a->v.asked[0] = 0;
	buf_clear(&a->v.notice);
}

static void move(struct app *a, bool (*how)(struct player *), const char *at_end)
{
	a->v.playing = false;
	app_moved(a);
	if (!how(a->p))
		app_notice(a, at_end);
}

void app_start_demo(struct app *a, const char *which)
{
	struct buf err = {0};

	if (session_load_demo(a->session, which, &err)) {
		a->p = session_player(a->session);
		app_moved(a);
	}
	if (err.n)
		app_notice(a, buf_str(&err));
	buf_free(&err);
}

/* The first half of a step of a quiz.  False: the step itself is next. */
static bool ask_first(struct app *a)
{
	if (!a->v.quiz || a->v.asks || !player_next_question(a->p)[0])
		return false;
	app_moved(a);
	return a->v.asks = true;
}

bool app_play_step(struct app *a)
{
	if (ask_first(a))
		return true;
	app_moved(a);
	return player_step(a->p);
}

static void do_continue(struct app *a, const char *arg)
{
	(void)arg;
	if (a->v.playing) { /* SPACE pauses */
		a->v.playing = false;
		return;
	}
	if (a->v.welcome && player_steps(a->p) == 0) {
		app_start_demo(a, "1");
		return;
	}
	if (ask_first(a))
		return;
	const char *end = player_end_text(a->p);
	move(a, player_step,
	     end[0] ? end : "This is the end. : types a command, d chooses another demo.");
}

static void do_back(struct app *a, const char *arg)
{
	(void)arg;
	if (a->v.asks) /* the step has not run */
		app_moved(a);
	else
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
	app_moved(a);
	player_goto(a->p, 0, UINT64_MAX);
}

static void do_goto_end(struct app *a, const char *arg)
{
	(void)arg;
	app_moved(a);
	if (player_steps(a->p))
		player_goto(a->p, player_steps(a->p), 0);
	player_seek(a->p, player_end(a->p));
}

/* 2^speed steps in two seconds. */
static const struct {
	const char *name;
	int speed;
} speeds[] = {{"0.25", -2}, {"0.5", -1}, {"1", 0}, {"2", 1}, {"4", 2}, {"8", 3}, {"16", 4}};

static bool set_speed(struct app *a, const char *name)
{
	for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
		if (strcmp(speeds[i].name, name) == 0) {
			a->v.speed = speeds[i].speed;
			return true;
		}
	return false;
}

static void do_play(struct app *a, const char *arg)
{
	if (arg[0] && !set_speed(a, arg)) {
		app_notice(a, "There is no such speed: 0.25, 0.5, 1, 2, 4, 8 and 16 are.");
		return;
	}
	a->v.playing = arg[0] ? true : !a->v.playing;
	a->v.overlay = OVERLAY_NONE;
	a->due_ms = app_clock_ms() + app_play_interval_ms(a);
	if (a->v.playing && a->v.welcome)
		app_start_demo(a, "1");
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

static void do_restart(struct app *a, const char *arg)
{
	do_goto_start(a, arg);
}

/* Longer names before their beginnings. */
const struct app_command app_time_commands[] = {
    {.name = "continue", .run = do_continue},
    {.name = "back event", .run = do_back_event},
    {.name = "back command", .run = do_back_command},
    {.name = "back", .run = do_back},
    {.name = "step command", .run = do_step_command},
    {.name = "step", .run = do_step},
    {.name = "goto 0", .run = do_goto_start},
    {.name = "goto end", .run = do_goto_end},
    {.name = "restart demo", .run = do_restart},
    {.name = "play", .run = do_play, .takes_argument = true},
    {.name = "pause", .run = do_pause},
    {.name = "faster", .run = do_faster},
    {.name = "slower", .run = do_slower},
    {.name = NULL},
};
