/* The prompt alone on a pseudo-terminal: what is pasted, what stops a command, what ends it. */
#include "pty.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASTE "\033[200~"
#define PASTED "\033[201~"
#define WAITS "\033[?2004h" /* written before a key is waited for */

static const char *const repl[] = {"repl", NULL};

static struct seen *begin(void)
{
	struct seen *s = start(80, 24, repl);

	wait_for(s, WAITS);
	return s;
}

/* Types what makes the program read another line, and waits until it does. */
static void enter(struct seen *s, const char *keys)
{
	buf_clear(&s->raw);
	type(s, keys);
	wait_for(s, WAITS);
}

static void leave(struct seen *s)
{
	type(s, "\003\004");
	assert_int_equal(ended_by(s, "\004"), 0);
	assert_modes_restored(s);
	stop(s);
}

static void each_pasted_line_is_a_line(void **state)
{
	struct seen *s = begin();

	(void)state;
	enter(s, PASTE "put a 1\rput b 2\rtxn\r\rput c 3\r\r\rend\rget" PASTED);
	assert_shows(s,
		     "S1> put a 1\nOK\nS1> put b 2\nOK\nS1> txn\ncompares:\n"
		     "success: put c 3\nsuccess:\nfailure:\nfailure: end\nSUCCESS\n\nOK\nS1> get");
	enter(s, " c\r");
	assert_shows(s, "S1> get c\nc\n3\n");
	leave(s);
}

static void what_does_not_fit_is_refused(void **state)
{
	struct seen *s = begin();
	struct buf paste = {0};

	(void)state;
	buf_puts(&paste, PASTE "put a ");
	for (int i = 0; i < 1100; i++)
		buf_putc(&paste, 'x');
	buf_puts(&paste, "\rput b 1\r" PASTED);
	type(s, buf_str(&paste));
	wait_for(s, "pasted line has 1106 characters, 1000 fit: use source FILE");
	wait_for(s, "\a");
	enter(s, "get b\r");
	assert_shows(s, "S1> get b\nS1>");
	buf_free(&paste);
	leave(s);
}

static size_t count(const struct buf *raw, const char *text)
{
	size_t n = 0;

	for (const char *p = buf_str(raw); (p = strstr(p, text)); p++)
		n++;
	return n;
}

/* Drawing looks at each character once: a thousand keys take no time. */
static void a_full_line_says_so_once(void **state)
{
	struct seen *s = begin();
	char keys[1011];

	(void)state;
	memset(keys, 'x', sizeof keys);
	keys[sizeof keys - 1] = 0;
	type(s, keys);
	type(s, "\003");
	wait_for(s, "Ctrl-D leaves");
	assert_int_equal(count(&s->raw, "\a"), 10);
	assert_int_equal(count(&s->raw, "The line is full: 1000 characters fit."), 1);
	leave(s);
}

/* A terminal that forgets the end of a paste does not make the prompt deaf. */
static void a_paste_without_end(void **state)
{
	struct seen *s = begin();

	(void)state;
	type(s, PASTE "put a 1");
	wait_for(s, "put a 1");
	enter(s, "\r");
	assert_shows(s, "S1> put a 1\nOK\nS1>");
	type(s, PASTE "put b 1\rput c 1\r\003"); /* Ctrl-C leaves it: nothing has been inserted */
	enter(s, "get b\r");
	assert_shows(s, "OK\nS1> get b\nS1>");
	leave(s);
}

/* While a command runs the terminal is as it was found: Ctrl-C is a signal. */
static void wait_until_it_works(struct seen *s)
{
	struct termios now;

	while (tcgetattr(s->keep, &now) == 0 && !(now.c_lflag & ISIG))
		pump(s, 10);
}

static void ctrl_c_stops_a_command(void **state)
{
	struct seen *s = begin();

	(void)state;
	type(s, PASTE "put a 1\rwait 1000000000\rput a 2\r" PASTED);
	wait_for(s, "wait 1000000000");
	wait_until_it_works(s);
	enter(s, "\003");
	enter(s, "get a\r");
	assert_shows(s, "S1> get a\na\n1\n");
	leave(s);
}

static int after_signal(int sig, bool working)
{
	struct seen *s = begin();

	type(s, working ? "wait 1000000000\r" : "half");
	wait_for(s, working ? "wait 1000000000" : "half");
	if (working)
		wait_until_it_works(s);
	kill(s->pid, sig);
	int status = ended(s);
	assert_modes_restored(s);
	stop(s);
	return status;
}

static void whatever_ends_it_restores_the_terminal(void **state)
{
	static const int ends[] = {SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS,
				   SIGFPE,  SIGILL, SIGPIPE, SIGALRM, SIGUSR1};

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		assert_int_equal(after_signal(ends[i], false), 256 + ends[i]);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(after_signal(ends[i], true), 256 + ends[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_pasted_line_is_a_line),
	    cmocka_unit_test(what_does_not_fit_is_refused),
	    cmocka_unit_test(a_full_line_says_so_once),
	    cmocka_unit_test(a_paste_without_end),
	    cmocka_unit_test(ctrl_c_stops_a_command),
	    cmocka_unit_test(whatever_ends_it_restores_the_terminal),
	};

	return cmocka_run_group_tests(tests, make_state_dir, remove_state_dir);
}
