/* The loop of the screen.
 *
 * libedit asks for a key; this draws, waits, does what a key of the screen means, and hands on only
 * what belongs to the line.  Nothing is drawn and no time passes while nothing happens
 * (tty_key waits without a limit).
 */
#include "ui/app.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/table.h"
#include "session/files.h"
#include "ui/export.h"
#include "base/signals.h"

enum { LINES_A_NOTCH = 3 }; /* of the wheel */

int64_t app_clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int app_play_interval_ms(const struct app *a)
{
	return a->v.speed >= 0 ? 2000 >> a->v.speed : 2000 << -a->v.speed;
}

/* ---- drawing ---- */

static void put_wide(struct buf *out, const wchar_t *text, size_t n)
{
	char utf8[4];

	for (size_t i = 0; i < n; i++) {
		uint32_t code = (uint32_t)text[i];
		if (text_is_unsafe(code)) {
			struct buf raw = {0};
			buf_add(&raw, utf8, (size_t)utf8_encode(utf8, code));
			text_safe(out, buf_bytes(&raw), false);
			buf_free(&raw);
		} else {
			buf_add(out, utf8, (size_t)utf8_encode(utf8, code));
		}
	}
}

/* The line under edit as the view has it: text, cursor, question, hint, candidates. */
static void look_at_line(struct app *a)
{
	struct line_view l = line_look(a->line);
	struct buf before = {0};

	buf_clear(&a->prompt);
	buf_clear(&a->hint);
	put_wide(&a->prompt, l.text, l.length);
	put_wide(&before, l.text, l.cursor);
	a->v.prompt_text = buf_str(&a->prompt);
	a->v.prompt_cursor = canvas_width(&a->canvas, buf_bytes(&before));
	a->v.candidates = l.candidates;
	a->v.prompt = a->question;
	if (l.prompt[0]) {
		snprintf(a->question, sizeof a->question, "%ls", l.prompt);
	} else if (a->block < 0) {
		a->question[0] = 0;
		if (l.length && l.cursor == l.length)
			command_hint(buf_bytes(&a->prompt), &a->hint);
	}
	a->v.hint = buf_str(&a->hint);
	buf_free(&before);
}

static void render(void *arg)
{
	struct app *a = arg;
	int columns, rows;

	tty_size(a->tty, &columns, &rows);
	canvas_reset(&a->canvas, columns, rows);
	scene_init(&a->scene, a->p, &a->v, a->session);
	scene_draw(&a->scene, &a->canvas);
}

static void draw(struct app *a)
{
	if (a->line)
		look_at_line(a);
	render(a);
	tty_show(a->tty, &a->canvas);
}

/* What is exported is the screen as it is, without the line that asks for it. */
static bool export_screen(void *arg, const char *form, struct buf *out)
{
	struct app *a = arg;
	bool was_typing = a->v.typing, known = true;
	const char *prompt = a->v.prompt_text;

	a->v.typing = false;
	a->v.prompt_text = "";
	buf_clear(&a->v.notice);
	if (strcmp(form, "cast") == 0) {
		export_cast(&(struct export_source){a->p, &a->canvas, render, a}, &a->theme, out);
	} else {
		render(a);
		known = export_canvas(&a->canvas, &a->theme, form, out);
	}
	a->v.typing = was_typing;
	a->v.prompt_text = prompt;
	return known;
}

/* ---- keys ---- */

static void push(struct app *a, wchar_t c)
{
	a->fifo[a->tail++ % APP_FIFO] = c;
}

static unsigned where(const struct app *a)
{
	if (a->v.typing)
		return WHILE_TYPING |
		       (a->v.prompt_text && !a->v.prompt_text[0] && a->block < 0 ? ON_EMPTY_LINE
										 : 0u);
	if (a->v.overlay == OVERLAY_MENU)
		return IN_MENU;
	if (a->v.overlay != OVERLAY_NONE)
		return IN_PAGES;
	return a->v.focus == PANE_STAGE ? ON_STAGE : IN_PANE;
}

