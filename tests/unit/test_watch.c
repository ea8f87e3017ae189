/* The watchable store's rules (etcd-server.md section 2, cluster-facts V1 to V7, K2), and the
 * guarantees that etcd publishes for watches, checked over random histories: ordered, unique,
 * reliable, atomic, resumable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/prng.h"
#include "store_help.h"
#include "watch/watchable.h"

struct world {
	struct heap *heap;
	struct mvcc m;
	struct watchable w;
};

static int set_up(void **state)
{
	struct world *w = xcalloc(1, sizeof *w);

	w->heap = heap_new();
	mvcc_init(&w->m, w->heap);
	watchable_init(&w->w, w->heap);
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	watchable_free(&w->w);
	heap_free(w->heap);
	free(w);
	return 0;
}

/* ---- writes that tell the watchers, as the applier does ---- */

static void finish(struct world *w, struct mvcc_txn *t)
{
	watchable_notify(&w->w, &w->m, t->changes.v, t->changes.n);
	mvcc_txn_end(t);
	mvcc_txn_free(t);
}

static void wput(struct world *w, const char *key, const char *value)
{
	struct mvcc_txn t;

	mvcc_txn_begin(&t, &w->m, NULL);
	mvcc_txn_put(&t, bytes_of(key), bytes_of(value), 0);
	finish(w, &t);
}

static void wdel(struct world *w, struct key_range r)
{
	struct mvcc_txn t;

	mvcc_txn_begin(&t, &w->m, NULL);
	mvcc_txn_delete_range(&t, r);
	finish(w, &t);
}

static void watch(struct world *w, uint64_t id, struct key_range r, int64_t rev)
{
	watchable_add(&w->w, &w->m, (struct watcher){.id = id, .range = r, .start_rev = rev});
}

/* ---- what was queued, as text: "1@3[PUT a=1; DEL b]" ---- */

static void say_event(struct buf *b, const struct event *e)
{
	struct bytes key = row_key(e->row), value = row_value(e->row);

	buf_puts(b, row_is_tombstone(e->row) ? "DEL " : "PUT ");
	buf_put_bytes(b, key);
	if (!row_is_tombstone(e->row)) {
		buf_putc(b, '=');
		buf_put_bytes(b, value);
	}
	if (e->prev) {
		buf_puts(b, " was ");
		buf_put_bytes(b, row_value(e->prev));
	}
}

static void say_response(struct buf *b, const struct watch_response *r)
{
	buf_printf(b, "%llu@%lld", (unsigned long long)r->watcher, (long long)r->revision);
	if (r->created)
		buf_puts(b, " created");
	if (r->canceled)
		buf_printf(b, " canceled %lld", (long long)r->compact_revision);
	if (r->progress)
		buf_puts(b, " progress");
	for (size_t i = 0; i < r->nevents; i++) {
		buf_puts(b, i ? "; " : "[");
		say_event(b, &r->events[i]);
	}
	if (r->nevents)
		buf_putc(b, ']');
}

/* Empties the queue. */
static void assert_queue(struct world *w, const char *expected)
{
	struct buf b = {0};

	for (size_t i = 0; i < w->w.queue.n; i++) {
		buf_puts(&b, i ? " " : "");
		say_response(&b, &w->w.queue.v[i]);
	}
	w->w.queue.n = 0;
	assert_string_equal(buf_str(&b), expected);
	buf_free(&b);
}

/* ---- synced ---- */

static void created_comes_first_then_events(void **state)
{
	struct world *w = *state;

	wput(w, "k", "0");
	watch(w, 1, one_key("k"), 0);
	assert_queue(w, "1@2 created");
	wput(w, "k", "a");
	wput(w, "other", "a");
	wdel(w, one_key("k"));
	assert_queue(w, "1@3[PUT k=a] 1@5[DEL k]");
}

/* V1, E7: one response for a revision; a transaction in order of operation, a delete in order of
 * key. */
static void all_events_of_a_revision_come_in_one_response(void **state)
{
	struct world *w = *state;
	struct mvcc_txn t;

	watch(w, 1, key_to("k", "l"), 0);
	mvcc_txn_begin(&t, &w->m, NULL);
	mvcc_txn_put(&t, BYTES("kb"), BYTES("1"), 0);
	mvcc_txn_put(&t, BYTES("x"), BYTES("1"), 0);
	mvcc_txn_put(&t, BYTES("ka"), BYTES("5"), 0);
	finish(w, &t);
	wdel(w, key_to("k", "l"));
	assert_queue(w, "1@1 created 1@2[PUT kb=1; PUT ka=5] 1@3[DEL ka; DEL kb]");
}

