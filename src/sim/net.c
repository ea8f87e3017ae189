/* The network between members: messages in order of arrival, those of one instant in order of
 * sending.  Cut links lose silently; what else a link does is in link.c. */
#include "sim/private.h"

/* Would the message change anything but clocks?  Heartbeats that do not are left out of the story.
 */
bool heartbeat_has_no_effect(const struct world *w, const struct message *m, unsigned to)
{
	const struct member *peer = world_member(w, to);

	if (m->has_context)
		return false;
	if (!member_up(peer))
		return true;
	if (raft_term(peer->raft) != m->term)
		return false;
	if (m->type == MSG_HEARTBEAT)
		return raft_lead(peer->raft) == m->from && raft_commit(peer->raft) >= m->commit;
	if (raft_role(peer->raft) != STATE_LEADER)
		return true;
	for (size_t i = 0; i < raft_nprogress(peer->raft); i++) {
		struct progress_view p = raft_progress(peer->raft, i);
		if (p.id == m->from)
			return p.match == raft_last_index(peer->raft) &&
			       p.state == PROGRESS_REPLICATE;
	}
	return true;
}

/* The sender of a snapshot is told whether it arrived. */
void net_report_snapshot(struct world *w, struct member *sender, uint64_t to, bool ok)
{
	struct server_env env = sim_env(w);

	if (member_up(sender))
		server_report_snapshot(sender, &env, to, ok);
}

/* A leader that sends what is committed already is bringing a member up to date. */
static void notice_repair(struct world *w, const struct member *m, unsigned to,
			  const struct message *msg)
{
	const struct call *c = world_call(w, w->path.call);

	bool snapshot = msg->type == MSG_SNAP;
	bool old = snapshot || (msg->type == MSG_APP && msg->nentries &&
				msg->entries[0]->index <= raft_commit(m->raft));
	enum path_kind kind = snapshot ? PATH_SNAPSHOT : PATH_REPAIR;

	if (!old || (c && c->state == CALL_OPEN) || (w->path.kind == kind && w->path.member == to))
		return;
	path_begin(w, kind, 0, to);
	path_mark(w, STEP_HEARTBEAT);
	path_mark(w, snapshot ? STEP_MSGSNAP : STEP_MSGAPP);
	if (snapshot)
		w->path.index = msg->snapshot->index;
}

/* A peer that has applied the removal of a member turns it away, and that is how it learns of it
 * (etcd: rafthttp, 410 Gone). */
static bool turns_away(struct world *w, struct member *m, const struct member *peer)
{
	if (!member_up(peer) || !peer->membership.nremoved ||
	    !membership_is_removed(&peer->membership, m->id) ||
	    !net_connected(w, m->number, peer->number))
		return false;
	if (!server_is_removed(m))
		m->stop_ms = w->now_ms;
	return true;
}

/* What arrives earlier stands before what arrives later. */
static void put_under_way(struct world *w, const struct flight *f, size_t at)
{
	vec_push(&w->net, *f);
	if (at + 1 < w->net.n) {
		memmove(w->net.v + at + 1, w->net.v + at, (w->net.n - 1 - at) * sizeof *f);
		w->net.v[at] = *f;
	}
	w->net.v[at].number = ++w->nflights;
}

static size_t place_of(const struct world *w, int64_t due_ms)
{
	size_t i = w->net.n;

	while (i > w->net_head && w->net.v[i - 1].due_ms > due_ms)
		i--;
	return i;
}

/* It goes ahead of what is under way on its link. */
static void overtake(struct world *w, struct flight *f)
{
	for (size_t i = w->net_head; i < w->net.n && w->net.v[i].due_ms <= f->due_ms; i++) {
		const struct flight *other = &w->net.v[i];
		if (other->from != f->from || other->to != f->to)
			continue;
		f->due_ms = other->due_ms;
		put_under_way(w, f, i);
		return;
	}
	put_under_way(w, f, place_of(w, f->due_ms));
}

/* Each forwarded proposal is an entry of its own: raft bears copies of all other messages. */
static bool bears_copies(const struct message *msg)
{
	return msg->type != MSG_PROP;
}

static void put_on_link(struct world *w, const struct fate *fate, unsigned from, unsigned to,
			const struct message *msg)
{
	struct flight f = {
	    .m = *msg, .from = (uint8_t)from, .to = (uint8_t)to, .due_ms = fate->due_ms};

	if (fate->ahead)
		overtake(w, &f);
	else
		put_under_way(w, &f, place_of(w, f.due_ms));
	if (!fate->twice || !bears_copies(msg))
		return;
	f.copy = true;
	f.due_ms = fate->copy_ms;
	put_under_way(w, &f, place_of(w, f.due_ms));
}

/* Nobody takes it: the sender notices if the connection is closed. */
static void send_in_vain(struct world *w, struct member *m, const struct member *peer, bool full,
			 const struct message *msg)
{
	bool closed = full || (!member_alive(peer) && !peer->silent);

	observe_message(w, TRACE_LOST, m->number, peer->number, msg);
	if (!closed)
		return;
	raft_report_unreachable(m->raft, peer->id);
	if (msg->type == MSG_SNAP)
		net_report_snapshot(w, m, msg->to, false);
}

