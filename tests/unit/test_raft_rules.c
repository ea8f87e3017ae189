/* Rules of Raft that no conversation between members shows by itself: one member, messages by hand
 * (etcd-io/raft: raft_test.go, raft_snap_test.go). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "raft/confchange.h"
#include "raft/raft.h"

struct one {
	struct heap *heap;
	struct storage storage;
	struct raft *raft;
	struct ready ready;
};

/* Member 1 of voters 1 .. n, with entries 1 .. last of term 1, of which `commit` are committed. */
static void begin(struct one *o, uint8_t n, uint64_t last, uint64_t commit, bool pre_vote)
{
	o->heap = heap_new();
	storage_init(&o->storage);
	for (uint64_t i = 1; i <= last; i++) {
		struct entry *e = heap_alloc(o->heap, sizeof *e);
		const struct entry *as_const = e;

		*e = (struct entry){.term = 1, .index = i};
		storage_append(&o->storage, o->heap, &as_const, 1);
	}
	o->storage.hard_state = (struct hard_state){.term = 1, .commit = commit};
	for (uint8_t i = 1; i <= n; i++)
		o->storage.snapshot.conf.voters[o->storage.snapshot.conf.nvoters++] = i;
	o->raft = raft_new(&(struct raft_config){.id = 1,
						 .election_tick = 10,
						 .heartbeat_tick = 1,
						 .fixed_election_timeout = 10,
						 .max_size_per_msg = UINT64_MAX,
						 .max_inflight_msgs = 256,
						 .check_quorum = true,
						 .pre_vote = pre_vote,
						 .applied = commit},
			   &o->storage, o->heap, (struct raft_logger){.level = LOG_NONE});
}

static void end(struct one *o)
{
	raft_free(o->raft);
	heap_free(o->heap);
}

/* Everything that is ready is done; the messages of the last Ready that had some are kept. */
static void work(struct one *o, struct message *last, size_t *n)
{
	*n = 0;
	while (raft_has_ready(o->raft)) {
		raft_ready(o->raft, &o->ready);
		if (o->ready.has_hard_state)
			o->storage.hard_state = o->ready.hard_state;
		if (o->ready.snapshot)
			storage_apply_snapshot(&o->storage, o->ready.snapshot);
		storage_append(&o->storage, o->heap, o->ready.entries, o->ready.nentries);
		for (size_t i = 0; i < o->ready.nmessages && i < 16; i++)
			last[i] = o->ready.messages[i];
		if (o->ready.nmessages)
			*n = o->ready.nmessages;
		raft_advance(o->raft);
	}
}

static struct message answer_to(struct one *o, struct message m)
{
	struct message list[16];
	size_t n;

	raft_step(o->raft, &m);
	work(o, list, &n);
	assert_int_equal(n, 1);
	return list[0];
}

static void lead(struct one *o)
{
	struct message list[16];
	size_t n;

	raft_campaign(o->raft);
	work(o, list, &n);
	raft_step(o->raft,
		  &(struct message){
		      .type = MSG_VOTE_RESP, .from = 2, .to = 1, .term = raft_term(o->raft)});
	work(o, list, &n);
	assert_int_equal(raft_role(o->raft), STATE_LEADER);
}

/* Raft paper, figure 2: "if votedFor is null or candidateId, grant vote". */
static void a_candidate_that_asks_again_gets_its_vote_again(void **state)
{
	struct message ask = {
	    .type = MSG_VOTE, .from = 2, .to = 1, .term = 2, .index = 3, .log_term = 1};
	struct one o;

	(void)state;
	begin(&o, 3, 3, 3, false);
	for (int i = 0; i < 2; i++) {
		struct message m = answer_to(&o, ask);
		assert_int_equal(m.type, MSG_VOTE_RESP);
		assert_int_equal(m.to, 2);
		assert_false(m.reject);
	}
	ask.from = 3;
	assert_true(answer_to(&o, ask).reject);
	end(&o);
}

/* Not answering could stall a group in which some members ask for pre-votes and some do not. */
static void a_pre_vote_of_an_old_term_is_refused_in_the_own_term(void **state)
{
	struct message old = {
	    .type = MSG_PRE_VOTE, .from = 2, .to = 1, .term = 2, .index = 3, .log_term = 1};
	struct message list[16];
	struct one o;
	size_t n;

	(void)state;
	begin(&o, 3, 3, 3, true);
	raft_step(o.raft, &(struct message){.type = MSG_HEARTBEAT, .from = 3, .to = 1, .term = 5});
	work(&o, list, &n);
	struct message m = answer_to(&o, old);
	assert_int_equal(m.type, MSG_PRE_VOTE_RESP);
	assert_true(m.reject);
	assert_int_equal(m.term, 5);
	end(&o);
}

