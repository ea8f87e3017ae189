/* The quota at the member that takes a request and at those that apply it; alarms are state like
 * any other (cluster-facts Q1, Q2; etcd: api/v3rpc/quota.go, etcdserver/apply.go). */
#include "talk.h"

#include <string.h>

static const char *no_space = "etcdserver: mvcc: database space exceeded";

static size_t alarms(struct talk *k, unsigned number)
{
	return at(k, number)->alarms.n;
}

/* An empty file has 20480 bytes; a put costs 256 bytes and its key and value, a lease 64. */
static void the_estimate_must_stay_below_the_limit(void **state)
{
	struct talk k = TALK("quota-backend-bytes 20739");

	(void)state;
	assert_string_equal(outcome(&k, put(&k, "ab", "c", 0)), no_space);
	assert_int_equal(last(&k, 1), 2); /* the alarm */
	assert_int_equal(rev(&k, 1), 1);
	talk_end(&k);
	k = TALK("quota-backend-bytes 20740");
	assert_string_equal(outcome(&k, put(&k, "ab", "c", 0)), "");
	talk_end(&k);
}

static void a_lease_costs_64_bytes(void **state)
{
	struct request grant = {.kind = REQ_LEASE_GRANT, .grant = {.ttl = 60}};
	struct talk k = TALK("quota-backend-bytes 20544");

	(void)state;
	assert_string_equal(outcome(&k, ask(&k, grant, 0)), no_space);
	talk_end(&k);
	k = TALK("quota-backend-bytes 20545");
	assert_string_equal(outcome(&k, ask(&k, grant, 0)), "");
	talk_end(&k);
}

/* Two requests that each fit are under way at once: the second is done and answered as refused. */
static void what_finds_no_room_when_applied_is_done_and_answered_as_refused(void **state)
{
	struct talk k = TALK("quota-backend-bytes 24577");
	static char large[4096];
	struct buf b = {0};

	(void)state;
	memset(large, 'x', sizeof large - 1);
	large[3000] = 0;
	uint64_t first = put(&k, "a", large, 0), second = put(&k, "b", large, 0);
	rest(&k);
	assert_string_equal(outcome(&k, first), "");
	assert_string_equal(outcome(&k, second), no_space);
	assert_int_equal(rev(&k, 2), 3);
	assert_non_null(value(&k, 3, "b", &b));
	/* Every member has noticed by itself. */
	assert_int_equal(alarms(&k, 1), 3);
	assert_int_equal(last(&k, 1), 6);
	buf_free(&b);
	talk_end(&k);
}

static void an_alarm_outlives_a_restart_and_comes_with_a_snapshot(void **state)
{
	struct talk k =
	    TALK("quota-backend-bytes 20739", "snapshot-count 5", "snapshot-catchup-entries 2");
	struct request del = {.kind = REQ_DELETE_RANGE, .del = {.range = {.key = BYTES("x")}}};

	(void)state;
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	assert_string_equal(outcome(&k, put(&k, "ab", "c", 0)), no_space);
	for (int i = 0; i < 12; i++)
		assert_string_equal(outcome(&k, ask(&k, del, 0)), "");
	sim_kill(k.w, 2, KILL_PROCESS, KILL_NOW);
	sim_restart(k.w, 2);
	rest(&k);
	assert_int_equal(alarms(&k, 2), 1);
	sim_restart(k.w, 3);
	wait_ms(&k, 500);
	assert_true(at(&k, 3)->snap_index > 10);
	assert_int_equal(alarms(&k, 3), 1);
	talk_end(&k);
}

static void a_copied_world_goes_on_with_its_alarms(void **state)
{
	struct talk k = TALK("quota-backend-bytes 20739");

	(void)state;
	uint64_t call = put(&k, "ab", "c", 0);
	while (sim_pending(k.w)) {
		struct world *copy = world_copy(k.w);
		while (sim_step(copy))
			;
		assert_int_equal(world_call(copy, call)->response->error, ERR_NO_SPACE);
		assert_int_equal(copy->members[2]->alarms.n, 1);
		world_free(copy);
		sim_step(k.w);
	}
	talk_end(&k);
}

static void without_a_majority_the_refusal_comes_with_the_servers_limit(void **state)
{
	struct talk k = TALK("quota-backend-bytes 20739");

	(void)state;
	sim_kill(k.w, 2, KILL_PROCESS, KILL_NOW);
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	struct request r = {.kind = REQ_PUT, .put = {.key = BYTES("ab"), .value = BYTES("c")}};
	uint64_t call = ask_for(&k, r, 1, 30000);
	wait_ms(&k, 6900);
	assert_string_equal(outcome(&k, call), "...");
	wait_ms(&k, 100);
	assert_string_equal(outcome(&k, call), no_space);
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_estimate_must_stay_below_the_limit),
	    cmocka_unit_test(a_lease_costs_64_bytes),
	    cmocka_unit_test(what_finds_no_room_when_applied_is_done_and_answered_as_refused),
	    cmocka_unit_test(an_alarm_outlives_a_restart_and_comes_with_a_snapshot),
	    cmocka_unit_test(a_copied_world_goes_on_with_its_alarms),
	    cmocka_unit_test(without_a_majority_the_refusal_comes_with_the_servers_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
