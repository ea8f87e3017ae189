#include "lease/expiry.h"

static bool earlier(const struct expiry *a, const struct expiry *b)
{
	return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->seq < b->seq;
}

static void swap(struct expiry *a, struct expiry *b)
{
	struct expiry keep = *a;

	*a = *b;
	*b = keep;
}

void expiry_push(struct expiry_queue *q, struct expiry e)
{
	vec_push(&q->heap, e);
	struct expiry *v = q->heap.v;
	for (size_t i = q->heap.n - 1; i > 0 && earlier(&v[i], &v[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&v[i], &v[(i - 1) / 2]);
}

struct expiry expiry_pop(struct expiry_queue *q)
{
	struct expiry *v = q->heap.v, first = v[0];
	size_t n = --q->heap.n, i = 0;

	v[0] = v[n];
	for (size_t c; (c = 2 * i + 1) < n; i = c) {
		if (c + 1 < n && earlier(&v[c + 1], &v[c]))
			c++;
		if (!earlier(&v[c], &v[i]))
			break;
		swap(&v[c], &v[i]);
	}
	return first;
}

bool expiry_due(const struct expiry_queue *q, int64_t now_ms)
{
	return q->heap.n > 0 && q->heap.v[0].at_ms <= now_ms;
}
