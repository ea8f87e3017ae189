/* The memory of a family of worlds.
 *
 * A world and all its past states live in one heap.  What is immutable (log entries, rows,
 * requests, nodes of persistent trees) is allocated here and dies with the family; so a past state
 * and the present one may point to the same bytes, and copying a world copies only what can change.
 *
 * The epoch is what makes trees persistent: a node remembers the epoch in which it was made, and
 * may be changed in place only while that epoch lasts.  heap_freeze() begins a new epoch, so
 * everything that exists becomes immutable at no cost; later writers copy the nodes that they
 * touch.  In a world that keeps no past the epoch never changes and nothing is ever copied.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct heap {
	char *at, *end; /* free part of the newest block */
	struct heap_block *blocks;
	uint32_t epoch;
	uint32_t sharers; /* worlds that live in it */
	size_t used;	  /* bytes handed out */
};

struct heap *heap_new(void);
/* One more world lives in the heap; heap_free gives that up, and the last one frees it. */
struct heap *heap_share(struct heap *h);
void heap_free(struct heap *h);

/* All that was handed out is void; a block is kept for what comes next. */
void heap_clear(struct heap *h);

void *heap_alloc_slow(struct heap *h, size_t n);

/* n bytes, 8-aligned, not zeroed; never NULL. */
static inline void *heap_alloc(struct heap *h, size_t n)
{
	n = (n + 7) & ~(size_t)7;
	if (n > (size_t)(h->end - h->at) || !h->at)
		return heap_alloc_slow(h, n);
	void *p = h->at;
	h->at += n;
	h->used += n;
	return p;
}

/* A copy of n bytes, plus a final NUL that is not counted. */
char *heap_dup(struct heap *h, const void *p, size_t n);

/* From here on everything allocated so far is immutable for those who look at epochs. */
static inline void heap_freeze(struct heap *h)
{
	h->epoch++;
}

#endif
