/* Leader: proposals, acknowledgements, transfer (etcd-io/raft: raft.go, stepLeader).
 *
 * The path of a write: a proposal gets its place in the log and goes to all peers at once; each
 * answer moves the peer's match; when a majority has the entry the commit index moves, and an
 * append tells everybody.
 */
#include "raft/raft_private.h"

/* The quorum check */

static void check_quorum(struct raft *r)
{
	if (!tracker_quorum_active(&r->trk, r->cfg.id)) {
		LOG_LINE(&r->logger, LOG_WARN,
			 ID64 " stepped down to follower since quorum is not active", r->cfg.id);
		raft_become_follower(r, r->term, 0);
	}
	for (size_t i = 0; i < r->trk.nprogress; i++)
		if (r->trk.progress[i].id != r->cfg.id)
			r->trk.progress[i].recent_active = false;
}

/* Proposals */

enum refusal { ACCEPTED, POSSIBLY_UNAPPLIED, STILL_JOINT, NOT_JOINT };

/* One change at a time: none while an earlier one may be unapplied. */
static enum refusal refusal_of(const struct raft *r, const struct conf_change *cc)
{
	bool joint = conf_is_joint(&r->trk.conf), leave = cc->nchanges == 0;

	if (r->pending_conf_index > r->log.applied)
		return POSSIBLY_UNAPPLIED;
	if (joint && !leave)
		return STILL_JOINT;
	return !joint && leave ? NOT_JOINT : ACCEPTED;
}

static void log_refusal(const struct raft *r, const struct conf_change *cc, enum refusal why)
{
	struct buf line = {0};

	if (!logger_wants(&r->logger, LOG_INFO))
		return;
	buf_printf(&line, ID64 " ignoring conf change ", r->cfg.id);
	raft_print_conf_change(&line, cc);
	buf_puts(&line, " at config ");
	raft_print_conf(&line, &r->trk.conf);
	if (why == POSSIBLY_UNAPPLIED)
		buf_printf(&line,
			   ": possible unapplied conf change at index " U64 " (applied to " U64 ")",
			   r->pending_conf_index, r->log.applied);
	else if (why == STILL_JOINT)
		buf_puts(&line, ": must transition out of joint config first");
	else
		buf_puts(&line, ": not in joint state; refusing empty conf change");
	logger_line(&r->logger, LOG_INFO, "%s", buf_str(&line));
	buf_free(&line);
}

/* The entry to append for one that proposes a change: itself, or an empty one if it is refused. */
static const struct entry *check_conf_change(struct raft *r, const struct entry *e, uint64_t index)
{
	static const struct entry refused = {.type = ENTRY_NORMAL, .has_type = true};
	struct conf_change cc = conf_change_of(e);
	enum refusal why = refusal_of(r, &cc);

	if (why != ACCEPTED && !r->cfg.disable_conf_change_validation) {
		log_refusal(r, &cc, why);
		return &refused;
	}
	r->pending_conf_index = index;
	return e;
}

/* The entries of a proposal after the check; those of the message itself if no change is among
 * them. */
static const struct entry *const *checked_entries(struct raft *r, const struct message *m)
{
	uint64_t next = log_last_index(&r->log) + 1;
	size_t i = 0;

	while (i < m->nentries && m->entries[i]->type == ENTRY_NORMAL)
		i++;
	if (i == m->nentries)
		return m->entries;
	r->scratch.n = 0;
	for (i = 0; i < m->nentries; i++) {
		const struct entry *e = m->entries[i];

		vec_push(&r->scratch,
			 e->type == ENTRY_NORMAL ? e : check_conf_change(r, e, next + i));
	}
	return r->scratch.v;
}

static enum raft_error step_proposal(struct raft *r, const struct message *m)
{
	check_that(m->nentries > 0);
	if (!tracker_find(&r->trk, r->cfg.id))
		return RAFT_PROPOSAL_DROPPED;
	if (r->lead_transferee) {
		LOG_LINE(&r->logger, LOG_DEBUG,
			 ID64 " [term " U64 "] transfer leadership to " ID64
			      " is in progress; dropping proposal",
			 r->cfg.id, r->term, r->lead_transferee);
		return RAFT_PROPOSAL_DROPPED;
	}
	if (!raft_append_entries(r, checked_entries(r, m), m->nentries))
		return RAFT_PROPOSAL_DROPPED;
	raft_bcast_append(r);
	return RAFT_OK;
}

