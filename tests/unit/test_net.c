/* Links that are slow, lossy and worse: between members, and between clients and members. */
#include "talk.h"

#include <string.h>

static void link_set(struct talk *k, unsigned from, unsigned to, bool oneway, struct link l)
{
	sim_set_link(k->w, &(struct link_change){.from = (uint8_t)from,
						 .to = (uint8_t)to,
						 .oneway = oneway,
						 .fields = LINK_ALL,
						 .link = l});
}

#define DELAY(ms) ((struct link){.delay_ms = (ms), .delay_max_ms = (ms)})
#define LOSS(n) ((struct link){.loss = (n)})

static int64_t took(struct talk *k, uint64_t call)
{
	const struct call *c = world_call(k->w, call);

	assert_int_equal(c->state, CALL_DONE);
	return c->end_ms - c->start_ms;
}

static uint32_t watch_all(struct talk *k, unsigned pinned)
{
	uint32_t n =
	    sim_watch(k->w, &(struct watch_options){.range = {.key = BYTES("a"), .end = BYTES("z")},
						    .shown = BYTES("a"),
						    .endpoints = {(uint8_t)pinned},
						    .nendpoints = pinned ? 1 : 0});
	rest(k);
	return n;
}

/* ---- between members ---- */

static void an_answer_takes_the_way_to_the_nearer_follower_and_back(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	link_set(&k, 1, 2, false, DELAY(50));
	link_set(&k, 1, 3, true, DELAY(20));
	uint64_t c = put(&k, "a", "1", 0);
	wait_ms(&k, 19);
	assert_string_equal(outcome(&k, c), "...");
	wait_ms(&k, 1); /* back it takes no time */
	assert_string_equal(outcome(&k, c), "");
	assert_int_equal(took(&k, c), 20);
	assert_int_equal(rev(&k, 2), 1);
	wait_ms(&k, 30);
	assert_int_equal(last(&k, 2), 2);
	talk_end(&k);
}

/* The indexes of the MsgApp with entries that a member has received. */
static size_t received(const struct talk *k, unsigned to, uint64_t *out, size_t most)
{
	size_t n = 0;

	for (uint64_t i = k->t->first; i < k->t->end; i++) {
		const struct trace_record *r = trace_get(k->t, i);
		if (r->kind == TRACE_RECV && r->member == to && r->msg.type == MSG_APP &&
		    r->msg.first <= r->msg.last && n < most)
			out[n++] = r->msg.first;
	}
	return n;
}

static void put_one_every(struct talk *k, int n, int64_t ms)
{
	for (int i = 0; i < n; i++) {
		put(k, "a", "1", 0);
		wait_ms(k, ms);
	}
	wait_ms(k, 1000);
}

static bool is_rising(const uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i] <= v[i - 1])
			return false;
	return true;
}

static void without_reorder_nothing_overtakes(void **state)
{
	struct talk k = TALK("seed 3");
	uint64_t got[64];

	(void)state;
	link_set(&k, 1, 2, false, (struct link){.delay_ms = 1, .delay_max_ms = 90});
	put_one_every(&k, 30, 7);
	assert_int_equal(received(&k, 2, got, 64), 30);
	assert_true(is_rising(got, 30));
	talk_end(&k);
}

static void with_reorder_some_do_and_all_ends_well(void **state)
{
	struct talk k = TALK("seed 3");
	uint64_t got[64];

	(void)state;
	link_set(&k, 1, 2, false, (struct link){.delay_ms = 1, .delay_max_ms = 90, .reorder = 40});
	put_one_every(&k, 30, 7);
	size_t n = received(&k, 2, got, 64);
	assert_true(n >= 30);
	assert_false(is_rising(got, n));
	assert_int_equal(rev(&k, 2), 31);
	talk_end(&k);
}

static void copies_change_nothing(void **state)
{
	struct talk k = TALK("seed 1");
	uint64_t got[16];

	(void)state;
	link_set(&k, LINK_MEMBERS, LINK_MEMBERS, false, (struct link){.duplicate = 100});
	assert_string_equal(outcome(&k, put(&k, "a", "1", 0)), "");
	assert_string_equal(outcome(&k, put(&k, "a", "2", 2)), ""); /* forwarded, but once */
	assert_int_equal(rev(&k, 1), 3);
	assert_int_equal(last(&k, 1), 3);
	assert_int_equal(rev(&k, 3), 3);
	assert_int_equal(received(&k, 3, got, 16), 4);
	talk_end(&k);
}

