/* The program on a pseudo-terminal (pty.h). */
#include "pty.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const demo1[] = {"demo", "1", NULL};

/* ---- tests ---- */

static void steps_and_leaves(void **state)
{
	struct seen *s = start(80, 24, demo1);

	(void)state;
	sync_screen(s);
	assert_shows(s, "Demo 1 Write path");
	press(s, "      ");
	assert_shows(s, "step 6 of 10");
	assert_shows(s, "►COMMIT◄");
	press(s, "\033[D"); /* left */
	assert_shows(s, "step 5 of 10");
	press(s, "\033[6~\033[5~\033[5~"); /* PgDn PgUp PgUp */
	assert_shows(s, "step 4 of 10");
	press(s, "g");
	press(s, "\033OF"); /* END */
	assert_shows(s, "step 10 of 10");
	type(s, "q");
	assert_int_equal(ended(s), 0);
	assert_restored(s);
	stop(s);
}

static void types_commands(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	assert_shows(s, "SPACE starts the first demo");
	assert_shows(s, "\nS1>  : to type\n");
	assert_false(s->cursor_visible);
	press(s, ":put /a 1\r");
	assert_shows(s, "rev 2 (+1)  log 2 (+1)  term 1  0.000 s");
	assert_false(s->cursor_visible); /* the stage has the keys again */
	press(s, ":get /a\r");
	assert_shows(s, "   /a\n   1\n");
	press(s, ":pit 3\r");
	assert_shows(s, " ! ");
	press(s, ":\033[A\033[A"); /* up twice: the get */
	assert_true(s->cursor_visible);
	assert_false(shows(s, ": to type"));
	assert_shows(s, "S1> get /a ");
	press(s, "\003put b\xc3\xa4r \xe4\xb8\xad\r");
	assert_shows(s, "> put b\xc3\xa4r \xe4\xb8\xad");
	assert_shows(s, "rev 3 (+1)");
	press(s, ":par\t");
	assert_shows(s, "S1> partition ");
	press(s, "\003\033");
	assert_false(s->cursor_visible);
	type(s, "q");
	assert_int_equal(ended(s), 0);
	stop(s);
	/* the history is there the next time */
	s = start(80, 24, NULL);
	sync_screen(s);
	press(s, ":\033[A\033[A\033[A");
	assert_shows(s, "S1> get /a ");
	press(s, "\003\x12r \xe4\xb8\xad");
	assert_shows(s, "i-search");
	press(s, "\r");
	assert_shows(s, "> put b\xc3\xa4r \xe4\xb8\xad");
	stop(s);
}

static void the_line_survives_sizes(void **state)
{
	static const int sizes[][2] = {{200, 60}, {20, 5},   {1, 1},  {40, 10},
				       {3, 2},	  {120, 40}, {80, 24}};
	struct seen *s = start(80, 24, demo1);

	(void)state;
	sync_screen(s);
	press(s, "   :put /x a long value that is typed while the window changes");
	buf_clear(&s->raw);
	struct buf before = {0};
	buf_puts(&before, screen_text(s));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct winsize size = {.ws_row = (unsigned short)sizes[i][1],
				       .ws_col = (unsigned short)sizes[i][0]};
		s->columns = sizes[i][0], s->rows = sizes[i][1];
		vterm_set_size(s->vt, s->rows, s->columns);
		assert_int_equal(ioctl(s->fd, TIOCSWINSZ, &size), 0);
		sync_screen(s);
	}
	assert_string_equal(screen_text(s), buf_str(&before));
	buf_free(&before);
	stop(s);
}

/* In a page and in a long reply n and N go round what was found; the store shows only what matches.
 */
