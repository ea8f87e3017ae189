/* What has happened becomes trace records, and moves the path strip.  Where nobody looks (w->trace
 * is NULL) nothing is recorded.
 */
#include "sim/private.h"

/* Makes a record, in its place in the trace, if somebody looks that closely. */
#define record(w, wanted, ...)                                                                     \
	do {                                                                                       \
		if (trace_wants((w)->trace, (wanted)))                                             \
			*trace_next((w)->trace) =                                                  \
			    (struct trace_record){.ms = (w)->trace->now_ms,                        \
						  .event = (w)->trace->event,                      \
						  .level = (wanted),                               \
						  __VA_ARGS__};                                    \
	} while (0)

struct observed observe_before(const struct member *m)
{
	return (struct observed){.raft = raft_view(m->raft), .life = m->life};
}

/* The strip shows an election that can be won, not the knocking of a member that nobody hears. */
static bool reaches_majority(const struct world *w, const struct member *m)
{
	unsigned n = 0;

	for (unsigned i = 1; i <= w->nmembers; i++)
		n += member_up(world_member(w, i)) && net_connected(w, m->number, i);
	return n >= w->nmembers / 2 + 1;
}

/* The id under which records know a member: a restored one has another, but it is S1 all the same.
 */
static uint64_t known_id(const struct world *w, uint64_t id)
{
	unsigned n = w->nclusters ? world_member_with_id(w, id) : 0;

	return n ? member_ids[n - 1] : id;
}

static void role_changed(struct world *w, struct member *m, const struct observed *before)
{
	enum raft_state role = raft_role(m->raft);

	record(w, TRACE_STORY, .kind = TRACE_ROLE, .member = (uint8_t)m->number, .a = role,
	       .b = raft_term(m->raft), .c = known_id(w, raft_lead(m->raft)));
	if (role == before->raft.role)
		return;
	if (!reaches_majority(w, m))
		return;
	if (role == STATE_PRE_CANDIDATE ||
	    (role == STATE_CANDIDATE && w->path.kind != PATH_ELECTION)) {
		path_begin(w, PATH_ELECTION, 0, m->number);
		path_mark(w, STEP_TIMEOUT);
		path_ack(w, m->number);
	} else if (role == STATE_CANDIDATE) {
		path_mark(w, STEP_PRE_VOTE);
		w->path.acks = 0;
		w->path.acked = 0;
		path_ack(w, m->number);
	} else if (role == STATE_LEADER) {
		path_mark(w, STEP_VOTE);
		path_mark(w, STEP_LEADER);
		path_mark(w, STEP_EMPTY);
		w->path.index = raft_last_index(m->raft);
		w->path.acks = 0;
		w->path.acked = 0;
	}
}

static void committed(struct world *w, struct member *m)
{
	uint64_t commit = raft_commit(m->raft);

	record(w, TRACE_STORY, .kind = TRACE_COMMIT, .member = (uint8_t)m->number, .a = commit);
	if (raft_role(m->raft) == STATE_LEADER && w->path.index && commit >= w->path.index)
		path_mark(w, STEP_COMMIT);
}

bool observe_after(struct world *w, struct member *m, const struct observed *before)
{
	const struct raft_view *was = &before->raft;
	struct raft_view now = raft_view(m->raft);
	bool role = now.role != was->role || now.term != was->term || now.lead != was->lead;

	if (role)
		role_changed(w, m, before);
	if (now.commit != was->commit)
		committed(w, m);
	return role;
}

void observe_request(struct world *w, const struct call *c, unsigned member)
{
	const struct request *q = c->req;

	record(w, TRACE_STORY, .kind = TRACE_REQUEST, .member = (uint8_t)member, .a = c->number,
	       .p = q);
	enum path_kind kind = PATH_READ_SERIALIZABLE;
	if (q->kind == REQ_LEASE_KEEP_ALIVE || q->kind == REQ_LEASE_TIME_TO_LIVE)
		kind = PATH_KEEP_ALIVE;
	else if (request_is_write(q))
		kind = member == world_leader(w) ? PATH_WRITE : PATH_WRITE_FORWARDED;
	else if ((q->kind == REQ_RANGE && !q->range.serializable) || (q->kind == REQ_TXN))
		kind = PATH_READ_LINEARIZABLE;
	path_begin(w, kind, c->id, member);
	path_mark(w, STEP_CLIENT);
}

/* Does the entry belong to what the strip shows? */
static bool on_path(const struct world *w, const struct entry *e)
{
	if (w->path.kind == PATH_EXPIRY)
		return e->payload && e->payload->call == 0 &&
		       e->payload->req->kind == REQ_LEASE_REVOKE;
	return e->payload && e->payload->call && e->payload->call == w->path.call;
}

