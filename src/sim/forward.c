/* What a member asks the leader for besides raft's messages: keep-alive and time-to-live, which
 * only the leader's lessor can answer, and member promote, since only the leader knows how far a
 * learner is.  In etcd it goes over the peers' HTTP; over a link without faults it takes no time
 * here.
 */
#include "sim/private.h"

/* Where the answer is waited for; NULL: nowhere any more. */
static struct waiting *asking(struct world *w, const struct forward *f)
{
	struct member *m = world_member(w, f->from);

	for (size_t i = 0; member_up(m) && m->life == f->life && i < m->waiting.n; i++)
		if (m->waiting.v[i].call == f->call)
			return &m->waiting.v[i];
	return NULL;
}

static void ask_leader_to_promote(struct world *w, struct member *leader, struct member *m,
				  uint64_t call)
{
	int64_t active[MEMBERS_MAX];
	struct server_env env = roster_env(w, leader->number, active), from_env = sim_env(w);

	server_promote(leader, &env, m, &from_env, call);
}

/* The lessor's answer; NULL: not now. */
static const struct response *ask_lessor(struct world *w, struct member *leader,
					 const struct member *m, const struct waiting *at)
{
	struct server_env env = sim_env(w);
	const struct response *r = server_lease_answer(leader, &env, at->req, m->id);

	if (!r)
		return NULL;
	path_mark(w, STEP_LESSOR);
	if (r->kind == REQ_LEASE_KEEP_ALIVE && r->keep_alive.ttl)
		observe_lease(w, leader->number, r->keep_alive.id, LEASE_RENEWED,
			      r->keep_alive.ttl);
	return r;
}

static void answer(struct world *w, struct member *m, uint64_t call, const struct response *r)
{
	struct server_env env = sim_env(w);

	server_answer(m, &env, call, r);
}

/* ---- over a link that takes time, or loses ---- */

/* What is lost is sent again when the member looks next, at a tick. */
static void send(struct world *w, struct waiting *at, const struct forward *what)
{
	unsigned to = what->answer ? what->from : what->to,
		 from = what->answer ? what->to : what->from;
	struct fate fate = link_send(w, from, to);

	at->forwarded = !fate.lost;
	if (fate.lost)
		return;
	struct forward *f = heap_alloc(w->heap, sizeof *f);
	*f = *what;
	sim_cause_at(w, WORK_FORWARD, 0, (uint64_t)(uintptr_t)f, fate.due_ms);
}

static void reach_leader(struct world *w, const struct forward *f, struct waiting *at)
{
	struct member *leader = world_member(w, f->to), *m = world_member(w, f->from);

	at->forwarded = false;
	if (!member_up(leader) || link_is_cut(w, f->from, f->to))
		return;
	if (at->phase == WAIT_PROMOTE) {
		ask_leader_to_promote(w, leader, m, f->call);
		return;
	}
	struct forward back = *f;
	back.answer = at->phase == WAIT_LEASE ? ask_lessor(w, leader, m, at) : NULL;
	if (back.answer)
		send(w, at, &back);
}

void forward_arrive(struct world *w, uint64_t arg)
{
	const struct forward *f = (const struct forward *)(uintptr_t)arg;
	struct waiting *at = asking(w, f);

	if (!at)
		return;
	if (!f->answer) {
		reach_leader(w, f, at);
		return;
	}
	at->forwarded = false;
	if (!link_is_cut(w, f->to, f->from))
		answer(w, world_member(w, f->from), f->call, f->answer);
}

/* ---- all that a member has to ask ---- */

static bool is_for_leader(const struct waiting *at)
{
	return (at->phase == WAIT_LEASE || at->phase == WAIT_PROMOTE) && !at->forwarded;
}

void client_answer_leases(struct world *w, struct member *m)
{
	for (size_t i = 0; i < m->waiting.n; i++) {
		struct waiting *at = &m->waiting.v[i];
		unsigned leader = world_member_with_id(w, raft_lead(m->raft));
		if (!is_for_leader(at) || !leader || !member_up(world_member(w, leader)) ||
		    !net_connected(w, m->number, leader))
			continue;
		if (!link_is_plain(w, m->number, leader)) {
			send(w, at,
			     &(struct forward){.call = at->call,
					       .from = m->number,
					       .to = leader,
					       .life = m->life});
		} else if (at->phase == WAIT_PROMOTE) {
			ask_leader_to_promote(w, world_member(w, leader), m, at->call);
		} else {
			const struct response *r = ask_lessor(w, world_member(w, leader), m, at);
			if (r)
				answer(w, m, at->call, r);
		}
	}
}
