/* Disks that are slow, full, forgetful and damaged: what was acknowledged stays, and what a process
 * reads when it starts is what its disk holds. */
#include "check/check.h"
#include "server/server.h"
#include "talk.h"

static void crash_at_fsync(struct talk *k, unsigned member)
{
	sim_kill(k->w, member, KILL_PROCESS, KILL_FSYNC);
}

static void change(struct talk *k, unsigned member, struct disk_change c)
{
	const char *why;

	assert_true(sim_disk(k->w, member, &c, &why));
}

static void an_fsync_takes_its_time(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	change(&k, 1, (struct disk_change){.set_delay = true, .delay_ms = 20, .delay_most_ms = 20});
	change(&k, 2, (struct disk_change){.set_delay = true, .delay_ms = 7, .delay_most_ms = 7});
	change(&k, 3, (struct disk_change){.set_delay = true, .delay_ms = 50, .delay_most_ms = 50});
	uint64_t c = put(&k, "a", "1", 0);
	wait_ms(&k, 26);
	assert_string_equal(outcome(&k, c), "...");
	wait_ms(&k, 1); /* the leader's 20, then the faster follower's 7 */
	assert_string_equal(outcome(&k, c), "");
	assert_int_equal(rev(&k, 3), 1);
	wait_ms(&k, 50);
	assert_int_equal(rev(&k, 3), 2);
	change(&k, 1, (struct disk_change){.reset = true});
	change(&k, 2, (struct disk_change){.reset = true});
	c = put(&k, "a", "2", 0);
	rest(&k);
	assert_string_equal(outcome(&k, c), "");
	talk_end(&k);
}

static void a_range_is_drawn(void **state)
{
	struct talk k = TALK("members 1");
	bool seen[32] = {0};
	int kinds = 0;

	(void)state;
	change(&k, 1, (struct disk_change){.set_delay = true, .delay_ms = 5, .delay_most_ms = 9});
	for (int i = 0; i < 100; i++) {
		int64_t from = k.w->now_ms;
		uint64_t c = put(&k, "a", "1", 0);
		while (outcome(&k, c)[0])
			wait_ms(&k, 1);
		int64_t took = k.w->now_ms - from;
		assert_in_range(took, 5, 9);
		kinds += !seen[took];
		seen[took] = true;
	}
	assert_int_equal(kinds, 5);
	talk_end(&k);
}

/* The log's end after a crash between the write and its fsync, with a disk that loses so much. */
static uint64_t last_after_crash(enum lose_unsynced lose, bool *torn, uint64_t seed)
{
	struct talk k = TALK("members 1");
	struct buf b = {0};

	k.w->prng.state = seed;
	put(&k, "a", "1", 0);
	rest(&k);
	change(&k, 1, (struct disk_change){.set_lose = true, .lose = lose});
	crash_at_fsync(&k, 1);
	put(&k, "b", "2", 0);
	rest(&k);
	assert_int_equal(at(&k, 1)->condition, MEMBER_DOWN);
	*torn = at(&k, 1)->wal.ndamages > 0;
	uint64_t shown = last(&k, 1);
	sim_restart(k.w, 1);
	assert_int_equal(at(&k, 1)->condition, MEMBER_UP);
	assert_int_equal(at(&k, 1)->wal.ndamages, 0);
	assert_false(at(&k, 1)->disk.log_damaged);
	uint64_t n = last(&k, 1);
	assert_int_equal(n, shown);
	wait_ms(&k, 3000);
	assert_string_equal(value(&k, 1, "a", &b), "1");
	buf_free(&b);
	talk_end(&k);
	return n;
}

static void a_crash_leaves_all_none_or_some(void **state)
{
	int torn = 0, whole = 0;
	bool is_torn;

	(void)state;
	assert_int_equal(last_after_crash(LOSE_ALL, &is_torn, 1), 2);
	assert_false(is_torn);
	assert_int_equal(last_after_crash(LOSE_NONE, &is_torn, 1), 3);
	assert_false(is_torn);
	for (uint64_t seed = 0; seed < 200; seed++) {
		uint64_t n = last_after_crash(LOSE_PART, &is_torn, seed);
		assert_true(n == 2 || (n == 3 && !is_torn));
		torn += is_torn;
		whole += n == 3;
	}
	assert_true(torn > 100 && whole > 0);
}

