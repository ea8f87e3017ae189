/* What does not go through the log: keep-alive and time-to-live, answered by the leader's lessor,
 * and its look at what has run out (etcd: lease/lessor.go; etcdserver/v3_server.go, LeaseRenew,
 * LeaseTimeToLive).
 */
#include "server/private.h"

#include <stdlib.h>

enum { EXPIRED_A_ROUND = 500, REVOKE_RETRY_MS = 7000, CHECKPOINTS_AN_ENTRY = 1000 };

bool server_wants_lease_answer(const struct member *m)
{
	for (size_t i = 0; i < m->waiting.n; i++)
		if (m->waiting.v[i].phase == WAIT_LEASE)
			return true;
	return false;
}

/* Time left as etcdctl prints it: rounded down a moment after the fact (design.md 3). */
static int64_t printed_seconds(int64_t left_ms)
{
	int64_t s = (left_ms + 999) / 1000 - 1;

	return s < 0 ? 0 : s;
}

static void time_to_live(struct member *m, struct server_env *env, const struct request *req,
			 struct response *r)
{
	const struct lease *l = lessor_find(&m->lessor, req->time_to_live.id);

	r->time_to_live.id = req->time_to_live.id;
	r->time_to_live.ttl = -1;
	if (!l)
		return;
	r->time_to_live.ttl = printed_seconds(lease_left_ms(l, server_clock_ms(m, env->now_ms)));
	r->time_to_live.granted_ttl = l->ttl;
	if (req->time_to_live.keys && l->keys.n) {
		r->time_to_live.keys = (const struct bytes *)(const void *)heap_dup(
		    m->heap, l->keys.v, l->keys.n * sizeof *l->keys.v);
		r->time_to_live.nkeys = l->keys.n;
	}
}

/* A lease whose time is up is being revoked, so a keep-alive waits for that: it must not promise
 * what the revocation on its way takes back (etcd: lessor.go, Renew). */
static bool is_running_out(const struct member *m, const struct request *req, int64_t now_ms)
{
	const struct lease *l = lessor_find(&m->lessor, req->keep_alive.id);

	return req->kind == REQ_LEASE_KEEP_ALIVE && l && lease_left_ms(l, now_ms) == 0;
}

/* A renewal takes back what the last checkpoint said. */
static void clear_checkpoint(struct member *m, struct server_env *env, int64_t id)
{
	const struct lease *l = lessor_find(&m->lessor, id);

	if (!env->set->lease_checkpoint || !l || l->remaining_ttl == 0)
		return;
	struct request *req = heap_alloc(m->heap, sizeof *req);
	*req = (struct request){.kind = REQ_LEASE_CHECKPOINT};
	struct lease_checkpoint *all = heap_alloc(m->heap, sizeof *all);
	*all = (struct lease_checkpoint){id, 0};
	req->checkpoint.v = all;
	req->checkpoint.n = 1;
	server_propose_own(m, env, req);
}

const struct response *server_lease_answer(struct member *m, struct server_env *env,
					   const struct request *req, uint64_t for_member)
{
	int64_t now_ms = server_clock_ms(m, env->now_ms);

	if (!m->lessor.primary || m->applied < raft_commit(m->raft) ||
	    is_running_out(m, req, now_ms))
		return NULL;
	struct response *r = server_response(m, req->kind);
	r->header.member_id = for_member;
	if (req->kind == REQ_LEASE_TIME_TO_LIVE) {
		time_to_live(m, env, req, r);
		return r;
	}
	r->keep_alive.id = req->keep_alive.id;
	clear_checkpoint(m, env, req->keep_alive.id);
	if (lessor_renew(&m->lessor, req->keep_alive.id, now_ms, &r->keep_alive.ttl))
		r->keep_alive.ttl = 0;
	return r;
}

void server_renew_alone(struct member *m, struct server_env *env, struct waiting *w)
{
	struct response *r = server_response(m, w->req->kind);

	r->keep_alive.id = w->req->keep_alive.id;
	if (lessor_renew(&m->lessor, r->keep_alive.id, env->now_ms, &r->keep_alive.ttl))
		r->keep_alive.ttl = 0;
	server_reply(m, env, w, r);
}

void server_answer(struct member *m, struct server_env *env, uint64_t call,
		   const struct response *r)
{
	struct waiting *w = server_waiting(m, call);

	if (w && w->phase == WAIT_LEASE)
		server_reply(m, env, w, r);
}

/* Checkpoints of at most 1,000 leases go into an entry (etcd: lessor.go,
 * checkpointScheduledLeases). */
static void propose_checkpoints(struct member *m, struct server_env *env)
{
	struct lease_checkpoint *v = xmalloc(CHECKPOINTS_AN_ENTRY * sizeof *v);
	int64_t now_ms = server_clock_ms(m, env->now_ms);
	size_t n;

	while ((n = lessor_take_checkpoints(&m->lessor, now_ms, v, CHECKPOINTS_AN_ENTRY)) > 0) {
		struct request *req = heap_alloc(m->heap, sizeof *req);
		*req = (struct request){.kind = REQ_LEASE_CHECKPOINT};
		req->checkpoint.v = (const struct lease_checkpoint *)(const void *)heap_dup(
		    m->heap, v, n * sizeof *v);
		req->checkpoint.n = n;
		server_propose_own(m, env, req);
	}
	free(v);
}

void server_apply_checkpoint(struct member *m, const struct server_env *env,
			     const struct request *req)
{
	for (size_t i = 0; i < req->checkpoint.n; i++)
		lessor_checkpoint(&m->lessor, req->checkpoint.v[i].id,
				  req->checkpoint.v[i].remaining_ttl,
				  server_clock_ms(m, env->now_ms));
}

size_t server_lease_look(struct member *m, struct server_env *env)
{
	int64_t ids[EXPIRED_A_ROUND];
	size_t n = lessor_take_expired(&m->lessor, server_clock_ms(m, env->now_ms), REVOKE_RETRY_MS,
				       ids, EXPIRED_A_ROUND);

	for (size_t i = 0; i < n; i++) {
		struct request *req = heap_alloc(m->heap, sizeof *req);
		*req = (struct request){.kind = REQ_LEASE_REVOKE, .revoke = {.id = ids[i]}};
		server_propose_own(m, env, req);
	}
	if (env->set->lease_checkpoint)
		propose_checkpoints(m, env);
	return n;
}
