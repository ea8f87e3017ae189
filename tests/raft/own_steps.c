/* Directives of our own, for what the suite does not reach: a Ready that takes time, the start
 * state of a lesson, chance. */
#include "env.h"

/* take-ready ID: takes the next Ready and prints it; nothing of it is done yet. */
const char *take_ready(struct env *e, const struct dd_case *c)
{
	struct ready rd;

	raft_ready(env_node(e, arg_number(c, 0))->raft, &rd);
	print_ready(&e->out, &rd);
	return NULL;
}

/* finish-ready ID: does its work, and Advance. */
const char *finish_ready(struct env *e, const struct dd_case *c)
{
	struct node *n = env_node(e, arg_number(c, 0));
	struct ready rd;

	if (!raft_ready_under_way(n->raft, &rd))
		return "no Ready is under way";
	return do_ready(e, n, &rd);
}

/* has-ready ID */
const char *has_ready_directive(struct env *e, const struct dd_case *c)
{
	bool has = raft_has_ready(env_node(e, arg_number(c, 0))->raft);

	buf_puts(&e->out, has ? "true" : "false");
	return NULL;
}

/* add-settled N leader=L: members with the entry 1 of term 1, committed and applied. */
const char *add_settled(struct env *e, const struct dd_case *c)
{
	static const struct entry first = {.term = 1, .index = 1};
	const struct entry *entry = &first;
	struct raft_config cfg = parse_config(c);
	struct snapshot conf = {0};
	uint64_t count = arg_number(c, 0), leader = option_number(c, "leader", 1);
	enum log_level level = e->level;

	for (uint64_t id = 1; id <= count; id++)
		conf_set_add(conf.conf.voters, &conf.conf.nvoters, id);
	e->level = LOG_NONE;
	for (uint64_t i = 0; i < count; i++) {
		struct node *n = new_node(e, &cfg, &conf);

		n->storage.snapshot.conf = conf.conf;
		n->storage.hard_state = (struct hard_state){.term = 1, .commit = 1};
		storage_append(&n->storage, e->heap, &entry, 1);
		n->raft = raft_new(&n->config, &n->storage, e->heap, env_logger(e));
		raft_start_settled(n->raft, leader);
	}
	env_set_level(e, level);
	return NULL;
}

/* clock ID: the member's clocks, in ticks. */
const char *show_clock(struct env *e, const struct dd_case *c)
{
	const struct raft *r = env_node(e, arg_number(c, 0))->raft;

	buf_printf(&e->out, "election %" PRIu32 " of %" PRIu32, raft_election_elapsed(r),
		   raft_randomized_timeout(r));
	return NULL;
}

/* show ID: the member's indexes. */
const char *show_indexes(struct env *e, const struct dd_case *c)
{
	const struct raft *r = env_node(e, arg_number(c, 0))->raft;

	buf_printf(&e->out,
		   "term " U64 " vote " U64 " first " U64 " applied " U64 " commit " U64
		   " stable " U64 " last " U64,
		   raft_term(r), raft_vote(r), raft_first_index(r), raft_applied(r), raft_commit(r),
		   raft_stable_index(r), raft_last_index(r));
	return NULL;
}

enum { DRAWS = 200 };

/* What a member draws at its role changes: a lone member that campaigns over and over. */
static void draw(uint32_t *out, uint64_t id, uint64_t seed, uint32_t election_tick)
{
	struct heap *h = heap_new();
	struct storage s;
	struct raft_config cfg = {.id = id,
				  .seed = seed,
				  .election_tick = election_tick,
				  .heartbeat_tick = 1,
				  .max_inflight_msgs = 1};

	storage_init(&s);
	s.snapshot.conf.voters[0] = id;
	s.snapshot.conf.voters[1] = id + 1;
	s.snapshot.conf.nvoters = 2;
	struct raft *r = raft_new(&cfg, &s, h, (struct raft_logger){0});

	for (size_t i = 0; i < DRAWS; i++) {
		raft_campaign(r);
		out[i] = raft_randomized_timeout(r);
	}
	raft_free(r);
	heap_free(h);
}

static size_t count_different(const uint32_t *v)
{
	size_t n = 0;

	for (size_t i = 0; i < DRAWS; i++) {
		size_t k = 0;

		while (v[k] != v[i])
			k++;
		n += k == i;
	}
	return n;
}

/* draw-timeouts ID seed=S election-tick=T */
const char *draw_timeouts(struct env *e, const struct dd_case *c)
{
	uint64_t id = arg_number(c, 0), seed = option_number(c, "seed", 1);
	uint32_t ticks = (uint32_t)option_number(c, "election-tick", 10);
	uint32_t v[DRAWS], again[DRAWS], other_id[DRAWS], other_seed[DRAWS], min = UINT32_MAX,
									     max = 0;

	draw(v, id, seed, ticks);
	draw(again, id, seed, ticks);
	draw(other_id, id + 1, seed, ticks);
	draw(other_seed, id, seed + 1, ticks);
	for (size_t i = 0; i < DRAWS; i++) {
		min = v[i] < min ? v[i] : min;
		max = v[i] > max ? v[i] : max;
	}
	buf_printf(&e->out, "%" PRIu32 " to %" PRIu32 ", %zu different\n", min, max,
		   count_different(v));
	buf_printf(&e->out, "again the same: %s\n", memcmp(v, again, sizeof v) ? "no" : "yes");
	buf_printf(&e->out, "another member the same: %s\n",
		   memcmp(v, other_id, sizeof v) ? "no" : "yes");
	buf_printf(&e->out, "another seed the same: %s\n",
		   memcmp(v, other_seed, sizeof v) ? "no" : "yes");
	return NULL;
}
