/* Follower: taking entries from the leader (etcd-io/raft: raft.go, stepFollower,
 * handleAppendEntries, restore; Raft paper, figure 2, "AppendEntries RPC", and figure 13). */
#include "raft/changer.h"
#include "raft/raft_private.h"

static void answer_append(struct raft *r, const struct message *m, uint64_t index)
{
	raft_message(r, MSG_APP_RESP, m->from)->index = index;
}

/* Where the logs may agree: skips whole terms, so that a long divergent tail takes few rounds. */
static void reject_append(struct raft *r, const struct message *m)
{
	uint64_t last = log_last_index(&r->log), hint_term;

	LOG_LINE(&r->logger, LOG_DEBUG,
		 ID64 " [logterm: " U64 ", index: " U64 "] rejected MsgApp [logterm: " U64
		      ", index: " U64 "] from " ID64,
		 r->cfg.id, log_term_or_0(&r->log, m->index), m->index, m->log_term, m->index,
		 m->from);
	uint64_t hint = log_find_conflict_by_term(&r->log, m->index < last ? m->index : last,
						  m->log_term, &hint_term);

	struct message *answer = raft_message(r, MSG_APP_RESP, m->from);

	answer->index = m->index;
	answer->reject = true;
	answer->reject_hint = hint;
	answer->log_term = hint_term;
}

void raft_handle_append_entries(struct raft *r, const struct message *m)
{
	uint64_t last_new;

	/* Committed entries never conflict: no need to look. */
	if (m->index < r->log.committed)
		answer_append(r, m, r->log.committed);
	else if (log_maybe_append(&r->log, m, &last_new))
		answer_append(r, m, last_new);
	else if (bug_on(r->bugs, BUG_APPEND_UNCHECKED) &&
		 log_append_unchecked(&r->log, m, &last_new))
		answer_append(r, m, last_new);
	else
		reject_append(r, m);
}

void raft_handle_heartbeat(struct raft *r, const struct message *m)
{
	log_commit_to(&r->log, m->commit);
	struct message *answer = raft_message(r, MSG_HEARTBEAT_RESP, m->from);

	answer->has_context = m->has_context;
	answer->context = m->context;
}

/* Snapshots */

static bool in_conf(const struct conf_state *c, uint64_t id)
{
	return conf_is_voter(c, id) || conf_set_has(c->learners, c->nlearners, id);
}

static void log_snapshot(const struct raft *r, const char *what, const struct snapshot *s)
{
	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [commit: " U64 ", lastindex: " U64 ", lastterm: " U64
		      "] %s snapshot [index: " U64 ", term: " U64 "]",
		 r->cfg.id, r->log.committed, log_last_index(&r->log), log_last_term(&r->log), what,
		 s->index, s->term);
}

static void restore_conf(struct raft *r, const struct conf_state *conf)
{
	struct tracker *t = &r->trk;
	uint32_t msgs = t->max_inflight_msgs;
	uint64_t bytes = t->max_inflight_bytes;

	tracker_free(t);
	tracker_init(t, msgs, bytes);
	const char *err = changer_restore(t, log_last_index(&r->log), conf);

	if (err)
		die(err);
	raft_switch_to_config(r);
}

/* Takes the snapshot in place of the log; false if there is no need. */
static bool restore(struct raft *r, const struct snapshot *s)
{
	if (s->index <= r->log.committed)
		return false;
	if (!in_conf(&s->conf, r->cfg.id)) {
		LOG_LINE(&r->logger, LOG_WARN,
			 ID64 " attempted to restore snapshot but it is not in the ConfState;"
			      " should never happen",
			 r->cfg.id);
		return false;
	}
	/* The log goes at least as far: only the commit index is news. */
	if (log_match_term(&r->log, s->index, s->term)) {
		log_snapshot(r, "fast-forwarded commit to", s);
		log_commit_to(&r->log, s->index);
		return false;
	}
	log_restore(&r->log, s);
	restore_conf(r, &s->conf);
	log_snapshot(r, "restored", s);
	return true;
}

void raft_handle_snapshot(struct raft *r, const struct message *m)
{
	static const struct snapshot none;
	const struct snapshot *s = m->snapshot ? m->snapshot : &none;
	bool restored = restore(r, s);

	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [commit: " U64 "] %s snapshot [index: " U64 ", term: " U64 "]", r->cfg.id,
		 r->log.committed, restored ? "restored" : "ignored", s->index, s->term);
	answer_append(r, m, restored ? log_last_index(&r->log) : r->log.committed);
}

/* Messages for the leader */

static void forward_or_drop(struct raft *r, const struct message *m, const char *what)
{
	if (r->lead)
		raft_forward(r, m, r->lead);
	else
		LOG_LINE(&r->logger, LOG_INFO, ID64 " no leader at term " U64 "; dropping %s",
			 r->cfg.id, r->term, what);
}

static enum raft_error step_proposal(struct raft *r, const struct message *m)
{
	if (r->lead && r->cfg.disable_proposal_forwarding)
		LOG_LINE(&r->logger, LOG_INFO,
			 ID64 " not forwarding to leader " ID64 " at term " U64
			      "; dropping proposal",
			 r->cfg.id, r->lead, r->term);
	else
		forward_or_drop(r, m, "proposal");
	return r->lead && !r->cfg.disable_proposal_forwarding ? RAFT_OK : RAFT_PROPOSAL_DROPPED;
}

static void forget_leader(struct raft *r)
{
	if (r->cfg.read_only == READ_ONLY_LEASE_BASED) {
		LOG_LINE(&r->logger, LOG_ERROR,
			 "ignoring MsgForgetLeader due to ReadOnlyLeaseBased");
	} else if (r->lead) {
		LOG_LINE(&r->logger, LOG_INFO, ID64 " forgetting leader " ID64 " at term " U64,
			 r->cfg.id, r->lead, r->term);
		r->lead = 0;
	}
}

static void step_timeout_now(struct raft *r, const struct message *m)
{
	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [term " U64 "] received MsgTimeoutNow from " ID64
		      " and starts an election to get leadership.",
		 r->cfg.id, r->term, m->from);
	raft_hup(r, CAMPAIGN_TRANSFER);
}

static void hear_leader(struct raft *r, const struct message *m)
{
	r->election_elapsed = 0;
	r->lead = m->from;
}

enum raft_error raft_step_follower(struct raft *r, const struct message *m)
{
	switch (m->type) {
	case MSG_PROP:
		return step_proposal(r, m);
	case MSG_APP:
		hear_leader(r, m);
		raft_handle_append_entries(r, m);
		break;
	case MSG_HEARTBEAT:
		hear_leader(r, m);
		raft_handle_heartbeat(r, m);
		break;
	case MSG_SNAP:
		hear_leader(r, m);
		raft_handle_snapshot(r, m);
		break;
	case MSG_TRANSFER_LEADER:
		forward_or_drop(r, m, "leader transfer msg");
		break;
	case MSG_READ_INDEX:
		forward_or_drop(r, m, "index reading msg");
		break;
	case MSG_READ_INDEX_RESP:
		if (m->nentries == 1)
			raft_add_read_state(r, m->index, m);
		break;
	case MSG_FORGET_LEADER:
		forget_leader(r);
		break;
	case MSG_TIMEOUT_NOW:
		step_timeout_now(r, m);
		break;
	default:
		break;
	}
	return RAFT_OK;
}
