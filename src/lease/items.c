#include "lease/items.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"

enum { SMALLEST = 16 };

static size_t home_of(const struct items *t, struct bytes key)
{
	return bytes_hash(key) & (t->cap - 1);
}

/* The slot of the key, or the free one where it would go.  There is always a free one. */
static size_t find(const struct items *t, struct bytes key)
{
	size_t i = home_of(t, key);

	while (t->slot[i].key.p && !bytes_eq(t->slot[i].key, key))
		i = (i + 1) & (t->cap - 1);
	return i;
}

void items_free(struct items *t)
{
	free(t->slot);
	*t = (struct items){0};
}

void items_copy(struct items *dst, const struct items *src)
{
	*dst = *src;
	if (!src->cap)
		return;
	dst->slot = xmalloc(src->cap * sizeof *dst->slot);
	memcpy(dst->slot, src->slot, src->cap * sizeof *dst->slot);
}

int64_t items_get(const struct items *t, struct bytes key)
{
	return t->n ? t->slot[find(t, key)].lease : 0;
}

static void grow(struct items *t)
{
	struct items bigger = {.n = t->n, .cap = t->cap ? 2 * t->cap : SMALLEST};

	bigger.slot = xcalloc(bigger.cap, sizeof *bigger.slot);
	for (size_t i = 0; i < t->cap; i++)
		if (t->slot[i].key.p)
			bigger.slot[find(&bigger, t->slot[i].key)] = t->slot[i];
	free(t->slot);
	*t = bigger;
}

void items_set(struct items *t, struct bytes key, int64_t lease)
{
	if (4 * (t->n + 1) > 3 * t->cap)
		grow(t);
	struct item *slot = &t->slot[find(t, key)];
	t->n += !slot->key.p;
	*slot = (struct item){key, lease};
}

/* Those behind the freed slot move up if they were pushed past it, so no mark of a removal is left
 * behind. */
void items_remove(struct items *t, struct bytes key)
{
	size_t i = t->n ? find(t, key) : 0, mask = t->cap - 1;

	if (!t->n || !t->slot[i].key.p)
		return;
	for (size_t j = (i + 1) & mask; t->slot[j].key.p; j = (j + 1) & mask) {
		size_t home = home_of(t, t->slot[j].key);
		if (((j - home) & mask) >= ((j - i) & mask)) {
			t->slot[i] = t->slot[j];
			i = j;
		}
	}
	t->slot[i] = (struct item){0};
	t->n--;
}