static void finds_in_what_has_the_focus(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, ":show limits\r/lease\r");
	assert_shows(s, "ESC closes\n TTL of a lease, least");
	press(s, "n");
	assert_shows(s, "ESC closes\n TTL of a lease, most");
	press(s, "N");
	assert_shows(s, "ESC closes\n TTL of a lease, least");
	press(s, "N"); /* round: the last one */
	assert_false(shows(s, "ESC closes\n TTL of a lease"));
	press(s, "n");
	assert_shows(s, "ESC closes\n TTL of a lease, least");
	press(s, "/xyzzy\r");
	assert_shows(s, "! There is no xyzzy here.");
	assert_shows(s, "ESC closes\n TTL of a lease, least");
	press(s, "\033");
	for (int i = 1; i <= 9; i++) {
		char line[32];
		snprintf(line, sizeof line, ":put k%d v%d\r", i, i);
		press(s, line);
	}
	press(s, ":get k --prefix\r1");
	assert_false(shows(s, "   v7\n"));
	press(s, ":find v7\r");
	assert_shows(s, "   v7\n");
	press(s, "4/k7\r");
	assert_shows(s, "filter k7");
	assert_shows(s, "> k7");
	stop(s);
}

/* A terminal may leave anything on the screen when its size changes: here every cell says E. */
static void a_new_size_erases(void **state)
{
	static const char *const demo8[] = {"demo", "8", NULL};
	static const int sizes[][2] = {{60, 20}, {40, 10}, {120, 40}, {80, 24}};
	struct seen *s = start(80, 24, demo8);
	struct buf before = {0};

	(void)state;
	sync_screen(s);
	press(s, "       ");
	buf_puts(&before, screen_text(s));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct winsize size = {.ws_row = (unsigned short)sizes[i][1],
				       .ws_col = (unsigned short)sizes[i][0]};
		s->columns = sizes[i][0], s->rows = sizes[i][1];
		vterm_set_size(s->vt, s->rows, s->columns);
		vterm_input_write(s->vt, "\0337\033#8\0338", 7);
		assert_non_null(strstr(screen_text(s), "EEEEEEEEEEEE"));
		assert_int_equal(ioctl(s->fd, TIOCSWINSZ, &size), 0);
		sync_screen(s);
		assert_null(strstr(screen_text(s), "EE"));
	}
	assert_string_equal(screen_text(s), buf_str(&before));
	buf_free(&before);
	stop(s);
}

/* SPACE after a command is the next step, on the empty line too; a block keeps the keys. */
static void the_stage_comes_back(void **state)
{
	struct seen *s = start(80, 24, demo1);

	(void)state;
	sync_screen(s);
	press(s, ":theme light\r");
	assert_shows(s, "! Theme light.");
	press(s, " ");
	assert_shows(s, "step 1 of 10");
	press(s, ": ");
	assert_shows(s, "step 2 of 10");
	assert_true(s->cursor_visible);
	press(s, "txn\r");
	assert_shows(s, "compares:");
	assert_true(s->cursor_visible);
	press(s, "\003\033");
	press(s, " ");
	assert_shows(s, "step 3 of 10");
	stop(s);
}

/* What was chosen is chosen at the next start, too. */
static void theme_and_layout_are_kept(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, ":theme light\r");
	assert_shows(s, "! Theme light.");
	press(s, ":layout kinds\r");
	assert_shows(s, "! Layout kinds.");
	stop(s);
	s = start(80, 24, NULL);
	sync_screen(s);
	press(s, ":layout\r"); /* behind kinds comes auto, behind auto tiny */
	assert_shows(s, "! Layout auto.");
	press(s, "T"); /* the one behind light */
	assert_shows(s, "! Theme contrast.");
	press(s, ":theme auto\r");
	stop(s);
}

static void playing_has_speeds(void **state)
{
	struct seen *s = start(80, 24, demo1);

	(void)state;
	sync_screen(s);
	press(s, ":play 5\r");
	assert_shows(s, "! There is no such speed: 0.25, 0.5, 1, 2, 4, 8 and 16 are.");
	press(s, ":play 0.5\r");
	assert_shows(s, "1/2x");
	press(s, ":play 4\r");
	assert_shows(s, "4x");
	stop(s);
}

