/* Going back in time, and what being able to costs on the way forward.
 *
 * A session of puts over a store of so many MiB: a step back, a jump anywhere, the time that a
 * player adds to each put, and the memory that it keeps for each, against a shell that keeps
 * nothing.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/prng.h"
#include "bench.h"
#include "script/player.h"

enum { SESSION = 10000, LONG_SESSION = 100000, STEPS = 500, JUMPS = 200, VALUE = 1024 };

static void put_line(struct buf *line, size_t i, size_t keys, size_t value)
{
	buf_clear(line);
	buf_printf(line, "put key%08u ", (unsigned)(i * 2654435761u % keys));
	for (size_t b = 0; b < value; b++)
		buf_putc(line, (char)('a' + (i + b) % 26));
}

static void type(struct player *p, struct buf *line)
{
	struct buf err = {0};

	if (player_type(p, buf_bytes(line), &err) != SHELL_OK) {
		fprintf(stderr, "etcdscope-bench: %s: %s\n", buf_str(line), buf_str(&err));
		exit(1);
	}
	buf_free(&err);
}

/* A player whose store holds so many keys before its past begins to count. */
static struct player *session(size_t keys, size_t value, size_t commands)
{
	struct config cfg;
	struct buf line = {0};

	config_init(&cfg);
	struct player *p = player_new(&cfg);
	for (size_t i = 0; i < keys; i++) {
		put_line(&line, i, keys, value);
		type(p, &line);
	}
	for (size_t i = 0; i < commands; i++) {
		put_line(&line, i, keys, 64);
		type(p, &line);
	}
	buf_free(&line);
	return p;
}

static void measure_step(const char *metric, size_t mib)
{
	double samples[BENCH_RUNS_MAX];
	struct player *p = session((mib << 20) / VALUE, VALUE, SESSION);
	struct player_position end = player_end(p);

	for (size_t i = 0; i < bench_runs(); i++) {
		player_seek(p, end);
		double t = bench_cpu();
		for (int k = 0; k < STEPS; k++)
			player_back(p);
		samples[i] = (bench_cpu() - t) / STEPS;
	}
	bench_report(metric, samples, bench_runs(), 1e6, "us");
	player_free(p);
}

static void measure_jump(void)
{
	double samples[BENCH_RUNS_MAX];
	struct player *p = session(1000, 64, LONG_SESSION);
	struct prng r = {1};

	for (size_t i = 0; i < bench_runs(); i++) {
		samples[i] = 0;
		for (int k = 0; k < JUMPS; k++) {
			double t = bench_cpu();
			player_goto(p, 1001 + (size_t)prng_below(&r, LONG_SESSION), 0);
			t = bench_cpu() - t;
			samples[i] = t > samples[i] ? t : samples[i];
		}
	}
	bench_report("es.back.jump.100000", samples, bench_runs(), 1e3, "ms");
	player_free(p);
}

/* --- what it costs forward */

static double bytes_in_use(void)
{
	struct mallinfo2 m = mallinfo2();

	return (double)m.uordblks + (double)m.hblkhd;
}

/* The same commands without a past; *kept gets the bytes that they left. */
static double run_shell(size_t keys, double *kept)
{
	struct config cfg;
	struct buf line = {0}, err = {0};

	config_init(&cfg);
	struct trace *trace = trace_new(TRACE_STORY);
	struct shell *sh = shell_new(&cfg, trace);
	double t = 0, before = 0;
	for (size_t i = 0; i < keys + SESSION; i++) {
		if (i == keys) {
			t = bench_cpu();
			before = bytes_in_use();
		}
		put_line(&line, i, keys, 64);
		buf_clear(&sh->out);
		shell_begin(sh, buf_bytes(&line), &err);
		while (shell_busy(sh))
			shell_step(sh);
	}
	t = bench_cpu() - t;
	*kept = bytes_in_use() - before;
	shell_free(sh);
	trace_free(trace);
	buf_free(&line);
	return t / SESSION;
}

static double run_player(size_t keys, double *kept)
{
	struct player *p = session(keys, 64, 0);
	struct buf line = {0};
	double before = bytes_in_use(), t = bench_cpu();

	for (size_t i = 0; i < SESSION; i++) {
		put_line(&line, i, keys, 64);
		type(p, &line);
	}
	t = bench_cpu() - t;
	*kept = bytes_in_use() - before;
	player_free(p);
	buf_free(&line);
	return t / SESSION;
}

static void measure_forward(void)
{
	double added[BENCH_RUNS_MAX], share[BENCH_RUNS_MAX], kept[BENCH_RUNS_MAX];

	for (size_t i = 0; i < bench_runs(); i++) {
		double without, with;
		double plain = run_shell(10000, &without), t = run_player(10000, &with);
		added[i] = t - plain;
		share[i] = (t - plain) / plain;
		kept[i] = (with - without) / SESSION;
	}
	bench_report("es.back.cost_forward", added, bench_runs(), 1e6, "us");
	bench_report("es.back.cost_forward.share", share, bench_runs(), 100, "%");
	bench_report("es.back.kept", kept, bench_runs(), 1, "bytes");
}

void bench_back(void)
{
	measure_step("es.back.step.4MiB", 4);
	measure_step("es.back.step.64MiB", 64);
	measure_forward();
	measure_jump();
}
