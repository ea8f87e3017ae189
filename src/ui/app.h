/* The running screen: what app.c (the loop) and app_commands.c (what keys and typed commands do)
 * share. */
#ifndef UI_APP_H
#define UI_APP_H

#include "line/line.h"
#include "ui/scene.h"
#include "ui/tty.h"
#include "ui/ui.h"

enum { APP_FIFO = 16 };

struct app {
	struct session *session;
	struct player *p; /* the session's */
	struct tty *tty;
	struct line *line; /* NULL: no pseudo-terminal could be had, so nothing can be typed */
	struct view v;
	struct theme theme;
	struct canvas canvas;
	struct scene scene;	 /* of the last frame */
	struct buf prompt, hint; /* what the view points to */
	char question[64];	 /* prompt of a block: "compares:" */
	int block;		 /* lines of a block so far; -1: none */
	int block_part;
	wchar_t fifo[APP_FIFO]; /* keys for the editor */
	unsigned head, tail;
	bool ascii, mouse, test_mode, quit;
	unsigned barrier;
	int64_t due_ms; /* next step while playing */
};

/* A command of the screen.  A table ends with a row without a name; longer names stand before their
 * beginnings. */
struct app_command {
	const char *name;
	void (*run)(struct app *a, const char *arg); /* arg: what stands behind the name; "" */
	bool takes_argument;
};
extern const struct app_command app_time_commands[], app_pane_commands[], app_screen_commands[];

/* Runs the command that a key or a typed line names.  False: it is not one of the screen's or the
 * player's moves. */
bool app_command(struct app *a, const char *command);
/* Runs a line through the session, shows what it printed. */
void app_execute(struct app *a, const char *line);
/* The theme of a has been chosen: terminal and help show it. */
void app_show_theme(struct app *a);
/* False: there is no layout of that name (NULL: none). */
bool app_choose_layout(struct app *a, const char *name);
void app_notice(struct app *a, const char *text);
/* In place of the story, until something moves. */
void app_say(struct app *a, const char *text);
void app_type(struct app *a, const char *text);
void app_leave_line(struct app *a);
/* Scrolls a pane, which gets the focus, if there is anything to scroll; how: "move up". */
void app_scroll(struct app *a, enum pane p, const char *how);
int64_t app_clock_ms(void);
int app_play_interval_ms(const struct app *a);
/* Whatever moves in time ends the welcome, the answer and the last message. */
void app_moved(struct app *a);
/* What SPACE does while the script plays by itself; false: this is the end. */
bool app_play_step(struct app *a);
void app_start_demo(struct app *a, const char *which);
/* Opens a page of text over the panes. */
void app_show_text(struct app *a, const char *title, struct bytes text);

#endif
