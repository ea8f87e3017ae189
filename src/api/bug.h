/* Known ways to get etcd and Raft wrong, each of which can be switched on (`bug NAME`), so that it
 * can be seen what goes wrong, and that the rules of check/ notice.
 *
 * A switch is a bit in a field of whoever makes the mistake; 0: everything is right.  Nobody asks
 * for it but the one line that is right or wrong.  check/ does not know of it.
 */
#ifndef API_BUG_H
#define API_BUG_H

#include <stdbool.h>
#include <stdint.h>

enum bug {
	BUG_COMMIT_OLDER_TERM,
	BUG_COMMIT_HALF,
	BUG_COMMIT_SENT,
	BUG_VOTE_UNSYNCED,
	BUG_VOTE_SHORTER_LOG,
	BUG_APPEND_UNCHECKED,
	BUG_APPLY_TWICE,
	BUG_READ_UNCONFIRMED,
	BUG_LEASE_BY_FOLLOWER,
	BUG_LEASE_BY_OLD_LEADER,
	BUG_LEASE_KEPT,
	BUG_WATCH_FROM_LAST_SEEN,
	BUG_WATCH_TOO_EARLY,
	BUG_WATCH_AFTER_SNAPSHOT,
	BUG_COMPACT_AT_TOMBSTONE,
	BUG_REVISION_AFTER_CRASH,
	BUG_COUNT
};

struct bug_row {
	const char *name;
	const char *what; /* what is done wrong, one sentence */
	const char *rule; /* the one that is broken, by its name in check/ */
};

const struct bug_row *bug_row(enum bug b);
/* -1: there is none of that name. */
int bug_find(const char *name);

static inline bool bug_on(uint32_t bugs, enum bug b)
{
	return __builtin_expect(bugs >> b & 1, 0);
}

#endif