static void the_same_damage_is_drawn_again(void **state)
{
	struct talk k = TALK("members 1");

	(void)state;
	put(&k, "a", "1", 0);
	rest(&k);
	change(&k, 1,
	       (struct disk_change){.set_lose = true,
				    .lose = LOSE_PART,
				    .set_delay = true,
				    .delay_ms = 3,
				    .delay_most_ms = 90});
	put(&k, "b", "2", 0);
	rest(&k);
	crash_at_fsync(&k, 1);
	struct world *before = world_copy(k.w);
	for (int i = 0; i < 2; i++) {
		struct world *w = i ? before : k.w;
		while (w->now_ms < 500)
			if (!sim_step(w))
				sim_advance(w, sim_next_ms(w));
		assert_int_equal(world_member(w, 1)->condition, MEMBER_DOWN);
		sim_restart(w, 1);
	}
	assert_int_equal(world_hash(before), world_hash(k.w));
	world_free(before);
	talk_end(&k);
}

static void what_is_done_to_a_disk_is_in_the_hash(void **state)
{
	const struct disk_change changes[] = {
	    {.set_delay = true, .delay_ms = 1, .delay_most_ms = 1},
	    {.set_full = true, .full = true},
	    {.set_lose = true, .lose = LOSE_PART},
	    {.flip_wal = true},
	    {.flip_db = true},
	    {.zero_tail = 3},
	    {.cut_tail = 3},
	    {.wipe = true},
	};
	struct talk k = TALK("members 3");

	(void)state;
	put(&k, "a", "1", 0);
	rest(&k);
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	rest(&k);
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct world *w = world_copy(k.w);
		const char *why;
		assert_int_equal(world_hash(w), world_hash(k.w));
		assert_true(sim_disk(w, 3, &changes[i], &why));
		assert_int_not_equal(world_hash(w), world_hash(k.w));
		world_free(w);
	}
	talk_end(&k);
}

static void a_flipped_bit_keeps_a_member_down(void **state)
{
	struct talk k = TALK("members 3");
	const char *why;

	(void)state;
	for (int i = 0; i < 20; i++)
		put(&k, "a", "1", 0);
	rest(&k);
	change(&k, 3, (struct disk_change){.flip_wal = true}); /* nobody reads it while it runs */
	put(&k, "a", "2", 0);
	rest(&k);
	assert_int_equal(rev(&k, 3), 22);
	for (int i = 0; i < 3; i++)
		change(&k, 3, (struct disk_change){.flip_wal = true});
	assert_false(sim_disk(k.w, 3, &(struct disk_change){.flip_wal = true}, &why));
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	for (int i = 0; i < 3; i++) {
		sim_restart(k.w, 3);
		assert_int_equal(at(&k, 3)->condition, MEMBER_DOWN);
		assert_string_equal(at(&k, 3)->failure, "walpb: crc mismatch");
	}
	change(&k, 3, (struct disk_change){.wipe = true});
	assert_false(sim_disk(k.w, 3, &(struct disk_change){.flip_wal = true}, &why));
	talk_end(&k);
}

/* Two flips of one record are two bits, and a torn end does not hide what comes before it. */
static void damage_adds_up(void **state)
{
	struct talk k = TALK("members 1");

	(void)state;
	put(&k, "a", "1", 0);
	rest(&k);
	change(&k, 1, (struct disk_change){.flip_wal = true});
	change(&k, 1, (struct disk_change){.flip_wal = true});
	put(&k, "a", "2", 0);
	rest(&k);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	change(&k, 1, (struct disk_change){.cut_tail = 1});
	sim_restart(k.w, 1);
	assert_string_equal(at(&k, 1)->failure, "walpb: crc mismatch");
	talk_end(&k);
}

