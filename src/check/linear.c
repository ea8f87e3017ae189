/* Strict serializability of what clients see, and the weaker promise of serializable reads.
 *
 * No search is needed as in Wing and Gong's or Porcupine's checkers: the log tells the order.  A
 * write's answer must be the one that the model gives at its place in the log; a linearizable read
 * must be what the model was at the revision that its header names, and that may not be older than
 * anything that any client had seen when the read began.  What has timed out is neither right nor
 * wrong: its entry is followed by the model if it is ever committed, and ignored if it is not.
 */
#include "check/private.h"

#define I(x) ((long long)(x))
#define U(x) ((unsigned long long)(x))

static const char *name_of(enum request_kind k)
{
	static const char *const names[REQ_KIND_COUNT] = {
	    [REQ_RANGE] = "range",
	    [REQ_PUT] = "put",
	    [REQ_DELETE_RANGE] = "delete",
	    [REQ_TXN] = "transaction",
	    [REQ_COMPACTION] = "compaction",
	    [REQ_LEASE_GRANT] = "lease grant",
	    [REQ_LEASE_REVOKE] = "lease revoke",
	    [REQ_LEASE_KEEP_ALIVE] = "keep-alive",
	    [REQ_LEASE_TIME_TO_LIVE] = "time to live",
	    [REQ_LEASE_LEASES] = "lease list",
	    [REQ_STATUS] = "status",
	    [REQ_HASH_KV] = "hash",
	    [REQ_DEFRAGMENT] = "defragment",
	    [REQ_SNAPSHOT] = "snapshot",
	    [REQ_MEMBER_LIST] = "member list",
	    [REQ_MEMBER_ADD] = "member add",
	    [REQ_MEMBER_REMOVE] = "member remove",
	    [REQ_MEMBER_UPDATE] = "member update",
	    [REQ_MEMBER_PROMOTE] = "member promote",
	    [REQ_MOVE_LEADER] = "move leader",
	    [REQ_ALARM_LIST] = "alarm list",
	    [REQ_ALARM_ACTIVATE] = "alarm activate",
	    [REQ_ALARM_DEACTIVATE] = "alarm deactivate",
	};
	return k < REQ_KIND_COUNT && names[k] ? names[k] : "request";
}

void check_seen_rev(struct checker *c, int64_t rev)
{
	if (rev > c->known_rev)
		c->known_rev = rev;
}

/* ---- reads ---- */

/* What a range is asked at: changes with a smaller number than pos. */
struct view {
	const struct model *m;
	uint64_t pos;
};

static bool outside(const struct range_request *q, const struct version *v)
{
	return (q->max_mod && v->rev > q->max_mod) || (q->min_mod && v->rev < q->min_mod) ||
	       (q->max_create && v->create > q->max_create) ||
	       (q->min_create && v->create < q->min_create);
}

static bool is_sorted(const struct range_request *q)
{
	return q->sort_order != SORT_NONE || q->sort_target != SORT_KEY;
}

/* Sorted answers come in another order: then every row must be a right one, and their number. */
static bool rows_agree(const struct view *at, const struct range_request *q,
		       const struct range_response *r)
{
	size_t n = 0;

	const struct key_list *keys = &at->m->keys;
	for (struct key_place k = keys_from(keys, q->range.key); keys_has(keys, k);
	     keys_next(keys, &k)) {
		const struct version *newest = keys_get(keys, k);
		if (model_range_ends(q->range, newest->key))
			break;
		const struct version *v = model_at(newest, at->pos);
		if (!v || outside(q, v))
			continue;
		if (!is_sorted(q) && n < r->n && !model_row_is(v, r->kvs[n]))
			return false;
		n++;
	}
	for (size_t i = 0; is_sorted(q) && i < r->n; i++) {
		const struct version *v = model_get(at->m, row_key(r->kvs[i]), at->pos);
		if (!v || outside(q, v) || !model_row_is(v, r->kvs[i]))
			return false;
	}
	if (q->count_only)
		return r->n == 0;
	size_t want = q->limit > 0 && (size_t)q->limit < n ? (size_t)q->limit : n;
	return r->n == want && r->more == (want < n);
}

/* The count is that of the keys in the range, whatever else is asked. */
static int64_t count_keys(const struct view *at, struct key_range range)
{
	int64_t n = 0;

	const struct key_list *keys = &at->m->keys;
	for (struct key_place k = keys_from(keys, range.key); keys_has(keys, k);
	     keys_next(keys, &k)) {
		const struct version *newest = keys_get(keys, k);
		if (model_range_ends(range, newest->key))
			break;
		n += model_at(newest, at->pos) != NULL;
	}
	return n;
}

static bool range_agrees(const struct model *m, const struct range_request *q,
			 const struct range_response *r, uint64_t pos)
{
	struct view at = {m, pos};

	if (q->revision > 0 && q->revision <= m->rev && model_pos_of_rev(m, q->revision) < pos)
		at.pos = model_pos_of_rev(m, q->revision);
	return rows_agree(&at, q, r) && r->count == count_keys(&at, q->range);
}

/* ---- writes ---- */

