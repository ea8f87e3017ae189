/* Any bytes at all are words and flags, or a message that says what would be right. */
#include "base/die.h"
#include "cmd/parse.h"
#include "cmd/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse_command(const struct line *l, struct buf *err)
{
	struct parsed p = {0};
	size_t used = 0;
	const struct command_row *row = command_find(l->words.v, l->words.n, &used, err);

	check_that(row || err->n > 0);
	if (!row)
		return;
	check_that(used >= 1 && used <= l->words.n);
	check_that(parse_flags(&p, row, l->words.v + used, l->words.n - used, err) || err->n > 0);
	parsed_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes text = {.p = (const char *)data, .n = size};
	struct buf err = {0};
	struct line l = {0};

	if (!line_parse(&l, text, &err))
		check_that(err.n > 0);
	else if (l.words.n > 0)
		parse_command(&l, &err);
	line_free(&l);
	buf_free(&err);
	return 0;
}
