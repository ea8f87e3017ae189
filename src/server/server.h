/* One member: raft, WAL, store, lessor and watchable store put together in etcd's order of work
 * (etcd: server/etcdserver/raft.go, server.go, v3_server.go, apply.go).
 *
 * A member does nothing by itself.  It is handed requests, messages and ticks, and leaves work to
 * be done in order; the simulation runs that work as events and carries what comes out.
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "api/bug.h"
#include "api/entry.h"
#include "api/request.h"
#include "base/heap.h"
#include "base/prng.h"
#include "base/vec.h"
#include "lease/lessor.h"
#include "mvcc/mvcc.h"
#include "raft/raft.h"
#include "server/alarm.h"
#include "server/auth.h"
#include "server/clock.h"
#include "server/compactor.h"
#include "server/disk.h"
#include "server/identity.h"
#include "server/membership.h"
#include "wal/wal.h"
#include "watch/watchable.h"

/* What an entry carries: a client's request, or one of the server's own. */
struct proposal {
	uint64_t call;	 /* the waiting call; 0: the server's own (an expired lease) */
	uint64_t member; /* id of the member at which it waits */
	const struct request *req;
	int64_t made_ms;	/* of the server's own */
	uint64_t auth_revision; /* of the member that took it, when it did */
	uint64_t
	    refused; /* an alarm's: the call that is refused as soon as it is applied; 0: none */
	struct row_memo *memo; /* rows that members share; a cache, compared byte for byte */
};

/* Local work, in the order in which it was caused (design.md 3). */
enum work_kind {
	WORK_REQUEST, /* a client's call arrives: arg is the call */
	WORK_PROPOSE, /* hand a proposal to raft, and to the WAL if no other Ready is under way: arg
			 is the proposal */
	WORK_APPEND,  /* hand the Ready's entries to the WAL */
	WORK_FSYNC,
	WORK_SEND,	      /* send the messages of the Ready */
	WORK_APPLY,	      /* apply the next committed entry */
	WORK_INSTALL,	      /* put the store of a received snapshot in place of the own one */
	WORK_SNAPSHOT,	      /* send the store as a snapshot */
	WORK_REPLY,	      /* arg is the call */
	WORK_WATCH,	      /* a watch request arrives: arg is the watcher's stream */
	WORK_SYNC,	      /* serve the unsynced watchers once */
	WORK_EVENT,	      /* the next watch response leaves for its client; where it takes time,
				 it arrives later: arg is what arrives */
	WORK_VICTIMS,	      /* look after those whose channel was full */
	WORK_ASK_PROGRESS,    /* a client asks how far its watchers are: arg is the stream of one */
	WORK_PROGRESS,	      /* a watcher's report is due: arg is the watcher */
	WORK_SNAPSHOT_REPORT, /* that a snapshot has arrived comes back to its sender: arg is to
				 whom it was sent */
	WORK_FORWARD /* what a member has forwarded to the leader, or the answer, arrives */
};

struct work {
	enum work_kind kind;
	uint8_t member; /* 1..9; 0: the client's side */
	uint32_t life;	/* of the member when it was caused: a restart makes older work void */
	uint64_t arg;
	int64_t due_ms;
};

/* Local work that was caused, oldest first. */
struct work_list {
	struct work *v;
	size_t n, cap;
};

/* A process of the world, whether it belongs to the cluster or not. */
struct peer {
	uint64_t id;				  /* 0: there is none */
	const char *name, *peer_url, *client_url; /* constant or in the heap */
	bool started;				  /* it has run at least once */
	bool publishes; /* its name goes through the log; else it is known once it has started */
};

/* How long a member tries to answer a request (etcd: ServerConfig.ReqTimeout). */
static inline int64_t server_request_timeout_ms(int64_t election_ms)
{
	return 5000 + 2 * election_ms;
}

enum { PEERS_MAX = 9 };
#define NOT_CONNECTED INT64_MAX

