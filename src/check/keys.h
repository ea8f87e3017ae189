/* The keys of the model in order, each with its newest change.
 *
 * One sorted array would be the obvious thing, but with a million keys putting one in would move
 * megabytes, and so would every checkpoint.  So the array is cut into pieces of at most KEYS_PIECE;
 * a copy of the list shares them, and whoever changes a piece of an earlier epoch copies it first
 * (heap.h).
 */
#ifndef CHECK_KEYS_H
#define CHECK_KEYS_H

#include "base/bytes.h"
#include "base/heap.h"
#include "base/vec.h"

enum { KEYS_PIECE = 64 };

struct version;

struct key_piece {
	uint32_t epoch, n; /* n is at least 1 */
	struct version *v[KEYS_PIECE];
};

struct key_list {
	VEC(struct key_piece *) pieces;
};

/* A place in the list; stays good while no key is put in. */
struct key_place {
	size_t piece, at;
};

void keys_copy(struct key_list *dst, const struct key_list *src);
void keys_free(struct key_list *l);

/* The first key that is not below the given one, or the end. */
struct key_place keys_from(const struct key_list *l, struct bytes key);
/* Whether there is a key at the place, its newest change, and the place behind it. */
static inline bool keys_has(const struct key_list *l, struct key_place p)
{
	return p.piece < l->pieces.n && p.at < l->pieces.v[p.piece]->n;
}
static inline struct version *keys_get(const struct key_list *l, struct key_place p)
{
	return l->pieces.v[p.piece]->v[p.at];
}
static inline void keys_next(const struct key_list *l, struct key_place *p)
{
	if (++p->at == l->pieces.v[p->piece]->n)
		*p = (struct key_place){.piece = p->piece + 1};
}

/* A newer change of the key at the place. */
void keys_set(struct key_list *l, struct heap *h, struct key_place p, struct version *v);
/* Puts a new key in before the place, which keys_from gave for it. */
void keys_insert(struct key_list *l, struct heap *h, struct key_place p, struct version *v);

#endif