static void what_is_lost_is_sent_again(void **state)
{
	struct talk k = TALK("seed 9");

	(void)state;
	link_set(&k, LINK_MEMBERS, LINK_MEMBERS, false, LOSS(30));
	put_one_every(&k, 30, 20);
	assert_true(told(&k, "lost MsgApp"));
	link_set(&k, LINK_MEMBERS, LINK_MEMBERS, false, (struct link){0});
	wait_ms(&k, 2000);
	for (unsigned i = 1; i <= 3; i++)
		assert_int_equal(rev(&k, i), rev(&k, world_leader(k.w)));
	talk_end(&k);
}

static void what_was_sent_arrives_though_its_sender_has_died(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	link_set(&k, LINK_MEMBERS, LINK_MEMBERS, false, DELAY(50));
	put(&k, "a", "1", 0);
	wait_ms(&k, 10);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	wait_ms(&k, 40);
	assert_int_equal(last(&k, 2), 2);
	assert_int_equal(last(&k, 3), 2);
	talk_end(&k);
}

static void a_cut_loses_what_is_under_way(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	link_set(&k, LINK_MEMBERS, LINK_MEMBERS, false, DELAY(50));
	put(&k, "a", "1", 0);
	wait_ms(&k, 10);
	sim_cut(k.w, 1, 2, false);
	wait_ms(&k, 40);
	assert_int_equal(last(&k, 2), 1);
	assert_int_equal(last(&k, 3), 2);
	talk_end(&k);
}

static void heal_leaves_delays_alone(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	link_set(&k, LINK_MEMBERS, LINK_MEMBERS, false, DELAY(50));
	sim_cut(k.w, 1, 2, false);
	sim_heal(k.w);
	uint64_t c = put(&k, "a", "1", 0);
	wait_ms(&k, 200);
	assert_int_equal(took(&k, c), 100);
	talk_end(&k);
}

static void keep_alives_at_a_follower_go_there_and_back(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	answer(&k, ask(&k, (struct request){.kind = REQ_LEASE_GRANT, .grant = {.id = 7, .ttl = 60}},
		       0));
	link_set(&k, 1, 2, false, DELAY(30));
	uint64_t c =
	    ask(&k, (struct request){.kind = REQ_LEASE_KEEP_ALIVE, .keep_alive = {.id = 7}}, 2);
	wait_ms(&k, 59);
	assert_string_equal(outcome(&k, c), "...");
	wait_ms(&k, 1);
	assert_string_equal(outcome(&k, c), "");
	assert_int_equal(world_call(k.w, c)->response->keep_alive.ttl, 60);
	/* What is lost is sent again at a tick. */
	link_set(&k, 1, 2, true, LOSS(100));
	c = ask(&k, (struct request){.kind = REQ_LEASE_KEEP_ALIVE, .keep_alive = {.id = 7}}, 2);
	wait_ms(&k, 300);
	assert_string_equal(outcome(&k, c), "...");
	link_set(&k, 1, 2, true, (struct link){0});
	wait_ms(&k, 200);
	assert_string_equal(outcome(&k, c), "");
	talk_end(&k);
}

static void a_snapshot_takes_its_time_too(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 0");
	uint8_t groups[MEMBERS_MAX] = {0, 0, 1};

	(void)state;
	sim_partition(k.w, groups);
	put_one_every(&k, 12, 10);
	sim_heal(k.w);
	link_set(&k, 1, 3, false,
		 (struct link){.delay_ms = 40, .delay_max_ms = 40, .duplicate = 100});
	wait_ms(&k, 1000);
	assert_true(told(&k, "recv MsgSnap"));
	assert_int_equal(rev(&k, 3), rev(&k, 1));
	assert_int_equal(world_member(k.w, 1)->reports.n, 0);
	talk_end(&k);
}

/* ---- between clients and members ---- */

static void a_clients_request_goes_there_and_back(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	link_set(&k, LINK_CLIENT, LINK_MEMBERS, false, DELAY(10));
	uint64_t c = put(&k, "a", "1", 0);
	wait_ms(&k, 9);
	assert_int_equal(rev(&k, 1), 1);
	wait_ms(&k, 1);
	assert_int_equal(rev(&k, 1), 2);
	wait_ms(&k, 10);
	assert_int_equal(took(&k, c), 20);
	talk_end(&k);
}

