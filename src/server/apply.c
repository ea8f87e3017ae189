/* Applying what is committed (etcd: etcdserver/apply.go, applierV3backend). */
#include "server/private.h"

#include "base/die.h"

struct response *server_response(const struct member *m, enum request_kind kind)
{
	struct response *r = heap_alloc(m->answers, sizeof *r);

	*r = (struct response){.kind = kind, .header = server_header(m)};
	return r;
}

static struct response *failed(struct response *r, enum error e)
{
	r->error = e;
	return r;
}

void server_end_write(struct member *m, struct server_env *env, struct mvcc_txn *t)
{
	(void)env;
	/* Watchers are told inside the write, before its revision can be read (etcd:
	 * watchable_store_txn.go). */
	if (t->changes.n) {
		m->consistent_index = m->applied;
		watchable_notify(&m->watchable, &m->store, t->changes.v, t->changes.n);
	}
	mvcc_txn_end(t);
	mvcc_txn_free(t);
	int64_t size = server_file_size(m->store.size);
	if (size > m->file_size)
		m->file_size = size;
}

enum error server_check_put(const struct member *m, const struct put_request *p)
{
	if ((p->ignore_value || p->ignore_lease) && !mvcc_get(&m->store, p->key, 0))
		return ERR_KEY_NOT_FOUND;
	if (p->lease && !lessor_find(&m->lessor, p->lease))
		return ERR_LEASE_NOT_FOUND;
	return ERR_NONE;
}

struct response *server_txn_put(struct member *m, struct mvcc_txn *t, const struct put_request *p)
{
	struct response *r = server_response(m, REQ_PUT);
	bool needs_old = p->prev_kv || p->ignore_value || p->ignore_lease;
	const struct row *old = needs_old ? mvcc_get(&m->store, p->key, 0) : NULL;
	struct bytes value = p->ignore_value ? row_value(old) : p->value;
	int64_t lease = p->ignore_lease ? old->lease : p->lease;

	const struct row *row = mvcc_txn_put(t, p->key, value, lease);
	if (lease || (m->lessor.leases.n && !bug_on(m->bugs, BUG_LEASE_KEPT)))
		lessor_attach(&m->lessor, lease, row_key(row));
	r->put.prev = p->prev_kv ? old : NULL;
	r->header.revision = mvcc_txn_rev(t);
	return r;
}

struct response *server_txn_delete(struct member *m, struct mvcc_txn *t,
				   const struct delete_request *d)
{
	struct response *r = server_response(m, REQ_DELETE_RANGE);
	struct row_list old = {0};

	if (d->prev_kv) {
		mvcc_range(&m->store, d->range, 0, 0, &old);
		r->del.nprevs = old.rows.n;
		const struct row **prevs = heap_alloc(m->answers, (old.rows.n + 1) * sizeof *prevs);
		if (old.rows.n)
			memcpy(prevs, old.rows.v, old.rows.n * sizeof *prevs);
		r->del.prevs = prevs;
		vec_free(&old.rows);
	}
	size_t before = t->changes.n;
	r->del.deleted = mvcc_txn_delete_range(t, d->range);
	for (size_t i = before; m->lessor.leases.n && i < t->changes.n; i++)
		lessor_detach(&m->lessor, row_key(t->changes.v[i]));
	r->header.revision = mvcc_txn_rev(t);
	return r;
}

/* A put outside a transaction checks in another order than one inside (etcd: applierV3backend.Put).
 */
static enum error check_single_put(const struct member *m, const struct put_request *p)
{
	if (p->lease && !lessor_find(&m->lessor, p->lease))
		return ERR_LEASE_NOT_FOUND;
	return server_check_put(m, p);
}

static struct response *apply_put(struct member *m, struct server_env *env,
				  const struct put_request *p, struct row_memo *memo)
{
	enum error e = check_single_put(m, p);
	struct mvcc_txn t;

	if (e)
		return failed(server_response(m, REQ_PUT), e);
	mvcc_txn_begin(&t, &m->store, memo);
	struct response *r = server_txn_put(m, &t, p);
	server_end_write(m, env, &t);
	return r;
}

static struct response *apply_delete(struct member *m, struct server_env *env,
				     const struct delete_request *d, struct row_memo *memo)
{
	struct mvcc_txn t;

	mvcc_txn_begin(&t, &m->store, memo);
	struct response *r = server_txn_delete(m, &t, d);
	server_end_write(m, env, &t);
	return r;
}

static struct response *apply_compaction(struct member *m, const struct request *req)
{
	enum error e = mvcc_compact(&m->store, req->compaction.revision, NULL);
	struct response *r = server_response(m, REQ_COMPACTION);

	return e ? failed(r, e) : r;
}

static struct response *apply_grant(struct member *m, struct server_env *env,
				    const struct request *req)
{
	struct response *r = server_response(m, REQ_LEASE_GRANT);

	r->grant.id = req->grant.id;
	enum error e = lessor_grant(&m->lessor, req->grant.id, req->grant.ttl,
				    server_clock_ms(m, env->now_ms), &r->grant.ttl);
	return e ? failed(r, e) : r;
}