void net_introduce(struct world *w, struct member *m)
{
	for (unsigned i = 0; i < w->nmembers; i++)
		if (member_up(w->members[i]) && w->members[i]->cluster_id == m->cluster_id)
			turns_away(w, m, w->members[i]);
}

static void send(struct world *w, struct member *m, const struct message *msg)
{
	unsigned to = world_member_with_id(w, msg->to);

	if (!to)
		return;
	struct member *peer = world_member(w, to);
	notice_repair(w, m, to, msg);
	observe_message(w, TRACE_SEND, m->number, to, msg);
	bool full = stands_still(w, to) && pause_is_full(w, m->number, to);
	if (link_is_cut(w, m->number, to) || !member_alive(peer) || full ||
	    (peer->membership.nremoved && turns_away(w, m, peer)) ||
	    peer->cluster != m->cluster) { /* it has another history */
		send_in_vain(w, m, peer, full, msg);
		return;
	}
	if (!w->faulty) {
		vec_push(&w->net, (struct flight){.m = *msg,
						  .from = (uint8_t)m->number,
						  .to = (uint8_t)to,
						  .due_ms = w->now_ms});
		return;
	}
	struct fate fate = link_send(w, m->number, to);
	if (fate.lost)
		observe_message(w, TRACE_LOST, m->number, to, msg);
	else
		put_on_link(w, &fate, m->number, to, msg);
}

void net_send_ready(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	size_t n = server_send(m, &env);

	for (size_t i = 0; i < n; i++) {
		if (m->cycle.messages.v[i].type == MSG_PROP)
			path_mark(w, STEP_FORWARD);
		send(w, m, &m->cycle.messages.v[i]);
	}
	server_sent(m, &env);
}

void net_send_snapshot(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	struct message msg;

	if (server_take_snapshot(m, &env, &msg))
		send(w, m, &msg);
}

size_t net_next(const struct world *w)
{
	for (size_t i = w->net_head; i < w->net.n && w->net.v[i].due_ms <= w->now_ms; i++)
		if (!stands_still(w, w->net.v[i].to))
			return i;
	return SIZE_MAX;
}

bool net_pending(const struct world *w)
{
	return net_next(w) != SIZE_MAX;
}

static void take(struct world *w, size_t i, struct flight *f)
{
	*f = w->net.v[i];
	if (i == w->net_head) {
		if (++w->net_head == w->net.n)
			w->net_head = w->net.n = 0;
	} else {
		vec_remove(&w->net, i);
	}
	/* The emptied front is given back now and then, so that the list does not grow for ever. */
	if (w->net_head > 1024) {
		memmove(w->net.v, w->net.v + w->net_head,
			(w->net.n - w->net_head) * sizeof *w->net.v);
		w->net.n -= w->net_head;
		w->net_head = 0;
	}
}

/* That it has arrived goes back over the link as well; where that is lost, silence tells. */
static void report_arrival(struct world *w, const struct flight *f)
{
	struct fate back = link_send(w, f->to, f->from);

	if (back.lost)
		return;
	if (back.due_ms > w->now_ms)
		sim_cause_at(w, WORK_SNAPSHOT_REPORT, f->from, f->m.to, back.due_ms);
	else
		net_report_snapshot(w, world_member(w, f->from), f->m.to, true);
}

static void deliver(struct world *w, const struct flight *f)
{
	struct member *m = world_member(w, f->to);

	if (!member_up(m) || link_is_cut(w, f->from, f->to) || f->m.to != m->id ||
	    m->cluster != world_member(w, f->from)->cluster ||
	    (m->membership.nremoved && membership_is_removed(&m->membership, f->m.from))) {
		observe_message(w, TRACE_LOST, f->from, f->to, &f->m);
		if (f->m.type == MSG_SNAP && !member_up(m) && !m->silent && !f->copy)
			net_report_snapshot(w, world_member(w, f->from), f->m.to, false);
		return;
	}
	struct server_env env = sim_env(w);
	struct observed before = observe_before(m);
	observe_message(w, TRACE_RECV, f->to, f->from, &f->m);
	if (f->m.type == MSG_APP)
		observe_truncate(w, m, &f->m);
	if (f->m.type == MSG_SNAP && m->disk.full) {
		observe_log(w, m,
			    "failed to save KV snapshot (write S%u.etcd/member/snap: no space left "
			    "on device)",
			    m->number);
		if (!f->copy)
			net_report_snapshot(w, world_member(w, f->from), f->m.to, false);
		return;
	}
	server_step(m, &env, &f->m);
	if (fault_ends(w, m))
		return;
	if (f->m.type == MSG_SNAP && !f->copy)
		report_arrival(w, f);
	sim_changed(w, m, &before);
}

unsigned net_deliver(struct world *w, size_t flight)
{
	struct flight f;

	take(w, flight, &f);
	deliver(w, &f);
	return f.to;
}