static struct snapshot *snapshot_of(struct one *o, uint64_t index, uint8_t nvoters)
{
	struct snapshot *s = heap_alloc(o->heap, sizeof *s);

	*s = (struct snapshot){.index = index, .term = 1};
	for (uint8_t i = 0; i < nvoters; i++)
		s->conf.voters[s->conf.nvoters++] = (uint64_t)(4 - nvoters + i);
	return s;
}

static struct message send_snapshot(struct one *o, uint64_t index, uint8_t nvoters)
{
	return answer_to(o, (struct message){.type = MSG_SNAP,
					     .from = 2,
					     .to = 1,
					     .term = 1,
					     .snapshot = snapshot_of(o, index, nvoters)});
}

static void a_snapshot_within_the_log_only_moves_the_commit_index(void **state)
{
	struct one o;

	(void)state;
	begin(&o, 3, 5, 2, false);
	struct message m = send_snapshot(&o, 3, 3);
	assert_int_equal(m.type, MSG_APP_RESP);
	assert_int_equal(m.index, 3);
	assert_int_equal(raft_commit(o.raft), 3);
	assert_int_equal(raft_first_index(o.raft), 1);
	assert_int_equal(raft_last_index(o.raft), 5);
	end(&o);
}

static void a_snapshot_without_the_member_is_not_taken(void **state)
{
	struct one o;

	(void)state;
	begin(&o, 3, 2, 2, false);
	struct message m = send_snapshot(&o, 9, 2); /* of voters 2 and 3 */
	assert_int_equal(m.index, 2);
	assert_int_equal(raft_commit(o.raft), 2);
	assert_int_equal(raft_last_index(o.raft), 2);
	assert_int_equal(raft_conf(o.raft)->nvoters, 3);
	end(&o);
}

/* Raft's log begins behind a snapshot that the leader has taken; what 2 acknowledges is before it.
 */
static void an_answer_from_before_the_log_does_not_end_a_snapshot(void **state)
{
	struct message list[16];
	struct one o;
	size_t n;

	(void)state;
	begin(&o, 3, 9, 9, false);
	storage_compact(&o.storage, 8);
	o.storage.to_send = *snapshot_of(&o, 8, 3);
	lead(&o);
	uint64_t term = raft_term(o.raft);
	/* 2 has nothing: it needs the snapshot. */
	raft_step(o.raft,
		  &(struct message){.type = MSG_HEARTBEAT_RESP, .from = 2, .to = 1, .term = term});
	work(&o, list, &n);
	raft_step(o.raft, &(struct message){.type = MSG_APP_RESP,
					    .from = 2,
					    .to = 1,
					    .term = term,
					    .index = 9,
					    .reject = true});
	work(&o, list, &n);
	assert_int_equal(raft_progress(o.raft, 1).state, PROGRESS_SNAPSHOT);
	raft_step(o.raft, &(struct message){
			      .type = MSG_APP_RESP, .from = 2, .to = 1, .term = term, .index = 5});
	work(&o, list, &n);
	assert_int_equal(n, 0); /* it is not sent again either */
	assert_int_equal(raft_progress(o.raft, 1).match, 5);
	assert_int_equal(raft_progress(o.raft, 1).state, PROGRESS_SNAPSHOT);
	/* With entry 8 the log goes on. */
	raft_step(o.raft, &(struct message){
			      .type = MSG_APP_RESP, .from = 2, .to = 1, .term = term, .index = 8});
	work(&o, list, &n);
	assert_int_equal(raft_progress(o.raft, 1).state, PROGRESS_REPLICATE);
	end(&o);
}

/* Of two members one acknowledges nothing; when it is removed the other is a majority. */
static void removing_a_member_may_commit_without_another_answer(void **state)
{
	struct conf_change remove = {.changes = {{CONF_CHANGE_REMOVE_NODE, 2}}, .nchanges = 1};
	struct message list[16];
	struct one o;
	size_t n;

	(void)state;
	begin(&o, 2, 3, 3, false);
	lead(&o);
	raft_propose(o.raft, &(struct entry){.has_data = true});
	work(&o, list, &n);
	assert_int_equal(raft_last_index(o.raft), 5);
	assert_int_equal(raft_commit(o.raft), 3);
	raft_apply_conf_change(o.raft, &remove);
	assert_int_equal(raft_commit(o.raft), 5);
	end(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_candidate_that_asks_again_gets_its_vote_again),
	    cmocka_unit_test(a_pre_vote_of_an_old_term_is_refused_in_the_own_term),
	    cmocka_unit_test(a_snapshot_within_the_log_only_moves_the_commit_index),
	    cmocka_unit_test(a_snapshot_without_the_member_is_not_taken),
	    cmocka_unit_test(an_answer_from_before_the_log_does_not_end_a_snapshot),
	    cmocka_unit_test(removing_a_member_may_commit_without_another_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