void observe_append(struct world *w, struct member *m)
{
	size_t n = m->cycle.entries.n;

	if (n == 0)
		return;
	const struct entry *first = m->cycle.entries.v[0], *last = m->cycle.entries.v[n - 1];
	record(w, TRACE_STORY, .kind = TRACE_APPEND, .member = (uint8_t)m->number,
	       .a = first->index, .b = last->index, .c = last->term, .p = first);
	bool leads = raft_role(m->raft) == STATE_LEADER;
	for (size_t i = 0; i < n && leads; i++) {
		const struct entry *e = m->cycle.entries.v[i];
		struct call *c =
		    e->payload && e->payload->call ? client_call(w, e->payload->call) : NULL;
		if (c)
			c->index = e->index;
		if (w->path.index || !on_path(w, e))
			continue;
		w->path.index = e->index;
		path_mark(w, STEP_FORWARD);
		path_mark(w, STEP_APPEND);
	}
	if (w->path.kind == PATH_REPAIR && m->number == w->path.member) {
		path_mark(w, STEP_APPEND);
		w->path.index = last->index;
	}
}

void observe_fsync(struct world *w, struct member *m)
{
	struct ready_cycle *c = &m->cycle;
	uint64_t last = c->entries.n  ? c->entries.v[c->entries.n - 1]->index
			: c->snapshot ? c->snapshot->index
				      : 0;

	record(w, TRACE_STORY, .kind = TRACE_FSYNC, .member = (uint8_t)m->number, .a = last,
	       .b = c->hard_state.term, .c = known_id(w, c->hard_state.vote));
	if (raft_role(m->raft) == STATE_LEADER && w->path.index && last >= w->path.index) {
		path_mark(w, STEP_FSYNC);
		path_ack(w, m->number);
	}
	if (c->snapshot && w->path.kind == PATH_SNAPSHOT && m->number == w->path.member)
		path_mark(w, STEP_FSYNC);
}

static struct trace_msg message_facts(const struct message *m, bool no_effect)
{
	return (struct trace_msg){
	    .type = (uint8_t)m->type,
	    .reject = m->reject,
	    .has_context = m->has_context,
	    .no_effect = no_effect,
	    .term = m->term,
	    .index = m->snapshot ? m->snapshot->index : m->index,
	    .log_term = m->log_term,
	    .commit = m->commit,
	    .hint = m->reject_hint,
	    .first = m->nentries ? m->entries[0]->index : 1,
	    .last = m->nentries ? m->entries[m->nentries - 1]->index : 0,
	};
}

static void path_sent(struct world *w, unsigned peer, const struct message *m)
{
	switch (m->type) {
	case MSG_APP:
		if (w->path.index && m->nentries &&
		    m->entries[m->nentries - 1]->index >= w->path.index &&
		    w->path.kind != PATH_REPAIR && w->path.kind != PATH_SNAPSHOT)
			path_mark(w, STEP_MSGAPP);
		break;
	case MSG_READ_INDEX:
		path_mark(w, STEP_READ_INDEX);
		break;
	case MSG_HEARTBEAT:
		if (m->has_context && w->path.kind == PATH_READ_LINEARIZABLE) {
			path_mark(w, STEP_READ_INDEX);
			path_mark(w, STEP_HEARTBEAT);
			path_ack(w, world_member_with_id(w, m->from));
		}
		break;
	case MSG_PRE_VOTE:
		path_mark(w, STEP_PRE_VOTE);
		break;
	case MSG_VOTE:
		path_mark(w, STEP_VOTE);
		break;
	case MSG_APP_RESP:
		/* The promise is given and on its way: the count is what the strip is about now. */
		if (w->path.index && !m->reject && m->index >= w->path.index)
			path_mark(w, STEP_ACK);
		break;
	default:
		break;
	}
	(void)peer;
}

static void path_received(struct world *w, unsigned member, unsigned peer, const struct message *m)
{
	bool election = w->path.kind == PATH_ELECTION && w->path.member == member;

	switch (m->type) {
	case MSG_APP_RESP:
		if (w->path.index && !m->reject && m->index >= w->path.index) {
			path_ack(w, peer);
			path_mark(w, STEP_ACK);
		}
		break;
	case MSG_HEARTBEAT_RESP:
		if (m->has_context && w->path.kind == PATH_READ_LINEARIZABLE) {
			path_ack(w, peer);
			path_mark(w, STEP_MAJORITY);
		}
		break;
	case MSG_PRE_VOTE_RESP:
	case MSG_VOTE_RESP:
		if (election && !m->reject)
			path_ack(w, peer);
		break;
	case MSG_READ_INDEX_RESP:
		path_mark(w, STEP_MAJORITY);
		break;
	default:
		break;
	}
}