/* A snapshot makes the records before it superfluous: etcd deletes the files that hold them. */
static void a_snapshot_takes_damage_away(void **state)
{
	struct talk k = TALK("members 1", "snapshot-count 5", "snapshot-catchup-entries 2");

	(void)state;
	put(&k, "a", "1", 0);
	rest(&k);
	change(&k, 1, (struct disk_change){.flip_wal = true});
	assert_int_equal(at(&k, 1)->wal.ndamages, 1);
	for (int i = 0; i < 12; i++)
		put(&k, "a", "2", 0);
	rest(&k);
	assert_int_equal(at(&k, 1)->wal.ndamages, 0);
	sim_kill(k.w, 1, KILL_PROCESS, KILL_NOW);
	sim_restart(k.w, 1);
	assert_int_equal(at(&k, 1)->condition, MEMBER_UP);
	talk_end(&k);
}

static void kill_and_wipe(struct talk *k, unsigned member)
{
	sim_kill(k->w, member, KILL_PROCESS, KILL_NOW);
	rest(k);
	change(k, member, (struct disk_change){.wipe = true});
}

static void a_whole_cluster_that_was_wiped_is_a_new_one(void **state)
{
	struct talk k = TALK("members 3");
	struct buf b = {0};

	(void)state;
	put(&k, "a", "1", 0);
	rest(&k);
	for (unsigned i = 1; i <= 3; i++)
		kill_and_wipe(&k, i);
	sim_restart_existing(k.w, 1);
	assert_non_null(strstr(at(&k, 1)->failure, "cannot fetch cluster info"));
	sim_restart(k.w, 1); /* nobody says that there was one */
	rest(&k);
	sim_restart(k.w, 2); /* S1 is there, and knows nothing of its having run */
	wait_ms(&k, 5000);
	sim_restart(k.w, 3); /* nor do two that have published their own names */
	wait_ms(&k, 5000);
	assert_true(sim_has_leader(k.w));
	assert_int_equal(last(&k, 1), 8); /* three that add members, the leader's, names, version */
	assert_string_equal(conf(&k, 1, &b), "S1 S2 S3");
	assert_null(value(&k, 1, "a", &b));
	put(&k, "b", "1", 0);
	rest(&k);
	assert_string_equal(value(&k, 3, "b", &b), "1");
	kill_and_wipe(&k, 3);
	sim_restart(k.w, 3); /* now they do */
	assert_non_null(strstr(at(&k, 3)->failure, "has already been bootstrapped"));
	buf_free(&b);
	talk_end(&k);
}

/* Whom nobody knows is not refused as new: the others turn it away when it comes to them. */
static void one_that_was_removed_and_wiped_is_turned_away(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	kill_and_wipe(&k, 3);
	assert_string_equal(outcome(&k, member(&k, REQ_MEMBER_REMOVE, member_ids[2], 1)), "");
	sim_restart_existing(k.w, 3);
	assert_int_equal(at(&k, 3)->condition, MEMBER_DOWN);
	assert_non_null(strstr(at(&k, 3)->failure, "member count is unequal"));
	sim_restart(k.w, 3);
	assert_int_equal(at(&k, 3)->condition, MEMBER_UP);
	wait_ms(&k, 1);
	assert_int_equal(at(&k, 3)->condition, MEMBER_REMOVED);
	assert_int_equal(last(&k, 1), 2);
	talk_end(&k);
}

