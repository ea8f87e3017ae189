/* A line editor that never touches the real terminal (line.h).
 *
 * libedit is given a pseudo-terminal of its own and the null device to draw on; it asks the caller
 * for each key, and the caller draws what line_look() says.  On the real terminal it would switch
 * to cooked mode at the end of every line.  The commands of this libedit (3.1-20221030) that crash
 * or loop are unbound; manual and tests name them.
 */
#include "line/line_private.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"

struct line *line_of(EditLine *el)
{
	void *data = NULL;

	el_wget(el, EL_CLIENTDATA, &data);
	return data;
}

struct line_span line_span(const struct line *l)
{
	const LineInfoW *i = el_wline(l->el);
	const wchar_t *end = i->lastchar < i->buffer ? i->buffer : i->lastchar;
	const wchar_t *cursor = i->cursor < i->buffer ? i->buffer
				: i->cursor > end     ? end
						      : i->cursor;

	return (struct line_span){i->buffer, (size_t)(end - i->buffer),
				  (size_t)(cursor - i->buffer)};
}

/* vi's end-of-line on an empty line leaves the cursor before the buffer. */
static void repair(struct line *l)
{
	const LineInfoW *i = el_wline(l->el);

	if (i->cursor < i->buffer)
		el_cursor(l->el, (int)(i->buffer - i->cursor));
	else if (i->cursor > i->lastchar)
		el_cursor(l->el, (int)(i->lastchar - i->cursor));
}

/* A repeat count of more than three digits (Esc 5 5 5 5 5 x) would insert for minutes. */
static bool too_many_digits(struct line *l, wchar_t c)
{
	ptrdiff_t n = (ptrdiff_t)line_span(l).n;

	if (c < L'0' || c > L'9' || n != l->counted)
		l->digits = 0;
	l->counted = n;
	return c >= L'0' && c <= L'9' && ++l->digits > 3;
}

bool line_is_text(wchar_t c)
{
	return c >= 32 && c != 127 && !(c >= 0x80 && c < 0xa0);
}

static int get_key(EditLine *el, wchar_t *c)
{
	struct line *l = line_of(el);

	repair(l);
	if (l->cancelled) /* libedit would go on with an empty line: end the read, which says so */
		return 0;
	for (;;) {
		int r = l->calls.key(l->calls.arg, c);
		if (r != 1)
			return r;
		/* A Ctrl-D that fell between two lines, while the terminal was cooked, arrives as
		 * NUL; libedit has the terminal's switched-off keys bound there, quoted insert
		 * among them. */
		if (*c == L'\0')
			continue;
		if (*c != L'\t')
			buf_clear(&l->candidates);
		if (too_many_digits(l, *c))
			continue;
		if (!line_is_text(*c) || line_span(l).n < LINE_LIMIT)
			return 1;
		if (l->calls.full)
			l->calls.full(l->calls.arg, !l->full);
		l->full = true;
	}
}

/* libedit empties the line and leaves history and pending arguments. */
static unsigned char cancel(EditLine *el, int ch)
{
	(void)ch;
	line_of(el)->cancelled = true;
	line_drop_pasted(line_of(el));
	return CC_FATAL;
}

static wchar_t *no_prompt(EditLine *el)
{
	static wchar_t none[1];

	(void)el;
	return none;
}

static const struct {
	wchar_t key;
	const wchar_t *function;
} bound[] = {
    {LINE_UP, L"ed-prev-history"},
    {LINE_DOWN, L"ed-next-history"},
    {LINE_RIGHT, L"ed-next-char"},
    {LINE_LEFT, L"ed-prev-char"},
    {LINE_HOME, L"ed-move-to-beg"},
    {LINE_END, L"ed-move-to-end"},
    {LINE_DELETE, L"ed-delete-next-char"},
    {LINE_PASTE, L"es-paste"},
    {LINE_CANCEL, L"es-cancel"},
    {L'\t', L"es-complete"},
    {0x12, L"es-search"}, /* ^R */
    {0x13, L"es-search"}, /* ^S */
};
/* Reachable, these crash, loop, or start an editor over the screen. */
static const wchar_t *const off_emacs[] = {L"\\ex", L"\\eX", L"\\e^R", L"\\e^S", L"\\e^_"};
static const wchar_t *const off_command[] = {L":", L"v", L".", L"@"};