void observe_message(struct world *w, enum trace_kind kind, unsigned member, unsigned peer,
		     const struct message *m)
{
	bool beat = m->type == MSG_HEARTBEAT || m->type == MSG_HEARTBEAT_RESP;
	bool lost = kind == TRACE_LOST || (kind == TRACE_SEND && w->cut[member][peer]);
	bool idle = beat && ((lost && !m->has_context) ||
			     heartbeat_has_no_effect(w, m, kind == TRACE_RECV ? member : peer));

	if (kind == TRACE_RECV)
		path_received(w, member, peer, m);
	else if (kind == TRACE_SEND)
		path_sent(w, peer, m);
	record(w, idle ? TRACE_ALL : TRACE_STORY, .kind = (uint8_t)kind, .member = (uint8_t)member,
	       .peer = (uint8_t)peer, .msg = message_facts(m, idle));
}

static void lease_applied(struct world *w, struct member *m, const struct entry *e)
{
	const struct request *q = e->payload ? e->payload->req : NULL;
	bool leads = raft_role(m->raft) == STATE_LEADER;

	if (!leads || !q)
		return;
	if (q->kind == REQ_LEASE_GRANT) {
		const struct lease *l = lessor_find(&m->lessor, q->grant.id);
		if (l)
			observe_lease(w, m->number, l->id, LEASE_GRANTED, l->ttl);
	} else if (q->kind == REQ_LEASE_REVOKE) {
		bool expired = e->payload->call == 0;
		observe_lease(w, m->number, q->revoke.id, LEASE_REVOKED, 0);
		if (w->ended_leases.n == 16)
			vec_remove(&w->ended_leases, 0);
		vec_push(&w->ended_leases,
			 (struct ended_lease){q->revoke.id, w->now_ms, expired, w->events});
	}
}

void observe_apply(struct world *w, struct member *m, const struct entry *e, int64_t rev_before)
{
	record(w, TRACE_STORY, .kind = TRACE_APPLY, .member = (uint8_t)m->number, .a = e->index,
	       .b = (uint64_t)m->store.current_rev, .c = (uint64_t)rev_before, .p = e);
	lease_applied(w, m, e);
	if (!e->payload && raft_role(m->raft) == STATE_LEADER && m->lessor.leases.n)
		observe_lease(w, m->number, 0, LEASE_PROMOTED, 0);
	bool own = w->path.kind == PATH_EXPIRY ? raft_role(m->raft) == STATE_LEADER
					       : m->number == w->path.member;
	if (w->path.index == e->index && own)
		path_mark(w, STEP_APPLY);
}

void observe_install(struct world *w, struct member *m, const struct snapshot *s,
		     int64_t rev_before)
{
	record(w, TRACE_STORY, .kind = TRACE_APPLY, .member = (uint8_t)m->number, .a = s->index,
	       .b = (uint64_t)m->store.current_rev, .c = (uint64_t)rev_before);
	if (w->path.kind == PATH_SNAPSHOT && m->number == w->path.member)
		path_mark(w, STEP_RESTORE);
}

void observe_log(struct world *w, const struct member *m, const char *fmt, ...)
{
	struct buf text = {0};
	va_list args;

	if (!w->trace || w->trace->level < TRACE_RAFT)
		return;
	va_start(args, fmt);
	buf_vprintf(&text, fmt, args);
	va_end(args);
	record(w, TRACE_RAFT, .kind = TRACE_LOG, .member = (uint8_t)m->number,
	       .p = heap_dup(w->heap, text.p, text.n));
	buf_free(&text);
}

static bool is_silence(enum error e)
{
	return e == ERR_DEADLINE || e == ERR_DEADLINE_UNKNOWN || e == ERR_TIMEOUT ||
	       e == ERR_TIMEOUT_LEADER_FAIL || e == ERR_TIMEOUT_CONN_LOST || e == ERR_CANCELED ||
	       e == ERR_UNAVAILABLE_34 || e == ERR_UNAVAILABLE_35;
}

/* Where it ended: an answer that did not come, a refusal before the log or where the entry is
 * applied. */
static void fail_path(struct world *w, const struct request *req, enum error e)
{
	if (is_silence(e) && path_done(w, STEP_APPLY))
		path_fail(w, STEP_REPLY);
	else if (is_silence(e) || (request_is_write(req) && !path_done(w, STEP_APPEND)))
		w->path.failed = w->path.current;
	else
		path_fail(w, request_is_write(req) ? STEP_APPLY : STEP_READ);
}

void observe_reply(struct world *w, const struct call *c)
{
	record(w, TRACE_STORY, .kind = TRACE_REPLY, .member = c->at, .a = c->number,
	       .p = c->response);
	if (w->path.call != c->id)
		return;
	enum error e = c->response->error;
	if (w->path.kind == PATH_READ_LINEARIZABLE && e != ERR_DEADLINE) {
		path_mark(w, STEP_MAJORITY);
		path_mark(w, STEP_APPLIED);
	}
	if (e)
		fail_path(w, c->req, e);
	path_mark(w, STEP_READ);
	path_mark(w, STEP_LESSOR);
	path_mark(w, STEP_REPLY);
}

