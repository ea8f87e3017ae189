/* Members that are added, started, promoted and removed (storyboard 12, cluster-facts M1 to M6). */
#include "talk.h"

#include <string.h>

static uint64_t id(struct talk *k, unsigned number)
{
	return k->w->peers[number - 1].id;
}

static uint64_t promote(struct talk *k, unsigned number, unsigned endpoint)
{
	return member(k, REQ_MEMBER_PROMOTE, id(k, number), endpoint);
}

static uint64_t take_out(struct talk *k, unsigned number, unsigned endpoint)
{
	return member(k, REQ_MEMBER_REMOVE, id(k, number), endpoint);
}

static const char *list(struct talk *k, unsigned endpoint, struct buf *out)
{
	const struct response *r =
	    answer(k, ask(k, (struct request){.kind = REQ_MEMBER_LIST}, endpoint));

	buf_clear(out);
	for (size_t i = 0; i < r->member_list.n; i++) {
		const struct member_info *m = &r->member_list.members[i];
		buf_printf(out, "%llx %s %s %s%s\n", (unsigned long long)m->id, m->name,
			   m->peer_url, m->client_url, m->is_learner ? " learner" : "");
	}
	return buf_str(out);
}

/* M1 */
static void an_added_member_is_in_the_list_at_once_and_serves_when_it_has_started(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	const struct response *r = answer(&k, add(&k, 4, false, 0));
	assert_int_equal(r->error, ERR_NONE);
	assert_int_equal(r->header.revision, 0);
	assert_int_equal(r->member_list.n, 4);
	assert_true(r->member_list.added->id == 0x45d559f8148de837);
	assert_int_equal(last(&k, 1), 2);
	assert_int_equal(rev(&k, 1), 1);
	assert_string_equal(list(&k, 2, &b),
			    "45d559f8148de837  http://127.0.0.1:42380 \n"
			    "8211f1d0f64f3269 S1 http://127.0.0.1:12380 http://127.0.0.1:2379\n"
			    "91bc3c398fb3c146 S2 http://127.0.0.1:22380 http://127.0.0.1:22379\n"
			    "fd422379fda50e48 S3 http://127.0.0.1:32380 http://127.0.0.1:32379\n");
	assert_int_equal(at(&k, 4)->condition, MEMBER_UNSTARTED);
	assert_string_equal(conf(&k, 1, &b), "S1 S2 S3 S4");
	assert_int_equal(world_quorum(k.w), 3);
	assert_string_equal(outcome(&k, put(&k, "k", "v2", 0)), "");

	assert_true(sim_start(k.w, 4));
	wait_ms(&k, 100);
	assert_string_equal(value(&k, 4, "k", &b), "v2");
	assert_int_equal(last(&k, 4),
			 3); /* by default it does not publish its name through the log */
	assert_string_equal(conf(&k, 4, &b), "S1 S2 S3 S4");
	assert_non_null(
	    strstr(list(&k, 4, &b),
		   "45d559f8148de837 S4 http://127.0.0.1:42380 http://127.0.0.1:42379\n"));
	assert_int_equal(answer(&k, get(&k, "k", 4, false))->range.n, 1);
	assert_int_equal(term(&k, 4), 1);

	/* With four members two down means no quorum. */
	sim_kill(k.w, 4, KILL_PROCESS, KILL_NOW);
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	uint64_t call = put(&k, "k", "x", 1);
	wait_ms(&k, 5000);
	assert_string_equal(outcome(&k, call), "context deadline exceeded");
	buf_free(&b);
	talk_end(&k);
}

/* M2 */
static void nobody_is_added_before_all_voters_have_been_connected_for_5_seconds(void **state)
{
	struct talk k = TALK("boot etcd");
	uint64_t before = last(&k, 1);

	(void)state;
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "etcdserver: unhealthy cluster");
	assert_int_equal(last(&k, 1), before);
	wait_ms(&k, 4000);
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "etcdserver: unhealthy cluster");
	wait_ms(&k, 1100);
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "");
	talk_end(&k);
}

