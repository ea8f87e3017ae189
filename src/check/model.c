#include "check/model.h"

#include "server/server.h"

void model_init(struct model *m, struct heap *h, int64_t min_ttl)
{
	*m = (struct model){
	    .heap = h, .rev = 1, .compact_rev = -1, .min_ttl = min_ttl, .auth = {.revision = 1}};
	pvec_init(&m->changes, 0);
	pvec_init(&m->totals, 1);
	struct total *none = heap_alloc(h, sizeof *none);
	*none = m->now;
	pvec_push(&m->totals, h, none);
}

void model_copy(struct model *dst, const struct model *src)
{
	*dst = *src;
	keys_copy(&dst->keys, &src->keys);
	vec_copy(&dst->ended, &src->ended);
	vec_copy(&dst->full, &src->full);
	vec_copy(&dst->lossy, &src->lossy);
	vec_copy(&dst->leases, &src->leases);
	for (size_t i = 0; i < src->leases.n; i++)
		vec_copy(&dst->leases.v[i].keys, &src->leases.v[i].keys);
}

void model_free(struct model *m)
{
	for (size_t i = 0; i < m->leases.n; i++)
		vec_free(&m->leases.v[i].keys);
	vec_free(&m->leases);
	vec_free(&m->ended);
	vec_free(&m->full);
	vec_free(&m->lossy);
	keys_free(&m->keys);
}

/* ---- looking ---- */

const struct version *model_at(const struct version *v, uint64_t pos)
{
	while (v && v->pos >= pos)
		v = v->prev;
	return v && !v->tombstone ? v : NULL;
}

const struct version *model_get(const struct model *m, struct bytes key, uint64_t pos)
{
	struct key_place k = keys_from(&m->keys, key);

	if (!keys_has(&m->keys, k) || !bytes_eq(keys_get(&m->keys, k)->key, key))
		return NULL;
	return model_at(keys_get(&m->keys, k), pos);
}

bool model_range_ends(struct key_range r, struct bytes key)
{
	if (r.end.n == 0)
		return !bytes_eq(r.key, key);
	return !key_range_is_from_key(r) && bytes_cmp(key, r.end) >= 0;
}

uint64_t model_pos_of_rev(const struct model *m, int64_t rev)
{
	if (rev < 1)
		return 0;
	return ((const struct total *)pvec_get(&m->totals, (uint64_t)(rev < m->rev ? rev : m->rev)))
	    ->rows;
}

static size_t lease_place(const struct model *m, int64_t id)
{
	size_t i = m->leases.n;

	while (i > 0 && m->leases.v[i - 1].id >= id)
		i--;
	return i;
}

struct model_lease *model_lease(const struct model *m, int64_t id)
{
	size_t i = lease_place(m, id);

	return i < m->leases.n && m->leases.v[i].id == id ? &m->leases.v[i] : NULL;
}

