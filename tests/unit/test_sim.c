/* The world as design.md 3 and 4 describe it: start state, order inside an instant, limits,
 * crashes, reads. Each test is a conversation: something is done, and the trace says what happened.
 */
#include "talk.h"

static const struct response *reply(struct talk *k, uint64_t call)
{
	assert_int_equal(world_call(k->w, call)->state, CALL_DONE);
	return world_call(k->w, call)->response;
}

static void the_start_state_is_a_settled_cluster_of_term_1(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	assert_int_equal(world_leader(k.w), 1);
	for (unsigned i = 1; i <= 3; i++) {
		const struct member *m = world_member(k.w, i);
		assert_int_equal(raft_term(m->raft), 1);
		assert_int_equal(raft_last_index(m->raft), 1);
		assert_int_equal(raft_commit(m->raft), 1);
		assert_int_equal(m->applied, 1);
		assert_int_equal(m->store.current_rev, 1);
	}
	assert_false(sim_pending(k.w));
	assert_int_equal(sim_next_ms(k.w), 100);
	talk_end(&k);
}

static void a_put_goes_append_fsync_send_ack_commit_apply_reply(void **state)
{
	struct talk k = talk_begin(NULL);
	struct buf b = {0};

	(void)state;
	story(&k, &b, -1); /* what raft says at its start */
	put(&k, "a", "1", 0);
	rest(&k);
	assert_string_equal(story(&k, &b, -1),
			    "0.000 S1 request r1 put a\n"
			    "0.000 S1 append 2 term 1 put a\n"
			    "0.000 S1 fsync 2\n"
			    "0.000 S1 send MsgApp 2 prev 1/t1 commit 1 term 1 to S2\n"
			    "0.000 S1 send MsgApp 2 prev 1/t1 commit 1 term 1 to S3\n"
			    "0.000 S2 recv MsgApp 2 prev 1/t1 commit 1 term 1 from S1\n"
			    "0.000 S2 append 2 term 1 put a\n"
			    "0.000 S2 fsync 2\n"
			    "0.000 S2 send MsgAppResp 2 term 1 to S1\n"
			    "0.000 S3 recv MsgApp 2 prev 1/t1 commit 1 term 1 from S1\n"
			    "0.000 S3 append 2 term 1 put a\n"
			    "0.000 S3 fsync 2\n"
			    "0.000 S3 send MsgAppResp 2 term 1 to S1\n"
			    "0.000 S1 recv MsgAppResp 2 term 1 from S2\n"
			    "0.000 S1 commit 2\n"
			    "0.000 S1 send MsgApp prev 2/t1 commit 2 term 1 to S2\n"
			    "0.000 S1 send MsgApp prev 2/t1 commit 2 term 1 to S3\n"
			    "0.000 S1 apply 2 put a revision 2\n"
			    "0.000 S1 reply r1 ok revision 2\n"
			    "0.000 S1 recv MsgAppResp 2 term 1 from S3\n"
			    "0.000 S2 recv MsgApp prev 2/t1 commit 2 term 1 from S1\n"
			    "0.000 S2 commit 2\n"
			    "0.000 S2 send MsgAppResp 2 term 1 to S1\n"
			    "0.000 S2 apply 2 put a revision 2\n"
			    "0.000 S3 recv MsgApp prev 2/t1 commit 2 term 1 from S1\n"
			    "0.000 S3 commit 2\n"
			    "0.000 S3 send MsgAppResp 2 term 1 to S1\n"
			    "0.000 S3 apply 2 put a revision 2\n"
			    "0.000 S1 recv MsgAppResp 2 term 1 from S2\n"
			    "0.000 S1 recv MsgAppResp 2 term 1 from S3\n");
	buf_free(&b);
	talk_end(&k);
}

static void a_lone_follower_asks_for_pre_votes_and_keeps_its_term(void **state)
{
	struct talk k = talk_begin(NULL);
	struct buf b = {0};
	uint8_t group[MEMBERS_MAX] = {0, 0, 1};

	(void)state;
	sim_partition(k.w, group);
	wait_ms(&k, 3000);
	/* S3's timer is 11 ticks: 1.1, 2.2; one who asks is no follower, so each asking is one
	 * change of role. */
	assert_string_equal(story(&k, &b, TRACE_ROLE), "1.100 S3 role pre-candidate term 1\n");
	assert_int_equal(raft_term(world_member(k.w, 3)->raft), 1);
	sim_heal(k.w);
	wait_ms(&k, 100);
	assert_string_equal(story(&k, &b, TRACE_ROLE), "3.100 S3 role follower term 1 of S1\n");
	buf_free(&b);
	talk_end(&k);
}

