/* A command as the client pane writes it (request_text.h). */
#include "ui/request_text.h"

#include <string.h>

const char *without_actor(const char *command)
{
	if (strncmp(command, "as ", 3) != 0)
		return command;
	command += 3 + strspn(command + 3, " ");
	command += strcspn(command, " ");
	return command + strspn(command, " ");
}

/* The end of a word of a transaction, quotes and parentheses apart. */
static size_t word_end(const char *text)
{
	return strcspn(text, " \"'(");
}

/* txn if mod = 2 then put v2 else get: without quotes and keys, where the whole is too long. */
static void put_short_txn(struct buf *out, const char *text)
{
	bool key_follows = false;

	while (*text) {
		size_t n = word_end(text);
		if (*text == '(') {
			text += strcspn(text, ")");
			text += *text == ')';
		} else if (n == 0) {
			if (*text == ' ' && !key_follows && out->n && out->p[out->n - 1] != ' ')
				buf_putc(out, ' ');
			text++;
		} else if (key_follows) {
			key_follows = false;
			text += n;
		} else {
			buf_add(out, text, n);
			key_follows = n == 3 && (strncmp(text, "put", 3) == 0 ||
						 strncmp(text, "get", 3) == 0 ||
						 strncmp(text, "del", 3) == 0);
			text += n;
		}
	}
}

void put_request(struct buf *out, const struct canvas *c, const char *command, int w)
{
	struct buf one = {0};
	const char *txn;

	for (; *command; command++)
		buf_putc(&one, *command == '\n' ? ' ' : *command);
	txn = without_actor(buf_str(&one));
	if (canvas_width(c, buf_bytes(&one)) <= w || strncmp(txn, "txn ", 4) != 0) {
		buf_puts(out, buf_str(&one));
	} else {
		buf_add(out, buf_str(&one), (size_t)(txn - buf_str(&one)));
		put_short_txn(out, txn);
	}
	buf_free(&one);
}
