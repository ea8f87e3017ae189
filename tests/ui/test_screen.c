/* The screen as text: checks 1, 2, 5, 6 and 7 of screen-design.md D, and the pictures of B.12 where
 * they say something that words do not. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/keys.h"

static const int sizes[][2] = {{60, 20}, {80, 24}, {100, 30}, {120, 40}, {160, 50}, {200, 60}};

/* Every number of the counters stands whole on the row of counters, every member with its role on a
 * row. */
static void check_picture(struct rig *r, int columns, int rows)
{
	const struct world *w = player_world(r->p);
	const struct member *m = world_member(w, world_counters_member(w));
	char text[64];

	rig_draw(r, columns, rows);
	const char *counters = rig_row(r, 1);
	snprintf(text, sizeof text, "LOG %llu ", (unsigned long long)member_last(m));
	assert_non_null(strstr(counters, text));
	snprintf(text, sizeof text, "REVISION %lld", (long long)m->store.current_rev);
	assert_non_null(strstr(counters, text));
	assert_non_null(strstr(counters, "TERM "));
	assert_non_null(strstr(counters, "LEADER "));
	for (unsigned i = 1; i <= w->nmembers; i++) {
		snprintf(text, sizeof text, "S%u %s", i,
			 role_word(member_role(world_member(w, i))));
		if (!rig_shows(r, text))
			fail_msg("no %s at %dx%d:\n%s", text, columns, rows, buf_str(&r->picture));
	}
	const char *keys = rig_row(r, rows - 1);
	assert_non_null(strstr(keys, "? help"));
	assert_non_null(strstr(keys, "q quit"));
	for (int y = 0; y < rows; y++)
		assert_true(text_columns(bytes_of(rig_row(r, y))) <= columns);
}

static void every_step_at_every_size(void **state)
{
	(void)state;
	for (int demo = 1; demo <= 8; demo++) {
		struct rig r;
		rig_open_demo(&r, demo);
		do
			for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
				check_picture(&r, sizes[i][0], sizes[i][1]);
				if (player_next_question(r.p)[0] && sizes[i][0] >= 80)
					assert_true(rig_shows(&r, "\n ? "));
			}
		while (player_step(r.p));
		rig_close(&r);
	}
}

/* The row of the path at the end of a step. */
static const char *path_row(struct rig *r, size_t step, int columns, int rows)
{
	player_goto(r->p, step, 0);
	rig_draw(r, columns, rows);
	return rig_row(r, 2);
}

/* B.3, B.12: one stage stands out; names that have capitals keep them; what failed is the only
 * mark. */
static void the_path_says_where(void **state)
{
	struct rig r;
	const char *row;

	(void)state;
	rig_open_demo(&r, 1);
	assert_non_null(strstr(path_row(&r, 4, 80, 24), " ►MsgApp◄ "));
	assert_non_null(strstr(path_row(&r, 5, 80, 24), " ►ACK 1 of 2 needed◄ "));
	assert_non_null(strstr(path_row(&r, 6, 80, 24), " ack√  ►COMMIT◄  apply "));
	for (size_t step = 1; step <= 10; step++) /* the present stage is never cut off */
		assert_non_null(strstr(path_row(&r, step, 60, 20), "◄"));
	rig_close(&r);
	rig_open_demo(&r, 3);
	row = path_row(&r, 8, 80, 24);
	assert_non_null(strstr(row, "applied√  ×READ  reply"));
	assert_null(strstr(row, "►"));
	rig_close(&r);
	rig_open_bare(&r, 3);
	rig_type(&r, "put a 1");
	rig_draw(&r, 80, 24);
	assert_non_null(strstr(rig_row(&r, 2), "apply√  ►REPLY◄  -"));
	rig_close(&r);
}

/* The row on which a member's lane begins: its name stands behind a glyph. */
static int lane_of(const struct rig *r, const char *name)
{
	for (int y = 0; y < r->c.rows; y++) {
		const char *row = rig_row(r, y), *at = row[0] == ' ' ? strstr(row, name) : NULL;
		if (at && at - row >= 3 && at - row <= 5)
			return y;
	}
	return -1;
}

