/* A script without a screen, from the file to the printed answers: 100,000 puts, the same verified
 * with their outputs and traces, and a script of mixed commands. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "bench.h"
#include "script/run.h"

enum { COMMANDS = 100000, MIXED = 100000 };

static double wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void write_puts(FILE *f)
{
	for (int i = 0; i < COMMANDS; i++) {
		fprintf(f, "put key%08u ", (unsigned)i);
		for (int b = 0; b < 64; b++)
			putc('a' + (i + b) % 26, f);
		putc('\n', f);
	}
}

static void write_mixed(FILE *f)
{
	for (int i = 0; i < MIXED; i++) {
		int key = (int)((unsigned)i * 2654435761u % 1000);
		switch (i % 8) {
		case 0:
			fprintf(f, "get key%d\n", key);
			break;
		case 1:
			fprintf(f, "get key%d -w json\n", key);
			break;
		case 2:
			fprintf(f, "del key%d\n", key);
			break;
		case 3:
			fprintf(f,
				"txn if 'version(\"key%d\") > \"0\"' then 'get key%d' else 'put "
				"key%d new'\n",
				key, key, key);
			break;
		default:
			fprintf(f, "put key%d value-%d\n", key, i);
		}
	}
}

char *bench_script_file(void (*write)(FILE *))
{
	char *name = strdup("/tmp/etcdscope-bench-XXXXXX");
	int fd = mkstemp(name);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f) {
		perror("etcdscope-bench: /tmp");
		exit(1);
	}
	write(f);
	fclose(f);
	return name;
}

/* Answers go nowhere; what is measured is all up to that. */
static int run_quietly(const struct run_options *o, char *name)
{
	int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	int status = run_files(o, &name, 1);
	dup2(out, STDOUT_FILENO);
	close(out);
	close(null);
	return status;
}

static void measure(const char *metric, const struct run_options *o, char *name, double commands)
{
	double cpu[BENCH_RUNS_MAX], elapsed[BENCH_RUNS_MAX];
	char line[80];

	for (size_t i = 0; i < bench_runs(); i++) {
		double c = bench_cpu(), w = wall();
		if (run_quietly(o, name) != 0) {
			fprintf(stderr, "etcdscope-bench: %s failed\n", metric);
			return;
		}
		cpu[i] = commands / (bench_cpu() - c);
		elapsed[i] = commands / (wall() - w);
	}
	snprintf(line, sizeof line, "script.etcdscope.%s.percpu", metric);
	bench_report(line, cpu, bench_runs(), 1, "/s");
	snprintf(line, sizeof line, "script.etcdscope.%s.wall", metric);
	bench_report(line, elapsed, bench_runs(), 1, "/s");
}

void bench_script(void)
{
	struct run_options o = {.format = "simple", .mode = RUN_PRINT};
	char *puts_file = bench_script_file(write_puts),
	     *mixed_file = bench_script_file(write_mixed);

	config_init(&o.cfg);
	measure("answers", &o, puts_file, COMMANDS);
	measure("mixed", &o, mixed_file, MIXED);
	o.mode = RUN_UPDATE;
	o.trace = TRACE_STORY;
	run_quietly(&o, puts_file);
	o.mode = RUN_VERIFY;
	o.trace = TRACE_NONE;
	measure("verify", &o, puts_file, COMMANDS);
	unlink(puts_file);
	unlink(mixed_file);
	free(puts_file);
	free(mixed_file);
}
