/* Leadership that moves, requests that meet it, and how clusters begin (cluster-facts L5 to L7, W3
 * to W7, rule 4, R1, T2). */
#include "talk.h"

#include <string.h>

static uint64_t id(unsigned number)
{
	return member_ids[number - 1];
}

/* L6 */
static void a_transfer_takes_one_term_and_one_entry(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	put(&k, "k", "v", 0);
	rest(&k);
	assert_string_equal(outcome(&k, move_leader(&k, id(3), 1)), "");
	assert_int_equal(world_leader(k.w), 3);
	for (unsigned n = 1; n <= 3; n++) {
		assert_int_equal(term(&k, n), 2);
		assert_int_equal(last(&k, n), 3);
		assert_int_equal(rev(&k, n), 2);
	}
	talk_end(&k);
}

static void a_transfer_to_the_leader_itself_does_nothing(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	assert_string_equal(outcome(&k, move_leader(&k, id(1), 1)), "");
	assert_int_equal(term(&k, 1), 1);
	assert_int_equal(last(&k, 1), 1);
	assert_string_equal(outcome(&k, move_leader(&k, 0x1234, 1)),
			    "etcdserver: bad leader transferee");
	assert_string_equal(outcome(&k, move_leader(&k, id(3), 2)), "etcdserver: not leader");
	assert_int_equal(world_leader(k.w), 1);
	talk_end(&k);
}

/* L7 */
static void a_transfer_to_a_dead_member_fails_and_drops_writes_for_an_election_timeout(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	uint64_t move = move_leader(&k, id(3), 1);
	assert_string_equal(outcome(&k, move), "...");
	assert_string_equal(outcome(&k, put(&k, "k", "during", 1)),
			    "rpc error: code = Unknown desc = raft proposal dropped");
	wait_ms(&k, 1000);
	assert_string_equal(outcome(&k, put(&k, "k", "after", 1)), "");
	wait_ms(&k, 4000);
	assert_string_equal(outcome(&k, move), "context deadline exceeded");
	assert_int_equal(world_leader(k.w), 1);
	assert_int_equal(term(&k, 1), 1);
	talk_end(&k);
}

static void a_transfer_ends_with_its_leader(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	uint64_t move = move_leader(&k, id(3), 1);
	rest(&k);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	assert_string_equal(outcome(&k, move),
			    "rpc error: code = Unavailable desc = transport is closing");
	talk_end(&k);
}

/* L5 */
static void a_terminated_leader_hands_over_first(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	wait_ms(&k, 500);
	sim_kill(k.w, 1, KILL_TERM, KILL_NOW);
	rest(&k);
	assert_int_equal(at(&k, 1)->condition, MEMBER_DOWN);
	assert_int_equal(world_leader(k.w), 2);
	assert_int_equal(k.w->now_ms, 500);
	assert_int_equal(term(&k, 2), 2);
	assert_int_equal(last(&k, 2), 2);
	sim_kill(k.w, 3, KILL_TERM, KILL_NOW);
	wait_ms(&k, 3000);
	assert_int_equal(at(&k, 3)->condition, MEMBER_DOWN);
	talk_end(&k);
}

static void a_leader_that_can_hand_over_to_nobody_ends_when_a_request_would(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	sim_cut(k.w, 1, 2, false);
	sim_cut(k.w, 1, 3, false);
	sim_kill(k.w, 1, KILL_TERM, KILL_NOW);
	wait_ms(&k, 1000);
	assert_int_equal(at(&k, 1)->condition, MEMBER_UP);
	wait_ms(&k, 6000);
	assert_int_equal(at(&k, 1)->condition, MEMBER_DOWN);
	talk_end(&k);

	k = TALK("members 1");
	sim_kill(k.w, 1, KILL_TERM, KILL_NOW);
	assert_int_equal(at(&k, 1)->condition, MEMBER_DOWN);
	talk_end(&k);
}

