/* Rows and the chain that joins the rows of one key (etcd: server/storage/mvcc/key_index.go).
 *
 * etcd keeps, for each key, its revisions in arrays, one for each generation.  Here every row
 * remembers the row of the same key before it, so the newest row of a key is all that an index
 * needs to hold:
 *
 *     put 2, put 3, delete 4, put 5          5 -> 4t -> 3 -> 2
 *     etcd's generations                     {2 3 4t} {5}
 *
 * A new version only points at what is there already.  So the past of a store keeps its own newest
 * rows and sees nothing of the future, two futures of one past share their common part, and members
 * share all of it.
 *
 * What a compaction hides needs no change in the chain either: at most one row of a key at or below
 * the compacted revision is left, the newest of them, and nobody may ask for what lies behind it.
 *
 * The links stand in front of the row:  [jump] [prev] [struct row, key, value].
 * One row in eight has a jump, one in 64 a longer one, and so on, as in a skip list (Pugh, "Skip
 * lists: a probabilistic alternative to balanced trees", 1990), except that the lots are drawn by a
 * hash of the revision: so any version of a key is found in a number of steps that grows with the
 * logarithm of how many there are, and a row has the same links wherever it is made.
 */
#ifndef MVCC_ROW_H
#define MVCC_ROW_H

#include "api/kv.h"
#include "base/heap.h"

/* The row of the same key before this one; NULL: none.  Also leads to rows that a compaction has
 * hidden. */
static inline const struct row *row_prev(const struct row *r)
{
	return ((const struct row *const *)r)[-1];
}

/* What a new row is to hold.  Versions and create_revision follow from prev. */
struct row_spec {
	const struct row
	    *prev; /* newest row of the key, tombstone or not; NULL: a key never seen */
	struct revision rev;
	struct bytes key, value;
	int64_t lease;
	bool tombstone;
};

/* A row in the heap, linked to its key's past. */
const struct row *row_new(struct heap *h, const struct row_spec *spec);
/* Would row_new make exactly this row, links included? */
bool row_is(const struct row *r, const struct row_spec *spec);
/* A copy with another past; its versions stay. */
const struct row *row_relink(struct heap *h, const struct row *r, const struct row *prev);
/* A row as it was found in a database; versions and lease are told, not derived. */
const struct row *row_import(struct heap *h, const struct row *head, struct bytes key,
			     struct bytes value, const struct row *prev);

/* Newest row of the chain with main at or below rev, tombstone or not; NULL: there is none. */
const struct row *row_at(const struct row *newest, int64_t rev);

#endif
