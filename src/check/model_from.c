/* A model of a store that was found, as if what is left of its history had just happened. */
#include "check/model.h"

#include "lease/lessor.h"
#include "mvcc/mvcc.h"
#include "server/alarm.h"

/* Revisions of which nothing is left. */
static void reach(struct model *m, int64_t rev)
{
	while (m->rev < rev)
		model_end_revision(m);
}

static struct version *version_of(struct model *m, const struct row *r)
{
	struct version *v = heap_alloc(m->heap, sizeof *v);

	*v = (struct version){.key = row_key(r),
			      .value = row_value(r),
			      .rev = r->main,
			      .create = r->create,
			      .lease = r->lease,
			      .sub = r->sub,
			      .version = r->version,
			      .tombstone = row_is_tombstone(r),
			      .pos = m->now.rows,
			      .row = r};
	return v;
}

void model_take_row(struct model *m, const struct row *r)
{
	struct version *v = version_of(m, r);
	struct key_place k = keys_from(&m->keys, v->key);

	reach(m, r->main - 1);
	if (keys_has(&m->keys, k) && bytes_eq(keys_get(&m->keys, k)->key, v->key)) {
		v->prev = keys_get(&m->keys, k);
		keys_set(&m->keys, m->heap, k, v);
	} else {
		keys_insert(&m->keys, m->heap, k, v);
	}
	model_count(m, v);
	pvec_push(&m->changes, m->heap, v);
	if (m->rev < r->main) {
		model_end_revision(m);
		return;
	}
	struct total *t = heap_alloc(m->heap, sizeof *t);
	*t = m->now;
	pvec_set(&m->totals, m->heap, (uint64_t)m->rev, t);
}

void model_take_lease(struct model *m, const struct lease *l)
{
	struct model_lease found = {.id = l->id, .ttl = l->ttl};

	vec_copy(&found.keys, &l->keys);
	vec_push(&m->leases, found);
}

void model_take_rest(struct model *m, const struct mvcc *s, const struct auth *a,
		     const struct alarm_list *alarms)
{
	reach(m, s->current_rev);
	m->compact_rev = s->compact_rev;
	m->auth = *a;
	for (size_t i = 0; i < alarms->n; i++)
		if (alarms->v[i].kind == ALARM_NO_SPACE)
			vec_push(&m->full, alarms->v[i].member_id);
}
