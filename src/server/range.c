/* Range requests: what is asked of the store, then pruned, sorted and cut (etcd: apply.go, Range).
 */
#include "server/private.h"

#include <stdlib.h>

static bool outside(const struct range_request *q, const struct row *r)
{
	return (q->max_mod && r->main > q->max_mod) || (q->min_mod && r->main < q->min_mod) ||
	       (q->max_create && r->create > q->max_create) ||
	       (q->min_create && r->create < q->min_create);
}

static void prune(const struct range_request *q, struct row_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->rows.n; i++)
		if (!outside(q, list->rows.v[i]))
			list->rows.v[kept++] = list->rows.v[i];
	list->rows.n = kept;
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_rows(const struct row *a, const struct row *b, enum sort_target target)
{
	switch (target) {
	case SORT_KEY:
		return bytes_cmp(row_key(a), row_key(b));
	case SORT_VERSION:
		return compare_numbers(a->version, b->version);
	case SORT_CREATE:
		return compare_numbers(a->create, b->create);
	case SORT_MOD:
		return compare_numbers(a->main, b->main);
	case SORT_VALUE:
		return bytes_cmp(row_value(a), row_value(b));
	}
	return 0;
}

/* Merge sort: ties keep the order of the keys, which etcd does not promise (conformance/README,
 * "better on purpose"). */
static void sort_rows(const struct row **v, const struct row **spare, size_t n,
		      enum sort_target target, int sign)
{
	size_t half = n / 2;

	if (n < 2)
		return;
	sort_rows(v, spare, half, target, sign);
	sort_rows(v + half, spare, n - half, target, sign);
	memcpy(spare, v, half * sizeof *v);
	for (size_t i = 0, j = half, k = 0; i < half; k++) {
		if (j < n && sign * compare_rows(v[j], spare[i], target) < 0)
			v[k] = v[j++];
		else
			v[k] = spare[i++];
	}
}

static void sort(const struct range_request *q, struct row_list *list)
{
	enum sort_order order = q->sort_order;

	/* Sorted by key they come from the store; another target without an order means ascending.
	 */
	if (q->sort_target != SORT_KEY && order == SORT_NONE)
		order = SORT_ASCEND;
	if (order == SORT_NONE || list->rows.n < 2)
		return;
	const struct row **spare = xmalloc(list->rows.n * sizeof *spare);
	sort_rows(list->rows.v, spare, list->rows.n, q->sort_target,
		  order == SORT_DESCEND ? -1 : 1);
	free(spare);
}

static int64_t store_limit(const struct range_request *q)
{
	if (q->sort_order != SORT_NONE || q->max_mod || q->min_mod || q->max_create ||
	    q->min_create)
		return 0; /* everything is fetched, then cut */
	if (q->limit <= 0 || q->limit == INT64_MAX)
		return 0;
	return q->limit + 1; /* one more tells whether there are more */
}

struct response *server_apply_range(struct member *m, const struct range_request *q,
				    int64_t header_rev)
{
	struct response *r = server_response(m, REQ_RANGE);
	struct row_list list = {0};

	r->error = mvcc_range(&m->store, q->range, q->revision, store_limit(q), &list);
	if (header_rev)
		r->header.revision = header_rev;
	if (!r->error) {
		prune(q, &list);
		sort(q, &list);
		r->range.more = q->limit > 0 && list.rows.n > (size_t)q->limit;
		if (r->range.more)
			list.rows.n = (size_t)q->limit;
		r->range.count = list.count;
		r->range.n = q->count_only ? 0 : list.rows.n;
		if (r->range.n)
			r->range.kvs = (const struct row *const *)(void *)heap_dup(
			    m->answers, list.rows.v, r->range.n * sizeof *list.rows.v);
	}
	vec_free(&list.rows);
	return r;
}