/* All keys of a lease go in one transaction, in order: one revision, or none if there are no keys.
 */
static struct response *apply_revoke(struct member *m, struct server_env *env,
				     const struct request *req, struct row_memo *memo)
{
	key_list keys = {0};
	struct mvcc_txn t;

	enum error e = lessor_revoke(&m->lessor, req->revoke.id, &keys);
	if (e)
		return failed(server_response(m, REQ_LEASE_REVOKE), e);
	mvcc_txn_begin(&t, &m->store, memo);
	for (size_t i = 0; i < keys.n; i++)
		mvcc_txn_delete_range(&t, (struct key_range){.key = keys.v[i]});
	server_end_write(m, env, &t);
	vec_free(&keys);
	return server_response(m, REQ_LEASE_REVOKE);
}

static struct response *leases(struct member *m)
{
	struct response *r = server_response(m, REQ_LEASE_LEASES);
	int64_t *ids = heap_alloc(m->answers, (m->lessor.leases.n + 1) * sizeof *ids);

	lessor_list(&m->lessor, ids);
	r->leases.ids = ids;
	r->leases.n = m->lessor.leases.n;
	return r;
}

static struct response *status(struct member *m, const struct server_env *env)
{
	struct response *r = server_response(m, REQ_STATUS);
	struct member_status *s = heap_alloc(m->answers, sizeof *s);
	uint64_t lead = raft_lead(m->raft);

	*s = (struct member_status){
	    .version = env->set->etcd_version == 35 ? "3.5.16" : "3.4.23",
	    .db_size = m->file_size,
	    .db_size_in_use = server_file_size(m->store.size),
	    .leader = lead,
	    .raft_index = raft_commit(m->raft),
	    .raft_applied_index = m->applied,
	    .raft_term = m->applied_term,
	    .is_learner = server_is_learner(m),
	};
	server_errors(m, s);
	r->status = s;
	return r;
}

static struct response *hash_kv(struct member *m, int64_t rev)
{
	struct response *r = server_response(m, REQ_HASH_KV);
	enum error e = mvcc_hash(&m->store, rev, &r->hash_kv.hash);

	r->hash_kv.compact_revision = m->store.compact_rev;
	return e ? failed(r, e) : r;
}

static struct response *defragment(struct member *m)
{
	m->file_size = server_file_size(m->store.size);
	return server_response(m, REQ_DEFRAGMENT);
}

static struct response *snapshot(struct member *m)
{
	struct response *r = server_response(m, REQ_SNAPSHOT);

	r->snapshot.image = server_image(m);
	return r;
}

struct response *server_execute(struct member *m, struct server_env *env, const struct request *req,
				struct row_memo *memo)
{
	switch (req->kind) {
	case REQ_RANGE:
		return server_apply_range(m, &req->range, 0);
	case REQ_PUT:
		return apply_put(m, env, &req->put, memo);
	case REQ_DELETE_RANGE:
		return apply_delete(m, env, &req->del, memo);
	case REQ_TXN:
		return server_apply_txn(m, env, &req->txn, memo);
	case REQ_COMPACTION:
		return apply_compaction(m, req);
	case REQ_LEASE_GRANT:
		return apply_grant(m, env, req);
	case REQ_LEASE_REVOKE:
		return apply_revoke(m, env, req, memo);
	case REQ_LEASE_CHECKPOINT:
		server_apply_checkpoint(m, env, req);
		return server_response(m, req->kind);
	case REQ_LEASE_LEASES:
		return leases(m);
	case REQ_STATUS:
		return status(m, env);
	case REQ_HASH_KV:
		return hash_kv(m, req->hash_kv.revision);
	case REQ_DEFRAGMENT:
		return defragment(m);
	case REQ_SNAPSHOT:
		return snapshot(m);
	case REQ_MEMBER_LIST:
		return server_member_list(m, env, REQ_MEMBER_LIST);
	case REQ_ALARM_LIST:
	case REQ_ALARM_ACTIVATE:
	case REQ_ALARM_DEACTIVATE:
		return server_apply_alarm(m, req);
	default:
		return request_is_auth(req) ? server_apply_auth(m, req)
					    : server_response(m, req->kind);
	}
}

/* The leader's own empty entry tells that it has committed in its term: its lessor counts from now
 * on, and every lease gets its full time and one election timeout on top. */
static void first_commit_in_term(struct member *m, struct server_env *env)
{
	if (raft_role(m->raft) != STATE_LEADER)
		return;
	lessor_promote(&m->lessor, server_clock_ms(m, env->now_ms), env->set->election_ms);
	if (!m->read_context) { /* some may have had to wait for this */
		server_ask_read_index(m, env);
		server_poll(m, env);
	}
	if (!m->membership.version)
		server_propose_version(m, env);
}

