/* Watchers as their clients see them: they connect, receive, lose their connection, come back from
 * last seen + 1; an informer lists, watches from the list's revision, keeps a cache, and lists
 * again when its history is gone (Kubernetes: client-go's reflector).
 */
#include "sim/private.h"

struct watch_client *watcher_named(struct world *w, uint32_t number)
{
	return number >= 1 && number <= w->watches.n ? &w->watches.v[number - 1] : NULL;
}

const struct watch_client *world_watch(const struct world *w, uint32_t number)
{
	return number >= 1 && number <= w->watches.n ? &w->watches.v[number - 1] : NULL;
}

static void note(struct world *w, struct watch_note n)
{
	vec_push(&w->notes, n);
}

/* Where it connects to: the member it is pinned to, else the one that requests go to. */
static void connect(struct world *w, struct watch_client *c)
{
	c->at = c->pinned ? c->pinned : (uint8_t)world_default_endpoint(w);
	c->state = WATCH_WAITING;
	c->stream = w->next_stream++;
	if (c->at && member_alive(world_member(w, c->at)))
		sim_cause(w, WORK_WATCH, c->at, c->stream);
}

static void start_list(struct world *w, struct watch_client *c)
{
	struct request *req = heap_alloc(w->heap, sizeof *req);

	*req = (struct request){.kind = REQ_RANGE, .range = {.range = c->range}};
	c->state = WATCH_WAITING;
	c->list_call = sim_call(w, req,
				&(struct call_options){
				    .client = c->client,
				    .endpoints = {c->pinned},
				    .nendpoints = c->pinned ? 1 : 0,
				    .timeout_ms = INT64_MAX,
				});
}

uint32_t sim_watch(struct world *w, const struct watch_options *o)
{
	struct watch_client c = {.number = (uint32_t)w->watches.n + 1};

	c.client = o->client ? heap_dup(w->heap, o->client, strlen(o->client)) : "kube-apiserver";
	c.informer = o->informer;
	c.range.key =
	    (struct bytes){heap_dup(w->heap, o->range.key.p, o->range.key.n), o->range.key.n};
	c.range.end =
	    (struct bytes){heap_dup(w->heap, o->range.end.p, o->range.end.n), o->range.end.n};
	c.shown = (struct bytes){heap_dup(w->heap, o->shown.p, o->shown.n), o->shown.n};
	c.user = o->user;
	c.prev_kv = o->prev_kv;
	c.no_put = o->no_put;
	c.no_delete = o->no_delete;
	c.asked_rev = c.from = o->rev;
	c.pinned = o->pinned;
	vec_push(&w->watches, c);
	struct watch_client *added = watcher_named(w, c.number);
	if (o->informer)
		start_list(w, added);
	else
		connect(w, added);
	return c.number;
}

static void cancel(struct world *w, struct watch_client *c, enum error reason, int64_t compact)
{
	c->state = WATCH_IS_CANCELED;
	c->cancel_reason = reason;
	c->cancel_compact = compact;
	observe_watch(w, c, WATCH_CANCELED, compact);
	note(w, (struct watch_note){.watcher = c->number,
				    .kind = NOTE_CANCELED,
				    .reason = reason,
				    .revision = compact});
	if (c->informer && reason == ERR_COMPACTED)
		start_list(w, c);
}

/* NULL: the connection has been given up meanwhile. */
static struct watch_client *of_stream(struct world *w, uint64_t stream)
{
	for (size_t i = 0; i < w->watches.n; i++)
		if (w->watches.v[i].stream == stream)
			return &w->watches.v[i];
	return NULL;
}

/* A learner turns streams away, and the client tries again and again without a word: the watch is
 * there and shows nothing (cluster-facts M4). */
static void wait_for_promotion(struct world *w, struct watch_client *c)
{
	c->waits_for_leader = true;
	if (c->told_created)
		return;
	c->told_created = true;
	note(w, (struct watch_note){.watcher = c->number, .kind = NOTE_CREATED});
}

void watcher_arrive(struct world *w, uint64_t stream)
{
	struct watch_client *c = of_stream(w, stream);

	if (!c || c->gone || c->state == WATCH_IS_CUT)
		return;
	struct member *m = world_member(w, c->at);
	if (raft_lead(m->raft) == 0) {
		cancel(w, c, ERR_NO_LEADER, 0);
		return;
	}
	if (server_is_learner(m)) {
		wait_for_promotion(w, c);
		return;
	}
	enum error refused = server_check_watch(m, c->user, c->range);
	if (refused) {
		cancel(w, c, refused, 0);
		return;
	}
	struct server_env env = sim_env(w);
	struct watcher spec = {.id = c->stream,
			       .range = c->range,
			       .start_rev = c->from,
			       .prev_kv = c->prev_kv,
			       .no_put = c->no_put,
			       .no_delete = c->no_delete};
	if (!c->from) {
		c->from = m->store.current_rev + 1;
		c->seen = m->store.current_rev;
	}
	server_watch(m, &env, &spec);
}