static void a_restarted_member_or_a_long_cut_counts_as_unhealthy_for_5_seconds(void **state)
{
	struct talk k = TALK(NULL);
	uint8_t groups[MEMBERS_MAX] = {0, 0, 1};

	(void)state;
	sim_partition(k.w, groups);
	wait_ms(&k, 4000);
	sim_heal(k.w); /* the connections have lived through it */
	wait_ms(&k, 100);
	sim_partition(k.w, groups);
	wait_ms(&k, 6000);
	sim_heal(k.w);
	wait_ms(&k, 4000);
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "etcdserver: unhealthy cluster");
	wait_ms(&k, 2000);
	sim_kill(k.w, 2, KILL_PROCESS, KILL_NOW);
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "etcdserver: unhealthy cluster");
	sim_restart(k.w, 2);
	wait_ms(&k, 4000);
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "etcdserver: unhealthy cluster");
	wait_ms(&k, 1500);
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "");
	talk_end(&k);
}

/* M3 */
static void a_voter_that_has_not_started_blocks_further_changes(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "");
	assert_string_equal(outcome(&k, add(&k, 5, false, 0)), "etcdserver: unhealthy cluster");
	assert_string_equal(outcome(&k, add(&k, 4, false, 0)), "etcdserver: unhealthy cluster");
	assert_string_equal(outcome(&k, add(&k, 1, false, 0)), "etcdserver: unhealthy cluster");
	assert_int_equal(last(&k, 1), 2);
	talk_end(&k);
}

static void a_peer_url_in_use_is_refused_when_it_is_applied_and_takes_an_index(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	assert_string_equal(outcome(&k, add(&k, 1, false, 0)),
			    "etcdserver: Peer URLs already exists");
	assert_int_equal(last(&k, 1), 2);
	assert_int_equal(k.w->nmembers, 3);
	assert_string_equal(conf(&k, 2, &b), "S1 S2 S3");
	struct request update = {.kind = REQ_MEMBER_UPDATE,
				 .member = {.id = id(&k, 2), .peer_url = member_peer_url(3)}};
	assert_string_equal(outcome(&k, ask(&k, update, 0)),
			    "etcdserver: Peer URLs already exists");
	update.member.peer_url = "http://10.0.0.2:2380";
	assert_string_equal(outcome(&k, ask(&k, update, 0)), "");
	assert_non_null(strstr(
	    list(&k, 3, &b), "91bc3c398fb3c146 S2 http://10.0.0.2:2380 http://127.0.0.1:22379\n"));
	buf_free(&b);
	talk_end(&k);
}

/* M4 */
static void a_learner_counts_for_nothing_until_it_is_promoted(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	put(&k, "web-1", "v1", 0);
	rest(&k);
	assert_string_equal(outcome(&k, add(&k, 4, true, 0)), "");
	assert_int_equal(last(&k, 1), 3);
	assert_string_equal(conf(&k, 1, &b), "S1 S2 S3 (S4)");
	assert_int_equal(world_quorum(k.w), 2);

	assert_string_equal(
	    outcome(&k, promote(&k, 4, 0)),
	    "etcdserver: can only promote a learner member which is in sync with leader");
	assert_int_equal(last(&k, 1), 3);
	assert_string_equal(outcome(&k, move_leader(&k, id(&k, 4), 1)),
			    "etcdserver: bad leader transferee");
	assert_string_equal(outcome(&k, put(&k, "x", "1", 0)), "");
	assert_string_equal(outcome(&k, add(&k, 5, true, 0)),
			    "etcdserver: too many learner members in cluster");
	assert_string_equal(outcome(&k, promote(&k, 2, 0)),
			    "etcdserver: can only promote a learner member");
	assert_string_equal(outcome(&k, member(&k, REQ_MEMBER_PROMOTE, 0x1234, 0)),
			    "etcdserver: member not found");

	sim_start(k.w, 4);
	wait_ms(&k, 100);
	assert_string_equal(value(&k, 4, "x", &b), "1");
	assert_string_equal(outcome(&k, promote(&k, 4, 2)), "");
	assert_string_equal(conf(&k, 4, &b), "S1 S2 S3 S4");
	assert_int_equal(world_quorum(k.w), 3);
	assert_string_equal(outcome(&k, put(&k, "k", "v9", 4)), "");
	assert_string_equal(outcome(&k, promote(&k, 4, 3)),
			    "etcdserver: can only promote a learner member");
	buf_free(&b);
	talk_end(&k);
}

