/* Asking for votes (etcd-io/raft: raft.go, hup and campaign; Raft paper, section 5.2;
 * dissertation, 9.6). */
#include "raft/raft_private.h"

/* A change of the configuration that is committed but not applied: we do not know who votes. */
static bool has_unapplied_conf_changes(const struct raft *r)
{
	for (uint64_t i = r->log.applied + 1; i <= r->log.committed; i++) {
		const struct entry *e = log_entry(&r->log, i);

		if (e && e->type != ENTRY_NORMAL)
			return true;
	}
	return false;
}

void raft_hup(struct raft *r, enum campaign_type t)
{
	if (r->state == STATE_LEADER) {
		LOG_LINE(&r->logger, LOG_DEBUG, ID64 " ignoring MsgHup because already leader",
			 r->cfg.id);
		return;
	}
	if (!raft_promotable(r)) {
		LOG_LINE(&r->logger, LOG_WARN, ID64 " is unpromotable and can not campaign",
			 r->cfg.id);
		return;
	}
	if (has_unapplied_conf_changes(r)) {
		LOG_LINE(&r->logger, LOG_WARN,
			 ID64 " cannot campaign at term " U64 " since there are still pending"
			      " configuration changes to apply",
			 r->cfg.id, r->term);
		return;
	}
	LOG_LINE(&r->logger, LOG_INFO, ID64 " is starting a new election at term " U64, r->cfg.id,
		 r->term);
	raft_campaign_as(r, t);
}

static void ask(struct raft *r, uint64_t id, enum campaign_type t)
{
	bool pre = t == CAMPAIGN_PRE_ELECTION;
	struct message *m = raft_message(r, pre ? MSG_PRE_VOTE : MSG_VOTE, id);

	m->term = pre ? r->term + 1 : r->term;
	m->index = log_last_index(&r->log);
	m->log_term = log_last_term(&r->log);
	m->transfer = t == CAMPAIGN_TRANSFER;
	LOG_LINE(&r->logger, LOG_INFO,
		 ID64 " [logterm: " U64 ", index: " U64 "] sent %s request to " ID64
		      " at term " U64,
		 r->cfg.id, m->log_term, m->index, message_type_name(m->type), id, r->term);
}

static void answer_oneself(struct raft *r, enum campaign_type t)
{
	bool pre = t == CAMPAIGN_PRE_ELECTION;
	struct message *m = raft_message(r, pre ? MSG_PRE_VOTE_RESP : MSG_VOTE_RESP, r->cfg.id);

	m->term = pre ? r->term + 1 : r->term;
}

void raft_campaign_as(struct raft *r, enum campaign_type t)
{
	if (t == CAMPAIGN_PRE_ELECTION)
		raft_become_pre_candidate(r);
	else
		raft_become_candidate(r);
	/* The progresses ascend by id, and every voter has one. */
	for (size_t i = 0; i < r->trk.nprogress; i++) {
		uint64_t id = r->trk.progress[i].id;

		if (!conf_is_voter(&r->trk.conf, id))
			continue;
		if (id == r->cfg.id)
			answer_oneself(r, t);
		else
			ask(r, id, t);
	}
}
