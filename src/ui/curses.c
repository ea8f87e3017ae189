/* The terminal by ncurses (tty.h).
 *
 * Every frame is drawn from scratch on the canvas; rows that are as before are skipped, ncurses
 * sends what differs of the others, so one changed digit costs a dozen bytes.  Nothing is sent and
 * no timer runs while nothing happens.
 */
#include "ui/tty.h"

#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>
#undef columns /* term.h makes each capability a macro */
#undef lines

#include "base/die.h"
#include "base/text.h"
#include "base/vec.h"
#include "line/line.h"
#include "base/signals.h"

enum { CTRL_C = 3, CODE_PASTE = KEY_MAX + 1, CODE_PASTE_END };

struct tty {
	SCREEN *screen;
	enum depth depth;
	struct termios modes;
	bool paste_mode, mouse, gone, working;
	int mouse_x, mouse_y;
	struct canvas shown; /* what is on the screen */
	bool all;	     /* nothing of it can be relied on */
	attr_t look[STYLE_COUNT];
	cchar_t *row;
	int row_cap;
	VEC(wchar_t) pasted;
	uint32_t pending; /* a key that came with an escape before it */
};

bool tty_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* ---- start and end ---- */

static const char *capability(const char *name)
{
	const char *s = tigetstr(name);

	return s && s != (const char *)-1 && *s ? s : NULL;
}

static void add_capability(struct buf *out, const char *s)
{
	while (s && *s) {
		const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
		if (end)
			s = end + 1; /* padding */
		else
			buf_putc(out, *s++);
	}
}

/* What a crash has to write, since it cannot call curses. */
static void prepare_restore(struct tty *t)
{
	static const char *const names[] = {"rmkx", "cnorm", "op", "sgr0", "rmcup"};
	struct buf b = {0};

	if (t->mouse)
		buf_puts(&b, "\033[?1006l\033[?1000l");
	if (t->paste_mode)
		buf_puts(&b, "\033[?2004l");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		add_capability(&b, capability(names[i]));
	signals_set_restore(buf_str(&b), b.n, &t->modes);
	buf_free(&b);
}

static void set_paste_mode(struct tty *t, bool on)
{
	if (t->paste_mode)
		(void)!write(STDOUT_FILENO, on ? "\033[?2004h" : "\033[?2004l", 8);
}

static enum depth choose_depth(const char *color)
{
	const char *no = getenv("NO_COLOR");
	int has = tigetnum("colors");

	if (color ? strcmp(color, "never") == 0 : no && *no)
		return DEPTH_MONO;
	if (color && strcmp(color, "16") == 0 && has > 16)
		has = 16;
	return has >= 256 ? DEPTH_256 : has >= 16 ? DEPTH_16 : has >= 8 ? DEPTH_8 : DEPTH_MONO;
}

/* What terminals send whatever their terminfo entry says: arrows of both modes, editing keys,
 * pasted text. */