bool model_is_lost(const struct model *m, const struct version *v)
{
	size_t lo = 0, hi = v->tombstone ? m->lossy.n : 0;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (m->lossy.v[mid] == v->rev)
			return true;
		if (m->lossy.v[mid] < v->rev)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

bool model_row_is(const struct version *v, const struct row *r)
{
	return v->row == r || (r && r->main == v->rev && r->sub == v->sub &&
			       r->create == v->create && r->version == v->version &&
			       r->lease == v->lease && row_is_tombstone(r) == v->tombstone &&
			       bytes_eq(row_key(r), v->key) && bytes_eq(row_value(r), v->value));
}

/* ---- compares ---- */

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static bool compare_one(const struct compare *c, const struct version *v)
{
	int o;

	if (c->target == COMPARE_VALUE)
		o = bytes_cmp(v->value, c->value);
	else if (c->target == COMPARE_VERSION)
		o = order_of(v->version, c->number);
	else if (c->target == COMPARE_CREATE)
		o = order_of(v->create, c->number);
	else if (c->target == COMPARE_MOD)
		o = order_of(v->rev, c->number);
	else
		o = order_of(v->lease, c->number);
	return c->result == COMPARE_EQUAL     ? o == 0
	       : c->result == COMPARE_GREATER ? o > 0
	       : c->result == COMPARE_LESS    ? o < 0
					      : o != 0;
}

/* All existing keys of the range must agree; where there is none, everything is 0 and has no value.
 */
static bool compare_range(const struct model *m, const struct compare *c, uint64_t pos)
{
	static const struct version none;
	bool any = false;

	for (struct key_place k = keys_from(&m->keys, c->range.key); keys_has(&m->keys, k);
	     keys_next(&m->keys, &k)) {
		const struct version *newest = keys_get(&m->keys, k);
		if (model_range_ends(c->range, newest->key))
			break;
		const struct version *v = model_at(newest, pos);
		if (v && !compare_one(c, v))
			return false;
		any |= v != NULL;
	}
	return any || (c->target != COMPARE_VALUE && compare_one(c, &none));
}

bool model_txn_succeeds(const struct model *m, const struct txn_request *t, uint64_t pos)
{
	for (size_t i = 0; i < t->ncompares; i++)
		if (!compare_range(m, &t->compares[i], pos))
			return false;
	return true;
}

/* ---- changes ---- */

/* A write transaction: all its changes have the next revision. */
struct writing {
	struct model *m;
	uint64_t start; /* number of its first change */
};

static int64_t row_bytes(const struct version *v)
{
	return (int64_t)(v->key.n + v->value.n) + 64;
}

void model_count(struct model *m, const struct version *v)
{
	m->now.rows++;
	m->now.bytes += row_bytes(v);
	if (v->prev && !v->prev->tombstone) {
		m->now.live_keys--;
		m->now.live_bytes -= row_bytes(v->prev);
	}
	if (!v->tombstone) {
		m->now.live_keys++;
		m->now.live_bytes += row_bytes(v);
	}
}

static void change(struct writing *t, struct version spec)
{
	struct model *m = t->m;
	struct key_place k = keys_from(&m->keys, spec.key);
	struct version *v = heap_alloc(m->heap, sizeof *v), *prev = NULL;

	if (keys_has(&m->keys, k) && bytes_eq(keys_get(&m->keys, k)->key, spec.key))
		prev = keys_get(&m->keys, k);

	*v = spec;
	v->prev = prev;
	v->rev = m->rev + 1;
	v->pos = m->now.rows;
	v->sub = (uint32_t)(v->pos - t->start);
	if (!v->tombstone) {
		bool lives = prev && !prev->tombstone;
		v->create = lives ? prev->create : v->rev;
		v->version = lives ? prev->version + 1 : 1;
	}
	if (prev)
		keys_set(&m->keys, m->heap, k, v);
	else
		keys_insert(&m->keys, m->heap, k, v);
	model_count(m, v);
	pvec_push(&m->changes, m->heap, v);
}

static int by_key(const void *a, const void *b)
{
	return bytes_cmp(*(const struct bytes *)a, *(const struct bytes *)b);
}

/* Forgets what is there twice, and what has been detached.  Sorted by key. */
static void keep_attached(const struct model *m, struct model_lease *l)
{
	size_t n = 0;

	if (l->keys.n)
		qsort(l->keys.v, l->keys.n, sizeof *l->keys.v, by_key);
	for (size_t i = 0; i < l->keys.n; i++) {
		struct bytes key = l->keys.v[i];
		const struct version *v = model_get(m, key, UINT64_MAX);
		bool twice = n && bytes_eq(l->keys.v[n - 1], key);
		if (!twice && v && v->lease == l->id)
			l->keys.v[n++] = key;
	}
	l->keys.n = n;
}

/* A key that is written again and again would be noted each time: what is in the way goes before
 * the list grows.  That it is then at most half full keeps this rare. */
static void attach(const struct model *m, struct model_lease *l, struct bytes key)
{
	if (l->keys.n == l->keys.cap) {
		keep_attached(m, l);
		vec_reserve(&l->keys, 2 * l->keys.n + 1);
	}
	vec_push(&l->keys, key);
}

static void put(struct writing *t, const struct put_request *p)
{
	bool needs_old = p->ignore_value || p->ignore_lease;
	const struct version *old = needs_old ? model_get(t->m, p->key, UINT64_MAX) : NULL;
	struct version v = {.key = p->key, .value = p->value, .lease = p->lease};

	if (p->ignore_value)
		v.value = old->value;
	if (p->ignore_lease)
		v.lease = old->lease;
	struct model_lease *l = model_lease(t->m, v.lease);
	if (l)
		attach(t->m, l, p->key);
	change(t, v);
}

static void delete_range(struct writing *t, struct key_range r)
{
	const struct key_list *keys = &t->m->keys;

	for (struct key_place k = keys_from(keys, r.key); keys_has(keys, k); keys_next(keys, &k)) {
		const struct version *v = keys_get(keys, k);
		if (model_range_ends(r, v->key))
			break;
		if (!v->tombstone)
			change(t, (struct version){.key = v->key, .tombstone = true});
	}
}

static void run_txn(struct writing *t, const struct txn_request *q)
{
	bool yes = model_txn_succeeds(t->m, q, t->start);
	const struct request *ops = yes ? q->success : q->failure;
	size_t n = yes ? q->nsuccess : q->nfailure;

	for (size_t i = 0; i < n; i++) {
		if (ops[i].kind == REQ_PUT)
			put(t, &ops[i].put);
		else if (ops[i].kind == REQ_DELETE_RANGE)
			delete_range(t, ops[i].del.range);
		else if (ops[i].kind == REQ_TXN)
			run_txn(t, &ops[i].txn);
	}
}

/* ---- what is refused ---- */

static enum error refuse_put(const struct model *m, const struct put_request *p, bool alone)
{
	bool no_lease = p->lease && !model_lease(m, p->lease);

	if (alone && no_lease)
		return ERR_LEASE_NOT_FOUND;
	if ((p->ignore_value || p->ignore_lease) && !model_get(m, p->key, UINT64_MAX))
		return ERR_KEY_NOT_FOUND;
	return no_lease ? ERR_LEASE_NOT_FOUND : ERR_NONE;
}

static enum error refuse_range(const struct model *m, int64_t rev)
{
	if (rev > m->rev)
		return ERR_FUTURE_REV;
	return rev != 0 && rev < m->compact_rev ? ERR_COMPACTED : ERR_NONE;
}

/* First the puts of the whole transaction are looked at, then its ranges. */
static enum error refuse_txn(const struct model *m, const struct txn_request *t, bool puts)
{
	bool yes = model_txn_succeeds(m, t, UINT64_MAX);
	const struct request *ops = yes ? t->success : t->failure;
	size_t n = yes ? t->nsuccess : t->nfailure;
	enum error e = ERR_NONE;

	for (size_t i = 0; i < n && !e; i++) {
		if (ops[i].kind == REQ_TXN)
			e = refuse_txn(m, &ops[i].txn, puts);
		else if (ops[i].kind == REQ_PUT && puts)
			e = refuse_put(m, &ops[i].put, false);
		else if (ops[i].kind == REQ_RANGE && !puts)
			e = refuse_range(m, ops[i].range.revision);
	}
	return e;
}

/* ---- entries ---- */

static enum error grant(struct model *m, int64_t id, int64_t ttl, int64_t now_ms)
{
	if (id == 0)
		return ERR_LEASE_NOT_FOUND;
	if (ttl > 9000000000)
		return ERR_LEASE_TTL_TOO_LARGE;
	if (model_lease(m, id))
		return ERR_LEASE_EXISTS;
	size_t i = lease_place(m, id);
	struct model_lease l = {.id = id, .ttl = ttl < m->min_ttl ? m->min_ttl : ttl};
	l.promised_ms = now_ms;
	vec_push(&m->leases, l);
	memmove(m->leases.v + i + 1, m->leases.v + i, (m->leases.n - i - 1) * sizeof l);
	m->leases.v[i] = l;
	return ERR_NONE;
}

/* Exactly the attached keys go, in their order, in one revision. */
static enum error revoke(struct writing *t, int64_t id, int64_t now_ms, bool expired)
{
	struct model *m = t->m;
	struct model_lease *l = model_lease(m, id);

	if (!l)
		return ERR_LEASE_NOT_FOUND;
	keep_attached(m, l);
	for (size_t i = 0; i < l->keys.n; i++)
		change(t, (struct version){.key = l->keys.v[i], .tombstone = true});
	vec_free(&l->keys);
	vec_remove(&m->leases, (size_t)(l - m->leases.v));
	if (m->ended.n == 32)
		vec_remove(&m->ended, 0);
	vec_push(&m->ended, (struct model_ended){id, now_ms, expired});
	return ERR_NONE;
}

static void lose_tombstones(struct model *m, int64_t rev)
{
	uint64_t i = model_pos_of_rev(m, rev - 1), end = model_pos_of_rev(m, rev);

	while (i < end && !model_change(m, i)->tombstone)
		i++;
	if (i < end && !m->keep_tombstone_at_compact)
		vec_push(&m->lossy, rev);
}

static enum error compact(struct model *m, int64_t rev)
{
	if (rev <= m->compact_rev)
		return ERR_COMPACTED;
	if (rev > m->rev)
		return ERR_FUTURE_REV;
	m->compact_rev = rev;
	lose_tombstones(m, rev);
	return ERR_NONE;
}

/* ---- alarms ---- */

static void raise_alarm(struct model *m, struct alarm a)
{
	for (size_t i = 0; i < m->full.n; i++)
		if (m->full.v[i] == a.member_id)
			return;
	if (a.kind != ALARM_NO_SPACE)
		return;
	m->unguarded |= m->full.n == 0;
	vec_push(&m->full, a.member_id);
}

static void clear_alarm(struct model *m, struct alarm a)
{
	for (size_t i = 0; i < m->full.n; i++)
		if (m->full.v[i] == a.member_id && a.kind == ALARM_NO_SPACE)
			vec_remove(&m->full, i--);
	m->unguarded &= m->full.n > 0;
}

static bool has_put(const struct request *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].kind == REQ_PUT)
			return true;
	return false;
}

