/* The arithmetic of majorities (etcd-io/raft: quorum/majority.go, quorum/joint.go).
 *
 * Of n members n/2 + 1 are a majority.  Sorted ascending, the value at n - (n/2 + 1) is the largest
 * one that a majority has reached:
 *
 *     acked    3 5 5 7 9      n = 5, majority 3
 *                  ^          position 5 - 3 = 2: three members have at least 5
 */
#include "raft/quorum.h"

static size_t majority(size_t n)
{
	return n / 2 + 1;
}

/* Insertion sort: n is 3, 5, 7 or so, and mostly in order already. */
static void sort(uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t x = v[i];
		size_t k = i;

		for (; k > 0 && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

uint64_t quorum_committed(uint64_t *acked, size_t n)
{
	if (n == 0)
		return UINT64_MAX;
	sort(acked, n);
	return acked[n - majority(n)];
}

enum vote_result quorum_vote(size_t n, size_t yes, size_t missing)
{
	if (n == 0 || yes >= majority(n))
		return VOTE_WON;
	return yes + missing >= majority(n) ? VOTE_PENDING : VOTE_LOST;
}

enum vote_result quorum_joint_vote(enum vote_result a, enum vote_result b)
{
	if (a == b)
		return a;
	return a == VOTE_LOST || b == VOTE_LOST ? VOTE_LOST : VOTE_PENDING;
}
