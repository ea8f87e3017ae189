/* Candidate and pre-candidate: counting votes until a leader shows up (etcd-io/raft: raft.go,
 * stepCandidate; Raft paper, figure 2, "Candidates"). */
#include "raft/raft_private.h"

static void poll(struct raft *r, const struct message *m)
{
	size_t granted, rejected;

	LOG_LINE(&r->logger, LOG_INFO, ID64 " received %s%s from " ID64 " at term " U64, r->cfg.id,
		 message_type_name(m->type), m->reject ? " rejection" : "", m->from, r->term);
	tracker_record_vote(&r->trk, m->from, !m->reject);
	enum vote_result result = tracker_tally(&r->trk, &granted, &rejected);

	LOG_LINE(&r->logger, LOG_INFO, ID64 " has received %zu %s votes and %zu vote rejections",
		 r->cfg.id, granted, message_type_name(m->type), rejected);
	if (result == VOTE_LOST) {
		raft_become_follower(r, r->term, 0);
	} else if (result == VOTE_WON && r->state == STATE_PRE_CANDIDATE) {
		raft_campaign_as(r, CAMPAIGN_ELECTION);
	} else if (result == VOTE_WON) {
		raft_become_leader(r);
		raft_bcast_append(r);
	}
}

enum raft_error raft_step_candidate(struct raft *r, const struct message *m)
{
	bool pre = r->state == STATE_PRE_CANDIDATE;

	switch (m->type) {
	case MSG_PROP:
		LOG_LINE(&r->logger, LOG_INFO, ID64 " no leader at term " U64 "; dropping proposal",
			 r->cfg.id, r->term);
		return RAFT_PROPOSAL_DROPPED;
	case MSG_APP:
	case MSG_HEARTBEAT:
	case MSG_SNAP:
		raft_become_follower(r, m->term, m->from);
		return raft_step_follower(r, m);
	case MSG_PRE_VOTE_RESP:
	case MSG_VOTE_RESP:
		if (m->type == (pre ? MSG_PRE_VOTE_RESP : MSG_VOTE_RESP))
			poll(r, m);
		return RAFT_OK;
	case MSG_TIMEOUT_NOW:
		LOG_LINE(&r->logger, LOG_DEBUG,
			 ID64 " [term " U64 " state %s] ignored MsgTimeoutNow from " ID64,
			 r->cfg.id, r->term, raft_state_name(r->state), m->from);
		return RAFT_OK;
	default:
		return RAFT_OK;
	}
}
