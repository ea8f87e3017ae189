/* The life of a watcher:
 *
 *     added from now on         -> SYNCED
 *     added from the past       -> UNSYNCED
 *     SYNCED, its channel full  -> VICTIM      what it missed is read from the rows later
 *     SYNCED, a snapshot came   -> UNSYNCED
 *     VICTIM, UNSYNCED, a round -> SYNCED      or UNSYNCED again after 1000 revisions
 *     UNSYNCED, compacted away  -> gone, with a cancellation
 *
 * The rule: a watcher has been told of everything that matches below its min_rev, and of nothing at
 * or above.
 */
#include "watch/watchable.h"

void watchable_init(struct watchable *w, struct heap *h)
{
	*w = (struct watchable){.heap = h};
}

void watchable_free(struct watchable *w)
{
	vec_free(&w->watchers);
	vec_free(&w->queue);
	vec_free(&w->matched);
	watch_index_free(&w->index);
}

void watchable_copy(struct watchable *dst, const struct watchable *src)
{
	*dst = *src;
	vec_copy(&dst->watchers, &src->watchers);
	vec_copy(&dst->queue, &src->queue);
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

const struct watcher *watchable_find(const struct watchable *w, uint64_t id)
{
	for (size_t i = 0; i < w->watchers.n; i++)
		if (w->watchers.v[i].id == id)
			return &w->watchers.v[i];
	return NULL;
}

static void set_group(struct watchable *w, struct watcher *x, enum watcher_group g)
{
	w->not_synced += (g != WATCHER_SYNCED) - (size_t)(x->group != WATCHER_SYNCED);
	x->group = g;
}

static struct bytes keep(struct watchable *w, struct bytes s)
{
	return (struct bytes){heap_dup(w->heap, s.p, s.n), s.n};
}

static void queue_canceled(struct watchable *w, uint64_t id, const struct mvcc *m)
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
		queue_canceled(w, x.id, m);
		return;
	}
	bool past = x.start_rev > 0 && x.start_rev <= m->current_rev;
	x.group = past ? WATCHER_UNSYNCED : WATCHER_SYNCED;
	x.min_rev = x.start_rev > 0 ? x.start_rev : m->current_rev + 1;
	x.seq = w->next_seq++;
	x.range = (struct key_range){keep(w, x.range.key), keep(w, x.range.end)};
	w->not_synced += past;
	vec_push(&w->watchers, x);
	watch_index_add(&w->index, x.range, x.seq);
}

static void remove_watcher(struct watchable *w, size_t i)
{
	set_group(w, &w->watchers.v[i], WATCHER_SYNCED);
	watch_index_remove(&w->index, w->watchers.v[i].range, w->watchers.v[i].seq);
	vec_remove(&w->watchers, i);
}

bool watchable_cancel(struct watchable *w, uint64_t id)
{
	const struct watcher *x = watchable_find(w, id);

	if (x)
		remove_watcher(w, (size_t)(x - w->watchers.v));
	return x != NULL;
}

void watchable_restore(struct watchable *w)
{
	for (size_t i = 0; i < w->watchers.n; i++)
		if (w->watchers.v[i].group == WATCHER_SYNCED)
			set_group(w, &w->watchers.v[i], WATCHER_UNSYNCED);
}

bool watchable_has_unsynced(const struct watchable *w)
{
	return w->not_synced > 0;
}

/* ---- events ---- */

static bool channel_full(const struct watchable *w, uint64_t id)
{
	size_t n = 0;

	if (w->queue.n < WATCH_CHANNEL)
		return false;
	for (size_t i = 0; i < w->queue.n; i++)
		n += w->queue.v[i].watcher == id;
	return n >= WATCH_CHANNEL;
}

/* The pair before this change, unless a compaction took it (etcd reads it at mod_revision - 1). */
static const struct row *row_previous(const struct mvcc *m, const struct row *r)
{
	const struct row *prev = mvcc_row_before(m, r);

	while (prev && prev->main == r->main)
		prev = mvcc_row_before(m, prev);
	return prev && !row_is_tombstone(prev) ? prev : NULL;
}

typedef VEC(struct event) event_list;

static void add_event(const struct watcher *x, const struct mvcc *m, const struct row *r,
		      event_list *events)
{
	if (row_is_tombstone(r) ? x->no_delete : x->no_put)
		return;
	struct event e = {r, x->prev_kv ? row_previous(m, r) : NULL};
	vec_push(events, e);
}

