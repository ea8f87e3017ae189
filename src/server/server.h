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
	WORK_PROPOSE,  /* hand a proposal to raft, and to the WAL if no other Ready is under way: arg is the proposal */
	WORK_APPEND,   /* hand the Ready's entries to the WAL */
	WORK_FSYNC,
	WORK_SEND,     /* send the messages of the Ready */
	WORK_APPLY,    /* apply the next committed entry */
	WORK_REPLY,    /* arg is the call */
	WORK_WATCH,    /* a watch request arrives: arg is the watcher's number */
	WORK_SYNC,     /* serve the unsynced watchers once */
	WORK_EVENT     /* the next watch response reaches its client */
};

struct work {
	enum work_kind kind;
	uint8_t member;    /* 1..9; 0: the client's side */
	uint32_t life;     /* of the member when it was caused: a restart makes older work void */
	uint64_t arg;
	int64_t due_ms;
};

/* Local work that was caused, oldest first. */
struct work_list {
	struct work *v;
	size_t n, cap;
};

/* What a member needs to know of the world around it; filled in anew for every event. */
struct server_env {
	int64_t now_ms;
	int64_t *next_lease;        /* id for the next lease granted without one */
	int64_t election_ms;
	int64_t max_request_bytes, quota_bytes;
	uint32_t max_txn_ops;
	uint32_t etcd_version;      /* 34 or 35 */
	bool send_parallel;         /* the leader sends before its own write is synced */
	struct work_list *work;     /* what is caused is added here */
};

enum member_condition { MEMBER_UP, MEMBER_DOWN, MEMBER_PAUSED, MEMBER_REMOVED };

/* What a call waits for at its member. */
enum waiting_phase {
	WAIT_READY,      /* the member has not seen a leader since its start: it serves nobody yet */
	WAIT_PROPOSE,    /* a write: in the queue of proposals, or held until there is a leader */
	WAIT_APPLY,      /* a write: handed to raft; the reply is made when this member applies it */
	WAIT_READ,       /* a linearizable read: has no read index yet */
	WAIT_APPLIED,    /* a read: applied must reach read_index */
	WAIT_LEASE,      /* keep-alive or time-to-live: the leader is to answer */
	WAIT_REPLY       /* the response is made and on its way */
};

/* A call that waits at this member. */
struct waiting {
	uint64_t call;
	const struct request *req;
	int64_t start_ms;
	int64_t limit_ms;           /* the server's own limit */
	uint64_t read_index;
	enum waiting_phase phase;
	const struct response *response; /* WAIT_REPLY */
};

/* One Ready under way: what is still to be done of it. */
struct ready_cycle {
	bool busy;
	bool must_sync, has_hard_state, sent, synced;
	size_t apply_after;         /* entries of the Ready that are applied only once it is written */
	struct hard_state hard_state;
	VEC(const struct entry *) entries;
	VEC(struct message) messages;
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
	struct lessor lessor;       /* leases are durable, their expiries are not */
	uint64_t applied, applied_term; /* last entry applied to the store */
	int64_t file_size;          /* of the database file: only defrag shrinks it */

	/* in memory */
	struct storage storage;     /* what the WAL holds, as raft reads it */
	struct raft *raft;          /* NULL while down */
	struct watchable watchable;
	size_t events_caused;       /* of watchable.queue, those that have their WORK_EVENT */
	uint64_t lead_seen;         /* as the last Ready told it */
	enum raft_state role_seen;
	struct ready_cycle cycle;
	VEC(const struct entry *) to_apply; /* from apply_head on */
	size_t apply_head;
	VEC(struct waiting) waiting;
	VEC(const struct proposal *) held;  /* proposals that wait for a leader */
	uint64_t read_context;      /* of the ReadIndex under way; 0: none */
	uint64_t next_context;
	int64_t read_asked_ms;
	int64_t leaderless_since_ms; /* INT64_MAX: it knows a leader */
	bool was_ready;             /* has seen a leader since its start: serves local requests */
	uint8_t kill_at, kill_how;  /* enum kill_point, kill_how of sim.h: it dies just before it would next do that */
};

/* A new member with the start state's entry 1 of term 1 in WAL and storage, applied (design.md 4). */
struct member *server_new(unsigned number, uint64_t id, struct heap *h, const struct conf_state *conf);
struct member *server_copy(const struct member *m);
void server_free(struct member *m);
/* Starts raft; leader: of the settled start state; 0: from what is durable (restart). */
void server_start(struct member *m, const struct raft_config *cfg, struct raft_logger logger,
		  uint64_t leader, int64_t now_ms, int64_t extend_ms);
/* What a dying process loses: all but the durable part; the WAL's unsynced tail too. */
void server_crash(struct member *m);

/* Events.  Each ends by taking the next Ready if there is one and none is under way. */
void server_tick(struct member *m, struct server_env *env);
enum raft_error server_step(struct member *m, struct server_env *env, const struct message *msg);
void server_campaign(struct member *m, struct server_env *env);
/* Takes the next Ready, if there is one and none is under way, and queues what is to be done of it; called after
 * raft was told something directly (an unreachable peer, a transfer). */
void server_poll(struct member *m, struct server_env *env);
/* A call arrives.  A refusal or a local answer is queued as WORK_REPLY at once. */
void server_request(struct member *m, struct server_env *env, uint64_t call, const struct request *req);
/* Hands a proposal to raft; held while there is no leader.  False: it was held or dropped.  If no other Ready is
 * under way its entries are written to the WAL in the same event. */
bool server_propose(struct member *m, struct server_env *env, const struct proposal *p);
void server_append(struct member *m, struct server_env *env);
void server_fsync(struct member *m, struct server_env *env);
/* Takes the messages to be sent, filtered as etcd does; the caller sends them before the next call. */
size_t server_send(struct member *m, struct server_env *env);
/* After the messages were taken: goes on with the cycle. */
void server_sent(struct member *m, struct server_env *env);
/* Applies the next committed entry; returns it. */
const struct entry *server_apply(struct member *m, struct server_env *env);
/* A watch request arrives (its checks are done). */
void server_watch(struct member *m, struct server_env *env, const struct watcher *spec);
/* Serves the unsynced watchers once. */
void server_sync_watchers(struct member *m, struct server_env *env);
/* Takes the oldest watch response; false if there is none. */
bool server_take_event(struct member *m, struct watch_response *out);
/* The response to a call, ready to be delivered; forgets the call. */
const struct response *server_take_reply(struct member *m, uint64_t call);
void server_forget(struct member *m, uint64_t call);
/* The server's own time limits: replies with a timeout to those whose limit has passed. */
void server_check_limits(struct member *m, struct server_env *env);
int64_t server_next_limit(const struct member *m);
/* The lessor's look, twice a second, at the primary: proposes to revoke what has run out.  Returns how many. */
size_t server_lease_look(struct member *m, struct server_env *env);
/* The leader answers a keep-alive or time-to-live that `from` forwards (over HTTP in etcd); NULL: not now. */
const struct response *server_lease_answer(struct member *m, struct server_env *env, const struct request *req,
					   uint64_t for_member);
/* Is something to be answered by the leader's lessor? Then the simulation forwards it. */
bool server_wants_lease_answer(const struct member *m);
void server_answer(struct member *m, struct server_env *env, uint64_t call, const struct response *r);

/* Bytes of a database file that holds rows of this many bytes (design.md 3, a simplification). */
int64_t server_file_size(int64_t row_bytes);
struct response_header server_header(const struct member *m);

#endif
