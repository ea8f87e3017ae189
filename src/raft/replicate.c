/* Leader: sending entries, snapshots and heartbeats, and committing (etcd-io/raft: raft.go,
 * maybeSendAppend, bcastAppend, maybeCommit; Raft paper, sections 5.3 and 5.4.2). */
#include "raft/raft_private.h"

/* Sending to one peer */

static const struct snapshot *newest_snapshot(struct raft *r)
{
	const struct storage *s = r->log.storage;

	if (r->log.snapshot)
		return r->log.snapshot;
	const struct snapshot *newest = s->to_send.index ? &s->to_send : &s->snapshot;
	struct snapshot *copy = heap_alloc(r->heap, sizeof *copy);

	check_that(newest->index != 0);
	*copy = *newest;
	return copy;
}

static bool maybe_send_snapshot(struct raft *r, struct progress *p)
{
	if (!p->recent_active) {
		LOG_LINE(&r->logger, LOG_DEBUG,
			 "ignore sending snapshot to " ID64 " since it is not recently active",
			 p->id);
		return false;
	}
	const struct snapshot *s = newest_snapshot(r);

	LOG_PROGRESS(r, p,
		     ID64 " [firstindex: " U64 ", commit: " U64 "] sent snapshot[index: " U64
			  ", term: " U64 "] to " ID64,
		     r->cfg.id, log_first_index(&r->log), r->log.committed, s->index, s->term,
		     p->id);
	progress_become_snapshot(p, s->index);
	LOG_PROGRESS(r, p, ID64 " paused sending replication messages to " ID64, r->cfg.id, p->id);
	raft_message(r, MSG_SNAP, p->id)->snapshot = s;
	return true;
}

/* The entries that the peer lacks, within the limit of a message; none into a full window. */
static enum storage_error entries_for(struct raft *r, const struct progress *p)
{
	r->scratch.n = 0;
	if (p->state == PROGRESS_REPLICATE && inflights_full(&p->inflights))
		return STORAGE_OK;
	return log_slice(&r->log, p->next, log_last_index(&r->log) + 1, r->cfg.max_size_per_msg,
			 &r->scratch);
}

bool raft_maybe_send_append(struct raft *r, struct progress *p, bool send_if_empty)
{
	uint64_t prev = p->next - 1, prev_term;

	if (progress_is_paused(p))
		return false;
	if (log_term(&r->log, prev, &prev_term) != STORAGE_OK)
		return maybe_send_snapshot(r, p);
	enum storage_error err = entries_for(r, p);
	size_t n = r->scratch.n;

	if (n == 0 && !send_if_empty)
		return false;
	if (err)
		return maybe_send_snapshot(r, p);
	struct message *m = raft_message(r, MSG_APP, p->id);

	m->index = prev;
	m->log_term = prev_term;
	m->commit = r->log.committed;
	m->entries = raft_heap_entries(r, r->scratch.v, n);
	m->nentries = n;
	progress_sent_entries(p, n, entries_payload(r->scratch.v, n));
	p->sent_commit = r->log.committed;
	return true;
}

static void send_heartbeat(struct raft *r, struct progress *p, bool has_context, uint64_t context)
{
	/* Never beyond what the peer is known to have. */
	uint64_t commit = p->match < r->log.committed ? p->match : r->log.committed;

	struct message *m = raft_message(r, MSG_HEARTBEAT, p->id);

	m->commit = commit;
	m->has_context = has_context;
	m->context = context;
	p->sent_commit = commit;
}

/* Sending to all */

void raft_bcast_append(struct raft *r)
{
	for (size_t i = 0; i < r->trk.nprogress; i++)
		if (r->trk.progress[i].id != r->cfg.id)
			raft_maybe_send_append(r, &r->trk.progress[i], true);
}

void raft_bcast_heartbeat(struct raft *r)
{
	uint64_t context;
	bool has_context = read_only_context(&r->read_only, &context);

	for (size_t i = 0; i < r->trk.nprogress; i++)
		if (r->trk.progress[i].id != r->cfg.id)
			send_heartbeat(r, &r->trk.progress[i], has_context, context);
}

/* Appending and committing */

/* Counts the bytes of data that are not applied yet.  A lone proposal may exceed the limit, and one
 * without data is never refused: a new leader's entry and the way out of a joint configuration must
 * get through. */
static bool increase_uncommitted_size(struct raft *r, uint64_t payload)
{
	uint64_t limit = r->cfg.max_uncommitted_size;

	if (limit && r->uncommitted_size && payload && r->uncommitted_size + payload > limit)
		return false;
	r->uncommitted_size += payload;
	return true;
}

bool raft_append_entries(struct raft *r, const struct entry *const *e, size_t n)
{
	if (!increase_uncommitted_size(r, entries_payload(e, n))) {
		LOG_LINE(&r->logger, LOG_WARN,
			 ID64 " appending new entries to log would exceed uncommitted entry size"
			      " limit; dropping proposal",
			 r->cfg.id);
		return false;
	}
	uint64_t last = log_last_index(&r->log);

	for (size_t i = 0; i < n; i++) {
		struct entry *placed = heap_alloc(r->heap, sizeof *placed);
		const struct entry *as_const = placed;

		*placed = *e[i];
		placed->term = r->term;
		placed->index = ++last;
		log_append(&r->log, &as_const, 1);
	}
	/* Counts only when it is written: the answer to oneself waits for that. */
	raft_message(r, MSG_APP_RESP, r->cfg.id)->index = last;
	return true;
}

/* The newest entry that half of the voters have, rounded down; or, with sent, that a majority has
 * been sent. */
static uint64_t miscounted(const struct raft *r, bool sent)
{
	uint64_t best = 0;

	for (size_t i = 0; i < r->trk.nprogress; i++) {
		size_t n = 0, voters = 0;
		const struct progress *p = &r->trk.progress[i];
		uint64_t index = sent ? p->next - 1 : p->match;
		for (size_t k = 0; k < r->trk.nprogress; k++) {
			const struct progress *other = &r->trk.progress[k];
			if (!conf_is_voter(&r->trk.conf, other->id))
				continue;
			voters++;
			n += (sent ? other->next - 1 : other->match) >= index;
		}
		if (index > best && (sent ? 2 * n > voters : 2 * n + 1 >= voters))
			best = index;
	}
	return best;
}

/* What is right in raft_maybe_commit, made wrong. */
static bool maybe_commit_wrongly(struct raft *r)
{
	uint64_t index = tracker_committed(&r->trk), term = r->term;

	if (bug_on(r->bugs, BUG_COMMIT_HALF) || bug_on(r->bugs, BUG_COMMIT_SENT))
		index = miscounted(r, bug_on(r->bugs, BUG_COMMIT_SENT));
	if (bug_on(r->bugs, BUG_COMMIT_OLDER_TERM))
		log_term(&r->log, index, &term);
	return log_maybe_commit(&r->log, index, term);
}

/* Entries of older terms are committed only together with one of ours (Raft paper, figure 8). */
bool raft_maybe_commit(struct raft *r)
{
	if (__builtin_expect(r->bugs != 0, 0))
		return maybe_commit_wrongly(r);
	return log_maybe_commit(&r->log, tracker_committed(&r->trk), r->term);
}

void raft_abort_leader_transfer(struct raft *r)
{
	r->lead_transferee = 0;
}