/* What the alarm refuses: a transaction with a put in a branch that does not run too. */
static bool takes_room(const struct request *q)
{
	return q->kind == REQ_PUT || q->kind == REQ_LEASE_GRANT ||
	       (q->kind == REQ_TXN && (has_put(q->txn.success, q->txn.nsuccess) ||
				       has_put(q->txn.failure, q->txn.nfailure)));
}

static enum error carry_out(struct writing *t, const struct request *q, int64_t now_ms,
			    bool expired)
{
	enum error e = ERR_NONE;

	if (request_is_auth(q)) {
		struct response none = {0};
		return auth_apply(&t->m->auth, t->m->heap, q, &none);
	}
	switch (q->kind) {
	case REQ_PUT:
		e = refuse_put(t->m, &q->put, true);
		if (!e)
			put(t, &q->put);
		return e;
	case REQ_DELETE_RANGE:
		delete_range(t, q->del.range);
		return ERR_NONE;
	case REQ_TXN:
		e = refuse_txn(t->m, &q->txn, true);
		if (!e)
			e = refuse_txn(t->m, &q->txn, false);
		if (!e)
			run_txn(t, &q->txn);
		return e;
	case REQ_COMPACTION:
		return compact(t->m, q->compaction.revision);
	case REQ_LEASE_GRANT:
		return grant(t->m, q->grant.id, q->grant.ttl, now_ms);
	case REQ_LEASE_REVOKE:
		return revoke(t, q->revoke.id, now_ms, expired);
	case REQ_ALARM_ACTIVATE:
		raise_alarm(t->m, q->alarm);
		return ERR_NONE;
	case REQ_ALARM_DEACTIVATE:
		clear_alarm(t->m, q->alarm);
		return ERR_NONE;
	default:
		return ERR_NONE;
	}
}