static void overlays_open_and_close(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, "?");
	assert_shows(s, "Help   1 of 3");
	press(s, "\033[6~");
	assert_shows(s, "Help   2 of 3");
	press(s, "\033");
	assert_shows(s, "MEMBERS");
	press(s, "d");
	assert_shows(s, "type a number, or ↑ ↓ and ENTER");
	press(s, "3");
	assert_shows(s, "Demo 3 Compaction");
	press(s, "4z");
	assert_shows(s, "ZOOMED");
	press(s, "\033\033");
	assert_false(shows(s, "ZOOMED"));
	press(s, ":help put\r");
	assert_shows(s, "put - Puts the given key");
	assert_shows(s, "PgDn next page");
	/* a page over a line that is being typed: ESC closes the page first, then it leaves the
	 * line */
	press(s, ":q");
	assert_shows(s, "put - Puts the given key");
	press(s, "\033");
	assert_false(shows(s, "put - Puts the given key"));
	assert_shows(s, "S1> q");
	assert_shows(s, "F1 help  F10 quit"); /* q is a letter here */
	press(s, "\033");
	assert_false(shows(s, "S1> q"));
	assert_false(s->cursor_visible);
	press(s, ":pit 3\r"); /* a message ends with the next key */
	assert_shows(s, "did you mean put?");
	press(s, "\033");
	assert_false(shows(s, "did you mean put?"));
	press(s, ":why\r");
	assert_shows(s, "No command has failed so far.");
	assert_false(shows(s, "next page"));
	press(s, "\033");
	press(s, ".");
	const char *text = screen_text(s);
	assert_int_equal(strspn(text, " \n"), strlen(text));
	press(s, "x");
	assert_shows(s, "MEMBERS");
	stop(s);
}

/* Arrow keys are never taken for ESC and letters, however they come in (check 11). */
static void arrows_in_pieces(void **state)
{
	struct seen *s = start(80, 24, demo1);

	(void)state;
	sync_screen(s);
	press(s, "    ?");
	type(s, "\033");
	type(s, "[");
	type(s, "B");
	sync_screen(s);
	assert_shows(s, "Help   2 of 3");
	press(s, "\033[99;1X"); /* no key at all */
	assert_shows(s, "Help   2 of 3");
	stop(s);
}

static void branch_after_stepping_back(void **state)
{
	struct seen *s = start(80, 24, demo1);

	(void)state;
	sync_screen(s);
	press(s, "      hhh:put /other 1\r\033");
	assert_shows(s, "(b)");
	press(s, "B");
	assert_shows(s, "> b   (you are here)");
	assert_shows(s, "what followed before is\n  kept.\n");
	assert_shows(s, "ENTER go there");
	press(s, "\033[A\r");
	assert_false(shows(s, "(b)"));
	press(s, "\033[4~");
	stop(s);
}

/* x explains a rule that was broken, though no command has failed. */
static void a_broken_rule_is_explained(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, ":bug commit-half\r:put /a 1\rx");
	assert_shows(s, "Committed Is Durable is broken: S1 commits entry 2");
	assert_shows(s, "The mistake commit-half is on:");
	assert_shows(s, "back goes to before it");
	stop(s);
}

/* m shows another store, and the answer stays. */
static void another_store_hides_no_answer(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, ":put /a 1\rm");
	assert_shows(s, "MVCC STORE of S2");
	assert_shows(s, " > put /a 1\n   OK\n");
	press(s, "mm");
	assert_shows(s, "MVCC STORE of S1");
	press(s, "m:set view S3\r"); /* the world's own view, when it is another */
	assert_shows(s, "MVCC STORE of S3");
	stop(s);
}

