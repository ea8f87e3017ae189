/* What reaches a watcher's client, and what it makes of it: events, the news that it is there, that
 * it is over, or how far it is.  A client that is stalled leaves all of it in the member's channel.
 */
#include "sim/private.h"

static void told_created(struct world *w, struct watch_client *c, const struct member *m)
{
	const struct watcher *at = watchable_find(&m->watchable, c->stream);

	if (!member_alive(m))
		c->state = WATCH_WAITING; /* it has died since */
	else
		c->state = at && at->group != WATCHER_SYNCED ? WATCH_REPLAYING : WATCH_LIVE;
	observe_watch(w, c, c->told_created ? WATCH_RESUMED : WATCH_CREATED, c->from);
	if (c->told_created)
		return;
	c->told_created = true;
	watcher_note(w, (struct watch_note){
			    .watcher = c->number, .kind = NOTE_CREATED, .revision = c->from});
	if (c->informer)
		watcher_note(w, (struct watch_note){.watcher = c->number,
						    .kind = NOTE_LISTED,
						    .revision = c->listed_rev,
						    .count = c->listed_count});
}

/* Position in the cache of the key, or where it would stand. */
static size_t cache_place(const struct watch_client *c, struct bytes key, bool *there)
{
	size_t lo = 0, hi = c->cache.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (bytes_cmp(row_key(c->cache.v[mid]), key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*there = lo < c->cache.n && bytes_eq(row_key(c->cache.v[lo]), key);
	return lo;
}

static void update_cache(struct watch_client *c, const struct row *row)
{
	bool there;
	size_t i = cache_place(c, row_key(row), &there);

	if (row_is_tombstone(row)) {
		if (there)
			vec_remove(&c->cache, i);
		return;
	}
	if (!there) {
		vec_push(&c->cache, NULL);
		memmove(c->cache.v + i + 1, c->cache.v + i,
			(c->cache.n - i - 1) * sizeof *c->cache.v);
	}
	c->cache.v[i] = row;
}

static void got(struct world *w, struct watch_client *c, const struct event *e)
{
	if (c->shown_events.n == WATCH_SHOWN)
		vec_remove(&c->shown_events, 0);
	vec_push(&c->shown_events, (struct got_event){*e, w->events});
	c->nevents++;
	if (c->informer)
		update_cache(c, e->row);
	observe_event(w, c, e);
	watcher_note(w, (struct watch_note){.watcher = c->number, .kind = NOTE_EVENT, .event = *e});
}

/* Everything it missed has been sent and received: from here on it is live. */
static void live_if_synced(struct world *w, struct watch_client *c, struct member *m)
{
	if (c->state != WATCH_REPLAYING)
		return;
	const struct watcher *at = watchable_find(&m->watchable, c->stream);
	if (!at || at->group != WATCHER_SYNCED)
		return;
	for (size_t i = 0; i < m->watchable.queue.n; i++)
		if (m->watchable.queue.v[i].watcher == c->stream)
			return;
	if (c->stalled && watchable_channel(&m->watchable, c->stream))
		return;
	if (watcher_is_under_way(w, c->stream))
		return;
	c->state = WATCH_LIVE;
	observe_watch(w, c, WATCH_SYNCED, 0);
}

void watcher_synced(struct world *w, struct member *m)
{
	for (size_t i = 0; i < w->watches.n; i++)
		if (!w->watches.v[i].gone && w->watches.v[i].at == m->number)
			live_if_synced(w, &w->watches.v[i], m);
}

/* Of a response in parts nothing counts before the last one (clientv3: watch.go). */
static void got_events(struct world *w, struct watch_client *c, const struct watch_response *r)
{
	for (size_t i = 0; i < r->nevents; i++)
		vec_push(&c->parts, &r->events[i]);
	if (r->fragment) {
		watcher_note(w, (struct watch_note){.watcher = c->number,
						    .kind = NOTE_FRAGMENT,
						    .count = r->nevents});
		return;
	}
	for (size_t i = 0; i < c->parts.n; i++)
		got(w, c, c->parts.v[i]);
	if (c->parts.n)
		c->seen = c->parts.v[c->parts.n - 1]->row->main;
	c->parts.n = 0;
}

static void got_progress(struct world *w, struct watch_client *c, int64_t rev)
{
	if (rev > c->seen)
		c->seen = rev;
	c->nprogress++;
	observe_progress(w, c, rev);
	watcher_note(
	    w, (struct watch_note){.watcher = c->number, .kind = NOTE_PROGRESS, .revision = rev});
}

void watcher_take(struct world *w, struct watch_client *c, struct member *m,
		  const struct watch_response *r)
{
	if (r->created)
		told_created(w, c, m);
	if (r->progress)
		got_progress(w, c, r->revision);
	got_events(w, c, r);
	live_if_synced(w, c, m);
	if (r->canceled)
		watcher_cancel(w, c, r->compact_revision ? ERR_COMPACTED : ERR_CANCELED,
			       r->compact_revision);
}
