/* etcd's lessor (etcd: server/lease/lessor.go): leases, the keys attached to them, and, at the
 * leader only, when they run out.
 *
 * Time is virtual milliseconds and always a parameter.  Only the primary (the leader's lessor) has
 * expiries; everywhere else they are "never".  Granting, revoking and attaching come through the
 * log; renewing does not.
 */
#ifndef LEASE_LESSOR_H
#define LEASE_LESSOR_H

#include "api/error.h"
#include "api/kv.h"
#include "base/heap.h"
#include "base/vec.h"
#include "lease/expiry.h"
#include "lease/items.h"

#define LEASE_NEVER INT64_MAX
#define LEASE_MAX_TTL 9000000000 /* seconds */

struct lease {
	int64_t id;
	int64_t ttl;		 /* seconds, granted */
	int64_t remaining_ttl;	 /* seconds from a checkpoint; 0: none */
	int64_t expiry_ms;	 /* LEASE_NEVER at a member that is not primary */
	int64_t revoke_retry_ms; /* an expired lease is offered again only after this */
	int64_t checkpoint_ms;	 /* when its time left is written down next; 0: never */
	uint64_t
	    renewed_seq; /* order of grant or last renewal: ties in expiry run out in this order */
	VEC(struct bytes) keys; /* in byte order; bytes live in the heap */
};

struct lessor {
	struct heap *heap;
	bool primary;
	int64_t min_ttl; /* seconds */
	uint64_t next_seq;
	VEC(struct lease *) leases;   /* by id; each owned */
	struct items items;	      /* key -> lease id */
	struct expiry_queue expiries; /* of the primary, by expiry */
	struct expiry_queue
	    retries; /* leases that were offered, by the moment when they are offered again */
	struct expiry_queue checkpoints; /* of the primary: when whose time left is written down */
};

void lessor_init(struct lessor *l, struct heap *h, int64_t min_ttl);
void lessor_free(struct lessor *l);
void lessor_copy(struct lessor *dst, const struct lessor *src);

/* TTL below the minimum is raised.  ERR_LEASE_NOT_FOUND for id 0 (the server chooses an id before),
 * ERR_LEASE_TTL_TOO_LARGE, ERR_LEASE_EXISTS, in this order.  *granted gets the TTL. */
enum error lessor_grant(struct lessor *l, int64_t id, int64_t ttl, int64_t now_ms,
			int64_t *granted);
/* Removes the lease; *keys (may be NULL) gets its keys in byte order, which the caller deletes from
 * the store and frees.  ERR_LEASE_NOT_FOUND. */
typedef VEC(struct bytes) key_list;
enum error lessor_revoke(struct lessor *l, int64_t id, key_list *keys);
/* Attaches a key, of which the heap gets a copy (detaching it from another lease), or detaches it
 * (lease 0).  ERR_LEASE_NOT_FOUND. */
enum error lessor_attach(struct lessor *l, int64_t id, struct bytes key);
void lessor_detach(struct lessor *l, struct bytes key);
int64_t lessor_of_key(const struct lessor *l, struct bytes key); /* 0: none */
const struct lease *lessor_find(const struct lessor *l, int64_t id);

/* Only at the primary: full TTL again.  ERR_LEASE_NOT_FOUND; *ttl gets the granted TTL. */
enum error lessor_renew(struct lessor *l, int64_t id, int64_t now_ms, int64_t *ttl);
/* Becoming leader: every expiry = now + remaining TTL (else TTL) + extend; 1000 leases or more are
 * spread so that about 750 run out in a second.  Losing it: all "never". */
void lessor_promote(struct lessor *l, int64_t now_ms, int64_t extend_ms);
void lessor_demote(struct lessor *l);
/* Leases whose time is up and whose retry time has come, in order of expiry, then of grant or
 * renewal; at most max.  Marks them as offered until now + retry_ms.  Returns how many ids were put
 * into ids. */
size_t lessor_take_expired(struct lessor *l, int64_t now_ms, int64_t retry_ms, int64_t *ids,
			   size_t max);
/* What a checkpoint says, through the log: a new primary will start from these seconds, 0: from all
 * of them.  It is forgotten with the process. */
void lessor_checkpoint(struct lessor *l, int64_t id, int64_t remaining_ttl, int64_t now_ms);
/* Whose time left is to be written down now, at most max; they must come back through
 * lessor_checkpoint before they are offered again. */
size_t lessor_take_checkpoints(struct lessor *l, int64_t now_ms, struct lease_checkpoint *v,
			       size_t max);
void lessor_forget_checkpoints(struct lessor *l);
/* Milliseconds left (never below 0); LEASE_NEVER if not primary. */
int64_t lease_left_ms(const struct lease *l, int64_t now_ms);
/* Ids in order of expiry (the order of `lease list` at the leader). */
void lessor_list(const struct lessor *l, int64_t *ids); /* ids has room for l->leases.n */

#endif
