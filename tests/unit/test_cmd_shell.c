/* The life of commands: waiting, stepping, the background, limits, watchers, copies; against a real
 * cluster. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shell_help.h"

#define SAYS(line, want) assert_string_equal(say(s, line), want)

static void requests_and_filters(void **state)
{
	struct shell *s = shell_with(3);

	(void)state;
	SAYS("put a 1", "OK\n");
	SAYS("put b 2", "OK\n");
	SAYS("put c 3", "OK\n");
	SAYS("get a --from-key | head -2", "a\n1\n");
	SAYS("get a --from-key | tail -1", "3\n");
	SAYS("get a --from-key | grep -v 2 | wc -l", "5\n");
	SAYS("get a --from-key --keys-only | grep b", "b\n");
	SAYS("get zz | wc -l", "0\n");
	SAYS("get a | cat", "a\n1\n");
	SAYS("--endpoints=S2 get a", "a\n1\n");
	SAYS("get a -w json --endpoints=http://127.0.0.1:22379 | grep -v 10501334649042878790", "");
	SAYS("", "");
	SAYS("quit", "! not here");
	shell_free(s);
}

static void a_dead_member(void **state)
{
	struct shell *s = shell_with(3);

	(void)state;
	SAYS("kill S3", "");
	SAYS("kill S3", "Error: S3 is down already: restart S3 brings it back\n");
	assert_int_equal(s->w->now_ms, 0);
	SAYS("get k --endpoints=S3", "Error: context deadline exceeded\n");
	assert_int_equal(s->w->now_ms, 5000);
	assert_int_equal(s->exit_status, 1);
	SAYS("put k v --endpoints=S3 --command-timeout=500ms",
	     "Error: context deadline exceeded\n");
	assert_int_equal(s->w->now_ms, 5500);
	SAYS("endpoint health --endpoints=S1,S3",
	     "S1 is healthy: successfully committed proposal: took = 0s\n"
	     "S3 is unhealthy: failed to commit proposal: context deadline exceeded\nError: "
	     "unhealthy cluster\n");
	assert_int_equal(s->w->now_ms, 10500);
	SAYS("put k v", "OK\n");
	SAYS("restart S3", "");
	SAYS("wait 1", "");
	SAYS("get k --consistency=s --endpoints=S3", "k\nv\n");
	shell_free(s);
}

/* Without a majority: cluster-facts.md, "Commands on a member without a leader". */
static void no_leader(void **state)
{
	struct shell *s = shell_with(3);

	(void)state;
	say(s, "put k v");
	say(s, "kill S2 S3");
	say(s, "wait 3");
	SAYS("put k w", "Error: context deadline exceeded\n");
	SAYS("get k", "Error: context deadline exceeded\n");
	SAYS("get k --consistency=s", "k\nv\n");
	SAYS("lease grant 5", "Error: failed to grant lease (context deadline exceeded)\n");
	SAYS("lease keep-alive 1 --once", "Error: etcdserver: no leader\n");
	assert_int_equal(s->exit_status, 2);
	SAYS("move-leader S2", "Error: no leader endpoint given at [127.0.0.1:2379]\n");
	assert_int_equal(s->exit_status, 128);
	int64_t before = s->w->now_ms;
	assert_non_null(strstr(say(s, "lease timetolive 1"), "interrupted"));
	assert_int_equal(s->w->now_ms - before, 60000);
	say(s, "set patience 10");
	before = s->w->now_ms;
	assert_non_null(strstr(say(s, "wait leader"), "10 s"));
	assert_int_equal(s->w->now_ms - before, 10000);
	assert_non_null(strstr(say(s, "why"), "has not come"));
	assert_non_null(strstr(say(s, "step until apply"), "has not happened in 10 s"));
	say(s, "lease timetolive 1");
	assert_non_null(strstr(say(s, "why"), "may still be done"));
	SAYS("restart S2", "");
	SAYS("wait leader", "");
	SAYS("put k x", "OK\n");
	shell_free(s);
}

