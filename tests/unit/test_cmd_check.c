/* The shell's checker: what it sees, where it stops, and what a state alone tells. */
#include <setjmp.h>
#include <stdarg.h>

#include <stdio.h>

#include <cmocka.h>

#include "check/check.h"
#include "cmd/shell.h"

static struct shell *shell_with(enum check_when when)
{
	struct config cfg;

	config_init(&cfg);
	cfg.check = when;
	return shell_new(&cfg, NULL);
}

static const char *run(struct shell *s, const char *line)
{
	struct buf err = {0};

	assert_int_equal(shell_begin(s, bytes_of(line), &err), SHELL_OK);
	while (shell_busy(s))
		shell_step(s);
	buf_free(&err);
	return buf_str(&s->out);
}

static void check_says_how_many_events_were_watched(void **state)
{
	struct shell *s = shell_with(CHECK_STEP), *copy;
	struct violation v;
	char want[80];

	(void)state;
	assert_string_equal(run(s, "put a 1"), "OK\n");
	snprintf(want, sizeof want, "all rules hold (%llu events checked)\n",
		 (unsigned long long)s->w->events);
	assert_string_equal(run(s, "check"), want);
	copy = shell_copy(s);
	shell_free(s);
	run(copy, "kill S1");
	run(copy, "wait 3");
	assert_null(shell_violation(copy));
	assert_true(shell_check_end(copy, &v));
	shell_free(copy);
}

/* A write that was synced is not on the disk any more. */
static void the_shell_stops_at_the_event(void **state)
{
	struct shell *s = shell_with(CHECK_STEP);
	struct violation v;

	(void)state;
	run(s, "put a 1");
	s->w->members[1]->wal.synced--;
	s->w->members[1]->touched++;
	uint64_t before = s->w->events;
	assert_non_null(strstr(run(s, "put a 2"), "Durable Stays Durable is broken: S2 "));
	assert_int_equal(s->w->events, before + 1);
	assert_int_equal(s->exit_status, 1);
	assert_string_equal(shell_violation(s)->rule, "Durable Stays Durable");
	assert_int_equal(shell_violation(s)->members, 2);
	/* One may go on looking, and even stepping; it is told once, and on demand. */
	assert_null(strstr(run(s, "step"), "broken"));
	assert_non_null(strstr(run(s, "check"), "Durable Stays Durable is broken"));
	assert_false(shell_check_end(s, &v));
	shell_free(s);
}

static void without_watching_it_is_not_seen(void **state)
{
	struct shell *s = shell_with(CHECK_OFF);
	struct violation v;

	(void)state;
	run(s, "put a 1");
	s->w->members[1]->applied += 9;
	assert_string_equal(run(s, "get a"), "a\n1\n");
	assert_true(shell_check_end(s, &v)); /* off */
	shell_free(s);
}

/* Each of these is a state that no etcd is ever in. */
static void a_state_alone_tells(void **state)
{
	struct violation v;

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct shell *s = shell_with(CHECK_END);
		run(s, "put a 1");
		run(s, "put b 2");
		assert_true(shell_check_end(s, &v));
		struct member **m = s->w->members;
		if (i == 0)
			m[1]->applied += 9;
		if (i == 1)
			m[1]->store.current_rev++;
		if (i == 2)
			m[2]->store.rows.end--;
		if (i == 3) { /* two of a kind at the head of one term */
			struct raft *r = m[1]->raft;
			m[1]->raft = m[0]->raft;
			assert_false(check_now(s->w, &v));
			assert_string_equal(v.rule, "Election Safety");
			assert_int_equal(v.members, 3);
			m[1]->raft = r;
			assert_true(check_now(s->w, &v));
		} else {
			assert_false(shell_check_end(s, &v));
			assert_string_equal(v.rule, "State Machine Safety");
		}
		shell_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(check_says_how_many_events_were_watched),
	    cmocka_unit_test(the_shell_stops_at_the_event),
	    cmocka_unit_test(without_watching_it_is_not_seen),
	    cmocka_unit_test(a_state_alone_tells),
	};

	return cmocka_run_group_tests_name("cmd_check", tests, NULL, NULL);
}
