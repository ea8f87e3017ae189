/* What the files of this folder share and nobody else needs. */
#ifndef MVCC_INTERNAL_H
#define MVCC_INTERNAL_H

#include "mvcc/mvcc.h"
#include "mvcc/row.h"

/* Has a compaction taken the row?  next: the row of the same key after it; NULL: it is the newest.
 */
bool row_hidden(const struct mvcc *m, const struct row *r, const struct row *next);

/* Appends a row that is already in the index. */
void store_append(struct mvcc *m, const struct row *r);

/* Bytes that a row counts for (design.md 3, Numbers). */
static inline int64_t row_size(const struct row *r)
{
	return (int64_t)row_key(r).n + r->value_len + 64;
}

/* The rows from the i-th on, as many as lie side by side; *n: how many. */
static inline void *const *rows_run(const struct mvcc *m, uint64_t i, uint64_t *n)
{
	const struct pvec *v = &m->rows;
	uint64_t at = v->first + i - v->base, left = v->end - v->first - i;
	const struct pvec_node *x = v->root;

	for (uint32_t level = v->height; level > 0; level--)
		x = x->slot[(at >> (level * PVEC_BITS)) & (PVEC_WIDTH - 1)];
	*n = PVEC_WIDTH - (at & (PVEC_WIDTH - 1));
	if (*n > left)
		*n = left;
	return &x->slot[at & (PVEC_WIDTH - 1)];
}

/* Is a key that is not below the range's first one behind its last? */
static inline bool range_ends(struct key_range range, struct bytes key)
{
	if (range.end.n == 0)
		return !bytes_eq(key, range.key);
	return !key_range_is_from_key(range) && bytes_cmp(key, range.end) >= 0;
}

#endif
