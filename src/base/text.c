#include "base/text.h"

#include "base/width_table.h"

int utf8_decode(const char *p, size_t n, uint32_t *code)
{
	const unsigned char *s = (const unsigned char *)p;
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	int len = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;

	if (len == 0 || (size_t)len > n || s[0] > 0xf4)
		return 0;
	if (len == 1)
		return *code = s[0], 1;
	uint32_t c = s[0] & (0x7fu >> len);
	for (int i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	return *code = c, len;
}

int utf8_encode(char out[4], uint32_t c)
{
	if (c < 0x80)
		return out[0] = (char)c, 1;
	int len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (int i = len - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(lead[len] | c);
	return len;
}

bool utf8_valid(struct bytes s)
{
	for (size_t i = 0; i < s.n;) {
		uint32_t code;
		int len = utf8_decode(s.p + i, s.n - i, &code);
		if (!len)
			return false;
		i += (size_t)len;
	}
	return true;
}

static bool in_ranges(const struct width_range *r, size_t n, uint32_t code)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (code > r[mid].last)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && code >= r[lo].first;
}

#define IN(table, code) in_ranges(table, sizeof table / sizeof *table, code)

bool text_is_unsafe(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || IN(width_unsafe, code);
}

int text_width(uint32_t code)
{
	if (code < 0x300)
		return 1;
	return IN(width_zero, code) ? 0 : IN(width_two, code) ? 2 : 1;
}

static void put_escape(struct buf *out, const char *s, int len, uint32_t code)
{
	if (len <= 1 || code < 0xa0)
		for (int i = 0; i < (len ? len : 1); i++)
			buf_printf(out, "\\x%02x", (unsigned char)s[i]);
	else
		buf_printf(out, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
}

void text_safe(struct buf *out, struct bytes s, bool keep_lines)
{
	int marks = 0;
	bool base = false; /* there is a character for a combining mark to stand on */

	for (size_t i = 0; i < s.n;) {
		uint32_t code = 0;
		int len = utf8_decode(s.p + i, s.n - i, &code);
		bool line = keep_lines && (s.p[i] == '\n' || s.p[i] == '\t');

		if (!len || (text_is_unsafe(code) && !line)) {
			put_escape(out, s.p + i, len, code);
			base = true, marks = 0;
		} else if (code >= 0x300 && text_width(code) == 0) {
			if (!base)
				buf_puts(out, "\u25cc");
			if (++marks <= 2)
				buf_add(out, s.p + i, (size_t)len);
			base = true;
		} else {
			buf_add(out, s.p + i, (size_t)len);
			base = !line, marks = 0;
		}
		i += len ? (size_t)len : 1;
	}
}

void text_quote(struct buf *out, struct bytes s)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c == '\n')
			buf_puts(out, "\\n");
		else if (c == '\t')
			buf_puts(out, "\\t");
		else if (c == '\r')
			buf_puts(out, "\\r");
		else if (c < 0x20 || c > 0x7e)
			buf_printf(out, "\\x%02x", c);
		else
			buf_putc(out, (char)c);
	}
	buf_putc(out, '"');
}

int text_columns(struct bytes s)
{
	int columns = 0;

	for (size_t i = 0; i < s.n;) {
		uint32_t code = 0;
		int len = utf8_decode(s.p + i, s.n - i, &code);
		columns += len ? text_width(code) : 1;
		i += len ? (size_t)len : 1;
	}
	return columns;
}
