/* The connections of watchers: requests to members and responses to clients, over links that take
 * time, lose, or are cut.
 *
 * A client misses no event: a connection of which something is lost is broken, and the next one
 * goes on from last seen + 1.  It is made after a pause; over a link that is cut, when the silence
 * is noticed or the link is healed.
 */
#include "sim/private.h"

/* The pause before a client connects again whose connection has broken (etcd: clientv3/watch.go,
 * openWatchClient). */
enum { RETRY_MS = 100 };

/* Something of the stream is lost: no event may be missing, so the connection is broken, and there
 * will be another one.  Over a link that is cut, when the silence is noticed. */
static void broken(struct world *w, struct watch_client *c)
{
	int64_t notice = link_client_notices_ms(w, c->at);

	if (c->state != WATCH_WAITING)
		observe_client_lost(w, FAULT_LOST_WATCH, c->at, c->number);
	if (member_alive(world_member(w, c->at)))
		watchable_cancel(&world_member(w, c->at)->watchable, c->stream);
	c->stream = 0;
	c->state = WATCH_WAITING;
	c->retry_ms = w->now_ms + RETRY_MS;
	if (notice < INT64_MAX)
		c->retry_ms = notice > w->now_ms ? notice : w->now_ms + CLIENT_NOTICE_MS;
}

void watcher_connect(struct world *w, struct watch_client *c)
{
	c->at = watcher_choose(w, c);
	c->state = WATCH_WAITING;
	c->stream = w->next_stream++;
	c->retry_ms = 0;
	if (!c->at || !member_alive(world_member(w, c->at)))
		return;
	struct fate f = link_send(w, LINK_CLIENT, c->at);
	if (f.lost)
		broken(w, c);
	else
		sim_cause_at(w, WORK_WATCH, c->at, c->stream, f.due_ms);
}

/* ---- to the client ---- */

/* Its client does not read, or has still to read what came before. */
static bool has_to_wait(struct world *w, const struct watch_client *c, struct member *m,
			struct watch_response r)
{
	struct server_env env = sim_env(w);

	if (r.arrived)
		return false; /* its turn has come */
	r.arrived = true;
	if (c->stalled)
		watchable_keep_unread(&m->watchable, r);
	else if (watchable_keep_order(&m->watchable, r))
		server_read_on(m, &env, r.watcher);
	else
		return false;
	return true;
}

static void receive(struct world *w, const struct delivery *d)
{
	const struct watch_response *r = &d->r;
	struct watch_client *c = watcher_of_stream(w, r->watcher);
	struct member *m = world_member(w, d->from);

	if (!c || c->gone || c->state == WATCH_IS_CUT || c->state == WATCH_IS_CANCELED ||
	    c->at != m->number)
		return;
	if (d->refused) {
		watcher_cancel(w, c, d->refused, 0);
		c->stream = 0;
		return;
	}
	bool alive = member_alive(m);

	if (c->stalled && !alive)
		return; /* it comes again, from last seen + 1 */
	if (!w->faulty || !alive || !has_to_wait(w, c, m, *r))
		watcher_take(w, c, m, r);
}

/* Over the link to the client. */
static void deliver(struct world *w, const struct delivery *what)
{
	struct watch_client *c = watcher_of_stream(w, what->r.watcher);

	if (!c)
		return;
	if (!w->faulty || what->r.arrived) {
		receive(w, what);
		return;
	}
	struct fate f = link_send(w, what->from, LINK_CLIENT);
	if (f.lost) {
		broken(w, c);
	} else if (f.due_ms <= w->now_ms) {
		receive(w, what);
	} else {
		struct delivery *d = heap_alloc(w->heap, sizeof *d);
		*d = *what;
		sim_cause_at(w, WORK_EVENT, 0, (uint64_t)(uintptr_t)d, f.due_ms);
	}
}

void watcher_refuse(struct world *w, struct watch_client *c, enum error reason)
{
	deliver(w,
		&(struct delivery){.r = {.watcher = c->stream}, .refused = reason, .from = c->at});
}

/* etcd draws for each stream up to a tenth more, so that not all report at once. */
static int64_t draw_interval(struct world *w)
{
	int64_t ms = w->cfg.progress_notify_ms;

	return ms >= 10 ? ms + (int64_t)prng_below(&w->prng, (uint64_t)ms / 10) : ms;
}

