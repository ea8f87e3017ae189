#include "api/bug.h"

#include <string.h>

static const struct bug_row rows[BUG_COUNT] = {
    [BUG_COMMIT_OLDER_TERM] = {"commit-older-term",
			       "A leader commits an entry of an older term by counting who has it "
			       "(Raft paper, figure 8).",
			       "Leader Completeness"},
    [BUG_COMMIT_HALF] = {"commit-half",
			 "Half of the members, rounded down, is taken for a majority.",
			 "Committed Is Durable"},
    [BUG_COMMIT_SENT] = {"commit-sent",
			 "A leader counts an entry as written as soon as it has sent it.",
			 "Committed Is Durable"},
    [BUG_VOTE_UNSYNCED] = {"vote-unsynced",
			   "A vote is granted before it is on the disk of who grants it.",
			   "Promised After Written"},
    [BUG_VOTE_SHORTER_LOG] = {"vote-shorter-log",
			      "A vote is granted whatever log the candidate has.",
			      "Leader Completeness"},
    [BUG_APPEND_UNCHECKED] = {"append-unchecked",
			      "A follower appends without comparing the term of the entry before.",
			      "Log Matching"},
    [BUG_APPLY_TWICE] = {"apply-twice",
			 "A member that starts again has forgotten how far it had applied its log.",
			 "Applied Never Goes Back"},
    [BUG_READ_UNCONFIRMED] = {"read-unconfirmed",
			      "A linearizable read is answered at once, without ReadIndex.",
			      "Linearizable Read"},
    [BUG_LEASE_BY_FOLLOWER] = {"lease-by-follower",
			       "A follower answers a keep-alive by itself, and the leader does not "
			       "hear of it.",
			       "Leases Last Their Time"},
    [BUG_LEASE_BY_OLD_LEADER] = {"lease-by-old-leader",
				 "A leader that has lost its office goes on revoking leases by its "
				 "own clock.",
				 "Leases Last Their Time"},
    [BUG_LEASE_KEPT] = {"lease-kept", "A put without a lease leaves the key on its old lease.",
			"A Key Has One Lease"},
    [BUG_WATCH_FROM_LAST_SEEN] = {"watch-from-last-seen",
				  "A watch goes on at the last revision it has seen instead of one "
				  "behind it.",
				  "Watches Are Ordered"},
    [BUG_WATCH_TOO_EARLY] = {"watch-too-early",
			     "A watch from a revision yet to come gets what happens before it.",
			     "Watches Are Ordered"},
    [BUG_WATCH_AFTER_SNAPSHOT] = {"watch-after-snapshot",
				  "Watchers are not told what a snapshot from the leader has "
				  "brought.",
				  "Watches Are Reliable"},
    [BUG_COMPACT_AT_TOMBSTONE] = {"compact-at-tombstone",
				  "A compaction takes the tombstone of a deleted key and leaves "
				  "the row before it.",
				  "Equal Stores"},
    [BUG_REVISION_AFTER_CRASH] = {"revision-after-crash",
				  "A member that starts again takes the revision of its last row "
				  "for the store's, though a compaction may have taken newer rows.",
				  "Revisions Never Go Back"},
};

const struct bug_row *bug_row(enum bug b)
{
	return &rows[b];
}

int bug_find(const char *name)
{
	for (int i = 0; i < BUG_COUNT; i++)
		if (strcmp(rows[i].name, name) == 0)
			return i;
	return -1;
}