static void s2_wins_the_election_one_second_after_the_leader_died(void **state)
{
	struct talk k = talk_begin(NULL);
	struct buf b = {0};

	(void)state;
	sim_kill(k.w, 1, KILL_POWER, KILL_NOW);
	wait_ms(&k, 1000);
	assert_string_equal(story(&k, &b, TRACE_ROLE), "1.000 S2 role pre-candidate term 1\n"
						       "1.000 S2 role candidate term 2\n"
						       "1.000 S3 role follower term 2\n"
						       "1.000 S2 role leader term 2\n"
						       "1.000 S3 role follower term 2 of S2\n");
	assert_true(sim_has_leader(k.w));
	buf_free(&b);
	talk_end(&k);
}

static void an_unsynced_entry_is_lost_in_a_crash_and_a_synced_one_is_not(void **state)
{
	(void)state;
	for (int synced = 0; synced < 2; synced++) {
		struct talk k = talk_begin(NULL);
		sim_kill(k.w, 1, KILL_POWER, synced ? KILL_SEND : KILL_FSYNC);
		put(&k, "a", "1", 0);
		rest(&k);
		sim_restart(k.w, 1);
		assert_int_equal(raft_last_index(world_member(k.w, 1)->raft), synced ? 2 : 1);
		talk_end(&k);
	}
}

static void a_client_gives_up_after_five_seconds_and_does_not_know(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	sim_kill(k.w, 1, KILL_POWER, KILL_SEND);
	uint64_t call = put(&k, "a", "1", 0);
	wait_ms(&k, 5000);
	assert_int_equal(reply(&k, call)->error, ERR_DEADLINE);
	assert_int_equal(world_call(k.w, call)->end_ms, 5000);
	talk_end(&k);
}

static void a_killed_process_closes_its_connections(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	sim_kill(k.w, 1, KILL_PROCESS, KILL_SEND);
	uint64_t call = put(&k, "a", "1", 0);
	rest(&k);
	assert_int_equal(reply(&k, call)->error, ERR_UNAVAILABLE_34);
	assert_int_equal(k.w->now_ms, 0);
	talk_end(&k);
}

static void a_serializable_read_may_be_old_and_a_linearizable_one_may_not(void **state)
{
	struct talk k = talk_begin(NULL);
	uint8_t group[MEMBERS_MAX] = {0, 0, 1};

	(void)state;
	put(&k, "a", "1", 0);
	rest(&k);
	sim_partition(k.w, group);
	put(&k, "a", "2", 0);
	rest(&k);
	uint64_t old = get(&k, "a", 3, true), now = get(&k, "a", 2, false),
		 never = get(&k, "a", 3, false);
	rest(&k);
	assert_int_equal(reply(&k, old)->header.revision, 2);
	assert_int_equal(reply(&k, now)->header.revision, 3);
	assert_int_equal(world_call(k.w, never)->state, CALL_OPEN);
	wait_ms(&k, 5000);
	assert_int_equal(reply(&k, never)->error, ERR_DEADLINE);
	talk_end(&k);
}

static void a_follower_answers_after_it_has_applied_itself(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	uint64_t call = put(&k, "a", "1", 2);
	while (world_call(k.w, call)->state == CALL_OPEN)
		assert_true(sim_step(k.w));
	assert_int_equal(world_call(k.w, call)->at, 2);
	assert_int_equal(world_member(k.w, 2)->store.current_rev, 2);
	assert_int_equal(world_member(k.w, 3)->store.current_rev, 1);
	talk_end(&k);
}

static void a_proposal_waits_for_a_leader(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	sim_kill(k.w, 1, KILL_POWER, KILL_NOW);
	wait_ms(&k, 950);
	/* S2 still believes in S1: what it forwards is lost.  One that comes when S2 has no leader
	 * is held. */
	wait_ms(&k, 50);
	uint64_t call = put(&k, "a", "1", 0);
	rest(&k);
	assert_int_equal(reply(&k, call)->error, ERR_NONE);
	assert_int_equal(reply(&k, call)->header.raft_term, 2);
	talk_end(&k);
}

static void a_lease_ends_at_the_look_after_its_time_and_takes_its_keys_in_one_revision(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	ask(&k, (struct request){.kind = REQ_LEASE_GRANT, .grant = {.ttl = 5}}, 0);
	rest(&k);
	for (int i = 0; i < 2; i++) {
		ask(&k,
		    (struct request){.kind = REQ_PUT,
				     .put = {.key = bytes_of(i ? "a" : "b"),
					     .value = bytes_of("v"),
					     .lease = 1}},
		    0);
		rest(&k);
	}
	wait_ms(&k, 4900);
	assert_int_equal(k.w->members[0]->store.current_rev, 3);
	wait_ms(&k, 100);
	assert_int_equal(k.w->members[0]->store.current_rev, 4);
	assert_int_equal(k.w->members[0]->store.live_keys, 0);
	assert_int_equal(k.w->members[2]->lessor.leases.n, 0);
	talk_end(&k);
}

