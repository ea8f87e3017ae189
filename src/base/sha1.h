/* SHA-1 (FIPS 180-4): etcd makes member ids of it.  Not for secrets. */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include <stdint.h>

#include "base/bytes.h"

void sha1(struct bytes s, unsigned char digest[20]);
/* The first eight bytes of the digest, the first of them the highest: an id of etcd's. */
uint64_t sha1_id(struct bytes s);

#endif
