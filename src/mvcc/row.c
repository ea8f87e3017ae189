#include "mvcc/row.h"

#include <string.h>

#include "base/hash.h"

enum { LEVEL_BITS = 3 }; /* each level has an eighth of the rows of the one below */

/* How far a row's jump goes: to the next older row of the same level or a higher one.  0: it has
 * none. */
static int level_of(int64_t main, uint32_t sub)
{
	uint64_t lot = hash_mix((uint64_t)main, sub);

	return __builtin_ctzll(lot | 1ull << 63) / LEVEL_BITS;
}

static const struct row *row_jump(const struct row *r)
{
	return ((const struct row *const *)r)[-2];
}

static const struct row *jump_target(const struct row *prev, int level)
{
	for (int l; prev && (l = level_of(prev->main, prev->sub)) < level;)
		prev = l ? row_jump(prev) : row_prev(prev);
	return prev;
}

/* Room for a row of that revision with so many bytes of key and value, its links set. */
static struct row *row_alloc(struct heap *h, int64_t main, uint32_t sub, size_t n,
			     const struct row *prev)
{
	int level = level_of(main, sub);
	size_t nlinks = level ? 2 : 1;
	const struct row **links = heap_alloc(h, nlinks * sizeof *links + sizeof(struct row) + n);

	if (level)
		*links++ = jump_target(prev, level);
	*links++ = prev;
	return (struct row *)links;
}

/* What the row's own fields will be. */
static inline void head_fill(struct row *head, const struct row_spec *s)
{
	bool born = !s->prev || row_is_tombstone(s->prev);

	head->main = s->rev.main;
	head->sub = (uint32_t)s->rev.sub;
	head->create = s->tombstone ? 0 : born ? s->rev.main : s->prev->create;
	head->version = s->tombstone ? 0 : born ? 1 : s->prev->version + 1;
	head->lease = s->tombstone ? 0 : s->lease;
	head->key_len = (uint32_t)s->key.n | (s->tombstone ? ROW_TOMBSTONE : 0);
	head->value_len = s->tombstone ? 0 : (uint32_t)s->value.n;
}

static void row_fill(struct row *r, struct bytes key, struct bytes value)
{
	memcpy(r->data, key.p, key.n);
	if (value.n)
		memcpy(r->data + key.n, value.p, value.n);
}

const struct row *row_new(struct heap *h, const struct row_spec *s)
{
	struct bytes value = {s->value.p, s->tombstone ? 0 : s->value.n};
	struct row *r =
	    row_alloc(h, s->rev.main, (uint32_t)s->rev.sub, s->key.n + value.n, s->prev);

	head_fill(r, s);
	row_fill(r, s->key, value);
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
	struct row *r = row_alloc(h, head->main, head->sub, key.n + value.n, prev);

	*r = *head;
	r->key_len = (uint32_t)key.n | (head->key_len & ROW_TOMBSTONE);
	r->value_len = (uint32_t)value.n;
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
		const struct row *jump = level_of(r->main, r->sub) ? row_jump(r) : NULL;
		r = jump && jump->main > rev ? jump : row_prev(r);
	}
	return r;
}