/* The settings that members read. */
struct server_settings {
	int64_t election_ms;
	int64_t max_request_bytes, quota_bytes;
	uint64_t snapshot_count, snapshot_catchup;
	uint32_t max_txn_ops;
	uint32_t watch_channel; /* responses that the channel of a watcher holds */
	uint32_t etcd_version;	/* 34 or 35 */
	bool member_lease_ids;	/* the member makes the id of a lease granted without one */
	bool send_parallel;	/* the leader sends before its own write is synced */
	bool lease_checkpoint;	/* the leader writes down how much time leases have left */
};

/* What a member needs to know of the world around it; filled in anew for every event. */
struct server_env {
	int64_t now_ms;
	const struct server_settings *set;
	int64_t *next_lease; /* id for the next lease granted without one */
	struct prng *prng;
	unsigned npeers;
	const struct peer *peers; /* S1 is peers[0] */
	/* Since when this member's connection to each of them is up, or NOT_CONNECTED; NULL where
	 * nobody asks. */
	const int64_t *active_since;
	struct work_list *work; /* what is caused is added here */
};

enum member_condition {
	MEMBER_UP,
	MEMBER_DOWN,
	MEMBER_PAUSED,	  /* its process stands still (SIGSTOP) */
	MEMBER_REMOVED,	  /* its process has stopped for good */
	MEMBER_UNSTARTED, /* it belongs to the cluster, but has not been started yet */
	MEMBER_ABSENT	  /* no such member; the place of a number that is not used */
};

/* What a cluster begins with: a start state, or nothing (new --boot=etcd). */
struct origin {
	uint64_t cluster_id; /* 0: that of the start state */
	struct conf_state conf;
	struct membership membership;
};

/* The store as one snapshot carries it; immutable.  A key's lease is in its rows. */
struct store_image {
	struct mvcc store;
	struct membership membership;
	struct alarm_list alarms;
	struct auth auth;
	const struct lease_image {
		int64_t id, ttl;
	} * leases;
	size_t nleases;
	int64_t file_size;
	bool damaged; /* a value was changed on the disk that it comes from */
	/* What the file says of the log. */
	uint64_t consistent_index, term;
	struct conf_state conf;
};

/* What a call waits for at its member. */
enum waiting_phase {
	WAIT_READY,	/* the member has not seen a leader since its start: it serves nobody yet */
	WAIT_PROPOSE,	/* a write: in the queue of proposals, or held until there is a leader */
	WAIT_APPLY,	/* a write: handed to raft; the reply is made when this member applies it */
	WAIT_READ_NEXT, /* a linearizable read that came while a ReadIndex was under way: the next
			   one is its */
	WAIT_READ,	/* a linearizable read: its ReadIndex is under way */
	WAIT_APPLIED,	/* a read: applied must reach read_index */
	WAIT_LEASE,	/* keep-alive or time-to-live: the leader is to answer */
	WAIT_PROMOTE,	/* member promote: the leader is to look how far the learner is */
	WAIT_TRANSFER,	/* move-leader: until the target leads */
	WAIT_REPLY	/* the response is made and on its way */
};

/* A call that waits at this member. */
struct waiting {
	uint64_t call;
	const struct request *req;
	int64_t start_ms;
	int64_t limit_ms; /* the server's own limit */
	uint64_t read_index;
	bool no_space;	/* refused: it waits for the alarm that it has raised */
	bool forwarded; /* it is on its way to the leader, or the answer back */
	enum waiting_phase phase;
	const struct response *response; /* WAIT_REPLY */
};

/* One Ready under way: what is still to be done of it. */
struct ready_cycle {
	bool busy;
	bool must_sync, has_hard_state, sent, synced;
	uint32_t fsync_ms;   /* that its write takes */
	size_t apply_after;  /* entries of the Ready that are applied only once it is written */
	uint64_t wait_apply; /* nothing is sent before this index is applied; 0: no such thing */
	const struct snapshot *snapshot; /* to write; NULL: none */
	struct hard_state hard_state;
	VEC(const struct entry *) entries;
	VEC(struct message) messages;
};

/* A snapshot that was sent: raft wants to know what became of it. */
struct snapshot_report {
	uint64_t to;
	int64_t fail_ms; /* silence until then means that it was lost */
};

