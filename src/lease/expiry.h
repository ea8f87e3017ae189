/* Leases in order of a moment (etcd: lease_queue.go): a binary heap.  An entry may be out of date:
 * whoever takes it looks whether the lease still says the same.
 */
#ifndef LEASE_EXPIRY_H
#define LEASE_EXPIRY_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct expiry {
	int64_t at_ms;
	uint64_t seq; /* decides between equal moments */
	int64_t lease;
};

struct expiry_queue {
	VEC(struct expiry) heap;
};

void expiry_push(struct expiry_queue *q, struct expiry e);
/* The earliest; the queue must not be empty. */
struct expiry expiry_pop(struct expiry_queue *q);
/* Is there one at or before now? */
bool expiry_due(const struct expiry_queue *q, int64_t now_ms);

#endif