/* Answers */

/* The peer's hint is where its log may agree; ours may tell that it is even earlier. */
static void step_append_rejected(struct raft *r, struct progress *p, const struct message *m)
{
	uint64_t guess = m->reject_hint, term;

	LOG_LINE(&r->logger, LOG_DEBUG,
		 ID64 " received MsgAppResp(rejected, hint: (index " U64 ", term " U64
		      ")) from " ID64 " for index " U64,
		 r->cfg.id, m->reject_hint, m->log_term, m->from, m->index);
	if (m->log_term)
		guess = log_find_conflict_by_term(&r->log, m->reject_hint, m->log_term, &term);
	if (!progress_maybe_decr_to(p, m->index, guess))
		return;
	LOG_PROGRESS(r, p, ID64 " decreased progress of " ID64 " to", r->cfg.id, m->from);
	if (p->state == PROGRESS_REPLICATE)
		progress_become_probe(p);
	raft_maybe_send_append(r, p, true);
}

static void move_progress(struct raft *r, struct progress *p, const struct message *m)
{
	switch (p->state) {
	case PROGRESS_PROBE:
		progress_become_replicate(p);
		break;
	case PROGRESS_SNAPSHOT:
		if (p->match + 1 < log_first_index(&r->log))
			break;
		/* Whatever the answer was to, the log can go on from here. */
		LOG_PROGRESS(r, p,
			     ID64 " recovered from needing snapshot, resumed sending replication"
				  " messages to " ID64,
			     r->cfg.id, m->from);
		progress_become_probe(p);
		progress_become_replicate(p);
		break;
	case PROGRESS_REPLICATE:
		inflights_free_le(&p->inflights, m->index);
		break;
	}
}

static void step_append_accepted(struct raft *r, struct progress *p, const struct message *m)
{
	bool other = m->from != r->cfg.id;

	if (!progress_maybe_update(p, m->index) &&
	    !(p->match == m->index && p->state == PROGRESS_PROBE))
		return;
	move_progress(r, p, m);
	if (raft_maybe_commit(r)) {
		raft_release_pending_reads(r);
		raft_bcast_append(r);
	} else if (other && progress_can_bump_commit(p, r->log.committed)) {
		raft_maybe_send_append(r, p, true);
	}
	/* The window may have room for more than one message now. */
	while (other && raft_maybe_send_append(r, p, false))
		;
	if (m->from == r->lead_transferee && p->match == log_last_index(&r->log)) {
		LOG_LINE(&r->logger, LOG_INFO,
			 ID64 " sent MsgTimeoutNow to " ID64 " after received MsgAppResp",
			 r->cfg.id, m->from);
		raft_message(r, MSG_TIMEOUT_NOW, m->from);
	}
}

static void step_append_resp(struct raft *r, struct progress *p, const struct message *m)
{
	p->recent_active = true;
	if (m->reject)
		step_append_rejected(r, p, m);
	else
		step_append_accepted(r, p, m);
}

static void step_heartbeat_resp(struct raft *r, struct progress *p, const struct message *m)
{
	p->recent_active = true;
	p->msg_app_flow_paused = false;
	/* Also into a full window, without entries: so it is found out if all of them were lost. */
	if (p->match < log_last_index(&r->log) || p->state == PROGRESS_PROBE)
		raft_maybe_send_append(r, p, true);
	if (r->cfg.read_only == READ_ONLY_SAFE && m->has_context)
		raft_ack_reads(r, m->from, m->context);
}

