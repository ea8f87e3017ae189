/* A persistent B+tree from key to the newest row of that key (etcd: server/storage/mvcc/index.go).
 *
 * Persistent: a node remembers the heap's epoch in which it was made; in a later epoch a writer
 * copies the nodes on its path before it changes them (base/heap.h).  So copying the struct after
 * heap_freeze() copies the tree.
 *
 * Made for few cache misses: a slot holds eight bytes of its key, taken behind what all keys of the
 * node have in common, beside the row that holds the whole key.  A search reads a few lines of each
 * node, and the row it was looking for.
 */
#ifndef MVCC_BTREE_H
#define MVCC_BTREE_H

#include "api/kv.h"
#include "base/heap.h"

enum { BTREE_WIDTH = 32, BTREE_LEVELS = 16 };

struct btree {
	struct btree_node *root; /* NULL: empty */
	uint32_t height;	 /* levels above the leaves */
	uint32_t skip;		 /* bytes that all keys ever added have in common */
	const struct row *any;	 /* a row with these first bytes */
	uint64_t n;		 /* keys */
	uint64_t leaves;
};

/* The newest row of the key; NULL: the tree does not have it. */
const struct row *btree_find(const struct btree *t, struct bytes key);
/* Where the newest row of the key stands, or, if *place is NULL, where the caller must put one now.
 */
const struct row **btree_place(struct btree *t, struct heap *h, struct bytes key);
/* The same for a key that must be there already; NULL: it is not. */
const struct row **btree_place_of_old(struct btree *t, struct heap *h, struct bytes key);
/* Takes the key out if this is its newest row. */
void btree_remove(struct btree *t, struct heap *h, const struct row *newest);
/* Packs the leaves if removals have left most of the tree empty. */
void btree_tidy(struct btree *t, struct heap *h);

/* A place in the tree, in order of key.  Becomes stale when the tree changes. */
struct btree_cursor {
	const struct btree_node *node[BTREE_LEVELS]; /* node[0]: the leaf */
	uint32_t at[BTREE_LEVELS];
	uint32_t height;
};

/* At the first key that is not below the given one. */
void btree_seek(const struct btree *t, struct bytes key, struct btree_cursor *c);
/* The row at the cursor, which moves on; NULL: the end. */
const struct row *btree_next(struct btree_cursor *c);
/* Moves on by n keys, a leaf at a time. */
void btree_skip(struct btree_cursor *c, uint64_t n);

#endif
