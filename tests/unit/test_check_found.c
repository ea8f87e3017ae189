/* What random runs have found in the engine, each made by hand: one test a mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/sim.h"

static struct world *three(void)
{
	struct config cfg;

	config_init(&cfg);
	return world_new(&cfg, NULL);
}

static void step(struct world *w)
{
	while (!sim_step(w))
		sim_advance(w, sim_next_ms(w));
}

static void rest(struct world *w)
{
	while (sim_step(w))
		;
}

static void wait_until(struct world *w, int64_t ms)
{
	for (rest(w); w->now_ms < ms; rest(w)) {
		int64_t next = sim_next_ms(w);
		sim_advance(w, next < ms ? next : ms);
	}
}

static struct request *request(struct world *w, enum request_kind kind)
{
	struct request *q = heap_alloc(w->heap, sizeof *q);

	memset(q, 0, sizeof *q);
	q->kind = kind;
	return q;
}

static uint64_t call(struct world *w, const struct request *q, uint8_t member)
{
	return sim_call(
	    w, q,
	    &(struct call_options){.endpoints = {member}, .nendpoints = 1, .timeout_ms = 5000});
}

static uint64_t put(struct world *w, const char *key, uint8_t member)
{
	struct request *q = request(w, REQ_PUT);

	q->put.key = q->put.value = bytes_of(key);
	return call(w, q, member);
}

static uint64_t get(struct world *w, const char *key, uint8_t member)
{
	struct request *q = request(w, REQ_RANGE);

	q->range.range.key = bytes_of(key);
	return call(w, q, member);
}

static uint64_t about_lease(struct world *w, enum request_kind kind, int64_t id, int64_t ttl)
{
	struct request *q = request(w, kind);

	if (kind == REQ_LEASE_GRANT)
		q->grant.ttl = ttl;
	else
		q->keep_alive.id = id;
	return call(w, q, 1);
}

static void run_to_answer(struct world *w, uint64_t id)
{
	while (world_call(w, id)->state != CALL_DONE)
		step(w);
}

/* A read that comes while an older one's ReadIndex is under way must not take its index: at every
 * moment of the older one a write is confirmed before the newer one begins. */
static void a_read_sees_what_was_confirmed_before_it(void **state)
{
	(void)state;
	for (int moment = 0; moment < 40; moment++) {
		struct world *w = three();
		get(w, "a", 2);
		for (int i = 0; i < moment; i++)
			step(w);
		uint64_t write = put(w, "a", 1);
		run_to_answer(w, write);
		uint64_t read = get(w, "a", 2);
		run_to_answer(w, read);
		assert_true(world_call(w, read)->response->header.revision >=
			    world_call(w, write)->response->header.revision);
		world_free(w);
	}
}

static uint32_t watch(struct world *w, int64_t rev)
{
	return sim_watch(w, &(struct watch_options){.range = {.key = bytes_of("a")},
						    .shown = bytes_of("a"),
						    .rev = rev});
}

/* A watcher that has seen nothing comes back where it was asked to begin, not at the beginning of
 * history. */
static void a_watcher_resumes_where_it_was_asked_to_begin(void **state)
{
	struct world *w = three();

	(void)state;
	for (int i = 0; i < 3; i++) /* revisions 2, 3, 4 */
		run_to_answer(w, put(w, "a", 1));
	uint32_t number = watch(w, 6);
	rest(w);
	sim_drop(w, number);
	rest(w);
	sim_resume(w, number);
	rest(w);
	assert_int_equal(world_watch(w, number)->from, 6);
	for (int i = 0; i < 2; i++) /* 5, 6 */
		run_to_answer(w, put(w, "a", 1));
	rest(w);
	assert_int_equal(world_watch(w, number)->nevents, 1);
	assert_int_equal(world_watch(w, number)->seen, 6);
	world_free(w);
}

/* Dropped and resumed before its first request has arrived: that request is void. */
static void a_watcher_has_one_connection(void **state)
{
	struct world *w = three();

	(void)state;
	uint32_t number = watch(w, 0);
	sim_drop(w, number);
	sim_resume(w, number);
	rest(w);
	run_to_answer(w, put(w, "a", 1));
	rest(w);
	assert_int_equal(world_watch(w, number)->nevents, 1);
	assert_int_equal(world_member(w, 1)->watchable.watchers.n, 1);
	world_free(w);
}

/* The lease's time is up and its revocation cannot be committed yet: a keep-alive waits, and learns
 * that it is too late. */
static void a_lease_that_runs_out_is_not_renewed(void **state)
{
	struct world *w = three();

	(void)state;
	run_to_answer(w, about_lease(w, REQ_LEASE_GRANT, 0, 2));
	wait_until(w, 1950);
	sim_partition(w, (const uint8_t[MEMBERS_MAX]){0, 1, 1});
	wait_until(w, 2000);
	uint64_t renewal = about_lease(w, REQ_LEASE_KEEP_ALIVE, 1, 0);
	rest(w);
	assert_int_equal(world_call(w, renewal)->state, CALL_OPEN);
	wait_until(w, 2050);
	sim_heal(w);
	run_to_answer(w, renewal);
	assert_int_equal(world_call(w, renewal)->response->keep_alive.ttl, 0);
	assert_null(lessor_find(&world_member(w, 1)->lessor, 1));
	world_free(w);
}

/* A leader that was asked to stop and cannot hand over is killed at a point it never reaches: it
 * stops when its patience ends, and can be started again. */
static void who_was_asked_to_stop_may_come_back(void **state)
{
	struct world *w = three();

	(void)state;
	sim_cut(w, 1, 2, true);
	sim_cut(w, 1, 3, true);
	sim_kill(w, 1, KILL_TERM, KILL_NOW);
	sim_kill(w, 1, KILL_PROCESS, KILL_REPLY);
	wait_until(w, 9000);
	assert_int_equal(world_member(w, 1)->condition, MEMBER_DOWN);
	sim_restart(w, 1);
	assert_int_equal(world_member(w, 1)->condition, MEMBER_UP);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_read_sees_what_was_confirmed_before_it),
	    cmocka_unit_test(a_watcher_resumes_where_it_was_asked_to_begin),
	    cmocka_unit_test(a_watcher_has_one_connection),
	    cmocka_unit_test(a_lease_that_runs_out_is_not_renewed),
	    cmocka_unit_test(who_was_asked_to_stop_may_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
