/* A request arrives at a member (etcd: etcdserver/v3_server.go). */
#include "server/private.h"

#include "raft/confchange.h"

struct waiting *server_waiting(struct member *m, uint64_t call)
{
	for (size_t i = 0; i < m->waiting.n; i++)
		if (m->waiting.v[i].call == call)
			return &m->waiting.v[i];
	return NULL;
}

void server_forget(struct member *m, uint64_t call)
{
	struct waiting *w = server_waiting(m, call);

	if (w)
		vec_remove(&m->waiting, (size_t)(w - m->waiting.v));
}

void server_reply(struct member *m, struct server_env *env, struct waiting *w,
		  const struct response *r)
{
	w->response = r;
	w->phase = WAIT_REPLY;
	server_cause(m, env, WORK_REPLY, w->call);
}

void server_reply_error(struct member *m, struct server_env *env, struct waiting *w, enum error e)
{
	struct response *r = server_response(m, w->req->kind);

	r->error = e;
	server_reply(m, env, w, r);
}

const struct response *server_take_reply(struct member *m, uint64_t call)
{
	struct waiting *w = server_waiting(m, call);

	if (!w || w->phase != WAIT_REPLY)
		return NULL;
	const struct response *r = w->response;
	vec_remove(&m->waiting, (size_t)(w - m->waiting.v));
	return r;
}

/* The member's next request id (etcd: pkg/idutil): 16 bits of its own id, 40 of the clock when it
 * started, and 8 of a counter that carries into them. */
static uint64_t next_id(struct member *m)
{
	uint64_t ms = (uint64_t)(EPOCH_S * INT64_C(1000) + m->started_ms);

	return m->id << 48 | ((ms << 8) + ++m->ids) << 16 >> 16;
}

/* A grant without an id gets one at the member that receives it.  One that will be refused takes
 * none. */
static const struct request *with_lease_id(struct member *m, struct server_env *env,
					   const struct request *req)
{
	if (req->kind != REQ_LEASE_GRANT || req->grant.id != 0)
		return req;
	struct request *copy = heap_alloc(m->heap, sizeof *copy);
	*copy = *req;
	if (env->set->member_lease_ids) {
		copy->grant.id = (int64_t)(next_id(m) & INT64_MAX);
		return copy;
	}
	copy->grant.id = *env->next_lease;
	if (req->grant.ttl <= LEASE_MAX_TTL && !server_is_capped(m))
		*env->next_lease = copy->grant.id == INT64_MAX ? 1 : copy->grant.id + 1;
	return copy;
}

struct proposal *server_proposal(struct member *m, uint64_t call, const struct request *req)
{
	struct {
		struct proposal p;
		struct row_memo memo;
	} *both = heap_alloc(m->heap, sizeof *both);

	m->ids++; /* each proposal has one */
	both->memo = (struct row_memo){0};
	both->p = (struct proposal){.call = call,
				    .member = m->id,
				    .req = req,
				    .auth_revision = m->auth.revision,
				    .memo = &both->memo};
	return &both->p;
}

void server_propose_own(struct member *m, struct server_env *env, const struct request *req)
{
	struct proposal *p = server_proposal(m, 0, req);

	p->made_ms = env->now_ms;
	server_cause(m, env, WORK_PROPOSE, (uint64_t)(uintptr_t)p);
}

void server_begin_write(struct member *m, struct server_env *env, struct waiting *w)
{
	w->req = with_lease_id(m, env, w->req);
	w->phase = WAIT_PROPOSE;
	server_cause(m, env, WORK_PROPOSE,
		     (uint64_t)(uintptr_t)server_proposal(m, w->call, w->req));
}

/* A leader makes its own entry of what is proposed; a follower's message to the leader outlives
 * this call. */
static const struct entry *to_forward(struct member *m, const struct entry *e)
{
	if (raft_role(m->raft) == STATE_LEADER)
		return e;
	struct entry *kept = heap_alloc(m->heap, sizeof *kept);
	*kept = *e;
	return kept;
}

/* The entry of a proposal; a change of the configuration is encoded, as raft reads it too. */
static struct entry entry_of(struct member *m, const struct proposal *p)
{
	static const enum conf_change_type types[] = {
	    [REQ_MEMBER_ADD] = CONF_CHANGE_ADD_NODE,
	    [REQ_MEMBER_REMOVE] = CONF_CHANGE_REMOVE_NODE,
	    [REQ_MEMBER_UPDATE] = CONF_CHANGE_UPDATE_NODE,
	    [REQ_MEMBER_PROMOTE] = CONF_CHANGE_ADD_NODE,
	};
	struct buf data = {0};

