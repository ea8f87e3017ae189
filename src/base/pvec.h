/* A persistent vector of pointers: the log of a member, the rows of a store in order of revision.
 *
 * A tree of nodes of 32 slots.  Copying the struct copies the vector, in no time, if heap_freeze()
 * was called in between: a node made in an earlier epoch is never changed, a writer copies the path
 * to the slot that it sets.  Positions are absolute and may begin anywhere; elements can be dropped
 * from both ends.  Nodes belong to the heap.
 */
#ifndef BASE_PVEC_H
#define BASE_PVEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"

enum { PVEC_BITS = 5, PVEC_WIDTH = 1 << PVEC_BITS };

struct pvec_node {
	uint32_t epoch;
	void *slot[PVEC_WIDTH]; /* nodes, or the elements at level 0 */
};

struct pvec {
	struct pvec_node *root;
	uint32_t height;	/* levels above the leaves */
	uint64_t base;		/* position of slot 0 of the tree */
	uint64_t first, end;	/* elements are first .. end - 1 */
	struct pvec_node *tail; /* leaf of the last push: the next one usually goes there too */
	uint64_t tail_index;	/* of its slot 0 */
};

/* An empty vector whose first element will have the given position. */
void pvec_init(struct pvec *v, uint64_t first);

static inline uint64_t pvec_len(const struct pvec *v)
{
	return v->end - v->first;
}

/* Is the slot (counted from base) in the leaf that is remembered? */
static inline bool pvec_in_tail(const struct pvec *v, uint64_t i)
{
	return v->tail && i - v->tail_index < PVEC_WIDTH;
}

/* The element at a position from first to end - 1.  The newest ones are asked for most. */
static inline void *pvec_get(const struct pvec *v, uint64_t pos)
{
	uint64_t i = pos - v->base;
	const struct pvec_node *n = v->root;

	if (pvec_in_tail(v, i))
		return v->tail->slot[i & (PVEC_WIDTH - 1)];

	for (uint32_t level = v->height; level > 0; level--)
		n = n->slot[(i >> (level * PVEC_BITS)) & (PVEC_WIDTH - 1)];
	return n->slot[i & (PVEC_WIDTH - 1)];
}

/* Sets an element that exists. */
void pvec_set(struct pvec *v, struct heap *h, uint64_t pos, void *element);
/* Adds one at the end. */
void pvec_push(struct pvec *v, struct heap *h, void *element);
/* Keeps only the elements before end, or from first on. */
void pvec_truncate(struct pvec *v, uint64_t end);
void pvec_drop_front(struct pvec *v, uint64_t first);

#endif
