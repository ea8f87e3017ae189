#include "base/pvec.h"

#include <string.h>

#include "base/die.h"

static uint64_t capacity(const struct pvec *v)
{
	return (uint64_t)1 << ((v->height + 1) * PVEC_BITS);
}

static struct pvec_node *node_new(struct heap *h)
{
	struct pvec_node *n = heap_alloc(h, sizeof *n);

	memset(n, 0, sizeof *n);
	n->epoch = h->epoch;
	return n;
}

/* The node in *place, made writable: new if there is none, a copy if it belongs to the past. */
static struct pvec_node *writable(struct heap *h, struct pvec_node **place)
{
	struct pvec_node *n = *place;

	if (!n)
		return *place = node_new(h);
	if (n->epoch == h->epoch)
		return n;
	struct pvec_node *copy = heap_alloc(h, sizeof *copy);
	*copy = *n;
	copy->epoch = h->epoch;
	return *place = copy;
}

static void grow(struct pvec *v, struct heap *h)
{
	struct pvec_node *top = node_new(h);

	top->slot[0] = v->root;
	v->root = top;
	v->height++;
}

void pvec_init(struct pvec *v, uint64_t first)
{
	*v = (struct pvec){.base = first, .first = first, .end = first};
}

/* Sets a slot and returns its leaf. */
static struct pvec_node *put(struct pvec *v, struct heap *h, uint64_t pos, void *element)
{
	uint64_t i = pos - v->base;

	while (i >= capacity(v))
		grow(v, h);
	struct pvec_node *n = writable(h, &v->root);
	for (uint32_t level = v->height; level > 0; level--) {
		void **slot = &n->slot[(i >> (level * PVEC_BITS)) & (PVEC_WIDTH - 1)];
		struct pvec_node *child = *slot;
		n = writable(h, &child);
		*slot = child;
	}
	n->slot[i & (PVEC_WIDTH - 1)] = element;
	return n;
}

void pvec_set(struct pvec *v, struct heap *h, uint64_t pos, void *element)
{
	check_that(pos >= v->first && pos < v->end);
	struct pvec_node *leaf = put(v, h, pos, element);

	if (pvec_in_tail(v, pos - v->base))
		v->tail = leaf; /* it may be a copy now */
}

void pvec_push(struct pvec *v, struct heap *h, void *element)
{
	uint64_t i = v->end - v->base, slot = i & (PVEC_WIDTH - 1);

	/* A leaf of this epoch is the one in the tree: nobody has copied it since. */
	if (pvec_in_tail(v, i) && v->tail->epoch == h->epoch) {
		v->tail->slot[slot] = element;
	} else {
		v->tail = put(v, h, v->end, element);
		v->tail_index = i & ~(uint64_t)(PVEC_WIDTH - 1);
	}
	v->end++;
}

void pvec_truncate(struct pvec *v, uint64_t end)
{
	check_that(end >= v->first && end <= v->end);
	v->end = end;
}

void pvec_drop_front(struct pvec *v, uint64_t first)
{
	check_that(first >= v->first && first <= v->end);
	v->first = first;
}
