/* A line of input on a plain terminal (terminal-notes 2).
 *
 * The terminal is raw only while a line is being read; while a command runs it is as it was found,
 * so that Ctrl-C is a signal then.  The line is one row: what does not fit is moved out of sight at
 * the left.
 */
#include "repl/terminal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "cmd/table.h"
#include "session/files.h"

enum { ESCAPE = 27, ESCAPE_WAIT_MS = 30, PASTE_MAX = 4096 };

struct terminal {
	struct line *line;
	struct player *player;
	struct termios found, raw;
	const char *prompt;
	char pending[16]; /* bytes read and not yet used */
	size_t npending;
	bool cancelled;
	struct buf history, row;
};

/* --- signals */

static volatile sig_atomic_t interrupted, ended_by;
static struct termios at_death;
static bool have_at_death;

static void on_signal(int number)
{
	if (number == SIGINT)
		interrupted = 1;
	else
		ended_by = number;
}

volatile sig_atomic_t *terminal_interrupt_flag(void)
{
	return &interrupted;
}

int terminal_ended_by(void)
{
	return ended_by;
}

void terminal_catch_signals(void)
{
	struct sigaction a = {.sa_handler = on_signal};

	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGHUP, &a, NULL);
}

static void put_right(void)
{
	if (have_at_death)
		tcsetattr(STDIN_FILENO, TCSANOW, &at_death);
}

/* --- drawing */

static void put(struct terminal *t)
{
	size_t at = 0;

	while (at < t->row.n) {
		ssize_t n = write(STDOUT_FILENO, t->row.p + at, t->row.n - at);
		if (n <= 0)
			break;
		at += (size_t)n;
	}
	buf_clear(&t->row);
}

/* Appends a character made safe; returns its columns. */
static int put_char(struct buf *out, wchar_t c)
{
	char utf8[4];
	struct buf safe = {0};
	int n = utf8_encode(utf8, (uint32_t)c);

	text_safe(&safe, (struct bytes){utf8, n > 0 ? (size_t)n : 0}, false);
	int columns = text_columns(buf_bytes(&safe));
	buf_put_bytes(out, buf_bytes(&safe));
	buf_free(&safe);
	return columns;
}

static int columns_of(const wchar_t *text, size_t n)
{
	struct buf ignored = {0};
	int columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += put_char(&ignored, text[i]);
	buf_free(&ignored);
	return columns;
}

static int width(void)
{
	struct winsize ws;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 20 ? ws.ws_col : 80;
}

static void draw(struct terminal *t)
{
	struct line_view v = line_look(t->line);
	struct buf prompt = {0};
	size_t from = 0;

	for (size_t i = 0; v.prompt[i]; i++)
		put_char(&prompt, v.prompt[i]);
	if (!prompt.n)
		buf_puts(&prompt, t->prompt);
	int before = text_columns(buf_bytes(&prompt)), room = width() - before - 1;
	while (from < v.cursor && columns_of(v.text + from, v.cursor - from) >= room)
		from++;
	buf_putc(&t->row, '\r');
	buf_put_bytes(&t->row, buf_bytes(&prompt));
	int used = 0;
	for (size_t i = from; i < v.length && used + columns_of(v.text + i, 1) <= room; i++)
		used += put_char(&t->row, v.text[i]);
	buf_printf(&t->row, "\033[K\r\033[%dC",
		   before + columns_of(v.text + from, v.cursor - from));
	put(t);
	buf_free(&prompt);
}

/* Completions are listed above the line, once. */
static void list_candidates(struct terminal *t)
{
	struct bytes rest = bytes_of(line_look(t->line).candidates), line;
	int widest = 0, column = 0;

	for (struct bytes r = rest; scope_next_line(&r, &line);) {
		int n = text_columns(line);
		widest = n > widest ? n : widest;
	}
	int across = width() / (widest + 2);
	if (rest.n)
		buf_puts(&t->row, "\r\n");
	while (scope_next_line(&rest, &line)) {
		text_safe(&t->row, line, false);
		bool last = ++column >= across || rest.n == 0;
		for (int i = text_columns(line); !last && i < widest + 2; i++)
			buf_putc(&t->row, ' ');
		if (last)
			buf_puts(&t->row, "\r\n");
		column = last ? 0 : column;
	}
	put(t);
}

/* --- keys */

/* The next byte; -1 if none comes in time (ms < 0: waits), -2 at the end or after a signal that
 * ends it. */
static int next_byte(struct terminal *t, int ms)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	unsigned char c;

	if (t->npending) {
		c = (unsigned char)t->pending[0];
		memmove(t->pending, t->pending + 1, --t->npending);
		return c;
	}
	for (;;) {
		if (ended_by)
			return -2;
		int n = poll(&p, 1, ms);
		if (n == 0)
			return -1;
		if (n < 0 && errno != EINTR)
			return -2;
		if (n > 0)
			return read(STDIN_FILENO, &c, 1) == 1 ? c : -2;
		draw(t);
	}
}

static void give_back(struct terminal *t, int c)
{
	if (c >= 0 && t->npending < sizeof t->pending)
		t->pending[t->npending++] = (char)c;
}

