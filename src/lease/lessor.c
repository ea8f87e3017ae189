/* The rule: an entry of a queue counts only if its lease still says the same moment (and, of the
 * queues of expiry, the same seq), so renewing and revoking leave the queues alone, and each lease
 * of the primary has exactly one entry that counts.
 */
#include "lease/lessor.h"

enum {
	SPREAD_FROM = 1000,
	SPREAD_PER_SECOND = 750 /* etcd's leaseRevokeRate, and three quarters of it */
};
enum { CHECKPOINT_MS = 300000 };

void lessor_init(struct lessor *l, struct heap *h, int64_t min_ttl)
{
	*l = (struct lessor){.heap = h, .min_ttl = min_ttl};
}

static void lease_free(struct lease *x)
{
	vec_free(&x->keys);
	free(x);
}

void lessor_free(struct lessor *l)
{
	for (size_t i = 0; i < l->leases.n; i++)
		lease_free(l->leases.v[i]);
	vec_free(&l->leases);
	vec_free(&l->expiries.heap);
	vec_free(&l->retries.heap);
	vec_free(&l->checkpoints.heap);
	items_free(&l->items);
}

static struct lease *lease_copy(const struct lease *x)
{
	struct lease *copy = xmalloc(sizeof *copy);

	*copy = *x;
	vec_copy(&copy->keys, &x->keys);
	return copy;
}

void lessor_copy(struct lessor *dst, const struct lessor *src)
{
	*dst = *src;
	vec_copy(&dst->leases, &src->leases);
	for (size_t i = 0; i < dst->leases.n; i++)
		dst->leases.v[i] = lease_copy(src->leases.v[i]);
	vec_copy(&dst->expiries.heap, &src->expiries.heap);
	vec_copy(&dst->retries.heap, &src->retries.heap);
	vec_copy(&dst->checkpoints.heap, &src->checkpoints.heap);
	items_copy(&dst->items, &src->items);
}

/* ---- finding ---- */

