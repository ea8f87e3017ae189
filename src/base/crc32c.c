#include "base/crc32c.h"

#include <string.h>

#include "base/crc32c_table.h"

static uint32_t by_table(uint32_t crc, const unsigned char *s, size_t n)
{
	while (n--)
		crc = crc32c_table[(crc ^ *s++) & 0xff] ^ (crc >> 8);
	return crc;
}

#ifdef __x86_64__
/* SSE 4.2 has an instruction for just this polynomial. */
__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc,
								 const unsigned char *s, size_t n)
{
	uint64_t wide = crc, word;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&word, s, 8);
		wide = __builtin_ia32_crc32di(wide, word);
	}
	crc = (uint32_t)wide;
	while (n--)
		crc = __builtin_ia32_crc32qi(crc, *s++);
	return crc;
}
#endif

uint32_t crc32c(uint32_t crc, const void *p, size_t n)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("sse4.2"))
		return ~by_instruction(~crc, p, n);
#endif
	return ~by_table(~crc, p, n);
}