static void told_created(struct world *w, struct watch_client *c, const struct member *m)
{
	const struct watcher *at = watchable_find(&m->watchable, c->stream);

	c->state = at && at->group != WATCHER_SYNCED ? WATCH_REPLAYING : WATCH_LIVE;
	observe_watch(w, c, c->told_created ? WATCH_RESUMED : WATCH_CREATED, c->from);
	if (c->told_created)
		return;
	c->told_created = true;
	note(w,
	     (struct watch_note){.watcher = c->number, .kind = NOTE_CREATED, .revision = c->from});
	if (c->informer)
		note(w, (struct watch_note){.watcher = c->number,
					    .kind = NOTE_LISTED,
					    .revision = c->listed_rev,
					    .count = c->listed_count});
}

/* Position in the cache of the key, or where it would stand. */
static size_t cache_place(const struct watch_client *c, struct bytes key, bool *there)
{
	size_t lo = 0, hi = c->cache.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (bytes_cmp(row_key(c->cache.v[mid]), key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*there = lo < c->cache.n && bytes_eq(row_key(c->cache.v[lo]), key);
	return lo;
}

static void update_cache(struct watch_client *c, const struct row *row)
{
	bool there;
	size_t i = cache_place(c, row_key(row), &there);

	if (row_is_tombstone(row)) {
		if (there)
			vec_remove(&c->cache, i);
		return;
	}
	if (!there) {
		vec_push(&c->cache, NULL);
		memmove(c->cache.v + i + 1, c->cache.v + i,
			(c->cache.n - i - 1) * sizeof *c->cache.v);
	}
	c->cache.v[i] = row;
}

static void got(struct world *w, struct watch_client *c, const struct event *e)
{
	if (c->shown_events.n == WATCH_SHOWN)
		vec_remove(&c->shown_events, 0);
	vec_push(&c->shown_events, (struct got_event){*e, w->events});
	c->nevents++;
	if (c->informer)
		update_cache(c, e->row);
	observe_event(w, c, e);
	note(w, (struct watch_note){.watcher = c->number, .kind = NOTE_EVENT, .event = *e});
}

/* Everything it missed has been sent and received: from here on it is live. */
static void live_if_synced(struct world *w, struct watch_client *c, struct member *m)
{
	const struct watcher *at = watchable_find(&m->watchable, c->stream);

	if (c->state != WATCH_REPLAYING || !at || at->group != WATCHER_SYNCED)
		return;
	for (size_t i = 0; i < m->watchable.queue.n; i++)
		if (m->watchable.queue.v[i].watcher == c->stream)
			return;
	c->state = WATCH_LIVE;
	observe_watch(w, c, WATCH_SYNCED, 0);
}

void watcher_synced(struct world *w, struct member *m)
{
	for (size_t i = 0; i < w->watches.n; i++)
		if (!w->watches.v[i].gone && w->watches.v[i].at == m->number)
			live_if_synced(w, &w->watches.v[i], m);
}

void watcher_receive(struct world *w, struct member *m)
{
	struct watch_response r;

	if (!server_take_event(m, &r))
		return;
	struct watch_client *c = of_stream(w, r.watcher);
	if (!c || c->gone || c->state == WATCH_IS_CUT || c->at != m->number)
		return;
	if (r.created)
		told_created(w, c, m);
	for (size_t i = 0; i < r.nevents; i++)
		got(w, c, &r.events[i]);
	if (r.nevents)
		c->seen = r.events[r.nevents - 1].row->main;
	live_if_synced(w, c, m);
	if (r.canceled)
		cancel(w, c, r.compact_revision ? ERR_COMPACTED : ERR_CANCELED, r.compact_revision);
}

void watcher_listed(struct world *w, struct call *call)
{
	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (!c->list_call || c->list_call != call->id)
			continue;
		c->list_call = 0;
		if (call->response->error) {
			cancel(w, c, call->response->error, 0);
			return;
		}
		const struct range_response *list = &call->response->range;
		c->listed_rev = call->response->header.revision;
		c->listed_count = list->n;
		c->nlists++;
		c->from = c->listed_rev + 1;
		c->seen = c->listed_rev;
		c->cache.n = 0;
		for (size_t k = 0; k < list->n; k++)
			vec_push(&c->cache, list->kvs[k]);
		if (c->told_created)
			note(w, (struct watch_note){.watcher = c->number,
						    .kind = NOTE_LISTED,
						    .revision = c->listed_rev,
						    .count = c->listed_count});
		connect(w, c);
		return;
	}
}

static void leave_member(struct world *w, struct watch_client *c)
{
	uint64_t list = c->list_call;

	c->list_call = 0; /* nobody waits for its list any more */
	if (list)
		sim_call_cancel(w, list);
	if (c->at && member_alive(world_member(w, c->at)))
		watchable_cancel(&world_member(w, c->at)->watchable, c->stream);
	c->stream = 0;
}

void sim_unwatch(struct world *w, uint32_t number)
{
	struct watch_client *c = watcher_named(w, number);

	leave_member(w, c);
	c->gone = true;
}

void sim_drop(struct world *w, uint32_t number)
{
	struct watch_client *c = watcher_named(w, number);

	leave_member(w, c);
	c->state = WATCH_IS_CUT;
	observe_watch(w, c, WATCH_CUT, c->seen);
}

/* Last seen + 1; one that has seen nothing yet still begins where it was asked to, or (0) now. */
static int64_t resume_from(const struct watch_client *c)
{
	return c->seen && c->seen >= c->asked_rev ? c->seen + 1 : c->asked_rev;
}

void sim_resume(struct world *w, uint32_t number)
{
	struct watch_client *c = watcher_named(w, number);

	leave_member(w, c);
	c->from = resume_from(c);
	if (c->informer && !c->nlists)
		start_list(w, c);
	else
		connect(w, c);
	path_begin(w, PATH_RESUME, 0, c->at);
	path_mark(w, STEP_CUT);
}

/* From last seen + 1, at the member that leads now. */
static void reconnect(struct world *w, struct watch_client *c)
{
	uint8_t was = c->at;

	leave_member(w, c);
	if (c->told_created && c->seen)
		c->from = resume_from(c);
	connect(w, c);
	if (c->at != was) {
		c->moved_from = was;
		c->moved_ms = w->now_ms;
		observe_watch(w, c, WATCH_MOVED, c->from);
	}
}

static bool is_connected(const struct watch_client *c)
{
	return !c->gone && !c->list_call && c->state != WATCH_IS_CUT &&
	       c->state != WATCH_IS_CANCELED;
}

/* One that stands still has told nobody that it has no leader; its clients wait until they give it
 * up.  Whoever has no connection yet does not wait. */
static bool is_lost(const struct watch_client *c, const struct member *m)
{
	if (m->condition == MEMBER_PAUSED)
		return m->given_up || c->state == WATCH_WAITING;
	return !member_up(m) || raft_lead(m->raft) == 0;
}

void watcher_move_all(struct world *w)
{
	unsigned leader = world_leader(w);

	for (size_t i = 0; leader && i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (!is_connected(c) || c->pinned || c->at == leader)
			continue;
		const struct member *m = c->at ? world_member(w, c->at) : NULL;
		if (!m || is_lost(c, m))
			reconnect(w, c);
	}
}

void watcher_member_died(struct world *w, unsigned member)
{
	for (size_t i = 0; i < w->watches.n; i++)
		if (is_connected(&w->watches.v[i]) && w->watches.v[i].at == member)
			w->watches.v[i].state = WATCH_WAITING;
	watcher_move_all(w);
}

void watcher_member_started(struct world *w, unsigned member)
{
	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (is_connected(c) && c->state == WATCH_WAITING && c->at == member)
			c->waits_for_leader = true;
	}
}

/* It is nowhere until somebody leads, and goes on there (design.md 4). */
static void wait_for_leader(struct watch_client *c)
{
	c->state = WATCH_WAITING;
	c->at = 0;
}

void watcher_member_silent(struct world *w, unsigned member)
{
	watcher_move_all(w);
	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (is_connected(c) && c->at == member && c->state != WATCH_WAITING)
			reconnect(w, c);
	}
}

void watcher_check_leader(struct world *w, struct member *m)
{
	bool leaderless = raft_lead(m->raft) == 0;

	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (!is_connected(c) || c->at != m->number)
			continue;
		if (c->waits_for_leader && !leaderless && !server_is_learner(m)) {
			c->waits_for_leader = false;
			reconnect(w, c);
		} else if (leaderless && c->state != WATCH_WAITING &&
			   w->now_ms - m->leaderless_since_ms >= 3 * (int64_t)w->cfg.election_ms) {
			leave_member(w, c);
			if (c->pinned)
				cancel(w, c, ERR_NO_LEADER, 0);
			else
				wait_for_leader(c);
		}
	}
}
