#include "cmd/go_quote.h"

#include <stdint.h>

#include "base/text.h"

/* Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and of the spaces only
 * U+0020. */
static bool go_is_print(uint32_t code)
{
	if (code < 0x7f)
		return code >= 0x20;
	if (code == 0xa0 || code == 0xad || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
	    code == 0x202f || code == 0x205f || code == 0x3000)
		return false;
	return !text_is_unsafe(code);
}

static const char *short_escape(uint32_t code)
{
	static const char *const names[] = {"\\a", "\\b", "\\t", "\\n", "\\v", "\\f", "\\r"};

	if (code >= '\a' && code <= '\r')
		return names[code - '\a'];
	return code == '"' ? "\\\"" : code == '\\' ? "\\\\" : NULL;
}

static void quote_code(struct buf *out, const char *s, int len, uint32_t code)
{
	const char *name = short_escape(code);

	if (name)
		buf_puts(out, name);
	else if (go_is_print(code))
		buf_add(out, s, (size_t)len);
	else if (code < 0x80)
		buf_printf(out, "\\x%02x", code);
	else
		buf_printf(out, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
}

void go_quote(struct buf *out, struct bytes s)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < s.n;) {
		uint32_t code;
		int len = utf8_decode(s.p + i, s.n - i, &code);

		if (len)
			quote_code(out, s.p + i, len, code);
		else
			buf_printf(out, "\\x%02x", (unsigned char)s.p[i]);
		i += len ? (size_t)len : 1;
	}
	buf_putc(out, '"');
}

void go_quote_char(struct buf *out, unsigned char c)
{
	char utf8[4];
	int len = utf8_encode(utf8, c);

	buf_putc(out, '\'');
	if (c == '\'')
		buf_puts(out, "\\'");
	else if (c == '"')
		buf_putc(out, '"');
	else
		quote_code(out, utf8, len, c);
	buf_putc(out, '\'');
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \xHH, \uHHHH, \UHHHHHHHH: n digits from s on; -1: too few. */
static int64_t hex_number(struct bytes s, size_t n)
{
	int64_t v = 0;

	if (s.n < n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		int d = hex_digit(s.p[i]);
		if (d < 0)
			return -1;
		v = v * 16 + d;
	}
	return v;
}

/* An escape behind its backslash: the bytes it takes, 0 if there is none such. */
static size_t unescape(struct bytes s, struct buf *out)
{
	static const char names[] = "abfnrtv\\\"", values[] = "\a\b\f\n\r\t\v\\\"";
	char utf8[4];
	char c = s.p[0];
	size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;

	for (size_t i = 0; names[i]; i++)
		if (c == names[i])
			return buf_putc(out, values[i]), 1;
	if (digits) {
		int64_t v = hex_number((struct bytes){s.p + 1, s.n - 1}, digits);
		if (v < 0 || v > 0x10ffff || (digits > 2 && v >= 0xd800 && v < 0xe000))
			return 0;
		if (digits == 2)
			buf_putc(out, (char)v);
		else
			buf_add(out, utf8, (size_t)utf8_encode(utf8, (uint32_t)v));
		return 1 + digits;
	}
	if (c < '0' || c > '7' || s.n < 3 || s.p[1] < '0' || s.p[1] > '7' || s.p[2] < '0' ||
	    s.p[2] > '7')
		return 0;
	int v = (c - '0') * 64 + (s.p[1] - '0') * 8 + (s.p[2] - '0');
	if (v > 255)
		return 0;
	buf_putc(out, (char)v);
	return 3;
}

static size_t closing_quote(struct bytes s, char quote)
{
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] == quote)
			return i;
		if (quote == '"' && s.p[i] == '\\')
			i++;
	}
	return 0;
}

bool go_unquote(struct bytes s, size_t *used, struct buf *out)
{
	*used = 0;
	if (s.n == 0 || (s.p[0] != '"' && s.p[0] != '`'))
		return false;
	size_t end = closing_quote(s, s.p[0]);
	if (!end)
		return false;
	*used = end + 1;
	if (s.p[0] == '`')
		return buf_add(out, s.p + 1, end - 1), true;
	for (size_t i = 1; i < end;) {
		if (s.p[i] == '\n')
			return false;
		if (s.p[i] != '\\') {
			buf_putc(out, s.p[i++]);
			continue;
		}
		size_t n = unescape((struct bytes){s.p + i + 1, end - i - 1}, out);
		if (!n)
			return false;
		i += 1 + n;
	}
	return true;
}

void go_put_base64(struct buf *out, struct bytes s)
{
	static const char alphabet[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

	enum { PAD = 64 }; /* place of the = */

	buf_reserve(out, (s.n + 2) / 3 * 4);
	char *to = out->p + out->n;
	for (size_t i = 0; i < s.n; i += 3) {
		const unsigned char *p = (const unsigned char *)s.p + i;
		size_t left = s.n - i;
		unsigned v = (unsigned)p[0] << 16 | (left > 1 ? (unsigned)p[1] << 8 : 0) |
			     (left > 2 ? p[2] : 0);
		*to++ = alphabet[v >> 18];
		*to++ = alphabet[v >> 12 & 63];
		*to++ = alphabet[left > 1 ? v >> 6 & 63 : PAD];
		*to++ = alphabet[left > 2 ? v & 63 : PAD];
	}
	*to = 0;
	out->n = (size_t)(to - out->p);
}

void go_put_json_string(struct buf *out, struct bytes s)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < s.n;) {
		uint32_t code;
		int len = utf8_decode(s.p + i, s.n - i, &code);

		if (!len)
			buf_puts(out, "\\ufffd");
		else if (code == '"' || code == '\\')
			buf_printf(out, "\\%c", (char)code);
		else if (code == '\n' || code == '\r' || code == '\t')
			buf_puts(out, code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t");
		else if (code < 0x20 || code == '<' || code == '>' || code == '&' ||
			 code == 0x2028 || code == 0x2029)
			buf_printf(out, "\\u%04x", code);
		else
			buf_add(out, s.p + i, (size_t)len);
		i += len ? (size_t)len : 1;
	}
	buf_putc(out, '"');
}

void go_put_hex_bytes(struct buf *out, struct bytes s)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		char hex[4] = {'\\', 'x', digits[c >> 4], digits[c & 15]};
		buf_add(out, hex, sizeof hex);
	}
}
