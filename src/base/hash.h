/* A hash of bytes for tables in memory.  It is not the same on every kind of machine: nothing that
 * can be seen may depend on the order of a table.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#include "base/bytes.h"

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 m =
	    (unsigned __int128)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xbf58476d1ce4e5b9u);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t bytes_hash(struct bytes s)
{
	uint64_t h = s.n, word;
	size_t i = 0;

	for (; i + 8 <= s.n; i += 8) {
		memcpy(&word, s.p + i, 8);
		h = hash_mix(h, word);
	}
	word = 0;
	if (i < s.n)
		memcpy(&word, s.p + i, s.n - i);
	return hash_mix(h, word);
}

#endif
