/* What the files of this folder share. */
#ifndef SERVER_PRIVATE_H
#define SERVER_PRIVATE_H

#include "server/server.h"

/* Adds local work of this member, due now. */
void server_cause(const struct member *m, struct server_env *env, enum work_kind kind, uint64_t arg);

/* A WORK_EVENT for every watch response that has none yet. */
void server_cause_events(struct member *m, struct server_env *env);

struct waiting *server_waiting(struct member *m, uint64_t call);
/* The answer of a waiting call: queued as WORK_REPLY. */
void server_reply(struct member *m, struct server_env *env, struct waiting *w, const struct response *r);
void server_reply_error(struct member *m, struct server_env *env, struct waiting *w, enum error e);

/* A response of this member with its header filled in, in the heap. */
struct response *server_response(const struct member *m, enum request_kind kind);

/* What is wrong with a request before anything else looks at it (etcd: api/v3rpc/key.go). */
enum error server_check_request(const struct request *req, const struct server_env *env);

/* Carrying out requests (etcd: etcdserver/apply.go).  Ranges and read-only transactions change nothing. */
struct response *server_execute(struct member *m, struct server_env *env, const struct request *req,
				struct row_memo *memo);
struct response *server_apply_range(struct member *m, const struct range_request *r, int64_t header_rev);
struct response *server_apply_txn(struct member *m, struct server_env *env, const struct txn_request *t,
				  struct row_memo *memo);
/* One put or delete inside an open transaction. */
struct response *server_txn_put(struct member *m, struct mvcc_txn *t, const struct put_request *p);
struct response *server_txn_delete(struct member *m, struct mvcc_txn *t, const struct delete_request *d);
enum error server_check_put(const struct member *m, const struct put_request *p);
/* Ends a write transaction: watchers are told, the file grows. */
void server_end_write(struct member *m, struct server_env *env, struct mvcc_txn *t);

/* Reads. */
void server_read_states(struct member *m, struct server_env *env, const struct ready *rd);
void server_ask_read_index(struct member *m, struct server_env *env);
/* Applied has moved, or a read index has come: answers the reads that can be answered. */
void server_serve_reads(struct member *m, struct server_env *env);

/* The leader known to this member has changed. */
void server_leader_changed(struct member *m, struct server_env *env);

#endif