/* W5 */
static void a_put_lost_with_the_leader_says_so(void **state)
{
	struct talk k = TALK(NULL);
	struct request req = {.kind = REQ_PUT, .put = {.key = BYTES("k"), .value = BYTES("w")}};
	struct buf b = {0};

	(void)state;
	wait_ms(&k, 500);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	uint64_t call = ask_for(&k, req, 2, 30000);
	wait_ms(&k, 6900);
	assert_string_equal(outcome(&k, call), "...");
	assert_int_not_equal(world_leader(k.w), 0);
	wait_ms(&k, 100);
	assert_string_equal(
	    outcome(&k, call),
	    "etcdserver: request timed out, possibly due to previous leader failure");
	assert_null(value(&k, 2, "k", &b));
	buf_free(&b);
	talk_end(&k);
}

/* W4, W3 */
static void what_a_request_without_a_quorum_gets_depends_on_whose_limit_ends_first(void **state)
{
	static const char *const versions[] = {"etcd 3.4", "etcd 3.5"};
	struct request req = {.kind = REQ_PUT, .put = {.key = BYTES("k"), .value = BYTES("w")}};
	struct request range = {.kind = REQ_RANGE, .range = {.range = {.key = BYTES("k")}}};
	struct request txn = {
	    .kind = REQ_TXN,
	    .txn = {.success = &(struct request){.kind = REQ_PUT,
						 .put = {.key = BYTES("k"), .value = BYTES("w")}},
		    .nsuccess = 1}};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct talk k = TALK(versions[i]);
		sim_kill(k.w, 2, KILL_PROCESS, KILL_NOW);
		sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
		uint64_t first = ask_for(&k, req, 1, 30000);
		wait_ms(&k, 6999);
		assert_string_equal(outcome(&k, first), "...");
		wait_ms(&k, 1);
		assert_string_equal(outcome(&k, first), "etcdserver: request timed out");
		/* Now there is no leader. */
		uint64_t second = ask_for(&k, req, 1, 30000),
			 third = ask_for(&k, txn, 1, INT64_MAX),
			 read = ask_for(&k, range, 1, 30000),
			 list = ask(&k, (struct request){.kind = REQ_MEMBER_LIST}, 1);
		wait_ms(&k, 7000);
		assert_string_equal(outcome(&k, third), "etcdserver: request timed out");
		assert_string_equal(
		    outcome(&k, second),
		    i ? "..." : "rpc error: code = Unknown desc = context deadline exceeded");
		assert_string_equal(outcome(&k, list), i ? "context deadline exceeded" : "");
		wait_ms(&k, 22999);
		assert_string_equal(outcome(&k, read), "...");
		wait_ms(&k, 1);
		assert_string_equal(outcome(&k, read), "context deadline exceeded");
		if (i)
			assert_string_equal(outcome(&k, second), "context deadline exceeded");
		talk_end(&k);
	}
}

/* Rule 4: the member leads, but has not been connected to a quorum since the request began. */
static void a_put_at_a_leader_without_connections_may_blame_them(void **state)
{
	struct talk k = TALK("election-timeout 50000", "heartbeat-interval 5000");
	struct request req = {.kind = REQ_PUT, .put = {.key = BYTES("k"), .value = BYTES("w")}};

	(void)state;
	sim_kill(k.w, 2, KILL_PROCESS, KILL_NOW);
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	wait_ms(&k, 1000);
	uint64_t call = ask_for(&k, req, 1, INT64_MAX);
	rest(&k);
	/* With etcd's own settings a leader has given up long before the limit. */
	at(&k, 1)->waiting.v[0].limit_ms = k.w->now_ms + 7000;
	wait_ms(&k, 7000);
	assert_int_equal(world_leader(k.w), 1);
	assert_string_equal(outcome(&k, call),
			    "etcdserver: request timed out, possibly due to connection lost");
	talk_end(&k);
}

static void proposals_wait_for_a_leader_and_reads_ask_the_new_one(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	put(&k, "k", "v1", 0);
	wait_ms(&k, 300);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	uint64_t read = get(&k, "k", 3, false);
	wait_ms(&k, 950);
	sim_timeout(k.w, 3); /* it knows no leader from here on */
	uint64_t write = put(&k, "k", "v2", 3);
	wait_ms(&k, 2000);
	assert_string_equal(outcome(&k, read), "");
	assert_string_equal(outcome(&k, write), "");
	assert_string_equal(value(&k, 2, "k", &b), "v2");
	buf_free(&b);
	talk_end(&k);
}

