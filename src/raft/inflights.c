/* The window of a peer (etcd-io/raft: tracker/inflights.go).
 *
 * etcd's limit is 512 messages; the ring starts with 8 places and doubles, as most windows stay
 * short.
 */
#include "raft/inflights.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"

void inflights_init(struct inflights *w, uint32_t limit, uint64_t max_bytes)
{
	*w = (struct inflights){.limit = limit, .max_bytes = max_bytes};
}

void inflights_free(struct inflights *w)
{
	free(w->ring);
	w->ring = NULL;
	w->cap = 0;
	inflights_reset(w);
}

static const struct inflight *at(const struct inflights *w, uint32_t i)
{
	return &w->ring[(w->start + i) & (w->cap - 1)];
}

/* A new ring of the given size, in which the window begins at place 0. */
static void move_to(struct inflights *w, const struct inflights *from, uint32_t cap)
{
	struct inflight *ring = xmalloc(cap * sizeof *ring);

	for (uint32_t i = 0; i < from->count; i++)
		ring[i] = *at(from, i);
	w->ring = ring;
	w->cap = cap;
	w->start = 0;
}

void inflights_copy(struct inflights *dst, const struct inflights *src)
{
	dst->ring = NULL;
	dst->cap = dst->start = 0;
	if (src->count)
		move_to(dst, src, src->cap);
}

void inflights_add(struct inflights *w, uint64_t index, uint64_t bytes)
{
	check_that(!inflights_full(w));
	if (w->count == w->cap) {
		struct inflight *old = w->ring;

		move_to(w, w, w->cap ? 2 * w->cap : 8);
		free(old);
	}
	w->ring[(w->start + w->count) & (w->cap - 1)] = (struct inflight){index, bytes};
	w->count++;
	w->bytes += bytes;
}

void inflights_free_le(struct inflights *w, uint64_t index)
{
	while (w->count && at(w, 0)->index <= index) {
		w->bytes -= at(w, 0)->bytes;
		w->start = (w->start + 1) & (w->cap - 1);
		w->count--;
	}
}

void inflights_reset(struct inflights *w)
{
	w->start = w->count = 0;
	w->bytes = 0;
}
