#include "cmd/pipes.h"

#include <stdint.h>

static size_t count_lines(struct bytes s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n + (s.n > 0 && s.p[s.n - 1] != '\n');
}

static bool keeps(const struct pipe *p, struct bytes line, uint64_t i, uint64_t n)
{
	switch (p->kind) {
	case PIPE_HEAD:
		return i < p->count;
	case PIPE_TAIL:
		return p->count >= n - i;
	case PIPE_GREP:
	case PIPE_GREP_NOT:
		return (p->text.n == 0 || memmem(line.p, line.n, p->text.p, p->text.n)) ==
		       (p->kind == PIPE_GREP);
	default:
		return true;
	}
}

static void apply_one(struct buf *b, size_t from, const struct pipe *p)
{
	struct bytes in = {b->p + from, b->n - from};
	uint64_t n = count_lines(in), i = 0;
	size_t to = from;

	if (p->kind == PIPE_COUNT) {
		b->n = from;
		buf_put_u64(b, n);
		buf_putc(b, '\n');
		return;
	}
	while (in.n) {
		const char *nl = memchr(in.p, '\n', in.n);
		size_t len = nl ? (size_t)(nl - in.p) + 1 : in.n;
		if (keeps(p, (struct bytes){in.p, len - (nl != NULL)}, i++, n)) {
			memmove(b->p + to, in.p, len);
			to += len;
		}
		in = (struct bytes){in.p + len, in.n - len};
	}
	b->n = to;
	b->p[to] = 0;
}

void pipes_apply(struct buf *b, size_t from, const struct pipe *pipes, size_t n)
{
	if (n == 0)
		return;
	buf_puts(b, ""); /* now there is text, if only an empty one */
	for (size_t i = 0; i < n; i++)
		apply_one(b, from, &pipes[i]);
}
