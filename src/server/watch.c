/* Watch requests at a member, and what its watchable store has to send (etcd: api/v3rpc/watch.go).
 */
#include "server/private.h"

void server_cause_events(struct member *m, struct server_env *env)
{
	for (; m->events_caused < m->watchable.queue.n; m->events_caused++)
		server_cause(m, env, WORK_EVENT, 0);
}

void server_watch(struct member *m, struct server_env *env, const struct watcher *spec)
{
	watchable_add(&m->watchable, &m->store, *spec);
	server_cause_events(m, env);
	if (watchable_has_unsynced(&m->watchable))
		server_cause(m, env, WORK_SYNC, 0);
}

void server_sync_watchers(struct member *m, struct server_env *env)
{
	bool served = watchable_sync(&m->watchable, &m->store);

	server_cause_events(m, env);
	if (served && watchable_has_unsynced(&m->watchable))
		server_cause(m, env, WORK_SYNC, 0);
}

bool server_take_event(struct member *m, struct watch_response *out)
{
	if (m->watchable.queue.n == 0)
		return false;
	*out = m->watchable.queue.v[0];
	vec_remove(&m->watchable.queue, 0);
	m->events_caused--;
	return true;
}