static void background(void **state)
{
	struct shell *s = shell_with(3);

	(void)state;
	SAYS("kill S2 S3", "");
	SAYS("put k 1 --command-timeout=2s &", "");
	SAYS("put k 2 --command-timeout=1s &", "");
	SAYS("get k --consistency=s", "");
	SAYS("wait 1", "r2: Error: context deadline exceeded\n");
	SAYS("wait 1", "r1: Error: context deadline exceeded\n");
	SAYS("put k 3 &", "");
	SAYS("interrupt r4", "");
	SAYS("wait 6", "");
	assert_non_null(strstr(say(s, "interrupt r4"), "no request \"r4\" is running"));
	shell_free(s);
}

/* E6: a keep-alive that goes on renews at every third of the TTL. */
static void keep_alive(void **state)
{
	struct shell *s = shell_with(3);
	static const char renewed[] = "r2: lease 0000000000000001 keepalived with TTL(6)\n";

	(void)state;
	SAYS("lease grant 6", "lease 0000000000000001 granted with TTL(6s)\n");
	SAYS("lease keep-alive 1 --endpoints=S2 &", renewed);
	SAYS("wait 1", "");
	SAYS("wait 1", renewed);
	SAYS("wait 1500ms", "");
	SAYS("wait 500ms", renewed);
	assert_string_equal(say(s, "lease revoke 1"), "lease 0000000000000001 revoked\n");
	SAYS("wait 2", "r2: lease 0000000000000001 expired or revoked.\n");
	SAYS("wait 5", "");
	/* Without an answer the client gives up after 3 s, later after the TTL (clientv3:
	 * deadlineLoop). */
	SAYS("lease grant 6", "lease 0000000000000002 granted with TTL(6s)\n");
	SAYS("lease keep-alive 2 &", "r5: lease 0000000000000002 keepalived with TTL(6)\n");
	say(s, "kill S2 S3");
	SAYS("lease keep-alive 2 --endpoints=S3 &", "");
	SAYS("wait 2900ms", "");
	SAYS("wait 100ms", "r6: lease 0000000000000002 expired or revoked.\n");
	shell_free(s);
}

static void stepping(void **state)
{
	struct shell *s = shell_with(3);
	uint64_t events;

	(void)state;
	SAYS("stepping on", "");
	events = s->w->events;
	SAYS("put a 1", "");
	assert_int_equal(s->w->events - events, 1);
	SAYS("show counters",
	     "t 0.000 term 1 leader S1 log 1 committed 1 applied 1 revision 1 events 0\n");
	SAYS("step", "");
	assert_int_equal(s->w->events - events, 2);
	SAYS("show counters",
	     "t 0.000 term 1 leader S1 log 2 committed 1 applied 1 revision 1 events 0\n");
	SAYS("step commit", "");
	SAYS("show counters",
	     "t 0.000 term 1 leader S1 log 2 committed 2 applied 1 revision 1 events 0\n");
	SAYS("step request", "r1: OK\n");
	SAYS("step command", "");
	assert_false(sim_pending(s->w));
	SAYS("put b 1", "");
	SAYS("put c 1", "");
	SAYS("step until reply", "r2: OK\n");
	SAYS("step command", "r3: OK\n");
	SAYS("put d 1", "");
	SAYS("stepping off", "");
	SAYS("get d", "d\n1\nr4: OK\n");
	shell_free(s);
}

static void stepped_wait(void **state)
{
	struct shell *s = shell_with(3);

	(void)state;
	say(s, "stepping on");
	SAYS("wait 250ms", "");
	assert_int_equal(s->w->now_ms, 100);
	SAYS("step command", "");
	assert_int_equal(s->w->now_ms, 250);
	SAYS("wait 1", "");
	SAYS("get a", ""); /* the rest of the wait is dropped */
	assert_int_equal(s->w->now_ms, 300);
	SAYS("step request", "");
	SAYS("step command", "");
	assert_int_equal(s->w->now_ms, 300);
	SAYS("step", "");
	assert_int_equal(s->w->now_ms, 400);
	assert_non_null(strstr(say(s, "step until nonsense"), "commit"));
	shell_free(s);
}

