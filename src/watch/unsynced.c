/* Those that are behind (etcd: watchable_store.go, syncWatchers; watcher_group.go, choose): up to
 * 512 of them are served in a round, all by one scan of the rows from the lowest revision that any
 * of them needs.
 */
#include "watch/private.h"

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

/* Takes the first unsynced watchers, and tells those whose history is gone, if they can be told. */
static void choose(struct watchable *w, const struct mvcc *m, batch_list *chosen)
{
	for (size_t i = 0; i < w->watchers.n && chosen->n < WATCH_UNSYNCED_PER_ROUND;) {
		struct watcher *x = &w->watchers.v[i];
		bool gone = x->min_rev < m->compact_rev;
		if (x->group != WATCHER_UNSYNCED || (gone && watch_channel_full(w, x->id))) {
			i++;
		} else if (gone) {
			watch_queue_canceled(w, x->id, m);
			watch_remove(w, i);
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
	watch_add_event(&w->watchers.v[b->place], m, r, &b->events);
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

/* What the round has found for one watcher is sent. */
static void send_batch(struct watchable *w, const struct mvcc *m, const struct batch *b)
{
	struct watcher *x = &w->watchers.v[b->place];
	bool sent = watch_queue_events(w, x, m->current_rev, b->more_rev, &b->events);

	if (b->more_rev)
		x->min_rev = b->more_rev;
	else if (x->min_rev <= m->current_rev)
		x->min_rev = m->current_rev + 1;
	if (sent)
		watch_set_group(w, x, b->more_rev ? WATCHER_UNSYNCED : WATCHER_SYNCED);
}

bool watchable_sync(struct watchable *w, const struct mvcc *m)
{
	batch_list chosen = {0};
	size_t before = w->unsynced;

	if (!before)
		return false;
	choose(w, m, &chosen);
	scan(w, m, &chosen);
	bool served = chosen.n > 0 || w->unsynced != before;
	for (size_t i = 0; i < chosen.n; i++) {
		send_batch(w, m, &chosen.v[i]);
		vec_free(&chosen.v[i].events);
	}
	vec_free(&chosen);
	return served;
}
