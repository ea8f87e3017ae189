/* SHA-256 (FIPS 180-4): it stands behind the database in a snapshot's file. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/bytes.h"

enum { SHA256_SIZE = 32 };

void sha256(struct bytes s, unsigned char digest[SHA256_SIZE]);

#endif
