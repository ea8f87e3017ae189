/* etcd's Raft: a message or a tick goes in, a Ready comes out (etcd-io/raft: raft.go, rawnode.go,
 * node.go).
 *
 * No I/O, no clock, no randomness but the generator inside.  The caller ticks, steps messages,
 * takes a Ready when there is one, does what it says in the order that its mode asks for, and says
 * so.  The rules are those of etcd-io/raft 3.6/3.7, message for message and log line for log line.
 */
#ifndef RAFT_RAFT_H
#define RAFT_RAFT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/entry.h"
#include "base/buf.h"
#include "base/heap.h"
#include "base/prng.h"
#include "base/pvec.h"
#include "base/vec.h"

enum raft_state { STATE_FOLLOWER, STATE_CANDIDATE, STATE_LEADER, STATE_PRE_CANDIDATE };

/* "StateFollower" and so on. */
const char *raft_state_name(enum raft_state s);

enum raft_error { RAFT_OK, RAFT_PROPOSAL_DROPPED, RAFT_PEER_NOT_FOUND, RAFT_LOCAL_MESSAGE };
const char *raft_error_text(enum raft_error e);

enum read_only_option { READ_ONLY_SAFE, READ_ONLY_LEASE_BASED };

enum { RAFT_NO_LIMIT = -1 };
#define RAFT_APPEND_THREAD UINT64_MAX
#define RAFT_APPLY_THREAD (UINT64_MAX - 1)

/* Where log lines go: raft's own words, which the trace and the suite show.  NULL: nobody looks,
 * and then nothing is formatted. */
enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_FATAL, LOG_NONE };
struct raft_logger {
	enum log_level level; /* lines below it are not made */
	void (*line)(void *arg, enum log_level level, const char *text);
	void *arg;
};

struct raft_config {
	uint64_t id;
	uint32_t election_tick, heartbeat_tick;
	/* Ticks at every reset; 0: election_tick + [0, election_tick), drawn from seed and id. */
	uint32_t fixed_election_timeout;
	uint64_t seed;
	uint64_t applied;	   /* last applied index of a restarted member; 0: unknown */
	uint64_t max_size_per_msg; /* bytes; UINT64_MAX: no limit */
	uint64_t max_committed_size_per_ready; /* bytes; 0: as max_size_per_msg */
	uint64_t max_uncommitted_size;	       /* bytes; 0: no limit */
	uint32_t max_inflight_msgs;
	uint64_t max_inflight_bytes; /* 0: no limit */
	bool check_quorum, pre_vote, async_storage_writes;
	bool disable_proposal_forwarding, disable_conf_change_validation, step_down_on_removal;
	enum read_only_option read_only;
	/* Configuration to start from; NULL: storage.snapshot.conf, also if its index is 0. */
	const struct conf_state *conf;
};

/* What is durable: raft.MemoryStorage of etcd.  The server writes it, raft reads it. */
struct hard_state {
	uint64_t term, vote, commit;
};

struct storage {
	struct hard_state hard_state;
	struct snapshot snapshot;	  /* index 0: none */
	uint64_t dummy_index, dummy_term; /* the position before the first entry */
	struct pvec entries;		  /* struct entry *; position = index */
	struct snapshot
	    to_send; /* what a leader hands out when it needs a snapshot; index 0: .snapshot */
};

enum storage_error { STORAGE_OK, STORAGE_COMPACTED, STORAGE_UNAVAILABLE, STORAGE_SNAP_OUT_OF_DATE };

void storage_init(struct storage *s);
static inline uint64_t storage_first_index(const struct storage *s)
{
	return s->dummy_index + 1;
}
static inline uint64_t storage_last_index(const struct storage *s)
{
	return s->dummy_index + pvec_len(&s->entries);
}
static inline const struct entry *storage_last_entry(const struct storage *s)
{
	return pvec_len(&s->entries) ? pvec_get(&s->entries, s->entries.end - 1) : NULL;
}
enum storage_error storage_term(const struct storage *s, uint64_t i, uint64_t *term);
/* Entries at or below the dummy are ignored, the rest replaces everything from its first index on.
 */
void storage_append(struct storage *s, struct heap *h, const struct entry *const *e, size_t n);
enum storage_error storage_apply_snapshot(struct storage *s, const struct snapshot *snap);
/* Drops entries up to and including i (raft log compaction). */
enum storage_error storage_compact(struct storage *s, uint64_t i);

struct soft_state {
	uint64_t lead;
	enum raft_state state;
};

struct read_state {
	uint64_t index;
	struct bytes context; /* the data of the request's entry */
};

/* What is to be done.  The lists stay valid until raft_advance (synchronous mode) or the next
 * raft_ready, also while messages and ticks are stepped in between; what they point to lives in the
 * heap. */
struct ready {
	bool has_soft_state, has_hard_state, must_sync;
	struct soft_state soft_state;
	struct hard_state hard_state;
	const struct read_state *read_states;
	size_t nread_states;
	const struct entry *const *entries; /* to write */
	size_t nentries;
	const struct snapshot *snapshot;      /* to write; NULL: none */
	const struct entry *const *committed; /* to apply */
	size_t ncommitted;
	const struct message *messages; /* to send, after what the mode says is durable */
	size_t nmessages;
};

enum progress_state { PROGRESS_PROBE, PROGRESS_REPLICATE, PROGRESS_SNAPSHOT };
const char *progress_state_name(enum progress_state s);

