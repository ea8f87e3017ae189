/* Pasted text: the keys that somebody would have typed.
 *
 * Each of its lines is a line; what stands behind the last newline stays under edit.  A line that
 * does not fit would be another command when cut, so such a paste is refused as a whole.
 */
#include "line/line_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"

void line_drop_pasted(struct line *l)
{
	free(l->rest);
	l->rest = NULL;
	l->nrest = l->rest_at = 0;
	l->unused_piece = false;
}

/* The newline of any system, or a blank for what cannot stand in a line. */
static size_t normalise(wchar_t *out, const wchar_t *text, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == L'\n' && i > 0 && text[i - 1] == L'\r')
			continue;
		bool newline = text[i] == L'\n' || text[i] == L'\r';
		out[used++] = newline ? L'\n' : line_is_text(text[i]) ? text[i] : L' ';
	}
	return used;
}

static size_t line_length(const wchar_t *text, size_t n)
{
	const wchar_t *end = wmemchr(text, L'\n', n);

	return end ? (size_t)(end - text) : n;
}

/* Of the longest line; the first one comes behind what is there. */
static size_t longest(const wchar_t *text, size_t n, size_t before)
{
	size_t most = 0;

	for (size_t at = 0; at < n; before = 0) {
		size_t length = line_length(text + at, n - at);
		if (before + length > most)
			most = before + length;
		at += length + 1;
	}
	return most;
}

bool line_paste(struct line *l, const wchar_t *text, size_t n, struct buf *why)
{
	if (n > LINE_PASTE_MAX) {
		buf_printf(why, "pasted text has more than %d characters: use source FILE",
			   LINE_PASTE_MAX);
		return false;
	}
	wchar_t *copy = xmalloc((n + 1) * sizeof *copy);
	size_t used = normalise(copy, text, n), most = longest(copy, used, line_span(l).n);
	if (most > LINE_LIMIT) {
		buf_printf(why, "pasted line has %zu characters, %d fit: use source FILE", most,
			   LINE_LIMIT);
		free(copy);
		return false;
	}
	line_drop_pasted(l);
	l->rest = copy;
	l->nrest = used;
	return true;
}

wchar_t line_pasted_key(struct line *l)
{
	if (l->unused_piece) { /* another key was waiting for a second one and took it */
		l->unused_piece = false;
		return LINE_PASTE;
	}
	if (l->rest_at == l->nrest) {
		line_drop_pasted(l);
		return 0;
	}
	const wchar_t *rest = l->rest + l->rest_at;
	size_t n = line_length(rest, l->nrest - l->rest_at);
	if (n == 0) {
		l->rest_at++;
		return L'\n';
	}
	wmemcpy(l->pasted, rest, n);
	l->pasted[n] = 0;
	l->rest_at += n;
	l->unused_piece = true;
	return LINE_PASTE;
}

unsigned char line_insert_pasted(EditLine *el, int ch)
{
	struct line *l = line_of(el);

	(void)ch;
	l->unused_piece = false;
	if (line_span(l).n + wcslen(l->pasted) > LINE_LIMIT) { /* a search has changed the line */
		line_drop_pasted(l);
		return CC_REFRESH_BEEP;
	}
	if (l->pasted[0])
		el_winsertstr(el, l->pasted);
	l->pasted[0] = 0;
	return CC_REFRESH;
}
