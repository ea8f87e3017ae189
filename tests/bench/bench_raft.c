/* Raft alone: one proposal of 64 bytes until it is applied on all members.  No store, no disk, no
 * delays; every message is delivered in order, every Ready is done at once, log lines are off.
 */
#include "bench.h"

#include <stdio.h>

#include "raft/raft.h"

enum { MEMBERS_MAX = 9, OPERATIONS = 20000, PAYLOAD = 64 };

struct group {
	struct heap *heap;
	size_t n;
	struct storage storage[MEMBERS_MAX];
	struct raft *raft[MEMBERS_MAX];
	uint64_t applied[MEMBERS_MAX];
	VEC(struct message) flight;
};

static void group_init(struct group *g, size_t n)
{
	static const struct entry first = {.term = 1, .index = 1};
	const struct entry *e = &first;
	struct conf_state conf = {.nvoters = (uint8_t)n};

	*g = (struct group){.heap = heap_new(), .n = n};
	for (size_t i = 0; i < n; i++)
		conf.voters[i] = i + 1;
	for (size_t i = 0; i < n; i++) {
		struct raft_config cfg = {
		    .id = i + 1,
		    .election_tick = 10,
		    .heartbeat_tick = 1,
		    .seed = 1,
		    .max_size_per_msg = 1 << 20,
		    .max_committed_size_per_ready = UINT64_MAX,
		    .max_inflight_msgs = 512,
		    .check_quorum = true,
		    .pre_vote = true,
		};

		storage_init(&g->storage[i]);
		g->storage[i].snapshot.conf = conf;
		g->storage[i].hard_state = (struct hard_state){.term = 1, .commit = 1};
		storage_append(&g->storage[i], g->heap, &e, 1);
		g->raft[i] = raft_new(&cfg, &g->storage[i], g->heap, (struct raft_logger){0});
		raft_start_settled(g->raft[i], 1);
	}
}

static void group_free(struct group *g)
{
	for (size_t i = 0; i < g->n; i++)
		raft_free(g->raft[i]);
	vec_free(&g->flight);
	heap_free(g->heap);
}

static void do_ready(struct group *g, size_t i)
{
	struct ready rd;

	raft_ready(g->raft[i], &rd);
	if (rd.has_hard_state)
		g->storage[i].hard_state = rd.hard_state;
	storage_append(&g->storage[i], g->heap, rd.entries, rd.nentries);
	for (size_t k = 0; k < rd.ncommitted; k++)
		g->applied[i] = rd.committed[k]->index;
	for (size_t k = 0; k < rd.nmessages; k++)
		vec_push(&g->flight, rd.messages[k]);
	raft_advance(g->raft[i]);
}

static void settle(struct group *g)
{
	bool busy = true;

	while (busy) {
		busy = false;
		for (size_t i = 0; i < g->n; i++) {
			if (!raft_has_ready(g->raft[i]))
				continue;
			do_ready(g, i);
			busy = true;
		}
		for (size_t i = 0; i < g->flight.n; i++)
			raft_step(g->raft[g->flight.v[i].to - 1], &g->flight.v[i]);
		g->flight.n = 0;
	}
}

static void put(struct group *g)
{
	static const char payload[PAYLOAD];
	const struct entry e = {.data = payload, .size = PAYLOAD, .has_data = true};

	raft_propose(g->raft[0], &e);
	settle(g);
	for (size_t i = 0; i < g->n; i++)
		check_that(g->applied[i] == raft_last_index(g->raft[0]));
}

void bench_raft_count(size_t n)
{
	struct group g;

	group_init(&g, 3);
	for (size_t i = 0; i < n; i++)
		put(&g);
	group_free(&g);
}

static double seconds_per_put(size_t members)
{
	struct group g;

	group_init(&g, members);
	put(&g);
	double start = bench_cpu();

	for (size_t i = 0; i < OPERATIONS; i++)
		put(&g);
	double elapsed = bench_cpu() - start;

	group_free(&g);
	return elapsed / OPERATIONS;
}

void bench_raft(void)
{
	static const size_t sizes[] = {3, 5, 9};
	double samples[BENCH_RUNS_MAX];
	char metric[32];

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		for (size_t run = 0; run < bench_runs(); run++)
			samples[run] = seconds_per_put(sizes[s]);
		snprintf(metric, sizeof metric, "es.raft.put.N%zu", sizes[s]);
		bench_report(metric, samples, bench_runs(), 1e6, "us");
	}
}
