#include "base/crc32c.h"

#include "base/crc32c_table.h"

uint32_t crc32c(uint32_t crc, const void *p, size_t n)
{
	const unsigned char *s = p;

	crc = ~crc;
	while (n--)
		crc = crc32c_table[(crc ^ *s++) & 0xff] ^ (crc >> 8);
	return ~crc;
}
