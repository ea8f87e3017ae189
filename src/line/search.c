/* Ctrl-R: search in the history, by our own hand.
 *
 * libedit's own search reads before its buffer (^R ^W on an empty line) and takes a letter for the
 * control key of its low byte.  This one reads its keys with el_wgetc(), which asks the caller,
 * which draws what line_look() says.
 */
#include "line/line_private.h"

#include <stdlib.h>
#include <string.h>

enum { CTRL_G = 7, CTRL_H = 8, CTRL_R = 0x12, CTRL_S = 0x13, ESC = 27, RUBOUT = 127 };

static void remember(struct line *l, const wchar_t *text, size_t n, size_t at)
{
	if (n > LINE_LIMIT)
		n = LINE_LIMIT;
	wmemmove(l->found, text, n);
	l->found[n] = 0;
	l->found_at = at > n ? n : at;
}

static bool take(struct line *l, const char *entry)
{
	wchar_t wide[LINE_BUFFER];
	size_t n = mbstowcs(wide, entry, LINE_LIMIT);

	if (n == (size_t)-1)
		return false;
	wide[n] = 0;
	const wchar_t *at = wcsstr(wide, l->pattern);
	remember(l, wide, n, at ? (size_t)(at - wide) : n);
	return true;
}

/* Finds the skip-th newest entry that has the pattern. */
static bool find(struct line *l, int skip)
{
	char pattern[sizeof l->pattern / sizeof *l->pattern * 4 + 1];
	HistEvent ev;

	if (wcstombs(pattern, l->pattern, sizeof pattern) == (size_t)-1)
		return false;
	for (int r = history(l->history, &ev, H_FIRST); r != -1;
	     r = history(l->history, &ev, H_NEXT))
		if (strstr(ev.str, pattern) && skip-- == 0)
			return take(l, ev.str);
	return false;
}

/* Changes pattern and skip; false: the key ends the search. */
static bool search_key(struct line *l, wchar_t c, int *skip)
{
	size_t n = wcslen(l->pattern);

	if (c == CTRL_R) {
		++*skip;
	} else if (c == CTRL_S) {
		*skip -= *skip > 0;
	} else if (c == RUBOUT || c == CTRL_H) {
		l->pattern[n ? n - 1 : 0] = 0;
		*skip = 0;
	} else if (c < 32 || (c >= 0x80 && c < 0xa0)) {
		return false;
	} else if (n < sizeof l->pattern / sizeof *l->pattern - 2) {
		l->pattern[n] = c;
		l->pattern[n + 1] = 0;
		*skip = 0;
	}
	return true;
}

unsigned char line_search(EditLine *el, int ch)
{
	struct line *l = line_of(el);
	struct line_span before = line_span(l);
	wchar_t keep[LINE_BUFFER], c, again[2] = {0};
	int skip = 0;

	(void)ch;
	remember(l, before.p, before.n, before.cursor);
	wcscpy(keep, l->found);
	l->pattern[0] = 0;
	l->failed = false;
	l->searching = true;
	while (el_wgetc(el, &c) == 1) {
		if (!search_key(l, c, &skip)) {
			if (c == CTRL_G || c == LINE_CANCEL)
				remember(l, keep, wcslen(keep), wcslen(keep));
			again[0] = c == CTRL_G || c == ESC ? 0 : c;
			break;
		}
		l->failed = l->pattern[0] && !find(l, skip);
		skip -= l->failed && skip;
	}
	l->searching = false;
	if (l->found[0])
		el_wreplacestr(el, l->found);
	el_cursor(el, (int)l->found_at - el_cursor(el, 0));
	if (again[0])
		el_wpush(el, again); /* the key that ended the search acts too */
	return CC_REFRESH;
}
