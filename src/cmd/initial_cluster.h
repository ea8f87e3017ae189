/* --initial-cluster and --initial-advertise-peer-urls, as etcd reads and compares them. */
#ifndef CMD_INITIAL_CLUSTER_H
#define CMD_INITIAL_CLUSTER_H

#include "base/buf.h"
#include "base/heap.h"
#include "server/server.h"

/* The flags of a member that is to begin a cluster. */
struct bootstrap {
	struct bytes name, cluster, token, peer_urls;
};

struct founder {
	struct bytes name;
	struct bytes url; /* several: sorted, joined with commas */
	uint64_t id;
};

enum { FOUNDERS_MAX = PEERS_MAX };

/* Who founds the cluster, by id, and the cluster's id. */
struct founders {
	struct founder v[FOUNDERS_MAX];
	size_t n;
	const struct founder *self;
	uint64_t cluster_id;
};

/* False: err has etcd's text.  The bytes point into the flags, or live in the heap. */
bool initial_cluster_read(struct founders *f, const struct bootstrap *b, struct heap *h,
			  struct buf *err);

#endif
