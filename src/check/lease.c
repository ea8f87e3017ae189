/* Leases: none runs out before its time has passed since the grant or the last keep-alive that was
 * answered; whoever shows a time never shows more than was granted (etcd: lease/lessor.go).
 *
 * What a client may rely on is counted from the moment at which it asked, not at which it was
 * answered.
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

void check_lease_committed(struct checker *c, const struct world *w, const struct entry *e)
{
	const struct proposal *p = e->payload;
	const struct model_lease *l = model_lease(&c->model, p->req->revoke.id);

	if (l && p->call == 0 && w->now_ms < l->safe_until_ms)
		check_break(c, "Leases Last Their Time", 0,
			    "lease %llx is revoked by entry %llu at %lld ms as run out; it was to "
			    "last until %lld ms",
			    U(l->id), U(e->index), I(w->now_ms), I(l->safe_until_ms));
}

static void check_keep_alive(struct checker *c, const struct call *call, const struct response *r)
{
	struct model_lease *l = model_lease(&c->model, r->keep_alive.id);
	const struct model_ended *gone = ended(&c->model, r->keep_alive.id);

	if (r->keep_alive.ttl <= 0)
		return;
	int64_t until = call->start_ms + r->keep_alive.ttl * 1000;
	if (l && r->keep_alive.ttl != l->ttl)
		check_break(c, "Leases Last Their Time", member_bit(call->at),
			    "lease %llx was granted %lld s, a keep-alive is answered with %lld s",
			    U(l->id), I(l->ttl), I(r->keep_alive.ttl));
	else if (l && until > l->safe_until_ms)
		l->safe_until_ms = until;
	else if (!l && gone && gone->expired && gone->ms < until)
		check_break(c, "Leases Last Their Time", member_bit(call->at),
			    "a keep-alive promises lease %llx until %lld ms; it ran out at %lld ms",
			    U(gone->id), I(until), I(gone->ms));
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
		check_keep_alive(c, call, r);
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