/* B.2: the form of the lanes is the size's business, not the step's. */
static void lanes_keep_their_form(void **state)
{
	static const int expected[] = {1, 2, 3,
				       4, 4, 4}; /* with the blank row between tall lanes */

	(void)state;
	for (int demo = 1; demo <= 8; demo++) {
		struct rig r;
		rig_open_demo(&r, demo);
		do
			for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
				rig_draw(&r, sizes[i][0], sizes[i][1]);
				assert_int_equal(lane_of(&r, "S2 ") - lane_of(&r, "S1 "),
						 expected[i]);
			}
		while (player_step(r.p));
		rig_close(&r);
	}
}

/* What happened, and what is asked before the next step; the answer takes the narration's place
 * where there is no room for both, and nothing is cut without a sign. */
static void the_story_asks_first(void **state)
{
	struct rig r;

	(void)state;
	rig_open_demo(&r, 1);
	player_goto(r.p, 6, 0);
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "\n One answer is enough: with its own, S1 counts two disks"));
	assert_true(rig_shows(&r, "\n ? "));
	assert_true(rig_shows(&r, player_next_question(r.p)));
	assert_false(rig_shows(&r, player_question(r.p)));
	r.v.reveal = true;
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, player_next_question(r.p)));
	assert_true(rig_shows(&r, "\n = Entry 1, the empty one"));
	r.v.reveal = false;
	rig_draw(&r, 40, 10);
	assert_true(rig_shows(&r, "(5 z: more)"));
	buf_puts(&r.v.notice, "Theme light.");
	rig_draw(&r, 80, 24);
	assert_non_null(strstr(rig_row(&r, 22), "! Theme light."));
	rig_close(&r);
}

/* A lease that the step grants is there, however small the pane is; the client is the one who
 * asked. */
static void new_leases_are_seen(void **state)
{
	struct rig r;

	(void)state;
	rig_open_demo(&r, 6);
	player_goto(r.p, 3, 0);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		rig_draw(&r, sizes[i][0], sizes[i][1]);
		assert_true(rig_shows(&r, "lease 2  "));
		assert_true(rig_shows(&r, "*new"));
		assert_true(rig_shows(&r, "CLIENT node-b"));
	}
	rig_close(&r);
}

/* The entry that the repair throws away can be seen in its step. */
static void what_went_is_seen(void **state)
{
	struct rig r;

	(void)state;
	rig_open_demo(&r, 8);
	player_goto(r.p, 10, 0);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		rig_draw(&r, sizes[i][0], sizes[i][1]);
		assert_true(rig_shows(&r, sizes[i][0] < 80 ? "-(3)" : "-( 3 )"));
	}
	rig_close(&r);
}

/* Any size draws without a word written outside, and help and quit stay from 40 columns on. */
static void any_size(void **state)
{
	struct rig r;

	(void)state;
	rig_open_demo(&r, 8);
	player_goto(r.p, 9, 0);
	for (int columns = 1; columns <= 130; columns += columns < 50 ? 1 : 7)
		for (int rows = 1; rows <= 45; rows++) {
			rig_draw(&r, columns, rows);
			if (columns >= 40 && rows >= 4) {
				assert_non_null(strstr(rig_row(&r, rows - 1), "? help"));
				assert_non_null(strstr(rig_row(&r, rows - 1), "q quit"));
			}
			for (int pane = 0; pane < PANE_COUNT && rows % 5 == 0; pane++) {
				r.v.focus = (enum pane)pane;
				r.v.zoom = pane != PANE_STAGE && columns & 1;
				rig_draw(&r, columns, rows);
			}
			r.v.focus = PANE_STAGE, r.v.zoom = false;
		}
	rig_close(&r);
}

static void nine_members_on_a_small_screen(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, 9);
	rig_type(&r, "put /a 1");
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "S9 follower"));
	assert_true(rig_shows(&r, "rev 2 (+1)  log 2 (+1)  term 1  0.000 s"));
	rig_close(&r);
}

