/* Short words for the tests of the store: one write is one transaction. */
#ifndef TESTS_STORE_HELP_H
#define TESTS_STORE_HELP_H

#include "mvcc/mvcc.h"

static inline const struct row *put_lease(struct mvcc *m, const char *key, const char *value,
					  int64_t lease)
{
	struct mvcc_txn t;

	mvcc_txn_begin(&t, m, NULL);
	const struct row *r = mvcc_txn_put(&t, bytes_of(key), bytes_of(value), lease);
	mvcc_txn_end(&t);
	mvcc_txn_free(&t);
	return r;
}

static inline const struct row *put(struct mvcc *m, const char *key, const char *value)
{
	return put_lease(m, key, value, 0);
}

static inline struct key_range one_key(const char *key)
{
	return (struct key_range){.key = bytes_of(key)};
}

static inline struct key_range key_to(const char *key, const char *end)
{
	return (struct key_range){bytes_of(key), bytes_of(end)};
}

static inline struct key_range from_key(const char *key)
{
	return (struct key_range){bytes_of(key), {"", 1}};
}

static inline int64_t del_range(struct mvcc *m, struct key_range r)
{
	struct mvcc_txn t;

	mvcc_txn_begin(&t, m, NULL);
	int64_t n = mvcc_txn_delete_range(&t, r);
	mvcc_txn_end(&t);
	mvcc_txn_free(&t);
	return n;
}

static inline int64_t del(struct mvcc *m, const char *key)
{
	return del_range(m, one_key(key));
}

#endif