static void watchers_are_served_in_order_of_creation(void **state)
{
	struct world *w = *state;

	watch(w, 9, from_key("a"), 0);
	watch(w, 5, one_key("k"), 0);
	watch(w, 7, key_to("j", "l"), 0);
	w->w.queue.n = 0;
	wput(w, "k", "v");
	assert_queue(w, "9@2[PUT k=v] 5@2[PUT k=v] 7@2[PUT k=v]");
	assert_true(watchable_cancel(&w->w, 5));
	assert_false(watchable_cancel(&w->w, 5));
	wput(w, "k", "w");
	assert_queue(w, "9@3[PUT k=w] 7@3[PUT k=w]");
}

static void a_range_is_half_open(void **state)
{
	struct world *w = *state;

	watch(w, 1, key_to("a", "c"), 0);
	w->w.queue.n = 0;
	wput(w, "a", "1");
	wput(w, "b", "1");
	wput(w, "c", "1");
	assert_queue(w, "1@2[PUT a=1] 1@3[PUT b=1]");
}

static void a_start_in_the_future_is_waited_for(void **state)
{
	struct world *w = *state;

	watch(w, 1, one_key("k"), 4);
	w->w.queue.n = 0;
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_SYNCED);
	wput(w, "k", "2");
	wput(w, "k", "3");
	wput(w, "k", "4");
	assert_queue(w, "1@4[PUT k=4]");
}

/* ---- previous pairs and filters ---- */

static void prev_kv_is_the_pair_before_if_there_was_one(void **state)
{
	struct world *w = *state;

	watchable_add(&w->w, &w->m,
		      (struct watcher){.id = 1, .range = one_key("k"), .prev_kv = true});
	w->w.queue.n = 0;
	wput(w, "k", "a");
	wput(w, "k", "b");
	wdel(w, one_key("k"));
	wput(w, "k", "c");
	assert_queue(w, "1@2[PUT k=a] 1@3[PUT k=b was a] 1@4[DEL k was b] 1@5[PUT k=c]");
}

static void prev_kv_is_absent_if_compacted(void **state)
{
	struct world *w = *state;

	wput(w, "k", "a");
	wput(w, "k", "b");
	wput(w, "k", "c");
	assert_int_equal(mvcc_compact(&w->m, 3, NULL), ERR_NONE);
	watchable_add(
	    &w->w, &w->m,
	    (struct watcher){.id = 1, .range = one_key("k"), .start_rev = 3, .prev_kv = true});
	w->w.queue.n = 0;
	watchable_sync(&w->w, &w->m);
	assert_queue(w, "1@4[PUT k=b; PUT k=c was b]");
}

static void filters_drop_events_and_empty_responses(void **state)
{
	struct world *w = *state;

	wput(w, "k", "0");
	watchable_add(&w->w, &w->m,
		      (struct watcher){.id = 1, .range = one_key("k"), .no_put = true});
	watchable_add(
	    &w->w, &w->m,
	    (struct watcher){.id = 2, .range = one_key("k"), .start_rev = 2, .no_delete = true});
	w->w.queue.n = 0;
	wput(w, "k", "a");
	wdel(w, one_key("k"));
	watchable_sync(&w->w, &w->m);
	assert_queue(w, "1@4[DEL k] 2@4[PUT k=0; PUT k=a]");
}

/* ---- unsynced ---- */

static void the_past_is_replayed_then_the_watcher_is_synced(void **state)
{
	struct world *w = *state;

	wput(w, "k", "2");
	wput(w, "x", "3");
	wput(w, "k", "4");
	watch(w, 1, one_key("k"), 2);
	assert_queue(w, "1@4 created");
	assert_true(watchable_has_unsynced(&w->w));
	wput(w, "k", "5"); /* not told now: it is behind */
	assert_queue(w, "");
	assert_true(watchable_sync(&w->w, &w->m));
	assert_queue(w, "1@5[PUT k=2; PUT k=4; PUT k=5]");
	assert_false(watchable_has_unsynced(&w->w));
	assert_false(watchable_sync(&w->w, &w->m));
	wput(w, "k", "6");
	assert_queue(w, "1@6[PUT k=6]");
}