static void watchers(void **state)
{
	struct shell *s = shell_with(3);

	(void)state;
	SAYS("informer /r/", "watch w1 created\nw1: listed 0 keys at revision 1\n");
	SAYS("watcher /r/ --prefix --filter=noput", "watch w2 created\n");
	SAYS("put /r/a 1", "OK\nw1: PUT /r/a 1 (create 2 mod 2 version 1 lease 0)\n");
	SAYS("del /r/a", "1\nw1: DELETE /r/a (mod 3)\nw2: DELETE /r/a (mod 3)\n");
	SAYS("unwatch w2", "");
	SAYS("unwatch w2", "Error: no watcher \"w2\": watchers are named w1, w2 and so on, in the "
			   "order of their start\n");
	SAYS("drop w1", "");
	SAYS("put /r/b 1", "OK\n");
	SAYS("put /r/b 2", "OK\n");
	SAYS("resume w1", "w1: PUT /r/b 1 (create 4 mod 4 version 1 lease 0)\nw1: PUT /r/b 2 "
			  "(create 4 mod 5 version 2 lease 0)\n");
	SAYS("drop w1", "");
	SAYS("put /r/c 1", "OK\n");
	SAYS("put /r/c 2", "OK\n");
	SAYS("compact 7", "compacted revision 7\n");
	SAYS("resume w1", "w1: canceled: etcdserver: mvcc: required revision has been compacted "
			  "(compact_revision 7)\n"
			  "w1: listed 2 keys at revision 7\n");
	SAYS("put /r/c 3", "OK\nw1: PUT /r/c 3 (create 6 mod 8 version 3 lease 0)\n");
	SAYS("watch b a",
	     "watch w3 created\nw3: canceled: mvcc: watcher range is empty (compact_revision 0)\n");
	shell_free(s);
}

/* A watch that waits for its dead member holds nobody else's events back. */
static void a_watch_that_waits(void **state)
{
	struct shell *s = shell_with(3);

	(void)state;
	say(s, "watch a --endpoints=S1");
	say(s, "kill S3");
	SAYS("watch a --endpoints=S3 &", "");
	SAYS("put a 1", "OK\nw1: PUT a 1 (create 2 mod 2 version 1 lease 0)\n");
	SAYS("restart S3", "");
	SAYS("wait 2", "watch w2 created\n");
	SAYS("put a 2", "OK\nw1: PUT a 2 (create 2 mod 3 version 2 lease 0)\n"
			"w2: PUT a 2 (create 2 mod 3 version 2 lease 0)\n");
	shell_free(s);
}

static void explanations(void **state)
{
	static const char *const pairs[][2] = {
	    {"get a --rev=99", "revision 4; 99 does not exist yet"},
	    {"get a --rev=2", "Revision 2 is below 3"},
	    {"compact 3", "3 is not above 3"},
	    {"put a 1 --lease=77", "lease list"},
	    {"get a --fooooo", "etcdctl has no such flag"},
	    {"get a --prefx", "The nearest flag is --prefix, of get."},
	    {"put a b --prefix", "get has --prefix, this command has not."},
	    {"lease revoke xyz", "hexadecimal"},
	    {"txn if 'mod(\"a\") = \"2\"' then 'put a 1'", "mod_revision is 4"},
	};
	struct shell *s = shell_with(3);

	(void)state;
	SAYS("why", "No command has failed so far.\n");
	say(s, "put a 1");
	say(s, "put a 2");
	say(s, "put a 3");
	say(s, "compact 3");
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		say(s, pairs[i][0]);
		assert_non_null(strstr(say(s, "why"), pairs[i][1]));
	}
	/* 2 to 4 the puts, 5 the compaction; refused ones take an entry too: 6 the second
	 * compaction, 7 the put with an unknown lease; 8 the transaction. */
	say(s, "partition S1 S2 S3");
	SAYS("put a 4", "Error: context deadline exceeded\n");
	assert_non_null(strstr(say(s, "why"),
			       "No answer in 5.000 s. Entry 9 is in S1 (1 of 3 logs, 2 needed)."));
	shell_free(s);
}