/* A key for the line under edit. */
static void edit_key(struct app *a, uint32_t key)
{
	static const struct {
		uint32_t key;
		wchar_t code;
	} map[] = {{K_UP, LINE_UP},	    {K_DOWN, LINE_DOWN}, {K_RIGHT, LINE_RIGHT},
		   {K_LEFT, LINE_LEFT},	    {K_HOME, LINE_HOME}, {K_END, LINE_END},
		   {K_DELETE, LINE_DELETE}, {K_BACKSPACE, 127},	 {3, LINE_CANCEL}};

	for (size_t i = 0; i < sizeof map / sizeof *map; i++)
		if (map[i].key == key) {
			push(a, map[i].code);
			return;
		}
	if (key & KEY_ALT)
		push(a, 27);
	key &= ~(uint32_t)KEY_ALT;
	if (key < KEY_CODE_FIRST)
		push(a, (wchar_t)key);
}

/* A number in the menu starts the demo of that number: at once, unless it can be the beginning of
 * a longer one, which ENTER decides. */
static bool menu_digit(struct app *a, uint32_t key)
{
	const struct demo *demos;
	size_t n = session_demos(a->session, &demos);
	int number = a->v.menu_number * 10 + (int)(key - '0');
	bool there = false, longer = false;

	a->v.menu_number = 0;
	for (size_t i = 0; i < n; i++) {
		longer = longer || demos[i].number / 10 == number;
		if (demos[i].number != number)
			continue;
		a->v.over.selected = i;
		there = true;
	}
	if (longer) {
		a->v.menu_number = number;
		return true;
	}
	return there && app_command(a, "choose");
}

static bool is_menu_digit(const struct app *a, uint32_t key)
{
	return a->v.overlay == OVERLAY_MENU && !a->v.typing && key <= '9' &&
	       key >= (a->v.menu_number ? '0' : '1');
}

/* What is pasted onto the stage was meant for the line. */
static void paste(struct app *a)
{
	size_t n;
	const wchar_t *text = tty_pasted(a->tty, &n);
	struct buf why = {0};

	if (!line_paste(a->line, text, n, &why)) {
		tty_beep(a->tty);
		app_notice(a, buf_str(&why));
	} else if (!a->v.typing) {
		app_type(a, "");
	}
	buf_free(&why);
}

/* A character was typed that the line has no room for. */
static void full(void *arg, bool first)
{
	struct app *a = arg;

	tty_beep(a->tty);
	if (first)
		app_notice(a, "The line is full: 1000 characters fit.");
}

static void barrier(struct app *a)
{
	draw(a);
	tty_barrier(a->tty, ++a->barrier);
}

static void mouse(struct app *a, uint32_t key);

static void handle(struct app *a, uint32_t key)
{
	if (key & KEY_ALT &&
	    !a->v.typing) { /* nothing on the stage is bound to Alt: ESC, and a key typed fast */
		handle(a, K_ESC);
		handle(a, key & ~(uint32_t)KEY_ALT);
		return;
	}
	if (a->test_mode && key == K_F12) {
		barrier(a);
		return;
	}
	if (a->v.overlay == OVERLAY_BLANK) {
		a->v.overlay = OVERLAY_NONE;
		return;
	}
	if (key == K_CLICK || key == K_WHEEL_UP || key == K_WHEEL_DOWN) {
		mouse(a, key);
		return;
	}
	if (key != 'q' && key != K_F10)
		a->v.quit_asked = false;
	if (is_menu_digit(a, key)) {
		tty_work(a->tty);
		if (!menu_digit(a, key))
			tty_beep(a->tty);
		return;
	}
	a->v.menu_number = 0;
	bool own_escape = key == K_ESC && a->v.typing && a->line && line_wants_escape(a->line);
	bool turns_page = key == K_ESC || key == K_PAGE_UP || key == K_PAGE_DOWN;
	bool steps = a->v.pgdn_steps && (key == K_PAGE_UP || key == K_PAGE_DOWN);
	unsigned at = steps && where(a) == IN_PANE				  ? ON_STAGE
		      : a->v.typing && a->v.overlay != OVERLAY_NONE && turns_page ? IN_PAGES
										  : where(a);
	const char *command = own_escape ? NULL : key_command(key, at);
	if (command) {
		tty_work(a->tty);
		buf_clear(&a->v.notice); /* it has been read, or it is said again */
		app_command(a, command);
	} else if (key == K_PASTE && a->line) {
		paste(a);
	} else if (a->v.typing) {
		edit_key(a, key);
	} else {
		tty_beep(a->tty);
	}
}

