/* Random clusters and faults: seeds of 1000 events in a second, every rule watched or none, and how
 * much faster than the clock the simulated time goes by.
 */
#include "base/die.h"
#include "explore/seed.h"

#include "bench.h"

enum { SEEDS = 200 };

struct figures {
	double seconds, events, virtual_seconds;
};

static struct figures run(bool check)
{
	const struct seed_options o = {.events = 1000, .classes = CLASSES_ALL, .check = check};
	struct figures f = {0};
	double start = bench_cpu();

	for (uint64_t number = 1; number <= SEEDS; number++) {
		struct seed s;
		seed_draw(&s, number, &o);
		struct seed_result r = seed_run(&s, check, NULL);
		check_that(!r.broken);
		f.events += (double)r.events;
		f.virtual_seconds += (double)r.ms / 1000;
		seed_free(&s);
	}
	f.seconds = bench_cpu() - start;
	return f;
}

void bench_seeds(void)
{
	double seeds[BENCH_RUNS_MAX], unchecked[BENCH_RUNS_MAX], events[BENCH_RUNS_MAX],
	    ratio[BENCH_RUNS_MAX];
	size_t n = bench_runs();

	for (size_t i = 0; i < n; i++) {
		struct figures f = run(true);
		seeds[i] = SEEDS / f.seconds;
		events[i] = f.events / f.seconds;
		ratio[i] = f.virtual_seconds / f.seconds;
		unchecked[i] = SEEDS / run(false).seconds;
	}
	bench_report("es.seeds.1000events", seeds, n, 1, "/s");
	bench_report("es.seeds.unchecked", unchecked, n, 1, "/s");
	bench_report("es.seeds.events", events, n, 1, "/s");
	bench_report("es.seeds.realtime", ratio, n, 1, "ratio");
}
