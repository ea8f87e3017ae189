/* Time travel: a world copied in the middle of anything goes on as its original does, event by
 * event. */
#include "talk.h"

#include <string.h>

/* What happens to the world at an event; the same for a world and its copy. */
static uint64_t call(struct world *w, struct request r, unsigned endpoint)
{
	struct request *q = heap_alloc(w->heap, sizeof *q);

	*q = r;
	return sim_call(w, q,
			&(struct call_options){.numbered = true,
					       .timeout_ms = 5000,
					       .endpoints = {(uint8_t)endpoint},
					       .nendpoints = endpoint ? 1 : 0});
}

static void write_something(struct world *w, uint64_t i)
{
	static const char *const keys[] = {"a", "b", "c", "d", "e"};
	struct request r = {.kind = REQ_PUT,
			    .put = {.key = bytes_of(keys[i % 5]),
				    .value = bytes_of(keys[i % 3]),
				    .lease = i % 2 ? 7 : 0}};

	call(w, r, i % 4 == 0 ? 2 : 0);
}

/* What comes from outside at each tenth of a second. */
static void act(struct world *w, int64_t tenth)
{
	uint8_t groups[MEMBERS_MAX] = {0, 0, 1};

	switch (tenth) {
	case 1:
		sim_watch(w, &(struct watch_options){.range = {.key = BYTES("a")},
						     .shown = BYTES("a"),
						     .endpoints = {3},
						     .nendpoints = 1});
		call(w, (struct request){.kind = REQ_LEASE_GRANT, .grant = {.id = 7, .ttl = 600}},
		     0);
		break;
	case 10:
		sim_partition(w, groups);
		break;
	case 35: /* it is too far behind by now */
		sim_heal(w);
		break;
	case 40:
		call(w,
		     (struct request){.kind = REQ_MEMBER_ADD,
				      .member = {.name = "S4",
						 .peer_url = member_peer_url(4),
						 .is_learner = true}},
		     0);
		break;
	case 45:
		sim_start(w, 4);
		break;
	case 50:
		call(w,
		     (struct request){.kind = REQ_MEMBER_PROMOTE, .member = {.id = member_ids[3]}},
		     2);
		break;
	case 60:
		sim_kill(w, 1, KILL_TERM, KILL_NOW);
		break;
	case 70:
		sim_restart(w, 1);
		break;
	case 125:
		call(w,
		     (struct request){.kind = REQ_MEMBER_REMOVE, .member = {.id = member_ids[1]}},
		     0);
		break;
	default:
		write_something(w, (uint64_t)tenth);
		if (tenth % 5 == 0)
			call(w,
			     (struct request){.kind = REQ_RANGE,
					      .range = {.range = {.key = BYTES("a")}}},
			     3);
	}
}

enum { EVENTS = 9000, EVERY = 29, AHEAD = 400 };

static void step(struct world *w)
{
	while (!sim_step(w)) {
		sim_advance(w, sim_next_ms(w));
		if (w->now_ms % 100 == 0)
			act(w, w->now_ms / 100);
	}
}

static struct world *fresh(void)
{
	struct config c;
	struct buf err = {0};

	config_init(&c);
	assert_true(config_set(&c, "snapshot-count", "6", &err));
	assert_true(config_set(&c, "snapshot-catchup-entries", "2", &err));
	return world_new(&c, NULL);
}

static void a_copy_goes_on_as_its_original_does(void **state)
{
	static uint64_t hash[EVENTS + 1];
	struct world *w = fresh();
	struct world *copies[EVENTS / EVERY + 1];
	size_t n = 0;

	(void)state;
	for (uint64_t i = 0; i < EVENTS; i++) {
		if (i % EVERY == 0)
			copies[n++] = world_copy(w);
		step(w);
		hash[i] = world_hash(w);
	}
	/* What was meant to happen did happen. */
	assert_int_equal(w->nmembers, 4);
	assert_int_equal(world_member(w, 2)->condition, MEMBER_REMOVED);
	assert_int_equal(world_conf(w)->nvoters, 3);
	assert_true(world_member(w, 4)->applied > 20);
	assert_true(world_member(w, 3)->snap_index > 20);
	assert_true(world_watch(w, 1)->nevents > 5);
	world_free(w);
	for (size_t c = 0; c < n; c++) {
		for (uint64_t i = c * EVERY; i < EVENTS && i < c * EVERY + AHEAD; i++) {
			step(copies[c]);
			if (world_hash(copies[c]) != hash[i])
				fail_msg("copied before event %zu, differs after %d", c * EVERY,
					 (int)i);
		}
		world_free(copies[c]);
	}
}

static void the_same_again_gives_the_same(void **state)
{
	struct world *a = fresh(), *b = fresh();

	(void)state;
	for (uint64_t i = 0; i < EVENTS; i++) {
		step(a);
		step(b);
		assert_true(world_hash(a) == world_hash(b));
	}
	world_free(a);
	world_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_copy_goes_on_as_its_original_does),
	    cmocka_unit_test(the_same_again_gives_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