static void a_lost_request_is_never_done_and_a_lost_reply_is_unknown(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	link_set(&k, LINK_CLIENT, 1, true, LOSS(100));
	uint64_t c = put(&k, "a", "1", 0);
	wait_ms(&k, 5000);
	assert_string_equal(outcome(&k, c), "context deadline exceeded");
	assert_int_equal(rev(&k, 1), 1);
	assert_true(told(&k, "S1 fault request r1 lost"));
	link_set(&k, LINK_CLIENT, 1, true, (struct link){0});
	link_set(&k, 1, LINK_CLIENT, true, LOSS(100));
	c = put(&k, "a", "1", 0);
	rest(&k);
	assert_int_equal(rev(&k, 1), 2);
	wait_ms(&k, 5000);
	assert_string_equal(outcome(&k, c), "context deadline exceeded");
	assert_true(told(&k, "S1 fault reply r2 lost"));
	talk_end(&k);
}

static void a_write_that_has_left_is_done_though_its_client_gave_up(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	link_set(&k, LINK_CLIENT, LINK_MEMBERS, false, DELAY(6000));
	uint64_t c = put(&k, "a", "1", 0);
	wait_ms(&k, 5000);
	assert_string_equal(outcome(&k, c), "context deadline exceeded");
	assert_int_equal(rev(&k, 1), 1);
	wait_ms(&k, 1000);
	assert_int_equal(rev(&k, 1), 2);
	talk_end(&k);
}

/* Where the client has no limit of its own its connection is given up after 16 s of silence. */
static void silence_is_noticed(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	sim_cut(k.w, LINK_CLIENT, 1, false);
	uint64_t write = ask_for(&k, (struct request){.kind = REQ_PUT, .put = {.key = BYTES("a")}},
				 1, INT64_MAX);
	uint64_t read = ask_for(
	    &k, (struct request){.kind = REQ_RANGE, .range = {.range = {.key = BYTES("a")}}}, 0,
	    INT64_MAX);
	wait_ms(&k, 15999);
	assert_string_equal(outcome(&k, write), "...");
	assert_string_equal(outcome(&k, read), "...");
	wait_ms(&k, 1);
	assert_string_equal(outcome(&k, write),
			    "rpc error: code = Unavailable desc = transport is closing");
	assert_string_equal(outcome(&k, read), ""); /* at another member */
	assert_int_equal(world_call(k.w, read)->at, 2);
	talk_end(&k);
}

static void a_reply_on_its_way_comes_though_its_member_has_died(void **state)
{
	struct talk k = TALK("seed 1");

	(void)state;
	link_set(&k, LINK_CLIENT, 1, false, DELAY(10));
	uint64_t c = put(&k, "a", "1", 0);
	wait_ms(&k, 15);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	wait_ms(&k, 5);
	assert_string_equal(outcome(&k, c), "");
	talk_end(&k);
}

static void a_watcher_misses_nothing(void **state)
{
	struct talk k = TALK("seed 5");
	uint32_t n = watch_all(&k, 0);
	int64_t want = 2;

	(void)state;
	link_set(&k, LINK_CLIENT, LINK_MEMBERS, false,
		 (struct link){.delay_ms = 5, .delay_max_ms = 60, .loss = 40});
	for (int i = 0; i < 40; i++) {
		link_set(&k, LINK_CLIENT, LINK_MEMBERS, true, (struct link){0});
		put(&k, "a", "1", 0);
		wait_ms(&k, 30);
	}
	wait_ms(&k, 20000);
	assert_true(told(&k, "fault connection of w1 broken"));
	assert_int_equal(world_watch(k.w, n)->seen, rev(&k, 1));
	for (size_t i = 0; i < k.w->notes.n; i++)
		if (k.w->notes.v[i].kind == NOTE_EVENT)
			assert_int_equal(k.w->notes.v[i].event.row->main, want++);
	assert_int_equal(want, rev(&k, 1) + 1);
	talk_end(&k);
}

