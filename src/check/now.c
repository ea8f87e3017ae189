/* The rules that a single state of the world can break, without any memory of how it came to be.
 *
 * Far fewer than a checker knows, which sees each step; but nothing has to be paid for while the
 * world runs.
 */
#include <stdarg.h>
#include <stdio.h>

#include "check/private.h"

#define U(x) ((unsigned long long)(x))

static bool broken(struct violation *v, const struct world *w, const char *rule, unsigned members,
		   const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* False, so that a rule can return it. */
static bool broken(struct violation *v, const struct world *w, const char *rule, unsigned members,
		   const char *fmt, ...)
{
	va_list ap;

	*v = (struct violation){
	    .rule = rule, .members = (uint16_t)members, .event = w->events, .ms = w->now_ms};
	for (unsigned i = 0; i < w->nmembers; i++)
		v->known |= has_lost_log(w->members[i]) ||
			    (has_bad_store(w->members[i]) && (members & member_bit(i + 1)));
	va_start(ap, fmt);
	vsnprintf(v->text, sizeof v->text, fmt, ap);
	va_end(ap);
	return false;
}

static bool look_at_member(const struct world *w, const struct member *m, struct violation *v)
{
	uint64_t commit = raft_commit(m->raft), last = raft_last_index(m->raft);

	if (m->applied <= commit && commit <= last)
		return true;
	return broken(v, w, "State Machine Safety", member_bit(m->number),
		      "S%u has applied up to %llu and committed up to %llu of a log that ends at "
		      "%llu",
		      m->number, U(m->applied), U(commit), U(last));
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Where both logs have an entry of one term it is the same, and all that is committed in both is
 * the same. */
static bool compare_logs(const struct world *w, const struct member *a, const struct member *b,
			 struct violation *v)
{
	uint64_t i = larger(raft_first_index(a->raft), raft_first_index(b->raft));
	uint64_t end = smaller(raft_last_index(a->raft), raft_last_index(b->raft));
	uint64_t committed = smaller(raft_commit(a->raft), raft_commit(b->raft));
	unsigned both = member_bit(a->number) | member_bit(b->number);

	for (; i <= end; i++) {
		const struct entry *x = raft_entry(a->raft, i), *y = raft_entry(b->raft, i);
		if (!x || !y || x == y)
			continue;
		if (x->term != y->term && i <= committed)
			return broken(v, w, "State Machine Safety", both,
				      "entry %llu is committed at S%u with term %llu and at S%u "
				      "with term %llu",
				      U(i), a->number, U(x->term), b->number, U(y->term));
		if (x->term == y->term &&
		    (x->payload != y->payload || x->size != y->size || x->type != y->type))
			return broken(v, w, "Log Matching", both,
				      "S%u and S%u have different entries %llu of term %llu",
				      a->number, b->number, U(i), U(x->term));
	}
	return true;
}

/* Members share rows that are equal, so nearly always the rows are the very same ones. */
static bool same_rows(const struct mvcc *x, const struct mvcc *y)
{
	uint64_t n = mvcc_row_count(x);

	if (n != mvcc_row_count(y))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (mvcc_row(x, i) != mvcc_row(y, i))
			return false;
	return true;
}

static bool same_hash(const struct mvcc *x, const struct mvcc *y)
{
	uint32_t a = 0, b = 0;

	return mvcc_hash(x, 0, &a) == mvcc_hash(y, 0, &b) && a == b;
}

/* Who has applied the same has the same. */
static bool compare_stores(const struct world *w, const struct member *a, const struct member *b,
			   struct violation *v)
{
	const struct mvcc *x = &a->store, *y = &b->store;

	if (a->applied != b->applied)
		return true;
	bool same = x->current_rev == y->current_rev && x->compact_rev == y->compact_rev;
	if (same && (same_rows(x, y) || same_hash(x, y)))
		return true;
	return broken(v, w, "State Machine Safety", member_bit(a->number) | member_bit(b->number),
		      "S%u and S%u have applied entry %llu and differ: revision %lld, compacted "
		      "%lld, and %lld, %lld",
		      a->number, b->number, U(a->applied), (long long)x->current_rev,
		      (long long)x->compact_rev, (long long)y->current_rev,
		      (long long)y->compact_rev);
}

static bool compare_leaders(const struct world *w, const struct member *a, const struct member *b,
			    struct violation *v)
{
	const struct member *older = raft_term(a->raft) < raft_term(b->raft) ? a : b;
	const struct member *newer = older == a ? b : a;
	unsigned both = member_bit(a->number) | member_bit(b->number);

	if (raft_role(newer->raft) != STATE_LEADER)
		return true;
	if (raft_role(older->raft) == STATE_LEADER && raft_term(a->raft) == raft_term(b->raft))
		return broken(v, w, "Election Safety", both, "S%u and S%u both lead in term %llu",
			      a->number, b->number, U(raft_term(a->raft)));
	if (raft_commit(older->raft) > raft_last_index(newer->raft))
		return broken(
		    v, w, "Leader Completeness", both,
		    "S%u leads in term %llu with a log that ends at %llu; S%u has committed "
		    "up to %llu",
		    newer->number, U(raft_term(newer->raft)), U(raft_last_index(newer->raft)),
		    older->number, U(raft_commit(older->raft)));
	return true;
}

bool check_now(const struct world *w, struct violation *v)
{
	for (unsigned i = 0; i < w->nmembers; i++) {
		const struct member *a = w->members[i];
		if (!a->raft)
			continue;
		if (!look_at_member(w, a, v))
			return false;
		for (unsigned k = 0; k < i; k++) {
			const struct member *b = w->members[k];
			if (b->raft && a->cluster == b->cluster &&
			    (!compare_leaders(w, a, b, v) || !compare_logs(w, a, b, v) ||
			     !compare_stores(w, a, b, v)))
				return false;
		}
	}
	return true;
}