void observe_event(struct world *w, const struct watch_client *c, const struct event *e)
{
	record(w, TRACE_STORY, .kind = TRACE_EVENT, .member = c->at, .a = c->number,
	       .b = (uint64_t)e->row->main, .p = e);
	if (path_done(w, STEP_APPLY))
		path_mark(w, STEP_WATCH);
	path_mark(w, STEP_REPLAY);
}

void observe_stall(struct world *w, const struct watch_client *c)
{
	record(w, TRACE_RAFT, .kind = TRACE_WATCH, .member = c->at, .a = c->number,
	       .b = c->stalled ? WATCH_STALLED : WATCH_READS);
}

void observe_progress(struct world *w, const struct watch_client *c, int64_t rev)
{
	record(w, TRACE_RAFT, .kind = TRACE_WATCH, .member = c->at, .a = c->number,
	       .b = WATCH_TOLD_PROGRESS, .c = (uint64_t)rev);
}

void observe_watch(struct world *w, const struct watch_client *c, enum watch_news news, int64_t rev)
{
	record(w, TRACE_STORY, .kind = TRACE_WATCH, .member = c->at, .a = c->number, .b = news,
	       .c = (uint64_t)rev);
	if (news == WATCH_CUT) {
		path_begin(w, PATH_RESUME, 0, c->at);
		path_mark(w, STEP_CUT);
	} else if (news == WATCH_RESUMED) {
		path_mark(
		    w,
		    STEP_RECONNECT); /* one that moves after an election does not take the strip */
	} else if (news == WATCH_SYNCED) {
		path_mark(w, STEP_LIVE);
	} else if (news == WATCH_CANCELED) {
		path_fail(w, STEP_REPLAY);
	}
}

void observe_lease(struct world *w, unsigned member, int64_t id, enum lease_news news,
		   int64_t seconds)
{
	record(w, TRACE_STORY, .kind = TRACE_LEASE, .member = (uint8_t)member, .a = (uint64_t)id,
	       .b = news, .c = (uint64_t)seconds);
	if (news == LEASE_EXPIRED) {
		path_begin(w, PATH_EXPIRY, 0, member);
		path_mark(w, STEP_EXPIRY);
	}
}

/* A MsgApp that does not agree with what the member has: its own entries from there on will go. */
void observe_truncate(struct world *w, struct member *m, const struct message *msg)
{
	uint64_t last = raft_last_index(m->raft);

	if (msg->term < raft_term(m->raft))
		return; /* a leader of the past: it is not listened to */
	for (size_t i = 0; i < msg->nentries; i++) {
		uint64_t index = msg->entries[i]->index;
		if (index > last)
			return;
		uint64_t term = raft_entry_term(m->raft, index);
		if (term == 0 || term == msg->entries[i]->term)
			continue;
		if (raft_entry_term(m->raft, msg->index) != msg->log_term)
			return; /* it will be refused, not taken */
		record(w, TRACE_STORY, .kind = TRACE_TRUNCATE, .member = (uint8_t)m->number,
		       .a = index, .b = last, .c = term);
		path_mark(w, STEP_CONFLICT);
		path_mark(w, STEP_TRUNCATE);
		return;
	}
}

void observe_fault(struct world *w, enum fault_kind kind, unsigned member, unsigned peer)
{
	record(w, TRACE_STORY, .kind = TRACE_FAULT, .member = (uint8_t)member,
	       .peer = (uint8_t)peer, .a = kind);
}

void observe_fault_text(struct world *w, enum fault_kind kind, unsigned member, const char *text)
{
	record(w, TRACE_STORY, .kind = TRACE_FAULT, .member = (uint8_t)member, .a = kind,
	       .p = text);
}

void observe_link(struct world *w, const struct link_change *c)
{
	record(w, TRACE_STORY, .kind = TRACE_FAULT, .a = FAULT_NET,
	       .p = heap_dup(w->heap, c, sizeof *c));
}

void observe_client_lost(struct world *w, enum fault_kind kind, unsigned member, uint64_t number)
{
	record(w, TRACE_STORY, .kind = TRACE_FAULT, .member = (uint8_t)member, .a = kind,
	       .b = number);
}

void observe_new_cluster(struct world *w, enum fault_kind kind, unsigned member, int64_t b,
			 int64_t c)
{
	record(w, TRACE_STORY, .kind = TRACE_FAULT, .member = (uint8_t)member, .a = kind,
	       .b = (uint64_t)b, .c = (uint64_t)c);
}

void observe_tick(struct world *w, unsigned member)
{
	record(w, TRACE_ALL, .kind = TRACE_TICK, .member = (uint8_t)member);
}