/* A peer as its leader sees it, for those who look (status, panes, checkers). */
struct progress_view {
	uint64_t id, match, next, pending_snapshot;
	enum progress_state state;
	bool recent_active, paused, is_learner;
	uint32_t inflight, inflight_limit;
};

struct raft;

/* Starts an instance on a storage, which must outlive it and not move; h is where entries and
 * messages live. Prints the lines of a start.  The caller frees with raft_free. */
struct raft *raft_new(const struct raft_config *cfg, struct storage *storage, struct heap *h,
		      struct raft_logger logger);
void raft_free(struct raft *r);
/* A copy that goes on independently, reading the given copy of the storage; what is in the heap is
 * shared (call heap_freeze once for the whole world). */
struct raft *raft_copy(const struct raft *r, struct storage *storage);
/* Other ears; a copy first has those of its original. */
void raft_set_logger(struct raft *r, struct raft_logger logger);
/* Mistakes that it makes from now on (api/bug.h); none at first. */
void raft_set_bugs(struct raft *r, uint32_t bugs);

/* The start state of a lesson (design.md 4): leader or follower of term 1, entry 1 (already in the
 * storage) committed and applied everywhere, all progress replicating and recently active, all
 * clocks 0. */
void raft_start_settled(struct raft *r, uint64_t leader);

void raft_tick(struct raft *r);
/* Steps a message that came from outside (a response from an unknown peer and a local message are
 * refused); the message and its entries may die after the call, the entries themselves live in the
 * heap. */
enum raft_error raft_step(struct raft *r, const struct message *m);

/* The local messages. */
enum raft_error raft_campaign(struct raft *r);
enum raft_error raft_propose(struct raft *r, const struct entry *e);
enum raft_error raft_propose_conf_change(struct raft *r, const struct entry *e);
/* Asks for a read index; context identifies the request in the read state. */
void raft_read_index(struct raft *r, struct bytes context);
void raft_transfer_leader(struct raft *r, uint64_t to);
void raft_forget_leader(struct raft *r);
void raft_report_unreachable(struct raft *r, uint64_t peer);
void raft_report_snapshot(struct raft *r, uint64_t peer, bool ok);

bool raft_has_ready(const struct raft *r);
/* Takes the Ready and accepts it.  Only one may be under way (synchronous mode) until raft_advance.
 */
void raft_ready(struct raft *r, struct ready *rd);
/* Synchronous mode: everything of the last Ready has been done.  Messages and ticks may have been
 * stepped since; what is acknowledged is what the Ready held. */
void raft_advance(struct raft *r);
/* Synchronous mode: is a Ready taken and not yet advanced?  Then it is given again (with the
 * pointers of this raft: after raft_copy those of the original's Ready are not the copy's). */
bool raft_ready_under_way(const struct raft *r, struct ready *rd);

/* A configuration change that is being applied; returns the new configuration.  See confchange.h
 * for the encoding of the entry's data. */
struct conf_change;
struct conf_state raft_apply_conf_change(struct raft *r, const struct conf_change *cc);

/* Looking. */
uint64_t raft_id(const struct raft *r);
/* What others compare before and after an event, in one call. */
struct raft_view {
	uint64_t term, lead, commit;
	enum raft_state role;
};
struct raft_view raft_view(const struct raft *r);
/* Would a view be the same still? */
bool raft_view_holds(const struct raft *r, const struct raft_view *v);
/* The newest entry; NULL: none is kept. */
const struct entry *raft_last_entry(const struct raft *r);
enum raft_state raft_role(const struct raft *r);
uint64_t raft_term(const struct raft *r);
uint64_t raft_vote(const struct raft *r);
uint64_t raft_lead(const struct raft *r);
uint64_t raft_commit(const struct raft *r);
uint64_t raft_applied(const struct raft *r);
uint64_t raft_first_index(const struct raft *r);
uint64_t raft_last_index(const struct raft *r);	  /* unstable entries included */
uint64_t raft_stable_index(const struct raft *r); /* last index that is acknowledged as written */
const struct entry *raft_entry(const struct raft *r,
			       uint64_t index);			/* NULL if compacted or beyond */
uint64_t raft_entry_term(const struct raft *r, uint64_t index); /* 0 if unknown */
uint32_t raft_election_elapsed(const struct raft *r);
uint32_t raft_randomized_timeout(const struct raft *r);
const struct conf_state *raft_conf(const struct raft *r);
size_t raft_nprogress(const struct raft *r);
struct progress_view raft_progress(const struct raft *r, size_t i);
/* Replaces the timeout drawn at the last reset; the next reset draws again.  With 1 the next tick
 * campaigns. */
void raft_set_randomized_timeout(struct raft *r, uint32_t ticks);

/* Printed forms of the suite (rafttest/README.md 5). */
void raft_print_message(struct buf *out, const struct message *m);
void raft_print_entry(struct buf *out, const struct entry *e);
/* "Voters:[1 2] VotersOutgoing:[] Learners:[] LearnersNext:[] AutoLeave:false" */
void raft_print_conf_state(struct buf *out, const struct conf_state *c);
/* "voters=(1 2)&&(1 2 3) learners=(4)", as in log lines */
void raft_print_conf(struct buf *out, const struct conf_state *c);
/* "transition:ConfChangeTransitionAuto changes:{type:ConfChangeAddNode node_id:3}", as in log lines
 */
void raft_print_conf_change(struct buf *out, const struct conf_change *cc);
void raft_print_snapshot(struct buf *out, const struct snapshot *s);
/* "StateReplicate match=5 next=6" */
void raft_print_progress(struct buf *out, const struct raft *r, size_t i);

#endif
