/* A member's database as a file of its own: what a snapshot holds (etcd: clientv3/snapshot).
 *
 * There are no pages here.  But every row that etcd's file has is known, and what is told of a file
 * is counted and summed up over these rows.
 */
#ifndef SERVER_DATABASE_H
#define SERVER_DATABASE_H

#include "base/sha256.h"
#include "server/server.h"

/* A SHA-256 stands behind the database in a snapshot's file. */
enum { SNAPSHOT_DIGEST = SHA256_SIZE };

/* What `snapshot status` tells. */
struct database_status {
	uint32_t hash;
	int64_t revision; /* of the newest row of the store; 0: there is none */
	uint64_t rows;	  /* of all buckets */
	int64_t size;	  /* of the database, without the digest behind it */
};

struct database_status database_status(const struct store_image *db, uint32_t etcd_version);

/* As there are no pages, it is that of what sums up the rows: any change of them is seen. */
void database_digest(const struct store_image *db, uint32_t etcd_version,
		     unsigned char digest[SNAPSHOT_DIGEST]);

#endif
