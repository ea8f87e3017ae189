/* What a leader knows of one peer (etcd-io/raft: tracker/progress.go).
 *
 * Probing: one message with entries, then wait.  Replicating: send ahead, bounded by the window.
 * Snapshot: nothing but heartbeats until the peer has it.  Always match < next.
 */
#ifndef RAFT_PROGRESS_H
#define RAFT_PROGRESS_H

#include "base/buf.h"
#include "raft/inflights.h"
#include "raft/raft.h"

struct progress {
	uint64_t id;
	uint64_t match;		   /* the peer's log agrees with ours up to here */
	uint64_t next;		   /* the next entry to send */
	uint64_t sent_commit;	   /* the largest commit index that was sent, as far as we know */
	uint64_t pending_snapshot; /* index of the snapshot under way; 0: none */
	enum progress_state state;
	bool recent_active;	  /* heard of since the last look at the quorum */
	bool msg_app_flow_paused; /* no append until the next answer */
	bool is_learner;
	struct inflights inflights;
};

/* Match and next of a peer of whom nothing is known; the window is emptied, the learner flag stays.
 */
void progress_reset(struct progress *p, uint64_t match, uint64_t next);
void progress_become_probe(struct progress *p);
void progress_become_replicate(struct progress *p);
void progress_become_snapshot(struct progress *p, uint64_t index);
/* An append with that many entries and bytes of data, from next on, has been sent. */
void progress_sent_entries(struct progress *p, size_t entries, uint64_t bytes);
/* The peer acknowledged everything up to index; false if that is nothing new. */
bool progress_maybe_update(struct progress *p, uint64_t index);
/* The peer refused the append after index rejected, with a guess where the logs meet; false: stale.
 */
bool progress_maybe_decr_to(struct progress *p, uint64_t rejected, uint64_t match_hint);
/* Does an append that only carries the commit index tell the peer something new? */
bool progress_can_bump_commit(const struct progress *p, uint64_t commit);
/* "StateProbe match=0 next=1 paused" */
void progress_print(struct buf *out, const struct progress *p);

static inline bool progress_is_paused(const struct progress *p)
{
	return p->state == PROGRESS_SNAPSHOT || p->msg_app_flow_paused;
}

#endif
