/* `etcdscope sim`: seeds on all cores, in processes that share nothing but a page on which they say
 * where they are.  Process i of n runs every n-th seed, so what is found does not depend on n.
 */
#include "explore/explore.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"
#include "explore/minimise.h"
#include "explore/options.h"

enum { STATUS_FOUND = 1, STATUS_USAGE = 2 };

/* What one process says of itself. */
struct desk {
	_Atomic uint64_t seed; /* under way */
	_Atomic uint64_t done, events, ms, hash;
	_Atomic bool running;
};

struct page {
	_Atomic uint64_t found; /* the smallest seed that fails; UINT64_MAX: none */
	struct desk desks[CORES_MAX];
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- one process ---- */

static void note_found(struct page *p, uint64_t seed)
{
	uint64_t found = p->found;

	while (seed < found && !atomic_compare_exchange_weak(&p->found, &found, seed))
		;
}

static void run_one(struct page *p, struct desk *d, const struct job *j, uint64_t number)
{
	struct seed s;

	d->seed = number;
	seed_draw(&s, number, &j->seed);
	struct seed_result r = seed_run(&s, j->seed.check, NULL);
	seed_free(&s);
	if (r.broken)
		note_found(p, number);
	d->hash += r.hash * (2 * number + 1);
	d->events += r.events;
	d->ms += (uint64_t)r.ms;
	d->done++;
}

static _Noreturn void work(struct page *p, const struct job *j, unsigned i, double start)
{
	struct desk *d = &p->desks[i];

	for (uint64_t n = j->first + i; n <= j->last && n < p->found; n += j->cores) {
		if (j->seconds > 0 && now() - start >= j->seconds)
			break;
		run_one(p, d, j, n);
	}
	d->running = false;
	_exit(0);
}

/* ---- the one that waits for them ---- */

static struct desk total(const struct page *p, unsigned n)
{
	struct desk t = {0};

	for (unsigned i = 0; i < n; i++) {
		t.done += p->desks[i].done;
		t.events += p->desks[i].events;
		t.ms += p->desks[i].ms;
		t.hash += p->desks[i].hash;
	}
	return t;
}

static void progress(const struct page *p, const struct job *j, double start)
{
	struct desk t = total(p, j->cores);
	double s = now() - start;

	fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " seeds, %.0f/s, %.1f M events/s ", t.done,
		j->last - j->first + 1, (double)t.done / s, (double)t.events / s / 1e6);
	fflush(stderr);
}

/* A process that did not say goodbye has crashed, in the seed that it was at. */
static void collect(struct page *p, const struct job *j, const pid_t *pids, double start)
{
	bool terminal = isatty(STDERR_FILENO);
	unsigned left = j->cores;

	while (left) {
		int status;
		pid_t pid = waitpid(-1, &status, terminal ? WNOHANG : 0);
		for (unsigned i = 0; i < j->cores && pid > 0; i++) {
			if (pids[i] != pid)
				continue;
			left--;
			if (p->desks[i].running)
				note_found(p, p->desks[i].seed);
		}
		if (pid < 0 && errno == ECHILD)
			break;
		if (pid == 0) {
			progress(p, j, start);
			nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
		}
	}
	if (terminal)
		fputs("\r\033[K", stderr);
}

static void run_all(struct page *p, const struct job *j, double start)
{
	pid_t pids[CORES_MAX];

	fflush(stdout);
	for (unsigned i = 0; i < j->cores; i++) {
		p->desks[i].running = true;
		pids[i] = fork();
		if (pids[i] < 0)
			die("no process");
		if (pids[i] == 0)
			work(p, j, i, start);
	}
	collect(p, j, pids, start);
}

/* ---- what was found ---- */

static void name_script(const struct job *j, uint64_t seed, struct buf *name)
{
	if (j->out)
		buf_puts(name, j->out);
	else
		buf_printf(name, "sim-%" PRIu64 ".scope", seed);
}

static bool write_script(const char *name, struct seed *s, const struct verdict *v)
{
	struct buf text = {0};
	FILE *f = fopen(name, "w");

	if (!v->signal)
		seed_run(s, true, NULL); /* whom did it hit? */
	seed_print(&text, s, v->signal ? NULL : &v->result);
	bool ok = f && fwrite(buf_str(&text), 1, text.n, f) == text.n;
	if (f && fclose(f) != 0)
		ok = false;
	if (!ok)
		message_printf("sim: %s: %s", name, strerror(errno));
	buf_free(&text);
	return ok;
}

static void report(const struct job *j, uint64_t number)
{
	struct buf name = {0};
	struct seed s;

	seed_draw(&s, number, &j->seed);
	size_t drawn = s.actions.n;
	struct verdict v = seed_minimise(&s, j->seed.check);
	name_script(j, number, &name);
	if (v.signal)
		printf("seed %" PRIu64 ": the program ended with signal %d\n", number, v.signal);
	else if (v.failed)
		printf("seed %" PRIu64 ": %s: %s\n", number, v.result.violation.rule,
		       v.result.violation.text);
	else
		printf("seed %" PRIu64 ": failed once and not again\n", number);
	if (v.failed && write_script(buf_str(&name), &s, &v))
		printf("%zu of its %zu actions show it: %s\n", s.actions.n, drawn, buf_str(&name));
	buf_free(&name);
	seed_free(&s);
}

int explore_main(int argc, char **argv)
{
	struct job j;
	double start = now();

	switch (options_read(argc, argv, &j)) {
	case OPTIONS_HELP:
		return 0;
	case OPTIONS_WRONG:
		return STATUS_USAGE;
	case OPTIONS_READ:
		break;
	}
	struct page *p =
	    mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		die("no shared page");
	p->found = UINT64_MAX;
	run_all(p, &j, start);
	struct desk t = total(p, j.cores);
	uint64_t found = p->found;
	double s = now() - start;
	munmap(p, sizeof *p);
	fprintf(stderr, "%.2f s, %.0f seeds/s, %.2f M events/s, %.0f times real time\n", s,
		(double)t.done / s, (double)t.events / s / 1e6, (double)t.ms / 1000 / s);
	if (found == UINT64_MAX) {
		printf("%" PRIu64 " seeds, %" PRIu64 " events, hash %016" PRIx64
		       ", no rule broken\n",
		       t.done, t.events, t.hash);
		return 0;
	}
	report(&j, found);
	return STATUS_FOUND;
}