/* 1 may be the beginning of 12: the menu waits for what follows. */
static void demos_by_number(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, "d");
	assert_shows(s, "19  Reply lost, retried safely  6 steps  it worked, and nobody was told");
	press(s, "1");
	assert_shows(s, "1_  ENTER, or one more digit");
	press(s, "2");
	assert_shows(s, "Demo 12 ");
	press(s, "d20");
	assert_shows(s, "Demo 20 ");
	press(s, "d1\r");
	assert_shows(s, "Demo 1 ");
	press(s, "d3"); /* no longer number begins with it */
	assert_shows(s, "Demo 3 ");
	press(s, "d15"); /* there is none */
	assert_shows(s, "type a number");
	press(s, "1\033[B3");
	assert_shows(s, "Demo 3 ");
	stop(s);
}

/* One's own commands are not thrown away by SPACE or a demo. */
static void own_work_is_kept(void **state)
{
	static const char *const restore[] = {"--restore", NULL};
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	assert_shows(s, "SPACE starts the first demo");
	press(s, ":put /keep 1\r:put /keep 2\r");
	kill(s->pid, SIGTERM);
	ended(s);
	stop(s);
	s = start(80, 24, restore);
	sync_screen(s);
	assert_shows(s, "restored 2 commands");
	assert_false(shows(s, "SPACE starts"));
	press(s, " ");
	assert_shows(s, "free play");
	assert_shows(s, "/keep");
	press(s, "d");
	assert_shows(s, "Commands of your own are kept in a file first.");
	press(s, "\r");
	assert_shows(s, "Demo 1 ");
	assert_shows(s, "Your 2 commands are kept:");
	stop(s);
}

static int after_signal(int sig)
{
	struct seen *s = start(80, 24, demo1);

	sync_screen(s);
	press(s, ":put half");
	kill(s->pid, sig);
	int status = ended(s);
	assert_restored(s);
	stop(s);
	return status;
}

static void signals_leave_the_terminal_as_it_was(void **state)
{
	(void)state;
	assert_int_equal(after_signal(SIGTERM), 128 + SIGTERM);
	assert_int_equal(after_signal(SIGHUP), 128 + SIGHUP);
	assert_int_equal(after_signal(SIGABRT), 256 + SIGABRT);
	assert_int_equal(after_signal(SIGSEGV), 256 + SIGSEGV);
}

static void suspends_and_comes_back(void **state)
{
	struct seen *s = start_as("xterm-256color", 80, 24, demo1, as_job);
	struct termios now;
	int status;

	(void)state;
	sync_screen(s);
	press(s, "  ");
	type(s, "\032");
	assert_int_equal(waitpid(s->pid, &status, WUNTRACED), s->pid);
	assert_true(WIFSTOPPED(status));
	while (!strstr(buf_str(&s->raw), "STOPPED"))
		assert_true(pump(s, PATIENCE_MS));
	assert_int_equal(tcgetattr(s->keep, &now), 0);
	assert_int_equal(now.c_lflag, s->before.c_lflag);
	assert_true(s->cursor_visible);
	kill(s->pid, SIGCONT);
	sync_screen(s);
	assert_shows(s, "step 2 of 10");
	press(s, " ");
	assert_shows(s, "step 3 of 10");
	type(s, "q");
	assert_int_equal(ended(s), 0);
	assert_restored(s);
	stop(s);
}

/* Parameters of a colour: 3x, 4x, 9x, 10x, 38, 48 in an SGR sequence. */
static bool has_color(const struct buf *raw)
{
	const char *p = buf_str(raw);

	while ((p = strstr(p, "\033[")) != NULL) {
		const char *end = p += 2;
		while ((*end >= '0' && *end <= '9') || *end == ';')
			end++;
		if (*end != 'm')
			continue;
		for (; p < end; p += strcspn(p, ";m") + 1) {
			int v = atoi(p);
			if ((v >= 30 && v <= 38) || (v >= 40 && v <= 48) || (v >= 90 && v <= 107))
				return true;
		}
	}
	return false;
}

