/* A store made from rows that exist already (etcd: kvstore.go: restore), and rows that go bad. */
#include "mvcc/internal.h"

static void count_key(struct mvcc *m, const struct row *old, const struct row *r)
{
	m->live_keys += !row_is_tombstone(r) - (old && !row_is_tombstone(old));
}

static void set_row(struct mvcc *m, uint64_t i, const struct row *r)
{
	pvec_set(&m->rows, m->heap, m->rows.first + i, (void *)(uintptr_t)r);
}

/* The row may be shared with a store in which the key has another past: there it must be made anew.
 */
static bool past_fits(const struct mvcc *m, const struct row *r, const struct row *prev)
{
	const struct row *linked = row_prev(r);

	return linked == prev || (!prev && row_hidden(m, linked, r));
}

void mvcc_restore(struct mvcc *m)
{
	uint64_t n = mvcc_row_count(m);

	m->index = (struct btree){0};
	m->live_keys = 0;
	for (uint64_t i = 0; i < n; i++) {
		const struct row *r = mvcc_row(m, i);
		const struct row **place = btree_place(&m->index, m->heap, row_key(r));
		check_that(past_fits(m, r, *place));
		count_key(m, *place, r);
		*place = r;
	}
}

void mvcc_corrupt(struct mvcc *m, uint64_t i, struct bytes value)
{
	const struct row *bad = mvcc_row(m, i);
	const struct row **place = btree_place(&m->index, m->heap, row_key(bad));
	VEC(const struct row *) newer = {0};

	for (const struct row *r = *place; r != bad; r = row_prev(r))
		vec_push(&newer, r);
	const struct row *last = row_import(m->heap, bad, row_key(bad), value, row_prev(bad));
	m->size += row_size(last) - row_size(bad);
	set_row(m, i, last);
	while (newer.n) {
		const struct row *r = newer.v[--newer.n];
		last = row_relink(m->heap, r, last);
		set_row(m, mvcc_row_at_or_after(m, (struct revision){r->main, r->sub}), last);
	}
	*place = last;
	vec_free(&newer);
}