static void a_round_holds_at_most_1000_revisions(void **state)
{
	struct world *w = *state;
	size_t expected[] = {1000, 1000, 500};

	for (int i = 0; i < 2500; i++)
		wput(w, "k", "v");
	watch(w, 1, one_key("k"), 1);
	w->w.queue.n = 0;
	for (size_t i = 0; i < 3; i++) {
		assert_true(watchable_has_unsynced(&w->w));
		watchable_sync(&w->w, &w->m);
		assert_int_equal(w->w.queue.n, 1);
		assert_int_equal(w->w.queue.v[0].nevents, expected[i]);
		assert_int_equal(w->w.queue.v[0].events[0].row->main, 2 + 1000 * i);
		w->w.queue.n = 0;
	}
	assert_false(watchable_has_unsynced(&w->w));
}

static void a_round_serves_at_most_512_watchers(void **state)
{
	struct world *w = *state;

	wput(w, "k", "v");
	for (uint64_t id = 1; id <= 600; id++)
		watch(w, id, one_key("k"), 2);
	w->w.queue.n = 0;
	watchable_sync(&w->w, &w->m);
	assert_int_equal(w->w.queue.n, 512);
	w->w.queue.n = 0;
	watchable_sync(&w->w, &w->m);
	assert_int_equal(w->w.queue.n, 88);
}

/* ---- compaction ---- */

/* V5, K2: exactly the compacted revision can be watched, below it cannot. */
static void a_start_below_the_compacted_revision_is_canceled(void **state)
{
	struct world *w = *state;

	for (int i = 2; i <= 5; i++)
		wput(w, "k", (const char *[]){"a", "b", "c", "d"}[i - 2]);
	mvcc_compact(&w->m, 5, NULL);
	watch(w, 1, one_key("k"), 4);
	assert_queue(w, "1@5 created 1@5 canceled 5");
	assert_null(watchable_find(&w->w, 1));
	watch(w, 2, one_key("k"), 5);
	watchable_sync(&w->w, &w->m);
	assert_queue(w, "2@5 created 2@5[PUT k=d]");
}

static void a_watcher_that_compaction_overtakes_is_canceled(void **state)
{
	struct world *w = *state;

	wput(w, "k", "2");
	wput(w, "k", "3");
	wput(w, "k", "4");
	watch(w, 1, one_key("k"), 2);
	w->w.queue.n = 0;
	mvcc_compact(&w->m, 4, NULL);
	assert_true(watchable_sync(&w->w, &w->m));
	assert_queue(w, "1@4 canceled 4");
	assert_false(watchable_has_unsynced(&w->w));
}

static void k2_the_tombstone_at_the_compacted_revision(void **state)
{
	struct world *w = *state;

	for (int keep = 0; keep < 2; keep++) {
		mvcc_init(&w->m, w->heap);
		w->m.keep_tombstone_at_compact = keep; /* 3.5 */
		wput(w, "a", "1");
		wput(w, "b", "1");
		wdel(w, one_key("a"));
		wput(w, "b", "2");
		mvcc_compact(&w->m, 4, NULL);
		watch(w, 1, one_key("a"), 4);
		w->w.queue.n = 0;
		watchable_sync(&w->w, &w->m);
		assert_queue(w, keep ? "1@5[DEL a]" : "");
		watchable_cancel(&w->w, 1);
	}
}

static void a_negative_start_is_canceled_at_creation(void **state)
{
	struct world *w = *state;

	watch(w, 1, one_key("k"), -1);
	assert_queue(w, "1@1 created canceled 0");
	assert_null(watchable_find(&w->w, 1));
}

/* ---- victims, snapshots, copies ---- */

/* Nobody empties the queue: what comes after 128 responses makes a victim of the watcher, which
 * loses nothing. */
