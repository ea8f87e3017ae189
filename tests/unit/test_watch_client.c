/* Watchers as their clients see them: who does not read, who is told how far he is, responses in
 * parts, several endpoints.  (etcd: v3rpc/watch.go, clientv3/watch.go)
 */
#include "talk.h"

static uint32_t start(struct talk *k, struct watch_options o)
{
	o.range = o.range.key.n ? o.range : (struct key_range){.key = BYTES("k")};
	o.shown = o.range.key;
	uint32_t n = sim_watch(k->w, &o);
	rest(k);
	return n;
}

static void puts_n(struct talk *k, int n)
{
	for (int i = 0; i < n; i++) {
		put(k, "k", "v", 0);
		rest(k);
	}
}

static enum watcher_group group(struct talk *k, uint32_t watcher)
{
	const struct watch_client *c = world_watch(k->w, watcher);

	return watchable_find(&at(k, c->at)->watchable, c->stream)->group;
}

static size_t channel(struct talk *k, uint32_t watcher)
{
	const struct watch_client *c = world_watch(k->w, watcher);

	return watchable_channel(&at(k, c->at)->watchable, c->stream);
}

/* How many notes of that kind there are; they are forgotten. */
static unsigned notes(struct talk *k, enum watch_note_kind kind)
{
	unsigned n = 0;

	for (size_t i = 0; i < k->w->notes.n; i++)
		n += k->w->notes.v[i].kind == kind;
	k->w->notes.n = 0;
	return n;
}

/* ---- clients that do not read ---- */

static void who_does_not_read_becomes_a_victim(void **state)
{
	struct talk k = TALK("members 3");
	uint32_t w1 = start(&k, (struct watch_options){0}),
		 w2 = start(&k, (struct watch_options){0});

	(void)state;
	sim_stall(k.w, w1, true);
	puts_n(&k, 128);
	assert_int_equal(group(&k, w1), WATCHER_SYNCED);
	assert_int_equal(channel(&k, w1), 128);
	assert_int_equal(world_watch(k.w, w1)->nevents, 0);
	puts_n(&k, 10);
	assert_int_equal(group(&k, w1), WATCHER_VICTIM);
	assert_int_equal(channel(&k, w1), 128);
	assert_int_equal(world_watch(k.w, w2)->nevents, 138);
	wait_ms(&k, 5003); /* however long */
	assert_int_equal(group(&k, w1), WATCHER_VICTIM);
	sim_stall(k.w, w1, false);
	rest(&k);
	assert_int_equal(world_watch(k.w, w1)->nevents, 128);
	assert_int_equal(group(&k, w1), WATCHER_VICTIM);
	wait_ms(&k, 6); /* the next look is at a whole 10 ms: 5010 */
	assert_int_equal(world_watch(k.w, w1)->nevents, 128);
	wait_ms(&k, 1);
	assert_int_equal(world_watch(k.w, w1)->nevents, 138);
	assert_int_equal(group(&k, w1), WATCHER_SYNCED);
	talk_end(&k);
}

/* A progress request is not answered while one of the stream is behind. */
static void a_victim_keeps_progress_from_its_stream(void **state)
{
	struct talk k = TALK("watch-channel 2");
	uint32_t w1 = start(&k, (struct watch_options){.session = 1});
	uint32_t w2 = start(&k, (struct watch_options){.session = 1});
	uint32_t w3 = start(&k, (struct watch_options){0});

	(void)state;
	sim_progress(k.w, w2);
	rest(&k);
	assert_int_equal(notes(&k, NOTE_PROGRESS), 2);
	sim_stall(k.w, w1, true);
	puts_n(&k, 3);
	assert_int_equal(group(&k, w1), WATCHER_VICTIM);
	notes(&k, NOTE_PROGRESS);
	sim_progress(k.w, w2);
	rest(&k);
	assert_int_equal(notes(&k, NOTE_PROGRESS), 0);
	sim_progress(k.w, w3); /* a stream of its own */
	rest(&k);
	assert_int_equal(notes(&k, NOTE_PROGRESS), 1);
	sim_stall(k.w, w1, false);
	wait_ms(&k, 10);
	notes(&k, NOTE_PROGRESS);
	sim_progress(k.w, w1);
	rest(&k);
	assert_int_equal(notes(&k, NOTE_PROGRESS), 2);
	assert_int_equal(world_watch(k.w, w1)->seen, 4);
	talk_end(&k);
}

static void what_was_not_read_is_lost_with_the_member_and_comes_again(void **state)
{
	struct talk k = TALK("watch-channel 2");
	uint32_t w1 = start(&k, (struct watch_options){.endpoints = {1}, .nendpoints = 1});

	(void)state;
	sim_stall(k.w, w1, true);
	puts_n(&k, 5);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	sim_restart(k.w, 1);
	wait_ms(&k, 3000);
	assert_int_equal(world_watch(k.w, w1)->nevents, 0);
	sim_stall(k.w, w1, false);
	wait_ms(&k, 10);
	assert_int_equal(world_watch(k.w, w1)->nevents, 5);
	talk_end(&k);
}

