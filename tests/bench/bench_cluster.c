/* A put through the whole world: a client's request, Raft on three members, their WALs and stores,
 * a reply.
 *
 * The workload is that of the peers' figures: keys of 11 bytes, values of 64, first each key once,
 * then updates of keys in scattered order, one request at a time, run until nothing more can happen
 * at that instant.  Every invariant is checked after every event, and as in a session a checkpoint
 * is kept every CHECKPOINT_EVERY puts, so that both are in the figure; `nocheck` and `nohistory`
 * are the same without the one and without the other.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "check/check.h"
#include "sim/sim.h"

enum {
	KEY_LENGTH = 11,
	VALUE_LENGTH = 64,
	CHECKPOINT_EVERY = 256,
	CHECKPOINTS_KEPT = 32,
};

struct rig {
	struct world *w;
	struct checker *checker;	      /* NULL: invariants are off */
	struct world *kept[CHECKPOINTS_KEPT]; /* a ring */
	struct checker *kept_checker[CHECKPOINTS_KEPT];
	size_t puts;
	size_t nkeys;
	bool history;
};

enum { NO_HISTORY = 1, NO_CHECK = 2 };

static void rig_open(struct rig *r, size_t nkeys, int without)
{
	struct config cfg;

	config_init(&cfg);
	*r = (struct rig){.w = world_new(&cfg, NULL), .nkeys = nkeys};
	r->history = !(without & NO_HISTORY);
	r->checker = without & NO_CHECK ? NULL : check_new(r->w);
}

static void drop_checkpoint(struct rig *r, size_t i)
{
	if (r->kept_checker[i])
		check_free(r->kept_checker[i]);
	if (r->kept[i])
		world_free(r->kept[i]);
}

static void rig_close(struct rig *r)
{
	for (size_t i = 0; i < CHECKPOINTS_KEPT; i++)
		drop_checkpoint(r, i);
	if (r->checker)
		check_free(r->checker);
	world_free(r->w);
}

static void checkpoint(struct rig *r)
{
	size_t i = r->puts / CHECKPOINT_EVERY % CHECKPOINTS_KEPT;

	drop_checkpoint(r, i);
	r->kept[i] = world_copy(r->w);
	r->kept_checker[i] = r->checker ? check_copy(r->checker) : NULL;
}

static void settle(struct rig *r)
{
	while (sim_step(r->w))
		check_that(!r->checker || check_step(r->checker, r->w));
}

/* The workload is made without printf, so that it hardly counts.
 * The i-th key in scattered order: an odd number walks through all residues. */
static void make_key(char key[KEY_LENGTH], size_t i, size_t nkeys)
{
	size_t n = i * 2654435761u % nkeys;

	memcpy(key, "key", 3);
	for (size_t d = KEY_LENGTH; d-- > 3; n /= 10)
		key[d] = (char)('0' + n % 10);
}

static const char *make_value(size_t i)
{
	static const char alphabets[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
					"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";

	return alphabets + i % 26;
}

static void put(struct rig *r, size_t i)
{
	char key[KEY_LENGTH];
	const char *value = make_value(i);
	const struct call_options options = {.timeout_ms = 5000};

	make_key(key, i, r->nkeys);
	struct request *req = heap_alloc(r->w->heap, sizeof *req);
	*req = (struct request){
	    .kind = REQ_PUT,
	    .put = {.key = {.p = heap_dup(r->w->heap, key, KEY_LENGTH), .n = KEY_LENGTH},
		    .value = {.p = heap_dup(r->w->heap, value, VALUE_LENGTH), .n = VALUE_LENGTH}},
	};
	sim_call(r->w, req, &options);
	settle(r);
	r->puts++;
	if (r->history && r->puts % CHECKPOINT_EVERY == 0)
		checkpoint(r);
}

static void puts_from(struct rig *r, size_t first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(r, first + i);
}

/* Everything must have been applied everywhere, else the figure means nothing. */
static void must_be_applied(const struct rig *r)
{
	for (unsigned m = 1; m <= r->w->nmembers; m++)
		check_that(world_member(r->w, m)->store.current_rev == (int64_t)r->puts + 1);
}

static void report(const char *metric, size_t nkeys, size_t nputs, int without)
{
	double us[BENCH_RUNS_MAX];
	size_t runs = bench_runs();
	struct rig r;

	rig_open(&r, nkeys, without);
	puts_from(&r, 0, nkeys);
	for (size_t i = 0; i < runs; i++) {
		double before = bench_cpu();
		puts_from(&r, r.puts, nputs);
		us[i] = (bench_cpu() - before) / (double)nputs;
	}
	must_be_applied(&r);
	rig_close(&r);
	bench_report(metric, us, runs, 1e6, "us");
}

/* A log of 100,000 entries over 1,000 keys. */
static void report_long_log(void)
{
	double us[BENCH_RUNS_MAX];
	size_t runs = bench_runs(), nputs = 10000;
	struct rig r;

	rig_open(&r, 1000, 0);
	puts_from(&r, 0, 100000);
	for (size_t i = 0; i < runs; i++) {
		double before = bench_cpu();
		puts_from(&r, r.puts, nputs);
		us[i] = (bench_cpu() - before) / (double)nputs;
	}
	must_be_applied(&r);
	rig_close(&r);
	bench_report("es.put.all3.log100000", us, runs, 1e6, "us");
}

static void report_events(void)
{
	double ns[BENCH_RUNS_MAX];
	size_t runs = bench_runs();
	struct rig r;

	rig_open(&r, 1000, 0);
	puts_from(&r, 0, 1000);
	for (size_t i = 0; i < runs; i++) {
		uint64_t events = r.w->events;
		double before = bench_cpu();
		puts_from(&r, r.puts, 10000);
		ns[i] = (bench_cpu() - before) / (double)(r.w->events - events);
	}
	rig_close(&r);
	bench_report("es.event", ns, runs, 1e9, "ns");
}

/* From nothing to the first put answered, a world in its start state being elected already. */
static void report_start(void)
{
	double ms[BENCH_RUNS_MAX];
	size_t runs = bench_runs();

	for (size_t i = 0; i < runs; i++) {
		double before = bench_cpu();
		struct rig r;

		rig_open(&r, 1, 0);
		put(&r, 0);
		ms[i] = bench_cpu() - before;
		must_be_applied(&r);
		rig_close(&r);
	}
	bench_report("es.cluster.start", ms, runs, 1e3, "ms");
}

void bench_cluster(void)
{
	report("es.put.all3.1000", 1000, 20000, 0);
	report("es.put.all3.100000", 100000, 20000, 0);
	report("es.put.all3.1000000", 1000000, 20000, 0);
	report_long_log();
	report("es.put.nohistory", 1000, 20000, NO_HISTORY);
	report("es.put.nocheck", 1000, 20000, NO_CHECK);
	report_events();
	report_start();
}

void bench_cluster_count(size_t n)
{
	struct rig r;

	rig_open(&r, 1000, 0);
	puts_from(&r, 0, 1000 + n);
	must_be_applied(&r);
	rig_close(&r);
}