struct member {
	unsigned number; /* 1..9: S1.. */
	uint64_t id, cluster_id;
	/* Which of the world's clusters it belongs to, in the order of their beginnings: a restored
	 * snapshot and --force-new-cluster begin another one. */
	uint32_t cluster;
	enum member_condition condition;
	bool silent;	  /* down without its connections closing (lost power) */
	uint64_t touched; /* grows with whatever is done to it: who looks after every event passes
			     over the others */
	uint32_t life;	  /* grows with every restart */
	int64_t since_ms; /* when the condition last changed */
	int64_t still_ms; /* since when nobody has heard of it: it is paused, or without power */
	bool given_up;	  /* paused for so long that clients have closed their connections */
	struct clock clock;
	struct heap *heap;
	struct heap *answers; /* where responses are made: in the heap; while an entry is applied
				 whose answer nobody here waits for, in unheard */
	struct heap *unheard; /* this member's alone, emptied again and again; NULL: not yet made */
	uint32_t bugs;	      /* mistakes that it makes (api/bug.h) */

	/* durable */
	struct disk disk;
	struct wal wal;
	struct mvcc store;		/* rows applied count as durable */
	struct lessor lessor;		/* leases are durable, their expiries are not */
	uint64_t applied, applied_term; /* last entry applied to the store */
	uint64_t consistent_index;	/* the entry that last wrote to the file; 0: none did */
	int64_t file_size;		/* of the database file: only defrag shrinks it */
	struct membership membership;
	struct alarm_list alarms;
	struct auth auth;
	uint64_t snap_index; /* of the newest snapshot, taken or received; 0: none */

	/* in memory */
	/* --force-new-cluster: what its log has lost is in its store all the same; who joins gets
	 * the log, and has another store. */
	bool store_ahead, store_behind;
	bool unguarded; /* the NOSPACE alarm went on while it ran: it asks no user (apply.c) */
	struct storage storage; /* what the WAL holds, as raft reads it; snapshot.conf: the
				   configuration as applied */
	struct raft *raft;	/* NULL while down */
	struct watchable watchable;
	size_t events_caused; /* of watchable.queue, those that have their WORK_EVENT */
	bool victims_due;     /* there is a WORK_VICTIMS */
	uint64_t lead_seen;   /* as the last Ready told it */
	enum raft_state role_seen;
	struct ready_cycle cycle;
	VEC(const struct entry *) to_apply; /* from apply_head on */
	size_t apply_head;
	const struct snapshot *install; /* written, its store not yet in place; NULL: none */
	VEC(struct message)
	snapshots; /* MsgSnap that wait until all that is committed has been applied */
	VEC(struct snapshot_report) reports; /* snapshots under way to others */
	int64_t compact_pause_ms;	     /* the log is not compacted before */
	int64_t elected_ms; /* when it last learnt of a leader; INT64_MIN: of the start state's */
	int64_t publish_ms; /* when it asked for its name to be published; INT64_MIN: not yet */
	bool published;
	int64_t started_ms; /* when the process began: its ids count from there */
	uint64_t ids;	    /* how many requests it has given one */
	int64_t stop_ms;    /* when the process stops by itself; INT64_MAX: not */
	VEC(struct waiting) waiting;
	VEC(const struct proposal *) held; /* proposals that wait for a leader */
	uint64_t read_context;		   /* of the ReadIndex under way; 0: none */
	uint64_t next_context;
	int64_t read_asked_ms;
	int64_t leaderless_since_ms; /* INT64_MAX: it knows a leader */
	bool was_ready;		     /* has seen a leader since its start: serves local requests */
	struct compactor compactor;
	const char *failure; /* why the process ends or ended by itself, or refuses to start, in
				etcd's words; in the heap; NULL: it does not */
	uint8_t kill_at, kill_how; /* enum kill_point, kill_how of sim.h: it dies just before it
				      would next do that */
};

/* A new member with the start state's entry 1 of term 1 in WAL and storage, applied (design.md 4).
 */
struct member *server_new(unsigned number, uint64_t id, struct heap *h,
			  const struct origin *origin);
