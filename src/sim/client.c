/* Requests of clients: which member they go to, their limits, and what comes back. */
#include "sim/private.h"

enum { KEEP_FINISHED = 16, MOST_CALLS = 64 };

struct call *client_call(struct world *w, uint64_t id)
{
	for (size_t i = w->calls.n; i-- > 0;)
		if (w->calls.v[i].id == id)
			return &w->calls.v[i];
	return NULL;
}

const struct call *world_call(const struct world *w, uint64_t id)
{
	for (size_t i = w->calls.n; i-- > 0;)
		if (w->calls.v[i].id == id)
			return &w->calls.v[i];
	return NULL;
}

/* Forgets the oldest finished calls. */
static void trim(struct world *w)
{
	size_t finished = 0, kept = 0;

	if (w->calls.n < MOST_CALLS)
		return;
	for (size_t i = 0; i < w->calls.n; i++)
		finished += w->calls.v[i].state == CALL_DONE;
	for (size_t i = 0; i < w->calls.n; i++) {
		bool done = w->calls.v[i].state == CALL_DONE;
		if (done && finished-- > KEEP_FINISHED)
			continue;
		w->calls.v[kept++] = w->calls.v[i];
	}
	w->calls.n = kept;
}

/* The first endpoint that is up, from the given one on; else the first that takes connections and
 * stands still; 0: none.  The client's balancer, simplified. */
static unsigned choose(const struct world *w, const struct call *c)
{
	unsigned silent = 0;

	for (unsigned i = c->nasked; i-- > 0;)
		if (stands_still(w, c->asked[i]))
			silent = c->asked[i];
	for (unsigned i = 0; i < c->nasked; i++)
		if (member_up(world_member(w, c->asked[i])))
			return c->asked[i];
	return silent;
}

static void dispatch(struct world *w, struct call *c)
{
	unsigned at = choose(w, c);

	if (c->follows_leader) {
		at = world_default_endpoint(w);
		c->asked[0] = (uint8_t)at;
	}
	if (!at || !member_alive(world_member(w, at))) {
		c->parked = true; /* until a member starts, or the limit ends it */
		return;
	}
	c->parked = false;
	c->at = (uint8_t)at;
	sim_cause(w, WORK_REQUEST, at, c->id);
}

uint64_t sim_call(struct world *w, const struct request *req, const struct call_options *o)
{
	struct call c = {.id = w->next_call++, .req = req, .start_ms = w->now_ms};

	trim(w);
	c.client = o->client ? heap_dup(w->heap, o->client, strlen(o->client)) : "kube-apiserver";
	c.text = o->text.n ? heap_dup(w->heap, o->text.p, o->text.n) : NULL;
	if (o->numbered && w->numbering)
		c.number = w->next_number++;
	c.deadline_ms =
	    o->timeout_ms >= INT64_MAX - w->now_ms ? INT64_MAX : w->now_ms + o->timeout_ms;
	c.nasked = o->nendpoints;
	memcpy(c.asked, o->endpoints, sizeof c.asked);
	if (!c.nasked) {
		c.nasked = 1;
		c.asked[0] = (uint8_t)world_default_endpoint(w);
		c.follows_leader = true;
	}
	c.at = c.asked[0];
	vec_push(&w->calls, c);
	/* One whose time is over before it begins asks nobody; its limit ends it. */
	if (o->timeout_ms > 0)
		dispatch(w, &w->calls.v[w->calls.n - 1]);
	else
		w->calls.v[w->calls.n - 1].parked = true;
	return c.id;
}

/* The end of a member's log; of one that is down, what its disk has. */
static uint64_t end_of_log(const struct member *m)
{
	return m->raft ? raft_last_index(m->raft) : storage_last_index(&m->storage);
}

/* The numbers of the client pane: what the store and the log are when the request arrives. */
static void note_before(struct world *w, struct call *c, const struct member *m)
{
	unsigned leader = world_counters_member(w);

	c->rev_before = c->rev_after = m->store.current_rev;
	c->log_before = c->log_after = end_of_log(world_member(w, leader));
	c->term = m->applied_term;
}

void client_arrive(struct world *w, uint64_t call)
{
	struct call *c = client_call(w, call);

	if (!c || c->state == CALL_DONE)
		return;
	struct member *m = world_member(w, c->at);
	int64_t active[MEMBERS_MAX];
	struct server_env env =
	    request_is_conf_change(c->req) ? roster_env(w, m->number, active) : sim_env(w);
	if (!c->arrived)
		note_before(w, c, m);
	c->arrived = true;
	observe_request(w, c, m->number);
	server_request(m, &env, call, c->req);
	client_answer_leases(w, m);
}

static void finish(struct world *w, struct call *c, const struct response *r)
{
	unsigned leader = world_counters_member(w);

	c->state = CALL_DONE;
	w->calls_ended++;
	c->end_ms = w->now_ms;
	c->done_event = w->events;
	c->response = r;
	if (!c->arrived)
		note_before(w, c, world_member(w, leader));
	if (!r->error && r->header.revision)
		c->rev_after = r->header.revision;
	if (r->header.raft_term)
		c->term = r->header.raft_term;
	c->log_after = end_of_log(world_member(w, leader));
	observe_reply(w, c);
	watcher_listed(w, c);
	kube_answered(w, c);
}

/* Reads that fail for want of a leader are tried again by the client until its own limit. */
static bool is_retried(const struct call *c, enum error e)
{
	return c->req->kind == REQ_RANGE &&
	       (e == ERR_TIMEOUT || e == ERR_NO_LEADER || e == ERR_LEADER_CHANGED);
}

