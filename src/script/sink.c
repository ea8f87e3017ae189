#include "script/sink.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { SINK_SIZE = 64 << 10 };

void sink_init(struct sink *s, int fd)
{
	*s = (struct sink){.fd = fd, .terminal = isatty(fd)};
}

void sink_put(struct sink *s, struct bytes text)
{
	if (s->terminal)
		text_safe(&s->buf, text, true);
	else
		buf_put_bytes(&s->buf, text);
	if (s->buf.n >= SINK_SIZE)
		sink_flush(s);
}

void sink_flush(struct sink *s)
{
	for (size_t at = 0; at < s->buf.n && !s->error;) {
		ssize_t n = write(s->fd, s->buf.p + at, s->buf.n - at);
		if (n >= 0)
			at += (size_t)n;
		else if (errno != EINTR)
			s->error = errno;
	}
	buf_clear(&s->buf);
}

int sink_end(struct sink *s)
{
	sink_flush(s);
	buf_free(&s->buf);
	return s->error;
}