static void without_color(void **state)
{
	static const char *const none[] = {"NO_COLOR", "1", NULL}, *const demo8[] = {"demo", "8",
										     NULL};
	static const char *const never[] = {"--color=never", "demo", "8", NULL};
	struct seen *s = start_as("xterm-256color", 80, 24, demo8, none);

	(void)state;
	sync_screen(s);
	press(s, "         ");
	assert_shows(s, "( 3 )");
	assert_false(has_color(&s->raw));
	stop(s);
	s = start(80, 24, never);
	sync_screen(s);
	press(s, "         ");
	assert_false(has_color(&s->raw));
	stop(s);
	s = start_as("vt100", 80, 24, demo8, NULL);
	sync_screen(s);
	press(s, "         ");
	assert_shows(s, "S2 LEADER");
	assert_false(has_color(&s->raw));
	stop(s);
	s = start(80, 24, demo8); /* the test can fail */
	sync_screen(s);
	press(s, "         ");
	assert_true(has_color(&s->raw));
	stop(s);
}

static void other_locales_and_terminals(void **state)
{
	static const char *const c[] = {"LC_ALL", "C", NULL};
	static const char *const terms[] = {"xterm", "tmux-256color", "screen-256color", "linux",
					    "vt100"};
	struct seen *s = start_as("xterm-256color", 80, 24, demo1, c);

	(void)state;
	sync_screen(s);
	press(s, "      ");
	assert_shows(s, ">COMMIT<");
	for (const char *p = screen_text(s); *p; p++)
		assert_in_range((unsigned char)*p, '\n', 0x7e);
	stop(s);
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		s = start_as(terms[i], 80, 24, demo1, NULL);
		sync_screen(s);
		press(s, "      ");
		assert_shows(s, "step 6 of 10");
		assert_shows(s, "[ 2 ]");
		stop(s);
	}
}

/* A terminal that this machine does not know is taken for an xterm; nothing is left behind, which
 * the sanitizers see. */
static void unknown_terminal(void **state)
{
	struct seen *s = start_as("terminal-of-tomorrow", 80, 24, demo1, NULL);

	(void)state;
	sync_screen(s);
	assert_shows(s, "Demo 1 Write path");
	type(s, "q");
	assert_int_equal(ended(s), 0);
	assert_restored(s);
	stop(s);
}

/* A key's frame is few bytes, and while nothing happens nothing is sent and no time is used. */
static void is_frugal(void **state)
{
	struct seen *s = start(120, 40, NULL);

	(void)state;
	sync_screen(s);
	press(s, ":");
	buf_clear(&s->raw);
	press(s, "x");
	assert_true(s->raw.n < 300);
	press(s, "\003put /registry/pods/default/web-1 v1\r");
	while (pump(s, 0))
		;
	buf_clear(&s->raw);
	assert_false(pump(s, 300));
	assert_int_equal(s->raw.n, 0);
	stop(s);
}

static void paste_is_text(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, "\033[200~put /p 1\rq\033[201~");
	assert_shows(s, "> put /p 1");
	assert_shows(s, "rev 2 (+1)");
	assert_shows(s, "S1> q");
	press(s, "\003");
	stop(s);
}

static void each_pasted_line_is_a_line(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, "\033[200~put /p 1\r\ntxn\r\rput /p 2\r\r\rend\rget /p\033[201~");
	assert_shows(s, "SUCCESS");
	assert_shows(s, "rev 3 (+1)");
	assert_shows(s, "S1> get /p");
	press(s, "\r");
	assert_shows(s, "   /p\n   2\n");
	stop(s);
}