static void a_full_channel_makes_a_victim(void **state)
{
	struct world *w = *state;

	watch(w, 1, one_key("k"), 0);
	w->w.queue.n = 0;
	for (int i = 0; i < 130; i++)
		wput(w, "k", "v");
	assert_int_equal(w->w.queue.n, WATCH_CHANNEL);
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_VICTIM);
	watchable_retry_victims(&w->w, &w->m); /* still full */
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_VICTIM);
	assert_false(watchable_sync(&w->w, &w->m));
	w->w.queue.n = 0;
	wput(w, "k", "last");
	watchable_retry_victims(&w->w, &w->m);
	assert_queue(w, "1@130[PUT k=v]");
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_UNSYNCED);
	assert_true(watchable_sync(&w->w, &w->m));
	assert_queue(w, "1@132[PUT k=v; PUT k=last]");
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_SYNCED);
}

/* With nothing more to come a victim is synced as soon as it has what waited. */
static void a_victim_that_missed_nothing_is_synced(void **state)
{
	struct world *w = *state;

	watch(w, 1, one_key("k"), 0);
	w->w.queue.n = 0;
	for (int i = 0; i < WATCH_CHANNEL + 1; i++)
		wput(w, "k", "v");
	w->w.queue.n = 0;
	watchable_retry_victims(&w->w, &w->m);
	assert_queue(w, "1@130[PUT k=v]");
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_SYNCED);
	wput(w, "k", "next");
	assert_queue(w, "1@131[PUT k=next]");
}

/* A compaction takes from a victim what it has not been given yet, but not what waits. */
static void a_victim_keeps_what_waits_and_loses_what_is_compacted(void **state)
{
	struct world *w = *state;

	watch(w, 1, one_key("k"), 0);
	w->w.queue.n = 0;
	for (int i = 0; i < WATCH_CHANNEL + 5; i++)
		wput(w, "k", "v");
	w->w.queue.n = 0;
	assert_int_equal(mvcc_compact(&w->m, w->m.current_rev, NULL), ERR_NONE);
	watchable_retry_victims(&w->w, &w->m);
	watchable_sync(&w->w, &w->m);
	assert_queue(w, "1@130[PUT k=v] 1@134 canceled 134");
	assert_null(watchable_find(&w->w, 1));
}

/* A round that serves one who is behind may fill his channel as well. */
static void a_full_channel_in_a_round_makes_a_victim(void **state)
{
	struct world *w = *state;

	for (int i = 0; i < WATCH_BATCH_REVISIONS + 10; i++)
		wput(w, "k", "v");
	watch(w, 1, one_key("k"), 2);
	while (w->w.queue.n < WATCH_CHANNEL)
		vec_push(&w->w.queue, (struct watch_response){.watcher = 1});
	assert_true(watchable_sync(&w->w, &w->m));
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_VICTIM);
	assert_int_equal(watchable_find(&w->w, 1)->min_rev, 2 + WATCH_BATCH_REVISIONS);
	w->w.queue.n = 0;
	watchable_retry_victims(&w->w, &w->m);
	assert_int_equal(w->w.queue.v[0].nevents, WATCH_BATCH_REVISIONS);
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_UNSYNCED);
	assert_true(watchable_sync(&w->w, &w->m));
	assert_int_equal(w->w.queue.v[1].nevents, 10);
	assert_int_equal(watchable_find(&w->w, 1)->group, WATCHER_SYNCED);
}

/* What a client has not read fills its channel, and comes first when it reads on. */
static void what_is_unread_counts_and_comes_first(void **state)
{
	struct world *w = *state;

	watch(w, 1, one_key("k"), 0);
	watch(w, 2, one_key("k"), 0);
	w->w.queue.n = 0;
	wput(w, "k", "a");
	watchable_keep_unread(&w->w, w->w.queue.v[0]);
	w->w.queue.n = 0;
	wput(w, "k", "b");
	assert_int_equal(watchable_channel(&w->w, 1), 2);
	assert_int_equal(watchable_channel(&w->w, 2), 1);
	watchable_read_on(&w->w, 1);
	assert_int_equal(w->w.unread.n, 0);
	assert_queue(w, "1@2[PUT k=a] 1@3[PUT k=b] 2@3[PUT k=b]");
}

/* ---- progress ---- */

static void progress_is_told_to_who_is_synced(void **state)
{
	struct world *w = *state;

	wput(w, "k", "v");
	watch(w, 1, one_key("other"), 0);
	watch(w, 2, one_key("k"), 1); /* behind */
	watch(w, 3, one_key("k"), 9); /* in the future */
	w->w.queue.n = 0;
	for (uint64_t id = 1; id <= 4; id++)
		watchable_progress(&w->w, &w->m, id);
	assert_queue(w, "1@2 progress");
}

