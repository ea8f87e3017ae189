/* What a leader knows of one peer (etcd-io/raft: tracker/progress.go). */
#include "raft/progress.h"

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

const char *progress_state_name(enum progress_state s)
{
	static const char *const names[] = {
	    [PROGRESS_PROBE] = "StateProbe",
	    [PROGRESS_REPLICATE] = "StateReplicate",
	    [PROGRESS_SNAPSHOT] = "StateSnapshot",
	};

	return names[s];
}

static void reset_state(struct progress *p, enum progress_state state)
{
	p->msg_app_flow_paused = false;
	p->pending_snapshot = 0;
	p->state = state;
	inflights_reset(&p->inflights);
}

void progress_reset(struct progress *p, uint64_t match, uint64_t next)
{
	reset_state(p, PROGRESS_PROBE);
	p->match = match;
	p->next = next;
	p->sent_commit = 0;
	p->recent_active = false;
}

void progress_become_probe(struct progress *p)
{
	/* A snapshot that was sent need not be sent again: go on behind it (0 if it is known to
	 * have failed). */
	uint64_t sent = p->state == PROGRESS_SNAPSHOT ? p->pending_snapshot : 0;

	reset_state(p, PROGRESS_PROBE);
	p->next = max_u64(p->match, sent) + 1;
	p->sent_commit = min_u64(p->sent_commit, p->next - 1);
}

void progress_become_replicate(struct progress *p)
{
	reset_state(p, PROGRESS_REPLICATE);
	p->next = p->match + 1;
}

void progress_become_snapshot(struct progress *p, uint64_t index)
{
	reset_state(p, PROGRESS_SNAPSHOT);
	p->pending_snapshot = index;
	p->next = index + 1;
	p->sent_commit = index;
}

void progress_sent_entries(struct progress *p, size_t entries, uint64_t bytes)
{
	check_that(p->state != PROGRESS_SNAPSHOT);
	if (p->state == PROGRESS_PROBE) {
		if (entries)
			p->msg_app_flow_paused = true;
		return;
	}
	if (entries) {
		p->next += entries;
		inflights_add(&p->inflights, p->next - 1, bytes);
	}
	p->msg_app_flow_paused = inflights_full(&p->inflights);
}

bool progress_maybe_update(struct progress *p, uint64_t index)
{
	if (index <= p->match)
		return false;
	p->match = index;
	p->next = max_u64(p->next, index + 1);
	p->msg_app_flow_paused = false;
	return true;
}

bool progress_maybe_decr_to(struct progress *p, uint64_t rejected, uint64_t match_hint)
{
	if (p->state == PROGRESS_REPLICATE) {
		if (rejected <= p->match)
			return false;
		p->next = p->match + 1;
	} else {
		if (p->next - 1 != rejected)
			return false;
		p->next = max_u64(min_u64(rejected, match_hint + 1), p->match + 1);
		p->msg_app_flow_paused = false;
	}
	p->sent_commit = min_u64(p->sent_commit, p->next - 1);
	return true;
}

bool progress_can_bump_commit(const struct progress *p, uint64_t commit)
{
	return commit > p->sent_commit && p->sent_commit < p->next - 1;
}

void progress_print(struct buf *out, const struct progress *p)
{
	buf_puts(out, progress_state_name(p->state));
	buf_puts(out, " match=");
	buf_put_u64(out, p->match);
	buf_puts(out, " next=");
	buf_put_u64(out, p->next);
	if (p->is_learner)
		buf_puts(out, " learner");
	if (progress_is_paused(p))
		buf_puts(out, " paused");
	if (p->pending_snapshot) {
		buf_puts(out, " pendingSnap=");
		buf_put_u64(out, p->pending_snapshot);
	}
	if (!p->recent_active)
		buf_puts(out, " inactive");
	if (p->inflights.count) {
		buf_puts(out, " inflight=");
		buf_put_u64(out, p->inflights.count);
		buf_puts(out, inflights_full(&p->inflights) ? "[full]" : "");
	}
}
