/* A small model of etcd's store, to which the committed entries are given in order.
 *
 * It is written for being obviously right: changes in one list, numbered from 0, each knowing the
 * change before of its key.  "What was there at that time" is then "the newest change of the key
 * below this number".  It shares nothing with mvcc/ and lease/, which it is compared with.
 */
#ifndef CHECK_MODEL_H
#define CHECK_MODEL_H

#include "api/entry.h"
#include "api/request.h"
#include "base/heap.h"
#include "base/pvec.h"
#include "base/vec.h"
#include "check/keys.h"
#include "server/auth.h"

/* One change of one key. */
struct version {
	struct bytes key, value;
	int64_t rev, create, lease;
	uint32_t sub, version;
	bool tombstone;
	uint64_t pos;		    /* how many changes came before it, of all keys */
	const struct version *prev; /* of the same key */
	const struct row
	    *row; /* a row that was found equal: the next comparison is one of pointers.  Both are
		   * immutable and live as long, so what one copy finds holds in all of them */
};

/* How much there was when a revision was complete. */
struct total {
	uint64_t rows;		       /* changes so far */
	int64_t bytes;		       /* of all of them: key + value + 64 */
	int64_t live_keys, live_bytes; /* of the keys that existed */
};

struct model_lease {
	int64_t id, ttl;
	int64_t promised_ms; /* its TTL was promised from here on: grant, or the latest keep-alive,
				counted from the moment at which the client asked */
	VEC(struct bytes) keys; /* attached at some time, perhaps detached since */
};

/* A lease that is no more. */
struct model_ended {
	int64_t id, ms;
	bool expired;
};

struct model {
	struct heap *heap;
	int64_t rev, compact_rev, min_ttl;
	bool keep_tombstone_at_compact;
	struct pvec changes; /* struct version *, by number */
	struct pvec totals;  /* struct total *, by revision */
	struct total now;
	struct key_list keys;		/* every key ever seen */
	VEC(struct model_lease) leases; /* by id */
	VEC(struct model_ended) ended;	/* the latest few */
	VEC(int64_t)
	lossy; /* revisions with tombstones that were compacted and their tombstones
		* dropped, ascending */
	struct auth
	    auth; /* users and roles: the server's own code, as they decide what is refused */
	VEC(uint64_t) full; /* ids of the members whose NOSPACE alarm is on */
	bool unguarded;	    /* since it went on nobody asks for users (server/quota.c) */
};

/* Beginning with what a store holds, in this order: its rows, oldest first, its leases, the rest.
 */
struct lease;
struct mvcc;
struct alarm_list;
void model_take_row(struct model *m, const struct row *r);
void model_take_lease(struct model *m, const struct lease *l);
void model_take_rest(struct model *m, const struct mvcc *s, const struct auth *a,
		     const struct alarm_list *alarms);

/* What an entry did. */
struct outcome {
	enum error error;
	uint64_t pos; /* number of changes before it */
	uint64_t nchanges;
	int64_t rev, compact_rev; /* afterwards */
	int64_t live_keys, bytes; /* afterwards: keys that exist, bytes of the rows that are left */
	uint64_t rows;		  /* afterwards: rows that are left */
	uint64_t nleases;
};

void model_init(struct model *m, struct heap *h, int64_t min_ttl);
/* A copy that goes on independently, once heap_freeze was called: what they share is copied when it
 * is changed. */
void model_copy(struct model *dst, const struct model *src);
void model_free(struct model *m);

/* Carries out a committed entry. */
struct outcome model_apply(struct model *m, const struct entry *e, const struct request *req,
			   int64_t now_ms, bool expired);

/* How it is now, as if an entry had changed nothing. */
struct outcome model_outcome(const struct model *m);

/* Of the model itself (model.c, model_from.c): a change is there; its revision is complete. */
void model_count(struct model *m, const struct version *v);
void model_end_revision(struct model *m);

/* Looking.  pos: only changes with a smaller number are seen. */
const struct version *model_get(const struct model *m, struct bytes key,
				uint64_t pos); /* NULL: not there */
/* The version at pos of the key whose newest change is v, if the key exists then. */
const struct version *model_at(const struct version *v, uint64_t pos);
bool model_range_ends(struct key_range r, struct bytes key);
/* Number of changes up to and including a revision. */
uint64_t model_pos_of_rev(const struct model *m, int64_t rev);
/* Which branch does a transaction take? */
bool model_txn_succeeds(const struct model *m, const struct txn_request *t, uint64_t pos);
struct model_lease *model_lease(const struct model *m, int64_t id);
static inline const struct version *model_change(const struct model *m, uint64_t pos)
{
	return pvec_get(&m->changes, pos);
}
/* A tombstone at a revision that was compacted: etcd before 3.4.34 and 3.5.16 drops it, and a
 * watcher that begins there never hears of it (etcd issue 18089). */
bool model_is_lost(const struct model *m, const struct version *v);
/* Is the row what the model says? */
bool model_row_is(const struct version *v, const struct row *r);

#endif
