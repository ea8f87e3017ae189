/* The seeded generator of a world (splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom
 * number generators", 2014).  Its state is one number, so a copy of the world draws the same
 * numbers again.
 */
#ifndef BASE_PRNG_H
#define BASE_PRNG_H

#include <stdint.h>

struct prng {
	uint64_t state;
};

static inline uint64_t prng_next(struct prng *g)
{
	uint64_t z = g->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* A number in [0, n); n > 0.  The bias is below n / 2^64. */
static inline uint64_t prng_below(struct prng *g, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)prng_next(g) * n) >> 64);
}

#endif
