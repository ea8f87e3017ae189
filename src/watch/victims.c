/* Clients that do not read, and those who suffer from it (etcd: watchable_store.go,
 * syncVictimsLoop): a channel fills up response by response; the first one that finds no room makes
 * a victim of its watcher, which hears of nothing else until that one has gone in.
 */
#include "watch/private.h"

/* What has arrived is before what has not been sent, and the next to arrive is behind it. */
static size_t place_of_arrived(const struct watch_response *v, size_t n, uint64_t id)
{
	size_t first = n;

	for (size_t i = n; i-- > 0;) {
		if (v[i].watcher != id)
			continue;
		if (v[i].arrived)
			return i + 1;
		first = i;
	}
	return first;
}

static void move_last_to(struct watch_response *v, size_t n, size_t at)
{
	struct watch_response last = v[n - 1];

	memmove(v + at + 1, v + at, (n - 1 - at) * sizeof *v);
	v[at] = last;
}

void watchable_keep_unread(struct watchable *w, struct watch_response r)
{
	size_t at = r.arrived ? place_of_arrived(w->unread.v, w->unread.n, r.watcher) : w->unread.n;

	vec_push(&w->unread, r);
	move_last_to(w->unread.v, w->unread.n, at);
}

bool watchable_keep_order(struct watchable *w, struct watch_response r)
{
	size_t at = place_of_arrived(w->queue.v, w->queue.n, r.watcher);

	if (at == 0 || w->queue.v[at - 1].watcher != r.watcher || !w->queue.v[at - 1].arrived)
		return false;
	vec_push(&w->queue, r);
	move_last_to(w->queue.v, w->queue.n, at);
	return true;
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
