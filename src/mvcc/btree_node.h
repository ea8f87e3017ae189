/* A node of the tree and how it is searched; for the files btree*.c alone.
 *
 * The heads of a node are compared first, as numbers.  Only where two of them are equal, or one
 * equals the head of the key that is looked for, do whole keys decide, and only then is a row read.
 */
#ifndef MVCC_BTREE_NODE_H
#define MVCC_BTREE_NODE_H

#include <stddef.h>

#include "mvcc/btree.h"

enum { LEAF, INNER };

struct btree_node {
	uint32_t epoch;
	uint16_t n;
	uint16_t skip; /* heads begin here; all keys between the node's bounds agree before */
	uint64_t head[BTREE_WIDTH]; /* UINT64_MAX behind the last; 0 for the first child of an inner
				       node */
	union slot {
		const struct row *row;	 /* in a leaf */
		struct btree_node *node; /* in an inner node */
	} slot[BTREE_WIDTH];
};

/* An inner node knows the smallest key of each child but the first, whose bound is the node's own.
 */
struct inner {
	struct btree_node node;
	const struct row *sep[BTREE_WIDTH]; /* any row with that key */
};

__attribute__((noinline)) static uint64_t head_of_short(struct bytes key, size_t skip)
{
	uint64_t head = 0;

	for (size_t i = skip; i < key.n; i++)
		head |= (uint64_t)(unsigned char)key.p[i] << (56 - 8 * (i - skip));
	return head;
}

/* Eight bytes of the key from skip on as a number in byte order, zeros behind the end. */
static inline uint64_t head_of(struct bytes key, size_t skip)
{
	uint64_t head;

	if (key.n < 8 || key.n <= skip)
		return head_of_short(key, skip);
	size_t at = key.n - skip >= 8 ? skip : key.n - 8;
	memcpy(&head, key.p + at, 8);
	return __builtin_bswap64(head) << (8 * (skip - at));
}

static inline struct inner *as_inner(struct btree_node *x)
{
	return (struct inner *)x;
}

static inline const struct inner *as_inner_const(const struct btree_node *x)
{
	return (const struct inner *)x;
}

static inline struct bytes key_at(const struct btree_node *x, uint32_t level, uint32_t i)
{
	return row_key(level == LEAF ? x->slot[i].row : as_inner_const(x)->sep[i]);
}

/* The first head that is not below h.  Always the same few steps, without branches that depend on
 * the heads; the heads behind the last slot are the highest there are. */
static inline uint32_t first_head(const struct btree_node *x, uint64_t h)
{
	const uint64_t *p = x->head;

	_Static_assert(BTREE_WIDTH == 32, "five steps and a last look");
	p += p[15] < h ? 16 : 0;
	p += p[7] < h ? 8 : 0;
	p += p[3] < h ? 4 : 0;
	p += p[1] < h ? 2 : 0;
	p += p[0] < h;
	return (uint32_t)(p - x->head) + (*p < h);
}

static inline bool head_is_alone(const struct btree_node *x, uint32_t i)
{
	return i + 1 == x->n || x->head[i + 1] != x->head[i];
}

/* Of the slots from lo on whose heads are equal, the first whose key is not below, or, if above,
 * the first whose key is above.  Here the whole keys decide. */
__attribute__((noinline)) static uint32_t among_equals(const struct btree_node *x, uint32_t level,
						       uint32_t lo, struct bytes key, bool above)
{
	uint32_t n = 1;

	while (lo + n < x->n && x->head[lo + n] == x->head[lo])
		n++;
	while (n) {
		uint32_t half = n / 2;
		int c = bytes_cmp(key_at(x, level, lo + half), key);
		bool on = above ? c <= 0 : c < 0;
		lo += on ? half + 1 : 0;
		n = on ? n - half - 1 : half;
	}
	return lo;
}

/* First slot of a leaf whose key is not below; *found: it is the key. */
static inline uint32_t leaf_search(const struct btree_node *x, struct bytes key, bool *found)
{
	uint64_t head = head_of(key, x->skip);
	uint32_t i = first_head(x, head);

	*found = false;
	if (i == x->n || x->head[i] != head)
		return i;
	if (!head_is_alone(x, i))
		i = among_equals(x, LEAF, i, key, false);
	if (i == x->n)
		return i;
	int c = bytes_cmp(row_key(x->slot[i].row), key);
	*found = c == 0;
	return c < 0 ? i + 1 : i;
}

/* The child whose bounds hold the key. */
static inline uint32_t inner_search(const struct btree_node *x, struct bytes key)
{
	uint64_t head = head_of(key, x->skip);
	uint32_t i = first_head(x, head);

	i += i == 0; /* the first child has no separator */
	if (i < x->n && x->head[i] == head)
		i = among_equals(x, INNER, i, key, true);
	return i - 1;
}

/* Fetches the heads of a node together; a search would ask for one line after the other. */
static inline void fetch(const struct btree_node *x)
{
	_Static_assert(offsetof(struct btree_node, slot) <= 320, "heads take more lines");
	__builtin_prefetch((const char *)x);
	__builtin_prefetch((const char *)x + 64);
	__builtin_prefetch((const char *)x + 128);
	__builtin_prefetch((const char *)x + 192);
	__builtin_prefetch((const char *)x + 256);
}

/* Is the key below (-1) or above (1) all that begin as all keys of the tree do, or one of them (0)?
 */
static inline int prefix_cmp(const struct btree *t, struct bytes key)
{
	size_t n = key.n < t->skip ? key.n : t->skip;
	int c = n ? memcmp(key.p, t->any->data, n) : 0;

	return c ? c : key.n < t->skip ? -1 : 0;
}

#endif
