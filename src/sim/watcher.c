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

void watcher_note(struct world *w, struct watch_note n)
{
	vec_push(&w->notes, n);
}

uint8_t watcher_choose(const struct world *w, const struct watch_client *c)
{
	for (unsigned i = 0; i < c->nasked; i++)
		if (member_up(world_member(w, c->asked[i])) && link_client_reaches(w, c->asked[i]))
			return c->asked[i];
	if (c->nasked)
		return c->at ? c->at : c->asked[0];
	return (uint8_t)world_default_endpoint(w);
}

static void start_list(struct world *w, struct watch_client *c)
{
	struct request *req = heap_alloc(w->heap, sizeof *req);

	*req = (struct request){.kind = REQ_RANGE, .range = {.range = c->range}};
	c->state = WATCH_WAITING;
	struct call_options o = {
	    .client = c->client, .nendpoints = c->nasked, .timeout_ms = INT64_MAX};

	memcpy(o.endpoints, c->asked, sizeof o.endpoints);
	c->list_call = sim_call(w, req, &o);
}

uint32_t sim_watch(struct world *w, const struct watch_options *o)
{
	struct watch_client c = {.number = (uint32_t)w->watches.n + 1};

	c.client = o->client ? heap_dup(w->heap, o->client, strlen(o->client)) : "kube-apiserver";
	c.name = o->name.n ? heap_dup(w->heap, o->name.p, o->name.n) : NULL;
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
	c.fragment = o->fragment;
	c.progress_notify = o->progress_notify;
	c.session = o->session;
	c.asked_rev = c.from = o->rev;
	c.nasked = o->nendpoints;
	memcpy(c.asked, o->endpoints, sizeof c.asked);
	vec_push(&w->watches, c);
	struct watch_client *added = watcher_named(w, c.number);
	if (o->informer)
		start_list(w, added);
	else
		watcher_connect(w, added);
	return c.number;
}

void watcher_cancel(struct world *w, struct watch_client *c, enum error reason, int64_t compact)
{
	c->state = WATCH_IS_CANCELED;
	c->cancel_reason = reason;
	c->cancel_compact = compact;
	observe_watch(w, c, WATCH_CANCELED, compact);
	watcher_note(w, (struct watch_note){.watcher = c->number,
					    .kind = NOTE_CANCELED,
					    .reason = reason,
					    .revision = compact});
	if (c->informer && reason == ERR_COMPACTED)
		start_list(w, c);
}

struct watch_client *watcher_of_stream(struct world *w, uint64_t stream)
{
	for (size_t i = 0; i < w->watches.n; i++)
		if (w->watches.v[i].stream == stream)
			return &w->watches.v[i];
	return NULL;
}

void watcher_wait_for_promotion(struct world *w, struct watch_client *c)
{
	c->waits_for_leader = true;
	if (c->told_created)
		return;
	c->told_created = true;
	watcher_note(w, (struct watch_note){.watcher = c->number, .kind = NOTE_CREATED});
}

