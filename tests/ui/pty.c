#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "base/text.h"

char state_dir[] = "/tmp/etcdscope-test-XXXXXX";

int make_state_dir(void **state)
{
	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
	return mkdtemp(state_dir) ? 0 : -1;
}

int remove_state_dir(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", state_dir);
	return system(command);
}

static int on_prop(VTermProp p, VTermValue *v, void *user)
{
	struct seen *s = user;

	if (p == VTERM_PROP_CURSORVISIBLE)
		s->cursor_visible = v->boolean;
#if defined(VTERM_VERSION_MINOR) && (VTERM_VERSION_MAJOR > 0 || VTERM_VERSION_MINOR >= 2)
	if (p == VTERM_PROP_TITLE) {
		size_t at = v->string.initial ? 0 : strlen(s->title);
		snprintf(s->title + at, sizeof s->title - at, "%.*s", (int)v->string.len,
			 v->string.str);
	}
#else
	if (p == VTERM_PROP_TITLE)
		snprintf(s->title, sizeof s->title, "%s", v->string);
#endif
	return 1;
}

static int on_cursor(VTermPos pos, VTermPos old, int visible, void *user)
{
	(void)old;
	(void)visible;
	((struct seen *)user)->cursor = pos;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_prop, .movecursor = on_cursor};

static const char *program(void)
{
	static char path[4096];
	const char *named = getenv("ETCDSCOPE");
	ssize_t n;

	if (named)
		return named;
	n = readlink("/proc/self/exe", path, sizeof path - 32); /* BUILD/tests/ui/test_terminal */
	assert_true(n > 0);
	path[n] = 0;
	for (int i = 0; i < 3; i++)
		*strrchr(path, '/') = 0;
	strcat(path, "/etcdscope");
	return path;
}

