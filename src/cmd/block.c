#include "cmd/block.h"

#include <string.h>

#include "cmd/go_number.h"
#include "cmd/parse.h"
#include "cmd/password.h"
#include "cmd/rows.h"

/* `txn` without if or then as its first word that is no flag, and not for its help. */
static bool is_open_txn(const struct command_row *row, const struct bytes *words, size_t n)
{
	size_t i = 0, width;

	for (; (width = flag_width(row, words + i, n - i)) > 0; i += width)
		if (bytes_is(words[i], "--help") || bytes_is(words[i], "-h"))
			return false;
	return i >= n || !(bytes_is(words[i], "if") || bytes_is(words[i], "then"));
}

/* "-i", "--interactive", "-i=1", "--interactive=T"; *on: what it says. */
static bool is_interactive_flag(struct bytes word, bool *on)
{
	static const char *const names[] = {"-i", "--interactive"};

	for (int k = 0; k < 2; k++) {
		size_t n = strlen(names[k]);
		if (word.n < n || memcmp(word.p, names[k], n) != 0)
			continue;
		*on = true;
		if (word.n == n ||
		    (word.p[n] == '=' &&
		     go_parse_bool((struct bytes){word.p + n + 1, word.n - n - 1}, on, NULL)))
			return true;
	}
	return false;
}

/* `watch` with -i, wherever it stands; of several the last one counts. */
static bool is_interactive(const struct bytes *words, size_t n)
{
	bool on = false, said;

	for (size_t i = 0; i < n && !bytes_is(words[i], "--"); i++)
		if (is_interactive_flag(words[i], &said))
			on = said;
	return on;
}

/* A password that is not in the command's words. */
static enum shell_block opens_password(const struct command_row *row, const struct bytes *words,
				       size_t n)
{
	struct parsed p = {0};
	struct buf err = {0};
	unsigned lines = parse_flags(&p, row, words, n, &err) && !p.help ? password_lines(&p) : 0;

	parsed_free(&p);
	buf_free(&err);
	return lines == 2 ? BLOCK_PASSWORD_TWICE : lines == 1 ? BLOCK_PASSWORD : BLOCK_NONE;
}

enum shell_block block_opens(const struct command_row *row, const struct bytes *words, size_t n)
{
	if (row == &cmd_txn)
		return is_open_txn(row, words, n) ? BLOCK_TXN : BLOCK_NONE;
	if (row == &cmd_watch)
		return is_interactive(words, n) ? BLOCK_WATCH : BLOCK_NONE;
	if (row == &cmd_user_add || row == &cmd_user_passwd)
		return opens_password(row, words, n);
	return BLOCK_NONE;
}

/* A word that begins at p: short for txn or user, or -i. */
static bool may_be_word(const char *p, const char *end)
{
	static const char *const names[] = {"txn", "user"};
	size_t dashes = end - p > 1 && p[1] == '-' ? 2 : 1;

	if (*p == '-')
		return p + dashes < end && p[dashes] == 'i';
	for (size_t i = 0; i < 2; i++) {
		size_t n = 0;
		while (names[i][n] && p + n < end && p[n] == names[i][n])
			n++;
		if (n && (p + n == end || strchr(" \t\r\n", p[n])))
			return true;
	}
	return false;
}

bool block_may_open(struct bytes line)
{
	const char *end = line.p + line.n;

	for (const char *p = line.p; p < end; p++)
		if ((*p == 't' || *p == 'u' || *p == '-') &&
		    (p == line.p || strchr(" \t\n", p[-1])) && may_be_word(p, end))
			return true;
	return false;
}

static size_t lines_of(enum shell_block kind)
{
	return kind == BLOCK_PASSWORD ? 1 : kind == BLOCK_PASSWORD_TWICE ? 2 : 0;
}

static bool ends_with_end(struct bytes rest)
{
	return rest.n >= 4 && memcmp(rest.p + rest.n - 4, "\nend", 4) == 0;
}

bool shell_block_goes_on(enum shell_block kind, struct bytes rest)
{
	size_t lines = lines_of(kind);

	if (!lines)
		return kind && !ends_with_end(rest);
	for (size_t i = 0; lines && i < rest.n; i++)
		lines -= rest.p[i] == '\n';
	return lines > 0;
}

/* A line that is not there is an empty one, as at the end of etcdctl's input. */
static bool take_lines(struct bytes *block, struct bytes rest, size_t lines, struct buf *err)
{
	size_t end = rest.n > 0; /* behind the newline of the command's own line */

	for (*block = (struct bytes){rest.p + end, 0}; lines && end < rest.n; end++)
		lines -= rest.p[end] == '\n';
	block->n = end - (rest.n > 0);
	for (; end < rest.n; end++)
		if (!strchr(" \t\r\n", rest.p[end])) {
			buf_puts(err, "lines follow those of the password");
			return false;
		}
	return true;
}

bool block_take(struct bytes *block, struct bytes rest, enum shell_block kind, struct buf *err)
{
	if (lines_of(kind))
		return take_lines(block, rest, lines_of(kind), err);
	while (rest.n && rest.p[rest.n - 1] == '\n')
		rest.n--;
	if (!ends_with_end(rest)) {
		buf_puts(err, kind == BLOCK_TXN
				  ? "the transaction is not ended: a line `end` is missing (or "
				    "write it in one line: txn if ... then ... else ...)"
				  : "the lines of watch -i are not ended: a line `end` is missing");
		return false;
	}
	/* From behind the first newline to the one before `end`, that one included. */
	*block = (struct bytes){rest.p + 1, rest.n - 4};
	return true;
}
