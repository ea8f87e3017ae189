/* CRC-32C (Castagnoli, reflected polynomial 0x82f63b78), as etcd uses it for WAL records and
 * hashkv. */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from crc, which is 0 at the start; the result is the usual, finally inverted form. */
uint32_t crc32c(uint32_t crc, const void *p, size_t n);

#endif
