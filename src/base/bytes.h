/* A slice of bytes that somebody else owns: keys, values, words of a command. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct bytes {
	const char *p;
	size_t n;
};

#define BYTES(literal) ((struct bytes){(literal), sizeof(literal) - 1})

static inline struct bytes bytes_of(const char *s)
{
	return (struct bytes){s, strlen(s)};
}

/* Byte order, the order of keys in etcd. */
static inline int bytes_cmp(struct bytes a, struct bytes b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

static inline bool bytes_eq(struct bytes a, struct bytes b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool bytes_is(struct bytes a, const char *s)
{
	return bytes_eq(a, bytes_of(s));
}

static inline bool bytes_starts(struct bytes a, struct bytes prefix)
{
	return a.n >= prefix.n && (prefix.n == 0 || memcmp(a.p, prefix.p, prefix.n) == 0);
}

#endif
