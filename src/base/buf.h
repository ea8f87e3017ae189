/* A growing piece of text or bytes.  Always NUL-terminated behind n, so p can be printed.
 * Owner: whoever declares it; free with buf_free.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

struct buf {
	char *p; /* NULL only while nothing was ever added: use buf_str */
	size_t n, cap;
};

void buf_free(struct buf *b);
void buf_clear(struct buf *b);
/* The text, "" if nothing was added. */
const char *buf_str(const struct buf *b);
struct bytes buf_bytes(const struct buf *b);
void buf_reserve(struct buf *b, size_t more);

void buf_add(struct buf *b, const void *p, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_put_bytes(struct buf *b, struct bytes s);
/* Decimal numbers without the cost of printf. */
void buf_put_u64(struct buf *b, uint64_t v);
void buf_put_i64(struct buf *b, int64_t v);

/* As buf_add, in place, for what is printed by the million: of a literal only the copying of its
 * few bytes is left. */
static inline void buf_add_short(struct buf *b, const void *p, size_t n)
{
	if (b->cap - b->n <= n)
		buf_reserve(b, n);
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = 0;
}

void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Reads a whole file or descriptor; 0, or -1 with errno. */
int buf_read_fd(struct buf *b, int fd);
int buf_read_file(struct buf *b, const char *path);

#endif