/* After the user's file: `bind -v` in it resets both maps. */
static void bind_keys(struct line *l)
{
	const char *mode = "emacs";

	for (size_t i = 0; i < sizeof bound / sizeof *bound; i++) {
		wchar_t k[2] = {bound[i].key, 0};
		el_wset(l->el, EL_BIND, k, bound[i].function, NULL);
		el_wset(l->el, EL_BIND, L"-a", k, bound[i].function, NULL);
	}
	el_get(l->el, EL_EDITOR, &mode);
	l->vi = strcmp(mode, "vi") == 0;
	for (size_t i = 0; !l->vi && i < sizeof off_emacs / sizeof *off_emacs; i++)
		el_wset(l->el, EL_BIND, off_emacs[i], L"ed-unassigned", NULL);
	for (size_t i = 0; i < sizeof off_command / sizeof *off_command; i++)
		el_wset(l->el, EL_BIND, L"-a", off_command[i], L"ed-unassigned", NULL);
}

static bool open_terminal(struct line *l, const struct termios *user)
{
	struct winsize size = {.ws_row = 2, .ws_col = 1000}; /* wide: libedit never wraps */

	l->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (l->master < 0 || grantpt(l->master) < 0 || unlockpt(l->master) < 0)
		return false;
	const char *name = ptsname(l->master);
	l->slave = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	if (l->slave < 0)
		return false;
	if (user)
		tcsetattr(l->slave, TCSANOW, user);
	ioctl(l->slave, TIOCSWINSZ, &size);
	l->sink = fopen("/dev/null", "r+e");
	return l->sink != NULL;
}

static void open_history(struct line *l)
{
	HistEvent ev;

	l->history = history_init();
	history(l->history, &ev, H_SETSIZE, 1000);
	history(l->history, &ev, H_SETUNIQUE, 1);
	el_set(l->el, EL_HIST, history, l->history);
}

/* The growth of libedit's buffer while a command runs is not safe: let it grow once.  The next read
 * clears it. */
static void grow_buffer(struct line *l)
{
	size_t n = 32768;
	wchar_t *big = xmalloc((n + 1) * sizeof *big);

	wmemset(big, L'x', n);
	big[n] = 0;
	el_winsertstr(l->el, big);
	free(big);
}

struct line *line_open(const struct line_calls *calls, const struct termios *user)
{
	struct line *l = xcalloc(1, sizeof *l);

	l->calls = *calls;
	l->master = l->slave = -1;
	if (!open_terminal(l, user) || !(l->el = el_init_fd("etcdscope", l->sink, l->sink, l->sink,
							    l->slave, l->slave, l->slave))) {
		line_close(l);
		return NULL;
	}
	el_set(l->el, EL_CLIENTDATA, l);
	el_set(l->el, EL_TERMINAL, "dumb");
	el_set(l->el, EL_SIGNAL, 0); /* its handlers end in kill(0, signo) */
	el_wset(l->el, EL_PROMPT, no_prompt);
	el_set(l->el, EL_EDITOR, "emacs");
	open_history(l);
	el_wset(l->el, EL_ADDFN, L"es-complete", L"complete", line_complete);
	el_wset(l->el, EL_ADDFN, L"es-search", L"search", line_search);
	el_wset(l->el, EL_ADDFN, L"es-paste", L"paste", line_insert_pasted);
	el_wset(l->el, EL_ADDFN, L"es-cancel", L"cancel", cancel);
	line_source(l->el);
	bind_keys(l);
	grow_buffer(l);
	el_set(l->el, EL_GETCFN, get_key);
	return l;
}

