/* Asking a Raft, and looking into it (etcd-io/raft: node.go, status.go). */
#include "raft/raft_private.h"

/* Local messages */

enum raft_error raft_campaign(struct raft *r)
{
	return raft_step_any(r, &(struct message){.type = MSG_HUP});
}

enum raft_error raft_propose(struct raft *r, const struct entry *e)
{
	return raft_step_any(
	    r,
	    &(struct message){.type = MSG_PROP, .from = r->cfg.id, .entries = &e, .nentries = 1});
}

enum raft_error raft_propose_conf_change(struct raft *r, const struct entry *e)
{
	return raft_step_any(r, &(struct message){.type = MSG_PROP, .entries = &e, .nentries = 1});
}

void raft_read_index(struct raft *r, struct bytes context)
{
	struct entry *request = heap_alloc(r->heap, sizeof *request);
	const struct entry *e = request;

	*request = (struct entry){
	    .type = ENTRY_NORMAL,
	    .data = heap_dup(r->heap, context.p, context.n),
	    .size = (uint32_t)context.n,
	    .has_data = true,
	};
	raft_step_any(r, &(struct message){.type = MSG_READ_INDEX, .entries = &e, .nentries = 1});
}

void raft_transfer_leader(struct raft *r, uint64_t to)
{
	raft_step_any(r, &(struct message){.type = MSG_TRANSFER_LEADER, .from = to});
}

void raft_forget_leader(struct raft *r)
{
	raft_step_any(r, &(struct message){.type = MSG_FORGET_LEADER});
}

void raft_report_unreachable(struct raft *r, uint64_t peer)
{
	raft_step_any(r, &(struct message){.type = MSG_UNREACHABLE, .from = peer});
}

void raft_report_snapshot(struct raft *r, uint64_t peer, bool ok)
{
	raft_step_any(r, &(struct message){.type = MSG_SNAP_STATUS, .from = peer, .reject = !ok});
}

/* Looking */

uint64_t raft_id(const struct raft *r)
{
	return r->cfg.id;
}

struct raft_view raft_view(const struct raft *r)
{
	return (struct raft_view){r->term, r->lead, r->log.committed, r->state};
}

bool raft_view_holds(const struct raft *r, const struct raft_view *v)
{
	return r->log.committed == v->commit && r->term == v->term && r->lead == v->lead &&
	       r->state == v->role;
}

const struct entry *raft_last_entry(const struct raft *r)
{
	const struct raft_log *l = &r->log;

	if (log_unstable_count(l))
		return l->unstable.v[l->unstable.n - 1];
	return l->snapshot ? NULL : storage_last_entry(l->storage);
}

enum raft_state raft_role(const struct raft *r)
{
	return r->state;
}

uint64_t raft_term(const struct raft *r)
{
	return r->term;
}

uint64_t raft_vote(const struct raft *r)
{
	return r->vote;
}

uint64_t raft_lead(const struct raft *r)
{
	return r->lead;
}

uint64_t raft_commit(const struct raft *r)
{
	return r->log.committed;
}

uint64_t raft_applied(const struct raft *r)
{
	return r->log.applied;
}

uint64_t raft_first_index(const struct raft *r)
{
	return log_first_index(&r->log);
}

uint64_t raft_last_index(const struct raft *r)
{
	return log_last_index(&r->log);
}

uint64_t raft_stable_index(const struct raft *r)
{
	return r->log.snapshot ? storage_last_index(r->log.storage) : r->log.offset - 1;
}

const struct entry *raft_entry(const struct raft *r, uint64_t index)
{
	return log_entry(&r->log, index);
}

uint64_t raft_entry_term(const struct raft *r, uint64_t index)
{
	return log_term_or_0(&r->log, index);
}

uint32_t raft_election_elapsed(const struct raft *r)
{
	return r->election_elapsed;
}

uint32_t raft_randomized_timeout(const struct raft *r)
{
	return r->randomized_election_timeout;
}

void raft_set_randomized_timeout(struct raft *r, uint32_t ticks)
{
	r->randomized_election_timeout = ticks;
}

const struct conf_state *raft_conf(const struct raft *r)
{
	return &r->trk.conf;
}

size_t raft_nprogress(const struct raft *r)
{
	return r->trk.nprogress;
}

struct progress_view raft_progress(const struct raft *r, size_t i)
{
	const struct progress *p = &r->trk.progress[i];

	check_that(i < r->trk.nprogress);
	return (struct progress_view){
	    .id = p->id,
	    .match = p->match,
	    .next = p->next,
	    .pending_snapshot = p->pending_snapshot,
	    .state = p->state,
	    .recent_active = p->recent_active,
	    .paused = progress_is_paused(p),
	    .is_learner = p->is_learner,
	    .inflight = p->inflights.count,
	    .inflight_limit = p->inflights.limit,
	};
}

void raft_print_progress(struct buf *out, const struct raft *r, size_t i)
{
	check_that(i < r->trk.nprogress);
	progress_print(out, &r->trk.progress[i]);
}
