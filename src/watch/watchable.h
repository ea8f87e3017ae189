/* etcd's watchable store (etcd: server/storage/mvcc/watchable_store.go, watcher_group.go): which
 * watcher gets which event of one member's store.
 *
 * Synced watchers get the events inside the write.  Unsynced ones (start revision at or below the
 * current one) are served from the rows, in batches.  Victims are those whose channel was full:
 * what did not go in waits, and they hear of nothing else before it has.
 *
 * A channel holds 128 responses of a watcher: those in the queue, which the server drains in order,
 * and those that its client has not read.  The store itself is only read.
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
	bool fragment;	     /* a large response may come in parts */
	bool quiet;	     /* no event was sent to it since its last report was due */
	int64_t progress_ms; /* how often it wants to hear how far it is; 0: never */
	enum watcher_group group;
	uint64_t seq; /* order of creation; set by watchable_add */
};

/* What one watcher is to be sent: all events of one revision together (etcd's atomicity). */
struct watch_response {
	uint64_t watcher;
	int64_t revision;	  /* of the header: the store's at that moment */
	int64_t compact_revision; /* not 0: canceled, history below it is gone */
	bool created, canceled, progress;
	bool fragment;		    /* more of the same response follows */
	bool arrived;		    /* it has come to its client, who did not read then */
	const struct event *events; /* in the heap */
	size_t nevents;
};

/* What did not go into a full channel (etcd: watcherBatch, eventBatch). */
struct watch_victim {
	struct watch_response response;
	int64_t more_rev; /* not 0: the batch was full, and the history goes on here */
};

struct watchable {
	struct heap *heap;
	uint32_t bugs;			   /* mistakes that it makes (api/bug.h) */
	VEC(struct watcher) watchers;	   /* in order of creation */
	VEC(struct watch_response) queue;  /* to be sent, oldest first; the server empties it */
	VEC(struct watch_response) unread; /* sent to clients that do not read, oldest first */
	VEC(struct watch_victim) victims;  /* one of each watcher of that group */
	struct watch_index index;	   /* from a key to those that watch it */
	uint64_t next_seq;
	size_t unsynced;  /* how many watchers are */
	size_t channel;	  /* how many responses one holds: WATCH_CHANNEL, or fewer */
	seq_list matched; /* room for one lookup */
};

void watchable_init(struct watchable *w, struct heap *h);
void watchable_free(struct watchable *w);
void watchable_copy(struct watchable *dst, const struct watchable *src);

/* Adds a watcher, of which id, range, start_rev and the flags are given.  start_rev 0 or
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

/* The client does not read: the response stays in the channel. */
void watchable_keep_unread(struct watchable *w, struct watch_response r);
/* If responses that have arrived wait to be read, this one, which arrives now, waits behind them.
 */
bool watchable_keep_order(struct watchable *w, struct watch_response r);
/* It reads again: what is unread goes before all else in the queue. */
void watchable_read_on(struct watchable *w, uint64_t id);
/* How many responses its channel holds. */
size_t watchable_channel(const struct watchable *w, uint64_t id);
/* Is there a victim whose client reads? */
bool watchable_victim_waits(const struct watchable *w);
/* One round of the loop that looks after victims (every 10 ms in etcd): who has room in his channel
 * again gets what waited, and is unsynced or synced from then on. */
void watchable_retry_victims(struct watchable *w, const struct mvcc *m);

/* Tells a synced watcher the current revision, if that is not below its start and there is room. */
void watchable_progress(struct watchable *w, const struct mvcc *m, uint64_t id);
/* The same when a report is due, if no event was sent since the last one. */
void watchable_report(struct watchable *w, const struct mvcc *m, uint64_t id);
/* An event has been sent to it. */
void watchable_sent(struct watchable *w, uint64_t id);
/* A snapshot replaced the store: every synced watcher is served again from its next revision. */
void watchable_restore(struct watchable *w);

#endif