void model_end_revision(struct model *m)
{
	struct total *t = heap_alloc(m->heap, sizeof *t);

	*t = m->now;
	m->rev++;
	pvec_push(&m->totals, m->heap, t);
}

/* Tombstones of the compacted revision, which etcd 3.5 keeps. */
static void add_kept_tombstones(const struct model *m, struct outcome *o)
{
	uint64_t from = model_pos_of_rev(m, m->compact_rev - 1);

	for (uint64_t i = from; i < model_pos_of_rev(m, m->compact_rev); i++) {
		const struct version *v = model_change(m, i);
		if (!v->tombstone)
			continue;
		o->rows++;
		o->bytes += row_bytes(v);
	}
}

/* What a compaction leaves: the keys that existed at its revision, and all changes since. */
static void count_left(const struct model *m, struct outcome *o)
{
	o->rows = m->now.rows;
	o->bytes = m->now.bytes;
	if (m->compact_rev < 1)
		return;
	const struct total *t = pvec_get(&m->totals, (uint64_t)m->compact_rev);
	o->rows += (uint64_t)t->live_keys - t->rows;
	o->bytes += t->live_bytes - t->bytes;
	if (m->keep_tombstone_at_compact)
		add_kept_tombstones(m, o);
}

static void tell_now(const struct model *m, struct outcome *o)
{
	o->rev = m->rev;
	o->compact_rev = m->compact_rev;
	o->live_keys = m->now.live_keys;
	o->nleases = m->leases.n;
	count_left(m, o);
}