static void define_keys(void)
{
	static const struct {
		const char *sequence;
		int code;
	} keys[] = {
	    {"\033[200~", CODE_PASTE}, {"\033[201~", CODE_PASTE_END}, {"\033[A", KEY_UP},
	    {"\033[B", KEY_DOWN},      {"\033[C", KEY_RIGHT},	      {"\033[D", KEY_LEFT},
	    {"\033OA", KEY_UP},	       {"\033OB", KEY_DOWN},	      {"\033OC", KEY_RIGHT},
	    {"\033OD", KEY_LEFT},      {"\033[H", KEY_HOME},	      {"\033[F", KEY_END},
	    {"\033OH", KEY_HOME},      {"\033OF", KEY_END},	      {"\033[1~", KEY_HOME},
	    {"\033[4~", KEY_END},      {"\033[3~", KEY_DC},	      {"\033[5~", KEY_PPAGE},
	    {"\033[6~", KEY_NPAGE},    {"\033[Z", KEY_BTAB},	      {"\033[24~", KEY_F(12)},
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		define_key(keys[i].sequence, keys[i].code);
}

static void set_modes(void)
{
	raw();
	noecho();
	nonl();
	if (!getenv("ESCDELAY"))
		set_escdelay(25);
	keypad(stdscr, TRUE);
	meta(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	leaveok(stdscr, FALSE);
	define_keys();
}

/* Asked before newterm(), which keeps its memory when it fails.  The editor's terminal stays the
 * present one. */
static bool is_known(const char *term)
{
	TERMINAL *before = cur_term;
	int reason;
	bool known = setupterm(term, STDOUT_FILENO, &reason) == OK;

	if (known)
		del_curterm(set_curterm(before));
	return known;
}

static SCREEN *new_screen(const char **why)
{
	/* Or a terminal newer than this machine's list. */
	const char *term = is_known(getenv("TERM")) ? getenv("TERM") : "xterm-256color";
	SCREEN *s = is_known(term) ? newterm(term, stdout, stdin) : NULL;

	if (!s) {
		*why = "this terminal is unknown (TERM)";
		return NULL;
	}
	if (capability("cup") && capability("clear"))
		return s;
	endwin();
	delscreen(s);
	*why = "this terminal cannot move its cursor";
	return NULL;
}

struct tty *tty_open(const char *color, const char **why)
{
	struct termios modes;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetattr(STDIN_FILENO, &modes) != 0) {
		*why = "there is no terminal";
		return NULL;
	}
	signals_begin(true);
	SCREEN *screen = new_screen(why);
	if (!screen) {
		signals_end();
		return NULL;
	}
	signals_again();
	struct tty *t = xcalloc(1, sizeof *t);
	t->screen = screen;
	t->modes = modes;
	t->all = true;
	t->depth = choose_depth(color);
	if (t->depth != DEPTH_MONO) {
		start_color();
		use_default_colors();
	}
	set_modes();
	const char *name = getenv("TERM");
	t->paste_mode = capability("BE") || (name && strncmp(name, "xterm", 5) == 0);
	prepare_restore(t);
	set_paste_mode(t, true);
	canvas_init(&t->shown, 1, 1, false);
	return t;
}

static void set_working(struct tty *t, bool on)
{
	struct termios m;

	if (t->working == on)
		return;
	t->working = on;
	signals_working(on);
	if (tcgetattr(STDIN_FILENO, &m) != 0)
		return;
	m.c_lflag &= ~(tcflag_t)(ISIG | NOFLSH);
	if (on)
		m.c_lflag |= ISIG | NOFLSH; /* what was typed ahead stays */
	tcsetattr(STDIN_FILENO, TCSANOW, &m);
}

void tty_work(struct tty *t)
{
	set_working(t, true);
}

void tty_close(struct tty *t)
{
	set_working(t, false);
	set_paste_mode(t, false);
	tty_mouse(t, false);
	endwin();
	signals_set_restore(NULL, 0, NULL);
	delscreen(t->screen);
	signals_end();
	canvas_free(&t->shown);
	vec_free(&t->pasted);
	free(t->row);
	free(t);
}

void tty_size(const struct tty *t, int *columns, int *rows)
{
	(void)t;
	*columns = COLS;
	*rows = LINES;
}

bool tty_is_gone(const struct tty *t)
{
	return t->gone;
}

/* ---- drawing ---- */

static attr_t curses_attr(unsigned attr)
{
	return (attr & ATTR_BOLD ? A_BOLD : 0) | (attr & ATTR_DIM ? A_DIM : 0) |
	       (attr & ATTR_UNDERLINE ? A_UNDERLINE : 0) | (attr & ATTR_REVERSE ? A_REVERSE : 0);
}

void tty_set_theme(struct tty *t, const struct theme *theme)
{
	for (int s = 0; s < STYLE_COUNT; s++) {
		struct look l = theme_look(theme, (enum style)s, t->depth);
		t->look[s] = curses_attr(l.attr);
		if (t->depth != DEPTH_MONO && (l.fg != COLOR_DEFAULT || l.bg != COLOR_DEFAULT)) {
			init_pair((short)(s + 1), (short)l.fg, (short)l.bg);
			t->look[s] |= (attr_t)COLOR_PAIR(s + 1);
		}
	}
	t->all = true;
}

/* A character whose width curses sees differently would shift its row. */
static wchar_t drawable(uint32_t code, bool wide)
{
	return code < 0x7f || wcwidth((wchar_t)code) == 1 + wide ? (wchar_t)code : L'?';
}

static void to_curses(const struct tty *t, cchar_t *out, const struct cell *cell, bool wide)
{
	wchar_t text[2 + CANVAS_MARKS] = {drawable(cell->code, wide)};
	attr_t a = t->look[cell->style] | curses_attr(cell->attr);

	for (int i = 0; i < CANVAS_MARKS && cell->mark[i]; i++)
		text[i + 1] = (wchar_t)cell->mark[i];
	setcchar(out, text, a & ~A_COLOR, (short)PAIR_NUMBER(a), NULL);
}

/* Shows the cells from `from` to `to` of a row. */
static void show_cells(struct tty *t, const struct canvas *c, int y, int from, int to)
{
	int n = 0;

	for (int x = from; x < to; x++) {
		const struct cell *cell = canvas_at(c, x, y);
		bool wide = x + 1 < c->columns && cell[1].code == 0;
		if (cell->code == 0)
			continue;
		to_curses(t, &t->row[n++], cell, wide);
		if (wide && drawable(cell->code, true) == L'?')
			t->row[n] = t->row[n - 1], n++;
	}
	mvadd_wchnstr(y, from, t->row, n);
	memcpy(canvas_at(&t->shown, from, y), canvas_at(c, from, y),
	       (size_t)(to - from) * sizeof(struct cell));
}

static bool same_cells(const struct cell *a, const struct cell *b, int n)
{
	return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* Shows what is another in a row than on the screen; a wide character goes whole. */
static void show_changes(struct tty *t, const struct canvas *c, int y)
{
	const struct cell *new = canvas_at(c, 0, y), *old = canvas_at(&t->shown, 0, y);
	int from = 0, to = c->columns;

	if (same_cells(new, old, c->columns))
		return;
	while (same_cells(new + from, old + from, 1))
		from++;
	while (same_cells(new + to - 1, old + to - 1, 1))
		to--;
	while (from > 0 && (new[from].code == 0 || old[from].code == 0))
		from--;
	while (to < c->columns && (new[to].code == 0 || old[to].code == 0))
		to++;
	show_cells(t, c, y, from, to);
}

void tty_show(struct tty *t, const struct canvas *c)
{
	bool all = t->all || t->shown.columns != c->columns || t->shown.rows != c->rows;

	if (t->row_cap < c->columns) {
		t->row = xrealloc(t->row, (size_t)c->columns * sizeof *t->row);
		t->row_cap = c->columns;
	}
	if (all)
		canvas_reset(&t->shown, c->columns, c->rows);
	for (int y = 0; y < c->rows && y < LINES; y++)
		if (all)
			show_cells(t, c, y, 0, c->columns);
		else
			show_changes(t, c, y);
	t->all = false;
	curs_set(c->cursor_x >= 0);
	if (c->cursor_x >= 0)
		move(c->cursor_y, c->cursor_x);
	wnoutrefresh(stdscr);
	doupdate();
}

void tty_redraw(struct tty *t)
{
	t->all = true;
	clearok(curscr, TRUE);
}

void tty_beep(struct tty *t)
{
	(void)t;
	beep();
}

void tty_mouse(struct tty *t, bool on)
{
	if (t->mouse == on)
		return;
	t->mouse = on;
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
	mouseinterval(0);
	prepare_restore(t);
}

void tty_barrier(struct tty *t, unsigned n)
{
	char title[32];
	int length = snprintf(title, sizeof title, "\033]2;sync:%u\007", n);

	(void)t;
	(void)!write(STDOUT_FILENO, title, (size_t)length);
}

void tty_suspend(struct tty *t)
{
	set_working(t, false);
	def_prog_mode();
	set_paste_mode(t, false);
	endwin();
	signals_set_restore(NULL, 0, NULL);
	signals_stop();
	reset_prog_mode();
	prepare_restore(t);
	set_paste_mode(t, true);
	tty_redraw(t);
	doupdate();
}

/* ---- keys ---- */

/* A terminal may cut, shift or fold what it showed when its size changes, so nothing on it can be
 * relied on: it is erased and drawn anew. */
static void resize(struct tty *t)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
		resize_term(size.ws_row, size.ws_col);
	erase();
	tty_redraw(t);
}

/* A character of what was pasted can come in several pieces: wait for each, not long. */
static void read_paste(struct tty *t)
{
	wint_t c;
	int r;

	t->pasted.n = 0;
	timeout(500);
	while ((r = get_wch(&c)) != ERR && !(r == KEY_CODE_YES && c == CODE_PASTE_END)) {
		if (r == OK && c == CTRL_C) {
			t->pasted.n = 0;
			break;
		}
		if (r == OK && t->pasted.n <= LINE_PASTE_MAX)
			vec_push(&t->pasted, (wchar_t)c);
	}
}

const wchar_t *tty_pasted(const struct tty *t, size_t *n)
{
	*n = t->pasted.n;
	return t->pasted.n ? t->pasted.v : L"";
}

static uint32_t special_key(wint_t c)
{
	static const struct {
		wint_t curses;
		uint32_t key;
	} map[] = {
	    {KEY_UP, K_UP},	    {KEY_DOWN, K_DOWN},		  {KEY_LEFT, K_LEFT},
	    {KEY_RIGHT, K_RIGHT},   {KEY_HOME, K_HOME},		  {KEY_END, K_END},
	    {KEY_PPAGE, K_PAGE_UP}, {KEY_NPAGE, K_PAGE_DOWN},	  {KEY_DC, K_DELETE},
	    {KEY_BTAB, K_BACK_TAB}, {KEY_BACKSPACE, K_BACKSPACE}, {KEY_ENTER, K_ENTER},
	    {KEY_A1, K_HOME},	    {KEY_A3, K_PAGE_UP},	  {KEY_C1, K_END},
	    {KEY_C3, K_PAGE_DOWN},
	};

	if (c >= KEY_F(1) && c <= KEY_F(12))
		return K_F1 + c - KEY_F(1);
	for (size_t i = 0; i < sizeof map / sizeof *map; i++)
		if (map[i].curses == c)
			return map[i].key;
	return 0;
}

static uint32_t mouse_key(struct tty *t)
{
	MEVENT e;

	if (getmouse(&e) != OK)
		return 0;
	t->mouse_x = e.x;
	t->mouse_y = e.y;
	return e.bstate & BUTTON1_PRESSED   ? K_CLICK
	       : e.bstate & BUTTON4_PRESSED ? K_WHEEL_UP
	       : e.bstate & BUTTON5_PRESSED ? K_WHEEL_DOWN
					    : 0;
}

void tty_mouse_at(const struct tty *t, int *x, int *y)
{
	*x = t->mouse_x;
	*y = t->mouse_y;
}

/* After an escape: the rest of a sequence is there at once, or never. */
static uint32_t after_escape(struct tty *t)
{
	wint_t d;

	timeout(0);
	int r = get_wch(&d);
	if (r == ERR)
		return K_ESC;
	if (r != OK || d == 27) {
		t->pending = r == OK ? K_ESC : special_key(d);
		return K_ESC;
	}
	if (d != L'[' && d != L'O')
		return d < 0x80 ? KEY_ALT | d : K_ESC;
	timeout(20);
	while (get_wch(&d) == OK && !(d >= 0x40 && d <= 0x7e))
		; /* a sequence that curses does not know: eaten */
	return 0;
}

/* A key that is there now; 0: none. */
static uint32_t take_key(struct tty *t, bool *any)
{
	wint_t c;

	if (t->pending) {
		uint32_t key = t->pending;
		t->pending = 0;
		return key;
	}
	timeout(0);
	int r = get_wch(&c);
	*any = r != ERR;
	if (r == ERR)
		return 0;
	if (r == KEY_CODE_YES && c == CODE_PASTE)
		return read_paste(t), K_PASTE;
	if (r == KEY_CODE_YES)
		return c == KEY_MOUSE ? mouse_key(t) : special_key(c);
	if (c == 27)
		return after_escape(t);
	if (c == '\r')
		return K_ENTER;
	if (c == 127 || c == 8)
		return K_BACKSPACE;
	return c >= 0x80 && c < 0xa0 ? 0 : c; /* C1 codes are the editor's own */
}

uint32_t tty_key(struct tty *t, int timeout_ms)
{
	struct pollfd fds[2] = {{STDIN_FILENO, POLLIN, 0}, {signals_fd(), POLLIN, 0}};
	bool any;

	set_working(t, false);
	if (*signals_interrupt()) {
		*signals_interrupt() = 0;
		return CTRL_C;
	}
	for (;;) {
		if (signals_stopping())
			tty_suspend(t);
		if (signals_resized()) {
			resize(t);
			return 0;
		}
		uint32_t key = take_key(t, &any);
		if (key)
			return key;
		if (any)
			continue; /* something that means nothing: look again at once */
		int r = poll(fds, 2, timeout_ms);
		if (r == 0)
			return 0;
		if (r > 0 && fds[1].revents) {
			signals_drain();
			if (signals_ending())
				return 0;
		}
		if (r > 0 && fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) {
			t->gone = true;
			return 0;
		}
	}
}
