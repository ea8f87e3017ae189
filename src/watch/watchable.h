/* etcd's watchable store (etcd: server/storage/mvcc/watchable_store.go, watcher_group.go): which
 * watcher gets which event of one member's store.
 *
 * Synced watchers get the events inside the write.  Unsynced ones (start revision at or below the
 * current one) are served from the rows, in batches.  Victims are those whose channel was full. A
 * channel holds 128 responses of a watcher; what is not in it yet is read from the rows again.
 * Responses go into a queue that the server drains in order; the store itself is only read.
 */
#ifndef WATCH_WATCHABLE_H
#define WATCH_WATCHABLE_H

#include "api/kv.h"
#include "mvcc/mvcc.h"
#include "watch/watch_index.h"

enum { WATCH_BATCH_REVISIONS = 1000, WATCH_UNSYNCED_PER_ROUND = 512, WATCH_CHANNEL = 128 };

enum watcher_group { WATCHER_SYNCED, WATCHER_UNSYNCED, WATCHER_VICTIM };

struct watcher {
	uint64_t id;		/* chosen by the caller, unique in this store */
	struct key_range range; /* bytes live in the heap */
	int64_t min_rev;	/* next revision it needs */
	int64_t start_rev;	/* as asked for; 0: from now */
	bool prev_kv, no_put, no_delete;
	enum watcher_group group;
	uint64_t seq; /* order of creation; set by watchable_add */
};

/* What one watcher is to be sent: all events of one revision together (etcd's atomicity). */
struct watch_response {
	uint64_t watcher;
	int64_t revision;	  /* of the header: the store's at that moment */
	int64_t compact_revision; /* not 0: canceled, history below it is gone */
	bool created, canceled, progress;
	const struct event *events; /* in the heap */
	size_t nevents;
};

struct watchable {
	struct heap *heap;
	VEC(struct watcher) watchers;	  /* in order of creation */
	VEC(struct watch_response) queue; /* to be sent, oldest first; the server empties it */
	struct watch_index index;	  /* from a key to those that watch it */
	uint64_t next_seq;
	size_t not_synced; /* watchers that are unsynced or victims */
	seq_list matched;  /* room for one lookup */
};

void watchable_init(struct watchable *w, struct heap *h);
void watchable_free(struct watchable *w);
void watchable_copy(struct watchable *dst, const struct watchable *src);

/* Adds a watcher, of which id, range, start_rev and the three flags are given.  start_rev 0 or
 * above the current revision: synced; else unsynced.  Queues `created`.  If start_rev is below the
 * compacted revision there is no watcher: the cancellation is queued next; if start_rev is
 * negative, `created` is the cancellation, with compact_revision 0. */
void watchable_add(struct watchable *w, const struct mvcc *m, struct watcher spec);
/* Removes it without a word; false if there is none. */
bool watchable_cancel(struct watchable *w, uint64_t id);
const struct watcher *watchable_find(const struct watchable *w, uint64_t id);

/* Called by the applier inside the write, before its revision is readable: queues events for synced
 * watchers. */
void watchable_notify(struct watchable *w, const struct mvcc *m, const struct row *const *changes,
		      size_t n);
/* One round of the loop that serves unsynced watchers (every 100 ms in etcd): true if any was
 * served. */
bool watchable_sync(struct watchable *w, const struct mvcc *m);
bool watchable_has_unsynced(const struct watchable *w);
/* A snapshot replaced the store: every synced watcher is served again from its next revision. */
void watchable_restore(struct watchable *w);

#endif
