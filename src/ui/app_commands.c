/* Commands of the screen: which there are, and what a typed line does.  Keys are short for them
 * (keys.c). */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/screen_setting.h"
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

/* ---- the line ---- */

void app_type(struct app *a, const char *text)
{
	if (!a->line) {
		app_notice(a, "No command line: the system gave no pseudo-terminal.");
		return;
	}
	a->v.typing = true;
	a->v.playing = false;
	line_set(a->line, text);
}

void app_leave_line(struct app *a)
{
	a->v.typing = false;
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

static void do_type(struct app *a, const char *arg)
{
	app_type(a, arg);
}

/* The command line. */
static const struct app_command line_commands[] = {
    {.name = "type", .run = do_type, .takes_argument = true},
    {.name = "leave", .run = do_leave},
    {.name = "none", .run = do_none},
    {.name = NULL},
};

/* ---- dispatch ---- */

/* Runs a row of a table if it has the command. */
static bool run_from(struct app *a, const struct app_command *table, const char *command)
{
	for (; table->name; table++) {
		size_t n = strlen(table->name);
		if (strncmp(command, table->name, n) != 0 || (command[n] && command[n] != ' '))
			continue;
		if (command[n] && !table->takes_argument)
			continue;
		table->run(a, command[n] ? command + n + 1 : "");
		return true;
	}
	return false;
}

bool app_command(struct app *a, const char *command)
{
	return run_from(a, app_time_commands, command) || run_from(a, app_pane_commands, command) ||
	       run_from(a, app_screen_commands, command) || run_from(a, line_commands, command);
}

/* ---- typed lines ---- */

/* etcdctl's own prompts for the parts of a transaction, which blank lines divide; watch -i has one,
 * a password one a line. */
static void prompt_for_block(struct app *a, const char *line)
{
	static const char *const part[] = {"compares:",
					   "success requests (get, put, del):",
					   "failure requests (get, put, del):",
					   "watch KEY ..., progress, end:",
					   "password:",
					   "password, again:"};
	static const int first[] = {
	    [BLOCK_WATCH] = 3, [BLOCK_PASSWORD] = 4, [BLOCK_PASSWORD_TWICE] = 4};

	if (a->block < 0)
		a->block_part = first[shell_opens_block(bytes_of(line))];
	else if (a->block_part == 4 || (!line[strspn(line, " ")] && a->block_part < 2))
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

/* `set quiz on`: what is chosen for the screen and is no part of a world.  False: it is another
 * command. */
static bool set_screen(struct app *a, const char *line)
{
	char name[16], value[128] = "", rest[2];
	int n = sscanf(line, "set %15s %127s %1s", name, value, rest);
	const struct screen_setting *row = n == 2 ? screen_setting(name) : NULL;
	struct buf command = {0}, err = {0};

	if (!row)
		return false;
	if (screen_setting_takes(row, bytes_of(value), &err)) {
		buf_printf(&command, "%s %s", name, value);
		app_command(a, buf_str(&command));
	} else {
		app_notice(a, buf_str(&err));
	}
	buf_free(&command);
	buf_free(&err);
	return true;
}

static void run_line(struct app *a, const char *line)
{
	struct buf out = {0}, err = {0};
	struct player_position before = player_at(a->p);
	enum session_result r = session_exec(a->session, bytes_of(line), &out, &err);

	a->p = session_player(a->session);
	if (r != SESSION_SCREEN && r != SESSION_MORE)
		app_moved(a);
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
		app_command(a, "quit");
	else if (r == SESSION_OK && out.n &&
		 (is_for_reading(line) || same_position(before, player_at(a->p))))
		app_show_text(a, line, buf_bytes(&out));
	if (r == SESSION_OK && err.n)
		app_notice(a, buf_str(&err));
	else if (r == SESSION_OK && session_notice(a->session)[0])
		app_notice(a, session_notice(a->session));
	buf_free(&out);
	buf_free(&err);
}

void app_execute(struct app *a, const char *line)
{
	line += strspn(line, " ");
	if ((a->v.overlay == OVERLAY_TEXT && strncmp(line, "find ", 5) != 0) ||
	    a->v.overlay == OVERLAY_HELP)
		a->v.overlay = OVERLAY_NONE;
	if (a->block >= 0 || (line[0] && !set_screen(a, line)))
		run_line(a, line);
	if (a->block < 0) /* a block needs its next line; else the stage has the keys again */
		a->v.typing = false;
}