/* R1 */
static void a_member_that_has_not_seen_a_leader_since_its_start_serves_nobody(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	for (unsigned n = 1; n <= 3; n++)
		sim_kill(k.w, n, KILL_PROCESS, KILL_NOW);
	sim_restart(k.w, 1);
	uint64_t read = get(&k, "k", 1, true),
		 status = ask(&k, (struct request){.kind = REQ_STATUS}, 1);
	wait_ms(&k, 5000);
	assert_string_equal(outcome(&k, read), "context deadline exceeded");
	assert_string_equal(outcome(&k, status), "context deadline exceeded");
	sim_restart(k.w, 2);
	wait_ms(&k, 2000);
	assert_string_equal(outcome(&k, get(&k, "k", 1, true)), "");
	assert_string_equal(outcome(&k, get(&k, "k", 1, false)), "");
	talk_end(&k);
}

/* T2 */
static void a_fresh_cluster_as_etcd_boots_it(void **state)
{
	static const char *const sizes[] = {"members 1", "members 2", "members 3", "members 5",
					    "members 9"};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct talk k = TALK("boot etcd", sizes[i]);
		unsigned n = k.w->nmembers;
		for (unsigned m = 1; m <= n; m++) {
			const struct raft *r = at(&k, m)->raft;
			assert_int_equal(raft_commit(r), 2 * n + 2);
			assert_int_equal(at(&k, m)->applied, 2 * n + 2);
			assert_int_equal(raft_term(r), 2);
			assert_int_equal(rev(&k, m), 1);
			for (uint64_t e = 1; e <= n; e++) {
				assert_int_equal(raft_entry(r, e)->term, 1);
				assert_int_equal(raft_entry(r, e)->type, ENTRY_CONF_CHANGE);
			}
			assert_null(raft_entry(r, n + 1)->payload);
			assert_int_equal(server_conf(at(&k, m))->nvoters, n);
			assert_int_equal(at(&k, m)->membership.version, 34);
			for (size_t x = 0; x < n; x++)
				assert_int_equal(strlen(at(&k, m)->membership.members[x].name), 2);
		}
		assert_string_equal(outcome(&k, put(&k, "k", "v", 0)), "");
		talk_end(&k);
	}
}

static void a_booted_members_restart_publishes_its_name_again(void **state)
{
	struct talk k = TALK("boot etcd");

	(void)state;
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	wait_ms(&k, 500);
	assert_int_equal(last(&k, 1), 8);
	sim_restart(k.w, 3);
	wait_ms(&k, 500);
	assert_int_equal(last(&k, 1), 9);
	assert_int_equal(term(&k, 1), 2);
	talk_end(&k);

	k = TALK("boot etcd", "members 1");
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	sim_restart(k.w, 1);
	wait_ms(&k, 3000);
	assert_int_equal(term(&k, 1), 3);
	assert_int_equal(last(&k, 1), 6);
	talk_end(&k);
}

static void a_booted_cluster_takes_members_that_begin_with_nothing(void **state)
{
	struct talk k = TALK("boot etcd");
	struct buf b = {0};

	(void)state;
	wait_ms(&k, 5500);
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "");
	assert_string_equal(conf(&k, 4, &b), "");
	sim_start(k.w, 4);
	wait_ms(&k, 500);
	assert_string_equal(conf(&k, 4, &b), "S1 S2 S3 S4");
	assert_int_equal(last(&k, 1), 10); /* the change, and its name */
	assert_string_equal(membership_find(&at(&k, 2)->membership, id(4))->name, "S4");
	assert_int_equal(at(&k, 4)->membership.version, 34);
	buf_free(&b);
	talk_end(&k);
}

