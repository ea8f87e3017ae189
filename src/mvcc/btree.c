#include "mvcc/btree.h"

#include <stddef.h>
#include <string.h>

#include "base/die.h"

enum { LEAF, INNER };

struct btree_node {
	uint32_t epoch;
	uint16_t n;
	uint16_t skip; /* heads begin here; all keys between the node's bounds agree before */
	uint64_t head[BTREE_WIDTH];
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

/* The bounds of a node: its keys are at or above lo and below hi; NULL: no bound. */
struct bounds {
	const struct row *lo, *hi;
};

static uint64_t head_of_short(struct bytes key, size_t skip)
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

static uint32_t common(struct bytes a, struct bytes b, size_t limit)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	if (n > limit)
		n = limit;
	while (i < n && a.p[i] == b.p[i])
		i++;
	return (uint32_t)i;
}

static struct inner *as_inner(struct btree_node *x)
{
	return (struct inner *)x;
}

static const struct inner *as_inner_const(const struct btree_node *x)
{
	return (const struct inner *)x;
}

static struct btree_node *node_new(struct heap *h, uint32_t level, uint32_t skip)
{
	size_t size = level == LEAF ? sizeof(struct btree_node) : sizeof(struct inner);
	struct btree_node *x = heap_alloc(h, size);

	x->epoch = h->epoch;
	x->n = 0;
	x->skip = (uint16_t)skip;
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

static struct bytes key_at(const struct btree_node *x, uint32_t level, uint32_t i)
{
	return row_key(level == LEAF ? x->slot[i].row : as_inner_const(x)->sep[i]);
}

/* First of the heads from lo on, n of them, that is not below.  Without branches that depend on the
 * heads. */
static uint32_t first_head(const uint64_t *head, uint32_t lo, uint32_t n, uint64_t h)
{
	if (!n)
		return lo;
	while (n > 1) {
		uint32_t half = n / 2;
		lo += head[lo + half - 1] < h ? half : 0;
		n -= half;
	}
	return lo + (head[lo] < h);
}

static bool head_is_alone(const struct btree_node *x, uint32_t i)
{
	return i + 1 == x->n || x->head[i + 1] != x->head[i];
}

/* Of the slots from lo on whose heads are equal, the first whose key is not below, or, if above,
 * the first whose key is above.  Here the whole keys decide. */
static uint32_t among_equals(const struct btree_node *x, uint32_t level, uint32_t lo,
			     struct bytes key, bool above)
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
static uint32_t leaf_search(const struct btree_node *x, struct bytes key, bool *found)
{
	uint64_t head = head_of(key, x->skip);
	uint32_t i = first_head(x->head, 0, x->n, head);

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
static uint32_t inner_search(const struct btree_node *x, struct bytes key)
{
	uint64_t head = head_of(key, x->skip);
	uint32_t i = first_head(x->head, 1, x->n - 1u, head);

	if (i < x->n && x->head[i] == head)
		i = among_equals(x, INNER, i, key, true);
	return i - 1;
}

/* Fetches the heads of a node together; a search would ask for one line after the other. */
static void fetch(const struct btree_node *x)
{
	_Static_assert(offsetof(struct btree_node, slot) <= 5 * 64, "heads take more lines");
	__builtin_prefetch((const char *)x);
	__builtin_prefetch((const char *)x + 64);
	__builtin_prefetch((const char *)x + 128);
	__builtin_prefetch((const char *)x + 192);
	__builtin_prefetch((const char *)x + 256);
}

static int prefix_cmp(const struct btree *t, struct bytes key)
{
	size_t n = key.n < t->skip ? key.n : t->skip;
	int c = n ? memcmp(key.p, t->any->data, n) : 0;

	return c ? c : key.n < t->skip ? -1 : 0;
}

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

/* ---- adding ---- */

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
	if (i > 0)
		b.lo = as_inner_const(x)->sep[i];
	if (i + 1u < x->n)
		b.hi = as_inner_const(x)->sep[i + 1];
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
	t->n--;
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

/* ---- walking ---- */

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