/* A response with nothing left in it is not sent. */
static void queue_events(struct watchable *w, const struct watcher *x, int64_t rev,
			 const event_list *events)
{
	size_t size = events->n * sizeof *events->v;

	if (!events->n)
		return;
	struct event *own = heap_alloc(w->heap, size);
	memcpy(own, events->v, size);
	vec_push(&w->queue,
		 (struct watch_response){
		     .watcher = x->id, .revision = rev, .events = own, .nevents = events->n});
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
	bool wants = x->group == WATCHER_SYNCED && rev >= x->min_rev;

	for (; i < hits->n && hits->v[i].seq == x->seq; i++)
		if (wants)
			add_event(x, m, changes[hits->v[i].change], &events);
	if (wants && events.n && channel_full(w, x->id)) {
		x->min_rev = rev;
		set_group(w, x, WATCHER_VICTIM);
	} else if (wants) {
		queue_events(w, x, rev, &events);
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

/* ---- those that are behind ---- */

enum { FEW = 4 };

/* What one watcher gets in a round. */
struct batch {
	uint64_t seq;
	size_t place; /* of the watcher; none is added or removed during a round */
	int64_t min_rev;
	event_list events;
	int64_t last_rev, nrevs;
	int64_t more_rev; /* not 0: the batch is full, and goes on here in the next round */
};

typedef VEC(struct batch) batch_list;

/* Takes the first unsynced watchers, and tells those whose history is gone. */
static void choose(struct watchable *w, const struct mvcc *m, batch_list *chosen)
{
	for (size_t i = 0; i < w->watchers.n && chosen->n < WATCH_UNSYNCED_PER_ROUND;) {
		struct watcher *x = &w->watchers.v[i];
		if (x->group == WATCHER_SYNCED || channel_full(w, x->id)) {
			i++;
		} else if (x->min_rev < m->compact_rev) {
			queue_canceled(w, x->id, m);
			remove_watcher(w, i);
		} else {
			vec_push(chosen,
				 (struct batch){.seq = x->seq, .place = i, .min_rev = x->min_rev});
			i++;
		}
	}
}

static struct batch *batch_of(const batch_list *chosen, uint64_t seq)
{
	size_t lo = 0, hi = chosen->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (chosen->v[mid].seq < seq)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < chosen->n && chosen->v[lo].seq == seq ? &chosen->v[lo] : NULL;
}

/* Returns true if the batch has become full with this row. */
static bool batch_add(struct watchable *w, struct batch *b, const struct mvcc *m,
		      const struct row *r)
{
	if (b->more_rev || r->main < b->min_rev)
		return false;
	if (r->main != b->last_rev) {
		if (b->nrevs == WATCH_BATCH_REVISIONS) {
			b->more_rev = r->main;
			return true;
		}
		b->nrevs++;
		b->last_rev = r->main;
	}
	add_event(&w->watchers.v[b->place], m, r, &b->events);
	return false;
}

static int64_t lowest_rev(const batch_list *chosen)
{
	int64_t rev = INT64_MAX;

	for (size_t i = 0; i < chosen->n; i++)
		if (chosen->v[i].min_rev < rev)
			rev = chosen->v[i].min_rev;
	return rev;
}

/* Gives the row to the batches that it concerns; returns how many have become full.  A few watchers
 * are asked one by one, many are found through the index. */
static size_t scan_row(struct watchable *w, const struct mvcc *m, batch_list *chosen,
		       const struct row *r)
{
	size_t full = 0;

	if (chosen->n <= FEW) {
		for (size_t i = 0; i < chosen->n; i++) {
			struct batch *b = &chosen->v[i];
			if (key_range_has(w->watchers.v[b->place].range, row_key(r)))
				full += batch_add(w, b, m, r);
		}
		return full;
	}
	w->matched.n = 0;
	watch_index_match(&w->index, row_key(r), &w->matched);
	for (size_t i = 0; i < w->matched.n; i++) {
		struct batch *b = batch_of(chosen, w->matched.v[i]);
		full += b && batch_add(w, b, m, r);
	}
	return full;
}

/* One scan of the rows for all of them; it ends early when every batch is full. */
static void scan(struct watchable *w, const struct mvcc *m, batch_list *chosen)
{
	uint64_t n = mvcc_row_count(m);
	size_t full = 0;

	for (uint64_t i = mvcc_row_at_or_after(m, (struct revision){lowest_rev(chosen), 0});
	     i < n && full < chosen->n; i++)
		full += scan_row(w, m, chosen, mvcc_row(m, i));
}

bool watchable_sync(struct watchable *w, const struct mvcc *m)
{
	batch_list chosen = {0};
	size_t before = w->not_synced;

	if (!before)
		return false;
	choose(w, m, &chosen);
	scan(w, m, &chosen);
	bool served = chosen.n > 0 || w->not_synced != before;
	for (size_t i = 0; i < chosen.n; i++) {
		struct batch *b = &chosen.v[i];
		struct watcher *x = &w->watchers.v[b->place];
		queue_events(w, x, m->current_rev, &b->events);
		x->min_rev = b->more_rev		   ? b->more_rev
			     : x->min_rev > m->current_rev ? x->min_rev
							   : m->current_rev + 1;
		set_group(w, x, b->more_rev ? WATCHER_UNSYNCED : WATCHER_SYNCED);
		vec_free(&b->events);
	}
	vec_free(&chosen);
	return served;
}