	if (!request_is_conf_change(p->req))
		return (struct entry){
		    .payload = p, .size = (uint32_t)request_size(p->req), .has_data = true};
	enum conf_change_type type = types[p->req->kind];
	if (p->req->kind == REQ_MEMBER_ADD && p->req->member.is_learner)
		type = CONF_CHANGE_ADD_LEARNER;
	conf_change_encode(&data,
			   &(struct conf_change){.changes = {{type, p->req->member.id}},
						 .nchanges = 1,
						 .id = p->call},
			   true);
	struct entry e = {.type = ENTRY_CONF_CHANGE,
			  .payload = p,
			  .data = heap_dup(m->heap, data.p, data.n),
			  .size = (uint32_t)data.n,
			  .has_data = true};
	buf_free(&data);
	return e;
}

const struct entry *server_first_entry(struct member *m, const struct request *add, uint64_t index)
{
	struct entry *e = heap_alloc(m->heap, sizeof *e);

	*e = entry_of(m, server_proposal(m, 0, add));
	e->term = 1;
	e->index = index;
	return e;
}

bool server_propose(struct member *m, struct server_env *env, const struct proposal *p)
{
	bool own = p->call && p->member == m->id;
	struct waiting *w = own ? server_waiting(m, p->call) : NULL;

	if (own && !w)
		return false; /* its client has gone meanwhile */
	if (raft_lead(m->raft) == 0) {
		vec_push(&m->held, p);
		return false;
	}
	struct entry e = entry_of(m, p);
	if (raft_propose(m->raft, to_forward(m, &e)) != RAFT_OK) {
		/* Nobody hears of a change of the configuration that was dropped. */
		if (w && e.type == ENTRY_NORMAL)
			server_reply_error(m, env, w, ERR_PROPOSAL_DROPPED);
		return false;
	}
	if (w)
		w->phase = WAIT_APPLY;
	size_t before = env->work->n;
	server_poll(m, env);
	/* The Ready that this proposal made is appended in the same event (the lesson's "append").
	 */
	if (env->work->n > before && env->work->v[before].kind == WORK_APPEND) {
		memmove(env->work->v + before, env->work->v + before + 1,
			(env->work->n - before - 1) * sizeof *env->work->v);
		env->work->n--;
		server_append(m, env);
	}
	return true;
}

/* Answered from this member's own data, without raft. */
static bool is_local(const struct request *req, const struct server_env *env)
{
	switch (req->kind) {
	case REQ_RANGE:
		return req->range.serializable;
	case REQ_LEASE_LEASES:
	case REQ_STATUS:
	case REQ_HASH_KV:
	case REQ_DEFRAGMENT:
	case REQ_SNAPSHOT:
		return true;
	case REQ_MEMBER_LIST:
		return env->set->etcd_version < 35; /* linearizable since 3.5 */
	default:
		return false;
	}
}

/* A read-only transaction is serializable if every range in it is (an empty one is). */
static bool txn_is_serializable(const struct txn_request *t)
{
	for (size_t i = 0; i < t->nsuccess; i++)
		if (t->success[i].kind == REQ_RANGE && !t->success[i].range.serializable)
			return false;
	for (size_t i = 0; i < t->nfailure; i++)
		if (t->failure[i].kind == REQ_RANGE && !t->failure[i].range.serializable)
			return false;
	return true;
}

static void begin_read(struct member *m, struct server_env *env, struct waiting *w)
{
	w->phase = WAIT_READ_NEXT;
	w->read_index = 0;
	if (bug_on(m->bugs, BUG_READ_UNCONFIRMED))
		server_answer_read(m, env, w);
	else if (!m->read_context)
		server_ask_read_index(m, env);
}

static void dispatch(struct member *m, struct server_env *env, struct waiting *w)
{
	const struct request *req = w->req;

	if (req->kind == REQ_LEASE_KEEP_ALIVE && bug_on(m->bugs, BUG_LEASE_BY_FOLLOWER)) {
		server_renew_alone(m, env, w);
	} else if (req->kind == REQ_LEASE_KEEP_ALIVE || req->kind == REQ_LEASE_TIME_TO_LIVE) {
		w->phase = WAIT_LEASE;
	} else if (request_is_conf_change(req)) {
		server_change_members(m, env, w);
	} else if (req->kind == REQ_MOVE_LEADER) {
		server_move_leader(m, env, w);
	} else if (is_local(req, env) || (req->kind == REQ_TXN && !request_is_write(req) &&
					  txn_is_serializable(&req->txn))) {
		server_answer_read(m, env, w);
	} else if (request_is_write(req) && req->kind != REQ_AUTHENTICATE) {
		if (raft_commit(m->raft) > m->applied + 5000)
			server_reply_error(m, env, w, ERR_TOO_MANY_REQUESTS);
		else
			server_begin_write(m, env, w);
	} else {
		begin_read(m, env, w);
	}
}