/* It has lost its data, not its power, its mistakes, or its slowness. */
static void a_wipe_takes_the_data_and_nothing_else(void **state)
{
	struct talk k = TALK("members 3");
	const struct disk_change slow = {
	    .set_delay = true, .delay_ms = 3, .delay_most_ms = 4, .set_full = true, .full = true};

	(void)state;
	struct config cfg = k.w->cfg;
	cfg.bugs = 1u << BUG_APPLY_TWICE;
	sim_configure(k.w, &cfg);
	change(&k, 3, slow);
	wait_ms(&k, 6000);
	sim_kill(k.w, 3, KILL_POWER, KILL_NOW);
	change(&k, 3, (struct disk_change){.wipe = true});
	const struct member *m = at(&k, 3);
	assert_int_equal(m->bugs, cfg.bugs);
	assert_int_equal(m->store.bugs, cfg.bugs);
	assert_int_equal(m->disk.delay_ms, 3);
	assert_true(m->disk.full);
	assert_int_equal(m->still_ms, 6000);
	wait_ms(&k, 4000); /* nobody has noticed yet that it is silent */
	uint64_t c = add(&k, 4, false, 1);
	rest(&k);
	assert_string_equal(outcome(&k, c), "");
	wait_ms(&k, 6000);
	c = add(&k, 5, false, 1);
	rest(&k);
	assert_string_not_equal(outcome(&k, c), "");
	talk_end(&k);
}

static void a_number_that_is_used_again_has_its_machine(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	wait_ms(&k, 6000);
	change(&k, 3, (struct disk_change){.set_delay = true, .delay_ms = 3, .delay_most_ms = 4});
	change(&k, 3, (struct disk_change){.set_lose = true, .lose = LOSE_PART});
	kill_and_wipe(&k, 3);
	member(&k, REQ_MEMBER_REMOVE, member_ids[2], 1);
	rest(&k);
	uint64_t c = add(&k, 3, false, 1);
	rest(&k);
	assert_string_equal(outcome(&k, c), "");
	const struct disk *d = &at(&k, 3)->disk;
	assert_int_equal(at(&k, 3)->condition, MEMBER_UNSTARTED);
	assert_int_equal(d->delay_ms, 3);
	assert_int_equal(d->delay_most_ms, 4);
	assert_int_equal(d->lose, LOSE_PART);
	assert_int_equal(d->wiped, 0);
	assert_true(sim_start(k.w, 3));
	wait_ms(&k, 3000);
	assert_int_equal(last(&k, 3), last(&k, 1));
	talk_end(&k);
}

/* The log's head has the cluster's id: a small one is shorter. */
static void a_log_names_its_cluster(void **state)
{
	struct heap *h = heap_new();
	struct member *known = server_new_added(1, member_ids[0], h, &(struct origin){0});
	struct member *other =
	    server_new_added(1, member_ids[0], h, &(struct origin){.cluster_id = 1});

	(void)state;
	assert_int_equal(server_wal_size(known) - server_wal_size(other), 8);
	server_free(known);
	server_free(other);
	heap_free(h);
}

/* ---- a storm ---- */

enum { SEEDS = 60, EVENTS = 3000 };

static void some_disk(struct world *w, struct prng *g)
{
	unsigned m = 1 + (unsigned)prng_below(g, w->nmembers);
	uint32_t ms = (uint32_t)prng_below(g, 40);
	const char *why;
	struct disk_change c = {.set_lose = true, .lose = (enum lose_unsynced)prng_below(g, 3)};

	switch (prng_below(g, 4)) {
	case 0:
		c = (struct disk_change){
		    .set_delay = true,
		    .delay_ms = ms,
		    .delay_most_ms = ms + (uint32_t)prng_below(g, prng_below(g, 5) ? 20 : 1500)};
		break;
	case 1:
		c = (struct disk_change){.set_full = true, .full = prng_below(g, 3) == 0};
		break;
	case 2:
		c.reset = true;
		break;
	}
	assert_true(sim_disk(w, m, &c, &why));
}

static void some_put(struct world *w, struct prng *g)
{
	static const char *const keys[] = {"a", "b", "c"};
	static char long_value[3000];
	struct request *q = heap_alloc(w->heap, sizeof *q);

	memset(long_value, 'v', sizeof long_value);
	*q = (struct request){.kind = REQ_PUT,
			      .put = {.key = bytes_of(keys[prng_below(g, 3)]),
				      .value = {long_value, prng_below(g, sizeof long_value)}}};
	if (prng_below(g, 3) == 0)
		*q = (struct request){.kind = REQ_RANGE,
				      .range = {.range = {BYTES("a"), BYTES("z")}}};
	sim_call(w, q, &(struct call_options){.timeout_ms = 5000});
}

