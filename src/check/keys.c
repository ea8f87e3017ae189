#include "check/keys.h"

#include "check/model.h"

void keys_copy(struct key_list *dst, const struct key_list *src)
{
	vec_copy(&dst->pieces, &src->pieces);
}

void keys_free(struct key_list *l)
{
	vec_free(&l->pieces);
}

/* The last piece that begins at or before the key; the first one if none does. */
static size_t piece_of(const struct key_list *l, struct bytes key)
{
	size_t lo = 0, hi = l->pieces.n;

	while (hi - lo > 1) {
		size_t mid = (lo + hi) / 2;
		if (bytes_cmp(l->pieces.v[mid]->v[0]->key, key) <= 0)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

struct key_place keys_from(const struct key_list *l, struct bytes key)
{
	struct key_place p = {.piece = piece_of(l, key)};

	if (p.piece == l->pieces.n)
		return p;
	const struct key_piece *x = l->pieces.v[p.piece];
	size_t hi = x->n;
	while (p.at < hi) {
		size_t mid = (p.at + hi) / 2;
		if (bytes_cmp(x->v[mid]->key, key) < 0)
			p.at = mid + 1;
		else
			hi = mid;
	}
	if (p.at == x->n)
		p = (struct key_place){.piece = p.piece + 1};
	return p;
}

static struct key_piece *new_piece(struct heap *h)
{
	struct key_piece *x = heap_alloc(h, sizeof *x);

	x->epoch = h->epoch;
	x->n = 0;
	return x;
}

/* The piece, made writable: a copy if it belongs to the past. */
static struct key_piece *writable(struct key_list *l, struct heap *h, size_t piece)
{
	struct key_piece *x = l->pieces.v[piece];

	if (x->epoch == h->epoch)
		return x;
	struct key_piece *copy = new_piece(h);
	copy->n = x->n;
	memcpy(copy->v, x->v, x->n * sizeof *x->v);
	return l->pieces.v[piece] = copy;
}

void keys_set(struct key_list *l, struct heap *h, struct key_place p, struct version *v)
{
	writable(l, h, p.piece)->v[p.at] = v;
}

static void insert_piece(struct key_list *l, size_t at, struct key_piece *x)
{
	vec_push(&l->pieces, x);
	memmove(l->pieces.v + at + 1, l->pieces.v + at, (l->pieces.n - at - 1) * sizeof x);
	l->pieces.v[at] = x;
}

/* The upper half of a full piece becomes one of its own. */
static void split(struct key_list *l, struct heap *h, size_t piece)
{
	struct key_piece *low = writable(l, h, piece), *high = new_piece(h);

	high->n = low->n / 2;
	low->n -= high->n;
	memcpy(high->v, low->v + low->n, high->n * sizeof *high->v);
	insert_piece(l, piece + 1, high);
}

void keys_insert(struct key_list *l, struct heap *h, struct key_place p, struct version *v)
{
	if (l->pieces.n == 0)
		insert_piece(l, 0, new_piece(h));
	/* Before the first key of a piece is behind the last one of the piece before. */
	if (p.at == 0 && p.piece > 0)
		p = (struct key_place){p.piece - 1, l->pieces.v[p.piece - 1]->n};
	if (l->pieces.v[p.piece]->n == KEYS_PIECE) {
		split(l, h, p.piece);
		size_t low = l->pieces.v[p.piece]->n;
		if (p.at > low)
			p = (struct key_place){p.piece + 1, p.at - low};
	}
	struct key_piece *x = writable(l, h, p.piece);
	memmove(x->v + p.at + 1, x->v + p.at, (x->n - p.at) * sizeof *x->v);
	x->v[p.at] = v;
	x->n++;
}