/* (etcd: api/v3rpc/util.go, isRPCSupportedForLearner; a snapshot since 3.5, cluster-facts M4) */
static bool learner_serves(const struct request *req, const struct server_env *env)
{
	return req->kind == REQ_STATUS || (req->kind == REQ_RANGE && req->range.serializable) ||
	       (req->kind == REQ_SNAPSHOT && env->set->etcd_version >= 35);
}

/* The space is looked at before the request itself (etcd: api/v3rpc/quota.go). */
static void receive(struct member *m, struct server_env *env, struct waiting *w)
{
	bool serves = !server_is_learner(m) || learner_serves(w->req, env);
	enum error e = serves ? ERR_NONE : ERR_LEARNER_RPC;

	if (!e && !server_has_room(m, env, w->req)) {
		server_raise_no_space(m, env, w);
		return;
	}
	if (!e)
		e = server_check_request(w->req, env);
	if (!e)
		e = server_check_user(m, w->req);
	if (e)
		server_reply_error(m, env, w, e);
	else
		dispatch(m, env, w);
}

void server_request(struct member *m, struct server_env *env, uint64_t call,
		    const struct request *req)
{
	struct waiting *w = server_waiting(m, call);

	if (!w) {
		vec_push(&m->waiting,
			 (struct waiting){.call = call,
					  .req = req,
					  .start_ms = env->now_ms,
					  .limit_ms = env->now_ms + server_request_timeout_ms(
									env->set->election_ms)});
		w = &m->waiting.v[m->waiting.n - 1];
	}
	if (!m->was_ready) {
		w->phase = WAIT_READY;
		return;
	}
	if (w->phase == WAIT_READY) { /* the server sees it only now */
		w->start_ms = env->now_ms;
		w->limit_ms = env->now_ms + server_request_timeout_ms(env->set->election_ms);
	}
	receive(m, env, w);
	server_poll(m, env);
}

/* Which text a proposal that was handed over and not applied in time gets (cluster-facts rule 4;
 * etcd: parseProposeCtxErr). */
static enum error lost_proposal(const struct member *m, const struct server_env *env,
				const struct waiting *w)
{
	uint64_t lead = raft_lead(m->raft);

	if (m->elected_ms > INT64_MIN && w->start_ms > m->elected_ms - 2 * env->set->election_ms &&
	    w->start_ms < m->elected_ms)
		return ERR_TIMEOUT_LEADER_FAIL;
	if (lead == m->id && !server_connected_to_quorum_since(m, env, w->start_ms))
		return ERR_TIMEOUT_CONN_LOST;
	if (lead && lead != m->id && !server_connected_since(m, env, lead, w->start_ms))
		return ERR_TIMEOUT_CONN_LOST;
	return ERR_TIMEOUT;
}

static enum error timeout_error(const struct member *m, const struct server_env *env,
				const struct waiting *w)
{
	if (w->no_space)
		return ERR_NO_SPACE;
	if (w->req->kind == REQ_LEASE_KEEP_ALIVE || w->req->kind == REQ_LEASE_TIME_TO_LIVE)
		return ERR_NO_LEADER;
	if (w->phase == WAIT_APPLY)
		return lost_proposal(m, env, w);
	/* While there is no leader etcd does not even hand it to raft, and tells so in another way.
	 */
	return w->phase == WAIT_PROPOSE && w->req->kind != REQ_TXN ? ERR_DEADLINE_UNKNOWN
								   : ERR_TIMEOUT;
}

void server_check_limits(struct member *m, struct server_env *env)
{
	for (size_t i = 0; i < m->waiting.n; i++) {
		struct waiting *w = &m->waiting.v[i];
		if (w->limit_ms > env->now_ms || w->phase == WAIT_REPLY || w->phase == WAIT_READY)
			continue;
		if (w->req->kind == REQ_LEASE_TIME_TO_LIVE) {
			w->limit_ms = INT64_MAX; /* etcdctl asks again, for ever */
			continue;
		}
		enum error e = timeout_error(m, env, w);
		if (e == ERR_DEADLINE_UNKNOWN && env->set->etcd_version >= 35)
			w->limit_ms = INT64_MAX; /* the client's own limit decides */
		else
			server_reply_error(m, env, w, e);
	}
}

int64_t server_next_limit(const struct member *m)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < m->waiting.n; i++) {
		const struct waiting *w = &m->waiting.v[i];
		if (w->phase != WAIT_REPLY && w->phase != WAIT_READY && w->limit_ms < next)
			next = w->limit_ms;
	}
	return next;
}