static void some_crash(struct world *w, struct prng *g)
{
	unsigned m = 1 + (unsigned)prng_below(g, w->nmembers);

	if (prng_below(g, 2))
		sim_kill(w, m, (enum kill_how)prng_below(g, 2), (enum kill_point)prng_below(g, 7));
	else
		sim_restart(w, m);
}

static void look(struct checker *c, struct world *w, uint64_t seed)
{
	const struct violation *v;

	if (!sim_step(w))
		sim_advance(w, sim_next_ms(w));
	w->notes.n = 0;
	if (check_step(c, w))
		return;
	v = check_violation(c);
	fail_msg("seed %d, event %d: %s: %s", (int)seed, (int)w->events, v->rule, v->text);
}

static void storm(uint64_t seed, unsigned *full, unsigned *torn)
{
	struct prng g = {.state = seed};
	struct config cfg;
	const char *why;

	config_init(&cfg);
	cfg.seed = seed;
	cfg.members = (uint8_t)(1 + prng_below(&g, 5));
	cfg.send_parallel = prng_below(&g, 2);
	cfg.snapshot_count = 5 + prng_below(&g, 60);
	struct world *w = world_new(&cfg, NULL);
	struct checker *c = check_new(w);
	while (w->events < EVENTS) {
		uint64_t what = prng_below(&g, 40);
		if (what == 0)
			some_disk(w, &g);
		else if (what < 3)
			some_put(w, &g);
		else if (what == 3)
			some_crash(w, &g);
		look(c, w, seed);
		for (unsigned i = 0; i < w->nmembers; i++)
			*torn += w->members[i]->wal.ndamages > 0;
	}
	for (unsigned i = 1; i <= w->nmembers; i++) {
		struct member *m = world_member(w, i);
		*full += m->failure && strstr(m->failure, "no space left");
		assert_true(sim_disk(w, i, &(struct disk_change){.reset = true}, &why));
		m->kill_at = 0;
		sim_restart(w, i);
		assert_int_equal(m->condition, MEMBER_UP);
	}
	for (int64_t end = w->now_ms + 20000; w->now_ms < end || sim_pending(w);)
		look(c, w, seed);
	assert_int_not_equal(world_leader(w), 0);
	for (unsigned i = 2; i <= w->nmembers; i++)
		assert_int_equal(world_member(w, i)->applied, world_member(w, 1)->applied);
	assert_true(check_end(c, w));
	assert_null(check_known_damage(c));
	check_free(c);
	world_free(w);
}

static void nothing_that_was_acknowledged_is_lost(void **state)
{
	unsigned full = 0, torn = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		storm(seed, &full, &torn);
	assert_true(full > 0 && torn > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_fsync_takes_its_time),
	    cmocka_unit_test(a_range_is_drawn),
	    cmocka_unit_test(a_crash_leaves_all_none_or_some),
	    cmocka_unit_test(the_same_damage_is_drawn_again),
	    cmocka_unit_test(what_is_done_to_a_disk_is_in_the_hash),
	    cmocka_unit_test(a_flipped_bit_keeps_a_member_down),
	    cmocka_unit_test(damage_adds_up),
	    cmocka_unit_test(a_snapshot_takes_damage_away),
	    cmocka_unit_test(a_whole_cluster_that_was_wiped_is_a_new_one),
	    cmocka_unit_test(one_that_was_removed_and_wiped_is_turned_away),
	    cmocka_unit_test(a_wipe_takes_the_data_and_nothing_else),
	    cmocka_unit_test(a_number_that_is_used_again_has_its_machine),
	    cmocka_unit_test(a_log_names_its_cluster),
	    cmocka_unit_test(nothing_that_was_acknowledged_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