/* One that was added to a cluster and has not been started: nothing in its log. */
struct member *server_new_added(unsigned number, uint64_t id, struct heap *h,
				const struct origin *origin);
/* An entry of term 1 that adds a member, as etcd's bootstrap makes them; in the heap of m. */
const struct entry *server_first_entry(struct member *m, const struct request *add, uint64_t index);
/* One of a fresh cluster as etcd boots it: the first entries, of term 1, add its members and are
 * committed. */
struct member *server_new_booted(unsigned number, uint64_t id, struct heap *h,
				 const struct entry *const *first, size_t n);
/* One whose data directory was made from a snapshot, as a member of the cluster that origin tells:
 * its log begins anew behind the entries that add the members. */
struct member *server_new_restored(unsigned number, uint64_t id, struct heap *h,
				   const struct origin *origin, const struct store_image *image);
/* --force-new-cluster, of a member that is down: what its log does not know to be committed is
 * thrown away, and everybody else is removed.  Returns how many entries were thrown away. */
uint64_t server_force_new_cluster(struct member *m);
struct member *server_copy(const struct member *m);
void server_free(struct member *m);
/* Starts raft; leader: of the settled start state; 0: from what is durable (restart). */
void server_start(struct member *m, const struct raft_config *cfg, struct raft_logger logger,
		  uint64_t leader, int64_t now_ms, int64_t extend_ms);
/* The mistakes that it makes from now on, and its parts. */
void server_set_bugs(struct member *m, uint32_t bugs);
/* What a dying process loses: all but the durable part; of the WAL's unsynced tail what the disk
 * says. */
void server_crash(struct member *m, struct prng *prng);
/* Reads the WAL as a starting process does.  What is torn at its end is repaired; refused: *why is
 * etcd's word for what was found. */
enum wal_verdict { WAL_READ, WAL_REPAIRED, WAL_REFUSED };
enum wal_verdict server_open_wal(struct member *m, const char **why);
/* Damage from outside: of the newest record, or entry if a bit is flipped; false: there is none.  n
 * is as in struct wal_damage. */
bool server_damage_wal(struct member *m, enum wal_damage_kind kind, uint32_t n);
/* The newest row with a value gets another last byte; false: there is none. */
bool server_damage_store(struct member *m);
/* A copy with such damage; NULL: there is no value in it. */
const struct store_image *server_damage_image(const struct store_image *image, struct heap *heap);
/* Bytes of the WAL that have been written; costs as much as there is. */
int64_t server_wal_size(const struct member *m);

/* Events.  Each ends by taking the next Ready if there is one and none is under way. */
void server_tick(struct member *m, struct server_env *env);
/* A message arrives; it may be the end of the process: then the member has a failure. */
enum raft_error server_step(struct member *m, struct server_env *env, const struct message *msg);
void server_campaign(struct member *m, struct server_env *env);
/* Takes the next Ready, if there is one and none is under way, and queues what is to be done of it;
 * called after raft was told something directly (an unreachable peer, a transfer). */
void server_poll(struct member *m, struct server_env *env);
/* A call arrives.  A refusal or a local answer is queued as WORK_REPLY at once. */
void server_request(struct member *m, struct server_env *env, uint64_t call,
		    const struct request *req);
/* Hands a proposal to raft; held while there is no leader.  False: it was held or dropped.  If no
 * other Ready is under way its entries are written to the WAL in the same event. */
bool server_propose(struct member *m, struct server_env *env, const struct proposal *p);
void server_append(struct member *m, struct server_env *env);
void server_fsync(struct member *m, struct server_env *env);
/* Takes the messages to be sent, filtered as etcd does; the caller sends them before the next call.
 */
size_t server_send(struct member *m, struct server_env *env);
/* After the messages were taken: goes on with the cycle. */
void server_sent(struct member *m, struct server_env *env);
/* Applies the next committed entry; returns it.  NULL: the process has failed (failure of the
 * member says why) and has not applied it. */
const struct entry *server_apply(struct member *m, struct server_env *env);
/* Puts the store of the snapshot that was received and written in place; returns the snapshot,
 * NULL: there is none. */
