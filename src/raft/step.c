/* A message: first the rules of the term, then those of its kind, then those of the role
 * (etcd-io/raft: raft.go, Step; rawnode.go, Step).
 *
 * Raft paper, figure 2, "Rules for Servers": a higher term makes a follower.  Two exceptions keep a
 * member that cannot win from disturbing those that work: votes against a living leader are
 * ignored, and the term of a pre-vote is only a question.
 */
#include "raft/raft_private.h"

static void log_vote_request(const struct raft *r, const struct message *m, const char *what)
{
	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [logterm: " U64 ", index: " U64 ", vote: " ID64 "] %s %s from " ID64
		      " [logterm: " U64 ", index: " U64 "] at term " U64,
		 r->cfg.id, log_last_term(&r->log), log_last_index(&r->log), r->vote, what,
		 message_type_name(m->type), m->from, m->log_term, m->index, r->term);
}

static void log_vote_cast(const struct raft *r, const struct message *m)
{
	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [logterm: " U64 ", index: " U64 ", vote: " ID64 "] cast %s for " ID64
		      " [logterm: " U64 ", index: " U64 "] at term " U64,
		 r->cfg.id, log_last_term(&r->log), log_last_index(&r->log), r->vote,
		 message_type_name(m->type), m->from, m->log_term, m->index, r->term);
}

/* Does a living leader speak against this vote?  (Raft dissertation, section 4.2.3) */
static bool in_lease(struct raft *r, const struct message *m)
{
	if ((m->type != MSG_VOTE && m->type != MSG_PRE_VOTE) || m->transfer)
		return false;
	if (!r->cfg.check_quorum || !r->lead || r->election_elapsed >= r->cfg.election_tick)
		return false;
	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [logterm: " U64 ", index: " U64 ", vote: " ID64 "] ignored %s from " ID64
		      " [logterm: " U64 ", index: " U64 "] at term " U64
		      ": lease is not expired (remaining ticks: %" PRIu32 ")",
		 r->cfg.id, log_last_term(&r->log), log_last_index(&r->log), r->vote,
		 message_type_name(m->type), m->from, m->log_term, m->index, r->term,
		 r->cfg.election_tick - r->election_elapsed);
	return true;
}

static void meet_higher_term(struct raft *r, const struct message *m)
{
	bool from_leader = m->type == MSG_APP || m->type == MSG_HEARTBEAT || m->type == MSG_SNAP;

	/* A pre-vote's term is one that nobody has yet; a refusal tells a real one. */
	if (m->type == MSG_PRE_VOTE || (m->type == MSG_PRE_VOTE_RESP && !m->reject))
		return;
	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [term: " U64 "] received a %s message with higher term from " ID64
		      " [term: " U64 "]",
		 r->cfg.id, r->term, message_type_name(m->type), m->from, m->term);
	raft_become_follower(r, m->term, from_leader ? m->from : 0);
}

static void meet_lower_term(struct raft *r, const struct message *m)
{
	bool disturbed = r->cfg.check_quorum || r->cfg.pre_vote;

	if (disturbed && (m->type == MSG_HEARTBEAT || m->type == MSG_APP)) {
		/* Our term is higher, but votes of ours may be ignored: this brings the old leader
		 * down. */
		raft_message(r, MSG_APP_RESP, m->from);
	} else if (m->type == MSG_PRE_VOTE) {
		log_vote_request(r, m, "rejected");
		raft_message(r, MSG_PRE_VOTE_RESP, m->from)->reject = true;
	} else if (m->type == MSG_STORAGE_APPEND_RESP) {
		/* Written, but perhaps overwritten since; a snapshot is not overwritten. */
		if (m->index)
			LOG_LINE(&r->logger, LOG_INFO,
				 ID64 " [term: " U64 "] ignored entry appends from a %s message"
				      " with lower term [term: " U64 "]",
				 r->cfg.id, r->term, message_type_name(m->type), m->term);
		if (m->snapshot)
			raft_storage_appended(r, &(struct append_ack){.snapshot = m->snapshot});
	} else {
		LOG_LINE(&r->logger, LOG_INFO,
			 ID64 " [term: " U64 "] ignored a %s message with lower term from " ID64
			      " [term: " U64 "]",
			 r->cfg.id, r->term, message_type_name(m->type), m->from, m->term);
	}
}

