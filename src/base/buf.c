#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/die.h"

void buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){0};
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = 0;
}

const char *buf_str(const struct buf *b)
{
	return b->p ? b->p : "";
}

struct bytes buf_bytes(const struct buf *b)
{
	return (struct bytes){buf_str(b), b->n};
}

void buf_reserve(struct buf *b, size_t more)
{
	size_t want = b->n + more + 1;

	if (want <= b->cap)
		return;
	size_t cap = b->cap ? 2 * b->cap : 64;
	while (cap < want)
		cap *= 2;
	b->p = xrealloc(b->p, cap);
	b->cap = cap;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	buf_add_short(b, p, n);
}

void buf_puts(struct buf *b, const char *s)
{
	buf_add_short(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
	buf_add_short(b, &c, 1);
}

void buf_put_bytes(struct buf *b, struct bytes s)
{
	buf_add_short(b, s.p, s.n);
}

void buf_put_u64(struct buf *b, uint64_t v)
{
	enum { MOST = 20 };
	size_t n = 1;

	for (uint64_t limit = 10; n < MOST && v >= limit; limit *= 10)
		n++;
	buf_reserve(b, n);
	b->n += n;
	b->p[b->n] = 0;
	for (char *p = b->p + b->n; n-- > 0; v /= 10)
		*--p = (char)('0' + v % 10);
}

void buf_put_i64(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_putc(b, '-');
	buf_put_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	buf_reserve(b, 40); /* mostly enough */
	size_t room = b->cap - b->n;
	int n = vsnprintf(b->p + b->n, room, fmt, ap);
	check_that(n >= 0);
	if ((size_t)n >= room) {
		buf_reserve(b, (size_t)n);
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	b->n += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

int buf_read_fd(struct buf *b, int fd)
{
	for (;;) {
		buf_reserve(b, 65536);
		ssize_t n = read(fd, b->p + b->n, 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		b->n += (size_t)n;
		b->p[b->n] = 0;
		if (n == 0)
			return 0;
	}
}

int buf_read_file(struct buf *b, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	int r = buf_read_fd(b, fd), keep = errno;
	close(fd);
	errno = keep;
	return r;
}