static void step_snap_status(struct raft *r, struct progress *p, const struct message *m)
{
	if (p->state != PROGRESS_SNAPSHOT)
		return;
	if (m->reject)
		p->pending_snapshot = 0;
	progress_become_probe(p);
	LOG_PROGRESS(r, p, ID64 " snapshot %s, resumed sending replication messages to " ID64,
		     r->cfg.id, m->reject ? "failed" : "succeeded", m->from);
	/* Wait for the peer's own answer, or for the next heartbeat's if it failed. */
	p->msg_app_flow_paused = true;
}

static void step_unreachable(struct raft *r, struct progress *p, const struct message *m)
{
	/* What was sent ahead is probably lost. */
	if (p->state == PROGRESS_REPLICATE)
		progress_become_probe(p);
	LOG_PROGRESS(r, p, ID64 " failed to send message to " ID64 " because it is unreachable",
		     r->cfg.id, m->from);
}

/* Transfer of leadership (Raft dissertation, section 3.10) */

static void start_transfer(struct raft *r, struct progress *p)
{
	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [term " U64 "] starts to transfer leadership to " ID64, r->cfg.id, r->term,
		 p->id);
	/* It must succeed within one election timeout. */
	r->election_elapsed = 0;
	r->lead_transferee = p->id;
	if (p->match == log_last_index(&r->log)) {
		raft_message(r, MSG_TIMEOUT_NOW, p->id);
		LOG_LINE(&r->logger, LOG_INFO,
			 ID64 " sends MsgTimeoutNow to " ID64 " immediately as " ID64
			      " already has up-to-date log",
			 r->cfg.id, p->id, p->id);
	} else {
		raft_maybe_send_append(r, p, true);
	}
}

static void step_transfer_leader(struct raft *r, struct progress *p, const struct message *m)
{
	uint64_t before = r->lead_transferee;

	if (p->is_learner) {
		LOG_LINE(&r->logger, LOG_DEBUG, ID64 " is learner. Ignored transferring leadership",
			 r->cfg.id);
		return;
	}
	if (before == m->from) {
		LOG_LINE(&r->logger, LOG_INFO,
			 ID64 " [term " U64 "] transfer leadership to " ID64
			      " is in progress, ignores request to same node " ID64,
			 r->cfg.id, r->term, m->from, m->from);
		return;
	}
	if (before) {
		raft_abort_leader_transfer(r);
		LOG_LINE(&r->logger, LOG_INFO,
			 ID64 " [term " U64 "] abort previous transferring leadership to " ID64,
			 r->cfg.id, r->term, before);
	}
	if (m->from == r->cfg.id) {
		LOG_LINE(&r->logger, LOG_DEBUG,
			 ID64 " is already leader. Ignored transferring leadership to self",
			 r->cfg.id);
		return;
	}
	start_transfer(r, p);
}

/* What comes from, or concerns, one peer. */
static void step_peer(struct raft *r, struct progress *p, const struct message *m)
{
	switch (m->type) {
	case MSG_APP_RESP:
		step_append_resp(r, p, m);
		break;
	case MSG_HEARTBEAT_RESP:
		step_heartbeat_resp(r, p, m);
		break;
	case MSG_SNAP_STATUS:
		step_snap_status(r, p, m);
		break;
	case MSG_UNREACHABLE:
		step_unreachable(r, p, m);
		break;
	case MSG_TRANSFER_LEADER:
		step_transfer_leader(r, p, m);
		break;
	default:
		break;
	}
}

enum raft_error raft_step_leader(struct raft *r, const struct message *m)
{
	switch (m->type) {
	case MSG_BEAT:
		raft_bcast_heartbeat(r);
		return RAFT_OK;
	case MSG_CHECK_QUORUM:
		check_quorum(r);
		return RAFT_OK;
	case MSG_PROP:
		return step_proposal(r, m);
	case MSG_READ_INDEX:
		raft_step_read_index(r, m);
		return RAFT_OK;
	case MSG_FORGET_LEADER:
		return RAFT_OK;
	default:
		break;
	}
	struct progress *p = tracker_find(&r->trk, m->from);

	if (p)
		step_peer(r, p, m);
	else
		LOG_LINE(&r->logger, LOG_DEBUG, ID64 " no progress available for " ID64, r->cfg.id,
			 m->from);
	return RAFT_OK;
}