static void a_learner_answers_only_what_asks_nobody(void **state)
{
	static const char refused[] = "etcdserver: rpc not supported for learner";
	struct talk k = TALK(NULL);

	(void)state;
	put(&k, "k", "v", 0);
	rest(&k);
	add(&k, 4, true, 0);
	rest(&k);
	sim_start(k.w, 4);
	wait_ms(&k, 100);
	assert_int_equal(answer(&k, get(&k, "k", 4, true))->range.n, 1);
	const struct response *r = answer(&k, ask(&k, (struct request){.kind = REQ_STATUS}, 4));
	assert_true(r->status->is_learner);
	assert_string_equal(outcome(&k, put(&k, "k", "w", 4)), refused);
	assert_string_equal(outcome(&k, get(&k, "k", 4, false)), refused);
	static const enum request_kind kinds[] = {
	    REQ_COMPACTION,  REQ_MEMBER_LIST,  REQ_HASH_KV,
	    REQ_LEASE_GRANT, REQ_LEASE_LEASES, REQ_LEASE_TIME_TO_LIVE,
	    REQ_DEFRAGMENT,  REQ_ALARM_LIST,   REQ_LEASE_KEEP_ALIVE};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		assert_string_equal(outcome(&k, ask(&k, (struct request){.kind = kinds[i]}, 4)),
				    refused);
	talk_end(&k);
}

static void a_watch_at_a_learner_shows_nothing_until_it_is_promoted(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	add(&k, 4, true, 0);
	rest(&k);
	sim_start(k.w, 4);
	wait_ms(&k, 100);
	uint32_t w1 = sim_watch(k.w, &(struct watch_options){.range = {.key = BYTES("k")},
							     .shown = BYTES("k"),
							     .endpoints = {4},
							     .nendpoints = 1});
	rest(&k);
	assert_int_equal(k.w->notes.n, 1);
	assert_int_equal(k.w->notes.v[0].kind, NOTE_CREATED);
	put(&k, "k", "1", 0);
	wait_ms(&k, 1000);
	assert_int_equal(world_watch(k.w, w1)->nevents, 0);
	outcome(&k, promote(&k, 4, 0));
	wait_ms(&k, 200);
	put(&k, "k", "2", 0);
	rest(&k);
	assert_int_equal(world_watch(k.w, w1)->nevents, 1);
	assert_int_equal(k.w->notes.n, 2); /* created is told once */
	talk_end(&k);
}

/* M5 */
static void a_removed_follower_stops_after_a_second_and_never_comes_back(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	assert_string_equal(outcome(&k, take_out(&k, 3, 0)), "");
	assert_int_equal(last(&k, 1), 2);
	assert_int_equal(term(&k, 1), 1);
	assert_string_equal(conf(&k, 1, &b), "S1 S2");
	assert_int_equal(at(&k, 3)->condition, MEMBER_UP);
	wait_ms(&k, 999);
	assert_int_equal(at(&k, 3)->condition, MEMBER_UP);
	wait_ms(&k, 1);
	assert_int_equal(at(&k, 3)->condition, MEMBER_REMOVED);
	assert_true(told(&k, "1.000 S3 fault stops: removed\n"));
	uint64_t call = get(&k, "k", 3, false);
	wait_ms(&k, 5000);
	assert_string_equal(outcome(&k, call), "context deadline exceeded");
	sim_restart(k.w, 3);
	assert_int_equal(at(&k, 3)->condition, MEMBER_REMOVED);
	assert_string_equal(outcome(&k, take_out(&k, 3, 0)), "etcdserver: member not found");
	assert_int_equal(last(&k, 1), 3);
	assert_string_equal(outcome(&k, member(&k, REQ_MEMBER_REMOVE, 0x1234, 0)),
			    "etcdserver: member not found");
	assert_int_equal(last(&k, 1), 4);
	sim_kill(k.w, 2, KILL_PROCESS, KILL_NOW);
	call = put(&k, "k", "v2", 1);
	wait_ms(&k, 5000);
	assert_string_equal(outcome(&k, call), "context deadline exceeded");
	buf_free(&b);
	talk_end(&k);
}

static void who_was_down_when_it_was_removed_learns_it_from_those_that_turn_it_away(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	rest(&k);
	assert_string_equal(outcome(&k, take_out(&k, 3, 0)), "");
	sim_restart(k.w, 3);
	wait_ms(&k, 3000);
	assert_int_equal(at(&k, 3)->condition, MEMBER_REMOVED);
	assert_int_equal(term(&k, 1), 1);
	assert_int_equal(world_leader(k.w), 1);
	talk_end(&k);
}

