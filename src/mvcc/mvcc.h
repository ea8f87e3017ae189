/* etcd's store of key versions (etcd: server/storage/mvcc: kvstore.go, kvstore_txn.go,
 * key_index.go, index.go).
 *
 * Every version of every key is a row under (main, sub); a key index in memory says, for each key,
 * which revisions it has, in generations.  A store is a value: copying the struct copies the store
 * once heap_freeze() was called, since its trees are persistent (base/heap.h).
 *
 * The index is a tree from key to newest row (mvcc/btree.h); from there a chain leads through the
 * key's older rows (mvcc/row.h).  Rows are made here only: a row of this store always has its
 * links.
 */
#ifndef MVCC_MVCC_H
#define MVCC_MVCC_H

#include "api/kv.h"
#include "api/request.h"
#include "base/heap.h"
#include "base/pvec.h"
#include "base/vec.h"
#include "mvcc/btree.h"

/* One life of a key: from the put that created it to the tombstone that ends it. */
struct generation {
	struct revision created;     /* sub: 0 if a compaction took the row that created it */
	uint32_t nrevs;		     /* 0: the empty generation after a tombstone */
	uint64_t version;	     /* writes since its creation, also those compacted away */
	const struct revision *revs; /* ascending; in the view */
};

enum { VIEW_GENERATIONS = 64, VIEW_REVISIONS = 256 };

/* What the key index knows of one key, as the panes show it: {2 3 4t} {5}.  Points into itself: do
 * not copy. */
struct key_index_view {
	struct bytes key;
	struct revision modified;
	bool more; /* there is more than the newest 64 generations or 256 revisions, which is what
		      is here */
	size_t ngenerations;
	struct generation generations[VIEW_GENERATIONS]; /* the last is the present one */
	struct revision revisions[VIEW_REVISIONS];
	const struct row *latest; /* newest row, a tombstone if the key is deleted */
};

struct mvcc {
	struct heap *heap;
	int64_t current_rev; /* of the last finished write transaction; 1 in an empty store */
	int64_t compact_rev; /* -1: never compacted */
	struct pvec rows;    /* const struct row *, in order of revision */
	struct btree index;
	int64_t live_keys;		/* keys that exist now */
	int64_t size;			/* bytes of the rows left: key + value + 64 each */
	uint32_t bugs;			/* mistakes that it makes (api/bug.h) */
	bool keep_tombstone_at_compact; /* `set etcd 3.5`: the tombstone at the compacted revision
					 * stays, and a hash at exactly that revision is answered */
};

void mvcc_init(struct mvcc *m, struct heap *h);

/* Rows that another member wrote for the same entry: a member that writes an equal row shares it
 * (the bytes and the key's past are compared).  Zero-initialised; lives beside the log entry; its
 * array is the heap's. */
struct row_memo {
	const struct row **rows;
	uint32_t n, cap;
};

/* A write transaction: all its changes get revision current + 1, unless there are none.  Points
 * into itself: do not copy. */
enum { TXN_ROOM = 2 };

struct mvcc_txn {
	struct mvcc *m;
	struct row_memo *memo; /* NULL: do not share */
	int64_t begin_rev;
	VEC(const struct row *) changes;  /* in order of sub; owned by the transaction */
	const struct row *room[TXN_ROOM]; /* the first changes stand here */
};

void mvcc_txn_begin(struct mvcc_txn *t, struct mvcc *m, struct row_memo *memo);
/* The revision that readers inside the transaction see: begin, or begin + 1 after the first change.
 */
int64_t mvcc_txn_rev(const struct mvcc_txn *t);
/* Writes a version of the key; returns its row. */
const struct row *mvcc_txn_put(struct mvcc_txn *t, struct bytes key, struct bytes value,
			       int64_t lease);
/* Deletes every existing key of the range; returns how many. */
int64_t mvcc_txn_delete_range(struct mvcc_txn *t, struct key_range r);
/* Makes the changes visible; the caller looks at t->changes before and frees with mvcc_txn_free. */
void mvcc_txn_end(struct mvcc_txn *t);
void mvcc_txn_free(struct mvcc_txn *t);

/* Newest row of the key at or below rev (0: now, changes of an open transaction included); NULL if
 * it does not exist then.  Never a tombstone. */
const struct row *mvcc_get(const struct mvcc *m, struct bytes key, int64_t rev);

/* Rows of existing keys of the range at rev (0: now), in order of key; at most limit (0: all) are
 * put into out, all are counted.  ERR_COMPACTED, ERR_FUTURE_REV as etcd. */
struct row_list {
	VEC(const struct row *) rows;
	int64_t count;
};
enum error mvcc_range(const struct mvcc *m, struct key_range r, int64_t rev, int64_t limit,
		      struct row_list *out);

/* Compacts: keeps per key the newest row at or below rev unless it is a tombstone (with
 * keep_tombstone_at_compact: a tombstone exactly at rev stays).  ERR_COMPACTED, ERR_FUTURE_REV as
 * etcd. dropped (may be NULL) gets the rows that went, in order of revision. */
enum error mvcc_compact(struct mvcc *m, int64_t rev, struct row_list *dropped);

/* etcd's hashkv (cluster-facts H1): rev 0: current.  ERR_COMPACTED, ERR_FUTURE_REV. */
enum error mvcc_hash(const struct mvcc *m, int64_t rev, uint32_t *hash);

/* Goes on with a CRC-32C over keys and values of all rows that are left, as bbolt holds them. */
uint32_t mvcc_hash_rows(const struct mvcc *m, uint32_t crc);

/* Builds the key index again from the store's rows, as a member does when it starts. */
void mvcc_restore(struct mvcc *m);
/* Damage: the i-th row gets another value, in this store alone. */
void mvcc_corrupt(struct mvcc *m, uint64_t i, struct bytes value);

/* Windows for panes, watchers and checkers: cost follows what is asked for, not what is there. */
uint64_t mvcc_row_count(const struct mvcc *m);
const struct row *mvcc_row(const struct mvcc *m, uint64_t i);		/* i-th row, from 0 */
uint64_t mvcc_row_at_or_after(const struct mvcc *m, struct revision r); /* its i; count if none */
/* What the key index knows of a key; false: there is no such key. */
bool mvcc_index_seek(const struct mvcc *m, struct bytes from,
		     struct key_index_view *out); /* first key >= from */
bool mvcc_index_next(const struct mvcc *m, struct bytes after,
		     struct key_index_view *out); /* first key > after */
bool mvcc_index_at(const struct mvcc *m, uint64_t i,
		   struct key_index_view *out); /* the i-th key, from 0 */
/* The row before r of the same key, if it can still be read (a tombstone too); NULL if not. */
const struct row *mvcc_row_before(const struct mvcc *m, const struct row *r);
uint64_t mvcc_index_count(const struct mvcc *m); /* keys in the index, dead ones included */

#endif
