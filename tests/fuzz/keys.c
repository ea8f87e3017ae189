/* Any keys at all leave the line editor whole: what it shows has its cursor inside its text. */
#include "base/die.h"
#include "line/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct keys {
	const uint8_t *p;
	size_t n;
	struct line *line;
	struct buf why;
};

/* The fuzzer's bytes as keys: plain ones, and the editor's own above 0x80. */
static int next_key(void *arg, wchar_t *c)
{
	struct keys *k = arg;
	const struct line_view view = line_look(k->line);

	check_that(view.cursor <= view.length);
	if ((*c = line_pasted_key(k->line)))
		return 1;
	if (k->n == 0)
		return 0;
	*c = *k->p++;
	k->n--;
	if (*c != LINE_PASTE)
		return 1;
	line_paste(k->line, L"get /registry/ --prefix\nput", 26, &k->why);
	return next_key(arg, c);
}

static void complete(void *arg, struct bytes line, size_t cursor, size_t *start, struct buf *out)
{
	(void)arg;
	check_that(cursor <= line.n);
	*start = cursor;
	buf_puts(out, "put\npartition\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct keys keys = {.p = data, .n = size};
	const struct line_calls calls = {.key = next_key, .complete = complete, .arg = &keys};
	struct buf out = {0};

	keys.line = line_open(&calls, NULL);
	if (!keys.line)
		return 0;
	for (int got; (got = line_read(keys.line, &out)) != 0; buf_clear(&out))
		if (got == 1)
			line_history_add(keys.line, buf_str(&out));
	line_close(keys.line);
	buf_free(&out);
	buf_free(&keys.why);
	return 0;
}
