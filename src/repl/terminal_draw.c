/* How the line looks on a plain terminal: one row, and what does not fit is out of sight at the
 * left. */
#include "repl/terminal_private.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "script/scope.h"

void terminal_put(struct terminal *t)
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

static int width(void)
{
	struct winsize ws;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 20 ? ws.ws_col : 80;
}

/* Appends a character made safe. */
static void put_char(struct buf *out, wchar_t c)
{
	char utf8[4];
	int n = utf8_encode(utf8, (uint32_t)c);

	text_safe(out, (struct bytes){utf8, n > 0 ? (size_t)n : 0}, false);
}

static int columns_of(struct terminal *t, wchar_t c)
{
	if (c >= 0x20 && c < 0x7f)
		return 1;
	buf_clear(&t->safe);
	put_char(&t->safe, c);
	return text_columns(buf_bytes(&t->safe));
}

static int put_prompt(struct terminal *t, const wchar_t *own)
{
	struct buf prompt = {0};

	for (size_t i = 0; own[i]; i++)
		put_char(&prompt, own[i]);
	if (!prompt.n)
		buf_puts(&prompt, t->prompt);
	buf_putc(&t->row, '\r');
	buf_put_bytes(&t->row, buf_bytes(&prompt));
	int columns = text_columns(buf_bytes(&prompt));
	buf_free(&prompt);
	return columns;
}

/* From the cursor back as far as there is room, then on to the right. */
void terminal_draw(struct terminal *t)
{
	struct line_view v = line_look(t->line);
	int before = put_prompt(t, v.prompt), room = width() - before - 1, cursor = 0, used = 0;
	size_t from = v.cursor;

	while (from > 0) {
		int n = columns_of(t, v.text[from - 1]);
		if (cursor + n >= room)
			break;
		cursor += n;
		from--;
	}
	for (size_t i = from; i < v.length; i++) {
		used += columns_of(t, v.text[i]);
		if (used > room)
			break;
		put_char(&t->row, v.text[i]);
	}
	buf_printf(&t->row, "\033[K\r\033[%dC", before + cursor);
	terminal_put(t);
}

static int widest(struct bytes rest)
{
	struct bytes line;
	int most = 0;

	while (scope_next_line(&rest, &line)) {
		int n = text_columns(line);
		most = n > most ? n : most;
	}
	return most;
}

void terminal_list_candidates(struct terminal *t)
{
	struct bytes rest = bytes_of(line_look(t->line).candidates), line;
	int each = widest(rest) + 2, across = width() / each, column = 0;

	if (rest.n)
		buf_puts(&t->row, "\r\n");
	while (scope_next_line(&rest, &line)) {
		text_safe(&t->row, line, false);
		bool last = ++column >= across || rest.n == 0;
		for (int i = text_columns(line); !last && i < each; i++)
			buf_putc(&t->row, ' ');
		if (last)
			buf_puts(&t->row, "\r\n");
		column = last ? 0 : column;
	}
	terminal_put(t);
}

void terminal_refuse(struct terminal *t, const char *why)
{
	buf_putc(&t->row, '\a');
	if (why)
		buf_printf(&t->row, "\r\n%s\r\n", why);
	terminal_put(t);
}