void watcher_arrive(struct world *w, uint64_t stream)
{
	struct watch_client *c = watcher_of_stream(w, stream);

	if (!c || c->gone || c->state == WATCH_IS_CUT)
		return;
	if (link_is_cut(w, LINK_CLIENT, c->at)) {
		broken(w, c);
		return;
	}
	struct member *m = world_member(w, c->at);
	if (raft_lead(m->raft) == 0) {
		if (c->told_created && !c->nasked)
			watcher_wait_for_leader(w, c);
		else
			watcher_refuse(w, c, ERR_NO_LEADER);
		return;
	}
	if (server_is_learner(m)) {
		watcher_wait_for_promotion(w, c);
		return;
	}
	enum error refused = server_check_watch(m, c->user, c->range);
	if (refused) {
		watcher_refuse(w, c, refused);
		return;
	}
	struct server_env env = sim_env(w);
	struct watcher spec = {.id = c->stream,
			       .range = c->range,
			       .start_rev = c->from,
			       .prev_kv = c->prev_kv,
			       .no_put = c->no_put,
			       .no_delete = c->no_delete,
			       .fragment = c->fragment,
			       .progress_ms = c->progress_notify ? draw_interval(w) : 0};
	if (!c->from) {
		c->from = m->store.current_rev + 1;
		c->seen = m->store.current_rev;
	}
	server_watch(m, &env, &spec);
}

static bool is_of_stream(const struct work *k, uint64_t stream)
{
	return k->kind == WORK_EVENT && !k->member &&
	       ((const struct delivery *)(uintptr_t)k->arg)->r.watcher == stream;
}

bool watcher_is_under_way(const struct world *w, uint64_t stream)
{
	for (size_t i = w->work_head; i < w->work.n; i++)
		if (is_of_stream(&w->work.v[i], stream))
			return true;
	for (size_t i = 0; i < w->later.n; i++)
		if (is_of_stream(&w->later.v[i], stream))
			return true;
	return false;
}

/* What a stalled client does not read stays in the member's channel. */
void watcher_send(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	struct watch_response r;

	if (!server_take_event(m, &env, &r))
		return;
	const struct watch_client *c = watcher_of_stream(w, r.watcher);
	if (!c || c->gone || c->state == WATCH_IS_CUT || c->at != m->number)
		return;
	if (c->stalled)
		watchable_keep_unread(&m->watchable, r);
	else
		deliver(w, &(struct delivery){.r = r, .from = m->number});
}

void watcher_send_question(struct world *w, struct watch_client *c)
{
	struct fate f = link_send(w, LINK_CLIENT, c->at);

	if (f.lost)
		broken(w, c);
	else
		sim_cause_at(w, WORK_ASK_PROGRESS, c->at, c->stream, f.due_ms);
}

void watcher_receive(struct world *w, uint64_t arg)
{
	const struct delivery *d = (const struct delivery *)(uintptr_t)arg;
	struct watch_client *c = watcher_of_stream(w, d->r.watcher);

	if (c && c->at == d->from && link_is_cut(w, d->from, LINK_CLIENT))
		broken(w, c);
	else
		receive(w, d);
}

/* ---- broken connections ---- */

int64_t watcher_next_broken(const struct world *w)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < w->watches.n; i++) {
		const struct watch_client *c = &w->watches.v[i];
		if (c->retry_ms && c->retry_ms < next)
			next = c->retry_ms;
	}
	return next;
}

void watcher_retry(struct world *w)
{
	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (!c->retry_ms || c->retry_ms > w->now_ms)
			continue;
		c->retry_ms = 0;
		if (watcher_is_connected(c))
			watcher_reconnect(w, c);
		return;
	}
}

/* Over a link that was cut and is healed a stream goes on as if nothing had been, unless something
 * of it was lost; one that is cut now is given up after a while. */
void watcher_links_changed(struct world *w)
{
	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		int64_t notice = c->at ? link_client_notices_ms(w, c->at) : INT64_MAX;
		if (!watcher_is_connected(c))
			continue;
		if (notice < INT64_MAX)
			c->retry_ms = notice > w->now_ms ? notice : w->now_ms + RETRY_MS;
		else if (c->retry_ms && !c->stream)
			watcher_reconnect(w, c);
		else
			c->retry_ms = 0;
	}
}
