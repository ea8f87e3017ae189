/* Who belongs to the cluster, as one member has applied it (etcd:
 * etcdserver/api/membership/cluster.go).
 *
 * A value: its arrays live in the heap and never change, a change of the membership makes new ones.
 */
#ifndef SERVER_MEMBERSHIP_H
#define SERVER_MEMBERSHIP_H

#include "api/entry.h"
#include "api/request.h"
#include "base/heap.h"

struct membership {
	const struct member_info *members; /* ascending by id */
	size_t n;
	const uint64_t
	    *removed; /* ids that have been removed, oldest first: they do not come back */
	size_t nremoved;
	uint32_t version; /* cluster version, 34 or 35; 0: none has been set yet */
};

const struct member_info *membership_find(const struct membership *c, uint64_t id);
bool membership_is_removed(const struct membership *c, uint64_t id);
/* Adds a member, or replaces the one with its id. */
void membership_set(struct membership *c, struct heap *h, const struct member_info *m);

/* What is wrong with a change when its entry is applied (etcd: ValidateConfigurationChange). */
enum error membership_check(const struct membership *c, const struct request *req);
/* Carries out a change that has been checked, a publish, or a cluster version. */
void membership_apply(struct membership *c, struct heap *h, const struct request *req);

#endif