static void a_watcher_of_a_member_that_is_out_of_reach(void **state)
{
	struct talk k = TALK("seed 1");
	uint32_t free_one = watch_all(&k, 0), bound = watch_all(&k, 1);

	(void)state;
	sim_cut(k.w, LINK_CLIENT, 1, false);
	assert_string_equal(outcome(&k, put(&k, "a", "1", 2)), "");
	assert_int_equal(world_watch(k.w, free_one)->seen, 1);
	wait_ms(&k, 16000); /* then the silence is noticed */
	assert_int_equal(world_watch(k.w, free_one)->seen, 2);
	assert_int_equal(world_watch(k.w, free_one)->at, 2);
	assert_int_equal(world_watch(k.w, bound)->seen, 1);
	sim_heal(k.w);
	rest(&k);
	assert_int_equal(world_watch(k.w, bound)->seen, 2);
	talk_end(&k);
}

static void a_short_cut_breaks_no_stream(void **state)
{
	struct talk k = TALK("seed 1");
	uint32_t n = watch_all(&k, 1);

	(void)state;
	uint64_t stream = world_watch(k.w, n)->stream;
	sim_cut(k.w, LINK_CLIENT, 1, false);
	wait_ms(&k, 1000);
	sim_heal(k.w);
	put(&k, "a", "1", 1);
	wait_ms(&k, 10000);
	assert_int_equal(world_watch(k.w, n)->seen, 2);
	assert_int_equal(world_watch(k.w, n)->stream, stream);
	talk_end(&k);
}

/* ---- worlds as values ---- */

static void where_nothing_is_set_nothing_is_drawn(void **state)
{
	struct talk k = TALK("seed 7");

	(void)state;
	put_one_every(&k, 3, 10);
	link_set(&k, 1, 2, false, DELAY(10));
	put_one_every(&k, 3, 10);
	assert_int_equal(k.w->prng.state, 7);
	link_set(&k, 1, 2, false, LOSS(1));
	put_one_every(&k, 1, 10);
	assert_int_not_equal(k.w->prng.state, 7);
	talk_end(&k);
}

static void a_copy_made_in_the_middle_goes_on_alike(void **state)
{
	struct talk k = TALK("seed 11");

	(void)state;
	watch_all(&k, 0);
	link_set(
	    &k, LINK_MEMBERS, LINK_MEMBERS, false,
	    (struct link){
		.delay_ms = 5, .delay_max_ms = 60, .loss = 10, .duplicate = 10, .reorder = 10});
	link_set(&k, LINK_CLIENT, LINK_MEMBERS, false,
		 (struct link){.delay_ms = 5, .delay_max_ms = 60, .loss = 10});
	for (int round = 0; round < 20; round++) {
		put(&k, "a", "1", 1 + (unsigned)round % 3);
		wait_ms(&k, 17);
		k.w->trace = NULL; /* the copy has none either */
		struct world *c = world_copy(k.w);
		assert_int_equal(world_hash(c), world_hash(k.w));
		for (int i = 0; i < 200; i++) {
			if (!sim_step(k.w))
				sim_advance(k.w, sim_next_ms(k.w));
			if (!sim_step(c))
				sim_advance(c, sim_next_ms(c));
			assert_int_equal(world_hash(c), world_hash(k.w));
		}
		world_free(c);
	}
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_takes_the_way_to_the_nearer_follower_and_back),
	    cmocka_unit_test(without_reorder_nothing_overtakes),
	    cmocka_unit_test(with_reorder_some_do_and_all_ends_well),
	    cmocka_unit_test(copies_change_nothing),
	    cmocka_unit_test(what_is_lost_is_sent_again),
	    cmocka_unit_test(what_was_sent_arrives_though_its_sender_has_died),
	    cmocka_unit_test(a_cut_loses_what_is_under_way),
	    cmocka_unit_test(heal_leaves_delays_alone),
	    cmocka_unit_test(keep_alives_at_a_follower_go_there_and_back),
	    cmocka_unit_test(a_snapshot_takes_its_time_too),
	    cmocka_unit_test(a_clients_request_goes_there_and_back),
	    cmocka_unit_test(a_lost_request_is_never_done_and_a_lost_reply_is_unknown),
	    cmocka_unit_test(a_write_that_has_left_is_done_though_its_client_gave_up),
	    cmocka_unit_test(silence_is_noticed),
	    cmocka_unit_test(a_reply_on_its_way_comes_though_its_member_has_died),
	    cmocka_unit_test(a_watcher_misses_nothing),
	    cmocka_unit_test(a_watcher_of_a_member_that_is_out_of_reach),
	    cmocka_unit_test(a_short_cut_breaks_no_stream),
	    cmocka_unit_test(where_nothing_is_set_nothing_is_drawn),
	    cmocka_unit_test(a_copy_made_in_the_middle_goes_on_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