static void a_new_leader_gives_every_lease_its_time_again_and_an_election_timeout(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	ask(&k, (struct request){.kind = REQ_LEASE_GRANT, .grant = {.ttl = 20}}, 0);
	rest(&k);
	wait_ms(&k, 6000);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	wait_ms(&k, 1000);
	const struct member *s2 = world_member(k.w, 2);
	assert_true(s2->lessor.primary);
	assert_int_equal(lease_left_ms(lessor_find(&s2->lessor, 1), k.w->now_ms), 21000);
	assert_false(world_member(k.w, 3)->lessor.primary);
	talk_end(&k);
}

static void the_leader_steps_down_at_its_second_quorum_check(void **state)
{
	struct talk k = talk_begin(NULL);
	struct buf b = {0};
	uint8_t group[MEMBERS_MAX] = {0, 1, 1};

	(void)state;
	sim_partition(k.w, group);
	wait_ms(&k, 1000);
	/* Two members call themselves leader, of terms 1 and 2. */
	assert_int_equal(raft_role(world_member(k.w, 1)->raft), STATE_LEADER);
	assert_int_equal(world_leader(k.w), 2);
	wait_ms(&k, 1000);
	assert_int_equal(raft_role(world_member(k.w, 1)->raft), STATE_FOLLOWER);
	assert_int_equal(raft_term(world_member(k.w, 1)->raft), 1);
	buf_free(&b);
	talk_end(&k);
}

static void a_watcher_moves_to_the_new_leader_from_last_seen_plus_one(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	sim_watch(k.w,
		  &(struct watch_options){.range = {.key = bytes_of("a")}, .shown = bytes_of("a")});
	rest(&k);
	put(&k, "a", "1", 0);
	rest(&k);
	sim_kill(k.w, 1, KILL_POWER, KILL_NOW);
	wait_ms(&k, 1000);
	const struct watch_client *c = world_watch(k.w, 1);
	assert_int_equal(c->at, 2);
	assert_int_equal(c->from, 3);
	assert_int_equal(c->moved_from, 1);
	put(&k, "a", "2", 0);
	rest(&k);
	assert_int_equal(world_watch(k.w, 1)->seen, 3);
	assert_int_equal(world_watch(k.w, 1)->nevents, 2);
	talk_end(&k);
}

static void a_copy_of_the_world_has_the_same_future(void **state)
{
	struct talk k = talk_begin(NULL);

	(void)state;
	put(&k, "a", "1", 0);
	for (int i = 0; i < 7; i++)
		sim_step(k.w); /* in the middle of a request */
	struct world *past = world_copy(k.w);
	assert_true(world_hash(past) == world_hash(k.w));
	wait_ms(&k, 700);
	past->trace = NULL;
	struct talk other = {.w = past};
	assert_false(world_hash(past) == world_hash(k.w));
	wait_ms(&other, 700);
	assert_true(world_hash(past) == world_hash(k.w));
	world_free(past);
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_start_state_is_a_settled_cluster_of_term_1),
	    cmocka_unit_test(a_put_goes_append_fsync_send_ack_commit_apply_reply),
	    cmocka_unit_test(a_lone_follower_asks_for_pre_votes_and_keeps_its_term),
	    cmocka_unit_test(s2_wins_the_election_one_second_after_the_leader_died),
	    cmocka_unit_test(an_unsynced_entry_is_lost_in_a_crash_and_a_synced_one_is_not),
	    cmocka_unit_test(a_client_gives_up_after_five_seconds_and_does_not_know),
	    cmocka_unit_test(a_killed_process_closes_its_connections),
	    cmocka_unit_test(a_serializable_read_may_be_old_and_a_linearizable_one_may_not),
	    cmocka_unit_test(a_follower_answers_after_it_has_applied_itself),
	    cmocka_unit_test(a_proposal_waits_for_a_leader),
	    cmocka_unit_test(
		a_lease_ends_at_the_look_after_its_time_and_takes_its_keys_in_one_revision),
	    cmocka_unit_test(a_new_leader_gives_every_lease_its_time_again_and_an_election_timeout),
	    cmocka_unit_test(the_leader_steps_down_at_its_second_quorum_check),
	    cmocka_unit_test(a_watcher_moves_to_the_new_leader_from_last_seen_plus_one),
	    cmocka_unit_test(a_copy_of_the_world_has_the_same_future),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
