/* Requests and responses of a cluster, with the fields of etcd's own API (etcdserverpb/rpc.proto).
 *
 * Commands are only one of their sources (design.md 10).  A request is built once, in the world's
 * heap, and not changed afterwards: log entries, retries and the screen all point to it.  Responses
 * likewise.
 */
#ifndef API_REQUEST_H
#define API_REQUEST_H

#include "api/error.h"
#include "api/kv.h"

enum request_kind {
	REQ_RANGE,
	REQ_PUT,
	REQ_DELETE_RANGE,
	REQ_TXN,
	REQ_COMPACTION,
	REQ_LEASE_GRANT,
	REQ_LEASE_REVOKE,
	REQ_LEASE_KEEP_ALIVE,
	REQ_LEASE_TIME_TO_LIVE,
	REQ_LEASE_LEASES,
	REQ_STATUS,
	REQ_HASH_KV,
	REQ_DEFRAGMENT,
	REQ_SNAPSHOT,
	REQ_MEMBER_LIST,
	REQ_MEMBER_ADD,
	REQ_MEMBER_REMOVE,
	REQ_MEMBER_UPDATE,
	REQ_MEMBER_PROMOTE,
	REQ_MOVE_LEADER,
	REQ_ALARM_LIST,
	REQ_ALARM_ACTIVATE,
	REQ_ALARM_DEACTIVATE,
	REQ_AUTHENTICATE,
	REQ_AUTH_ENABLE,
	REQ_AUTH_DISABLE,
	REQ_USER_ADD,
	REQ_USER_DELETE,
	REQ_USER_GET,
	REQ_USER_LIST,
	REQ_USER_PASSWD,
	REQ_USER_GRANT_ROLE,
	REQ_USER_REVOKE_ROLE,
	REQ_ROLE_ADD,
	REQ_ROLE_DELETE,
	REQ_ROLE_GET,
	REQ_ROLE_LIST,
	REQ_ROLE_GRANT_PERMISSION,
	REQ_ROLE_REVOKE_PERMISSION,
	/* The servers' own entries: no client sends them. */
	REQ_PUBLISH,	      /* a member's name and client URL, when it has started */
	REQ_LEASE_CHECKPOINT, /* the leader's: how much time leases have left */
	REQ_CLUSTER_VERSION,  /* the first leader's: the version that all members have */
	REQ_KIND_COUNT
};

enum sort_order { SORT_NONE, SORT_ASCEND, SORT_DESCEND };
enum sort_target { SORT_KEY, SORT_VERSION, SORT_CREATE, SORT_MOD, SORT_VALUE };

struct range_request {
	struct key_range range;
	int64_t limit;	  /* 0: none */
	int64_t revision; /* 0 or less: now */
	enum sort_order sort_order;
	enum sort_target sort_target;
	bool serializable, keys_only, count_only;
	int64_t min_mod, max_mod, min_create, max_create; /* 0: no bound */
};

struct put_request {
	struct bytes key, value;
	int64_t lease;
	bool prev_kv, ignore_value, ignore_lease;
};

struct delete_request {
	struct key_range range;
	bool prev_kv;
};

enum compare_result { COMPARE_EQUAL, COMPARE_GREATER, COMPARE_LESS, COMPARE_NOT_EQUAL };
enum compare_target { COMPARE_VERSION, COMPARE_CREATE, COMPARE_MOD, COMPARE_VALUE, COMPARE_LEASE };

struct compare {
	enum compare_result result;
	enum compare_target target;
	struct key_range range;
	int64_t number;	    /* for every target but COMPARE_VALUE */
	struct bytes value; /* for COMPARE_VALUE */
};

struct txn_request {
	const struct compare *compares;
	size_t ncompares;
	const struct request *success, *failure; /* REQ_RANGE, REQ_PUT, REQ_DELETE_RANGE, REQ_TXN */
	size_t nsuccess, nfailure;
};

enum alarm_kind { ALARM_NONE, ALARM_NO_SPACE, ALARM_CORRUPT };

/* An alarm that a member has raised. */
struct alarm {
	uint64_t member_id;
	enum alarm_kind kind;
};

/* authpb.Permission.Type */
enum permission_kind { PERMISSION_READ, PERMISSION_WRITE, PERMISSION_READWRITE };

struct permission {
	enum permission_kind kind;
	struct key_range range;
};