/* An answer under comparison: pos grows with the changes that its operations have made. */
struct replay {
	const struct model *m;
	uint64_t start, pos;
};

static bool prev_agrees(const struct version *v, const struct row *r)
{
	return v ? r && model_row_is(v, r) : !r;
}

static bool put_agrees(struct replay *p, const struct put_request *q, const struct response *r)
{
	const struct version *old = q->prev_kv ? model_get(p->m, q->key, p->pos) : NULL;

	p->pos++;
	return prev_agrees(old, r->put.prev);
}

static bool delete_agrees(struct replay *p, const struct delete_request *q,
			  const struct response *r)
{
	struct view at = {p->m, p->pos};
	int64_t n = count_keys(&at, q->range);

	if (r->del.deleted != n || r->del.nprevs != (q->prev_kv ? (size_t)n : 0))
		return false;
	for (size_t i = 0; i < r->del.nprevs; i++) {
		const struct version *old = model_get(p->m, row_key(r->del.prevs[i]), p->pos);
		if (!old || !model_row_is(old, r->del.prevs[i]))
			return false;
	}
	p->pos += (uint64_t)n;
	return true;
}

static bool txn_agrees(struct replay *p, const struct txn_request *q, const struct response *r)
{
	bool yes = model_txn_succeeds(p->m, q, p->start);
	const struct request *ops = yes ? q->success : q->failure;
	size_t n = yes ? q->nsuccess : q->nfailure;
	bool ok = r->txn.succeeded == yes && r->txn.n == n;

	for (size_t i = 0; i < n && ok; i++) {
		const struct response *part = &r->txn.responses[i];
		if (ops[i].kind == REQ_PUT)
			ok = put_agrees(p, &ops[i].put, part);
		else if (ops[i].kind == REQ_DELETE_RANGE)
			ok = delete_agrees(p, &ops[i].del, part);
		else if (ops[i].kind == REQ_TXN)
			ok = txn_agrees(p, &ops[i].txn, part);
		else
			ok = range_agrees(p->m, &ops[i].range, &part->range, p->pos);
	}
	return ok;
}

static bool answer_agrees(const struct model *m, const struct request *q, const struct response *r,
			  uint64_t pos)
{
	struct replay p = {m, pos, pos};

	switch (q->kind) {
	case REQ_RANGE:
		return range_agrees(m, &q->range, &r->range, pos);
	case REQ_PUT:
		return put_agrees(&p, &q->put, r);
	case REQ_DELETE_RANGE:
		return delete_agrees(&p, &q->del, r);
	case REQ_TXN:
		return txn_agrees(&p, &q->txn, r);
	case REQ_LEASE_GRANT:
		return r->grant.ttl >= q->grant.ttl && (!q->grant.id || r->grant.id == q->grant.id);
	default:
		return true;
	}
}

/* ---- the end of a call ---- */

enum kind_of_error { NO_ERROR, REFUSED_BY_STORE, REFUSED_BEFORE, UNKNOWN };

static enum kind_of_error kind_of(enum error e)
{
	switch (e) {
	case ERR_NONE:
		return NO_ERROR;
	case ERR_KEY_NOT_FOUND:
	case ERR_COMPACTED:
	case ERR_FUTURE_REV:
	case ERR_LEASE_NOT_FOUND:
	case ERR_LEASE_EXISTS:
	case ERR_LEASE_TTL_TOO_LARGE:
		return REFUSED_BY_STORE;
	case ERR_EMPTY_KEY:
	case ERR_VALUE_PROVIDED:
	case ERR_LEASE_PROVIDED:
	case ERR_TOO_MANY_OPS:
	case ERR_DUPLICATE_KEY:
	case ERR_REQUEST_TOO_LARGE:
		return REFUSED_BEFORE;
	default:
		return UNKNOWN;
	}
}

static void check_write(struct checker *c, const struct open_call *o, const struct call *call)
{
	const struct response *r = call->response;
	const struct fact *f = fact_at(c, o->index);
	enum kind_of_error kind = kind_of(r->error);
	const char *what = name_of(call->req->kind);

	if (kind == REFUSED_BEFORE && f)
		check_break(c, "Strict Serializability", member_bit(call->at),
			    "a %s was refused (%s), but its entry %llu is committed", what,
			    error_text(r->error), U(o->index));
	if (kind == REFUSED_BEFORE || kind == UNKNOWN)
		return;
	if (!f)
		check_break(c, "Strict Serializability", member_bit(call->at),
			    "a %s was answered by S%u, but no entry of it is committed", what,
			    call->at);
	else if (f->out.error != r->error)
		check_break(c, "Strict Serializability", member_bit(call->at),
			    "entry %llu, a %s, was answered with \"%s\"; it should be \"%s\"",
			    U(o->index), what, error_text(r->error), error_text(f->out.error));
	else if (r->error || request_is_conf_change(call->req))
		return; /* the cluster's answers carry no revision */
	else if (r->header.revision != f->out.rev || f->out.rev < o->floor_rev)
		check_break(c, "Strict Serializability", member_bit(call->at),
			    "entry %llu, a %s, was answered with revision %lld; it has %lld, and "
			    "%lld was known before",
			    U(o->index), what, I(r->header.revision), I(f->out.rev),
			    I(o->floor_rev));
	else if (!answer_agrees(&c->model, call->req, r, f->out.pos))
		check_break(c, "Strict Serializability", member_bit(call->at),
			    "entry %llu, a %s of revision %lld, was answered with something else "
			    "than the model's answer",
			    U(o->index), what, I(f->out.rev));
}

