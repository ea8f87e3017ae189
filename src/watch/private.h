/* What the files of this folder share. */
#ifndef WATCH_PRIVATE_H
#define WATCH_PRIVATE_H

#include "watch/watchable.h"

typedef VEC(struct event) event_list;

struct watcher *watch_find(struct watchable *w, uint64_t id);
void watch_set_group(struct watchable *w, struct watcher *x, enum watcher_group g);
/* Forgets the watcher at that place. */
void watch_remove(struct watchable *w, size_t i);

bool watch_channel_full(const struct watchable *w, uint64_t id);
/* Adds the event of a row, if the watcher's filters let it pass. */
void watch_add_event(const struct watcher *x, const struct mvcc *m, const struct row *r,
		     event_list *events);
/* Sends the events.  What finds no room in the channel makes a victim of its watcher; a response
 * with nothing left in it is not sent.  False: it did not go in. */
bool watch_queue_events(struct watchable *w, struct watcher *x, int64_t rev, int64_t more_rev,
			const event_list *events);
void watch_queue_canceled(struct watchable *w, uint64_t id, const struct mvcc *m);

#endif