/* What was pressed on the screen as it is: the same drawing once more says where things are. */
static void click(struct app *a, int x, int y)
{
	struct spots spots = {0};
	unsigned key;

	scene_init(&a->scene, a->p, &a->v, a->session);
	a->scene.spots = &spots;
	canvas_reset(&a->canvas, a->canvas.columns, a->canvas.rows);
	scene_draw(&a->scene, &a->canvas);
	a->scene.spots = NULL;
	const char *command = spots_at(&spots, x, y);
	tty_work(a->tty);
	if (sscanf(command, "press %u", &key) == 1)
		handle(a, key);
	else if (strcmp(command, "type ") == 0 && a->v.typing)
		; /* the line is open */
	else if (command[0] && !app_command(a, command))
		app_execute(a, command);
	vec_free(&spots.v);
}

/* The wheel moves what lies under it. */
static void wheel(struct app *a, int x, int y, const char *how)
{
	const struct layout *l = &a->scene.l;

	if (a->v.overlay == OVERLAY_NONE)
		for (int p = PANE_CLIENT; p < PANE_COUNT; p++) {
			const struct rect *r = &l->body[p];
			if (x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h)
				app_scroll(a, (enum pane)p, how);
		}
	else
		app_command(a, how);
}

static void mouse(struct app *a, uint32_t key)
{
	int x, y;

	tty_mouse_at(a->tty, &x, &y);
	if (key == K_CLICK)
		click(a, x, y);
	for (int i = 0; key != K_CLICK && i < LINES_A_NOTCH; i++)
		wheel(a, x, y, key == K_WHEEL_UP ? "move up" : "move down");
}

static int patience_ms(const struct app *a)
{
	if (!a->v.playing)
		return -1;
	int64_t left = a->due_ms - app_clock_ms();
	return left > 0 ? (int)left : 0;
}

static void play(struct app *a)
{
	if (!a->v.playing || app_clock_ms() < a->due_ms)
		return;
	tty_work(a->tty);
	if (!app_play_step(a))
		a->v.playing = false;
	a->due_ms = app_clock_ms() + app_play_interval_ms(a);
}

/* The next key of what was pasted; it is for the line, though the stage has the keys after each
 * command. */
static bool next_pasted(struct app *a, wchar_t *c)
{
	if (a->line && *signals_interrupt())
		line_drop_pasted(a->line);
	*c = a->line ? line_pasted_key(a->line) : 0;
	if (*c)
		a->v.typing = true;
	return *c != 0;
}

/* What libedit calls for each key. */
static int next_key(void *arg, wchar_t *c)
{
	struct app *a = arg;

	for (;;) {
		if (a->head != a->tail)
			return *c = a->fifo[a->head++ % APP_FIFO], 1;
		if (a->quit || signals_ending() || tty_is_gone(a->tty))
			return 0;
		draw(a);
		if (next_pasted(a, c))
			return 1;
		uint32_t key = tty_key(a->tty, patience_ms(a));
		if (key)
			handle(a, key);
		play(a);
	}
}

static void complete(void *arg, struct bytes line, size_t cursor, size_t *start, struct buf *out)
{
	struct app *a = arg;

	command_complete(player_world(a->p), line, cursor, start, out);
}

/* ---- lines ---- */

/* The file of lines typed before; false: there is no place for it. */
static bool history_path(struct buf *path)
{
	bool known = files_state(path);

	buf_puts(path, "/history");
	return known;
}

static void history_open(struct app *a)
{
	struct buf path = {0};

	if (history_path(&path))
		line_history_load(a->line, buf_str(&path));
	buf_free(&path);
}

static void history_close(struct app *a)
{
	struct buf folder = {0}, path = {0};

	if (history_path(&path) && files_state(&folder) && files_make_folder(buf_str(&folder)) == 0)
		line_history_save(a->line, buf_str(&path));
	buf_free(&folder);
	buf_free(&path);
}

