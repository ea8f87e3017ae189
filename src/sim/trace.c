#include "sim/trace.h"

struct trace *trace_new(enum trace_level level)
{
	struct trace *t = xcalloc(1, sizeof *t);

	t->level = level;
	for (uint8_t i = 0; i < 10; i++)
		t->sinks[i] = (struct trace_sink){t, i};
	return t;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	vec_free(&t->ring);
	free(t);
}

/* Record i stands at i modulo the ring's size, a power of two; while nothing has been overwritten
 * the ring grows by doubling, so a short session pays for what it has. */
static __attribute__((noinline)) void grow(struct trace *t)
{
	size_t old = t->ring.n, size = old ? 2 * old : 256;

	vec_reserve(&t->ring, size);
	t->ring.n = size;
	for (uint64_t i = t->first; i < t->end; i++)
		if (i % size != i % old)
			t->ring.v[i % size] = t->ring.v[i % old];
}

struct trace_record *trace_next(struct trace *t)
{
	if (t->end - t->first == t->ring.n) {
		if (t->ring.n < TRACE_RING)
			grow(t);
		else
			t->first++;
	}
	return &t->ring.v[t->end++ & (t->ring.n - 1)];
}

void trace_add(struct trace *t, const struct trace_record *r)
{
	struct trace_record *slot;

	if (!trace_wants(t, r->level))
		return;
	slot = trace_next(t);
	*slot = *r;
	slot->ms = t->now_ms;
	slot->event = t->event;
}

const struct trace_record *trace_get(const struct trace *t, uint64_t i)
{
	check_that(i >= t->first && i < t->end);
	return &t->ring.v[i & (t->ring.n - 1)];
}

void trace_truncate(struct trace *t, uint64_t end)
{
	t->end = end;
	if (t->first > end)
		t->first = end;
}