/* What the servers tell each other through the log. */
static void apply_own(struct member *m, const struct request *req)
{
	membership_apply(&m->membership, m->heap, req);
	if (req->kind == REQ_PUBLISH && req->member.id == m->id)
		m->published = true;
}

/* The call that waits for this entry, or for the alarm that it is. */
static struct waiting *waits_for(struct member *m, const struct proposal *p)
{
	uint64_t call = p->refused ? p->refused : p->call;
	struct waiting *w = call && p->member == m->id ? server_waiting(m, call) : NULL;

	return w && w->phase != WAIT_REPLY ? w : NULL;
}

/* The appliers of etcd, from the outside in: the alarm refuses what takes room, before anybody asks
 * whether its user may do it; then users are asked, unless the alarm went on while this member ran.
 * What there is no room for is done nevertheless, as everybody must do the same; but it is answered
 * as refused, and raises the alarm (etcd: apply.go, applierV3Capped; apply_auth.go;
 * quotaApplierV3). */
static const struct response *carry_out(struct member *m, struct server_env *env,
					const struct proposal *p)
{
	bool takes_room = server_cost(p->req) > 0;

	if (takes_room && server_is_capped(m))
		return failed(server_response(m, p->req->kind), ERR_NO_SPACE);
	enum error e = m->unguarded ? ERR_NONE : server_check_entry(m, p);
	if (e)
		return failed(server_response(m, p->req->kind), e);
	bool room = !takes_room || server_has_room(m, env, p->req);
	struct response *r = server_execute(m, env, p->req, p->memo);
	return r->error || room ? r : failed(r, ERR_NO_SPACE);
}

/* All members work out the answer to a request, and all but one for nobody. */
static struct heap *unheard(struct member *m)
{
	if (m->unheard)
		heap_clear(m->unheard);
	else
		m->unheard = heap_new();
	return m->unheard;
}

static const struct response *apply_request(struct member *m, struct server_env *env,
					    const struct proposal *p)
{
	m->answers = waits_for(m, p) ? m->heap : unheard(m);
	const struct response *r = carry_out(m, env, p);
	m->answers = m->heap;
	return r;
}

static const struct response *apply_entry(struct member *m, struct server_env *env,
					  const struct entry *e)
{
	const struct proposal *p = e->payload;

	m->applied = e->index;
	m->applied_term = e->term;
	if (e->type != ENTRY_NORMAL)
		return server_apply_conf_change(m, env, e);
	if (!p) {
		first_commit_in_term(m, env);
		return NULL;
	}
	if (p->req->kind != REQ_PUBLISH && p->req->kind != REQ_CLUSTER_VERSION)
		return apply_request(m, env, p);
	apply_own(m, p->req);
	return NULL;
}

static void answer_applied(struct member *m, struct server_env *env, const struct proposal *p,
			   const struct response *r)
{
	struct waiting *w = p ? waits_for(m, p) : NULL;

	if (r && r->error == ERR_NO_SPACE && !server_is_capped(m))
		server_raise_no_space(m, env, w);
	else if (w && p->refused)
		server_reply_error(m, env, w, ERR_NO_SPACE);
	else if (w)
		server_reply(m, env, w, r);
}

/* The log has its room in the file before it is written (etcd: a segment of 64 MB, made when the
 * one before it is full); the database has not, and etcd ends with what bbolt says (batch_tx.go).
 */
static bool may_write(struct member *m, const struct entry *e)
{
	if (e->index <= m->applied || !e->payload || server_fits_file(m, e->payload->req))
		return true;
	server_fail(m, "cannot commit tx (write S%u.etcd/member/snap/db: no space left on device)",
		    m->number);
	return false;
}

const struct entry *server_apply(struct member *m, struct server_env *env)
{
	const struct entry *e = m->to_apply.v[m->apply_head];

	if (m->disk.full && !may_write(m, e))
		return NULL;
	m->apply_head++;
	if (m->apply_head == m->to_apply.n)
		m->apply_head = m->to_apply.n = 0;
	if (e->index <= m->applied) { /* already in the store: it is handed out again */
		if (!e->payload && e->type == ENTRY_NORMAL)
			first_commit_in_term(m, env);
		return e;
	}
	const struct response *r = apply_entry(m, env, e);
	const struct proposal *p = e->payload;
	answer_applied(m, env, p, r);
	if (p && !p->call && p->member == m->id && p->req->kind == REQ_COMPACTION)
		compactor_done(&m->compactor, p->req->compaction.revision, env->now_ms);
	server_serve_reads(m, env);
	server_cause_events(m, env);
	server_maybe_snapshot(m, env);
	if (m->snapshots.n)
		server_applied_all(m, env);
	if (m->cycle.wait_apply)
		server_go_on(m, env);
	if (e->type != ENTRY_NORMAL)
		server_poll(m, env); /* a new peer is to be probed */
	return e;
}
