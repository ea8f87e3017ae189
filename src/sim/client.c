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
 * stands still; 0: none.  As far as the client knows; its balancer, simplified. */
static unsigned choose(const struct world *w, const struct call *c)
{
	unsigned silent = 0;

	for (unsigned i = c->nasked; i-- > 0;)
		if (stands_still(w, c->asked[i]))
			silent = c->asked[i];
	for (unsigned i = 0; i < c->nasked; i++)
		if (member_up(world_member(w, c->asked[i])) && link_client_reaches(w, c->asked[i]))
			return c->asked[i];
	return silent;
}

static void lose(struct world *w, struct call *c, enum fault_kind what)
{
	c->under_way = c->replied = false;
	c->gives_up_ms = w->now_ms + CLIENT_NOTICE_MS;
	observe_client_lost(w, what, c->at, c->number);
}

static void send_request(struct world *w, struct call *c)
{
	struct fate f = link_send(w, LINK_CLIENT, c->at);

	c->under_way = true;
	c->due_ms = f.due_ms;
	c->replied = false;
	c->gives_up_ms = 0;
	if (f.lost)
		lose(w, c, FAULT_LOST_REQUEST);
	else
		sim_cause_at(w, WORK_REQUEST, c->at, c->id, f.due_ms);
}

static void dispatch(struct world *w, struct call *c)
{
	unsigned at = choose(w, c);

	if (c->follows_leader) {
		at = world_default_endpoint(w);
		c->asked[0] = (uint8_t)at;
	}
	if (!at || !member_alive(world_member(w, at)) || !link_client_reaches(w, at)) {
		c->gives_up_ms = 0;
		c->parked = true; /* until a member can be asked, or the limit ends it */
		return;
	}
	c->parked = false;
	c->at = (uint8_t)at;
	send_request(w, c);
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

/* A write that has left the client is done, even if the client has given up meanwhile: word of that
 * takes the same way, and comes later.  (Not if it had to wait at a member that stood still: by
 * then the word is there too.) */
static bool is_wanted(const struct world *w, const struct call *c)
{
	return c->state == CALL_OPEN || (c->under_way && request_is_write(c->req) &&
					 w->now_ms == c->due_ms && c->end_ms < c->due_ms);
}

void client_arrive(struct world *w, unsigned member, uint64_t call)
{
	struct call *c = client_call(w, call);

	if (!c || c->at != member || !is_wanted(w, c))
		return;
	if (c->under_way && link_is_cut(w, LINK_CLIENT, member)) {
		lose(w, c, FAULT_LOST_REQUEST);
		return;
	}
	struct member *m = world_member(w, member);
	c->under_way = false;
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

static void end(struct world *w, struct call *c, const struct response *r)
{
	if (is_retried(c, r->error))
		dispatch(w, c);
	else
		finish(w, c, r);
}

void client_reply(struct world *w, struct member *m, uint64_t call)
{
	const struct response *r = server_take_reply(m, call);
	struct call *c = client_call(w, call);

	if (!r || !c || c->state == CALL_DONE || c->at != m->number)
		return;
	struct fate f = link_send(w, m->number, LINK_CLIENT);
	if (f.lost) {
		lose(w, c, FAULT_LOST_REPLY);
		return;
	}
	if (f.due_ms <= w->now_ms) {
		end(w, c, r);
		return;
	}
	struct reply *reply = heap_alloc(w->heap, sizeof *reply);
	*reply = (struct reply){call, r, m->number};
	c->replied = true;
	sim_cause_at(w, WORK_REPLY, 0, (uint64_t)(uintptr_t)reply, f.due_ms);
}

void client_reply_arrives(struct world *w, uint64_t arg)
{
	const struct reply *reply = (const struct reply *)(uintptr_t)arg;
	struct call *c = client_call(w, reply->call);

	if (!c || c->state == CALL_DONE || !c->replied || c->at != reply->from)
		return;
	if (link_is_cut(w, reply->from, LINK_CLIENT)) {
		lose(w, c, FAULT_LOST_REPLY);
		return;
	}
	c->replied = false;
	end(w, c, reply->response);
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

/* May it have reached its member, and is not repeated? */
static bool is_sent_once(const struct call *c)
{
	return (c->arrived || c->gives_up_ms) &&
	       (request_is_write(c->req) || c->req->kind == REQ_MOVE_LEADER);
}

/* Such a one ends with the Unavailable text. */
static bool end_if_once(struct world *w, struct call *c)
{
	if (!is_sent_once(c))
		return false;
	client_fail(w, c, w->cfg.etcd_version == 35 ? ERR_UNAVAILABLE_35 : ERR_UNAVAILABLE_34);
	return true;
}

static void connection_lost(struct world *w, struct call *c)
{
	if (!end_if_once(w, c))
		dispatch(w, c);
}

void client_member_died(struct world *w, unsigned member)
{
	bool told = !link_is_cut(w, member, LINK_CLIENT);

	for (size_t i = 0; i < w->calls.n; i++) {
		struct call *c = &w->calls.v[i];
		if (c->state == CALL_DONE || c->at != member || c->parked || c->replied)
			continue;
		if (told)
			connection_lost(w, c);
		else if (!c->gives_up_ms)
			c->gives_up_ms = w->now_ms + CLIENT_NOTICE_MS;
	}
}

void client_member_removed(struct world *w, unsigned member)
{
	for (size_t i = 0; i < w->calls.n; i++) {
		struct call *c = &w->calls.v[i];
		if (c->state != CALL_DONE && c->at == member && !c->parked && !is_sent_once(c))
			dispatch(w, c);
	}
}

/* What has not reached it waits for it, as a connection that is not ready is waited for. */
void client_member_silent(struct world *w, unsigned member)
{
	for (size_t i = 0; i < w->calls.n; i++) {
		struct call *c = &w->calls.v[i];
		if (c->state == CALL_DONE || c->at != member || c->parked || !c->arrived ||
		    c->replied)
			continue;
		if (!end_if_once(w, c) && choose(w, c) != member) {
			server_forget(world_member(w, member), c->id);
			dispatch(w, c);
		}
	}
}

static void ask_again(struct world *w)
{
	for (size_t i = 0; i < w->calls.n; i++)
		if (w->calls.v[i].state == CALL_OPEN && w->calls.v[i].parked)
			dispatch(w, &w->calls.v[i]);
}

void client_member_started(struct world *w)
{
	ask_again(w);
}

void client_links_changed(struct world *w)
{
	ask_again(w);
	watcher_links_changed(w);
}

/* Its own limit, or when the silence of its connection is noticed. */
static int64_t limit_of(const struct call *c)
{
	return c->gives_up_ms && c->gives_up_ms < c->deadline_ms ? c->gives_up_ms : c->deadline_ms;
}

int64_t client_next_limit(const struct world *w)
{
	int64_t next = roster_next_stop(w), notice = pause_next_notice(w),
		retry = watcher_next_retry(w);

	if (notice < next)
		next = notice;

	if (retry < next)
		next = retry;
	for (size_t i = 0; i < w->calls.n; i++)
		if (w->calls.v[i].state == CALL_OPEN && limit_of(&w->calls.v[i]) < next)
			next = limit_of(&w->calls.v[i]);
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
	for (size_t i = 0; i < w->calls.n; i++) {
		struct call *c = &w->calls.v[i];
		if (c->state == CALL_DONE || limit_of(c) > w->now_ms)
			continue;
		if (c->deadline_ms <= w->now_ms)
			client_fail(w, c, ERR_DEADLINE);
		else
			connection_lost(w, c);
		return;
	}
	if (watcher_next_retry(w) <= w->now_ms) {
		watcher_retry(w);
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