static bool is_serializable(const struct request *q)
{
	bool all = true;

	if (q->kind == REQ_RANGE)
		return q->range.serializable;
	for (size_t i = 0; i < q->txn.nsuccess; i++)
		all &= q->txn.success[i].kind == REQ_RANGE && q->txn.success[i].range.serializable;
	for (size_t i = 0; i < q->txn.nfailure; i++)
		all &= q->txn.failure[i].kind == REQ_RANGE && q->txn.failure[i].range.serializable;
	return all;
}

/* A revision that was known, or is compacted nowhere, may not be refused. */
static void check_refused_read(struct checker *c, const struct open_call *o,
			       const struct call *call)
{
	enum error e = call->response->error;
	int64_t rev = call->req->kind == REQ_RANGE ? call->req->range.revision : 0;

	if ((e == ERR_FUTURE_REV && rev && !is_serializable(call->req) && rev <= o->floor_rev) ||
	    (e == ERR_COMPACTED && rev >= c->model.compact_rev && rev))
		check_break(
		    c, "Linearizable Read", member_bit(call->at),
		    "a read of revision %lld was refused (%s); %lld was known, %lld is compacted",
		    I(rev), error_text(e), I(o->floor_rev), I(c->model.compact_rev));
}

static void check_read(struct checker *c, const struct open_call *o, const struct call *call)
{
	const struct response *r = call->response;
	bool weak = is_serializable(call->req);
	const char *rule = weak ? "Serializable Read" : "Linearizable Read";
	int64_t rev = r->header.revision;

	if (r->error) {
		check_refused_read(c, o, call);
		return;
	}
	if (rev > c->model.rev)
		check_break(c, rule, member_bit(call->at),
			    "a read at S%u names revision %lld; committed is %lld", call->at,
			    I(rev), I(c->model.rev));
	else if (!weak && rev < o->floor_rev)
		check_break(c, rule, member_bit(call->at),
			    "a read at S%u shows revision %lld, older than %lld, which was known "
			    "when it began",
			    call->at, I(rev), I(o->floor_rev));
	else if (!answer_agrees(&c->model, call->req, r, model_pos_of_rev(&c->model, rev)))
		check_break(c, rule, member_bit(call->at),
			    "a read at S%u shows something else than there was at revision %lld",
			    call->at, I(rev));
}

/* A leader that has removed itself and left one voter behind answers reads without asking anybody
 * until it stops, a second later: etcd's raft looks how many voters there are, not who they are
 * (etcd-io/raft: raft.go, IsSingleton).  The other one may lead meanwhile. */
static bool is_left_over(const struct world *w, const struct call *call)
{
	const struct member *m = world_member(w, call->at);

	return server_is_removed(m) && server_conf(m)->nvoters == 1;
}

static void end_call(struct checker *c, const struct world *w, const struct open_call *o,
		     const struct call *call)
{
	const struct open_call anything = {.id = o->id};
	const struct response *r = call->response;

	if (request_is_write(call->req))
		check_write(c, o, call);
	else if (call->req->kind == REQ_RANGE || call->req->kind == REQ_TXN)
		check_read(c, is_left_over(w, call) ? &anything : o, call);
	else if (!r->error)
		check_lease_reply(c, w, call);
	if (!r->error && r->header.revision)
		check_seen_rev(c, r->header.revision);
}

void check_call_committed(struct checker *c, const struct fact *f)
{
	for (size_t i = 0; i < c->open.n; i++) {
		struct open_call *o = &c->open.v[i];
		if (o->id != f->entry->payload->call)
			continue;
		if (o->index)
			check_break(c, "Strict Serializability", 0,
				    "one request is committed twice, as entry %llu and entry %llu",
				    U(o->index), U(f->entry->index));
		o->index = f->entry->index;
	}
}

void check_calls_begin(struct checker *c, const struct world *w)
{
	size_t i = w->calls.n;

	while (i > 0 && w->calls.v[i - 1].id >= c->next_call)
		i--;
	for (; i < w->calls.n; i++)
		vec_push(&c->open,
			 (struct open_call){.id = w->calls.v[i].id, .floor_rev = c->known_rev});
	c->next_call = w->next_call;
}

void check_calls(struct checker *c, const struct world *w)
{
	c->calls_ended = w->calls_ended;
	for (size_t i = 0; i < c->open.n;) {
		const struct call *call = world_call(w, c->open.v[i].id);
		if (call && call->state != CALL_DONE) {
			i++;
			continue;
		}
		if (call && is_watched(c, world_member(w, call->at)))
			end_call(c, w, &c->open.v[i], call);
		vec_remove(&c->open, i);
	}
}