/* May the user write all keys of the lease? */
static enum error refuse_lease(struct model *m, const struct proposal *p)
{
	struct model_lease *l = model_lease(m, p->req->revoke.id);
	enum error e = ERR_NONE;

	if (l)
		keep_attached(m, l);
	for (size_t i = 0; l && i < l->keys.n && !e; i++)
		e = auth_check_key(&m->auth, p->req->user, p->auth_revision, l->keys.v[i]);
	return e;
}

/* Whether the alarm lets it pass, and the user of the entry may do it; the servers' own may
 * everything. */
static enum error refuse_entry(struct model *m, const struct proposal *p, const struct request *q)
{
	if (m->full.n && takes_room(q))
		return ERR_NO_SPACE;
	if (!m->auth.enabled || m->unguarded || !p->call)
		return ERR_NONE;
	enum error e = auth_check_admin_entry(&m->auth, p->req);
	if (!e)
		e = auth_check_keys(&m->auth, p->req, p->auth_revision);
	if (!e && p->req->kind == REQ_LEASE_REVOKE)
		e = refuse_lease(m, p);
	return e;
}

struct outcome model_apply(struct model *m, const struct entry *e, const struct request *req,
			   int64_t now_ms, bool expired)
{
	struct writing t = {m, m->now.rows};
	struct outcome o = {.pos = m->now.rows};

	if (req && e->type == ENTRY_NORMAL)
		o.error = refuse_entry(m, e->payload, req);
	if (req && e->type == ENTRY_NORMAL && !o.error)
		o.error = carry_out(&t, req, now_ms, expired);
	if (m->now.rows > t.start)
		model_end_revision(m);
	o.nchanges = m->now.rows - t.start;
	tell_now(m, &o);
	return o;
}

struct outcome model_outcome(const struct model *m)
{
	struct outcome o = {.pos = m->now.rows};

	tell_now(m, &o);
	return o;
}
