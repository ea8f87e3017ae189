/* Clusters whose members come and go at random while everything else fails: no promise of Raft, of
 * the store, or to clients may be broken (check/check.h looks after every event), and at the end
 * everybody has everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check/check.h"
#include "sim/sim.h"

enum { SEEDS = 60, EVENTS = 4000, END_MS = 40000 };

struct storm {
	struct world *w;
	struct checker *c;
	struct prng g;
	uint64_t seed;
};

static unsigned any(struct storm *s, unsigned n)
{
	return (unsigned)prng_below(&s->g, n);
}

static unsigned any_member(struct storm *s)
{
	return 1 + any(s, s->w->nmembers);
}

static void call(struct storm *s, struct request r, unsigned endpoint)
{
	struct request *q = heap_alloc(s->w->heap, sizeof *q);

	*q = r;
	sim_call(s->w, q,
		 &(struct call_options){.numbered = true,
					.timeout_ms = 5000,
					.endpoints = {(uint8_t)endpoint},
					.nendpoints = endpoint ? 1 : 0});
}

static void use(struct storm *s)
{
	static const char *const keys[] = {"a", "b", "c", "d", "e"};
	unsigned at = any(s, 2) ? any_member(s) : 0;
	struct key_range all = {BYTES("a"), BYTES("z")};
	struct bytes key = bytes_of(keys[any(s, 5)]), value = bytes_of(keys[any(s, 5)]);

	switch (any(s, 10)) {
	case 0:
		call(s, (struct request){.kind = REQ_DELETE_RANGE, .del = {.range = {.key = key}}},
		     at);
		break;
	case 1:
		call(s,
		     (struct request){.kind = REQ_RANGE,
				      .range = {.range = all, .serializable = any(s, 2)}},
		     at);
		break;
	case 2:
		call(s,
		     (struct request){.kind = REQ_LEASE_GRANT,
				      .grant = {.id = 7, .ttl = 5 + any(s, 20)}},
		     at);
		break;
	case 3:
		if (s->w->watches.n < 3)
			sim_watch(s->w, &(struct watch_options){.range = all,
								.shown = BYTES("a"),
								.endpoints = {(uint8_t)at},
								.nendpoints = at ? 1 : 0,
								.informer = any(s, 2)});
		break;
	default:
		call(s,
		     (struct request){
			 .kind = REQ_PUT,
			 .put = {.key = key, .value = value, .lease = any(s, 4) ? 0 : 7}},
		     at);
	}
}

static void hurt(struct storm *s)
{
	unsigned m = any_member(s), other = any_member(s), up = 0;
	uint8_t groups[MEMBERS_MAX];

	switch (any(s, 6)) {
	case 0:
		for (unsigned i = 1; i <= s->w->nmembers; i++)
			up += world_member(s->w, i)->condition == MEMBER_UP;
		if (up > 1 + s->w->nmembers / 3)
			sim_kill(s->w, m, (enum kill_how)any(s, 3),
				 any(s, 2) ? KILL_NOW : (enum kill_point)any(s, 7));
		break;
	case 1:
		for (unsigned i = 0; i < MEMBERS_MAX; i++)
			groups[i] = (uint8_t)any(s, 2);
		sim_partition(s->w, groups);
		break;
	case 2:
		if (m != other)
			sim_cut(s->w, m, other, any(s, 2));
		break;
	case 3:
		sim_heal(s->w);
		break;
	default:
		sim_restart(s->w, m);
	}
}

/* Delays up to half an election timeout, and whatever else a link can do. */
static void spoil_links(struct storm *s)
{
	unsigned from = any(s, LINK_ENDS + 1), to = any(s, LINK_ENDS + 1);
	int32_t delay = (int32_t)any(s, 250);

	if (from == to && from != LINK_MEMBERS)
		to = LINK_MEMBERS;
	sim_set_link(s->w,
		     &(struct link_change){.from = (uint8_t)from,
					   .to = (uint8_t)to,
					   .oneway = any(s, 2),
					   .fields = any(s, 4) ? (uint8_t)any(s, 16) : LINK_ALL,
					   .link = {.delay_ms = delay,
						    .delay_max_ms = delay + (int32_t)any(s, 250),
						    .loss = (uint8_t)any(s, 40),
						    .duplicate = (uint8_t)any(s, 60),
						    .reorder = (uint8_t)any(s, 60)}});
	if (any(s, 4) == 0)
		sim_cut(s->w, LINK_CLIENT, any_member(s), any(s, 2));
}