/* RequestVote (Raft paper, figure 2; sections 5.2 and 5.4.1).  Learners vote too: the candidate may
 * know of their promotion before they do. */
static void step_vote(struct raft *r, const struct message *m)
{
	bool pre = m->type == MSG_PRE_VOTE;
	bool can_vote =
	    r->vote == m->from || (r->vote == 0 && r->lead == 0) || (pre && m->term > r->term);
	enum message_type answer = pre ? MSG_PRE_VOTE_RESP : MSG_VOTE_RESP;

	bool up_to_date = log_is_up_to_date(&r->log, m->log_term, m->index) ||
			  bug_on(r->bugs, BUG_VOTE_SHORTER_LOG);

	if (!can_vote || !up_to_date) {
		log_vote_request(r, m, "rejected");
		raft_message(r, answer, m->from)->reject = true;
		return;
	}
	log_vote_cast(r, m);
	raft_message(r, answer, m->from)->term = m->term;
	if (!pre) {
		r->election_elapsed = 0;
		r->vote = m->from;
	}
}

static enum raft_error step_by_role(struct raft *r, const struct message *m)
{
	if (r->state == STATE_LEADER)
		return raft_step_leader(r, m);
	return r->state == STATE_FOLLOWER ? raft_step_follower(r, m) : raft_step_candidate(r, m);
}

enum raft_error raft_step_any(struct raft *r, const struct message *m)
{
	if (m->term > r->term) {
		if (in_lease(r, m))
			return RAFT_OK;
		meet_higher_term(r, m);
	} else if (m->term < r->term && m->term != 0) {
		meet_lower_term(r, m);
		return RAFT_OK;
	}
	switch (m->type) {
	case MSG_HUP:
		raft_hup(r, r->cfg.pre_vote ? CAMPAIGN_PRE_ELECTION : CAMPAIGN_ELECTION);
		return RAFT_OK;
	case MSG_STORAGE_APPEND_RESP:
		raft_storage_appended(
		    r, &(struct append_ack){m->term, m->index, m->log_term, m->snapshot});
		return RAFT_OK;
	case MSG_STORAGE_APPLY_RESP:
		if (m->nentries)
			raft_storage_applied(r, m->entries, m->nentries,
					     entries_size(m->entries, m->nentries));
		return RAFT_OK;
	case MSG_VOTE:
	case MSG_PRE_VOTE:
		step_vote(r, m);
		return RAFT_OK;
	default:
		return step_by_role(r, m);
	}
}

#define BIT(type) (1u << (type))

static bool is_local(enum message_type t)
{
	return (BIT(MSG_HUP) | BIT(MSG_BEAT) | BIT(MSG_UNREACHABLE) | BIT(MSG_SNAP_STATUS) |
		BIT(MSG_CHECK_QUORUM) | BIT(MSG_STORAGE_APPEND) | BIT(MSG_STORAGE_APPEND_RESP) |
		BIT(MSG_STORAGE_APPLY) | BIT(MSG_STORAGE_APPLY_RESP)) >>
		   t &
	       1;
}

static bool is_response(enum message_type t)
{
	return (BIT(MSG_APP_RESP) | BIT(MSG_VOTE_RESP) | BIT(MSG_HEARTBEAT_RESP) |
		BIT(MSG_UNREACHABLE) | BIT(MSG_READ_INDEX_RESP) | BIT(MSG_PRE_VOTE_RESP) |
		BIT(MSG_STORAGE_APPEND_RESP) | BIT(MSG_STORAGE_APPLY_RESP)) >>
		   t &
	       1;
}

enum raft_error raft_step(struct raft *r, const struct message *m)
{
	bool thread = m->from == RAFT_APPEND_THREAD || m->from == RAFT_APPLY_THREAD;

	if (!thread && is_local(m->type))
		return RAFT_LOCAL_MESSAGE;
	if (!thread && is_response(m->type) && !tracker_find(&r->trk, m->from))
		return RAFT_PEER_NOT_FOUND;
	return raft_step_any(r, m);
}