static void every_size_works_and_needs_its_majority(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 9; n++) {
		char setting[32];
		snprintf(setting, sizeof setting, "members %u", n);
		struct talk k = TALK(setting);
		unsigned need = n / 2 + 1;
		assert_int_equal(world_quorum(k.w), need);
		assert_string_equal(outcome(&k, put(&k, "k", "v", 0)), "");
		assert_int_equal(k.w->path.needed, need);
		for (unsigned m = n; m > need; m--)
			sim_kill(k.w, m, KILL_POWER, KILL_NOW);
		assert_string_equal(outcome(&k, put(&k, "k", "w", 0)), "");
		if (n > 1) {
			sim_kill(k.w, need, KILL_POWER, KILL_NOW);
			assert_string_equal(outcome(&k, put(&k, "k", "x", 1)), "...");
		}
		talk_end(&k);
	}
}

/* Two timers run out in the same tick: each asks, each votes for itself, nobody wins; the term
 * rises again. */
static void a_vote_can_be_split_when_timeouts_are_drawn(void **state)
{
	bool split = false;

	(void)state;
	for (int seed = 1; seed <= 64 && !split; seed++) {
		char setting[32];
		snprintf(setting, sizeof setting, "seed %d", seed);
		struct talk k = TALK("election random", setting);
		sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
		if (raft_randomized_timeout(at(&k, 2)->raft) ==
		    raft_randomized_timeout(at(&k, 3)->raft)) {
			split = true;
			wait_ms(&k, 2000);
			assert_true(told(&k, "S2 role candidate term 2"));
			assert_true(told(&k, "S3 role candidate term 2"));
			assert_false(told(&k, "role leader term 2"));
			wait_ms(&k, 10000);
			assert_int_not_equal(world_leader(k.w), 0);
			assert_true(term(&k, world_leader(k.w)) >= 3);
			assert_string_equal(outcome(&k, put(&k, "k", "v", 0)), "");
		}
		talk_end(&k);
	}
	assert_true(split);
}

static void settings_of_the_start_take_effect_while_nothing_has_happened(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	set(&k, "members", "5");
	assert_int_equal(k.w->nmembers, 5);
	assert_int_equal(world_quorum(k.w), 3);
	set(&k, "election", "random");
	bool drawn = false;
	for (unsigned n = 1; n <= 5; n++)
		drawn |= raft_randomized_timeout(at(&k, n)->raft) != (n == 1 ? 18 : 8 + n);
	assert_true(drawn);
	assert_string_equal(outcome(&k, put(&k, "k", "v", 0)), "");
	set(&k, "members", "3"); /* too late */
	assert_int_equal(k.w->nmembers, 5);
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_transfer_takes_one_term_and_one_entry),
	    cmocka_unit_test(a_transfer_to_the_leader_itself_does_nothing),
	    cmocka_unit_test(
		a_transfer_to_a_dead_member_fails_and_drops_writes_for_an_election_timeout),
	    cmocka_unit_test(a_transfer_ends_with_its_leader),
	    cmocka_unit_test(a_terminated_leader_hands_over_first),
	    cmocka_unit_test(a_leader_that_can_hand_over_to_nobody_ends_when_a_request_would),
	    cmocka_unit_test(a_put_lost_with_the_leader_says_so),
	    cmocka_unit_test(
		what_a_request_without_a_quorum_gets_depends_on_whose_limit_ends_first),
	    cmocka_unit_test(a_put_at_a_leader_without_connections_may_blame_them),
	    cmocka_unit_test(proposals_wait_for_a_leader_and_reads_ask_the_new_one),
	    cmocka_unit_test(a_member_that_has_not_seen_a_leader_since_its_start_serves_nobody),
	    cmocka_unit_test(a_fresh_cluster_as_etcd_boots_it),
	    cmocka_unit_test(a_booted_members_restart_publishes_its_name_again),
	    cmocka_unit_test(a_booted_cluster_takes_members_that_begin_with_nothing),
	    cmocka_unit_test(every_size_works_and_needs_its_majority),
	    cmocka_unit_test(a_vote_can_be_split_when_timeouts_are_drawn),
	    cmocka_unit_test(settings_of_the_start_take_effect_while_nothing_has_happened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
