/* Snapshots by count, and a member that was away too long (storyboard 11, cluster-facts H3). */
#include "talk.h"

#include <string.h>

static void puts_n(struct talk *k, const char *key, int n)
{
	char text[16];

	for (int i = 1; i <= n; i++) {
		snprintf(text, sizeof text, "v%d", i);
		put(k, key, heap_dup(k->w->heap, text, strlen(text)), 0);
		rest(k);
	}
}

static void eleven_puts_while_S3_is_away(struct talk *k)
{
	puts_n(k, "web-1", 1);
	sim_kill(k->w, 3, KILL_PROCESS, KILL_NOW);
	puts_n(k, "web-1", 10);
}

static void a_snapshot_is_taken_when_more_than_count_were_applied_since_the_last(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");

	(void)state;
	puts_n(&k, "a", 4);
	assert_int_equal(at(&k, 1)->applied, 5);
	assert_int_equal(at(&k, 1)->snap_index, 0);
	puts_n(&k, "a", 1);
	assert_int_equal(at(&k, 1)->snap_index, 6);
	assert_int_equal(server_first_index(at(&k, 1)), 5);
	puts_n(&k, "a", 5);
	assert_int_equal(at(&k, 1)->snap_index, 6);
	puts_n(&k, "a", 1);
	for (unsigned n = 1; n <= 3; n++) {
		assert_int_equal(at(&k, n)->snap_index, 12);
		assert_int_equal(server_first_index(at(&k, n)), 11);
		assert_int_equal(last(&k, n), 12);
	}
	assert_true(told(&k, "S1 log triggering snapshot [applied index: 12, last snapshot index: "
			     "6, snapshot count: 5]"));
	assert_true(told(&k, "S1 log compacted Raft logs [compact index: 10]"));
	talk_end(&k);
}

static void with_5000_entries_kept_only_the_first_goes(void **state)
{
	struct talk k = TALK("snapshot-count 5");

	(void)state;
	puts_n(&k, "a", 11);
	assert_int_equal(at(&k, 1)->snap_index, 12);
	assert_int_equal(server_first_index(at(&k, 1)), 2);
	talk_end(&k);
}

static void who_was_away_too_long_gets_the_leaders_store_as_applied_now(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");
	struct buf b = {0};

	(void)state;
	eleven_puts_while_S3_is_away(&k);
	assert_int_equal(rev(&k, 3), 2);
	sim_restart(k.w, 3);
	story(&k, &b, -1);
	wait_ms(&k, 100);
	assert_int_equal(rev(&k, 3), 12);
	assert_int_equal(at(&k, 3)->applied, 12);
	assert_int_equal(server_first_index(at(&k, 3)), 13);
	assert_int_equal(last(&k, 3), 12);
	assert_string_equal(value(&k, 3, "web-1", &b), "v10");
	assert_true(told(&k, "0.100 S1 send MsgSnap 12 term 1 to S3\n"
			     "0.100 S3 recv MsgSnap 12 term 1 from S1\n"));
	assert_true(told(&k, "0.100 S3 fsync 12\n"
			     "0.100 S3 apply 12 snapshot revision 12\n"
			     "0.100 S3 send MsgAppResp 12 term 1 to S1\n"));
	assert_int_equal(k.w->path.kind, PATH_SNAPSHOT);
	assert_int_equal(k.w->path.member, 3);
	assert_int_equal(k.w->path.done, 0x1f); /* heartbeat, MsgSnap, fsync, restore, ack */
	/* What comes next is an ordinary append. */
	story(&k, &b, -1);
	puts_n(&k, "web-2", 1);
	assert_true(told(&k, "S3 recv MsgApp 13 prev 12/t1 commit 12 term 1 from S1"));
	assert_false(told(&k, "MsgSnap"));
	assert_int_equal(rev(&k, 3), 13);
	buf_free(&b);
	talk_end(&k);
}

static void who_lacks_no_more_than_is_kept_gets_entries(void **state)
{
	struct talk k = TALK("snapshot-count 10");

	(void)state;
	puts_n(&k, "k", 1);
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	puts_n(&k, "k", 30);
	sim_restart(k.w, 3);
	wait_ms(&k, 200);
	assert_int_equal(rev(&k, 3), 32);
	assert_false(told(&k, "MsgSnap"));
	talk_end(&k);
}

static void leases_and_their_keys_come_with_the_snapshot(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");
	struct request grant = {.kind = REQ_LEASE_GRANT, .grant = {.id = 7, .ttl = 60}};
	struct request revoke = {.kind = REQ_LEASE_REVOKE, .revoke = {7}};
	struct buf b = {0};

	(void)state;
	puts_n(&k, "a", 1);
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	ask(&k, grant, 0);
	rest(&k);
	ask(&k,
	    (struct request){.kind = REQ_PUT,
			     .put = {.key = BYTES("l"), .value = BYTES("x"), .lease = 7}},
	    0);
	puts_n(&k, "a", 12);
	sim_restart(k.w, 3);
	wait_ms(&k, 100);
	assert_true(told(&k, "MsgSnap"));
	assert_int_equal(lessor_of_key(&at(&k, 3)->lessor, BYTES("l")), 7);
	assert_int_equal(lessor_find(&at(&k, 3)->lessor, 7)->ttl, 60);
	assert_false(at(&k, 3)->lessor.primary);
	ask(&k, revoke, 0);
	rest(&k);
	assert_null(value(&k, 3, "l", &b));
	assert_int_equal(rev(&k, 3), rev(&k, 1));
	buf_free(&b);
	talk_end(&k);
}

