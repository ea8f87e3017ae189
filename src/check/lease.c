/* Leases: none runs out before its time has passed since the grant or the last keep-alive that was
 * answered; whoever shows a time never shows more than was granted (etcd: lease/lessor.go).
 *
 * What a client may rely on is counted from the moment at which it asked, not at which it was
 * answered; and by the clock of the leader that revokes, which may be wrong.
 */
#include "check/private.h"

#define I(x) ((long long)(x))
#define U(x) ((unsigned long long)(x))

static const struct model_ended *ended(const struct model *m, int64_t id)
{
	for (size_t i = m->ended.n; i-- > 0;)
		if (m->ended.v[i].id == id)
			return &m->ended.v[i];
	return NULL;
}

void check_clock(struct checker *c, const struct member *m)
{
	for (size_t i = c->clocks.n; i-- > 0;)
		if (c->clocks.v[i].member == m->number) {
			const struct clock *k = &c->clocks.v[i].clock;
			if (k->from_ms == m->clock.from_ms && k->rate_ppm == m->clock.rate_ppm)
				return;
			break;
		}
	vec_push(&c->clocks, (struct wrong_clock){m->number, m->clock});
}

static int64_t own_ms(const struct checker *c, unsigned member, int64_t at_ms)
{
	for (size_t i = c->clocks.n; i-- > 0;) {
		const struct wrong_clock *k = &c->clocks.v[i];
		if (k->member == member && k->clock.from_ms <= at_ms)
			return clock_own_ms(&k->clock, at_ms);
	}
	return at_ms;
}

/* How much time passes on the member's clock; 0: the world's time. */
static int64_t passed_ms(const struct checker *c, unsigned member, int64_t from_ms, int64_t to_ms)
{
	return own_ms(c, member, to_ms) - own_ms(c, member, from_ms);
}

/* Two ways in which etcd promises more time for a lease whose revocation is on its way.
 *
 * A change of members that is refused because another one is under way leaves an empty entry, and a
 * leader that applies an empty entry begins anew with all leases (server.go, applyEntryNormal).
 *
 * A leader that waits for its disk, or stands still, has not heard that it is replaced; what it
 * proposes then it hands on to its successor, once it goes on (etcd-io/etcd #15247). */
static bool was_under_way(const struct checker *c, const struct proposal *p, unsigned by)
{
	return p->made_ms <= c->emptied_ms || (by && p->made_ms <= c->members[by - 1].term_ms);
}

void check_lease_committed(struct checker *c, const struct world *w, const struct entry *e)
{
	const struct proposal *p = e->payload;
	const struct model_lease *l = model_lease(&c->model, p->req->revoke.id);

	unsigned by = world_member_with_id(w, p->member);
	if (!l || p->call || was_under_way(c, p, by))
		return;
	int64_t lasted = passed_ms(c, by, l->promised_ms, w->now_ms);
	if (lasted < l->ttl * 1000)
		check_break(c, "Leases Last Their Time", 0,
			    "lease %llx is revoked by entry %llu at %lld ms as run out; promised "
			    "were %lld s from %lld ms on, and on the clock of S%u %lld ms have "
			    "passed",
			    U(l->id), U(e->index), I(w->now_ms), I(l->ttl), I(l->promised_ms), by,
			    I(lasted));
}

/* A leader that has not heard of its successor renews leases by itself, and the successor does not
 * hear of it: etcd makes no more of it than the election timeout by which a new leader lengthens
 * every lease, and a renewal by the new leader takes that back (etcd 3.4 does not ask first:
 * etcd-io/etcd #15247). */
static bool of_two_leaders(const struct checker *c, const struct world *w, const struct call *call)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->nmembers; i++)
		n += c->members[i].up && c->members[i].raft.role == STATE_LEADER;
	return n > 1 || call->start_ms <= c->deposed_ms;
}

/* Had its time passed by anybody's clock? */
static bool may_have_gone(const struct checker *c, const struct model_ended *gone, int64_t from_ms,
			  int64_t ttl)
{
	for (unsigned i = 0; i <= MEMBERS_MAX; i++)
		if (passed_ms(c, i, from_ms, gone->ms) >= ttl * 1000)
			return true;
	return false;
}