static void numbers_of_the_client(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, 3);
	rig_type(&r, "put /registry/pods/default/web-1 v1");
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "─ 1 CLIENT kube-apiserver ─ asked S1 ─"));
	assert_true(rig_shows(&r, "\n > put /registry/pods/default/web-1 v1\n   OK\n"
				  "   rev 2 (+1)  log 2 (+1)  term 1  0.000 s\n"));
	assert_true(rig_shows(&r, "2 PUT default/web-1 v1"));
	assert_true(rig_shows(&r, "*new"));
	rig_type(&r, "lease grant 60"); /* the index moves, the revision does not */
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "rev 2 (+0)  log 3 (+1)  term 1  0.000 s"));
	assert_true(rig_shows(&r, "60 s of 60 s"));
	rig_type(&r, "get /registry/pods/default/web-1 --rev=9");
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "exit 1"));
	assert_true(
	    rig_shows(&r, "   Error: etcdserver: mvcc: required revision is a future revision"));
	assert_true(rig_shows(&r, "\n ! The store is at revision 2; 9 does not exist yet."));
	rig_close(&r);
}

/* Committed cells are filled in the colour of their term, others white; the words of B.4. */
static void cells_of_the_log(void **state)
{
	struct rig r;

	(void)state;
	rig_open_demo(&r, 1);
	player_goto(r.p, 6, 0);
	rig_draw(&r, 80, 24);
	assert_string_equal(
	    rig_row(&r, 2),
	    " PATH  client√  append√  fsync√  MsgApp√  ack√  ►COMMIT◄  apply  reply  watch");
	assert_true(rig_shows(&r, "│[ 1 ][ 2 ]\n"));
	assert_true(rig_shows(&r, "│[ 1 ]( 2 )\n"));
	assert_int_equal(canvas_at(&r.c, 40, 8)->style, STYLE_TERM1);
	assert_int_equal(canvas_at(&r.c, 40, 10)->style, STYLE_UNCOMMITTED);
	assert_int_equal(canvas_at(&r.c, 3, 8)->style, STYLE_LEADER);
	assert_int_equal(canvas_at(&r.c, 3, 10)->style, STYLE_FOLLOWER);
	player_goto(r.p, 2, 0); /* appended, not yet on disk */
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "│[ 1 ]( 2~)\n"));
	assert_int_equal(canvas_at(&r.c, 40, 8)->style, STYLE_UNSYNCED);
	rig_close(&r);
}

static void there_and_back(void **state)
{
	(void)state;
	for (int demo = 1; demo <= 8; demo += 7) {
		struct rig r;
		struct buf seen[40] = {{0}};
		size_t n = 0;
		rig_open_demo(&r, demo);
		do
			buf_puts(&seen[n++], rig_draw(&r, 120, 40));
		while (player_step(r.p));
		for (size_t i = n; i-- > 0; player_back(r.p))
			if (player_step_number(r.p) == i)
				assert_string_equal(rig_draw(&r, 120, 40), buf_str(&seen[i]));
		for (size_t i = 0; i < n; i++)
			buf_free(&seen[i]);
		rig_close(&r);
	}
}

static void values_cannot_act(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, 3);
	rig_type(&r, "put /registry/pods/x \"a\\x1b[31mb\\xe2\\x80\\xaec\"");
	rig_draw(&r, 120, 40);
	for (size_t i = 0; i < r.picture.n; i++)
		assert_true((unsigned char)r.picture.p[i] >= 0x20 || r.picture.p[i] == '\n');
	assert_true(rig_shows(&r, "a\\x1b[31mb\\u202ec"));
	rig_close(&r);
}

static void ascii_is_ascii(void **state)
{
	struct rig r;

	(void)state;
	rig_open_demo(&r, 8);
	r.c.ascii = true;
	do
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			rig_draw(&r, sizes[i][0], sizes[i][1]);
			for (size_t k = 0; k < r.picture.n; k++)
				assert_in_range((unsigned char)r.picture.p[k], '\n', 0x7e);
		}
	while (player_step(r.p));
	rig_close(&r);
}

