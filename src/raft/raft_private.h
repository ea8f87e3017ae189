/* The state of a member's Raft, and what its files know of each other (etcd-io/raft: raft.go,
 * rawnode.go).
 *
 *     raft.c          sending, roles, configuration, start, ticks
 *     step.c          the rules of the term, votes; then step_leader.c, step_candidate.c,
 * step_follower.c campaign.c      asking for votes replicate.c     a leader's appends, heartbeats,
 * snapshots; commit read_index.c    reads that are confirmed by a heartbeat round ready.c handing
 * out the work
 */
#ifndef RAFT_RAFT_PRIVATE_H
#define RAFT_RAFT_PRIVATE_H

#include "api/bug.h"
#include "raft/confchange.h"
#include "raft/log.h"
#include "raft/logger.h"
#include "raft/raft.h"
#include "raft/tracker.h"

struct message_list {
	struct message *v;
	size_t n, cap;
};

struct read_state_list {
	struct read_state *v;
	size_t n, cap;
};

/* A read that waits for its heartbeat round. */
struct read_request {
	uint64_t
	    index; /* commit index when it came in: the read may be answered once that is applied */
	struct message request;
};

struct read_ack {
	uint64_t id, count;
};

/* Reads in safe mode (etcd-io/raft 3.7: read_only.go).  A heartbeat carries how many reads there
 * have been; whoever answers it confirms that many. */
struct read_only {
	VEC(struct read_request) queue; /* unconfirmed */
	uint64_t confirmed;
	struct read_ack acks[TRACKER_MAX];
	size_t nacks;
};

/* What is acknowledged when a Ready is written. */
struct append_ack {
	uint64_t term;			 /* of the member when it handed out the Ready */
	uint64_t index, log_term;	 /* the last entry of the log; 0: nothing unstable */
	const struct snapshot *snapshot; /* NULL: none */
};

/* The Ready under way, and what is remembered between two of them. */
struct ready_state {
	struct soft_state prev_soft;
	struct hard_state prev_hard;
	bool under_way; /* handed out, Advance still to come (synchronous mode) */
	struct ready rd;
	struct message_list messages;
	struct entry_list entries, committed;
	struct read_state_list reads;
	/* To be stepped by Advance. */
	struct message_list own;
	bool has_append_ack;
	struct append_ack append_ack;
	uint64_t committed_size; /* of the entries to apply */
};

struct raft {
	struct raft_config cfg;
	struct heap *heap;
	struct raft_logger logger;
	uint32_t bugs;

	uint64_t term, vote, lead;
	enum raft_state state;
	bool is_learner;
	uint64_t lead_transferee;
	/* No change of the configuration may be proposed before this index is applied. */
	uint64_t pending_conf_index;
	uint64_t uncommitted_size;

	uint32_t election_elapsed, heartbeat_elapsed, randomized_election_timeout;
	uint64_t timeout_draws;

	struct raft_log log;
	struct tracker trk;
	struct read_only read_only;
	struct message_list pending_read_index; /* until something of the own term is committed */

	struct message_list msgs;	       /* may go out at once */
	struct message_list msgs_after_append; /* promise durability */
	struct read_state_list read_states;

	struct ready_state ready;
	struct entry_list scratch;
};

/* raft.c */
void raft_become_follower(struct raft *r, uint64_t term, uint64_t lead);
void raft_become_candidate(struct raft *r);
void raft_become_pre_candidate(struct raft *r);
void raft_become_leader(struct raft *r);
/* A new message among those to send, with from and term set (a vote's term is the caller's); the
 * caller fills in the rest at once. */
struct message *raft_message(struct raft *r, enum message_type type, uint64_t to);
/* A message that is passed on as it is: its entries may be on somebody's stack. */
void raft_forward(struct raft *r, const struct message *m, uint64_t to);
bool raft_promotable(const struct raft *r);
/* The storage has everything up to an entry, and a snapshot. */
void raft_storage_appended(struct raft *r, const struct append_ack *ack);
/* Entries whose encoded sizes sum up to size have been applied. */
void raft_storage_applied(struct raft *r, const struct entry *const *e, size_t n, uint64_t size);
/* Announces the tracker's configuration and does what it asks for. */
void raft_switch_to_config(struct raft *r);
const struct entry *const *raft_heap_entries(struct raft *r, const struct entry *const *e,
					     size_t n);
void raft_add_read_state(struct raft *r, uint64_t index, const struct message *request);

/* step.c */
/* Steps a message that may be a local one. */
enum raft_error raft_step_any(struct raft *r, const struct message *m);

/* campaign.c */
enum campaign_type { CAMPAIGN_PRE_ELECTION, CAMPAIGN_ELECTION, CAMPAIGN_TRANSFER };
void raft_hup(struct raft *r, enum campaign_type t);
void raft_campaign_as(struct raft *r, enum campaign_type t);

/* step_leader.c, step_candidate.c, step_follower.c */
enum raft_error raft_step_leader(struct raft *r, const struct message *m);
enum raft_error raft_step_candidate(struct raft *r, const struct message *m);
enum raft_error raft_step_follower(struct raft *r, const struct message *m);
void raft_handle_append_entries(struct raft *r, const struct message *m);
void raft_handle_heartbeat(struct raft *r, const struct message *m);
void raft_handle_snapshot(struct raft *r, const struct message *m);

/* replicate.c */
/* Sends what the peer lacks; false if there was nothing to send or it must wait. */
bool raft_maybe_send_append(struct raft *r, struct progress *p, bool send_if_empty);
void raft_bcast_append(struct raft *r);
void raft_bcast_heartbeat(struct raft *r);
bool raft_maybe_commit(struct raft *r);
/* Appends entries that have no place yet; false if they exceed the limit of uncommitted bytes. */
bool raft_append_entries(struct raft *r, const struct entry *const *e, size_t n);
void raft_abort_leader_transfer(struct raft *r);

/* read_index.c */
void read_only_reset(struct read_only *ro);
void read_only_free(struct read_only *ro);
void read_only_copy(struct read_only *dst, const struct read_only *src);
/* The context of a heartbeat; false: none, as no read waits. */
bool read_only_context(const struct read_only *ro, uint64_t *context);
void raft_step_read_index(struct raft *r, const struct message *m);
void raft_release_pending_reads(struct raft *r);
/* A heartbeat with this context was answered. */
void raft_ack_reads(struct raft *r, uint64_t from, uint64_t context);

/* ready.c */
void ready_init(struct raft *r);
void ready_free(struct ready_state *s);
void ready_copy(struct ready_state *dst, const struct ready_state *src);

/* "fmt [progress]" at level DEBUG. */
void raft_log_progress(const struct raft *r, const struct progress *p, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define LOG_PROGRESS(r, p, ...)                                                                    \
	do {                                                                                       \
		if (logger_wants(&(r)->logger, LOG_DEBUG))                                         \
			raft_log_progress(r, p, __VA_ARGS__);                                      \
	} while (0)

#endif
