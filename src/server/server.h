/* One member: raft, WAL, store, lessor and watchable store put together in etcd's order of work
 * (etcd: server/etcdserver/raft.go, server.go, v3_server.go, apply.go).
 *
 * A member does nothing by itself.  It is handed requests, messages and ticks, and leaves work to be done in
 * order; the simulation runs that work as events and carries what comes out.
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "api/entry.h"
#include "api/request.h"
#include "base/heap.h"
#include "base/vec.h"
#include "lease/lessor.h"
#include "mvcc/mvcc.h"
#include "raft/raft.h"
#include "wal/wal.h"
#include "watch/watchable.h"

/* What an entry carries: a client's request, or one of the server's own. */
struct proposal {
	uint64_t call;              /* the waiting call; 0: the server's own (an expired lease) */
	uint64_t member;            /* id of the member at which it waits */
	const struct request *req;
	struct row_memo *memo;      /* rows that members share; a cache, compared byte for byte */
};

/* Local work, in the order in which it was caused (design.md 3). */
enum work_kind {
	WORK_REQUEST,  /* a client's call arrives: arg is the call */
	WORK_APPEND,   /* hand the proposal, or the Ready's entries and hard state, to the WAL */
	WORK_FSYNC,
	WORK_SEND,     /* send the messages of the Ready */
	WORK_APPLY,    /* apply the next committed entry */
	WORK_REPLY,    /* arg is the call */
	WORK_EVENT,    /* the next watch response reaches its client */
	WORK_RETRY     /* a watcher without a server looks for one: arg is the watcher's number */
};

struct work {
	enum work_kind kind;
	uint8_t member;    /* 1..9; 0: the client's side */
	uint32_t life;     /* of the member when it was caused: a restart makes older work void */
	uint64_t arg;
	int64_t due_ms;
};

enum member_condition { MEMBER_UP, MEMBER_DOWN, MEMBER_PAUSED, MEMBER_REMOVED };

/* A call that waits at this member. */
struct waiting {
	uint64_t call;
	const struct request *req;
	int64_t limit_ms;           /* the server's own limit */
	int64_t start_ms;
	uint64_t read_index;        /* linearizable read: answer at applied >= this; 0: not known yet */
	uint8_t phase;              /* enum waiting_phase, server_private.h */
	const struct response *response; /* ready to be sent */
};

/* One Ready under way. */
struct ready_cycle {
	bool busy;
	bool must_sync, has_hard_state;
	struct hard_state hard_state;
	struct soft_state soft_state;
	VEC(const struct entry *) entries;
	VEC(struct message) messages;
	const struct snapshot *snapshot;
};

struct member {
	unsigned number;            /* 1..9: S1.. */
	uint64_t id;
	enum member_condition condition;
	bool silent;                /* down without its connections closing (lost power) */
	uint32_t life;              /* grows with every restart */
	int64_t since_ms;           /* when the condition last changed */
	struct heap *heap;

	/* durable */
	struct wal wal;
	struct mvcc store;          /* rows applied count as durable */
	uint64_t consistent_index, consistent_term; /* last entry applied to the store */
	int64_t file_size;          /* of the database file: only defrag shrinks it */

	/* in memory */
	struct storage storage;     /* what the WAL holds, as raft reads it */
	struct raft *raft;          /* NULL while down */
	struct raft_logger logger;
	struct lessor lessor;       /* leases are durable, expiries are not */
	struct watchable watchable;
	uint64_t applied, applied_term;
	uint64_t commit_seen;       /* for trace: last commit index told */
	enum raft_state role_seen;
	uint64_t lead_seen, term_seen;
	struct ready_cycle cycle;
	VEC(const struct entry *) to_apply;  /* from apply_head on */
	size_t apply_head;
	VEC(struct waiting) waiting;
	VEC(const struct proposal *) held;   /* proposals that wait for a leader */
	uint8_t kill_at, kill_how;           /* enum kill_point, kill_how of sim.h: dies just before it would next do that */
	int64_t leaderless_since_ms;         /* INT64_MAX: it knows a leader */
	bool was_ready;                      /* has seen a leader since its start: serves local requests */
};

#endif