static void check_keep_alive(struct checker *c, const struct world *w, const struct call *call,
			     const struct response *r)
{
	struct model_lease *l = model_lease(&c->model, r->keep_alive.id);
	const struct model_ended *gone = ended(&c->model, r->keep_alive.id);

	if (r->keep_alive.ttl <= 0 || of_two_leaders(c, w, call))
		return;
	if (l && r->keep_alive.ttl != l->ttl)
		check_break(c, "Leases Last Their Time", member_bit(call->at),
			    "lease %llx was granted %lld s, a keep-alive is answered with %lld s",
			    U(l->id), I(l->ttl), I(r->keep_alive.ttl));
	else if (l && call->start_ms > l->promised_ms)
		l->promised_ms = call->start_ms;
	else if (!l && gone && gone->expired &&
		 !may_have_gone(c, gone, call->start_ms, r->keep_alive.ttl))
		check_break(c, "Leases Last Their Time", member_bit(call->at),
			    "a keep-alive promises lease %llx %lld s from %lld ms on; it ran out "
			    "at %lld ms",
			    U(gone->id), I(r->keep_alive.ttl), I(call->start_ms), I(gone->ms));
	else if (!l && !gone)
		check_break(c, "Leases Last Their Time", member_bit(call->at),
			    "a keep-alive of lease %llx is answered, which was never granted",
			    U(r->keep_alive.id));
}

static void check_time_to_live(struct checker *c, const struct world *w, const struct call *call,
			       const struct response *r)
{
	const struct model_lease *l = model_lease(&c->model, r->time_to_live.id);
	/* a new leader adds an election timeout */
	int64_t most = r->time_to_live.granted_ttl + (w->cfg.election_ms + 999) / 1000;

	if (l && r->time_to_live.granted_ttl && r->time_to_live.granted_ttl != l->ttl)
		check_break(c, "Leases Last Their Time", member_bit(call->at),
			    "lease %llx was granted %lld s, shown are %lld s", U(l->id), I(l->ttl),
			    I(r->time_to_live.granted_ttl));
	else if (r->time_to_live.granted_ttl && r->time_to_live.ttl > most)
		check_break(c, "Leases Last Their Time", member_bit(call->at),
			    "lease %llx of %lld s is shown with %lld s left", U(r->time_to_live.id),
			    I(r->time_to_live.granted_ttl), I(r->time_to_live.ttl));
}

void check_lease_reply(struct checker *c, const struct world *w, const struct call *call)
{
	const struct response *r = call->response;

	if (call->req->kind == REQ_LEASE_KEEP_ALIVE)
		check_keep_alive(c, w, call, r);
	else if (call->req->kind == REQ_LEASE_TIME_TO_LIVE)
		check_time_to_live(c, w, call, r);
}

/* What the entry did to the member's lessor. */
void check_leases(struct checker *c, const struct member *m, const struct fact *f)
{
	const struct proposal *p = f->entry->payload;

	if (!p || f->out.error)
		return;
	if (p->req->kind == REQ_LEASE_GRANT) {
		const struct lease *l = lessor_find(&m->lessor, p->req->grant.id);
		int64_t ttl =
		    p->req->grant.ttl < c->model.min_ttl ? c->model.min_ttl : p->req->grant.ttl;
		if (!l || l->ttl != ttl)
			check_break(c, "Equal Stores", member_bit(m->number),
				    "S%u has applied the grant of lease %llx: it has %lld s, "
				    "should be %lld s",
				    m->number, U(p->req->grant.id), I(l ? l->ttl : 0), I(ttl));
	} else if (p->req->kind == REQ_LEASE_REVOKE && lessor_find(&m->lessor, p->req->revoke.id)) {
		check_break(c, "Equal Stores", member_bit(m->number),
			    "S%u has applied the revocation of lease %llx and still has it",
			    m->number, U(p->req->revoke.id));
	}
}
