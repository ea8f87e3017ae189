/* The program from its start to its end, as a shell script pays for it: ten lines beside `true`,
 * which does nothing; and what a script needs of memory that is read as a stream. */
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { STARTS = 20, COMMENTS = 10000000 };

extern char **environ;

static const char ten_lines[] = "put a 1\nput b 2\nget a\nget b\ndel a\nget --prefix ''\n"
				"put c 3\ntxn if 'value(\"c\") = \"3\"' then 'put d 4'\n"
				"get d\nlease grant 60\n";

static void write_ten_lines(FILE *f)
{
	fputs(ten_lines, f);
}

static void write_comments(FILE *f)
{
	for (int i = 0; i < COMMENTS; i++)
		fputs("# nobody keeps this line\n", f);
	fputs("put a 1\n", f);
}

/* The program lies beside this one. */
static void find_program(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	path[n > 0 ? n : 0] = 0;
	char *slash = strrchr(path, '/');
	snprintf(slash ? slash + 1 : path, size - (size_t)(slash ? slash + 1 - path : 0),
		 "etcdscope");
}

/* What a process took, whose answers go nowhere. */
static struct rusage run(char *const *argv)
{
	posix_spawn_file_actions_t quiet;
	struct rusage took = {0};
	int status = 1;
	pid_t pid;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
	if (posix_spawnp(&pid, argv[0], &quiet, NULL, argv, environ) != 0 ||
	    wait4(pid, &status, 0, &took) < 0 || status != 0) {
		fprintf(stderr, "etcdscope-bench: %s failed\n", argv[0]);
		exit(1);
	}
	posix_spawn_file_actions_destroy(&quiet);
	return took;
}

static double cpu_ms(const struct rusage *r)
{
	return (double)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) * 1e3 +
	       (double)(r->ru_utime.tv_usec + r->ru_stime.tv_usec) / 1e3;
}

/* The least of STARTS, for each sample. */
static void report_cpu(const char *metric, char *const *argv)
{
	double ms[BENCH_RUNS_MAX];

	for (size_t i = 0; i < bench_runs(); i++) {
		ms[i] = 1e9;
		for (int k = 0; k < STARTS; k++) {
			struct rusage r = run(argv);
			ms[i] = cpu_ms(&r) < ms[i] ? cpu_ms(&r) : ms[i];
		}
	}
	bench_report(metric, ms, bench_runs(), 1, "ms");
}

static void report_memory(const char *metric, char *const *argv)
{
	struct rusage r = run(argv);
	double kib = (double)r.ru_maxrss;

	bench_report(metric, &kib, 1, 1, "KiB");
}

void bench_start(void)
{
	char program[PATH_MAX], *ten = bench_script_file(write_ten_lines),
				*long_one = bench_script_file(write_comments);
	char *nothing[] = {(char[]){"true"}, NULL};
	char *script[] = {program, (char[]){"run"}, ten, NULL};
	char *stream[] = {program, (char[]){"run"}, long_one, NULL};

	find_program(program, sizeof program);
	report_cpu("start.true", nothing);
	report_cpu("start.etcdscope.ten", script);
	report_memory("start.etcdscope.ten.rss", script);
	report_memory("start.etcdscope.stream10000000.rss", stream);
	unlink(ten);
	unlink(long_one);
	free(ten);
	free(long_one);
}
