/* Keys, values and their versions, as etcd's mvccpb has them.
 *
 * A row is what one write left behind: bbolt's key (main, sub) and the KeyValue stored under it.
 * Rows are immutable once made, live in the world's heap, and are shared: between the past and the
 * present of a store, between members that wrote the same, and by replies and watch events that
 * mention them.
 */
#ifndef API_KV_H
#define API_KV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

/* One write transaction raises main by one; sub counts the changes inside it. */
struct revision {
	int64_t main, sub;
};

static inline int revision_cmp(struct revision a, struct revision b)
{
	if (a.main != b.main)
		return a.main > b.main ? 1 : -1;
	return (a.sub > b.sub) - (a.sub < b.sub);
}

struct row {
	int64_t main;	/* the row's own revision; main is the KeyValue's mod_revision */
	int64_t create; /* create_revision; 0 in a tombstone */
	int64_t lease;	/* 0: none */
	uint32_t sub;
	uint32_t version; /* 0 in a tombstone */
	uint32_t key_len; /* the top bit marks a tombstone: see row_is_tombstone */
	uint32_t value_len;
	char data[]; /* key, value */
};

#define ROW_TOMBSTONE 0x80000000u

static inline bool row_is_tombstone(const struct row *r)
{
	return r->key_len & ROW_TOMBSTONE;
}

static inline struct bytes row_key(const struct row *r)
{
	return (struct bytes){r->data, r->key_len & ~ROW_TOMBSTONE};
}

static inline struct bytes row_value(const struct row *r)
{
	return (struct bytes){r->data + (r->key_len & ~ROW_TOMBSTONE), r->value_len};
}

/* A change as a watcher gets it.  prev: the row before, if it was asked for and still exists. */
struct event {
	const struct row *row;
	const struct row *prev;
};

/* The keys of a request: one key, or [key, end); end "\0" (one zero byte) means every key from key
 * on. Every range of etcd is written so. */
struct key_range {
	struct bytes key, end; /* end.n == 0: the one key */
};

static inline bool key_range_is_from_key(struct key_range r)
{
	return r.end.n == 1 && r.end.p[0] == 0;
}

static inline bool key_range_has(struct key_range r, struct bytes key)
{
	if (r.end.n == 0)
		return bytes_eq(r.key, key);
	return bytes_cmp(key, r.key) >= 0 &&
	       (key_range_is_from_key(r) || bytes_cmp(key, r.end) < 0);
}

/* How much of a lease's time is left, in seconds; 0: all of it, it was renewed. */
struct lease_checkpoint {
	int64_t id, remaining_ttl;
};

#endif
