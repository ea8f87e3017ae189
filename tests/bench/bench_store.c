/* One member's store under exactly the workload of the peers' rig: N keys of 11 bytes in scattered
 * order, values of 64 bytes, then updates, reads, deletes, a restart and a compaction.
 */
#include <stdint.h>
#include <stdio.h>

#include "base/die.h"
#include "mvcc/mvcc.h"
#include "watch/watchable.h"

#include "bench.h"

enum { KEY = 11, VALUE = 64, GETS = 20000, RANGES = 500, GROUP = 100, MEMBERS = 3, FIGURES = 9 };

static const char *const figures[FIGURES] = {"put.new",	  "put.update",	    "get.latest",
					     "get.atrev", "range.perkey",   "watch.replay",
					     "delete",	  "restore.perrow", "compact.perrow"};

struct rig {
	struct heap *heap;
	struct mvcc m[MEMBERS];
	size_t n; /* keys */
	size_t updates;
	char *keys;
	char value[VALUE];
	uint32_t random;
};

/* Key i is "/g<i / 100, 6 digits>/<i % 100, 2 digits>". */
static void make_key(char *k, size_t i)
{
	memcpy(k, "/g000000/00", KEY);
	for (size_t p = 10, v = i % GROUP; v; v /= 10)
		k[p--] = (char)('0' + v % 10);
	for (size_t p = 7, v = i / GROUP; v; v /= 10)
		k[p--] = (char)('0' + v % 10);
}

static struct bytes key_of(const struct rig *g, size_t i)
{
	return (struct bytes){g->keys + i * KEY, KEY};
}

static size_t pick(struct rig *g)
{
	g->random ^= g->random << 13;
	g->random ^= g->random >> 17;
	g->random ^= g->random << 5;
	return g->random % (uint32_t)g->n;
}

static void rig_init(struct rig *g, size_t n)
{
	*g = (struct rig){.heap = heap_new(), .n = n, .random = 12345};
	g->updates = n < 10000 ? 10000 : n > 100000 ? 100000 : n;
	g->keys = xmalloc(n * KEY);
	for (size_t i = 0; i < n; i++)
		make_key(g->keys + i * KEY, i);
	memset(g->value, 'v', VALUE);
	for (size_t i = 0; i < MEMBERS; i++)
		mvcc_init(&g->m[i], g->heap);
}

static void rig_free(struct rig *g)
{
	heap_free(g->heap);
	free(g->keys);
}

/* One entry applied by the given number of members; several share its rows. */
static void put(struct rig *g, size_t key, size_t members)
{
	struct row_memo memo = {0};

	for (size_t i = 0; i < members; i++) {
		struct mvcc_txn t;
		mvcc_txn_begin(&t, &g->m[i], members > 1 ? &memo : NULL);
		mvcc_txn_put(&t, key_of(g, key), (struct bytes){g->value, VALUE}, 0);
		mvcc_txn_end(&t);
		mvcc_txn_free(&t);
	}
}

static void fill(struct rig *g, size_t members)
{
	for (size_t i = 0; i < g->n; i++)
		put(g, (size_t)((uint64_t)i * 7919 % g->n), members);
}

static void update(struct rig *g, size_t members)
{
	for (size_t i = 0; i < g->updates; i++)
		put(g, pick(g), members);
}

static void gets(struct rig *g, int64_t rev, size_t n)
{
	char out[VALUE];

	for (size_t i = 0; i < n; i++) {
		const struct row *r = mvcc_get(&g->m[0], key_of(g, pick(g)), rev);
		check_that(r && r->value_len == VALUE);
		memcpy(out, row_value(r).p, VALUE);
		__asm__ volatile("" : : "r"(out) : "memory");
	}
}

/* So many times all keys of a group, their values read; returns how many. */
static size_t ranges(struct rig *g, size_t n)
{
	char out[VALUE], end[9];
	size_t got = 0;
	struct row_list l = {0};

	for (size_t i = 0; i < n; i++) {
		struct bytes from = {key_of(g, pick(g) / GROUP * GROUP).p, sizeof end};
		memcpy(end, from.p, sizeof end);
		end[sizeof end - 1]++;
		l.rows.n = 0;
		mvcc_range(&g->m[0], (struct key_range){from, {end, sizeof end}}, 0, 0, &l);
		for (size_t k = 0; k < l.rows.n; k++) {
			memcpy(out, row_value(l.rows.v[k]).p, VALUE);
			__asm__ volatile("" : : "r"(out) : "memory");
		}
		got += l.rows.n;
	}
	vec_free(&l.rows);
	check_that(got == n * GROUP);
	return got;
}

/* A watcher of every key that begins at revision 2, until it is synced. */
static void replay(struct rig *g)
{
	struct watchable w;
	size_t events = 0;

	watchable_init(&w, g->heap);
	watchable_add(&w, &g->m[0],
		      (struct watcher){.id = 1, .range = {{"", 1}, {"", 1}}, .start_rev = 2});
	while (watchable_sync(&w, &g->m[0])) {
		for (size_t i = 0; i < w.queue.n; i++)
			events += w.queue.v[i].nevents;
		w.queue.n = 0;
	}
	check_that(events == mvcc_row_count(&g->m[0]));
	watchable_free(&w);
}

