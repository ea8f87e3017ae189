/* The life of a watcher:
 *
 *     added from now on         -> SYNCED
 *     added from the past       -> UNSYNCED
 *     SYNCED, a snapshot came   -> UNSYNCED
 *     UNSYNCED, a round         -> SYNCED      or UNSYNCED again after 1000 revisions
 *     either, its channel full  -> VICTIM      with the response that found no room
 *     VICTIM, room again        -> UNSYNCED    or SYNCED, if nothing happened meanwhile
 *     UNSYNCED, compacted away  -> gone, with a cancellation
 *
 * The rule: a watcher has been told of everything that matches below its min_rev (a victim: but for
 * what waits), and of nothing at or above.
 */
#include "watch/private.h"

#include "api/bug.h"

void watchable_init(struct watchable *w, struct heap *h)
{
	*w = (struct watchable){.heap = h, .channel = WATCH_CHANNEL};
}

void watchable_free(struct watchable *w)
{
	vec_free(&w->watchers);
	vec_free(&w->queue);
	vec_free(&w->unread);
	vec_free(&w->victims);
	vec_free(&w->matched);
	watch_index_free(&w->index);
}

void watchable_copy(struct watchable *dst, const struct watchable *src)
{
	*dst = *src;
	vec_copy(&dst->watchers, &src->watchers);
	vec_copy(&dst->queue, &src->queue);
	vec_copy(&dst->unread, &src->unread);
	vec_copy(&dst->victims, &src->victims);
	watch_index_copy(&dst->index, &src->index);
	dst->matched = (seq_list){0};
}

/* ---- watchers ---- */

static struct watcher *by_seq(struct watchable *w, uint64_t seq)
{
	size_t lo = 0, hi = w->watchers.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (w->watchers.v[mid].seq < seq)
			lo = mid + 1;
		else
			hi = mid;
	}
	return &w->watchers.v[lo];
}

struct watcher *watch_find(struct watchable *w, uint64_t id)
{
	for (size_t i = 0; i < w->watchers.n; i++)
		if (w->watchers.v[i].id == id)
			return &w->watchers.v[i];
	return NULL;
}

const struct watcher *watchable_find(const struct watchable *w, uint64_t id)
{
	for (size_t i = 0; i < w->watchers.n; i++)
		if (w->watchers.v[i].id == id)
			return &w->watchers.v[i];
	return NULL;
}

void watch_set_group(struct watchable *w, struct watcher *x, enum watcher_group g)
{
	w->unsynced += (g == WATCHER_UNSYNCED) - (size_t)(x->group == WATCHER_UNSYNCED);
	x->group = g;
}

static struct bytes keep(struct watchable *w, struct bytes s)
{
	return (struct bytes){heap_dup(w->heap, s.p, s.n), s.n};
}

void watch_queue_canceled(struct watchable *w, uint64_t id, const struct mvcc *m)
{
	vec_push(&w->queue, (struct watch_response){.watcher = id,
						    .revision = m->current_rev,
						    .compact_revision = m->compact_rev,
						    .canceled = true});
}

void watchable_add(struct watchable *w, const struct mvcc *m, struct watcher x)
{
	vec_push(&w->queue, (struct watch_response){.watcher = x.id,
						    .revision = m->current_rev,
						    .created = true,
						    .canceled = x.start_rev < 0});
	if (x.start_rev < 0)
		return;
	if (x.start_rev > 0 && x.start_rev < m->compact_rev) {
		watch_queue_canceled(w, x.id, m);
		return;
	}
	bool past = x.start_rev > 0 && x.start_rev <= m->current_rev;
	x.group = past ? WATCHER_UNSYNCED : WATCHER_SYNCED;
	x.min_rev = x.start_rev > 0 ? x.start_rev : m->current_rev + 1;
	x.seq = w->next_seq++;
	x.range = (struct key_range){keep(w, x.range.key), keep(w, x.range.end)};
	x.quiet = true;
	w->unsynced += past;
	vec_push(&w->watchers, x);
	watch_index_add(&w->index, x.range, x.seq);
}

void watch_remove(struct watchable *w, size_t i)
{
	watch_set_group(w, &w->watchers.v[i], WATCHER_SYNCED);
	watch_index_remove(&w->index, w->watchers.v[i].range, w->watchers.v[i].seq);
	vec_remove(&w->watchers, i);
}

