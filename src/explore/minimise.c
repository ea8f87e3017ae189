/* Delta debugging (Zeller and Hildebrandt, 2002), without its complements: pieces of half the
 * schedule, of a quarter, ... of one action are left out where it still fails; then events between
 * actions.
 */
#include "explore/minimise.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static bool read_all(int fd, void *p, size_t n)
{
	char *at = p;

	while (n) {
		ssize_t got = read(fd, at, n);
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

/* The child's rule is a pointer into the same program, so it means the same here. */
static _Noreturn void child(struct seed *s, bool check, int fd)
{
	struct seed_result r;

	alarm(20); /* a run that never ends is a failure too */
	r = seed_run(s, check, NULL);
	_exit(write(fd, &r, sizeof r) == (ssize_t)sizeof r ? 0 : 3);
}

struct verdict seed_try(struct seed *s, bool check)
{
	struct verdict v = {0};
	int fd[2], status = 0;

	if (pipe(fd) != 0)
		die("no pipe");
	pid_t pid = fork();
	if (pid < 0)
		die("no process");
	if (pid == 0) {
		close(fd[0]);
		child(s, check, fd[1]);
	}
	close(fd[1]);
	bool whole = read_all(fd[0], &v.result, sizeof v.result);
	close(fd[0]);
	waitpid(pid, &status, 0);
	v.failed = !whole || v.result.broken;
	if (!whole)
		v.signal = WIFSIGNALED(status) ? WTERMSIG(status) : SIGABRT;
	return v;
}

static bool same_failure(const struct verdict *a, const struct verdict *b)
{
	return b->failed && a->signal == b->signal &&
	       (a->signal || strcmp(a->result.violation.rule, b->result.violation.rule) == 0);
}

/* Leaves out n actions from i on; the events before them stay.  True if it still fails. */
static bool leave_out(struct seed *s, size_t i, size_t n, bool check, struct verdict *v)
{
	bool tail = i + n == s->actions.n;
	struct seed shorter = *s;
	uint32_t events = 0;

	if (tail && n == 1 && s->actions.v[i].kind == ACT_NOTHING)
		return false; /* it holds the last events */
	vec_copy(&shorter.actions, &s->actions);
	for (size_t k = i; k < i + n; k++)
		events += s->actions.v[k].events;
	memmove(shorter.actions.v + i, shorter.actions.v + i + n,
		(shorter.actions.n - i - n) * sizeof *shorter.actions.v);
	shorter.actions.n -= n;
	if (tail)
		vec_push(&shorter.actions, (struct action){.events = events});
	else
		shorter.actions.v[i].events += events;
	struct verdict now = seed_try(&shorter, check);
	if (!same_failure(v, &now)) {
		vec_free(&shorter.actions);
		return false;
	}
	vec_free(&s->actions);
	*s = shorter;
	*v = now;
	return true;
}

static bool with_events(struct seed *s, size_t i, uint32_t events, bool check, struct verdict *v)
{
	uint32_t was = s->actions.v[i].events;

	s->actions.v[i].events = events;
	struct verdict now = seed_try(s, check);
	if (same_failure(v, &now)) {
		*v = now;
		return true;
	}
	s->actions.v[i].events = was;
	return false;
}

static void fewer_events(struct seed *s, bool check, struct verdict *v)
{
	for (size_t i = 0; i < s->actions.n; i++)
		for (uint32_t part = s->actions.v[i].events; part > 0; part /= 2)
			while (s->actions.v[i].events >= part &&
			       with_events(s, i, s->actions.v[i].events - part, check, v))
				;
}

/* What comes after the failure does not matter. */
static void cut_tail(struct seed *s, const struct verdict *v)
{
	uint64_t events = 0;

	if (v->signal || strcmp(v->result.violation.rule, "Members Come To Agree") == 0)
		return;
	for (size_t i = 0; i < s->actions.n; i++) {
		events += s->actions.v[i].events;
		if (events < v->result.steps)
			continue;
		s->actions.v[i].kind = ACT_NOTHING;
		s->actions.n = i + 1;
		s->settles = false;
	}
}

struct verdict seed_minimise(struct seed *s, bool check)
{
	struct verdict v = seed_try(s, check);

	if (!v.failed)
		return v;
	cut_tail(s, &v);
	for (size_t n = s->actions.n / 2; n > 0; n /= 2)
		for (size_t i = 0; i + n <= s->actions.n;)
			if (!leave_out(s, i, n, check, &v))
				i += n;
	fewer_events(s, check, &v);
	for (size_t i = 0; i < s->actions.n;)
		if (!leave_out(s, i, 1, check, &v))
			i++;
	return v;
}
