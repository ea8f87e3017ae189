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

/* Is a key that is not below the range's first one behind its last? */
static inline bool range_ends(struct key_range range, struct bytes key)
{
	if (range.end.n == 0)
		return !bytes_eq(key, range.key);
	return !key_range_is_from_key(range) && bytes_cmp(key, range.end) >= 0;
}

#endif