static void reconfigure(struct storm *s)
{
	unsigned m = any_member(s), n = 1 + any(s, 7), at = any(s, 2) ? any_member(s) : 0;
	uint64_t id = s->w->peers[m - 1].id;

	switch (any(s, 7)) {
	case 0:
	case 1:
		call(s,
		     (struct request){.kind = REQ_MEMBER_ADD,
				      .member = {.name = member_name(n),
						 .peer_url = member_peer_url(n),
						 .is_learner = any(s, 2)}},
		     at);
		break;
	case 2:
		call(s, (struct request){.kind = REQ_MEMBER_REMOVE, .member = {.id = id}}, at);
		break;
	case 3:
		call(s, (struct request){.kind = REQ_MEMBER_PROMOTE, .member = {.id = id}}, at);
		break;
	case 4:
		call(s, (struct request){.kind = REQ_MOVE_LEADER, .move_leader = {id}}, 0);
		break;
	default:
		sim_start(s->w, m);
	}
}

static void step(struct storm *s)
{
	if (!sim_step(s->w))
		sim_advance(s->w, sim_next_ms(s->w));
	if (!check_step(s->c, s->w)) {
		const struct violation *v = check_violation(s->c);
		fail_msg("seed %d, event %d: %s: %s", (int)s->seed, (int)s->w->events, v->rule,
			 v->text);
	}
	s->w->notes.n = 0;
}

static void everybody_comes_back(struct storm *s)
{
	sim_heal(s->w);
	sim_set_link(s->w, &(struct link_change){
			       .from = LINK_MEMBERS, .to = LINK_MEMBERS, .fields = LINK_ALL});
	sim_set_link(s->w, &(struct link_change){
			       .from = LINK_CLIENT, .to = LINK_MEMBERS, .fields = LINK_ALL});
	for (unsigned i = 1; i <= s->w->nmembers; i++) {
		struct member *m = world_member(s->w, i);
		if (m->kill_at <= KILL_REPLY)
			m->kill_at = KILL_NOW;
		sim_restart(s->w, i);
		sim_start(s->w, i);
	}
	for (int64_t end = s->w->now_ms + END_MS; s->w->now_ms < end;)
		step(s);
	while (sim_pending(s->w))
		step(s);
}

static void everybody_has_everything(struct storm *s)
{
	unsigned leader = world_leader(s->w);

	if (!leader)
		return; /* removals can leave a cluster without a majority, as in etcd */
	const struct member *l = world_member(s->w, leader);
	for (unsigned i = 1; i <= s->w->nmembers; i++) {
		const struct member *m = world_member(s->w, i);
		if (membership_find(&l->membership, m->id) && m->condition == MEMBER_UP)
			assert_int_equal(m->applied, l->applied);
	}
	assert_true(check_end(s->c, s->w));
}

struct tally {
	unsigned added, removed, snapshots, led;
};

static void run(uint64_t seed, bool links, struct tally *t)
{
	struct storm s = {.seed = seed, .g = {.state = seed}};
	struct config cfg;

	config_init(&cfg);
	cfg.seed = seed;
	cfg.members = 2 + any(&s, 4);
	cfg.snapshot_count = 3 + any(&s, 20);
	cfg.snapshot_catchup = any(&s, 8);
	cfg.boot_etcd = any(&s, 3) == 0;
	cfg.election_random = any(&s, 2);
	cfg.send_parallel = any(&s, 2);
	s.w = world_new(&cfg, NULL);
	s.c = check_new(s.w);
	for (int i = 0; i < EVENTS; i++) {
		unsigned what = any(&s, 100);
		if (what < 4)
			use(&s);
		else if (what < 6)
			hurt(&s);
		else if (what < 8)
			reconfigure(&s);
		else if (what < 9 && links)
			spoil_links(&s);
		step(&s);
	}
	everybody_comes_back(&s);
	everybody_has_everything(&s);
	t->added += s.w->nmembers - cfg.members;
	t->led += world_leader(s.w) != 0;
	for (unsigned i = 0; i < s.w->nmembers; i++) {
		t->removed += s.w->members[i]->condition == MEMBER_REMOVED;
		t->snapshots += s.w->members[i]->snap_index > 0;
	}
	check_free(s.c);
	world_free(s.w);
}

static void no_promise_is_broken_whoever_comes_and_goes(void **state)
{
	struct tally t = {0};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		run(seed, false, &t);
	/* The storm was one. */
	assert_true(t.added > SEEDS / 2);
	assert_true(t.removed > SEEDS / 8);
	assert_true(t.snapshots > SEEDS);
	assert_true(t.led > SEEDS * 8 / 10);
}

static void no_promise_is_broken_over_bad_links(void **state)
{
	struct tally t = {0};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		run(seed, true, &t);
	assert_true(t.led > SEEDS * 8 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_promise_is_broken_whoever_comes_and_goes),
	    cmocka_unit_test(no_promise_is_broken_over_bad_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
