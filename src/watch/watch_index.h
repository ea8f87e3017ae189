/* Which watchers a key concerns (etcd: watcher_group.go: keyWatchers and the interval tree of
 * ranges).
 *
 * A watcher is known here by its number (seq).  Watchers of one key are found through a hash table,
 * so a write does not see those of other keys.  Ranges are sorted by their first key; the array is
 * at the same time a balanced tree, its root in the middle, in which each node knows the furthest
 * end below it.
 */
#ifndef WATCH_WATCH_INDEX_H
#define WATCH_WATCH_INDEX_H

#include "api/kv.h"
#include "base/vec.h"

struct key_watchers {
	struct bytes key;
	VEC(uint64_t) seqs; /* ascending; empty: a key that was watched once */
};

struct watched_range {
	struct key_range range;
	uint64_t seq;
	size_t furthest; /* of the tree below: the place of the range that ends last */
};

struct watch_index {
	VEC(struct key_watchers) keys;
	uint32_t *table; /* place in keys + 1; 0: free */
	size_t table_cap;
	VEC(struct watched_range) ranges;
	bool ranges_stale; /* furthest must be found again */
};

typedef VEC(uint64_t) seq_list;

void watch_index_free(struct watch_index *x);
void watch_index_copy(struct watch_index *dst, const struct watch_index *src);
void watch_index_add(struct watch_index *x, struct key_range r, uint64_t seq);
void watch_index_remove(struct watch_index *x, struct key_range r, uint64_t seq);
/* Appends the watchers of the key, in no order. */
void watch_index_match(struct watch_index *x, struct bytes key, seq_list *out);

#endif