void watcher_listed(struct world *w, struct call *call)
{
	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (!c->list_call || c->list_call != call->id)
			continue;
		c->list_call = 0;
		if (call->response->error) {
			watcher_cancel(w, c, call->response->error, 0);
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
			watcher_note(w, (struct watch_note){.watcher = c->number,
							    .kind = NOTE_LISTED,
							    .revision = c->listed_rev,
							    .count = c->listed_count});
		watcher_connect(w, c);
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
	c->parts.n = 0;
	c->retry_ms = 0;
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

void sim_stall(struct world *w, uint32_t number, bool stalled)
{
	struct watch_client *c = watcher_named(w, number);
	bool connected = c->at && member_alive(world_member(w, c->at)) && c->stream;
	struct server_env env = sim_env(w);

	if (c->stalled == stalled)
		return;
	c->stalled = stalled;
	observe_stall(w, c);
	if (!stalled && connected)
		server_read_on(world_member(w, c->at), &env, c->stream);
}

void sim_progress(struct world *w, uint32_t number)
{
	struct watch_client *c = watcher_named(w, number);

	if (c->at && c->stream && member_alive(world_member(w, c->at)))
		watcher_send_question(w, c);
}

/* The answer goes to all watchers of the stream (clientv3: watch.go, broadcastResponse). */
void watcher_ask_progress(struct world *w, struct member *m, uint64_t stream)
{
	const struct watch_client *c = watcher_of_stream(w, stream);
	struct server_env env = sim_env(w);
	VEC(uint64_t) all = {0};

	if (!c || c->gone || c->state == WATCH_IS_CUT || c->at != m->number)
		return;
	for (size_t i = 0; i < w->watches.n; i++) {
		const struct watch_client *x = &w->watches.v[i];
		bool same = x == c || (c->session && x->session == c->session);
		if (same && !x->gone && x->stream && x->at == c->at &&
		    x->state != WATCH_IS_CANCELED)
			vec_push(&all, x->stream);
	}
	server_progress(m, &env, all.v, all.n);
	vec_free(&all);
}

/* Last seen + 1; one that has seen nothing yet still begins where it was asked to, or (0) now. */
static int64_t resume_from(const struct world *w, const struct watch_client *c)
{
	if (c->seen && bug_on(w->cfg.bugs, BUG_WATCH_FROM_LAST_SEEN))
		return c->seen;
	return c->seen && c->seen >= c->asked_rev ? c->seen + 1 : c->asked_rev;
}

void sim_resume(struct world *w, uint32_t number)
{
	struct watch_client *c = watcher_named(w, number);

	leave_member(w, c);
	c->from = resume_from(w, c);
	if (c->informer && !c->nlists)
		start_list(w, c);
	else
		watcher_connect(w, c);
	path_begin(w, PATH_RESUME, 0, c->at);
	path_mark(w, STEP_CUT);
}

void watcher_reconnect(struct world *w, struct watch_client *c)
{
	uint8_t was = c->at;

	leave_member(w, c);
	if (c->told_created && c->seen)
		c->from = resume_from(w, c);
	watcher_connect(w, c);
	if (c->at != was) {
		c->moved_from = was;
		c->moved_ms = w->now_ms;
		observe_watch(w, c, WATCH_MOVED, c->from);
	}
}

bool watcher_is_connected(const struct watch_client *c)
{
	return !c->gone && !c->list_call && c->state != WATCH_IS_CUT &&
	       c->state != WATCH_IS_CANCELED;
}

/* One that stands still has told nobody; its clients wait until they give it up.  Whoever has no
 * connection yet does not wait. */
static bool is_gone(const struct watch_client *c, const struct member *m)
{
	if (m->condition == MEMBER_PAUSED)
		return m->given_up || c->state == WATCH_WAITING;
	return !member_up(m);
}

/* With endpoints of its own it moves only when its member is gone, and only to another of them. */
static bool wants_to_move(const struct world *w, const struct watch_client *c, unsigned leader)
{
	const struct member *m = c->at ? world_member(w, c->at) : NULL;
	bool gone = !m || is_gone(c, m);

	if (!watcher_is_connected(c))
		return false;
	if (c->nasked)
		return gone && watcher_choose(w, c) != c->at;
	return leader && c->at != leader && (gone || (member_up(m) && raft_lead(m->raft) == 0));
}

void watcher_move_all(struct world *w)
{
	unsigned leader = world_leader(w);

	for (size_t i = 0; i < w->watches.n; i++)
		if (wants_to_move(w, &w->watches.v[i], leader))
			watcher_reconnect(w, &w->watches.v[i]);
}

void watcher_member_died(struct world *w, unsigned member)
{
	for (size_t i = 0; i < w->watches.n; i++)
		if (watcher_is_connected(&w->watches.v[i]) && w->watches.v[i].at == member)
			w->watches.v[i].state = WATCH_WAITING;
	watcher_move_all(w);
}

void watcher_member_started(struct world *w, unsigned member)
{
	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (!watcher_is_connected(c) || c->state != WATCH_WAITING)
			continue;
		if (c->nasked && watcher_choose(w, c) == member)
			c->at = (uint8_t)member; /* all of its endpoints were down */
		if (c->at == member)
			c->waits_for_leader = true;
	}
}

void watcher_wait_for_leader(struct world *w, struct watch_client *c)
{
	leave_member(w, c);
	c->state = WATCH_WAITING;
	c->at = 0;
}

static void lose_leader(struct world *w, struct watch_client *c, struct member *m)
{
	if (!c->nasked) {
		watcher_wait_for_leader(w, c);
		return;
	}
	watchable_cancel(&m->watchable, c->stream);
	c->state = WATCH_WAITING;
	watcher_refuse(w, c, ERR_NO_LEADER);
}

void watcher_member_silent(struct world *w, unsigned member)
{
	watcher_move_all(w);
	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (watcher_is_connected(c) && c->at == member && c->state != WATCH_WAITING)
			watcher_reconnect(w, c);
	}
}

void watcher_check_leader(struct world *w, struct member *m)
{
	bool leaderless = raft_lead(m->raft) == 0;

	for (size_t i = 0; i < w->watches.n; i++) {
		struct watch_client *c = &w->watches.v[i];
		if (!watcher_is_connected(c) || c->at != m->number)
			continue;
		if (c->waits_for_leader && !leaderless && !server_is_learner(m)) {
			c->waits_for_leader = false;
			watcher_reconnect(w, c);
		} else if (leaderless && c->state != WATCH_WAITING && !c->stalled &&
			   w->now_ms - m->leaderless_since_ms >= 3 * (int64_t)w->cfg.election_ms) {
			lose_leader(w, c, m);
		}
	}
}