void client_finish(struct world *w, struct call *c, const struct response *r)
{
	if (is_retried(c, r->error))
		dispatch(w, c);
	else
		finish(w, c, r);
}

void client_fail(struct world *w, struct call *c, enum error e)
{
	struct response *r = heap_alloc(w->heap, sizeof *r);

	*r = (struct response){.kind = c->req->kind, .error = e};
	server_forget(world_member(w, c->at), c->id);
	finish(w, c, r);
}

void sim_call_cancel(struct world *w, uint64_t call)
{
	struct call *c = client_call(w, call);

	if (c && c->state == CALL_OPEN)
		client_fail(w, c, ERR_CANCELED);
}

/* What has reached the member and is not repeated ends with the Unavailable text. */
static bool end_if_once(struct world *w, struct call *c)
{
	bool once = request_is_write(c->req) || c->req->kind == REQ_MOVE_LEADER;

	if (!once || !c->arrived)
		return false;
	client_fail(w, c, w->cfg.etcd_version == 35 ? ERR_UNAVAILABLE_35 : ERR_UNAVAILABLE_34);
	return true;
}

void client_member_died(struct world *w, unsigned member)
{

	for (size_t i = 0; i < w->calls.n; i++) {
		struct call *c = &w->calls.v[i];
		if (c->state == CALL_DONE || c->at != member || c->parked)
			continue;
		if (!end_if_once(w, c))
			dispatch(w, c);
	}
}

/* What has not reached it waits for it, as a connection that is not ready is waited for. */
void client_member_silent(struct world *w, unsigned member)
{
	for (size_t i = 0; i < w->calls.n; i++) {
		struct call *c = &w->calls.v[i];
		if (c->state == CALL_DONE || c->at != member || c->parked || !c->arrived)
			continue;
		if (!end_if_once(w, c) && choose(w, c) != member) {
			server_forget(world_member(w, member), c->id);
			dispatch(w, c);
		}
	}
}

void client_member_started(struct world *w, unsigned member)
{
	(void)member;
	for (size_t i = 0; i < w->calls.n; i++)
		if (w->calls.v[i].state == CALL_OPEN && w->calls.v[i].parked)
			dispatch(w, &w->calls.v[i]);
}

int64_t client_next_limit(const struct world *w)
{
	int64_t next = roster_next_stop(w), notice = pause_next_notice(w);

	if (notice < next)
		next = notice;

	for (size_t i = 0; i < w->calls.n; i++)
		if (w->calls.v[i].state == CALL_OPEN && w->calls.v[i].deadline_ms < next)
			next = w->calls.v[i].deadline_ms;
	for (unsigned i = 0; i < w->nmembers; i++) {
		int64_t limit =
		    member_up(w->members[i]) ? server_next_limit(w->members[i]) : INT64_MAX;
		if (limit < next)
			next = limit;
	}
	return next;
}

bool client_limit_due(const struct world *w)
{
	return client_next_limit(w) <= w->now_ms;
}

/* One limit at a time; the client's before the server's. */
void client_run_limit(struct world *w)
{
	for (size_t i = 0; i < w->calls.n; i++)
		if (w->calls.v[i].state == CALL_OPEN && w->calls.v[i].deadline_ms <= w->now_ms) {
			client_fail(w, &w->calls.v[i], ERR_DEADLINE);
			return;
		}
	for (unsigned i = 0; i < w->nmembers; i++) {
		struct member *m = w->members[i];
		if (member_up(m) && server_next_limit(m) <= w->now_ms) {
			int64_t active[MEMBERS_MAX];
			struct server_env env = roster_env(w, m->number, active);
			server_check_limits(m, &env);
			return;
		}
	}
	if (pause_next_notice(w) <= w->now_ms)
		pause_run_notice(w);
	else
		roster_run_stop(w);
}

/* member promote is for the leader to decide, which knows how far the learner is. */
static void ask_leader_to_promote(struct world *w, struct member *leader, struct member *m,
				  uint64_t call)
{
	int64_t active[MEMBERS_MAX];
	struct server_env env = roster_env(w, leader->number, active), from_env = sim_env(w);

	server_promote(leader, &env, m, &from_env, call);
}

/* Keep-alive and time-to-live go to the leader's lessor, from a follower over the peers' HTTP. */
void client_answer_leases(struct world *w, struct member *m)
{
	for (size_t i = 0; i < m->waiting.n; i++) {
		struct waiting *at = &m->waiting.v[i];
		unsigned leader = world_member_with_id(w, raft_lead(m->raft));
		if ((at->phase != WAIT_LEASE && at->phase != WAIT_PROMOTE) || !leader ||
		    !member_up(world_member(w, leader)) || !net_connected(w, m->number, leader))
			continue;
		if (at->phase == WAIT_PROMOTE) {
			ask_leader_to_promote(w, world_member(w, leader), m, at->call);
			continue;
		}
		struct server_env env = sim_env(w);
		const struct response *r =
		    server_lease_answer(world_member(w, leader), &env, at->req, m->id);
		if (!r)
			continue;
		path_mark(w, STEP_LESSOR);
		if (r->kind == REQ_LEASE_KEEP_ALIVE && r->keep_alive.ttl)
			observe_lease(w, leader, r->keep_alive.id, LEASE_RENEWED,
				      r->keep_alive.ttl);
		server_answer(m, &env, at->call, r);
	}
}