static bool read_character(struct terminal *t, int first, wchar_t *c)
{
	char s[4] = {(char)first};
	size_t n = 1, want = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
	uint32_t code;

	while (n < want) {
		int next = next_byte(t, ESCAPE_WAIT_MS);
		if (next < 0)
			break;
		s[n++] = (char)next;
	}
	/* C1 codes are the editor's names for keys; from outside they are dropped. */
	if (utf8_decode(s, n, &code) == 0 || (code >= 0x80 && code < 0xa0))
		return false;
	*c = (wchar_t)code;
	return true;
}

/* Bracketed paste: everything up to ESC [ 201 ~, as text. */
static bool read_paste(struct terminal *t, wchar_t *c)
{
	static const char end[] = "\033[201~";
	wchar_t *text = xcalloc(PASTE_MAX + 1, sizeof *text);
	size_t n = 0, matched = 0;

	while (matched < sizeof end - 1) {
		int b = next_byte(t, -1);
		wchar_t w = 0;
		if (b < 0)
			break;
		matched = b == end[matched] ? matched + 1 : b == end[0];
		if (b == '\n' || b == '\r' || b == '\t')
			w = L' ';
		else if (matched || b < 32 || !read_character(t, b, &w))
			continue;
		if (n < PASTE_MAX)
			text[n++] = w;
	}
	line_paste(t->line, text);
	free(text);
	*c = LINE_PASTE;
	return true;
}

static bool named_key(struct terminal *t, int number, char final, wchar_t *c)
{
	static const struct {
		char final;
		int number;
		enum line_key key;
	} keys[] = {{'A', 0, LINE_UP},	 {'B', 0, LINE_DOWN},	{'C', 0, LINE_RIGHT},
		    {'D', 0, LINE_LEFT}, {'H', 0, LINE_HOME},	{'F', 0, LINE_END},
		    {'~', 1, LINE_HOME}, {'~', 3, LINE_DELETE}, {'~', 4, LINE_END},
		    {'~', 7, LINE_HOME}, {'~', 8, LINE_END}};

	if (final == '~' && number == 200)
		return read_paste(t, c);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].final == final && (final != '~' || keys[i].number == number)) {
			*c = (wchar_t)keys[i].key;
			return true;
		}
	return false;
}

/* What follows ESC: the sequence of a key, or a character typed with Alt, which the editor gets as
 * it is. */
static bool read_escape(struct terminal *t, wchar_t *c)
{
	int next = next_byte(t, ESCAPE_WAIT_MS), number = 0;

	*c = ESCAPE;
	if (next != '[' && next != 'O') {
		give_back(t, next);
		return true;
	}
	int final = next_byte(t, ESCAPE_WAIT_MS);
	while (final >= 0x20 && final < 0x40) {
		number =
		    final >= '0' && final <= '9' && number < 1000 ? number * 10 + final - '0' : 0;
		final = next_byte(t, ESCAPE_WAIT_MS);
	}
	return final >= 0 && named_key(t, number, (char) final, c);
}

static void set_modes(struct terminal *t, bool raw)
{
	static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

	tcsetattr(STDIN_FILENO, TCSADRAIN, raw ? &t->raw : &t->found);
	buf_puts(&t->row, raw ? paste_on : paste_off);
	put(t);
}

/* Ctrl-Z: the shell gets its terminal as it was, and we get it back afterwards. */
static void stop_myself(struct terminal *t)
{
	set_modes(t, false);
	kill(0, SIGTSTP);
	set_modes(t, true);
}

static int read_key(void *arg, wchar_t *c)
{
	struct terminal *t = arg;

	list_candidates(t);
	for (;;) {
		draw(t);
		int b = next_byte(t, -1);
		if (b < 0)
			return 0;
		if (b == 26) {
			stop_myself(t);
			continue;
		}
		if (b == 3) {
			*c = LINE_CANCEL;
			return 1;
		}
		if (b == ESCAPE ? read_escape(t, c) : read_character(t, b, c))
			return 1;
	}
}

static void complete(void *arg, struct bytes line, size_t cursor, size_t *start, struct buf *out)
{
	struct terminal *t = arg;

	command_complete(player_world(t->player), line, cursor, start, out);
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
	struct line_calls calls = {.key = read_key, .complete = complete, .arg = t};
	t->player = p;
	t->found = t->raw = at_death = found;
	t->raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	t->raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON | ISTRIP);
	t->line = line_open(&calls, &found);
	if (!t->line) {
		free(t);
		return NULL;
	}
	have_at_death = true;
	die_set_hook(put_right);
	load_history(t);
	return t;
}

int terminal_read(struct terminal *t, const char *prompt, struct buf *line)
{
	t->prompt = prompt;
	set_modes(t, true);
	int result = line_read(t->line, line);
	buf_puts(&t->row, "\r\n");
	set_modes(t, false);
	if (result == 1 && line->n && line->p[0] != ' ')
		line_history_add(t->line, buf_str(line));
	return result;
}

void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	if (t->history.n)
		line_history_save(t->line, buf_str(&t->history));
	line_close(t->line);
	buf_free(&t->history);
	buf_free(&t->row);
	free(t);
	have_at_death = false;
}