const struct snapshot *server_install(struct member *m, struct server_env *env);
/* Takes the oldest MsgSnap that waits, with the store as applied now; false: there is none.  What
 * becomes of it must be reported. */
bool server_take_snapshot(struct member *m, struct server_env *env, struct message *out);
void server_report_snapshot(struct member *m, struct server_env *env, uint64_t to, bool ok);
/* May this user (n == 0: nobody has logged in) watch the range? */
enum error server_check_watch(const struct member *m, struct bytes user, struct key_range range);
/* A watch request arrives (its checks are done). */
void server_watch(struct member *m, struct server_env *env, const struct watcher *spec);
/* Serves the unsynced watchers once. */
void server_sync_watchers(struct member *m, struct server_env *env);
/* Takes the oldest watch response, or a fragment of it; false if there is none. */
bool server_take_event(struct member *m, struct server_env *env, struct watch_response *out);
/* A client that did not read its responses reads on. */
void server_read_on(struct member *m, struct server_env *env, uint64_t watcher);
void server_retry_victims(struct member *m, struct server_env *env);
/* Progress is asked for: told to all watchers of a stream, and only if all of them are synced. */
void server_progress(struct member *m, struct server_env *env, const uint64_t *watchers, size_t n);
/* A watcher's report is due; so will be the next one. */
void server_report_progress(struct member *m, struct server_env *env, uint64_t watcher);
/* The response to a call, ready to be delivered; forgets the call. */
const struct response *server_take_reply(struct member *m, uint64_t call);
void server_forget(struct member *m, uint64_t call);
/* The server's own time limits: replies with a timeout to those whose limit has passed. */
void server_check_limits(struct member *m, struct server_env *env);
int64_t server_next_limit(const struct member *m);
/* The lessor's look, twice a second, at the primary: proposes to revoke what has run out, and to
 * write down the time left of what has long to go.  Returns how many run out. */
size_t server_lease_look(struct member *m, struct server_env *env);
/* The compactor begins anew with these settings, if they are others than before
 * (server/compactor.h). */
void server_configure_compactor(struct member *m, const struct compactor_settings *s,
				int64_t now_ms);
/* It is due: it remembers the revision and, at the leader, may propose to compact. */
void server_run_compactor(struct member *m, struct server_env *env);
/* The leader answers a keep-alive or time-to-live that `from` forwards (over HTTP in etcd); NULL:
 * not now. */
const struct response *server_lease_answer(struct member *m, struct server_env *env,
					   const struct request *req, uint64_t for_member);
/* Is something to be answered by the leader's lessor? Then the simulation forwards it. */
bool server_wants_lease_answer(const struct member *m);
/* member promote arrives at the leader, from this member or (over HTTP in etcd) another one:
 * proposes the change, or refuses it.  False: this member does not lead. */
bool server_promote(struct member *leader, struct server_env *env, struct member *from,
		    struct server_env *from_env, uint64_t call);
void server_answer(struct member *m, struct server_env *env, uint64_t call,
		   const struct response *r);

/* Looking. */
/* What its own clock says; by it leases run out. */
static inline int64_t server_clock_ms(const struct member *m, int64_t now_ms)
{
	return clock_own_ms(&m->clock, now_ms);
}
/* Has it been removed from the cluster, and knows it? */
bool server_is_removed(const struct member *m);
bool server_is_learner(const struct member *m);
/* The configuration as this member has applied it. */
const struct conf_state *server_conf(const struct member *m);
/* The index of the committed or appended change of the configuration that it has not applied yet;
 * 0: none. */
uint64_t server_pending_conf(const struct member *m);
/* First and last index in its log: first > last if it is empty.  The entry before the first was
 * compacted or is what a snapshot ended with (0: nothing was ever dropped). */
uint64_t server_first_index(const struct member *m);
uint64_t server_last_index(const struct member *m);

/* Bytes of a database file that holds rows of this many bytes (design.md 3, a simplification). */
int64_t server_file_size(int64_t row_bytes);
struct response_header server_header(const struct member *m);

#endif
