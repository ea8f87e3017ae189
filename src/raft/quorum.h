/* The arithmetic of majorities (etcd-io/raft: quorum/majority.go, quorum/joint.go). */
#ifndef RAFT_QUORUM_H
#define RAFT_QUORUM_H

#include <stddef.h>
#include <stdint.h>

enum vote_result { VOTE_PENDING, VOTE_LOST, VOTE_WON };

/* What a majority of n members has acknowledged, given one index for each (0 where nothing is
 * known). Sorts the array.  Nobody's agreement is needed in an empty half: UINT64_MAX. */
uint64_t quorum_committed(uint64_t *acked, size_t n);

/* The result of a vote among n members, of whom yes have agreed and missing have not answered.
 * An empty half is won. */
enum vote_result quorum_vote(size_t n, size_t yes, size_t missing);

/* Both halves of a joint configuration must agree. */
enum vote_result quorum_joint_vote(enum vote_result a, enum vote_result b);

#endif