static void what_does_not_fit_is_refused(void **state)
{
	struct seen *s = start(120, 24, NULL);
	struct buf keys = {0};

	(void)state;
	sync_screen(s);
	buf_puts(&keys, "\033[200~put /p 1\rput /q ");
	for (int i = 0; i < 1000; i++)
		buf_putc(&keys, 'x');
	buf_puts(&keys, "\033[201~");
	press(s, buf_str(&keys));
	assert_shows(s, "pasted line has 1007 characters, 1000 fit: use source FILE");
	assert_non_null(strchr(buf_str(&s->raw), '\a'));
	press(s, ":");
	assert_false(shows(s, "S1> put"));
	buf_clear(&keys);
	for (int i = 0; i < 1001; i++)
		buf_putc(&keys, 'x');
	press(s, buf_str(&keys));
	assert_shows(s, "The line is full: 1000 characters fit.");
	buf_free(&keys);
	stop(s);
}

/* While a command runs the terminal makes a signal of Ctrl-C. */
static struct seen *at_work(const char *keys)
{
	struct seen *s = start(80, 24, NULL);
	struct termios now;

	sync_screen(s);
	type(s, keys);
	do
		pump(s, 10);
	while (tcgetattr(s->keep, &now) == 0 && !(now.c_lflag & ISIG));
	while (pump(s, 300)) /* a short command may have been the one at work */
		;
	return s;
}

static void ctrl_c_stops_a_command(void **state)
{
	struct seen *s = at_work("\033[200~put /p 1\rwait 1000000000\rput /p 2\r\033[201~");

	(void)state;
	type(s, "\003");
	wait_for(s, "Stopped.");
	press(s, ":get /p\r");
	assert_shows(s, "   /p\n   1\n");
	type(s, "q");
	assert_int_equal(ended(s), 0);
	assert_restored(s);
	stop(s);
}

static void signals_end_a_command(void **state)
{
	static const int ends[] = {SIGTERM, SIGHUP, SIGQUIT};

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct seen *s = at_work(":wait 1000000000\r");
		kill(s->pid, ends[i]);
		assert_int_equal(ended(s), 256 + ends[i]);
		assert_restored(s);
		stop(s);
	}
}

/* The terminal goes away: the program ends by itself. */
static void hang_up(void **state)
{
	struct seen *s = start(80, 24, demo1);
	int status;

	(void)state;
	sync_screen(s);
	close(s->fd);
	close(s->keep);
	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	s->pid = 0;
	s->fd = open("/dev/null", O_RDWR);
	s->keep = open("/dev/null", O_RDWR);
	stop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(steps_and_leaves),
	    cmocka_unit_test(types_commands),
	    cmocka_unit_test(the_line_survives_sizes),
	    cmocka_unit_test(finds_in_what_has_the_focus),
	    cmocka_unit_test(a_new_size_erases),
	    cmocka_unit_test(the_stage_comes_back),
	    cmocka_unit_test(theme_and_layout_are_kept),
	    cmocka_unit_test(playing_has_speeds),
	    cmocka_unit_test(overlays_open_and_close),
	    cmocka_unit_test(arrows_in_pieces),
	    cmocka_unit_test(branch_after_stepping_back),
	    cmocka_unit_test(a_broken_rule_is_explained),
	    cmocka_unit_test(another_store_hides_no_answer),
	    cmocka_unit_test(demos_by_number),
	    cmocka_unit_test(own_work_is_kept),
	    cmocka_unit_test(signals_leave_the_terminal_as_it_was),
	    cmocka_unit_test(suspends_and_comes_back),
	    cmocka_unit_test(without_color),
	    cmocka_unit_test(other_locales_and_terminals),
	    cmocka_unit_test(unknown_terminal),
	    cmocka_unit_test(is_frugal),
	    cmocka_unit_test(paste_is_text),
	    cmocka_unit_test(each_pasted_line_is_a_line),
	    cmocka_unit_test(what_does_not_fit_is_refused),
	    cmocka_unit_test(ctrl_c_stops_a_command),
	    cmocka_unit_test(signals_end_a_command),
	    cmocka_unit_test(hang_up),
	};

	return cmocka_run_group_tests(tests, make_state_dir, remove_state_dir);
}
