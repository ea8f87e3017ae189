/* Processes that stand still, and clocks that run wrong. */
#include "talk.h"

#include <string.h>

static size_t waiting(const struct talk *k, unsigned from, unsigned to)
{
	size_t n = 0;

	for (size_t i = k->w->net_head; i < k->w->net.n; i++)
		n += k->w->net.v[i].from == from && k->w->net.v[i].to == to;
	return n;
}

static void it_goes_on_with_what_it_was_doing(void **state)
{
	struct talk k = TALK("members 3");
	struct buf b = {0};

	(void)state;
	put(&k, "a", "1", 1);
	while (!told(&k, "S1 append 2"))
		assert_true(sim_step(k.w));
	sim_pause_member(k.w, 1);
	rest(&k);
	assert_false(told(&k, "S1 fsync"));
	assert_int_equal(k.w->aside.n, 1);
	story(&k, &b, -1);
	sim_resume_member(k.w, 1);
	assert_int_equal(k.w->aside.n, 0);
	rest(&k);
	assert_true(told(&k, "S1 fsync 2"));
	assert_int_equal(rev(&k, 3), 2);
	buf_free(&b);
	talk_end(&k);
}

/* A request that arrives while it stands still comes after its own work and before messages. */
static void requests_wait_too(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	sim_pause_member(k.w, 2);
	put(&k, "a", "1", 1);
	rest(&k);
	uint64_t read = get(&k, "a", 2, true);
	rest(&k);
	assert_string_equal(outcome(&k, read), "...");
	sim_resume_member(k.w, 2);
	while (world_call(k.w, read)->state == CALL_OPEN)
		assert_true(sim_step(k.w));
	assert_int_equal(world_call(k.w, read)->response->range.n, 0); /* it is not there yet */
	rest(&k);
	assert_int_equal(rev(&k, 2), 2);
	talk_end(&k);
}

static void killed_while_it_stands_still_it_forgets(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	put(&k, "a", "1", 1);
	assert_true(sim_step(k.w));
	sim_pause_member(k.w, 1);
	assert_true(k.w->aside.n > 0);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	rest(&k);
	assert_int_equal(k.w->aside.n, 0);
	assert_int_equal(k.w->npaused, 0);
	sim_restart(k.w, 1);
	wait_ms(&k, 3000);
	assert_int_equal(rev(&k, 1), 1);
	talk_end(&k);
}

/* etcd keeps 4096 messages for a peer's stream; then it drops them and tells raft. */
static void senders_keep_so_many_messages(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	sim_pause_member(k.w, 3);
	wait_ms(&k, 409600);
	assert_int_equal(waiting(&k, 1, 3), 4096);
	for (size_t i = 0; i < raft_nprogress(at(&k, 1)->raft); i++) {
		struct progress_view p = raft_progress(at(&k, 1)->raft, i);
		if (p.id == at(&k, 3)->id)
			assert_int_equal(p.state, PROGRESS_REPLICATE);
	}
	wait_ms(&k, 1000);
	assert_int_equal(waiting(&k, 1, 3), 4096);
	for (size_t i = 0; i < raft_nprogress(at(&k, 1)->raft); i++) {
		struct progress_view p = raft_progress(at(&k, 1)->raft, i);
		if (p.id == at(&k, 3)->id)
			assert_int_equal(p.state, PROGRESS_PROBE);
	}
	put(&k, "a", "1", 1);
	rest(&k);
	sim_resume_member(k.w, 3);
	wait_ms(&k, 500);
	assert_int_equal(rev(&k, 3), 2);
	assert_int_equal(term(&k, 3), 1);
	talk_end(&k);
}

static void clocks_and_the_world_agree(void **state)
{
	static const int64_t rates[] = {100000, 333333, 950000, CLOCK_RIGHT, 1100000, 10000000};
	struct clock c = {0};
	int64_t now = 0, before = 0;

	(void)state;
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		clock_set_rate(&c, now, rates[i]);
		assert_int_equal(clock_own_ms(&c, now), before); /* it does not jump */
		for (int64_t own = before; own < before + 3000; own += 7) {
			int64_t first = clock_world_ms(&c, own);
			assert_true(clock_own_ms(&c, first) >= own);
			assert_true(first == now || clock_own_ms(&c, first - 1) < own);
		}
		now += 100000;
		before = clock_own_ms(&c, now);
	}
	/* 10 s at a tenth, and so on */
	assert_int_equal(before, 10000 + 33333 + 95000 + 100000 + 110000 + 1000000);
	clock_set_rate(&c, now, 10000000);
	assert_int_equal(clock_own_ms(&c, now + INT64_C(31536000000)) - before,
			 INT64_C(315360000000)); /* a year */
}

