/* Finding and changing.  The rule that makes heads work: every key that belongs into a node, by the
 * separators above it, begins with the same node->skip bytes.  It holds because all keys between
 * two bounds share what the bounds share, and the nodes at the rim, which lack a bound, skip only
 * what all keys of the tree share.
 */
#include "base/die.h"
#include "mvcc/btree_node.h"

/* The bounds of a node: its keys are at or above lo and below hi; NULL: no bound. */
struct bounds {
	const struct row *lo, *hi;
};

const struct row *btree_find(const struct btree *t, struct bytes key)
{
	const struct btree_node *x = t->root;

	if (!x || prefix_cmp(t, key) != 0)
		return NULL;
	for (uint32_t level = t->height; level > LEAF; level--)
		fetch(x = x->slot[inner_search(x, key)].node);
	bool found;
	uint32_t i = leaf_search(x, key, &found);
	return found ? x->slot[i].row : NULL;
}

static struct btree_node *node_new(struct heap *h, uint32_t level, uint32_t skip)
{
	size_t size = level == LEAF ? sizeof(struct btree_node) : sizeof(struct inner);
	struct btree_node *x = heap_alloc(h, size);

	x->epoch = h->epoch;
	x->n = 0;
	x->skip = (uint16_t)skip;
	memset(x->head, 0xff, sizeof x->head);
	if (level != LEAF)
		x->head[0] = 0;
	return x;
}

static inline struct btree_node *writable(struct heap *h, struct btree_node *x, uint32_t level)
{
	if (x->epoch == h->epoch)
		return x;
	size_t size = level == LEAF ? sizeof(struct btree_node) : sizeof(struct inner);
	struct btree_node *copy = heap_alloc(h, size);
	memcpy(copy, x, size);
	copy->epoch = h->epoch;
	return copy;
}

static uint32_t common(struct bytes a, struct bytes b, size_t limit)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	if (n > limit)
		n = limit;
	while (i < n && a.p[i] == b.p[i])
		i++;
	return (uint32_t)i;
}

static void set_skip(struct btree_node *x, uint32_t level, uint32_t skip)
{
	x->skip = (uint16_t)skip;
	for (uint32_t i = level == LEAF ? 0 : 1; i < x->n; i++)
		x->head[i] = head_of(key_at(x, level, i), skip);
}

static uint32_t bounds_skip(const struct btree *t, struct bounds b)
{
	return b.lo && b.hi ? common(row_key(b.lo), row_key(b.hi), UINT16_MAX) : t->skip;
}

/* Heads are taken further right only where they no longer tell the keys apart: it costs a look at
 * each row. */
static void improve_skip(struct btree *t, struct btree_node *x, uint32_t level, struct bounds b)
{
	uint32_t i = level == LEAF ? 1 : 2;

	while (i < x->n && x->head[i] != x->head[i - 1])
		i++;
	if (i < x->n) {
		uint32_t skip = bounds_skip(t, b);
		if (skip > x->skip)
			set_skip(x, level, skip);
	}
}

/* The nodes on the left and right rim have no bound on one side: their keys share what all keys
 * share. */
static struct btree_node *shrink_rim(struct btree *t, struct heap *h, struct btree_node *x,
				     uint32_t level, bool left, bool right)
{
	x = writable(h, x, level);
	if (x->skip > t->skip)
		set_skip(x, level, t->skip);
	if (level == LEAF)
		return x;
	uint32_t last = x->n - 1u;
	if (left)
		x->slot[0].node =
		    shrink_rim(t, h, x->slot[0].node, level - 1, true, right && last == 0);
	if (right && !(left && last == 0))
		x->slot[last].node = shrink_rim(t, h, x->slot[last].node, level - 1, false, true);
	return x;
}

static void share_prefix(struct btree *t, struct heap *h, struct bytes key)
{
	uint32_t skip = common(key, row_key(t->any), t->skip);

	if (skip < t->skip) {
		t->skip = skip;
		t->root = shrink_rim(t, h, t->root, t->height, true, true);
	}
}

static void move_slots(struct btree_node *to, uint32_t at, struct btree_node *from, uint32_t i,
		       uint32_t n, uint32_t level)
{
	memmove(to->head + at, from->head + i, n * sizeof *to->head);
	memmove(to->slot + at, from->slot + i, n * sizeof *to->slot);
	if (level != LEAF)
		memmove(as_inner(to)->sep + at, as_inner(from)->sep + i,
			n * sizeof *as_inner(to)->sep);
}

static void open_slot(struct btree_node *x, uint32_t i, uint32_t level)
{
	move_slots(x, i + 1, x, i, x->n - i, level);
	x->n++;
}

