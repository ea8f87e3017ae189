/* Reading the store, and the windows through which others look at it (etcd: kvstore.go,
 * kvstore_txn.go). */
#include "mvcc/mvcc.h"

#include "mvcc/internal.h"

void mvcc_init(struct mvcc *m, struct heap *h)
{
	*m = (struct mvcc){.heap = h, .current_rev = 1, .compact_rev = -1};
	pvec_init(&m->rows, 0);
}

/* The revision that a reader may ask for at most: that of the newest row while a transaction is
 * open. */
static int64_t newest_rev(const struct mvcc *m)
{
	if (pvec_len(&m->rows) == 0)
		return m->current_rev;
	const struct row *last = pvec_get(&m->rows, m->rows.end - 1);
	return last->main > m->current_rev ? last->main : m->current_rev;
}

const struct row *mvcc_get(const struct mvcc *m, struct bytes key, int64_t rev)
{
	const struct row *r = btree_find(&m->index, key);

	if (r && rev > 0)
		r = row_at(r, rev);
	return r && !row_is_tombstone(r) ? r : NULL;
}

static enum error check_rev(const struct mvcc *m, int64_t rev)
{
	if (rev > m->current_rev && rev > newest_rev(m))
		return ERR_FUTURE_REV;
	if (rev > 0 && rev < m->compact_rev)
		return ERR_COMPACTED;
	return ERR_NONE;
}

static void range_add(struct row_list *out, const struct row *r, int64_t limit)
{
	if (limit <= 0 || out->count < limit)
		vec_push(&out->rows, r);
	out->count++;
}

enum error mvcc_range(const struct mvcc *m, struct key_range range, int64_t rev, int64_t limit,
		      struct row_list *out)
{
	enum error e = check_rev(m, rev);
	struct btree_cursor c;

	out->count = 0;
	if (e != ERR_NONE)
		return e;
	if (range.end.n == 0) {
		const struct row *r = mvcc_get(m, range.key, rev);
		if (r)
			range_add(out, r, limit);
		return ERR_NONE;
	}
	btree_seek(&m->index, range.key, &c);
	for (const struct row *r; (r = btree_next(&c)) && !range_ends(range, row_key(r));) {
		if (rev > 0)
			r = row_at(r, rev);
		if (r && !row_is_tombstone(r))
			range_add(out, r, limit);
	}
	return ERR_NONE;
}

/* ---- windows ---- */

uint64_t mvcc_row_count(const struct mvcc *m)
{
	return pvec_len(&m->rows);
}

const struct row *mvcc_row(const struct mvcc *m, uint64_t i)
{
	return pvec_get(&m->rows, m->rows.first + i);
}

static bool row_below(const struct row *r, struct revision rev)
{
	return r->main != rev.main ? r->main < rev.main : r->sub < rev.sub;
}

/* A guess first: where every revision left one row, a row's place follows from its revision. */
uint64_t mvcc_row_at_or_after(const struct mvcc *m, struct revision rev)
{
	uint64_t lo = 0, n = mvcc_row_count(m);

	if (n == 0 || !row_below(mvcc_row(m, 0), rev))
		return 0;
	uint64_t guess = (uint64_t)(rev.main - mvcc_row(m, 0)->main);
	if (guess > 0 && guess < n && row_below(mvcc_row(m, guess - 1), rev) &&
	    !row_below(mvcc_row(m, guess), rev))
		return guess;
	while (n) {
		uint64_t half = n / 2;
		if (row_below(mvcc_row(m, lo + half), rev)) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}

uint64_t mvcc_index_count(const struct mvcc *m)
{
	return m->index.n;
}

bool row_hidden(const struct mvcc *m, const struct row *r, const struct row *next)
{
	if (r->main > m->compact_rev)
		return false;
	if (next && next->main <= m->compact_rev)
		return true;
	return row_is_tombstone(r) && !(m->keep_tombstone_at_compact && r->main == m->compact_rev);
}

const struct row *mvcc_row_before(const struct mvcc *m, const struct row *r)
{
	const struct row *prev = row_prev(r);

	return prev && !row_hidden(m, prev, r) ? prev : NULL;
}
