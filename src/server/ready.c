/* The order of work of one Ready (etcd: etcdserver/raft.go, raftNode.start):
 *
 *   1 soft state, read states         at once, when the Ready is taken
 *   2 committed entries to the applier, a queue beside this cycle
 *   3 the leader sends now            (with leader-send parallel; else after its own fsync)
 *   4 entries and hard state to the WAL, fsync if raft asks for it
 *   5 a follower sends
 *   6 Advance, and the next Ready
 *
 * Each of append, fsync, send and apply is an event of its own; what has nothing to do is passed
 * over.
 */
#include "server/private.h"

#include <stdarg.h>

#include "base/die.h"

void server_cause(const struct member *m, struct server_env *env, enum work_kind kind, uint64_t arg)
{
	vec_push(env->work, (struct work){.kind = kind,
					  .member = (uint8_t)m->number,
					  .life = m->life,
					  .arg = arg,
					  .due_ms = env->now_ms});
}

void server_fail(struct member *m, const char *fmt, ...)
{
	struct buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	m->failure = heap_dup(m->heap, text.p, text.n);
	buf_free(&text);
}

/* An fsync takes what the disk takes. */
static void cause_fsync(struct member *m, struct server_env *env)
{
	uint32_t ms = m->disk.delay_ms, more = m->disk.delay_most_ms - ms;

	server_cause(m, env, WORK_FSYNC, 0);
	if (more)
		ms += (uint32_t)prng_below(env->prng, (uint64_t)more + 1);
	env->work->v[env->work->n - 1].due_ms += ms;
	m->cycle.fsync_ms = ms;
}

static bool sends_first(const struct member *m, const struct server_env *env)
{
	return env->set->send_parallel && raft_role(m->raft) == STATE_LEADER;
}

/* Snapshot, entries and hard state go to the WAL; nothing is durable yet. */
static void write_wal(struct member *m)
{
	struct ready_cycle *c = &m->cycle;

	if (c->snapshot)
		wal_add_snapshot(&m->wal, c->snapshot, true);
	for (size_t i = 0; i < c->entries.n; i++)
		wal_add_entry(&m->wal, c->entries.v[i]);
	if (c->has_hard_state)
		wal_add_state(&m->wal, c->hard_state.term, c->hard_state.vote,
			      c->hard_state.commit);
}

/* The in-memory copy of what was written, which raft reads. */
static void store_written(struct member *m)
{
	struct ready_cycle *c = &m->cycle;

	if (c->has_hard_state)
		m->storage.hard_state = c->hard_state;
	if (c->snapshot) {
		storage_apply_snapshot(&m->storage, c->snapshot);
		m->storage.to_send = *c->snapshot;
		wal_release(&m->wal, c->snapshot);
		m->install = c->snapshot;
	}
	storage_append(&m->storage, m->heap, c->entries.v, c->entries.n);
}

static void end_cycle(struct member *m, struct server_env *env)
{
	m->cycle.busy = false;
	raft_advance(m->raft);
	server_poll(m, env);
}

static void cause_applies(struct member *m, struct server_env *env, size_t n)
{
	while (n-- > 0)
		server_cause(m, env, WORK_APPLY, 0);
}

/* A follower sends nothing before it has applied the change of the configuration that a Ready
 * commits, lest it count votes of members that are gone. */
static bool waits_for_apply(const struct member *m)
{
	return m->cycle.wait_apply > m->applied;
}

/* After the write: what remains is sending, then Advance. */
static void after_write(struct member *m, struct server_env *env)
{
	size_t applies = m->cycle.apply_after;
	bool send = m->cycle.messages.n && !m->cycle.sent, wait = waits_for_apply(m);

	store_written(m);
	m->cycle.synced = true;
	m->cycle.apply_after = 0;
	if (m->cycle.snapshot)
		server_cause(m, env, WORK_INSTALL, 0);
	if (send && !wait)
		server_cause(m, env, WORK_SEND, 0);
	cause_applies(m, env, applies);
	if (!send && !wait)
		end_cycle(m, env);
}