/* Ctrl-C stops the command and the lines that were pasted behind it. */
static void execute(struct app *a, const char *line)
{
	uint64_t before = player_interrupts(a->p);

	tty_work(a->tty);
	app_execute(a, line);
	if (player_interrupts(a->p) != before) {
		line_drop_pasted(a->line);
		app_notice(a, "Stopped.");
	}
}

static void read_lines(struct app *a)
{
	struct buf line = {0};

	while (!a->quit && !signals_ending() && !tty_is_gone(a->tty)) {
		int r = line_read(a->line, &line);
		if (r == 0) {
			if (a->v.typing && !signals_ending() && !tty_is_gone(a->tty))
				a->quit = true; /* Ctrl-D on an empty line */
			continue;
		}
		if (r < 0) {
			app_notice(a, "The line is cleared. quit or Ctrl-D leaves; ESC goes back "
				      "to the stage.");
			a->block = -1;
			continue;
		}
		line_history_add(a->line, buf_str(&line));
		execute(a, buf_str(&line));
	}
	buf_free(&line);
}

/* Without a pseudo-terminal there is no line, but every key still works. */
static void read_keys(struct app *a)
{
	wchar_t c;

	while (next_key(a, &c) == 1)
		;
}

/* ---- start and end ---- */

static void choose_theme(struct app *a, const char *name)
{
	struct buf err = {0};

	if (!name)
		name = getenv("ETCDSCOPE_THEME");
	if (!name || !*name)
		name = session_setting(a->session, "theme");
	if (!theme_load(&a->theme, name && *name ? name : "auto", &err)) {
		app_notice(a, buf_str(&err));
		theme_load(&a->theme, "auto", &err);
	}
	app_show_theme(a);
	buf_free(&err);
}

static void init_view(struct app *a)
{
	for (int i = 0; i < PANE_COUNT; i++)
		a->v.place[i].follow = true;
	a->v.welcome = player_steps(a->p) == 0 && player_typed(a->p) == 0;
	if (!a->v.welcome) /* what was restored, if anything was */
		app_say(a, session_notice(a->session));
	a->v.live = true;
	a->block = -1;
}

static int end(struct app *a)
{
	int sig = signals_ending();

	if (a->line)
		history_close(a);
	player_interrupt_on(a->p, NULL);
	session_on_export(a->session, screen_export, a->p);
	tty_close(a->tty);
	line_close(a->line);
	canvas_free(&a->canvas);
	buf_free(&a->prompt);
	buf_free(&a->hint);
	buf_free(&a->v.notice);
	buf_free(&a->v.over_text);
	return sig ? 128 + sig : 0;
}

/* libedit and curses share terminfo's idea of the present terminal: the editor comes first, and
 * curses has the last word. */
static void open_line(struct app *a, const struct line_calls *calls)
{
	struct termios modes;
	bool known = tcgetattr(STDIN_FILENO, &modes) == 0;

	a->line = line_open(calls, known ? &modes : NULL);
	if (a->line)
		history_open(a);
}

int ui_run(struct session *s, const struct ui_options *o)
{
	struct app a = {.session = s, .p = session_player(s)};
	struct line_calls calls = {.key = next_key, .complete = complete, .full = full, .arg = &a};
	const char *why = "", *test = getenv("ETCDSCOPE_TEST");

	open_line(&a, &calls);
	a.tty = tty_open(o->color, &why);
	if (!a.tty) {
		line_close(a.line);
		fprintf(stderr, "etcdscope: no screen: %s; this is the plain form\n", why);
		return ui_plain(s, o);
	}
	a.ascii = o->ascii || !tty_is_utf8();
	a.test_mode = test && strcmp(test, "1") == 0;
	canvas_init(&a.canvas, 1, 1, a.ascii);
	choose_theme(&a, o->theme);
	init_view(&a);
	app_choose_layout(&a, session_setting(s, "layout"));
	const char *mouse_setting = session_setting(s, "mouse");
	a.mouse = !mouse_setting || strcmp(mouse_setting, "off") != 0;
	tty_mouse(a.tty, a.mouse);
	player_interrupt_on(a.p, signals_interrupt());
	session_on_export(s, export_screen, &a);
	if (a.line)
		read_lines(&a);
	else
		read_keys(&a);
	return end(&a);
}