bool watchable_cancel(struct watchable *w, uint64_t id)
{
	const struct watcher *x = watchable_find(w, id);

	for (size_t i = 0; i < w->unread.n;)
		if (w->unread.v[i].watcher == id)
			vec_remove(&w->unread, i);
		else
			i++;
	for (size_t i = 0; i < w->victims.n; i++)
		if (w->victims.v[i].response.watcher == id)
			vec_remove(&w->victims, i);
	if (x)
		watch_remove(w, (size_t)(x - w->watchers.v));
	return x != NULL;
}

void watchable_restore(struct watchable *w)
{
	for (size_t i = 0; i < w->watchers.n; i++)
		if (w->watchers.v[i].group == WATCHER_SYNCED)
			watch_set_group(w, &w->watchers.v[i], WATCHER_UNSYNCED);
}

bool watchable_has_unsynced(const struct watchable *w)
{
	return w->unsynced > 0;
}

/* ---- events ---- */

size_t watchable_channel(const struct watchable *w, uint64_t id)
{
	size_t n = 0;

	for (size_t i = 0; i < w->queue.n; i++)
		n += w->queue.v[i].watcher == id;
	for (size_t i = 0; i < w->unread.n; i++)
		n += w->unread.v[i].watcher == id;
	return n;
}

bool watch_channel_full(const struct watchable *w, uint64_t id)
{
	return w->queue.n + w->unread.n >= w->channel && watchable_channel(w, id) >= w->channel;
}

/* The pair before this change, unless a compaction took it (etcd reads it at mod_revision - 1). */
static const struct row *row_previous(const struct mvcc *m, const struct row *r)
{
	const struct row *prev = mvcc_row_before(m, r);

	while (prev && prev->main == r->main)
		prev = mvcc_row_before(m, prev);
	return prev && !row_is_tombstone(prev) ? prev : NULL;
}

void watch_add_event(const struct watcher *x, const struct mvcc *m, const struct row *r,
		     event_list *events)
{
	if (row_is_tombstone(r) ? x->no_delete : x->no_put)
		return;
	struct event e = {r, x->prev_kv ? row_previous(m, r) : NULL};
	vec_push(events, e);
}

bool watch_queue_events(struct watchable *w, struct watcher *x, int64_t rev, int64_t more_rev,
			const event_list *events)
{
	size_t size = events->n * sizeof *events->v;
	struct watch_response r = {.watcher = x->id, .revision = rev, .nevents = events->n};

	if (!events->n)
		return true;
	struct event *own = heap_alloc(w->heap, size);
	memcpy(own, events->v, size);
	r.events = own;
	if (!watch_channel_full(w, x->id)) {
		vec_push(&w->queue, r);
		return true;
	}
	vec_push(&w->victims, ((struct watch_victim){r, more_rev}));
	watch_set_group(w, x, WATCHER_VICTIM);
	return false;
}

/* ---- inside a write ---- */

struct hit {
	uint64_t seq;
	size_t change;
};

typedef VEC(struct hit) hit_list;

static int by_watcher(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return (x->change > y->change) - (x->change < y->change);
}

/* All that one watcher gets of the write; returns the place behind its hits. */
static size_t notify_one(struct watchable *w, const struct mvcc *m,
			 const struct row *const *changes, const hit_list *hits, size_t i)
{
	struct watcher *x = by_seq(w, hits->v[i].seq);
	int64_t rev = changes[0]->main;
	event_list events = {0};
	bool wants = x->group == WATCHER_SYNCED &&
		     (rev >= x->min_rev || bug_on(w->bugs, BUG_WATCH_TOO_EARLY));

	for (; i < hits->n && hits->v[i].seq == x->seq; i++)
		if (wants)
			watch_add_event(x, m, changes[hits->v[i].change], &events);
	if (wants) {
		watch_queue_events(w, x, rev, 0, &events);
		x->min_rev = rev + 1;
	}
	vec_free(&events);
	return i;
}

void watchable_notify(struct watchable *w, const struct mvcc *m, const struct row *const *changes,
		      size_t n)
{
	hit_list hits = {0};

	if (!w->watchers.n)
		return;
	for (size_t i = 0; i < n; i++) {
		w->matched.n = 0;
		watch_index_match(&w->index, row_key(changes[i]), &w->matched);
		for (size_t k = 0; k < w->matched.n; k++)
			vec_push(&hits, (struct hit){w->matched.v[k], i});
	}
	if (hits.n > 1)
		qsort(hits.v, hits.n, sizeof *hits.v, by_watcher);
	for (size_t i = 0; i < hits.n;)
		i = notify_one(w, m, changes, &hits, i);
	vec_free(&hits);
}