static void a_healthy_majority_must_be_left(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	rest(&k);
	assert_string_equal(outcome(&k, take_out(&k, 2, 0)), "etcdserver: unhealthy cluster");
	assert_int_equal(last(&k, 1), 1);
	assert_string_equal(outcome(&k, take_out(&k, 3, 0)), "");
	talk_end(&k);

	k = TALK("members 1");
	assert_string_equal(
	    outcome(&k, take_out(&k, 1, 0)),
	    "etcdserver: re-configuration failed due to not enough started members");
	talk_end(&k);
}

/* M6 */
static void a_leader_that_removes_itself_answers_and_leaves_an_election_behind(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	assert_string_equal(outcome(&k, take_out(&k, 1, 1)), "");
	wait_ms(&k, 3000);
	assert_int_equal(at(&k, 1)->condition, MEMBER_REMOVED);
	assert_int_equal(world_leader(k.w), 2);
	assert_int_equal(term(&k, 2), 2);
	assert_int_equal(last(&k, 2), 3); /* the change, and the new leader's empty entry */
	assert_string_equal(conf(&k, 3, &b), "S2 S3");
	assert_string_equal(outcome(&k, put(&k, "k", "v2", 3)), "");
	buf_free(&b);
	talk_end(&k);
}

/* Storyboard 12 */
static void the_storyboard_of_the_learner(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	put(&k, "web-1", "v1", 0);
	rest(&k);
	assert_int_equal(last(&k, 1), 2);
	assert_int_equal(rev(&k, 1), 2);
	outcome(&k, add(&k, 4, true, 0));
	assert_int_equal(last(&k, 1), 3);
	assert_int_equal(rev(&k, 1), 2);
	assert_int_equal(world_quorum(k.w), 2);
	assert_string_equal(
	    outcome(&k, promote(&k, 4, 0)),
	    "etcdserver: can only promote a learner member which is in sync with leader");
	sim_start(k.w, 4);
	wait_ms(&k, 100);
	assert_int_equal(last(&k, 4), 3);
	assert_string_equal(outcome(&k, promote(&k, 4, 0)), "");
	assert_int_equal(last(&k, 1), 4);
	assert_int_equal(world_quorum(k.w), 3);
	assert_string_equal(outcome(&k, take_out(&k, 2, 0)), "");
	assert_int_equal(last(&k, 1), 5);
	assert_int_equal(world_quorum(k.w), 2);
	assert_string_equal(conf(&k, 4, &b), "S1 S3 S4");
	buf_free(&b);
	talk_end(&k);
}

static void an_added_member_may_need_the_snapshot(void **state)
{
	struct talk k = TALK("snapshot-count 3", "snapshot-catchup-entries 1");
	struct buf b = {0};

	(void)state;
	for (int i = 0; i < 8; i++) {
		put(&k, "k", "v", 0);
		rest(&k);
	}
	add(&k, 4, true, 0);
	rest(&k);
	sim_start(k.w, 4);
	wait_ms(&k, 200);
	assert_true(told(&k, "S4 apply 10 snapshot revision 9"));
	assert_string_equal(conf(&k, 4, &b), "S1 S2 S3 (S4)");
	assert_non_null(strstr(list(&k, 1, &b), "45d559f8148de837 S4"));
	assert_string_equal(outcome(&k, promote(&k, 4, 0)), "");
	assert_string_equal(conf(&k, 4, &b), "S1 S2 S3 S4");
	buf_free(&b);
	talk_end(&k);
}

static void an_id_depends_on_the_second_where_the_url_is_not_known(void **state)
{
	struct talk k = TALK(NULL);

	(void)state;
	struct request req = {.kind = REQ_MEMBER_ADD,
			      .member = {.name = "node-4", .peer_url = "http://10.10.0.4:2380"}};
	const struct response *r = answer(&k, ask(&k, req, 0));
	/* As sha1sum gives it for "http://10.10.0.4:23801767225600". */
	assert_true(r->member_list.added->id == 0xbb307b29d1459ee3);
	assert_int_equal(world_member_named(k.w, BYTES("node-4")), 4);
	assert_int_equal(world_member_named(k.w, BYTES("S4")), 4);
	assert_int_equal(world_member_with_id(k.w, r->member_list.added->id), 4);
	talk_end(&k);
}

