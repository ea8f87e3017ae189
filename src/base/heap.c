#include "base/heap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/die.h"

enum { FIRST_BLOCK = 64 << 10, LARGEST_BLOCK = 4 << 20, LARGE = 2 << 20, PAGE = 4 << 10 };

struct heap_block {
	struct heap_block *next;
	size_t size;
};

struct heap *heap_new(void)
{
	struct heap *h = xcalloc(1, sizeof *h);

	h->epoch = 1;
	h->sharers = 1;
	return h;
}

struct heap *heap_share(struct heap *h)
{
	h->sharers++;
	return h;
}

static void free_blocks(struct heap_block *b)
{
	for (struct heap_block *next; b; b = next) {
		next = b->next;
		free(b);
	}
}

void heap_free(struct heap *h)
{
	if (!h || --h->sharers > 0)
		return;
	free_blocks(h->blocks);
	free(h);
}

void heap_clear(struct heap *h)
{
	struct heap_block *newest = h->blocks;

	h->used = 0;
	if (!newest)
		return;
	free_blocks(newest->next);
	newest->next = NULL;
	h->at = (char *)(newest + 1);
}

/* Blocks double up to a limit: a small world stays small, a large one asks seldom. */
static size_t next_size(const struct heap *h, size_t n)
{
	size_t size = h->blocks ? 2 * h->blocks->size : FIRST_BLOCK;

	if (size > LARGEST_BLOCK)
		size = LARGEST_BLOCK;
	n += sizeof(struct heap_block);
	if (n > size)
		size = n;
	return size < LARGE ? size : (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* A large block gets its pages at once: one by one, on the first touch, they were a fifth of a long
 * script's time.  Where the system cannot do that it is as before. */
static void *with_pages(size_t size)
{
	void *p = aligned_alloc(PAGE, size);

	if (!p)
		die("out of memory");
#ifdef MADV_POPULATE_WRITE
	madvise(p, size, MADV_POPULATE_WRITE);
#endif
	return p;
}

void *heap_alloc_slow(struct heap *h, size_t n)
{
	size_t size = next_size(h, n);
	struct heap_block *b = size < LARGE ? xmalloc(size) : with_pages(size);

	b->next = h->blocks;
	b->size = size;
	h->blocks = b;
	h->at = (char *)(b + 1);
	h->end = (char *)b + size;
	return heap_alloc(h, n);
}

char *heap_dup(struct heap *h, const void *p, size_t n)
{
	char *copy = heap_alloc(h, n + 1);

	if (n)
		memcpy(copy, p, n);
	copy[n] = 0;
	return copy;
}
