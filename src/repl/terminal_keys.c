/* Bytes of a plain terminal as keys of the editor. */
#include "repl/terminal_private.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/signals.h"
#include "base/text.h"

enum { CTRL_C = 3, CTRL_Z = 26, ESCAPE = 27, ESCAPE_WAIT_MS = 30, PASTE_WAIT_MS = 500 };

/* The next byte; -1 if none comes in time (ms < 0: waits), -2 at the end or after a signal that
 * ends the program. */
static int next_byte(struct terminal *t, int ms)
{
	struct pollfd p[] = {{.fd = STDIN_FILENO, .events = POLLIN},
			     {.fd = signals_fd(), .events = POLLIN}};
	unsigned char c;

	if (t->npending) {
		c = (unsigned char)t->pending[0];
		memmove(t->pending, t->pending + 1, --t->npending);
		return c;
	}
	for (;;) {
		if (signals_ending())
			return -2;
		int n = poll(p, 2, ms);
		if (n == 0)
			return -1;
		if (n < 0 && errno != EINTR)
			return -2;
		if (n > 0 && p[0].revents)
			return read(STDIN_FILENO, &c, 1) == 1 ? c : -2;
		signals_drain();
		terminal_draw(t);
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

/* Bracketed paste: everything up to ESC [ 201 ~.  False: Ctrl-C.  A terminal that forgets the end
 * has 500 ms for each byte. */
static bool collect_paste(struct terminal *t)
{
	static const char end[] = "\033[201~";
	size_t matched = 0;

	t->pasted.n = 0;
	while (matched < sizeof end - 1) {
		int b = next_byte(t, PASTE_WAIT_MS);
		wchar_t w = b;
		if (b < 0)
			break;
		if (b == CTRL_C)
			return false;
		matched = b == end[matched] ? matched + 1 : b == end[0];
		bool blank = b == '\n' || b == '\r' || b == '\t';
		if (matched || (!blank && (b < 32 || !read_character(t, b, &w))))
			continue;
		if (t->pasted.n <= LINE_PASTE_MAX)
			vec_push(&t->pasted, w);
	}
	return true;
}

static void read_paste(struct terminal *t)
{
	struct buf why = {0};

	if (collect_paste(t) && t->pasted.n && !line_paste(t->line, t->pasted.v, t->pasted.n, &why))
		terminal_refuse(t, buf_str(&why));
	buf_free(&why);
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

	if (final == '~' && number == 200) {
		read_paste(t);
		return false; /* its keys come from line_pasted_key */
	}
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

/* Ctrl-Z: the shell gets its terminal as it was, and we get it back afterwards. */
static void stop_myself(struct terminal *t)
{
	terminal_set_modes(t, false);
	signals_stop();
	terminal_set_modes(t, true);
}

bool terminal_key(struct terminal *t, wchar_t *c)
{
	for (;;) {
		terminal_draw(t);
		if ((*c = line_pasted_key(t->line)))
			return true;
		terminal_set_modes(t, true);
		int b = next_byte(t, -1);
		if (b < 0)
			return false;
		if (b == CTRL_C)
			return *c = LINE_CANCEL, true;
		if (b == CTRL_Z)
			stop_myself(t);
		else if (b == ESCAPE ? read_escape(t, c) : read_character(t, b, c))
			return true;
	}
}
