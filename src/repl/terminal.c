/* A line of input on a plain terminal (terminal-notes 2).
 *
 * The terminal is raw only while a key is waited for; while a command runs it is as it was found,
 * so that Ctrl-C is a signal then.
 */
#include "repl/terminal_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/signals.h"
#include "cmd/table.h"
#include "session/files.h"

void terminal_set_modes(struct terminal *t, bool raw)
{
	static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

	if (t->raw == raw)
		return;
	if (raw)
		signals_set_restore(paste_off, sizeof paste_off - 1, &t->found);
	tcsetattr(STDIN_FILENO, TCSADRAIN, raw ? &t->raw_modes : &t->found);
	buf_puts(&t->row, raw ? paste_on : paste_off);
	terminal_put(t);
	t->raw = raw;
	if (!raw)
		signals_set_restore(NULL, 0, NULL);
}

/* --- what the editor asks for */

static int read_key(void *arg, wchar_t *c)
{
	struct terminal *t = arg;

	terminal_list_candidates(t);
	return terminal_key(t, c);
}

static void complete(void *arg, struct bytes line, size_t cursor, size_t *start, struct buf *out)
{
	struct terminal *t = arg;

	command_complete(player_world(t->player), line, cursor, start, out);
}

static void full(void *arg, bool first)
{
	terminal_refuse(arg, first ? "The line is full: 1000 characters fit." : NULL);
}

/* --- front door */

static void load_history(struct terminal *t)
{
	if (!files_state(&t->history))
		return;
	files_make_folder(buf_str(&t->history));
	buf_puts(&t->history, "/history");
	line_history_load(t->line, buf_str(&t->history));
}

struct terminal *terminal_open(struct player *p)
{
	const char *term = getenv("TERM");
	struct termios found;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !term || !*term ||
	    strcmp(term, "dumb") == 0 || tcgetattr(STDIN_FILENO, &found) < 0)
		return NULL;
	struct terminal *t = xcalloc(1, sizeof *t);
	struct line_calls calls = {.key = read_key, .complete = complete, .full = full, .arg = t};
	t->player = p;
	t->found = t->raw_modes = found;
	t->raw_modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	t->raw_modes.c_iflag &= ~(tcflag_t)(ICRNL | IXON | ISTRIP);
	t->line = line_open(&calls, &found);
	if (!t->line) {
		free(t);
		return NULL;
	}
	load_history(t);
	return t;
}

int terminal_read(struct terminal *t, const char *prompt, struct buf *line)
{
	t->prompt = prompt;
	int result = line_read(t->line, line);
	buf_puts(&t->row, "\r\n");
	terminal_put(t);
	terminal_set_modes(t, false);
	if (result == 1 && line->n && line->p[0] != ' ')
		line_history_add(t->line, buf_str(line));
	return result;
}

void terminal_drop_pasted(struct terminal *t)
{
	if (t)
		line_drop_pasted(t->line);
}

void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	if (t->history.n)
		line_history_save(t->line, buf_str(&t->history));
	line_close(t->line);
	vec_free(&t->pasted);
	buf_free(&t->history);
	buf_free(&t->row);
	buf_free(&t->safe);
	free(t);
}