void server_go_on(struct member *m, struct server_env *env)
{
	if (!m->cycle.busy || !m->cycle.synced || !m->cycle.wait_apply || waits_for_apply(m))
		return;
	m->cycle.wait_apply = 0;
	if (m->cycle.messages.n && !m->cycle.sent)
		server_cause(m, env, WORK_SEND, 0);
	else
		end_cycle(m, env);
}

/* Queues the write of the Ready: an append event if there are entries, an fsync event if it must be
 * durable. */
static void begin_write(struct member *m, struct server_env *env)
{
	if (m->cycle.entries.n) {
		server_cause(m, env, WORK_APPEND, 0);
		return;
	}
	write_wal(m);
	if (m->cycle.must_sync)
		cause_fsync(m, env);
	else
		after_write(m, env);
}

/* Of several MsgAppResp in one Ready only the last is sent; a MsgSnap waits for the applier;
 * nothing goes to a member that has been removed (etcd: raft.go, processMessages). */
static void take_messages(struct member *m, struct server_env *env, const struct ready *rd)
{
	struct ready_cycle *c = &m->cycle;

	c->messages.n = 0;
	for (size_t i = 0; i < rd->nmessages; i++) {
		const struct message *msg = &rd->messages[i];
		bool later = false;
		if (m->membership.nremoved && membership_is_removed(&m->membership, msg->to))
			continue;
		if (msg->type == MSG_SNAP) {
			server_hold_snapshot(m, env, msg);
			continue;
		}
		for (size_t j = i + 1; msg->type == MSG_APP_RESP && j < rd->nmessages && !later;
		     j++)
			later = rd->messages[j].type == MSG_APP_RESP;
		if (!later)
			vec_push(&c->messages, *msg);
	}
}

/* The index up to which a follower must have applied before it sends; 0: it need not wait. */
static uint64_t index_to_wait_for(const struct member *m, const struct ready *rd)
{
	if (raft_role(m->raft) == STATE_LEADER)
		return 0;
	for (size_t i = 0; i < rd->ncommitted; i++)
		if (rd->committed[i]->type != ENTRY_NORMAL)
			return rd->committed[rd->ncommitted - 1]->index;
	return 0;
}

static void take_ready(struct member *m, struct server_env *env, const struct ready *rd)
{
	struct ready_cycle *c = &m->cycle;

	c->busy = true;
	c->sent = c->synced = false;
	c->must_sync = rd->must_sync || rd->snapshot;
	if (bug_on(m->bugs, BUG_VOTE_UNSYNCED))
		c->must_sync = rd->nentries || rd->snapshot;
	c->has_hard_state = rd->has_hard_state;
	c->hard_state = rd->hard_state;
	c->entries.n = 0;
	vec_reserve(&c->entries, rd->nentries);
	for (size_t i = 0; i < rd->nentries; i++)
		vec_push(&c->entries, rd->entries[i]);
	c->snapshot = rd->snapshot;
	c->wait_apply = index_to_wait_for(m, rd);
	for (size_t i = 0; i < rd->ncommitted; i++)
		vec_push(&m->to_apply, rd->committed[i]);
	take_messages(m, env, rd);
	if (rd->has_soft_state) {
		bool changed = rd->soft_state.lead != m->lead_seen;
		m->lead_seen = rd->soft_state.lead;
		m->role_seen = rd->soft_state.state;
		if (m->role_seen != STATE_LEADER && m->lessor.primary &&
		    !bug_on(m->bugs, BUG_LEASE_BY_OLD_LEADER))
			lessor_demote(&m->lessor);
		if (changed)
			server_leader_changed(m, env);
	}
}

