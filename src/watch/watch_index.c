#include "watch/watch_index.h"

#include "base/hash.h"

enum { SMALLEST = 16 };

void watch_index_free(struct watch_index *x)
{
	for (size_t i = 0; i < x->keys.n; i++)
		vec_free(&x->keys.v[i].seqs);
	vec_free(&x->keys);
	vec_free(&x->ranges);
	free(x->table);
	x->table = NULL;
	x->table_cap = 0;
}

void watch_index_copy(struct watch_index *dst, const struct watch_index *src)
{
	*dst = *src;
	vec_copy(&dst->keys, &src->keys);
	for (size_t i = 0; i < src->keys.n; i++)
		vec_copy(&dst->keys.v[i].seqs, &src->keys.v[i].seqs);
	vec_copy(&dst->ranges, &src->ranges);
	if (src->table_cap) {
		dst->table = xmalloc(src->table_cap * sizeof *dst->table);
		memcpy(dst->table, src->table, src->table_cap * sizeof *dst->table);
	}
}

/* ---- single keys ---- */

/* The key's slot in the table, or the free one where it would go. */
static size_t find(const struct watch_index *x, struct bytes key)
{
	size_t mask = x->table_cap - 1, i = bytes_hash(key) & mask;

	while (x->table[i] && !bytes_eq(x->keys.v[x->table[i] - 1].key, key))
		i = (i + 1) & mask;
	return i;
}

/* Keys that nobody watches any more go when the table grows. */
static void forget_unwatched(struct watch_index *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->keys.n; i++)
		if (x->keys.v[i].seqs.n)
			x->keys.v[n++] = x->keys.v[i];
	x->keys.n = n;
}

static void rehash(struct watch_index *x)
{
	forget_unwatched(x);
	free(x->table);
	x->table_cap = SMALLEST;
	while (x->table_cap < 4 * x->keys.n)
		x->table_cap *= 2;
	x->table = xcalloc(x->table_cap, sizeof *x->table);
	for (size_t i = 0; i < x->keys.n; i++)
		x->table[find(x, x->keys.v[i].key)] = (uint32_t)i + 1;
}

static void add_key(struct watch_index *x, struct bytes key, uint64_t seq)
{
	if (2 * (x->keys.n + 1) > x->table_cap)
		rehash(x);
	size_t i = find(x, key);
	if (!x->table[i]) {
		vec_push(&x->keys, (struct key_watchers){.key = key});
		x->table[i] = (uint32_t)x->keys.n;
	}
	vec_push(&x->keys.v[x->table[i] - 1].seqs, seq);
}

static void remove_key(struct watch_index *x, struct bytes key, uint64_t seq)
{
	struct key_watchers *k = &x->keys.v[x->table[find(x, key)] - 1];
	size_t i = 0;

	while (k->seqs.v[i] != seq)
		i++;
	vec_remove(&k->seqs, i);
	if (k->seqs.n == 0)
		vec_free(&k->seqs);
}

/* ---- ranges ---- */

static size_t first_at_or_after(const struct watch_index *x, struct bytes key)
{
	size_t lo = 0, hi = x->ranges.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (bytes_cmp(x->ranges.v[mid].range.key, key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void add_range(struct watch_index *x, struct key_range r, uint64_t seq)
{
	size_t i = first_at_or_after(x, r.key);

	vec_push(&x->ranges, (struct watched_range){0});
	struct watched_range *v = x->ranges.v;
	memmove(v + i + 1, v + i, (x->ranges.n - 1 - i) * sizeof *v);
	v[i] = (struct watched_range){.range = r, .seq = seq};
	x->ranges_stale = true;
}

static void remove_range(struct watch_index *x, struct key_range r, uint64_t seq)
{
	size_t i = first_at_or_after(x, r.key);

	while (x->ranges.v[i].seq != seq)
		i++;
	vec_remove(&x->ranges, i);
	x->ranges_stale = true;
}

static bool ends_behind(struct key_range r, struct bytes key)
{
	return key_range_is_from_key(r) || bytes_cmp(key, r.end) < 0;
}

static bool ends_later(struct key_range a, struct key_range b)
{
	return key_range_is_from_key(a) ||
	       (!key_range_is_from_key(b) && bytes_cmp(a.end, b.end) > 0);
}

/* The tree of the ranges lo .. hi - 1: its root is the middle one.  Returns the one that ends last.
 */
static size_t find_furthest(struct watch_index *x, size_t lo, size_t hi)
{
	struct watched_range *v = x->ranges.v;
	size_t mid = (lo + hi) / 2, best = mid;

	if (lo < mid) {
		size_t left = find_furthest(x, lo, mid);
		if (ends_later(v[left].range, v[best].range))
			best = left;
	}
	if (mid + 1 < hi) {
		size_t right = find_furthest(x, mid + 1, hi);
		if (ends_later(v[right].range, v[best].range))
			best = right;
	}
	return v[mid].furthest = best;
}

static void match_ranges(const struct watch_index *x, size_t lo, size_t hi, struct bytes key,
			 seq_list *out)
{
	const struct watched_range *v = x->ranges.v;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (!ends_behind(v[v[mid].furthest].range, key))
			return;
		if (lo < mid)
			match_ranges(x, lo, mid, key, out);
		if (bytes_cmp(v[mid].range.key, key) > 0)
			return;
		if (ends_behind(v[mid].range, key))
			vec_push(out, v[mid].seq);
		lo = mid + 1;
	}
}

/* ---- both ---- */

void watch_index_add(struct watch_index *x, struct key_range r, uint64_t seq)
{
	if (r.end.n == 0)
		add_key(x, r.key, seq);
	else
		add_range(x, r, seq);
}

void watch_index_remove(struct watch_index *x, struct key_range r, uint64_t seq)
{
	if (r.end.n == 0)
		remove_key(x, r.key, seq);
	else
		remove_range(x, r, seq);
}

void watch_index_match(struct watch_index *x, struct bytes key, seq_list *out)
{
	if (x->keys.n) {
		uint32_t at = x->table[find(x, key)];
		if (at) {
			const struct key_watchers *k = &x->keys.v[at - 1];
			for (size_t i = 0; i < k->seqs.n; i++)
				vec_push(out, k->seqs.v[i]);
		}
	}
	if (x->ranges.n && x->ranges_stale) {
		find_furthest(x, 0, x->ranges.n);
		x->ranges_stale = false;
	}
	match_ranges(x, 0, x->ranges.n, key, out);
}
