/* The mouse on a pseudo-terminal (B.11): whatever can be pressed does what its key does. */
#include "pty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *const demo1[] = {"demo", "1", NULL};

/* A press of a button (0: left, 64 and 65: wheel) on the first cell of words that are shown, or in
 * a row below. */
static void press_below(struct seen *s, int button, const char *words, int below)
{
	const char *text = screen_text(s), *at = strstr(text, words), *line = text;
	char keys[64];
	int row = 1 + below;

	if (!at)
		fail_msg("not on the screen: %s\n%s", words, text);
	for (const char *p = text; p < at; p++)
		if (*p == '\n')
			row++, line = p + 1;
	int column = text_columns((struct bytes){line, (size_t)(at - line)}) + 1;
	int n = snprintf(keys, sizeof keys, "\033[<%d;%d;%dM", button, column, row);
	if (button == 0) /* the wheel is not let go */
		snprintf(keys + n, sizeof keys - (size_t)n, "\033[<%d;%d;%dm", button, column, row);
	press(s, keys);
}

static void press_on(struct seen *s, int button, const char *words)
{
	press_below(s, button, words, 0);
}

static void words_of_the_key_bar(void **state)
{
	struct seen *s = start(80, 24, demo1);

	(void)state;
	sync_screen(s);
	press_on(s, 0, "next");
	press_on(s, 0, "SPACE");
	assert_shows(s, "step 2 of 10");
	press_on(s, 0, "← back");
	assert_shows(s, "step 1 of 10");
	press_on(s, 0, "? help");
	assert_shows(s, "keys of the stage");
	press_on(s, 0, "next page");
	assert_shows(s, "panes and the command line");
	press_on(s, 0, "ESC back");
	press_on(s, 0, "S1>");
	assert_true(s->cursor_visible);
	press_on(s, 0, "ESC stage");
	assert_false(s->cursor_visible);
	press(s, "d");
	press_on(s, 0, "Compaction");
	assert_shows(s, "Demo 3 Compaction");
	press(s, "   ");
	press_on(s, 0, "[ ]"); /* [ is the left half, ] the other one and the word */
	assert_shows(s, "RAFT LOG 3 ");
	press_on(s, 0, "command");
	assert_shows(s, "RAFT LOG 4 ");
	type(s, "q");
	assert_int_equal(ended(s), 0);
	assert_restored(s);
	assert_non_null(strstr(buf_str(&s->raw), "\033[?1006;1000l"));
	stop(s);
}

static void panes_rows_and_the_timeline(void **state)
{
	struct seen *s = start(120, 40, demo1);

	(void)state;
	sync_screen(s);
	press_on(s, 0, "7··8");
	assert_shows(s, "step 7 of 10");
	press_on(s, 0, "keyIndex");
	assert_shows(s, ">4 MVCC STORE");
	press_on(s, 0, "S2 follower");
	assert_shows(s, ">2 MEMBERS");
	assert_shows(s, ">○ S2 follower");
	press_on(s, 0, "S2 follower");
	assert_shows(s, "election timer"); /* its details */
	press(s, "\033\033");
	press_on(s, 0, "5 STORY");
	assert_shows(s, ">5 STORY");
	stop(s);
}

static void the_wheel_scrolls(void **state)
{
	struct seen *s = start(80, 24, NULL);

	(void)state;
	sync_screen(s);
	press(s, ":show limits\r");
	assert_shows(s, "more: PgDn");
	struct buf before = {0};
	buf_puts(&before, screen_text(s));
	press_on(s, 65, "ESC closes");
	assert_string_not_equal(screen_text(s), buf_str(&before));
	press_on(s, 64, "ESC closes");
	assert_string_equal(screen_text(s), buf_str(&before));
	press(s, "\033");
	press_on(s, 65, "S2 follower"); /* nothing to scroll: nothing happens */
	assert_false(shows(s, ">2 MEMBERS"));
	for (int i = 1; i <= 8; i++) {
		char line[64];
		snprintf(line, sizeof line, ":lease grant %d00\r", i);
		press(s, line);
	}
	assert_false(shows(s, "100 s of 100 s"));
	press_below(s, 65, "3 WATCH", 1);
	assert_shows(s, ">3 WATCH and LEASES");
	press_below(s, 64, "3 WATCH", 1);
	press_below(s, 64, "3 WATCH", 1);
	assert_shows(s, "100 s of 100 s");
	buf_free(&before);
	stop(s);
}

/* M gives it back at once, and it stays so. */
static void it_can_be_off(void **state)
{
	struct seen *s = start(80, 24, demo1);

	(void)state;
	sync_screen(s);
	buf_clear(&s->raw);
	press(s, "M");
	assert_non_null(strstr(buf_str(&s->raw), "\033[?1006;1000l"));
	type(s, "q");
	assert_int_equal(ended(s), 0);
	stop(s);
	s = start(80, 24, demo1);
	sync_screen(s);
	assert_null(strstr(buf_str(&s->raw), "1000h"));
	press(s, ":set mouse on\r");
	assert_non_null(strstr(buf_str(&s->raw), "\033[?1006;1000h"));
	press_on(s, 0, "next");
	assert_shows(s, "step 1 of 10");
	stop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_of_the_key_bar),
	    cmocka_unit_test(panes_rows_and_the_timeline),
	    cmocka_unit_test(the_wheel_scrolls),
	    cmocka_unit_test(it_can_be_off),
	};

	return cmocka_run_group_tests(tests, make_state_dir, remove_state_dir);
}
