/* Watch requests at a member, and what its watchable store has to send (etcd: api/v3rpc/watch.go).
 */
#include "server/private.h"

enum { VICTIM_RETRY_MS = 10 };

static void cause_at(const struct member *m, struct server_env *env, enum work_kind kind,
		     uint64_t arg, int64_t due_ms)
{
	server_cause(m, env, kind, arg);
	env->work->v[env->work->n - 1].due_ms = due_ms;
}

void server_cause_events(struct member *m, struct server_env *env)
{
	for (; m->events_caused < m->watchable.queue.n; m->events_caused++)
		server_cause(m, env, WORK_EVENT, 0);
	if (m->watchable.victims.n == 0 || m->victims_due || !watchable_victim_waits(&m->watchable))
		return;
	m->victims_due = true;
	cause_at(m, env, WORK_VICTIMS, 0,
		 env->now_ms - env->now_ms % VICTIM_RETRY_MS + VICTIM_RETRY_MS);
}

static void cause_all(struct member *m, struct server_env *env)
{
	server_cause_events(m, env);
	if (watchable_has_unsynced(&m->watchable))
		server_cause(m, env, WORK_SYNC, 0);
}

void server_watch(struct member *m, struct server_env *env, const struct watcher *spec)
{
	m->watchable.channel = env->set->watch_channel;
	watchable_add(&m->watchable, &m->store, *spec);
	cause_all(m, env);
	if (spec->progress_ms)
		cause_at(m, env, WORK_PROGRESS, spec->id, env->now_ms + spec->progress_ms);
}

void server_sync_watchers(struct member *m, struct server_env *env)
{
	bool served = watchable_sync(&m->watchable, &m->store);

	server_cause_events(m, env);
	if (served && watchable_has_unsynced(&m->watchable))
		server_cause(m, env, WORK_SYNC, 0);
}

void server_retry_victims(struct member *m, struct server_env *env)
{
	m->victims_due = false;
	watchable_retry_victims(&m->watchable, &m->store);
	cause_all(m, env);
}

void server_read_on(struct member *m, struct server_env *env, uint64_t watcher)
{
	watchable_read_on(&m->watchable, watcher);
	cause_all(m, env);
}

void server_progress(struct member *m, struct server_env *env, const uint64_t *watchers, size_t n)
{
	if (bug_on(m->bugs, BUG_WATCH_AFTER_SNAPSHOT))
		return; /* so that the next event shows what is lost, not a promise about it */
	for (size_t i = 0; i < n; i++) {
		const struct watcher *x = watchable_find(&m->watchable, watchers[i]);
		if (!x || x->group != WATCHER_SYNCED)
			return;
	}
	for (size_t i = 0; i < n; i++)
		watchable_progress(&m->watchable, &m->store, watchers[i]);
	server_cause_events(m, env);
}

void server_report_progress(struct member *m, struct server_env *env, uint64_t watcher)
{
	const struct watcher *x = watchable_find(&m->watchable, watcher);

	if (!x)
		return;
	cause_at(m, env, WORK_PROGRESS, watcher, env->now_ms + x->progress_ms);
	watchable_report(&m->watchable, &m->store, watcher);
	server_cause_events(m, env);
}

bool server_take_event(struct member *m, struct server_env *env, struct watch_response *out)
{
	if (m->watchable.queue.n == 0)
		return false;
	*out = m->watchable.queue.v[0];
	const struct watcher *x = watchable_find(&m->watchable, out->watcher);
	if (x && x->fragment && server_split(m, env, &m->watchable.queue.v[0], out)) {
		server_cause(m, env, WORK_EVENT, 0);
	} else {
		vec_remove(&m->watchable.queue, 0);
		m->events_caused--;
	}
	if (out->nevents && x && x->progress_ms)
		watchable_sent(&m->watchable, out->watcher);
	return true;
}
