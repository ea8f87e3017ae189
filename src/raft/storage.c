/* What is durable (etcd-io/raft: storage.go, MemoryStorage).
 *
 * A dummy position stands before the first entry: index and term of the last entry that was
 * compacted, so that its term can still be compared.
 */
#include "raft/storage.h"

void storage_init(struct storage *s)
{
	*s = (struct storage){0};
	pvec_init(&s->entries, 1);
}

const struct entry *storage_entry(const struct storage *s, uint64_t i)
{
	if (i <= s->dummy_index || i > storage_last_index(s))
		return NULL;
	return pvec_get(&s->entries, i);
}

enum storage_error storage_term(const struct storage *s, uint64_t i, uint64_t *term)
{
	*term = 0;
	if (i < s->dummy_index)
		return STORAGE_COMPACTED;
	if (i > storage_last_index(s))
		return STORAGE_UNAVAILABLE;
	if (i == s->dummy_index)
		*term = s->dummy_term;
	else
		*term = ((const struct entry *)pvec_get(&s->entries, i))->term;
	return STORAGE_OK;
}

enum storage_error storage_entries(const struct storage *s, uint64_t lo, uint64_t hi,
				   uint64_t max_size, struct entry_list *out)
{
	uint64_t size = 0;

	if (lo <= s->dummy_index)
		return STORAGE_COMPACTED;
	check_that(hi <= storage_last_index(s) + 1);
	/* The usual case: one entry, which has no limit. */
	if (hi - lo == 1) {
		vec_push(out, (const struct entry *)pvec_get(&s->entries, lo));
		return STORAGE_OK;
	}
	for (uint64_t i = lo; i < hi; i++) {
		const struct entry *e = pvec_get(&s->entries, i);

		size += entry_size(e);
		if (i > lo && size > max_size)
			break;
		vec_push(out, e);
	}
	return STORAGE_OK;
}

/* The vector holds void *; an entry is never changed through it. */
static void *element(const struct entry *e)
{
	union {
		const struct entry *in;
		void *out;
	} u = {.in = e};

	return u.out;
}

void storage_append(struct storage *s, struct heap *h, const struct entry *const *e, size_t n)
{
	while (n && e[0]->index <= s->dummy_index)
		e++, n--;
	if (n == 0)
		return;
	check_that(e[0]->index <= storage_last_index(s) + 1);
	if (e[0]->index <= storage_last_index(s))
		pvec_truncate(&s->entries, e[0]->index);
	for (size_t i = 0; i < n; i++)
		pvec_push(&s->entries, h, element(e[i]));
}

enum storage_error storage_apply_snapshot(struct storage *s, const struct snapshot *snap)
{
	if (s->snapshot.index && s->snapshot.index >= snap->index)
		return STORAGE_SNAP_OUT_OF_DATE;
	s->snapshot = *snap;
	s->dummy_index = snap->index;
	s->dummy_term = snap->term;
	pvec_init(&s->entries, snap->index + 1);
	return STORAGE_OK;
}

enum storage_error storage_compact(struct storage *s, uint64_t i)
{
	if (i <= s->dummy_index)
		return STORAGE_COMPACTED;
	check_that(i <= storage_last_index(s));
	s->dummy_term = storage_entry(s, i)->term;
	s->dummy_index = i;
	pvec_drop_front(&s->entries, i + 1);
	return STORAGE_OK;
}