static void named_pictures(void **state)
{
	static const char *const names[] = {"screen", "client",	  "members", "watch",
					    "leases", "store",	  "story",   "trace",
					    "path",   "counters", "S1",	     "S3"};
	struct rig r;

	(void)state;
	rig_open(&r, 3);
	rig_type(&r, "put /a 1");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		buf_clear(&r.picture);
		assert_true(screen_picture(r.p, names[i], 0, 0, &r.picture));
		assert_true(r.picture.n > 0);
	}
	assert_false(screen_picture(r.p, "S4", 0, 0, &r.picture));
	assert_false(screen_picture(r.p, "nothing", 0, 0, &r.picture));
	buf_clear(&r.picture);
	screen_picture(r.p, "counters", 0, 0, &r.picture);
	assert_string_equal(
	    buf_str(&r.picture),
	    " TERM 1   LEADER S1   RAFT LOG 2 (committed 2, applied 2)   REVISION 2\n");
	rig_close(&r);
}

/* Each key that the help names is bound, and each key of the design's table has a command. */
static void keys_have_commands(void **state)
{
	static const uint32_t stage[] = {
	    ' ',    K_RIGHT,	'l',  K_ENTER, K_PAGE_DOWN, K_LEFT, 'h',  K_BACKSPACE, K_PAGE_UP,
	    K_DOWN, 'j',	K_UP, 'k',     ']',	    '[',    'g',  K_HOME,      K_END,
	    'G',    'a',	K_F5, '+',     '-',	    'd',    K_F2, 'r',	       ':',
	    K_TAB,  K_BACK_TAB, '1',  '2',     '3',	    '4',    '5',  '6',	       '0',
	    K_ESC,  'z',	'/',  'n',     'N',	    'f',    'm',  't',	       'x',
	    'B',    'L',	'T',  'M',     '.',	    '?',    K_F1, 'q',	       K_F10,
	    3,	    12,		26};

	(void)state;
	for (size_t i = 0; i < sizeof stage / sizeof *stage; i++)
		assert_non_null(key_command(stage[i], ON_STAGE));
	for (size_t i = 0; i < key_count(); i++)
		if (key_table[i].key[0])
			assert_non_null(key_table[i].command);
	assert_string_equal(key_command(K_UP, IN_PANE), "move up");
	assert_string_equal(key_command(K_UP, ON_STAGE), "back event");
	assert_string_equal(key_command(' ', IN_PANE), "continue");
	assert_null(key_command('x', WHILE_TYPING));
	assert_string_equal(key_command(K_PAGE_DOWN, WHILE_TYPING), "continue");
}

/* B.1: why it went wrong comes before watchers and store, and the reply before it. */
static void explanations_are_whole(void **state)
{
	struct rig r;

	(void)state;
	rig_open_demo(&r, 8);
	player_goto(r.p, 7, 0);
	for (size_t i = 1; i < sizeof sizes / sizeof *sizes; i++) {
		rig_draw(&r, sizes[i][0], sizes[i][1]);
		if (!rig_shows(&r, "repeat it."))
			fail_msg("%s", buf_str(&r.picture));
		assert_false(rig_shows(&r, "x: all"));
		assert_true(rig_shows(&r, "w1 "));
	}
	rig_close(&r);
	rig_open_demo(&r, 12);
	player_goto(r.p, 2, 0);
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "a learner member which is in sync with\n   leader\n   rev "));
	assert_true(rig_shows(&r, "only make the majority larger.\n"));
	rig_close(&r);
}

/* A reply longer than its pane, without any error: nothing is explained. */
static void long_replies_need_no_reason(void **state)
{
	struct rig r;

	(void)state;
	rig_open_bare(&r, 3);
	for (int i = 1; i <= 9; i++) {
		char line[32];
		snprintf(line, sizeof line, "put k%d v%d", i, i);
		rig_type(&r, line);
	}
	rig_type(&r, "get k --prefix");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		rig_draw(&r, sizes[i][0], sizes[i][1]);
		assert_false(rig_shows(&r, "\n !"));
		assert_true(rig_shows(&r, "   k1\n") || rig_shows(&r, "   k1 "));
	}
	rig_close(&r);
}