static void a_report_is_left_out_after_an_event(void **state)
{
	struct world *w = *state;

	watch(w, 1, one_key("k"), 0);
	w->w.queue.n = 0;
	watchable_report(&w->w, &w->m, 1);
	assert_queue(w, "1@1 progress");
	watchable_sent(&w->w, 1);
	watchable_report(&w->w, &w->m, 1);
	assert_queue(w, "");
	watchable_report(&w->w, &w->m, 1);
	assert_queue(w, "1@1 progress");
}

static void after_a_snapshot_watchers_go_on_from_their_next_revision(void **state)
{
	struct world *w = *state, ahead = {.heap = w->heap};

	wput(w, "k", "2");
	watch(w, 1, one_key("k"), 0);
	wput(w, "k", "3");
	w->w.queue.n = 0;
	heap_freeze(w->heap);
	ahead.m = w->m; /* another member's store, two revisions further */
	put(&ahead.m, "k", "4");
	put(&ahead.m, "k", "5");
	w->m = ahead.m;
	watchable_restore(&w->w);
	assert_true(watchable_has_unsynced(&w->w));
	watchable_sync(&w->w, &w->m);
	assert_queue(w, "1@5[PUT k=4; PUT k=5]");
}

static void a_copy_goes_its_own_way(void **state)
{
	struct world *w = *state;
	struct watchable copy;

	watch(w, 1, one_key("k"), 0);
	watch(w, 2, from_key("a"), 0);
	w->w.queue.n = 0;
	watchable_copy(&copy, &w->w);
	watchable_cancel(&w->w, 1);
	wput(w, "k", "v");
	assert_queue(w, "2@2[PUT k=v]");
	assert_int_equal(copy.queue.n, 0);
	watchable_notify(&copy, &w->m, (const struct row *[]){mvcc_row(&w->m, 0)}, 1);
	assert_int_equal(copy.queue.n, 2);
	watchable_free(&copy);
}

/* ---- the guarantees, over random histories ---- */

enum { WATCHERS = 40, STEPS = 4000 };

struct client {
	struct watcher spec;
	int64_t next; /* the lowest revision that may come */
	bool over;
};

struct history {
	struct world *w;
	struct prng g;
	VEC(const struct row *) all; /* every row that was ever written */
	struct client clients[WATCHERS];
};

static bool wants(const struct watcher *x, const struct row *r)
{
	return key_range_has(x->range, row_key(r)) &&
	       !(row_is_tombstone(r) ? x->no_delete : x->no_put);
}

/* The response holds exactly what matches in the revisions from the expected one to its last. */
static void check_response(struct history *h, const struct watch_response *r)
{
	struct client *c = &h->clients[r->watcher];
	size_t n = 0;

	if (r->canceled) {
		assert_true(c->next < r->compact_revision);
		c->over = true;
	}
	if (!r->nevents)
		return;
	assert_false(c->over);
	int64_t last = r->events[r->nevents - 1].row->main;
	assert_true(r->events[0].row->main >= c->next && last <= r->revision);
	for (size_t i = 0; i < h->all.n; i++) {
		const struct row *x = h->all.v[i];
		if (x->main < c->next || x->main > last || !wants(&c->spec, x))
			continue;
		assert_true(n < r->nevents);
		assert_ptr_equal(r->events[n].row, x);
		n++;
	}
	assert_int_equal(n, r->nevents);
	c->next = last + 1;
}

static void drain(struct history *h)
{
	for (size_t i = 0; i < h->w->w.queue.n; i++)
		check_response(h, &h->w->w.queue.v[i]);
	h->w->w.queue.n = 0;
}

static struct key_range random_range(struct prng *g)
{
	static const char *const keys[] = {"a", "ab", "abc", "b", "ba", "c", "d", "da"};
	const char *from = keys[prng_below(g, 8)], *to = keys[prng_below(g, 8)];

	switch (prng_below(g, 4)) {
	case 0:
		return from_key(from);
	case 1:
		return key_to(from, to);
	default:
		return one_key(from);
	}
}

