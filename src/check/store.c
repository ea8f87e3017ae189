/* What a member's store must be after an entry: what the model was after it.  Members are not
 * compared with each other but each with the model, entry by entry, so no hash over a store is
 * needed to know that they are equal at an equal applied index (etcd finds that out with hashkv,
 * now and then).
 */
#include "check/private.h"

#define I(x) ((long long)(x))
#define U(x) ((unsigned long long)(x))

static void bad_number(struct checker *c, const struct member *m, const struct fact *f,
		       const char *what, int64_t is, int64_t should)
{
	check_break(c, "Equal Stores", member_bit(m->number),
		    "S%u has applied entry %llu and has %s %lld; it should be %lld", m->number,
		    U(f->entry->index), what, I(is), I(should));
}

static void check_numbers(struct checker *c, const struct member *m, const struct fact *f)
{
	const struct mvcc *s = &m->store;
	const struct outcome *o = &f->out;

	if (s->current_rev != o->rev)
		check_break(c, "Revisions Count Transactions", member_bit(m->number),
			    "S%u is at revision %lld after entry %llu, which makes revision %lld",
			    m->number, I(s->current_rev), U(f->entry->index), I(o->rev));
	else if (s->compact_rev != o->compact_rev)
		bad_number(c, m, f, "compacted revision", s->compact_rev, o->compact_rev);
	else if (mvcc_row_count(s) != o->rows)
		bad_number(c, m, f, "a number of rows of", (int64_t)mvcc_row_count(s),
			   (int64_t)o->rows);
	else if (s->live_keys != o->live_keys)
		bad_number(c, m, f, "a number of keys of", s->live_keys, o->live_keys);
	else if (s->size != o->bytes)
		bad_number(c, m, f, "a size in bytes of", s->size, o->bytes);
	else if (m->lessor.leases.n != o->nleases)
		bad_number(c, m, f, "a number of leases of", (int64_t)m->lessor.leases.n,
			   (int64_t)o->nleases);
}

static void check_row(struct checker *c, const struct member *m, const struct version *v,
		      const struct row *r)
{
	struct version *known = (struct version *)(uintptr_t)v;

	if (!model_row_is(v, r)) {
		check_break(
		    c, "Equal Stores", member_bit(m->number),
		    "S%u has written another row than the model at revision %lld.%u (key %.*s)",
		    m->number, I(v->rev), v->sub, (int)(v->key.n < 60 ? v->key.n : 60), v->key.p);
		return;
	}
	known->row = r;
	const struct row *found = mvcc_get(&m->store, v->key, 0);
	if (found != (v->tombstone ? NULL : r))
		check_break(c, "Equal Stores", member_bit(m->number),
			    "S%u has written revision %lld.%u but its index does not lead there",
			    m->number, I(v->rev), v->sub);
	int64_t lease = lessor_of_key(&m->lessor, v->key);
	if (lease != v->lease)
		check_break(c, "A Key Has One Lease", member_bit(m->number),
			    "S%u has the key of revision %lld.%u attached to lease %lld, not %lld",
			    m->number, I(v->rev), v->sub, I(lease), I(v->lease));
}

static void check_applied(struct checker *c, const struct member *m, const struct fact *f)
{
	uint64_t n = f->out.nchanges, rows = mvcc_row_count(&m->store);

	check_numbers(c, m, f);
	for (uint64_t i = 0; i < n && !c->broken; i++)
		check_row(c, m, model_change(&c->model, f->out.pos + i),
			  mvcc_row(&m->store, rows - n + i));
	if (!c->broken)
		check_leases(c, m, f);
}

void check_store(struct checker *c, const struct world *w, unsigned number)
{
	const struct member *m = world_member(w, number);
	struct seen_member *s = &c->members[number - 1];

	const struct fact *f = fact_at(c, m->applied);
	if (m->applied < s->applied)
		check_break(c, "Applied Never Goes Back", member_bit(number),
			    "S%u had applied %llu, now %llu", number, U(s->applied), U(m->applied));
	else if (m->applied < c->facts.first)
		; /* of before the cluster began anew: a new member is given the old entries too */
	else if (!f || f->entry->term != m->applied_term)
		check_break(
		    c, "State Machine Safety", member_bit(number),
		    "S%u has applied entry %llu of term %llu, which is not the committed one",
		    number, U(m->applied), U(m->applied_term));
	else if (m->applied == s->applied + 1)
		check_applied(c, m, f);
	else
		check_store_end(c, m); /* a snapshot */
	s->applied = m->applied;
}

/* The rows that a compaction leaves, one by one. */
static bool is_left(const struct model *m, int64_t compact_rev, const struct version *v)
{
	if (v->rev > compact_rev)
		return true;
	if (v->tombstone)
		return m->keep_tombstone_at_compact && v->rev == compact_rev;
	return model_get(m, v->key, model_pos_of_rev(m, compact_rev)) == v;
}

void check_store_end(struct checker *c, const struct member *m)
{
	const struct fact *f = fact_at(c, m->applied);
	uint64_t at = 0, end = f ? f->out.pos + f->out.nchanges : 0;

	if (!f)
		return;
	check_numbers(c, m, f);
	for (uint64_t i = 0; i < end && !c->broken; i++) {
		const struct version *v = model_change(&c->model, i);
		if (!is_left(&c->model, f->out.compact_rev, v))
			continue;
		if (!model_row_is(v, mvcc_row(&m->store, at++)))
			check_break(c, "Equal Stores", member_bit(m->number),
				    "S%u has another row than the model at revision %lld.%u",
				    m->number, I(v->rev), v->sub);
	}
}
