#include "mvcc/row.h"

#include <string.h>

#include "base/die.h"

static bool has_jump(const struct row *r)
{
	return r->version % ROW_JUMP_EVERY == 0; /* so every tombstone has one: its version is 0 */
}

static const struct row *row_jump(const struct row *r)
{
	return ((const struct row *const *)r)[-2];
}

static uint64_t tombstones_of(const struct row *r)
{
	return ((const uint64_t *)r)[-3];
}

/* The tombstone that ended the generation before the one that r belongs to. */
static const struct row *tombstone_before(const struct row *r)
{
	while (r && !row_is_tombstone(r))
		r = has_jump(r) ? row_jump(r) : row_prev(r);
	return r;
}

static const struct row *jump_of_version(const struct row *prev, uint32_t version)
{
	uint32_t target = version & (version - 1);

	for (int i = 1; i < ROW_JUMP_EVERY && prev && prev->version; i++)
		prev = row_prev(prev);
	while (prev && prev->version > target)
		prev = row_jump(prev);
	return prev;
}

static const struct row *jump_of_tombstone(const struct row *last, uint64_t count)
{
	uint64_t target = count & (count - 1);

	while (last && tombstones_of(last) > target)
		last = row_jump(last);
	return last;
}

/* Allocates the row with its links; the caller fills in key and value. */
static struct row *row_alloc(struct heap *h, const struct row *head, const struct row *prev)
{
	bool dead = row_is_tombstone(head);
	size_t nlinks = dead ? 3 : has_jump(head) ? 2 : 1;
	size_t size = sizeof *head + (head->key_len & ~ROW_TOMBSTONE) + head->value_len;
	const struct row **links = heap_alloc(h, nlinks * sizeof *links + size);
	struct row *r = (struct row *)(links + nlinks);

	*r = *head;
	links[nlinks - 1] = prev;
	if (dead) {
		const struct row *last = tombstone_before(prev);
		uint64_t count = last ? tombstones_of(last) + 1 : 1;
		((uint64_t *)r)[-3] = count;
		links[1] = jump_of_tombstone(last, count);
	} else if (nlinks == 2) {
		links[0] = jump_of_version(prev, head->version);
	}
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
		const struct row *jump = has_jump(r) ? row_jump(r) : NULL;
		r = jump && jump->main > rev ? jump : row_prev(r);
	}
	return r;
}