/* Splits the full child i of parent in two.  Keys that come in order leave full nodes behind. */
static void split(struct btree *t, struct heap *h, struct btree_node *parent, uint32_t i,
		  uint32_t level, struct bounds b, bool at_end)
{
	struct btree_node *x = parent->slot[i].node;
	uint32_t keep = at_end ? BTREE_WIDTH - 2 : BTREE_WIDTH / 2;
	struct btree_node *y = node_new(h, level, x->skip);

	const struct row *sep = level == LEAF ? x->slot[keep].row : as_inner(x)->sep[keep];
	y->n = (uint16_t)(x->n - keep);
	move_slots(y, 0, x, keep, y->n, level);
	x->n = (uint16_t)keep;
	memset(x->head + keep, 0xff, (BTREE_WIDTH - keep) * sizeof *x->head);
	if (level != LEAF)
		y->head[0] = 0;
	improve_skip(t, x, level, (struct bounds){b.lo, sep});
	improve_skip(t, y, level, (struct bounds){sep, b.hi});
	open_slot(parent, i + 1, INNER);
	parent->head[i + 1] = head_of(row_key(sep), parent->skip);
	parent->slot[i + 1].node = y;
	as_inner(parent)->sep[i + 1] = sep;
	t->leaves += level == LEAF;
}

static void add_root(struct btree *t, struct heap *h)
{
	struct btree_node *top = node_new(h, INNER, t->skip);

	top->n = 1;
	top->slot[0].node = t->root;
	t->root = top;
	t->height++;
	check_that(t->height < BTREE_LEVELS);
}

/* Child i of x as the bounds of the search narrow to it. */
static struct bounds narrow(const struct btree_node *x, uint32_t i, struct bounds b)
{
	const struct row *const *sep = as_inner_const(x)->sep;

	if (i > 0)
		b.lo = sep[i];
	if (i + 1u < x->n)
		b.hi = sep[i + 1];
	return b;
}

static const struct row **leaf_add(struct btree *t, struct btree_node *x, uint32_t i,
				   struct bytes key)
{
	open_slot(x, i, LEAF);
	x->head[i] = head_of(key, x->skip);
	x->slot[i].row = NULL;
	t->n++;
	return &x->slot[i].row;
}

static const struct row **first_key(struct btree *t, struct heap *h, struct bytes key)
{
	struct row *sample = heap_alloc(h, sizeof *sample + key.n);

	*sample = (struct row){.key_len = (uint32_t)key.n};
	memcpy(sample->data, key.p, key.n);
	*t = (struct btree){.any = sample, .leaves = 1};
	t->skip = (uint32_t)(key.n < UINT16_MAX ? key.n : UINT16_MAX);
	t->root = node_new(h, LEAF, t->skip);
	return leaf_add(t, t->root, 0, key);
}

/* The leaf where the key would be, made writable with all nodes above it. */
static struct btree_node *writable_leaf(struct btree *t, struct heap *h, struct bytes key)
{
	struct btree_node *x = t->root = writable(h, t->root, t->height);

	for (uint32_t level = t->height; level > LEAF; level--) {
		union slot *s = &x->slot[inner_search(x, key)];
		fetch(s->node);
		x = s->node = writable(h, s->node, level - 1);
	}
	return x;
}

/* Splits the leaf where the key belongs, and on the way down to it every node that is full, so that
 * a split below finds room above.  All these nodes are writable. */
static void make_room(struct btree *t, struct heap *h, struct bytes key)
{
	if (t->root->n == BTREE_WIDTH)
		add_root(t, h);
	struct btree_node *x = t->root;
	struct bounds b = {NULL, NULL};
	for (uint32_t level = t->height; level-- > LEAF;) {
		uint32_t i = inner_search(x, key);
		const struct btree_node *c = x->slot[i].node;
		if (c->n == BTREE_WIDTH) {
			bool last = bytes_cmp(key_at(c, level, c->n - 1u), key) < 0;
			split(t, h, x, i, level, narrow(x, i, b), last);
			i = inner_search(x, key);
		}
		b = narrow(x, i, b);
		x = x->slot[i].node;
	}
}

const struct row **btree_place(struct btree *t, struct heap *h, struct bytes key)
{
	bool found;

	if (!t->root)
		return first_key(t, h, key);
	if (prefix_cmp(t, key) != 0)
		share_prefix(t, h, key);
	struct btree_node *x = writable_leaf(t, h, key);
	uint32_t i = leaf_search(x, key, &found);
	if (found)
		return &x->slot[i].row;
	if (x->n == BTREE_WIDTH) {
		make_room(t, h, key);
		x = writable_leaf(t, h, key);
		i = leaf_search(x, key, &found);
	}
	return leaf_add(t, x, i, key);
}

const struct row **btree_place_of_old(struct btree *t, struct heap *h, struct bytes key)
{
	bool found;

	if (!t->root || prefix_cmp(t, key) != 0)
		return NULL;
	struct btree_node *x = writable_leaf(t, h, key);
	uint32_t i = leaf_search(x, key, &found);
	return found ? &x->slot[i].row : NULL;
}

/* ---- removing ---- */

/* Leaves are not joined: an empty one waits for new keys in its bounds, and btree_tidy packs them
 * all when there are too many. */
void btree_remove(struct btree *t, struct heap *h, const struct row *r)
{
	if (!t->root)
		return;
	struct btree_node *x = writable_leaf(t, h, row_key(r));
	bool found;
	uint32_t i = leaf_search(x, row_key(r), &found);
	if (!found || x->slot[i].row != r)
		return;
	x->n--;
	move_slots(x, i, x, i + 1, x->n - i, LEAF);
	x->head[x->n] = UINT64_MAX;
	t->n--;
}
