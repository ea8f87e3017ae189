/* Processes that stand still (SIGSTOP) and go on (SIGCONT).
 *
 * A process that stands still does nothing: no tick, no work of its own, no limit.  The network
 * does not know: connections stay open, and what is sent to it waits in buffers.  When it goes on
 * it does first what it was about to do, then reads what has come, in order; its clock finds that
 * time has passed, but ticks that were missed are not made up for (Go's ticker drops them; the one
 * that it would keep is left out here).
 *
 * Others notice in their own time: peers after NOTICE_MS, clients after CLIENT_NOTICE_MS.
 */
#include "sim/private.h"

/* etcd: rafthttp, streamBufSize.  What the kernel's buffers take on top is left out. */
enum { MOST_WAITING = 4096 };

void pause_put_aside(struct world *w, const struct work *k)
{
	vec_push(&w->aside, *k);
}

/* Work of this instant that has not begun. */
static void put_all_aside(struct world *w, unsigned member)
{
	size_t kept = w->work_head;

	for (size_t i = w->work_head; i < w->work.n; i++) {
		struct work k = w->work.v[i];
		if (k.member == member && k.due_ms <= w->now_ms)
			pause_put_aside(w, &k);
		else
			w->work.v[kept++] = k;
	}
	w->work.n = kept;
}

void pause_end(struct world *w, struct member *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->aside.n; i++) {
		if (w->aside.v[i].member == m->number)
			vec_push(&w->work, w->aside.v[i]);
		else
			w->aside.v[kept++] = w->aside.v[i];
	}
	w->aside.n = kept;
	w->npaused--;
	m->given_up = false;
}

bool pause_is_full(const struct world *w, unsigned from, unsigned to)
{
	size_t n = 0;

	for (size_t i = w->net_head; i < w->net.n; i++)
		n += w->net.v[i].to == to && w->net.v[i].from == from;
	return n >= MOST_WAITING;
}

static int64_t notice_ms(const struct member *m)
{
	return m->condition == MEMBER_PAUSED && !m->given_up ? m->still_ms + CLIENT_NOTICE_MS
							     : INT64_MAX;
}

int64_t pause_next_notice(const struct world *w)
{
	int64_t next = INT64_MAX;

	for (unsigned i = 0; w->npaused && i < w->nmembers; i++)
		if (notice_ms(w->members[i]) < next)
			next = notice_ms(w->members[i]);
	return next;
}

void pause_run_notice(struct world *w)
{
	for (unsigned i = 0; i < w->nmembers; i++) {
		struct member *m = w->members[i];
		if (notice_ms(m) > w->now_ms)
			continue;
		m->given_up = true;
		client_member_silent(w, m->number);
		watcher_member_silent(w, m->number);
		return;
	}
}

void sim_pause_member(struct world *w, unsigned member)
{
	struct member *m = world_member(w, member);

	if (!member_up(m))
		return;
	m->touched++;
	m->condition = MEMBER_PAUSED;
	m->since_ms = m->still_ms = w->now_ms;
	w->npaused++;
	put_all_aside(w, member);
	observe_fault(w, FAULT_PAUSE, member, 0);
}

void sim_resume_member(struct world *w, unsigned member)
{
	struct member *m = world_member(w, member);

	if (m->condition != MEMBER_PAUSED)
		return;
	m->touched++;
	m->condition = MEMBER_UP;
	m->since_ms = w->now_ms;
	roster_resume(w, m);
	pause_end(w, m);
	observe_fault(w, FAULT_RESUME, member, 0);
	if (m->kill_at == KILL_WHEN_RESUMED) {
		m->kill_at = 0;
		fault_terminate(w, m);
	}
}
