#include "base/message.h"

#include <stdio.h>

#include "base/text.h"

void message_put(struct bytes text)
{
	struct buf safe = {0};

	text_safe(&safe, text, true);
	buf_putc(&safe, '\n');
	fwrite(safe.p, 1, safe.n, stderr);
	buf_free(&safe);
}

void message_printf(const char *fmt, ...)
{
	struct buf text = {0};
	va_list ap;

	buf_puts(&text, "etcdscope: ");
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	message_put(buf_bytes(&text));
	buf_free(&text);
}
