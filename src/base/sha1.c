/* SHA-1: blocks of 64 bytes are mixed, 80 rounds each, into five words.  The message ends with a
 * one bit, zeros, and its length in bits. */
#include "base/sha1.h"

static uint32_t rotate(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t choose(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
	switch (round / 20) {
	case 0:
		return ((b & c) | (~b & d)) + 0x5a827999;
	case 1:
		return (b ^ c ^ d) + 0x6ed9eba1;
	case 2:
		return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
	default:
		return (b ^ c ^ d) + 0xca62c1d6;
	}
}

static void mix(uint32_t h[5], const unsigned char *block)
{
	uint32_t w[80], v[5];

	for (unsigned i = 0; i < 16; i++)
		w[i] = big_endian(block + 4 * i);
	for (unsigned i = 16; i < 80; i++)
		w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	memcpy(v, h, sizeof v);
	for (unsigned i = 0; i < 80; i++) {
		uint32_t t = rotate(v[0], 5) + choose(i, v[1], v[2], v[3]) + v[4] + w[i];

		v[4] = v[3];
		v[3] = v[2];
		v[2] = rotate(v[1], 30);
		v[1] = v[0];
		v[0] = t;
	}
	for (unsigned i = 0; i < 5; i++)
		h[i] += v[i];
}

void sha1(struct bytes s, unsigned char digest[20])
{
	uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
	unsigned char last[128] = {0};
	size_t whole = s.n / 64 * 64, rest = s.n - whole, tail = rest < 56 ? 64 : 128;
	uint64_t bits = (uint64_t)s.n * 8;

	for (size_t i = 0; i < whole; i += 64)
		mix(h, (const unsigned char *)s.p + i);
	if (rest)
		memcpy(last, s.p + whole, rest);
	last[rest] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		last[tail - 1 - i] = (unsigned char)(bits >> (8 * i));
	for (size_t i = 0; i < tail; i += 64)
		mix(h, last + i);
	for (unsigned i = 0; i < 20; i++)
		digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

uint64_t sha1_id(struct bytes s)
{
	unsigned char digest[20];

	sha1(s, digest);
	return (uint64_t)big_endian(digest) << 32 | big_endian(digest + 4);
}
