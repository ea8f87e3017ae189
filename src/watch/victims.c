/* Clients that do not read, and those who suffer from it (etcd: watchable_store.go,
 * syncVictimsLoop): a channel fills up response by response; the first one that finds no room makes
 * a victim of its watcher, which hears of nothing else until that one has gone in.
 */
#include "watch/private.h"

void watchable_keep_unread(struct watchable *w, struct watch_response r)
{
	vec_push(&w->unread, r);
}

void watchable_read_on(struct watchable *w, uint64_t id)
{
	VEC(struct watch_response) all = {0};
	size_t kept = 0;

	for (size_t i = 0; i < w->unread.n; i++)
		if (w->unread.v[i].watcher == id)
			vec_push(&all, w->unread.v[i]);
		else
			w->unread.v[kept++] = w->unread.v[i];
	w->unread.n = kept;
	for (size_t i = 0; i < w->queue.n; i++)
		vec_push(&all, w->queue.v[i]);
	w->queue.n = 0;
	for (size_t i = 0; i < all.n; i++)
		vec_push(&w->queue, all.v[i]);
	vec_free(&all);
}

/* A queue is drained by itself; what is unread is not. */
bool watchable_victim_waits(const struct watchable *w)
{
	for (size_t i = 0; i < w->victims.n; i++) {
		uint64_t id = w->victims.v[i].response.watcher;
		bool reads = true;
		for (size_t k = 0; reads && k < w->unread.n; k++)
			reads = w->unread.v[k].watcher != id;
		if (reads)
			return true;
	}
	return false;
}

void watchable_retry_victims(struct watchable *w, const struct mvcc *m)
{
	for (size_t i = 0; i < w->victims.n;) {
		struct watch_victim v = w->victims.v[i];
		struct watcher *x = watch_find(w, v.response.watcher);
		if (watch_channel_full(w, x->id)) {
			i++;
			continue;
		}
		vec_push(&w->queue, v.response);
		vec_remove(&w->victims, i);
		watch_set_group(w, x,
				x->min_rev <= m->current_rev ? WATCHER_UNSYNCED : WATCHER_SYNCED);
	}
}

void watchable_progress(struct watchable *w, const struct mvcc *m, uint64_t id)
{
	const struct watcher *x = watchable_find(w, id);

	if (!x || x->group != WATCHER_SYNCED || m->current_rev < x->start_rev ||
	    watch_channel_full(w, id))
		return;
	vec_push(&w->queue, (struct watch_response){
				.watcher = id, .revision = m->current_rev, .progress = true});
}

void watchable_report(struct watchable *w, const struct mvcc *m, uint64_t id)
{
	struct watcher *x = watch_find(w, id);

	if (x->quiet)
		watchable_progress(w, m, id);
	x->quiet = true;
}

void watchable_sent(struct watchable *w, uint64_t id)
{
	struct watcher *x = watch_find(w, id);

	if (x)
		x->quiet = false;
}