static void a_watcher_of_the_follower_gets_what_the_snapshot_skipped(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");
	uint8_t groups[MEMBERS_MAX] = {0, 0, 1};

	(void)state;
	uint32_t w1 = sim_watch(k.w, &(struct watch_options){.range = {.key = BYTES("web-1")},
							     .shown = BYTES("web-1"),
							     .endpoints = {3},
							     .nendpoints = 1});
	puts_n(&k, "web-1", 1);
	assert_int_equal(world_watch(k.w, w1)->nevents, 1);
	sim_partition(k.w, groups);
	puts_n(&k, "web-1", 10);
	assert_int_equal(world_watch(k.w, w1)->nevents, 1);
	sim_heal(k.w);
	wait_ms(&k, 300);
	assert_true(told(&k, "MsgSnap"));
	assert_int_equal(world_watch(k.w, w1)->nevents, 11);
	assert_int_equal(world_watch(k.w, w1)->seen, 12);
	talk_end(&k);
}

static void a_restart_begins_from_the_newest_snapshot_and_keeps_what_follows(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");
	struct buf b = {0};

	(void)state;
	puts_n(&k, "a", 9);
	assert_int_equal(at(&k, 1)->snap_index, 6);
	for (unsigned n = 1; n <= 3; n++)
		sim_kill(k.w, n, KILL_PROCESS, KILL_NOW);
	assert_int_equal(server_first_index(at(&k, 2)), 7);
	assert_int_equal(last(&k, 2), 10);
	for (unsigned n = 1; n <= 3; n++)
		sim_restart(k.w, n);
	wait_ms(&k, 2000);
	puts_n(&k, "b", 1);
	for (unsigned n = 1; n <= 3; n++) {
		assert_string_equal(value(&k, n, "a", &b), "v9");
		assert_int_equal(rev(&k, n), 11);
	}
	buf_free(&b);
	talk_end(&k);
}

static void a_snapshot_that_was_written_counts_though_its_store_was_not_in_place(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");
	struct buf b = {0};

	(void)state;
	eleven_puts_while_S3_is_away(&k);
	sim_restart(k.w, 3);
	sim_kill(k.w, 3, KILL_POWER, KILL_APPLY);
	wait_ms(&k, 100);
	assert_int_equal(at(&k, 3)->condition, MEMBER_DOWN);
	assert_true(told(&k, "S3 fsync 12\n"));
	assert_false(told(&k, "S3 apply 12 snapshot"));
	assert_int_equal(at(&k, 3)->applied, 12);
	sim_restart(k.w, 3);
	wait_ms(&k, 100);
	assert_string_equal(value(&k, 3, "web-1", &b), "v10");
	puts_n(&k, "c", 1);
	assert_int_equal(rev(&k, 3), 13);
	buf_free(&b);
	talk_end(&k);
}

static void a_snapshot_that_never_arrives_is_sent_again(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");

	(void)state;
	eleven_puts_while_S3_is_away(&k);
	sim_restart(k.w, 3);
	sim_cut(k.w, 1, 3, true);
	wait_ms(&k, 100);
	sim_heal(k.w);
	sim_kill(k.w, 3, KILL_PROCESS, KILL_FSYNC); /* dies before the snapshot is durable */
	wait_ms(&k, 200);
	assert_int_equal(at(&k, 3)->condition, MEMBER_DOWN);
	assert_int_equal(at(&k, 3)->applied, 2);
	sim_restart(k.w, 3);
	wait_ms(&k, 6000);
	assert_int_equal(at(&k, 3)->applied, 12);
	talk_end(&k);
}

/* Raft's own words for what it thinks of S3. */
static enum progress_state progress_of(struct talk *k, unsigned number)
{
	const struct raft *r = at(k, world_leader(k->w))->raft;

	for (size_t i = 0; i < raft_nprogress(r); i++)
		if (raft_progress(r, i).id == k->w->peers[number - 1].id)
			return raft_progress(r, i).state;
	return PROGRESS_PROBE;
}

static void the_leader_hears_what_became_of_a_snapshot(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");

	(void)state;
	eleven_puts_while_S3_is_away(&k);
	sim_restart(k.w, 3);
	while (progress_of(&k, 3) != PROGRESS_SNAPSHOT) {
		if (!sim_step(k.w))
			sim_advance(k.w, sim_next_ms(k.w));
		assert_true(k.w->now_ms < 1000);
	}
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	wait_ms(&k, 100);
	assert_int_equal(progress_of(&k, 3), PROGRESS_PROBE);
	sim_restart(k.w, 3);
	wait_ms(&k, 400);
	assert_int_equal(progress_of(&k, 3), PROGRESS_REPLICATE);
	assert_int_equal(at(&k, 3)->applied, 12);
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_snapshot_is_taken_when_more_than_count_were_applied_since_the_last),
	    cmocka_unit_test(with_5000_entries_kept_only_the_first_goes),
	    cmocka_unit_test(who_was_away_too_long_gets_the_leaders_store_as_applied_now),
	    cmocka_unit_test(who_lacks_no_more_than_is_kept_gets_entries),
	    cmocka_unit_test(leases_and_their_keys_come_with_the_snapshot),
	    cmocka_unit_test(a_watcher_of_the_follower_gets_what_the_snapshot_skipped),
	    cmocka_unit_test(a_restart_begins_from_the_newest_snapshot_and_keeps_what_follows),
	    cmocka_unit_test(a_snapshot_that_was_written_counts_though_its_store_was_not_in_place),
	    cmocka_unit_test(a_snapshot_that_never_arrives_is_sent_again),
	    cmocka_unit_test(the_leader_hears_what_became_of_a_snapshot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