/* A copy of the world goes on from the same channels. */
static void a_full_channel_is_part_of_the_world(void **state)
{
	struct talk k = TALK("watch-channel 2");
	uint32_t w1 = start(&k, (struct watch_options){0});

	(void)state;
	sim_stall(k.w, w1, true);
	puts_n(&k, 5);
	struct world *copy = world_copy(k.w);
	assert_true(world_hash(copy) == world_hash(k.w));
	sim_stall(copy, w1, false);
	assert_true(world_hash(copy) != world_hash(k.w));
	while (sim_pending(copy) || copy->now_ms < 50) {
		if (!sim_step(copy))
			sim_advance(copy, sim_next_ms(copy));
	}
	assert_int_equal(world_watch(copy, w1)->nevents, 5);
	assert_int_equal(world_watch(k.w, w1)->nevents, 0);
	world_free(copy);
	talk_end(&k);
}

/* ---- responses in parts ---- */

/* 700 KiB a value, limit 1.5 MiB and 0.5 MiB: a replay of five comes as 2 + 2 + 1. */
static void a_large_replay_comes_in_parts(void **state)
{
	struct talk k = TALK("members 1");
	char *large = xcalloc(1, 700 * 1024 + 1);

	(void)state;
	memset(large, 'x', 700 * 1024);
	for (int i = 0; i < 5; i++) {
		put(&k, "k", large, 0);
		rest(&k);
	}
	uint32_t whole = start(&k, (struct watch_options){.rev = 2});
	assert_int_equal(notes(&k, NOTE_FRAGMENT), 0);
	assert_int_equal(world_watch(k.w, whole)->nevents, 5);
	uint32_t parts = start(&k, (struct watch_options){.rev = 2, .fragment = true});
	assert_int_equal(k.w->notes.v[1].kind, NOTE_FRAGMENT);
	assert_int_equal(k.w->notes.v[1].count, 2);
	assert_int_equal(k.w->notes.v[2].count, 2);
	assert_int_equal(k.w->notes.v[3].kind, NOTE_EVENT);
	assert_int_equal(notes(&k, NOTE_FRAGMENT), 2);
	assert_int_equal(world_watch(k.w, parts)->nevents, 5);
	assert_int_equal(world_watch(k.w, parts)->seen, 6);
	talk_end(&k);
	free(large);
}

/* One event is never cut, however large it is. */
static void a_connection_that_ends_between_parts_loses_nothing(void **state)
{
	struct talk k = TALK("members 1");
	char *large = xcalloc(1, 900 * 1024 + 1);

	(void)state;
	memset(large, 'x', 900 * 1024);
	for (int i = 0; i < 4; i++) {
		put(&k, "k", large, 0);
		rest(&k);
	}
	uint32_t w1 = sim_watch(k.w, &(struct watch_options){.range = {.key = BYTES("k")},
							     .shown = BYTES("k"),
							     .rev = 2,
							     .fragment = true});
	while (notes(&k, NOTE_FRAGMENT) == 0)
		assert_true(sim_step(k.w));
	assert_int_equal(world_watch(k.w, w1)->nevents, 0);
	sim_drop(k.w, w1);
	sim_resume(k.w, w1);
	rest(&k);
	assert_int_equal(world_watch(k.w, w1)->nevents, 4);
	talk_end(&k);
	free(large);
}

/* ---- several endpoints (cluster-facts V4) ---- */

static void it_stays_with_the_first_that_is_up(void **state)
{
	struct talk k = TALK("members 3");
	uint32_t w1 = start(&k, (struct watch_options){.endpoints = {3, 2}, .nendpoints = 2});

	(void)state;
	assert_int_equal(world_watch(k.w, w1)->at, 3);
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	puts_n(&k, 2);
	assert_int_equal(world_watch(k.w, w1)->at, 2);
	assert_int_equal(world_watch(k.w, w1)->nevents, 2);
	sim_restart(k.w, 3);
	wait_ms(&k, 3000);
	assert_int_equal(world_watch(k.w, w1)->at, 2);
	sim_kill(k.w, 2, KILL_PROCESS, KILL_NOW);
	puts_n(&k, 1);
	assert_int_equal(world_watch(k.w, w1)->at, 3);
	assert_int_equal(world_watch(k.w, w1)->nevents, 3);
	talk_end(&k);
}

static void it_waits_for_any_of_them(void **state)
{
	struct talk k = TALK("members 5");
	uint32_t w1 = start(&k, (struct watch_options){.endpoints = {4, 5}, .nendpoints = 2});

	(void)state;
	sim_kill(k.w, 5, KILL_PROCESS, KILL_NOW);
	sim_kill(k.w, 4, KILL_PROCESS, KILL_NOW);
	puts_n(&k, 2);
	assert_int_equal(world_watch(k.w, w1)->nevents, 0);
	sim_restart(k.w, 5);
	wait_ms(&k, 2000);
	assert_int_equal(world_watch(k.w, w1)->at, 5);
	assert_int_equal(world_watch(k.w, w1)->nevents, 2);
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(who_does_not_read_becomes_a_victim),
	    cmocka_unit_test(a_victim_keeps_progress_from_its_stream),
	    cmocka_unit_test(what_was_not_read_is_lost_with_the_member_and_comes_again),
	    cmocka_unit_test(a_full_channel_is_part_of_the_world),
	    cmocka_unit_test(a_large_replay_comes_in_parts),
	    cmocka_unit_test(a_connection_that_ends_between_parts_loses_nothing),
	    cmocka_unit_test(it_stays_with_the_first_that_is_up),
	    cmocka_unit_test(it_waits_for_any_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
