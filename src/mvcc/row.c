#include "mvcc/row.h"

#include <string.h>

#include "base/hash.h"

enum { LEVEL_BITS = 3 }; /* each level has an eighth of the rows of the one below */

/* How far a row's jump goes: to the next older row of the same level or a higher one.  0: it has
 * none. */
static int level_of(const struct row *r)
{
	uint64_t lot = hash_mix((uint64_t)r->main, r->sub);

	return __builtin_ctzll(lot | 1ull << 63) / LEVEL_BITS;
}

static const struct row *row_jump(const struct row *r)
{
	return ((const struct row *const *)r)[-2];
}

static const struct row *jump_target(const struct row *prev, int level)
{
	for (int l; prev && (l = level_of(prev)) < level;)
		prev = l ? row_jump(prev) : row_prev(prev);
	return prev;
}

/* Allocates the row with its links; the caller fills in key and value. */
static struct row *row_alloc(struct heap *h, const struct row *head, const struct row *prev)
{
	int level = level_of(head);
	size_t nlinks = level ? 2 : 1;
	size_t size = sizeof *head + (head->key_len & ~ROW_TOMBSTONE) + head->value_len;
	const struct row **links = heap_alloc(h, nlinks * sizeof *links + size);
	struct row *r = (struct row *)(links + nlinks);

	*r = *head;
	links[nlinks - 1] = prev;
	if (level)
		links[0] = jump_target(prev, level);
	return r;
}

static void row_fill(struct row *r, struct bytes key, struct bytes value)
{
	memcpy(r->data, key.p, key.n);
	if (value.n)
		memcpy(r->data + key.n, value.p, value.n);
}

/* What the row's own fields will be. */
static void head_fill(struct row *head, const struct row_spec *s)
{
	bool born = !s->prev || row_is_tombstone(s->prev);

	*head = (struct row){
	    .main = s->rev.main, .sub = (uint32_t)s->rev.sub, .key_len = (uint32_t)s->key.n};
	if (s->tombstone) {
		head->key_len |= ROW_TOMBSTONE;
		return;
	}
	head->create = born ? s->rev.main : s->prev->create;
	head->version = born ? 1 : s->prev->version + 1;
	head->lease = s->lease;
	head->value_len = (uint32_t)s->value.n;
}

const struct row *row_new(struct heap *h, const struct row_spec *s)
{
	struct row head;

	head_fill(&head, s);
	struct row *r = row_alloc(h, &head, s->prev);
	row_fill(r, s->key, s->tombstone ? (struct bytes){0} : s->value);
	return r;
}

bool row_is(const struct row *r, const struct row_spec *s)
{
	struct row head;

	head_fill(&head, s);
	return memcmp(r, &head, sizeof head) == 0 && row_prev(r) == s->prev &&
	       bytes_eq(row_key(r), s->key) && (s->tombstone || bytes_eq(row_value(r), s->value));
}

const struct row *row_import(struct heap *h, const struct row *head, struct bytes key,
			     struct bytes value, const struct row *prev)
{
	struct row own = *head;

	own.key_len = (uint32_t)key.n | (head->key_len & ROW_TOMBSTONE);
	own.value_len = (uint32_t)value.n;
	struct row *r = row_alloc(h, &own, prev);
	row_fill(r, key, value);
	return r;
}

const struct row *row_relink(struct heap *h, const struct row *r, const struct row *prev)
{
	return row_import(h, r, row_key(r), row_value(r), prev);
}

const struct row *row_at(const struct row *r, int64_t rev)
{
	while (r && r->main > rev) {
		const struct row *jump = level_of(r) ? row_jump(r) : NULL;
		r = jump && jump->main > rev ? jump : row_prev(r);
	}
	return r;
}