static void settings_and_arguments(void **state)
{
	static const char *const bad[] = {
	    "wait",
	    "wait x",
	    "wait 1 2 3",
	    "kill",
	    "kill S9",
	    "kill S1 --at=lunch",
	    "restart S1",
	    "partition",
	    "partition S1 S1",
	    "cut S1",
	    "cut S1 S1",
	    "heal S1",
	    "timeout",
	    "stepping maybe",
	    "set nonsense",
	    "set patience x",
	    "unwatch",
	    "unwatch w7",
	    "interrupt x",
	    "trace loud",
	    "show nonsense",
	    "get a --endpoints=S9",
	};
	struct shell *s = shell_with(3);

	(void)state;
	SAYS("set patience", "60\n");
	SAYS("set patience 5", "");
	SAYS("set patience", "5\n");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_memory_equal(say(s, bad[i]), "Error: ", 7);
		assert_int_equal(s->exit_status, 128);
	}
	assert_int_equal(s->w->now_ms, 0);
	say(s, "put a 1");
	assert_non_null(strstr(say(s, "set members 5"), "new --members=5"));
	shell_free(s);
}

static void count_notes(void *arg, const struct world *w)
{
	*(size_t *)arg += w->notes.n;
}

/* An observer sees every note before it is forgotten: here w1 created, and its two events. */
static void notes_are_shown_to_an_observer(void **state)
{
	struct shell *s = shell_with(3);
	size_t seen = 0;

	(void)state;
	s->hooks.notes = count_notes;
	s->hooks.notes_arg = &seen;
	say(s, "watch a --endpoints=S1");
	say(s, "put a 1");
	say(s, "stepping on");
	say(s, "put a 2");
	say(s, "step command");
	assert_int_equal(seen, 3);
	shell_free(s);
}

/* A copy goes on as the original does, also from the middle of a command. */
static void copies(void **state)
{
	struct shell *s = shell_with(3);
	struct buf err = {0};

	(void)state;
	say(s, "watch a --endpoints=S1");
	say(s, "kill S2 S3");
	say(s, "put x 1 --command-timeout=7s &");
	assert_int_equal(shell_begin(s, BYTES("put a 1"), &err), SHELL_OK);
	for (int i = 0; i < 20; i++)
		shell_step(s);
	assert_true(shell_busy(s));
	struct shell *c = shell_copy(s);
	assert_int_equal(world_hash(c->w), world_hash(s->w));
	while (shell_busy(s))
		shell_step(s);
	while (shell_busy(c))
		shell_step(c);
	assert_string_equal(buf_str(&c->out), buf_str(&s->out));
	/* A watcher at a member without a leader ends after three election timeouts (cluster-facts
	 * V2). */
	assert_string_equal(buf_str(&s->out),
			    "Error: context deadline exceeded\n"
			    "w1: canceled: etcdserver: no leader (compact_revision 0)\n");
	struct buf first = {0};
	buf_puts(&first, say(s, "wait 9"));
	shell_free(s);
	assert_string_equal(say(c, "wait 9"), buf_str(&first));
	assert_non_null(strstr(buf_str(&first), "r1: Error: "));
	buf_free(&first);
	buf_free(&err);
	shell_free(c);
}

static void ctrl_c(void **state)
{
	struct shell *s = shell_with(3);
	struct buf err = {0};

	(void)state;
	say(s, "kill S2 S3");
	shell_begin(s, BYTES("put a 1"), &err);
	for (int i = 0; i < 10; i++)
		shell_step(s);
	shell_interrupt(s);
	while (shell_busy(s))
		shell_step(s);
	assert_int_equal(s->exit_status, 130);
	assert_true(s->w->now_ms < 5000);
	SAYS("get a --consistency=s", "");
	buf_free(&err);
	shell_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(requests_and_filters),
	    cmocka_unit_test(a_dead_member),
	    cmocka_unit_test(no_leader),
	    cmocka_unit_test(background),
	    cmocka_unit_test(keep_alive),
	    cmocka_unit_test(stepping),
	    cmocka_unit_test(stepped_wait),
	    cmocka_unit_test(watchers),
	    cmocka_unit_test(a_watch_that_waits),
	    cmocka_unit_test(explanations),
	    cmocka_unit_test(settings_and_arguments),
	    cmocka_unit_test(notes_are_shown_to_an_observer),
	    cmocka_unit_test(copies),
	    cmocka_unit_test(ctrl_c),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
