/* The window of a peer: append messages sent and not yet acknowledged (etcd-io/raft:
 * tracker/inflights.go).
 *
 * A ring of (last index of the message, bytes of its data) in the order of sending.
 */
#ifndef RAFT_INFLIGHTS_H
#define RAFT_INFLIGHTS_H

#include <stdbool.h>
#include <stdint.h>

struct inflight {
	uint64_t index, bytes;
};

struct inflights {
	struct inflight *ring; /* NULL until the first message; cap is a power of two */
	uint32_t cap, start, count;
	uint32_t limit;	    /* messages */
	uint64_t bytes;	    /* sum over the window */
	uint64_t max_bytes; /* 0: no limit */
};

/* Empty, with these limits; nothing is allocated. */
void inflights_init(struct inflights *w, uint32_t limit, uint64_t max_bytes);
void inflights_free(struct inflights *w);
/* Gives dst, a struct copy of src, its own ring. */
void inflights_copy(struct inflights *dst, const struct inflights *src);
/* Adds a message; the window must not be full. */
void inflights_add(struct inflights *w, uint64_t index, uint64_t bytes);
/* Everything up to index is acknowledged. */
void inflights_free_le(struct inflights *w, uint64_t index);
void inflights_reset(struct inflights *w);

static inline bool inflights_full(const struct inflights *w)
{
	return w->count >= w->limit || (w->max_bytes && w->bytes >= w->max_bytes);
}

#endif