static void random_watch(struct history *h, uint64_t id)
{
	struct client *c = &h->clients[id];
	int64_t now = h->w->m.current_rev;
	struct watcher x = {.id = id,
			    .range = random_range(&h->g),
			    .no_put = prng_below(&h->g, 8) == 0,
			    .no_delete = prng_below(&h->g, 8) == 0};

	drain(h);
	watchable_cancel(&h->w->w, id);
	if (prng_below(&h->g, 2))
		x.start_rev = (int64_t)prng_below(&h->g, (uint64_t)now + 5);
	*c = (struct client){.spec = x, .next = x.start_rev ? x.start_rev : now + 1};
	watchable_add(&h->w->w, &h->w->m, x);
}

static void random_write(struct history *h)
{
	struct mvcc_txn t;
	struct mvcc *m = &h->w->m;

	mvcc_txn_begin(&t, m, NULL);
	for (uint64_t n = 1 + prng_below(&h->g, 3); n > 0; n--) {
		struct key_range r = random_range(&h->g);
		if (prng_below(&h->g, 3))
			mvcc_txn_put(&t, r.key, BYTES("v"), 0);
		else
			mvcc_txn_delete_range(&t, r);
	}
	for (size_t i = 0; i < t.changes.n; i++)
		vec_push(&h->all, t.changes.v[i]);
	finish(h->w, &t);
}

static void random_step(struct history *h)
{
	uint64_t dice = prng_below(&h->g, 100);
	struct mvcc *m = &h->w->m;

	if (dice < 60)
		random_write(h);
	else if (dice < 80)
		random_watch(h, prng_below(&h->g, WATCHERS));
	else if (dice < 95)
		watchable_sync(&h->w->w, m);
	else if (dice < 96)
		watchable_restore(&h->w->w);
	else if (dice < 97 && m->current_rev > 60)
		mvcc_compact(m, m->current_rev - 50, NULL);
	else
		drain(h);
}

/* When nothing is left to serve, nobody may wait for anything that has happened. */
static void check_complete(struct history *h)
{
	while (watchable_sync(&h->w->w, &h->w->m) || watchable_has_unsynced(&h->w->w))
		drain(h);
	drain(h);
	for (uint64_t id = 0; id < WATCHERS; id++) {
		const struct client *c = &h->clients[id];
		if (c->over || !watchable_find(&h->w->w, id))
			continue;
		for (size_t i = 0; i < h->all.n; i++)
			assert_false(h->all.v[i]->main >= c->next && wants(&c->spec, h->all.v[i]));
	}
}

static void watches_keep_their_guarantees(void **state)
{
	struct history h = {.w = *state, .g = {7}};

	for (int i = 0; i < STEPS; i++) {
		random_step(&h);
		if (i % 500 == 499)
			check_complete(&h);
	}
	vec_free(&h.all);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(created_comes_first_then_events),
	    T(all_events_of_a_revision_come_in_one_response),
	    T(watchers_are_served_in_order_of_creation),
	    T(a_range_is_half_open),
	    T(a_start_in_the_future_is_waited_for),
	    T(prev_kv_is_the_pair_before_if_there_was_one),
	    T(prev_kv_is_absent_if_compacted),
	    T(filters_drop_events_and_empty_responses),
	    T(the_past_is_replayed_then_the_watcher_is_synced),
	    T(a_round_holds_at_most_1000_revisions),
	    T(a_round_serves_at_most_512_watchers),
	    T(a_start_below_the_compacted_revision_is_canceled),
	    T(a_watcher_that_compaction_overtakes_is_canceled),
	    T(k2_the_tombstone_at_the_compacted_revision),
	    T(a_negative_start_is_canceled_at_creation),
	    T(a_full_channel_makes_a_victim),
	    T(a_victim_that_missed_nothing_is_synced),
	    T(a_victim_keeps_what_waits_and_loses_what_is_compacted),
	    T(a_full_channel_in_a_round_makes_a_victim),
	    T(what_is_unread_counts_and_comes_first),
	    T(progress_is_told_to_who_is_synced),
	    T(a_report_is_left_out_after_an_event),
	    T(after_a_snapshot_watchers_go_on_from_their_next_revision),
	    T(a_copy_goes_its_own_way),
	    T(watches_keep_their_guarantees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
