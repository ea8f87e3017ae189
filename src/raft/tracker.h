/* The configuration in force, the progress of its members, and the votes of an election
 * (etcd-io/raft: tracker/tracker.go).
 *
 * Every member of every set of the configuration has a progress, ascending by id like the sets; so
 * a walk along both finds the progress of each voter.
 */
#ifndef RAFT_TRACKER_H
#define RAFT_TRACKER_H

#include "raft/conf_set.h"
#include "raft/progress.h"
#include "raft/quorum.h"

/* A joint configuration that replaces all members has twice as many. */
enum { TRACKER_MAX = 2 * CONF_MAX };

struct vote {
	uint64_t id;
	bool granted;
};

struct tracker {
	struct conf_state conf;
	struct progress progress[TRACKER_MAX];
	size_t nprogress;
	struct vote votes[TRACKER_MAX];
	size_t nvotes;
	uint32_t max_inflight_msgs;
	uint64_t max_inflight_bytes;
};

/* A configuration without members. */
void tracker_init(struct tracker *t, uint32_t max_inflight_msgs, uint64_t max_inflight_bytes);
void tracker_free(struct tracker *t);
/* Gives dst, a struct copy of src, its own windows. */
void tracker_copy(struct tracker *dst, const struct tracker *src);

/* The progress of a member; NULL if it has none. */
static inline struct progress *tracker_find(struct tracker *t, uint64_t id)
{
	for (size_t i = 0; i < t->nprogress; i++)
		if (t->progress[i].id == id)
			return &t->progress[i];
	return NULL;
}
/* Adds a progress that does not exist yet, in its place; the pointers of others move. */
struct progress *tracker_add(struct tracker *t, uint64_t id);
void tracker_remove(struct tracker *t, uint64_t id);

/* One voter alone. */
static inline bool tracker_is_singleton(const struct tracker *t)
{
	return t->conf.nvoters == 1 && t->conf.noutgoing == 0;
}

/* The largest index that a majority of each half has acknowledged. */
uint64_t tracker_committed(const struct tracker *t);
/* Has a majority of each half been heard of since the last look?  self always has. */
bool tracker_quorum_active(const struct tracker *t, uint64_t self);

/* The first answer of each voter counts. */
void tracker_record_vote(struct tracker *t, uint64_t id, bool granted);
/* Counts the answers of the members that are not learners, and decides. */
enum vote_result tracker_tally(const struct tracker *t, size_t *granted, size_t *rejected);

#endif
