/* Write transactions (etcd: kvstore_txn.go: put, deleteRange, End). */
#include "mvcc/internal.h"

void mvcc_txn_begin(struct mvcc_txn *t, struct mvcc *m, struct row_memo *memo)
{
	t->m = m;
	t->memo = memo;
	t->begin_rev = m->current_rev;
	t->changes.v = t->room;
	t->changes.n = 0;
	t->changes.cap = TXN_ROOM;
}

int64_t mvcc_txn_rev(const struct mvcc_txn *t)
{
	return t->begin_rev + (t->changes.n > 0);
}

static void memo_set(struct row_memo *memo, struct heap *h, uint32_t i, const struct row *r)
{
	if (i == memo->cap) {
		uint32_t cap = memo->cap ? 2 * memo->cap : 1;
		const struct row **rows = heap_alloc(h, cap * sizeof *rows);
		if (memo->n)
			memcpy(rows, memo->rows, memo->n * sizeof *rows);
		memo->rows = rows;
		memo->cap = cap;
	}
	memo->rows[i] = r;
	if (i == memo->n)
		memo->n++;
}

/* The row that another member made of the same change, if it is the very same; else a new one. This
 * is where members that ought to be equal are compared (design.md 2). */
static const struct row *row_shared(struct mvcc_txn *t, const struct row_spec *spec)
{
	uint32_t i = (uint32_t)t->changes.n;

	if (!t->memo)
		return row_new(t->m->heap, spec);
	if (i < t->memo->n && row_is(t->memo->rows[i], spec))
		return t->memo->rows[i];
	const struct row *r = row_new(t->m->heap, spec);
	if (i <= t->memo->n)
		memo_set(t->memo, t->m->heap, i, r);
	return r;
}

void store_append(struct mvcc *m, const struct row *r)
{
	pvec_push(&m->rows, m->heap, (void *)(uintptr_t)r);
	m->size += row_size(r);
}

static void more_room(struct mvcc_txn *t)
{
	const struct row **v = xmalloc(2 * t->changes.cap * sizeof *v);

	memcpy(v, t->changes.v, t->changes.n * sizeof *v);
	if (t->changes.v != t->room)
		free(t->changes.v);
	t->changes.v = v;
	t->changes.cap *= 2;
}

static const struct row *write_row(struct mvcc_txn *t, const struct row **place,
				   struct row_spec *spec)
{
	spec->prev = *place;
	spec->rev = (struct revision){t->begin_rev + 1, (int64_t)t->changes.n};
	const struct row *r = *place = row_shared(t, spec);
	store_append(t->m, r);
	if (t->changes.n == t->changes.cap)
		more_room(t);
	t->changes.v[t->changes.n++] = r;
	return r;
}

const struct row *mvcc_txn_put(struct mvcc_txn *t, struct bytes key, struct bytes value,
			       int64_t lease)
{
	const struct row **place = btree_place(&t->m->index, t->m->heap, key);
	struct row_spec spec = {.key = key, .value = value, .lease = lease};

	if (!*place || row_is_tombstone(*place))
		t->m->live_keys++;
	return write_row(t, place, &spec);
}

/* 1 if the key existed, else 0. */
static int64_t delete_key(struct mvcc_txn *t, struct bytes key)
{
	const struct row **place = btree_place_of_old(&t->m->index, t->m->heap, key);
	struct row_spec spec = {.key = key, .tombstone = true};

	if (!place || row_is_tombstone(*place))
		return 0;
	write_row(t, place, &spec);
	t->m->live_keys--;
	return 1;
}

int64_t mvcc_txn_delete_range(struct mvcc_txn *t, struct key_range range)
{
	struct row_list found = {0};

	if (range.end.n == 0)
		return delete_key(t, range.key);
	mvcc_range(t->m, range, 0, 0, &found);
	for (size_t i = 0; i < found.rows.n; i++)
		delete_key(t, row_key(found.rows.v[i]));
	vec_free(&found.rows);
	return found.count;
}

void mvcc_txn_end(struct mvcc_txn *t)
{
	t->m->current_rev = mvcc_txn_rev(t);
}

void mvcc_txn_free(struct mvcc_txn *t)
{
	if (t->changes.v != t->room)
		free(t->changes.v);
	t->changes.v = NULL;
	t->changes.n = t->changes.cap = 0;
}