/* The number of a removed member can be used again, under another id. */
static void a_member_that_was_removed_can_be_replaced(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	put(&k, "k", "v", 0);
	rest(&k);
	uint64_t old = id(&k, 3);
	outcome(&k, take_out(&k, 3, 0));
	wait_ms(&k, 1000);
	assert_string_equal(outcome(&k, add(&k, 3, false, 0)), "");
	assert_int_equal(k.w->nmembers, 3);
	assert_true(id(&k, 3) != old);
	assert_int_equal(at(&k, 3)->condition, MEMBER_UNSTARTED);
	sim_start(k.w, 3);
	wait_ms(&k, 200);
	assert_string_equal(value(&k, 3, "k", &b), "v");
	assert_string_equal(conf(&k, 3, &b), "S1 S2 S3");
	buf_free(&b);
	talk_end(&k);
}

static void changes_survive_restarts(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	outcome(&k, add(&k, 4, true, 0));
	sim_start(k.w, 4);
	wait_ms(&k, 100);
	outcome(&k, promote(&k, 4, 0));
	outcome(&k, take_out(&k, 2, 0));
	wait_ms(&k, 1500);
	for (unsigned n = 1; n <= 4; n++)
		sim_kill(k.w, n, KILL_PROCESS, KILL_NOW);
	for (unsigned n = 1; n <= 4; n++)
		sim_restart(k.w, n);
	wait_ms(&k, 3000);
	assert_int_equal(world_leader(k.w), 3);
	assert_string_equal(conf(&k, 1, &b), "S1 S3 S4");
	assert_string_equal(conf(&k, 4, &b), "S1 S3 S4");
	assert_string_equal(outcome(&k, put(&k, "k", "v", 4)), "");
	buf_free(&b);
	talk_end(&k);
}

/* etcd: raft.go; a follower that commits a change sends nothing before it has applied it. */
static void a_follower_applies_a_change_before_it_answers(void **state)
{
	struct talk k = TALK(NULL);
	struct buf b = {0};

	(void)state;
	add(&k, 4, true, 0);
	rest(&k);
	const char *all = story(&k, &b, -1);
	const char *applied = strstr(all, "S2 apply 2 member add S4 learner revision stays 1");
	const char *heard = strstr(all, "S2 recv MsgApp prev 2/t1 commit 2");
	assert_non_null(applied);
	assert_non_null(heard);
	const char *answered = strstr(heard, "S2 send MsgAppResp 2");
	assert_non_null(answered);
	assert_true(heard < applied && applied < answered);
	buf_free(&b);
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_added_member_is_in_the_list_at_once_and_serves_when_it_has_started),
	    cmocka_unit_test(nobody_is_added_before_all_voters_have_been_connected_for_5_seconds),
	    cmocka_unit_test(a_restarted_member_or_a_long_cut_counts_as_unhealthy_for_5_seconds),
	    cmocka_unit_test(a_voter_that_has_not_started_blocks_further_changes),
	    cmocka_unit_test(a_peer_url_in_use_is_refused_when_it_is_applied_and_takes_an_index),
	    cmocka_unit_test(a_learner_counts_for_nothing_until_it_is_promoted),
	    cmocka_unit_test(a_learner_answers_only_what_asks_nobody),
	    cmocka_unit_test(a_watch_at_a_learner_shows_nothing_until_it_is_promoted),
	    cmocka_unit_test(a_removed_follower_stops_after_a_second_and_never_comes_back),
	    cmocka_unit_test(
		who_was_down_when_it_was_removed_learns_it_from_those_that_turn_it_away),
	    cmocka_unit_test(a_healthy_majority_must_be_left),
	    cmocka_unit_test(a_leader_that_removes_itself_answers_and_leaves_an_election_behind),
	    cmocka_unit_test(the_storyboard_of_the_learner),
	    cmocka_unit_test(an_added_member_may_need_the_snapshot),
	    cmocka_unit_test(an_id_depends_on_the_second_where_the_url_is_not_known),
	    cmocka_unit_test(a_member_that_was_removed_can_be_replaced),
	    cmocka_unit_test(changes_survive_restarts),
	    cmocka_unit_test(a_follower_applies_a_change_before_it_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