static size_t deletes(struct rig *g)
{
	for (size_t i = 0; i < g->n / 10; i++) {
		struct mvcc_txn t;
		mvcc_txn_begin(&t, &g->m[0], NULL);
		mvcc_txn_delete_range(&t, (struct key_range){.key = key_of(g, i * 10)});
		mvcc_txn_end(&t);
		mvcc_txn_free(&t);
	}
	return g->n / 10;
}

/* Seconds since *t for each of so many operations, in nanoseconds; *t is set anew. */
static double lap(double *t, size_t operations)
{
	double now = bench_cpu(), each = (now - *t) / (double)operations * 1e9;

	*t = bench_cpu();
	return each;
}

static void once(size_t n, double ns[FIGURES])
{
	struct rig g;

	rig_init(&g, n);
	double t = bench_cpu();
	fill(&g, 1);
	ns[0] = lap(&t, n);
	int64_t at = g.m[0].current_rev;
	update(&g, 1);
	ns[1] = lap(&t, g.updates);
	gets(&g, 0, GETS);
	ns[2] = lap(&t, GETS);
	gets(&g, at, GETS);
	ns[3] = lap(&t, GETS);
	ns[4] = lap(&t, ranges(&g, RANGES));
	replay(&g);
	ns[5] = lap(&t, n + g.updates);
	ns[6] = lap(&t, deletes(&g));
	size_t rows = mvcc_row_count(&g.m[0]);
	mvcc_restore(&g.m[0]);
	ns[7] = lap(&t, rows);
	check_that(mvcc_compact(&g.m[0], g.m[0].current_rev, NULL) == ERR_NONE);
	ns[8] = lap(&t, rows);
	rig_free(&g);
}

static void times(size_t n)
{
	size_t runs = bench_runs();
	double all[FIGURES][BENCH_RUNS_MAX], ns[FIGURES];
	char name[64];

	for (size_t r = 0; r < runs; r++) {
		once(n, ns);
		for (size_t f = 0; f < FIGURES; f++)
			all[f][r] = ns[f];
	}
	for (size_t f = 0; f < FIGURES; f++) {
		snprintf(name, sizeof name, "es.store.%s.%zu", figures[f], n);
		bench_report(name, all[f], runs, 1, "ns");
	}
}

void bench_store_count(const char *operation, size_t n)
{
	struct rig g;

	rig_init(&g, n);
	g.updates = n;
	fill(&g, 1);
	if (strcmp(operation, "update") == 0)
		update(&g, 1);
	else if (strcmp(operation, "get") == 0)
		gets(&g, 0, n);
	else if (strcmp(operation, "range") == 0)
		ranges(&g, n / GROUP);
	else if (strcmp(operation, "replay") == 0)
		replay(&g);
	else if (strcmp(operation, "restore") == 0)
		mvcc_restore(&g.m[0]);
	else /* "put.new" is the filling alone */
		check_that(strcmp(operation, "put.new") == 0);
	rig_free(&g);
}

/* What is there only because of the store: its part of the heap. */
static void memory(const char *name, size_t members)
{
	struct rig g;

	rig_init(&g, 100000);
	fill(&g, members);
	update(&g, members);
	double bytes = (double)g.heap->used / (double)mvcc_row_count(&g.m[0]);
	bench_report(name, &bytes, 1, 1, "bytes");
	rig_free(&g);
}

/* ---- watchers that a put does not concern, and one that it does ---- */

/* Nanoseconds of an update with so many watchers on single other keys. */
static double watched_puts(size_t watchers, bool in_range)
{
	struct rig g;
	struct watchable w;

	rig_init(&g, 20000);
	fill(&g, 1);
	watchable_init(&w, g.heap);
	for (size_t i = 0; i < watchers; i++)
		watchable_add(&w, &g.m[0],
			      (struct watcher){.id = i, .range = {.key = key_of(&g, i)}});
	if (in_range)
		watchable_add(&w, &g.m[0],
			      (struct watcher){.id = watchers, .range = {{"/g0001", 6}, {"", 1}}});
	w.queue.n = 0;
	double t = bench_cpu();
	for (size_t i = 0; i < GETS; i++) {
		struct mvcc_txn txn;
		mvcc_txn_begin(&txn, &g.m[0], NULL);
		mvcc_txn_put(&txn, key_of(&g, 10000 + pick(&g) / 2), (struct bytes){g.value, VALUE},
			     0);
		watchable_notify(&w, &g.m[0], txn.changes.v, txn.changes.n);
		mvcc_txn_end(&txn);
		mvcc_txn_free(&txn);
		check_that(w.queue.n == in_range);
		w.queue.n = 0;
	}
	double ns = lap(&t, GETS);
	watchable_free(&w);
	rig_free(&g);
	return ns;
}

static void watched(size_t watchers, bool in_range)
{
	double ns[BENCH_RUNS_MAX];
	char name[64];

	for (size_t r = 0; r < bench_runs(); r++)
		ns[r] = watched_puts(watchers, in_range);
	snprintf(name, sizeof name, "es.store.put.watchers%zu%s", watchers,
		 in_range ? ".inrange" : "");
	bench_report(name, ns, bench_runs(), 1, "ns");
}

void bench_store(void)
{
	times(1000);
	times(100000);
	times(1000000);
	memory("es.store.bytes_per_row.100000", 1);
	memory("es.store.bytes_per_row3.100000", MEMBERS);
	for (int in_range = 0; in_range < 2; in_range++) {
		watched(0, in_range);
		watched(100, in_range);
		watched(10000, in_range);
	}
}
