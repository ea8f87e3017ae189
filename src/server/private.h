/* What the files of this folder share. */
#ifndef SERVER_PRIVATE_H
#define SERVER_PRIVATE_H

#include "server/server.h"

#define EPOCH_S 1767225600 /* 2026-01-01T00:00:00Z, when the clock of every world begins */

/* Adds local work of this member, due now. */
void server_cause(const struct member *m, struct server_env *env, enum work_kind kind,
		  uint64_t arg);

/* A WORK_EVENT for every watch response that has none yet. */
void server_cause_events(struct member *m, struct server_env *env);

/* fragment.c: is the response too large for one message?  Then *part, a copy of it, is cut to what
 * one holds, and *r is the rest. */
bool server_split(const struct member *m, const struct server_env *env, struct watch_response *r,
		  struct watch_response *part);

struct waiting *server_waiting(struct member *m, uint64_t call);
/* The answer of a waiting call: queued as WORK_REPLY. */
void server_reply(struct member *m, struct server_env *env, struct waiting *w,
		  const struct response *r);
void server_reply_error(struct member *m, struct server_env *env, struct waiting *w, enum error e);

/* A response of this member with its header filled in, in the heap. */
struct response *server_response(const struct member *m, enum request_kind kind);

/* What is wrong with a request before anything else looks at it (etcd: api/v3rpc/key.go). */
enum error server_check_request(const struct request *req, const struct server_env *env);

/* Carrying out requests (etcd: etcdserver/apply.go).  Ranges and read-only transactions change
 * nothing. */
struct response *server_execute(struct member *m, struct server_env *env, const struct request *req,
				struct row_memo *memo);
struct response *server_apply_range(struct member *m, const struct range_request *r,
				    int64_t header_rev);
struct response *server_apply_txn(struct member *m, struct server_env *env,
				  const struct txn_request *t, struct row_memo *memo);
/* One put or delete inside an open transaction. */
struct response *server_txn_put(struct member *m, struct mvcc_txn *t, const struct put_request *p);
struct response *server_txn_delete(struct member *m, struct mvcc_txn *t,
				   const struct delete_request *d);
enum error server_check_put(const struct member *m, const struct put_request *p);
/* Ends a write transaction: watchers are told, the file grows. */
void server_end_write(struct member *m, struct server_env *env, struct mvcc_txn *t);

/* Reads. */
void server_read_states(struct member *m, struct server_env *env, const struct ready *rd);
void server_ask_read_index(struct member *m, struct server_env *env);
/* Applied has moved, or a read index has come: answers the reads that can be answered. */
void server_serve_reads(struct member *m, struct server_env *env);

/* allowed.c: what a user may do (etcd: apply_auth.go, v3_server.go). */
/* Before raft: what only an administrator may, and what does not go through the log. */
enum error server_check_user(const struct member *m, const struct request *req);
/* When a read is answered. */
enum error server_check_read(const struct member *m, const struct request *req);
/* When an entry is applied. */
enum error server_check_entry(const struct member *m, const struct proposal *p);
struct response *server_apply_auth(struct member *m, const struct request *req);
/* A read that has what it needs is answered; a login goes on through the log. */
void server_answer_read(struct member *m, struct server_env *env, struct waiting *w);

/* quota.c */
/* Bytes that the request may add to the file, as etcd estimates them; 0: it writes nothing. */
int64_t server_cost(const struct request *req);
/* Are the pages of the file enough for what the request may write?  If the disk is full it gets no
 * more. */
bool server_fits_file(const struct member *m, const struct request *req);
bool server_has_room(const struct member *m, const struct server_env *env,
		     const struct request *req);
/* Is the NOSPACE alarm on, whoever raised it? */
bool server_is_capped(const struct member *m);
/* Raises the alarm; the call (NULL: none) is refused when it has been applied. */
void server_raise_no_space(struct member *m, struct server_env *env, struct waiting *w);
struct response *server_apply_alarm(struct member *m, const struct request *req);
/* What is wrong at this member, for its status. */
void server_errors(struct member *m, struct member_status *out);

/* member.c */
/* Committed entries of term 1 that are durable before the process first runs. */
void server_write_first(struct member *m, const struct entry *const *e, size_t n);

/* snapshot.c */
/* The store as it is now, frozen: who gets it goes on from the same trees. */
const struct store_image *server_image(struct member *m);
/* Takes a snapshot if enough has been applied since the last one, and compacts the log. */
void server_maybe_snapshot(struct member *m, struct server_env *env);
/* Puts a snapshot's store in place, without telling anybody. */
void server_load_image(struct member *m, const struct snapshot *s);
/* The part of it that is the store: keys, leases, alarms, users. */
void server_load_store(struct member *m, const struct store_image *image);
/* Snapshots that were sent and lost without a word. */
void server_check_reports(struct member *m, struct server_env *env);
/* A MsgSnap of the Ready: it waits for the applier. */
void server_hold_snapshot(struct member *m, struct server_env *env, const struct message *msg);
/* All that is committed has been applied: what waited for it goes on. */
void server_applied_all(struct member *m, struct server_env *env);

/* ready.c */
/* The process cannot go on: whoever runs it ends it after this event. */
void server_fail(struct member *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An entry or a snapshot has been applied, for which sending may wait. */
void server_go_on(struct member *m, struct server_env *env);

/* reconfigure.c */
void server_change_members(struct member *m, struct server_env *env, struct waiting *w);
void server_move_leader(struct member *m, struct server_env *env, struct waiting *w);
void server_transferred(struct member *m, struct server_env *env);
const struct response *server_apply_conf_change(struct member *m, struct server_env *env,
						const struct entry *e);
/* The members, as `member list` tells them. */
struct response *server_member_list(struct member *m, const struct server_env *env,
				    enum request_kind kind);
/* Its name and client URL, if it is one that publishes them, and the cluster's version, through
 * the log. */
void server_publish(struct member *m, struct server_env *env);
void server_propose_version(struct member *m, struct server_env *env);
/* Is the connection to a member older than that? */
bool server_connected_since(const struct member *m, const struct server_env *env, uint64_t id,
			    int64_t ms);
bool server_connected_to_quorum_since(const struct member *m, const struct server_env *env,
				      int64_t ms);

/* member.c: storage and hard state are what the WAL holds. */
void server_read_wal(struct member *m);
/* disk.c: what a crash leaves of what was not synced. */
void server_lose_unsynced(struct member *m, struct prng *prng);

/* propose.c */
void server_begin_write(struct member *m, struct server_env *env, struct waiting *w);
struct proposal *server_proposal(struct member *m, uint64_t call, const struct request *req);
/* Something of the server's own: nobody waits for it. */
void server_propose_own(struct member *m, struct server_env *env, const struct request *req);

/* lease.c */
/* The mistake lease-by-follower: renews in its own lessor, whoever leads. */
void server_renew_alone(struct member *m, struct server_env *env, struct waiting *w);
void server_apply_checkpoint(struct member *m, const struct server_env *env,
			     const struct request *req);

/* The leader known to this member has changed. */
void server_leader_changed(struct member *m, struct server_env *env);

#endif
