/* The keys of the tree in order. */
#include "mvcc/btree_node.h"

static void descend(struct btree_cursor *c, const struct btree_node *x, uint32_t level)
{
	for (;; level--) {
		c->node[level] = x;
		c->at[level] = 0;
		if (level == LEAF)
			return;
		x = x->slot[0].node;
	}
}

void btree_seek(const struct btree *t, struct bytes key, struct btree_cursor *c)
{
	const struct btree_node *x = t->root;
	int outside = x ? prefix_cmp(t, key) : 0;

	c->height = t->height;
	c->node[0] = NULL;
	if (!x || outside > 0)
		return;
	if (outside < 0) {
		descend(c, x, t->height);
		return;
	}
	for (uint32_t level = t->height; level > LEAF; level--) {
		c->node[level] = x;
		c->at[level] = inner_search(x, key);
		x = x->slot[c->at[level]].node;
	}
	c->node[0] = x;
	bool found;
	c->at[0] = leaf_search(x, key, &found);
}

/* To the next leaf; false at the end. */
static bool next_leaf(struct btree_cursor *c)
{
	for (uint32_t level = 1; level <= c->height; level++) {
		if (++c->at[level] < c->node[level]->n) {
			descend(c, c->node[level]->slot[c->at[level]].node, level - 1);
			return true;
		}
	}
	c->node[0] = NULL;
	return false;
}

const struct row *btree_next(struct btree_cursor *c)
{
	if (!c->node[0])
		return NULL;
	while (c->at[0] == c->node[0]->n)
		if (!next_leaf(c))
			return NULL;
	const struct btree_node *x = c->node[0];
	uint32_t i = c->at[0]++;
	if (i + 4 < x->n)
		__builtin_prefetch(x->slot[i + 4].row);
	return x->slot[i].row;
}

void btree_skip(struct btree_cursor *c, uint64_t n)
{
	while (c->node[0] && n >= c->node[0]->n - c->at[0]) {
		n -= c->node[0]->n - c->at[0];
		if (!next_leaf(c))
			return;
	}
	if (c->node[0])
		c->at[0] += (uint32_t)n;
}

void btree_tidy(struct btree *t, struct heap *h)
{
	struct btree packed = {0};
	struct btree_cursor c;

	if (t->leaves < 2 || t->n > t->leaves * (BTREE_WIDTH / 4))
		return;
	btree_seek(t, (struct bytes){0}, &c);
	for (const struct row *r; (r = btree_next(&c));)
		*btree_place(&packed, h, row_key(r)) = r;
	*t = packed;
}