void server_poll(struct member *m, struct server_env *env)
{
	struct ready rd;

	m->touched++;
	if (m->cycle.busy || !raft_has_ready(m->raft))
		return;
	raft_ready(m->raft, &rd);
	take_ready(m, env, &rd);
	server_read_states(m, env, &rd);
	/* What the same Ready hands out for writing and for applying is applied after the write: a
	 * row must not be durable before its entry is.  (etcd applies beside the write, but its
	 * database is synced later still.) */
	bool own = rd.nentries && rd.ncommitted &&
		   rd.committed[rd.ncommitted - 1]->index >= rd.entries[0]->index;
	size_t now = own ? 0 : rd.ncommitted;
	m->cycle.apply_after = own ? rd.ncommitted : 0;
	if (sends_first(m, env) && m->cycle.messages.n)
		server_cause(m, env, WORK_SEND, 0);
	else
		begin_write(m, env);
	cause_applies(m, env, now);
}

void server_append(struct member *m, struct server_env *env)
{
	write_wal(m);
	if (m->cycle.must_sync)
		cause_fsync(m, env);
	else
		after_write(m, env);
}

void server_fsync(struct member *m, struct server_env *env)
{
	wal_sync(&m->wal);
	after_write(m, env);
}

size_t server_send(struct member *m, struct server_env *env)
{
	(void)env;
	m->cycle.sent = true;
	return m->cycle.messages.n;
}

void server_sent(struct member *m, struct server_env *env)
{
	if (m->cycle.synced)
		end_cycle(m, env);
	else
		begin_write(m, env);
}

void server_tick(struct member *m, struct server_env *env)
{
	raft_tick(m->raft);
	if (m->read_context && env->now_ms - m->read_asked_ms >= 500)
		server_ask_read_index(m, env);
	if (m->reports.n)
		server_check_reports(m, env);
	if (!m->published && m->publish_ms > INT64_MIN &&
	    env->now_ms - m->publish_ms >= server_request_timeout_ms(env->set->election_ms))
		server_publish(m, env);
	server_poll(m, env);
}

/* A leader tells a follower to commit only what the follower has acknowledged.  One that has not
 * got it has lost it, and raft's log panics (etcd-io/raft: log.go, commitTo). */
static bool has_lost_its_log(const struct member *m, const struct message *msg)
{
	return msg->type == MSG_HEARTBEAT && msg->commit > raft_last_index(m->raft) &&
	       msg->term >= raft_term(m->raft);
}

enum raft_error server_step(struct member *m, struct server_env *env, const struct message *msg)
{
	if (has_lost_its_log(m, msg)) {
		server_fail(m,
			    "tocommit(%llu) is out of range [lastIndex(%llu)]. Was the raft log "
			    "corrupted, truncated, or lost?",
			    (unsigned long long)msg->commit,
			    (unsigned long long)raft_last_index(m->raft));
		return RAFT_OK;
	}
	enum raft_error e = raft_step(m->raft, msg);

	server_poll(m, env);
	return e;
}

void server_campaign(struct member *m, struct server_env *env)
{
	raft_campaign(m->raft);
	server_poll(m, env);
}

void server_leader_changed(struct member *m, struct server_env *env)
{
	m->leaderless_since_ms = m->lead_seen ? INT64_MAX : env->now_ms;
	if (!m->lead_seen)
		return;
	m->elected_ms = env->now_ms;
	server_transferred(m, env);
	if (!m->was_ready) {
		m->was_ready = true;
		server_publish(m, env);
		for (size_t i = 0; i < m->waiting.n; i++)
			if (m->waiting.v[i].phase == WAIT_READY)
				server_cause(m, env, WORK_REQUEST, m->waiting.v[i].call);
	}
	/* Proposals that waited for a leader go on; reads ask the new one (etcd fails them with
	 * `leader changed` and the client tries again at once). */
	for (size_t i = 0; i < m->held.n; i++)
		server_cause(m, env, WORK_PROPOSE, (uint64_t)(uintptr_t)m->held.v[i]);
	m->held.n = 0;
	if (m->read_context)
		server_ask_read_index(m, env);
}