struct request {
	enum request_kind kind;
	struct bytes user; /* who has logged in and sends it; n == 0: nobody */
	union {
		struct range_request range;
		struct put_request put;
		struct delete_request del;
		struct txn_request txn;
		struct {
			int64_t revision;
			bool physical;
		} compaction;
		struct {
			int64_t id, ttl; /* seconds; id 0: the cluster chooses */
		} grant;
		struct {
			int64_t id;
		} revoke, keep_alive;
		struct {
			int64_t id;
			bool keys;
		} time_to_live;
		struct {
			int64_t revision;
		} hash_kv;
		struct {
			uint64_t target;
		} move_leader;
		struct alarm alarm; /* activate, deactivate */
		struct {
			struct bytes user, role, password;
			bool no_password;
			struct permission permission;
		} auth; /* authenticate, auth, user and role */
		struct {
			const struct lease_checkpoint *v;
			size_t n;
		} checkpoint;
		struct {
			uint64_t id;	      /* add: 0, the member that receives it chooses */
			const char *peer_url; /* add, update */
			const char *name; /* add: of the process that will be started; etcd is told
					     only when it starts.  publish */
			const char *client_url; /* publish */
			bool is_learner;	/* add */
		} member;
	};
};

/* Does the request go through the log (a write, or a read that etcd treats as one)? */
bool request_is_write(const struct request *r);

/* Is it a change of the configuration (add, remove, update, promote)? */
bool request_is_conf_change(const struct request *r);

/* Does it belong to authentication: a user, a role, turning it on and off? */
bool request_is_auth(const struct request *r);

/* Length of the request as etcd encodes it (InternalRaftRequest), which limits are measured
 * against. */
size_t request_size(const struct request *r);

/* The request as etcd 3.4 writes it into an entry of its log.  id: of the request, unique in the
 * cluster; auth_revision counts only if somebody has logged in. */
struct buf;
void request_encode(struct buf *out, const struct request *r, uint64_t id, uint64_t auth_revision);

struct response_header {
	uint64_t cluster_id, member_id;
	int64_t revision;
	uint64_t raft_term; /* term of the last entry applied by the member that answered */
};

struct range_response {
	const struct row *const *kvs;
	size_t n;
	bool more;
	int64_t count; /* keys in the range, whatever the limit */
};

struct response;
struct store_image;

struct member_status {
	const char *version;
	int64_t db_size, db_size_in_use;
	uint64_t leader; /* member id; 0: none */
	uint64_t raft_index, raft_applied_index, raft_term;
	bool is_learner;
	const char *const *errors; /* what is wrong: no leader, each alarm */
	size_t nerrors;
};

struct member_info {
	uint64_t id;
	const char *name; /* "" while it has not started */
	const char *peer_url, *client_url;
	bool is_learner;
};

struct response {
	enum request_kind kind;
	enum error error; /* if not ERR_NONE, the header is all that is valid below */
	struct response_header header;
	union {
		struct range_response range;
		struct {
			const struct row *prev; /* NULL: none or not asked for */
		} put;
		struct {
			int64_t deleted;
			const struct row *const *prevs;
			size_t nprevs;
		} del;
		struct {
			bool succeeded;
			const struct response *responses;
			size_t n;
		} txn;
		struct {
			int64_t id, ttl;
		} grant, keep_alive; /* keep_alive.ttl 0: there is no such lease */
		struct {
			int64_t id;
			int64_t ttl; /* left, as etcdctl prints it: ceil(left) - 1; -1: gone */
			int64_t granted_ttl;	  /* 0: gone */
			const struct bytes *keys; /* in byte order */
			size_t nkeys;
		} time_to_live;
		struct {
			const int64_t *ids;
			size_t n;
		} leases;
		const struct member_status *status;
		struct {
			const struct bytes *names; /* of users, or of roles */
			size_t n;
			const struct permission *permissions; /* role get */
			size_t npermissions;
		} auth;
		struct {
			const struct alarm
			    *v; /* those that there are, were raised, or were cleared */
			size_t n;
		} alarms; /* of every REQ_ALARM_... */
		struct {
			uint32_t hash;
			int64_t compact_revision;
		} hash_kv;
		struct {
			const struct store_image *image; /* the whole database (server/server.h) */
		} snapshot;
		struct {
			const struct member_info *members; /* ascending by id */
			size_t n;
			const struct member_info *added; /* of REQ_MEMBER_ADD */
		} member_list;				 /* of every REQ_MEMBER_... */
	};
};

#endif
