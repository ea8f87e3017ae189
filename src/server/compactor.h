/* Compaction that the leader does by itself (etcd: etcdserver/api/v3compactor: periodic.go,
 * revision.go).
 *
 *   periodic   remembers the revision ten times in an interval (the time that is kept, at most an
 *              hour), and compacts once in an interval, to the revision that was the newest so long
 * ago revision   every five minutes compacts to so many revisions ago
 *
 * Every member's compactor runs, only the leader's compacts.
 */
#ifndef SERVER_COMPACTOR_H
#define SERVER_COMPACTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct compactor_settings {
	int64_t period_ms; /* periodic: what is kept; 0: not this mode */
	int64_t revisions; /* revision: how many are kept; 0: not this mode */
};

struct compactor {
	struct compactor_settings settings;
	int64_t next_ms;   /* when it looks again; INT64_MAX: it does not run */
	int64_t last_ms;   /* periodic: of the last compaction, or when it began */
	int64_t done_rev;  /* of the last compaction; 0: none yet */
	bool waited;	   /* periodic: the first period is over */
	VEC(int64_t) revs; /* periodic: revisions at its looks, oldest first */
};

/* rev: of the store now.  Stopped with both settings 0. */
void compactor_start(struct compactor *c, const struct compactor_settings *s, int64_t now_ms,
		     int64_t rev);
void compactor_stop(struct compactor *c);
/* Looks, at next_ms.  The revision to compact to; 0: nothing to do. */
int64_t compactor_look(struct compactor *c, int64_t now_ms, int64_t rev, bool leads);
/* What it asked for has been done. */
void compactor_done(struct compactor *c, int64_t rev, int64_t now_ms);

#endif
