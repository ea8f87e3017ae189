/* Quiz and notes (B.6, B.11): the question first, without the numbers that would tell; then the
 * step with its answer.  Notes show the answer and what comes next. */
#include "pty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const demo5[] = {"demo", "5", NULL};

static void a_step_has_two_halves(void **state)
{
	struct seen *s = start(80, 24, demo5);

	(void)state;
	sync_screen(s);
	press(s, "   Q");
	assert_shows(s, "step 3 of 7");
	assert_shows(s, "QUIZ  1x");
	press(s, " ");
	assert_shows(s, "step 4 of 7");
	assert_shows(s, "RAFT LOG ? (committed ?, applied ?)   REVISION ?\n");
	assert_shows(s, "\n PATH  ?\n");
	assert_shows(s, "1 CLIENT B ");
	assert_shows(s, "\n > as B txn if mod = 2 then put node-2 else get\n   ?\n"
			"   rev ?  log ?  term ?\n");
	assert_shows(s, "[ 1 ][ 2 ][ 3 ] ?\n");
	assert_shows(s, "com ? app ? rev ?");
	assert_shows(s, "seen ?");
	assert_shows(s, " rev ?  keys ?  rows ?");
	assert_false(shows(s, "*new"));
	assert_shows(s, "? B tries the same. Where will the log and the revision stand?");
	assert_false(shows(s, "= Log 4, revision 3"));
	press(s, "=");
	assert_shows(s, "= Log 4, revision 3");
	press(s, "=");
	press(s, " ");
	assert_shows(s, "step 4 of 7");
	assert_shows(s, "RAFT LOG 4 (committed 4, applied 4)   REVISION 3");
	assert_shows(s, "= Log 4, revision 3: an entry without a change.");
	assert_shows(s, "\n B comes second. Its entry is replicated"); /* what has happened goes
									  before the question */
	press(s, " ");
	assert_shows(s, "step 5 of 7");
	press(s, "\033[D"); /* left: this step has not run */
	assert_shows(s, "step 4 of 7");
	assert_shows(s, "RAFT LOG 4 ");
	press(s, "\033[D");
	assert_shows(s, "step 3 of 7");
	press(s, " :set quiz off\r");
	assert_shows(s, "paused  1x");
	assert_shows(s, "RAFT LOG 3 ");
	press(s, " ");
	assert_shows(s, "step 4 of 7");
	stop(s);
}

/* Of several commands the last one is what the client pane is about; a step may have none. */
static void it_names_the_command(void **state)
{
	static const char *const demo17[] = {"demo", "17", NULL};
	struct seen *s = start(80, 24, demo17);

	(void)state;
	sync_screen(s);
	press(s, "    Q ");
	assert_shows(s, "step 5 of 7");
	assert_shows(s, "1 CLIENT node-a ");
	assert_shows(s, "\n > as node-a txn if create = 2 then put from-a else get\n   ?\n");
	stop(s);
	s = start(80, 24, demo5);
	sync_screen(s);
	press(s, "    Q ");
	assert_shows(s, "no command in this step");
	stop(s);
}

static void notes_show_what_comes(void **state)
{
	struct seen *s = start(80, 30, demo5);

	(void)state;
	sync_screen(s);
	press(s, "   ");
	assert_false(shows(s, "= Log 4"));
	press(s, "O");
	assert_shows(s, "? B tries the same.");
	assert_shows(s, "\n = Log 4, revision 3: an entry without a change.\n");
	assert_shows(s, "\n > as B txn if 'mod(");
	press(s, ":set notes off\r");
	assert_false(shows(s, "= Log 4"));
	press(s, ":set notes perhaps\r");
	assert_shows(s, "notes takes one of on|off");
	press(s, ":set trace ladder\r");
	assert_shows(s, "6 TRACE ladder");
	stop(s);
}

static void pgdn_can_step_everywhere(void **state)
{
	struct seen *s = start(80, 24, demo5);

	(void)state;
	sync_screen(s);
	press(s, "4\033[6~");
	assert_shows(s, "step 0 of 7");
	press(s, "\033\033\033:set pgdn step\r4\033[6~\033[6~\033[5~");
	assert_shows(s, "step 1 of 7");
	stop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_step_has_two_halves),
	    cmocka_unit_test(it_names_the_command),
	    cmocka_unit_test(notes_show_what_comes),
	    cmocka_unit_test(pgdn_can_step_everywhere),
	};

	return cmocka_run_group_tests(tests, make_state_dir, remove_state_dir);
}
