/* etcdscope-bench [NAME...]: all layers, or those named (raft, store, cluster, script, back,
 * seeds, start).
 * etcdscope-bench count OPERATION N: N operations and nothing else, for counting instructions
 * (count.sh).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

static const struct layer {
	const char *name;
	void (*run)(void);
} layers[] = {
    /* first: what it starts would inherit how much memory this program has had */
    {.name = "start", .run = bench_start},   {.name = "raft", .run = bench_raft},
    {.name = "store", .run = bench_store},   {.name = "cluster", .run = bench_cluster},
    {.name = "script", .run = bench_script}, {.name = "back", .run = bench_back},
    {.name = "seeds", .run = bench_seeds},
};

double bench_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

size_t bench_runs(void)
{
	const char *s = getenv("RUNS");
	unsigned long n = s ? strtoul(s, NULL, 10) : 3;

	return n < 1 ? 1 : n > BENCH_RUNS_MAX ? BENCH_RUNS_MAX : n;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void bench_report(const char *metric, double *samples, size_t n, double scale, const char *unit)
{
	qsort(samples, n, sizeof *samples, by_value);
	printf("%s %.6g %s\n", metric, samples[n / 2] * scale, unit);
	if (getenv("SPREAD")) {
		printf("%s.min %.6g %s\n", metric, samples[0] * scale, unit);
		printf("%s.max %.6g %s\n", metric, samples[n - 1] * scale, unit);
	}
	fflush(stdout);
}

static int count(const char *operation, size_t n)
{
	static const char *const store[] = {"put.new", "update", "get",
					    "range",   "replay", "restore"};
	const char *in_store = strncmp(operation, "store.", 6) == 0 ? operation + 6 : "";

	for (size_t i = 0; i < sizeof store / sizeof *store; i++)
		if (strcmp(in_store, store[i]) == 0) {
			bench_store_count(in_store, n);
			return 0;
		}
	if (strcmp(operation, "put.all3") == 0)
		bench_cluster_count(n);
	else if (strcmp(operation, "raft.put.N3") == 0)
		bench_raft_count(n);
	else {
		fprintf(stderr, "etcdscope-bench: count put.all3, raft.put.N3, or store. and "
				"put.new, update, get, "
				"range, replay or restore\n");
		return 2;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "count") == 0)
		return count(argv[2], strtoul(argv[3], NULL, 10));
	for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
		bool wanted = argc == 1;

		for (int a = 1; a < argc; a++)
			wanted |= strcmp(argv[a], layers[i].name) == 0;
		if (wanted)
			layers[i].run();
	}
	return 0;
}