static int ticks(const struct talk *k, unsigned member)
{
	int n = 0;

	for (uint64_t i = k->t->first; i < k->t->end; i++) {
		const struct trace_record *r = trace_get(k->t, i);
		n += r->kind == TRACE_TICK && r->member == member;
	}
	return n;
}

static void members_tick_by_their_clocks(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	k.t->level = TRACE_ALL;
	sim_skew(k.w, 2, 1100000);
	sim_skew(k.w, 3, 500000);
	wait_ms(&k, 1000);
	assert_int_equal(ticks(&k, 1), 10);
	assert_int_equal(ticks(&k, 2), 11);
	assert_int_equal(ticks(&k, 3), 5);
	/* Half a tick of S3 has passed; the rest goes on at the new rate. */
	wait_ms(&k, 100);
	assert_int_equal(ticks(&k, 3), 5);
	sim_skew(k.w, 3, 2000000);
	wait_ms(&k, 24);
	assert_int_equal(ticks(&k, 3), 5);
	wait_ms(&k, 1);
	assert_int_equal(ticks(&k, 3), 6);
	/* What a member that stands still misses is not made up for. */
	sim_pause_member(k.w, 3);
	wait_ms(&k, 1000);
	sim_resume_member(k.w, 3);
	assert_int_equal(ticks(&k, 3), 6);
	wait_ms(&k, 100);
	assert_int_equal(ticks(&k, 3), 8);
	sim_skew(k.w, 2, CLOCK_RIGHT);
	sim_skew(k.w, 3, CLOCK_RIGHT);
	assert_int_equal(k.w->nskewed, 0);
	talk_end(&k);
}

/* ---- time travel ---- */

static void call(struct world *w, struct request r, unsigned endpoint)
{
	struct request *q = heap_alloc(w->heap, sizeof *q);

	*q = r;
	sim_call(w, q,
		 &(struct call_options){.timeout_ms = 5000,
					.endpoints = {(uint8_t)endpoint},
					.nendpoints = endpoint ? 1 : 0});
}

static void act(struct world *w, int64_t tenth)
{
	switch (tenth) {
	case 1:
		call(w, (struct request){.kind = REQ_LEASE_GRANT, .grant = {.id = 7, .ttl = 2}}, 0);
		sim_watch(
		    w, &(struct watch_options){.range = {.key = BYTES("a")}, .shown = BYTES("a")});
		break;
	case 5:
		sim_skew(w, 1, 1300000);
		sim_skew(w, 2, 700000);
		break;
	case 10:
		sim_pause_member(w, 1);
		break;
	case 45:
		sim_resume_member(w, 1);
		break;
	case 50:
		sim_pause_member(w, 2);
		sim_skew(w, 3, 2000000);
		break;
	case 80:
		sim_kill(w, 2, KILL_TERM, KILL_NOW);
		break;
	case 230:
		sim_resume_member(w, 2);
		sim_skew(w, 1, CLOCK_RIGHT);
		break;
	default:
		call(w,
		     (struct request){.kind = REQ_PUT,
				      .put = {.key = BYTES("a"), .value = BYTES("v")}},
		     tenth % 4 == 0 ? 1 : 0);
	}
}

enum { EVENTS = 14000, EVERY = 101, AHEAD = 400 };

static void step(struct world *w)
{
	while (!sim_step(w)) {
		sim_advance(w, sim_next_ms(w));
		if (w->now_ms % 100 == 0)
			act(w, w->now_ms / 100);
	}
}

static void a_copy_goes_on_as_its_original_does(void **state)
{
	static uint64_t hash[EVENTS];
	struct config c;
	config_init(&c);
	struct world *w = world_new(&c, NULL), *copies[EVENTS / EVERY + 1];
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < EVENTS; i++) {
		if (i % EVERY == 0)
			copies[n++] = world_copy(w);
		step(w);
		hash[i] = world_hash(w);
	}
	assert_true(w->now_ms > 23500); /* all of it has happened */
	assert_int_equal(w->npaused, 0);
	assert_int_equal(world_member(w, 2)->condition, MEMBER_DOWN);
	world_free(w);
	for (size_t i = 0; i < n; i++) {
		for (size_t e = i * EVERY; e < EVENTS && e < i * EVERY + AHEAD; e++) {
			step(copies[i]);
			if (world_hash(copies[i]) != hash[e])
				fail_msg("copied before event %zu, differs after %zu", i * EVERY,
					 e);
		}
		world_free(copies[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_goes_on_with_what_it_was_doing),
	    cmocka_unit_test(requests_wait_too),
	    cmocka_unit_test(killed_while_it_stands_still_it_forgets),
	    cmocka_unit_test(senders_keep_so_many_messages),
	    cmocka_unit_test(clocks_and_the_world_agree),
	    cmocka_unit_test(members_tick_by_their_clocks),
	    cmocka_unit_test(a_copy_goes_on_as_its_original_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