/* 60x20: question and answer have the rows that watchers could do without. */
static void a_small_screen_tells_the_story(void **state)
{
	struct rig r;

	(void)state;
	rig_open_demo(&r, 1);
	player_goto(r.p, 4, 0);
	rig_draw(&r, 60, 20);
	assert_false(rig_shows(&r, "z: more"));
	assert_true(rig_shows(&r, "\n w1 "));
	assert_true(rig_shows(&r, "rev 1"));
	rig_close(&r);
	rig_open_demo(&r, 11);
	player_goto(r.p, 4, 0);
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "com12 app12 rev12"));
	rig_close(&r);
}

/* Lines of a reply stay lines: those that have no room are counted. */
static void replies_keep_their_lines(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, 3);
	rig_type(&r, "put /a 1");
	rig_type(&r, "put /b 2");
	rig_type(&r, "put /c 3");
	rig_type(&r, "get / --prefix");
	rig_draw(&r, 80, 24);
	assert_false(rig_shows(&r, "/b  2"));
	assert_true(rig_shows(&r, "   /a\n   … 5 more lines: 1, then ↓\n"));
	rig_close(&r);
}

/* In free play the story says who went down and who leads now. */
static void free_play_is_told(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, 3);
	rig_type(&r, "kill --at=fsync S2");
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "t1 at=fsync│"));
	rig_draw(&r, 120, 40);
	assert_true(rig_shows(&r, " at=fsync "));
	rig_type(&r, "kill --at=append S3"); /* too long to stand beside the term */
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "  at=append  │"));
	assert_false(rig_shows(&r, "went down"));
	rig_type(&r, "put /a 1");
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "S2 went down. S3 went down. "));
	assert_false(rig_shows(&r, "at=fsync"));
	rig_close(&r);
	rig_open(&r, 3);
	rig_type(&r, "move-leader S3");
	rig_draw(&r, 80, 24);
	assert_true(rig_shows(&r, "S3 leads now, in term 2. "));
	rig_type(&r, "put /a 1");
	rig_draw(&r, 80, 24);
	assert_false(rig_shows(&r, "leads now"));
	rig_close(&r);
}

static void help_fits(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, 3);
	r.v.overlay = OVERLAY_HELP;
	for (int page = 0; page < 2; page++) {
		r.v.over.top = (size_t)page;
		rig_draw(&r, 80, 24);
		for (size_t i = 0; i < key_count();
		     i++) { /* label, blank, and the whole of the help */
			char text[128];
			const struct binding *b = &key_table[i];
			if (b->page != page + 1 || !b->help)
				continue;
			if (!rig_shows(&r, b->help))
				fail_msg("no %s:\n%s", b->help, buf_str(&r.picture));
			snprintf(text, sizeof text, "%s ", b->label);
			assert_true(rig_shows(&r, text));
		}
	}
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_step_at_every_size),
	    cmocka_unit_test(the_path_says_where),
	    cmocka_unit_test(lanes_keep_their_form),
	    cmocka_unit_test(what_went_is_seen),
	    cmocka_unit_test(the_story_asks_first),
	    cmocka_unit_test(new_leases_are_seen),
	    cmocka_unit_test(any_size),
	    cmocka_unit_test(nine_members_on_a_small_screen),
	    cmocka_unit_test(numbers_of_the_client),
	    cmocka_unit_test(cells_of_the_log),
	    cmocka_unit_test(there_and_back),
	    cmocka_unit_test(values_cannot_act),
	    cmocka_unit_test(ascii_is_ascii),
	    cmocka_unit_test(named_pictures),
	    cmocka_unit_test(keys_have_commands),
	    cmocka_unit_test(explanations_are_whole),
	    cmocka_unit_test(long_replies_need_no_reason),
	    cmocka_unit_test(a_small_screen_tells_the_story),
	    cmocka_unit_test(replies_keep_their_lines),
	    cmocka_unit_test(free_play_is_told),
	    cmocka_unit_test(help_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
