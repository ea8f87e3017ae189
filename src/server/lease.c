/* What does not go through the log: keep-alive and time-to-live, answered by the leader's lessor, and its look at
 * what has run out (etcd: lease/lessor.go; etcdserver/v3_server.go, LeaseRenew, LeaseTimeToLive).
 */
#include "server/private.h"

enum { EXPIRED_A_ROUND = 500, REVOKE_RETRY_MS = 7000 };

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
	r->time_to_live.ttl = printed_seconds(lease_left_ms(l, env->now_ms));
	r->time_to_live.granted_ttl = l->ttl;
	if (req->time_to_live.keys && l->keys.n) {
		r->time_to_live.keys = (const struct bytes *)(const void *)heap_dup(
			m->heap, l->keys.v, l->keys.n * sizeof *l->keys.v);
		r->time_to_live.nkeys = l->keys.n;
	}
}

/* A lease whose time is up is being revoked, so a keep-alive waits for that: it must not promise what the revocation
 * on its way takes back (etcd: lessor.go, Renew). */
static bool is_running_out(const struct member *m, const struct request *req, int64_t now_ms)
{
	const struct lease *l = lessor_find(&m->lessor, req->keep_alive.id);

	return req->kind == REQ_LEASE_KEEP_ALIVE && l && lease_left_ms(l, now_ms) == 0;
}

const struct response *server_lease_answer(struct member *m, struct server_env *env,
					   const struct request *req, uint64_t for_member)
{
	if (!m->lessor.primary || m->applied < raft_commit(m->raft) || is_running_out(m, req, env->now_ms))
		return NULL;
	struct response *r = server_response(m, req->kind);
	r->header.member_id = for_member;
	if (req->kind == REQ_LEASE_TIME_TO_LIVE) {
		time_to_live(m, env, req, r);
		return r;
	}
	r->keep_alive.id = req->keep_alive.id;
	if (lessor_renew(&m->lessor, req->keep_alive.id, env->now_ms, &r->keep_alive.ttl))
		r->keep_alive.ttl = 0;
	return r;
}

void server_answer(struct member *m, struct server_env *env, uint64_t call, const struct response *r)
{
	struct waiting *w = server_waiting(m, call);

	if (w && w->phase == WAIT_LEASE)
		server_reply(m, env, w, r);
}

size_t server_lease_look(struct member *m, struct server_env *env)
{
	int64_t ids[EXPIRED_A_ROUND];
	size_t n = lessor_take_expired(&m->lessor, env->now_ms, REVOKE_RETRY_MS, ids, EXPIRED_A_ROUND);

	for (size_t i = 0; i < n; i++) {
		struct request *req = heap_alloc(m->heap, sizeof *req);
		struct {
			struct proposal p;
			struct row_memo memo;
		} *both = heap_alloc(m->heap, sizeof *both);
		*req = (struct request){.kind = REQ_LEASE_REVOKE, .revoke = {.id = ids[i]}};
		both->memo = (struct row_memo){0};
		both->p = (struct proposal){.member = m->id, .req = req, .memo = &both->memo};
		server_cause(m, env, WORK_PROPOSE, (uint64_t)(uintptr_t)&both->p);
	}
	return n;
}
