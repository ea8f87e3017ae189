/* Which lease a key is attached to (etcd: lessor.go: itemMap): an open hash table, owned by its
 * lessor. */
#ifndef LEASE_ITEMS_H
#define LEASE_ITEMS_H

#include "base/bytes.h"

#include <stdint.h>

struct item {
	struct bytes key; /* p NULL: a free slot */
	int64_t lease;
};

struct items {
	struct item *slot;
	size_t n, cap; /* cap: 0 or a power of two */
};

void items_free(struct items *t);
void items_copy(struct items *dst, const struct items *src);
/* 0: none. */
int64_t items_get(const struct items *t, struct bytes key);
/* Keeps the key's pointer. */
void items_set(struct items *t, struct bytes key, int64_t lease);
void items_remove(struct items *t, struct bytes key);

#endif
