/* A script read from a descriptor, an item at a time.
 *
 * The lines of an item lie next to each other in the buffer, from `start` on; only what is before
 * `start` may be thrown away when more is read.
 */
#include "script/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"

enum { READ_SIZE = 256 << 10 };

void reader_init(struct reader *r, const char *name, int fd)
{
	*r = (struct reader){.name = name, .fd = fd};
}

void reader_free(struct reader *r)
{
	free(r->buf);
	r->buf = NULL;
}

bool reader_has_line(const struct reader *r)
{
	return r->eof || (r->at < r->end && memchr(r->buf + r->at, '\n', r->end - r->at));
}

/* Makes room behind `end`: moves what is kept to the front, or grows. */
static void make_room(struct reader *r)
{
	if (r->start) {
		memmove(r->buf, r->buf + r->start, r->end - r->start);
		r->at -= r->start;
		r->end -= r->start;
		r->start = 0;
	}
	if (r->cap - r->end >= READ_SIZE)
		return;
	r->cap = r->cap ? 2 * r->cap : 2 * READ_SIZE;
	r->buf = xrealloc(r->buf, r->cap);
}

/* 0, or -1 with errno; at the end of the input sets eof. */
static int fill(struct reader *r)
{
	make_room(r);
	ssize_t n = read(r->fd, r->buf + r->end, r->cap - r->end);

	if (n < 0)
		return errno == EINTR ? 0 : -1;
	r->eof = n == 0;
	r->end += (size_t)n;
	return 0;
}

/* Moves `at` behind the next line; *line is its place counted from `start`, since the buffer may
 * move. */
static int next_line(struct reader *r, size_t *begin, size_t *length)
{
	size_t seen = 0;

	for (;;) {
		size_t left = r->end - r->at;
		char *nl = left > seen ? memchr(r->buf + r->at + seen, '\n', left - seen) : NULL;
		if (nl || (r->eof && left)) {
			*begin = r->at - r->start;
			*length = nl ? (size_t)(nl - (r->buf + r->at)) : left;
			r->at += *length + (nl != NULL);
			r->line++;
			return 1;
		}
		if (r->eof)
			return 0;
		seen = left;
		if (fill(r) < 0)
			return -1;
	}
}

static int wrong(struct reader *r, size_t line, const char *text, struct buf *err)
{
	scope_error(err, r->name, line, text);
	return -1;
}

static int unreadable(struct reader *r, struct buf *err)
{
	buf_printf(err, "%s:%zu: cannot be read: %s", r->name, r->line + 1, strerror(errno));
	return -1;
}

/* The further lines of a command that began with it->text. */
static int read_command(struct reader *r, struct scope_item *it, struct buf *err)
{
	while (scope_wants_more(it->text)) {
		size_t begin = 0, length = 0;
		int got = next_line(r, &begin, &length);
		if (got < 0)
			return unreadable(r, err);
		struct bytes line = {r->buf + r->start + begin, got ? length : 0};
		enum line_kind kind = got ? scope_line_kind(line) : LINE_TRACE;
		if (kind == LINE_CR)
			return wrong(r, r->line, scope_cr, err);
		if ((kind == LINE_OUTPUT && line.n > 1) || kind == LINE_TRACE)
			return wrong(r, it->line, scope_unfinished(it->text), err);
		it->text = (struct bytes){r->buf + r->start, begin + length};
	}
	r->has_command = true;
	return 1;
}

/* 1: *it is an item to hand out; 0: the line is one to pass over; -1: it is wrong. */
static int take_line(struct reader *r, struct bytes line, struct scope_item *it, struct buf *err)
{
	enum line_kind kind = scope_line_kind(line);

	*it = (struct scope_item){.kind = ITEM_QUESTION, .line = r->line, .text = line};
	if (kind == LINE_QUESTION)
		return 1;
	if (kind == LINE_CR)
		return wrong(r, r->line, scope_cr, err);
	if (kind == LINE_WRONG)
		return wrong(r, r->line,
			     "neither a command nor a recorded line: those begin with `| ` or `~ `",
			     err);
	if ((kind == LINE_OUTPUT || kind == LINE_TRACE) && !r->has_command)
		return wrong(r, r->line,
			     "a recorded line without a command: it stands below its command", err);
	if (kind != LINE_COMMAND)
		return 0;
	it->kind = ITEM_COMMAND;
	return read_command(r, it, err);
}

int reader_next(struct reader *r, struct scope_item *it, struct buf *err)
{
	for (;;) {
		size_t begin, length;
		r->start = r->at;
		int got = next_line(r, &begin, &length);
		if (got < 0)
			return unreadable(r, err);
		if (got == 0)
			return 0;
		got = take_line(r, (struct bytes){r->buf + r->start + begin, length}, it, err);
		if (got)
			return got;
	}
}