static void run_child(const char *term, const char *const *args, const char *const *env)
{
	const char *argv[16] = {program()};

	setenv("TERM", term, 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("ETCDSCOPE_TEST", "1", 1);
	setenv("XDG_STATE_HOME", state_dir, 1);
	setenv("XDG_CONFIG_HOME", state_dir, 1);
	unsetenv("NO_COLOR");
	unsetenv("COLORFGBG");
	unsetenv("ETCDSCOPE_THEME");
	for (int i = 0; env && env[i]; i += 2)
		setenv(env[i], env[i + 1], 1);
	for (int i = 0; args && args[i] && i < 14; i++)
		argv[i + 1] = args[i];
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

/* What a shell does for a job: the program in a process group of its own in the foreground; says
 * STOPPED when it stops, and lets it go on when told to go on itself. */
static void run_job(const char *term, const char *const *args)
{
	int status = 0;
	pid_t job;

	signal(SIGTTOU, SIG_IGN);
	job = fork();
	if (job == 0) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		run_child(term, args, NULL);
	}
	setpgid(job, job);
	while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
		(void)!write(1, "STOPPED", 7);
		raise(SIGSTOP);
		tcsetpgrp(0, job);
		kill(-job, SIGCONT);
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

const char *const as_job[] = {"job", NULL};

struct seen *start_as(const char *term, int columns, int rows, const char *const *args,
		      const char *const *env)
{
	struct seen *s = calloc(1, sizeof *s);
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
	int slave;

	assert_non_null(s);
	s->rows = rows, s->columns = columns;
	s->cursor_visible = true;
	assert_int_equal(openpty(&s->fd, &slave, NULL, NULL, &size), 0);
	assert_int_equal(tcgetattr(slave, &s->before), 0);
	s->keep = slave;
	fflush(NULL);
	s->pid = fork();
	if (s->pid == 0) {
		close(s->fd);
		login_tty(dup(slave));
		close(slave);
		if (env == as_job)
			run_job(term, args);
		run_child(term, args, env);
	}
	s->vt = vterm_new(rows, columns);
	vterm_set_utf8(s->vt, 1);
	s->screen = vterm_obtain_screen(s->vt);
	vterm_screen_set_callbacks(s->screen, &callbacks, s);
	vterm_screen_enable_altscreen(s->screen, 1);
	vterm_screen_reset(s->screen, 1);
	return s;
}

struct seen *start(int columns, int rows, const char *const *args)
{
	return start_as("xterm-256color", columns, rows, args, NULL);
}

bool pump(struct seen *s, int ms)
{
	struct pollfd p = {.fd = s->fd, .events = POLLIN};
	char bytes[65536];
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return false;
	n = read(s->fd, bytes, sizeof bytes);
	if (n <= 0)
		return false;
	buf_add(&s->raw, bytes, (size_t)n);
	vterm_input_write(s->vt, bytes, (size_t)n);
	return true;
}

void wait_for(struct seen *s, const char *text)
{
	while (!strstr(buf_str(&s->raw), text))
		if (!pump(s, PATIENCE_MS))
			fail_msg("no %s; last bytes: %s", text,
				 s->raw.n > 300 ? s->raw.p + s->raw.n - 300 : buf_str(&s->raw));
}

void type(struct seen *s, const char *keys)
{
	size_t n = strlen(keys);

	assert_int_equal(write(s->fd, keys, n), (ssize_t)n);
}

void sync_screen(struct seen *s)
{
	char expect[64];

	type(s, "\033[24~"); /* F12 */
	snprintf(expect, sizeof expect, "sync:%u", ++s->syncs);
	while (strcmp(s->title, expect) != 0)
		if (!pump(s, PATIENCE_MS))
			fail_msg("no %s; last bytes: %s", expect,
				 s->raw.n > 300 ? s->raw.p + s->raw.n - 300 : buf_str(&s->raw));
}

void press(struct seen *s, const char *keys)
{
	type(s, keys);
	sync_screen(s);
}

const char *screen_text(struct seen *s)
{
	char utf8[8];

	buf_clear(&s->text);
	for (int y = 0; y < s->rows; y++) {
		size_t end = s->text.n;
		for (int x = 0; x < s->columns; x++) {
			VTermScreenCell cell;
			vterm_screen_get_cell(s->screen, (VTermPos){y, x}, &cell);
			if (cell.chars[0] == (uint32_t)-1)
				continue;
			for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
				buf_add(&s->text, utf8, (size_t)utf8_encode(utf8, cell.chars[i]));
			if (cell.chars[0] && cell.chars[0] != ' ')
				end = s->text.n;
			else if (!cell.chars[0])
				buf_putc(&s->text, ' ');
		}
		s->text.n = end;
		buf_putc(&s->text, '\n');
	}
	return buf_str(&s->text);
}

bool shows(struct seen *s, const char *text)
{
	return strstr(screen_text(s), text) != NULL;
}

/* The status of waitpid; a program that does not end fails the test instead of holding it for ever.
 */
static int wait_for_end(struct seen *s, const char *again)
{
	int status, idle = 0;

	while (waitpid(s->pid, &status, WNOHANG) == 0) {
		if (pump(s, 50))
			continue;
		if (++idle * 50 > PATIENCE_MS)
			fail_msg("it does not end; last bytes: %s",
				 s->raw.n > 300 ? s->raw.p + s->raw.n - 300 : buf_str(&s->raw));
		if (again && idle % 10 == 0)
			type(s, again);
	}
	return status;
}

int ended(struct seen *s)
{
	return ended_by(s, NULL);
}

int ended_by(struct seen *s, const char *again)
{
	int status = wait_for_end(s, again);

	while (pump(s, 0))
		;
	s->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

/* What was switched on last is off. */
static bool is_off(const struct buf *raw, const char *on, const char *off)
{
	const char *p = buf_str(raw), *last_on = NULL, *last_off = NULL;

	for (const char *q = p; (q = strstr(q, on)); q++)
		last_on = q;
	for (const char *q = p; (q = strstr(q, off)); q++)
		last_off = q;
	return last_on && last_off && last_off > last_on;
}

void assert_modes_restored(struct seen *s)
{
	struct termios now;

	assert_int_equal(tcgetattr(s->keep, &now), 0);
	assert_int_equal(now.c_lflag, s->before.c_lflag);
	assert_int_equal(now.c_iflag, s->before.c_iflag);
	assert_int_equal(now.c_oflag, s->before.c_oflag);
	assert_true(is_off(&s->raw, "\033[?2004h", "\033[?2004l"));
}

void assert_restored(struct seen *s)
{
	assert_modes_restored(s);
	assert_true(s->cursor_visible);
	assert_non_null(strstr(buf_str(&s->raw), "\033[?1049l"));
}

void stop(struct seen *s)
{
	if (s->pid) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, NULL, 0);
	}
	close(s->fd);
	close(s->keep);
	vterm_free(s->vt);
	buf_free(&s->raw);
	buf_free(&s->text);
	free(s);
}
