/* TAB: replaces the word by what all candidates have in common; lists them when that adds nothing.
 */
#include "line/line_private.h"

#include <stdlib.h>
#include <string.h>

static size_t common(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	while (i > 0 && i < n && ((unsigned char)a[i] & 0xc0) == 0x80)
		i--; /* not inside a character */
	return i;
}

/* Length of the start that all lines share; *count: lines. */
static size_t shared_start(const char *lines, size_t *count)
{
	const char *first = lines;
	size_t shared = strcspn(first, "\n");

	for (*count = 0; *lines; ++*count) {
		size_t n = strcspn(lines, "\n");
		shared = common(first, lines, shared < n ? shared : n);
		lines += n + (lines[n] == '\n');
	}
	return shared;
}

static void replace_word(struct line *l, size_t wide_start, const char *text, size_t n, bool blank)
{
	struct line_span s = line_span(l);
	wchar_t wide[LINE_BUFFER];
	char copy[4 * LINE_LIMIT];

	if (n >= sizeof copy)
		return;
	memcpy(copy, text, n);
	copy[n] = 0;
	size_t k = mbstowcs(wide, copy, LINE_LIMIT);
	if (k == (size_t)-1 || s.n - (s.cursor - wide_start) + k + 1 > LINE_LIMIT)
		return;
	if (blank && (s.cursor == s.n || s.p[s.cursor] != L' '))
		wide[k++] = L' ';
	wide[k] = 0;
	if (s.cursor > wide_start)
		el_wdeletestr(l->el, (int)(s.cursor - wide_start));
	el_winsertstr(l->el, wide);
}

/* The line as bytes; start and cursor are offsets in it. */
static size_t to_bytes(struct line_span s, size_t n, char *out, size_t size)
{
	size_t used = 0;
	mbstate_t state = {0};

	for (size_t i = 0; i < n && used + MB_CUR_MAX < size; i++) {
		size_t k = wcrtomb(out + used, s.p[i], &state);
		if (k != (size_t)-1)
			used += k;
	}
	out[used] = 0;
	return used;
}

static size_t characters(const char *text, size_t bytes)
{
	size_t n = 0;
	mbstate_t state = {0};

	for (size_t i = 0; i < bytes; n++) {
		size_t k = mbrlen(text + i, bytes - i, &state);
		i += k == 0 || k > bytes ? 1 : k;
	}
	return n;
}

unsigned char line_complete(EditLine *el, int ch)
{
	struct line *l = line_of(el);
	struct line_span s = line_span(l);
	char text[4 * LINE_BUFFER], before[4 * LINE_BUFFER];
	size_t n = to_bytes(s, s.n, text, sizeof text);
	size_t cursor = to_bytes(s, s.cursor, before, sizeof before), start = cursor, count;

	(void)ch;
	buf_clear(&l->candidates);
	if (!l->calls.complete)
		return CC_REFRESH_BEEP;
	l->calls.complete(l->calls.arg, (struct bytes){text, n}, cursor, &start, &l->candidates);
	const char *lines = buf_str(&l->candidates);
	size_t shared = shared_start(lines, &count);
	if (count == 0 || start > cursor)
		return CC_REFRESH_BEEP;
	bool grows = shared > cursor - start || strncmp(lines, text + start, shared) != 0;
	bool slash = shared && lines[shared - 1] == '/';
	bool open = shared && lines[shared - 1] == '=';
	if (grows || count == 1)
		replace_word(l, characters(text, start), lines, shared,
			     count == 1 && !slash && !open);
	if (count == 1 || grows)
		buf_clear(&l->candidates);
	return CC_REFRESH;
}