void line_close(struct line *l)
{
	if (!l)
		return;
	if (l->el)
		el_end(l->el);
	if (l->history)
		history_end(l->history);
	if (l->sink)
		fclose(l->sink);
	if (l->slave >= 0)
		close(l->slave);
	if (l->master >= 0)
		close(l->master);
	line_drop_pasted(l);
	buf_free(&l->candidates);
	free(l);
}

static void put_wide(struct buf *out, const wchar_t *s, size_t n)
{
	char utf8[4];

	for (size_t i = 0; i < n && s[i] && s[i] != L'\n' && s[i] != L'\r'; i++)
		buf_add(out, utf8, (size_t)utf8_encode(utf8, (uint32_t)s[i]));
}

int line_read(struct line *l, struct buf *out)
{
	int n = 0;

	l->cancelled = l->full = false;
	buf_clear(out);
	const wchar_t *text = el_wgets(l->el, &n);
	buf_clear(&l->candidates);
	if (l->cancelled)
		return -1;
	if (!text || n <= 0)
		return 0;
	put_wide(out, text, (size_t)n);
	return 1;
}

void line_set(struct line *l, const char *text)
{
	wchar_t wide[LINE_BUFFER];
	size_t n = mbstowcs(wide, text, LINE_LIMIT);

	if (n == (size_t)-1)
		return;
	wide[n] = 0;
	size_t old = line_span(l).n;
	el_cursor(l->el, (int)old - el_cursor(l->el, 0));
	if (old)
		el_wdeletestr(l->el, (int)old);
	if (n)
		el_winsertstr(l->el, wide);
}

static struct line_view look_search(struct line *l)
{
	swprintf(l->prompt, 256, L"(%lsi-search)`%ls': ", l->failed ? L"failed " : L"", l->pattern);
	return (struct line_view){l->prompt, l->found, wcslen(l->found), l->found_at, ""};
}

struct line_view line_look(struct line *l)
{
	if (l->searching)
		return look_search(l);
	struct line_span s = line_span(l);
	size_t n = s.n < LINE_LIMIT ? s.n : LINE_LIMIT;
	/* vi's "/pattern": libedit asks below the line; its question is the prompt */
	const wchar_t *question = wmemchr(s.p, L'\n', n);
	l->prompt[0] = 0;
	if (question) {
		swprintf(l->prompt, 256, L"%.*ls", (int)(n - (size_t)(question - s.p) - 1),
			 question + 1);
		n = (size_t)(question - s.p);
	}
	wmemcpy(l->text, s.p, n);
	l->text[n] = 0;
	return (struct line_view){l->prompt, l->text, n, s.cursor < n ? s.cursor : n,
				  buf_str(&l->candidates)};
}

bool line_wants_escape(struct line *l)
{
	return l->searching || (l->vi && line_span(l).n > 0);
}

void line_history_load(struct line *l, const char *path)
{
	HistEvent ev;
	FILE *f = line_open_regular(path);

	if (!f)
		return;
	fclose(f);
	history(l->history, &ev, H_LOAD, path);
}

bool line_history_save(struct line *l, const char *path)
{
	char temporary[4096];
	HistEvent ev;

	int n = snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
	if (n < 0 || (size_t)n >= sizeof temporary)
		return false;
	int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	bool ok = history(l->history, &ev, H_SAVE_FP, f) != -1;
	ok = fclose(f) == 0 && ok;
	if (!ok || rename(temporary, path) != 0)
		unlink(temporary);
	return ok;
}

/* H_SETUNIQUE keeps out neighbours only. */
static void forget(struct line *l, const char *text)
{
	HistEvent ev;
	int r = history(l->history, &ev, H_FIRST);

	while (r != -1 && strcmp(ev.str, text) != 0)
		r = history(l->history, &ev, H_NEXT);
	if (r != -1 && history(l->history, &ev, H_DEL, ev.num) != -1)
		free((void *)(uintptr_t)ev.str); /* H_DEL hands the text over */
}

void line_history_add(struct line *l, const char *text)
{
	HistEvent ev;

	if (!text[0] || text[0] == ' ')
		return;
	forget(l, text);
	history(l->history, &ev, H_ENTER, text);
}