/* The place of the first lease whose id is not below. */
static size_t place_of(const struct lessor *l, int64_t id)
{
	size_t lo = 0, hi = l->leases.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (l->leases.v[mid]->id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct lease *find(const struct lessor *l, int64_t id)
{
	size_t i = place_of(l, id);

	return i < l->leases.n && l->leases.v[i]->id == id ? l->leases.v[i] : NULL;
}

const struct lease *lessor_find(const struct lessor *l, int64_t id)
{
	return find(l, id);
}

int64_t lessor_of_key(const struct lessor *l, struct bytes key)
{
	return items_get(&l->items, key);
}

/* ---- expiry ---- */

/* A lease that was offered waits for its retry, every other one for its expiry. */
static void schedule(struct lessor *l, const struct lease *x)
{
	if (x->revoke_retry_ms)
		expiry_push(&l->retries,
			    (struct expiry){x->revoke_retry_ms, x->renewed_seq, x->id});
	else
		expiry_push(&l->expiries, (struct expiry){x->expiry_ms, x->renewed_seq, x->id});
}

static void schedule_all(struct lessor *l)
{
	l->expiries.heap.n = l->retries.heap.n = 0;
	for (size_t i = 0; i < l->leases.n; i++)
		schedule(l, l->leases.v[i]);
}

/* Entries that are out of date may make up half of the queue, not more. */
static void refresh(struct lessor *l, struct lease *x, int64_t expiry_ms)
{
	x->expiry_ms = expiry_ms;
	x->revoke_retry_ms = 0;
	x->renewed_seq = l->next_seq++;
	if (!l->primary)
		return;
	if (l->expiries.heap.n > 2 * l->leases.n + 64)
		schedule_all(l);
	else
		schedule(l, x);
}

static int64_t full_expiry(const struct lessor *l, const struct lease *x, int64_t now_ms)
{
	return l->primary ? now_ms + x->ttl * 1000 : LEASE_NEVER;
}

/* ---- checkpoints ---- */

static void push_checkpoint(struct lessor *l, const struct lease *x)
{
	expiry_push(&l->checkpoints, (struct expiry){x->checkpoint_ms, x->renewed_seq, x->id});
}

/* Leases that have gone leave their entries behind: half of the queue, not more. */
static void tidy_checkpoints(struct lessor *l)
{
	if (l->checkpoints.heap.n <= 2 * l->leases.n + 64)
		return;
	l->checkpoints.heap.n = 0;
	for (size_t i = 0; i < l->leases.n; i++)
		if (l->leases.v[i]->checkpoint_ms)
			push_checkpoint(l, l->leases.v[i]);
}

/* A lease that has more left than the time between two checkpoints gets one (etcd: lessor.go,
 * scheduleCheckpointIfNeeded). */
static void schedule_checkpoint(struct lessor *l, struct lease *x, int64_t now_ms)
{
	int64_t left = x->remaining_ttl > 0 ? x->remaining_ttl : x->ttl;

	x->checkpoint_ms = 0;
	if (!l->primary || left <= CHECKPOINT_MS / 1000)
		return;
	x->checkpoint_ms = now_ms + CHECKPOINT_MS;
	push_checkpoint(l, x);
	tidy_checkpoints(l);
}

void lessor_checkpoint(struct lessor *l, int64_t id, int64_t remaining_ttl, int64_t now_ms)
{
	struct lease *x = find(l, id);

	if (!x)
		return;
	x->remaining_ttl = remaining_ttl;
	schedule_checkpoint(l, x, now_ms);
}

/* One that has all its time left, as it was just renewed, is passed over. */
size_t lessor_take_checkpoints(struct lessor *l, int64_t now_ms, struct lease_checkpoint *v,
			       size_t max)
{
	size_t n = 0;

	while (n < max && expiry_due(&l->checkpoints, now_ms)) {
		struct expiry e = expiry_pop(&l->checkpoints);
		struct lease *x = find(l, e.lease);
		if (!x || x->checkpoint_ms != e.at_ms || x->expiry_ms <= now_ms)
			continue;
		int64_t left = (x->expiry_ms - now_ms + 999) / 1000;
		x->checkpoint_ms = 0;
		if (left >= x->ttl)
			schedule_checkpoint(l, x, now_ms);
		else
			v[n++] = (struct lease_checkpoint){x->id, left};
	}
	return n;
}

void lessor_forget_checkpoints(struct lessor *l)
{
	for (size_t i = 0; i < l->leases.n; i++)
		l->leases.v[i]->remaining_ttl = 0;
}

/* ---- what comes through the log ---- */

enum error lessor_grant(struct lessor *l, int64_t id, int64_t ttl, int64_t now_ms, int64_t *granted)
{
	if (id == 0)
		return ERR_LEASE_NOT_FOUND;
	if (ttl > LEASE_MAX_TTL)
		return ERR_LEASE_TTL_TOO_LARGE;
	if (find(l, id))
		return ERR_LEASE_EXISTS;
	struct lease *x = xcalloc(1, sizeof *x);
	x->id = id;
	x->ttl = ttl < l->min_ttl ? l->min_ttl : ttl;
	size_t i = place_of(l, id);
	vec_push(&l->leases, x);
	memmove(&l->leases.v[i + 1], &l->leases.v[i], (l->leases.n - 1 - i) * sizeof x);
	l->leases.v[i] = x;
	refresh(l, x, full_expiry(l, x, now_ms));
	schedule_checkpoint(l, x, now_ms);
	*granted = x->ttl;
	return ERR_NONE;
}

/* The place of the key in the lease's list, or where it would go. */
static size_t key_place(const struct lease *x, struct bytes key)
{
	size_t lo = 0, hi = x->keys.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (bytes_cmp(x->keys.v[mid], key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void lessor_detach(struct lessor *l, struct bytes key)
{
	struct lease *x = find(l, items_get(&l->items, key));

	if (!x)
		return;
	items_remove(&l->items, key);
	vec_remove(&x->keys, key_place(x, key));
}

enum error lessor_attach(struct lessor *l, int64_t id, struct bytes key)
{
	struct lease *x = find(l, id);

	if (id && !x)
		return ERR_LEASE_NOT_FOUND;
	if (items_get(&l->items, key) == id)
		return ERR_NONE;
	lessor_detach(l, key);
	if (!id)
		return ERR_NONE;
	struct bytes own = {heap_dup(l->heap, key.p, key.n), key.n};
	size_t i = key_place(x, own);
	vec_push(&x->keys, own);
	memmove(&x->keys.v[i + 1], &x->keys.v[i], (x->keys.n - 1 - i) * sizeof own);
	x->keys.v[i] = own;
	items_set(&l->items, own, id);
	return ERR_NONE;
}

enum error lessor_revoke(struct lessor *l, int64_t id, key_list *keys)
{
	struct lease *x = find(l, id);

	if (!x)
		return ERR_LEASE_NOT_FOUND;
	for (size_t i = 0; i < x->keys.n; i++)
		items_remove(&l->items, x->keys.v[i]);
	if (keys)
		vec_copy(keys, &x->keys);
	vec_remove(&l->leases, place_of(l, id));
	lease_free(x);
	return ERR_NONE;
}

/* ---- what only the primary does ---- */

enum error lessor_renew(struct lessor *l, int64_t id, int64_t now_ms, int64_t *ttl)
{
	struct lease *x = find(l, id);

	if (!x)
		return ERR_LEASE_NOT_FOUND;
	x->remaining_ttl = 0;
	refresh(l, x, full_expiry(l, x, now_ms));
	*ttl = x->ttl;
	return ERR_NONE;
}

static int by_expiry(const void *a, const void *b)
{
	const struct lease *x = *(const struct lease *const *)a,
			   *y = *(const struct lease *const *)b;

	if (x->expiry_ms != y->expiry_ms)
		return x->expiry_ms < y->expiry_ms ? -1 : 1;
	return (x->renewed_seq > y->renewed_seq) - (x->renewed_seq < y->renewed_seq);
}

/* The leases in order of expiry, ties by grant or renewal; the caller frees. */
static struct lease **sorted(const struct lessor *l)
{
	struct lease **v = xmalloc((l->leases.n + 1) * sizeof *v);

	if (l->leases.n) {
		memcpy(v, l->leases.v, l->leases.n * sizeof *v);
		qsort(v, l->leases.n, sizeof *v, by_expiry);
	}
	return v;
}

/* Leases that would run out together are pushed back (etcd: lessor.go: Promote): of those within a
 * second from the first, the one after the 750th by a second, and so on, less what it lies behind
 * the first anyway. */
static void spread(struct lessor *l)
{
	struct lease **v = sorted(l);
	int64_t base = v[0]->expiry_ms, window_end = base + 1000, in_window = 0;

	for (size_t i = 0; i < l->leases.n; i++) {
		int64_t expiry = v[i]->expiry_ms;
		if (expiry > window_end) {
			base = expiry;
			window_end = base + 1000;
			in_window = 1;
		} else if (++in_window > SPREAD_PER_SECOND) {
			int64_t delay = 1000 * in_window / SPREAD_PER_SECOND - (expiry - base);
			window_end = base + delay;
			v[i]->expiry_ms += delay;
		}
	}
	free(v);
}

void lessor_promote(struct lessor *l, int64_t now_ms, int64_t extend_ms)
{
	l->primary = true;
	for (size_t i = 0; i < l->leases.n; i++) {
		struct lease *x = l->leases.v[i];
		int64_t ttl = x->remaining_ttl > 0 ? x->remaining_ttl : x->ttl;
		x->expiry_ms = now_ms + ttl * 1000 + extend_ms;
		x->revoke_retry_ms = 0;
	}
	if (l->leases.n >= SPREAD_FROM)
		spread(l);
	schedule_all(l);
	for (size_t i = 0; i < l->leases.n; i++)
		schedule_checkpoint(l, l->leases.v[i], now_ms);
}

void lessor_demote(struct lessor *l)
{
	l->primary = false;
	for (size_t i = 0; i < l->leases.n; i++) {
		l->leases.v[i]->expiry_ms = LEASE_NEVER;
		l->leases.v[i]->revoke_retry_ms = 0;
	}
	l->expiries.heap.n = l->retries.heap.n = l->checkpoints.heap.n = 0;
}

/* Leases that were offered in vain take their place among the expired ones again. */
static void retry_due(struct lessor *l, int64_t now_ms)
{
	while (expiry_due(&l->retries, now_ms)) {
		struct expiry e = expiry_pop(&l->retries);
		struct lease *x = find(l, e.lease);
		if (!x || x->revoke_retry_ms != e.at_ms || x->renewed_seq != e.seq)
			continue;
		x->revoke_retry_ms = 0;
		schedule(l, x);
	}
}

size_t lessor_take_expired(struct lessor *l, int64_t now_ms, int64_t retry_ms, int64_t *ids,
			   size_t max)
{
	size_t n = 0;

	retry_due(l, now_ms);
	while (n < max && expiry_due(&l->expiries, now_ms)) {
		struct expiry e = expiry_pop(&l->expiries);
		struct lease *x = find(l, e.lease);
		if (!x || x->expiry_ms != e.at_ms || x->renewed_seq != e.seq || x->revoke_retry_ms)
			continue;
		x->revoke_retry_ms = now_ms + retry_ms;
		schedule(l, x);
		ids[n++] = x->id;
	}
	return n;
}

int64_t lease_left_ms(const struct lease *l, int64_t now_ms)
{
	if (l->expiry_ms == LEASE_NEVER)
		return LEASE_NEVER;
	return l->expiry_ms > now_ms ? l->expiry_ms - now_ms : 0;
}

void lessor_list(const struct lessor *l, int64_t *ids)
{
	struct lease **v = sorted(l);

	for (size_t i = 0; i < l->leases.n; i++)
		ids[i] = v[i]->id;
	free(v);
}
