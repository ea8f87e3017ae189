/* The store's rules, each test named for the one it shows.  Expected values are etcd's:
 * cluster-facts K1, K2, E7, H1, and the examples in the head of etcd's key_index.go.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "store_help.h"

struct world {
	struct heap *heap;
	struct mvcc m;
};

static int set_up(void **state)
{
	struct world *w = xcalloc(1, sizeof *w);

	w->heap = heap_new();
	mvcc_init(&w->m, w->heap);
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	heap_free(w->heap);
	free(w);
	return 0;
}

static struct mvcc *store(void **state)
{
	return &((struct world *)*state)->m;
}

/* "{2 3 4t} {5}", as etcd's comments write generations; .1 is a sub revision. */
static void say_generations(const struct mvcc *m, const char *key, struct buf *out)
{
	struct key_index_view v;

	buf_clear(out);
	if (!mvcc_index_seek(m, bytes_of(key), &v) || !bytes_is(v.key, key))
		return;
	for (size_t i = 0; i < v.ngenerations; i++) {
		const struct generation *g = &v.generations[i];
		bool dead = i + 1 < v.ngenerations;
		buf_puts(out, i ? " {" : "{");
		for (uint32_t k = 0; k < g->nrevs; k++) {
			buf_printf(out, "%s%lld", k ? " " : "", (long long)g->revs[k].main);
			if (g->revs[k].sub)
				buf_printf(out, ".%lld", (long long)g->revs[k].sub);
		}
		buf_puts(out, dead && g->nrevs ? "t}" : "}");
	}
}

#define assert_generations(m, key, expected)                                                       \
	do {                                                                                       \
		struct buf b_ = {0};                                                               \
		say_generations(m, key, &b_);                                                      \
		assert_string_equal(buf_str(&b_), expected);                                       \
		buf_free(&b_);                                                                     \
	} while (0)

static void assert_value(const struct mvcc *m, const char *key, int64_t rev, const char *value)
{
	const struct row *r = mvcc_get(m, bytes_of(key), rev);

	if (!value) {
		assert_null(r);
		return;
	}
	assert_non_null(r);
	assert_true(bytes_is(row_value(r), value));
}

/* The keys of a range, joined by blanks. */
static void assert_range(const struct mvcc *m, struct key_range range, int64_t rev, int64_t limit,
			 const char *keys, int64_t count)
{
	struct row_list l = {0};
	struct buf b = {0};

	assert_int_equal(mvcc_range(m, range, rev, limit, &l), ERR_NONE);
	for (size_t i = 0; i < l.rows.n; i++) {
		buf_puts(&b, i ? " " : "");
		buf_put_bytes(&b, row_key(l.rows.v[i]));
	}
	assert_string_equal(buf_str(&b), keys);
	assert_int_equal(l.count, count);
	buf_free(&b);
	vec_free(&l.rows);
}

static enum error range_error(const struct mvcc *m, int64_t rev)
{
	struct row_list l = {0};
	enum error e = mvcc_range(m, from_key(""), rev, 0, &l);

	vec_free(&l.rows);
	return e;
}

/* ---- writing ---- */

static void an_empty_store_is_at_revision_1(void **state)
{
	assert_int_equal(store(state)->current_rev, 1);
	assert_int_equal(store(state)->compact_rev, -1);
	assert_int_equal(mvcc_row_count(store(state)), 0);
}

static void a_put_raises_the_revision_and_counts_versions(void **state)
{
	struct mvcc *m = store(state);

	put(m, "k", "a");
	const struct row *r = put(m, "k", "b");
	assert_int_equal(m->current_rev, 3);
	assert_int_equal(r->main, 3);
	assert_int_equal(r->create, 2);
	assert_int_equal(r->version, 2);
	assert_value(m, "k", 0, "b");
	assert_value(m, "k", 2, "a");
	assert_value(m, "k", 1, NULL);
}

static void a_key_created_again_starts_over(void **state)
{
	struct mvcc *m = store(state);

	put(m, "k", "a");
	del(m, "k");
	assert_value(m, "k", 0, NULL);
	const struct row *r = put(m, "k", "b");
	assert_int_equal(r->create, 4);
	assert_int_equal(r->version, 1);
	assert_int_equal(m->live_keys, 1);
}

static void a_transaction_is_one_revision_and_sub_counts_its_changes(void **state)
{
	struct mvcc *m = store(state);
	struct mvcc_txn t;

	mvcc_txn_begin(&t, m, NULL);
	assert_int_equal(mvcc_txn_rev(&t), 1);
	mvcc_txn_put(&t, bytes_of("a"), bytes_of("1"), 0);
	assert_int_equal(mvcc_txn_rev(&t), 2);
	const struct row *b = mvcc_txn_put(&t, bytes_of("b"), bytes_of("1"), 7);
	assert_int_equal(m->current_rev, 1); /* not yet readable from outside */
	mvcc_txn_end(&t);
	mvcc_txn_free(&t);
	assert_int_equal(m->current_rev, 2);
	assert_int_equal(b->main, 2);
	assert_int_equal(b->sub, 1);
	assert_int_equal(b->lease, 7);
}

static void later_operations_of_a_transaction_see_the_earlier_ones(void **state)
{
	struct mvcc *m = store(state);
	struct mvcc_txn t;

	put(m, "a", "0");
	mvcc_txn_begin(&t, m, NULL);
	mvcc_txn_put(&t, bytes_of("b"), bytes_of("1"), 0);
	assert_range(m, from_key(""), mvcc_txn_rev(&t), 0, "a b", 2);
	assert_int_equal(range_error(m, mvcc_txn_rev(&t) + 1), ERR_FUTURE_REV);
	assert_int_equal(mvcc_txn_delete_range(&t, key_to("a", "z")), 2);
	assert_range(m, from_key(""), 0, 0, "", 0);
	mvcc_txn_end(&t);
	mvcc_txn_free(&t);
}

static void a_delete_of_nothing_changes_nothing(void **state)
{
	struct mvcc *m = store(state);

	assert_int_equal(del(m, "k"), 0);
	put(m, "k", "a");
	del(m, "k");
	assert_int_equal(del(m, "k"), 0);
	assert_int_equal(m->current_rev, 3);
}

static void a_range_delete_goes_in_order_of_key_one_sub_each(void **state)
{
	struct mvcc *m = store(state);

	put(m, "kc", "1");
	put(m, "ka", "1");
	put(m, "kb", "1");
	assert_int_equal(del_range(m, key_to("k", "l")), 3);
	assert_int_equal(m->current_rev, 5);
	for (uint32_t i = 0; i < 3; i++) {
		const struct row *r = mvcc_row(m, 3 + i);
		assert_true(row_is_tombstone(r));
		assert_int_equal(r->main, 5);
		assert_int_equal(r->sub, i);
		assert_int_equal(row_key(r).p[1], "abc"[i]);
	}
}

/* ---- reading ---- */

static void ranges_are_half_open_and_ordered(void **state)
{
	struct mvcc *m = store(state);

	put(m, "b", "1");
	put(m, "a", "1");
	put(m, "c", "1");
	put(m, "ab", "1");
	assert_range(m, key_to("a", "c"), 0, 0, "a ab b", 3);
	assert_range(m, one_key("b"), 0, 0, "b", 1);
	assert_range(m, from_key("ab"), 0, 0, "ab b c", 3);
	assert_range(m, key_to("c", "a"), 0, 0, "", 0);
	assert_range(m, from_key(""), 3, 0, "a b", 2);
}

static void a_limit_cuts_the_list_but_not_the_count(void **state)
{
	struct mvcc *m = store(state);

	put(m, "a", "1");
	put(m, "b", "1");
	put(m, "c", "1");
	assert_range(m, from_key(""), 0, 2, "a b", 3);
}

static void a_future_revision_is_refused(void **state)
{
	struct mvcc *m = store(state);

	put(m, "a", "1");
	assert_int_equal(range_error(m, 2), ERR_NONE);
	assert_int_equal(range_error(m, 3), ERR_FUTURE_REV);
}

/* ---- generations (the example of etcd's key_index.go, with our revisions) ---- */

static void build_generations(struct mvcc *m)
{
	put(m, "foo", "1"); /* 2 */
	put(m, "foo", "2"); /* 3 */
	del(m, "foo");	    /* 4 */
	put(m, "foo", "3"); /* 5 */
	put(m, "foo", "4"); /* 6 */
	del(m, "foo");	    /* 7 */
}

static void a_tombstone_ends_a_generation(void **state)
{
	struct mvcc *m = store(state);
	struct key_index_view v;

	build_generations(m);
	assert_generations(m, "foo", "{2 3 4t} {5 6 7t} {}");
	assert_true(mvcc_index_seek(m, bytes_of("foo"), &v));
	assert_int_equal(v.modified.main, 7);
	assert_int_equal(v.generations[0].created.main, 2);
	assert_int_equal(v.generations[0].version, 3);
	assert_int_equal(v.generations[1].created.main, 5);
	assert_false(v.more);
	put(m, "foo", "5");
	assert_generations(m, "foo", "{2 3 4t} {5 6 7t} {8}");
}

static void compaction_shortens_generations(void **state)
{
	static const struct {
		int64_t rev;
		const char *generations;
	} steps[] = {{2, "{2 3 4t} {5 6 7t} {}"}, {3, "{3 4t} {5 6 7t} {}"}, {4, "{5 6 7t} {}"},
		     {5, "{5 6 7t} {}"},	  {6, "{6 7t} {}"},	     {7, ""}};
	struct mvcc *m = store(state);

	build_generations(m);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		assert_int_equal(mvcc_compact(m, steps[i].rev, NULL), ERR_NONE);
		assert_generations(m, "foo", steps[i].generations);
	}
	assert_int_equal(mvcc_index_count(m), 0);
	assert_int_equal(mvcc_row_count(m), 0);
	assert_int_equal(m->size, 0);
}

static void versions_count_writes_that_were_compacted_away(void **state)
{
	struct mvcc *m = store(state);
	struct key_index_view v;

	for (int i = 0; i < 20; i++)
		put(m, "k", "v");
	mvcc_compact(m, 15, NULL);
	assert_true(mvcc_index_seek(m, bytes_of("k"), &v));
	assert_int_equal(v.generations[0].version, 20);
	assert_int_equal(v.generations[0].nrevs, 7); /* 15 .. 21 */
	assert_int_equal(v.generations[0].created.main, 2);
}

static void a_view_shows_the_newest_revisions_of_a_long_history(void **state)
{
	struct mvcc *m = store(state);
	struct key_index_view v;

	for (int i = 0; i < 1000; i++)
		put(m, "k", "v");
	assert_true(mvcc_index_seek(m, bytes_of("k"), &v));
	assert_true(v.more);
	assert_int_equal(v.generations[0].nrevs, VIEW_REVISIONS);
	assert_int_equal(v.generations[0].revs[VIEW_REVISIONS - 1].main, 1001);
	for (int64_t rev = 2; rev <= 1001; rev++)
		assert_int_equal(mvcc_get(m, bytes_of("k"), rev)->main, rev);
}

/* ---- compaction ---- */

static void compaction_errors_come_as_in_etcd(void **state)
{
	struct mvcc *m = store(state);

	assert_int_equal(mvcc_compact(m, 2, NULL), ERR_FUTURE_REV);
	assert_int_equal(mvcc_compact(m, -4, NULL), ERR_COMPACTED);
	for (int i = 0; i < 6; i++)
		put(m, "k", "v"); /* 2 .. 7 */
	assert_int_equal(mvcc_compact(m, 5, NULL), ERR_NONE);
	assert_int_equal(mvcc_compact(m, 5, NULL), ERR_COMPACTED);
	assert_int_equal(mvcc_compact(m, 3, NULL), ERR_COMPACTED);
	assert_int_equal(mvcc_compact(m, 0, NULL), ERR_COMPACTED);
	assert_int_equal(mvcc_compact(m, 100, NULL), ERR_FUTURE_REV);
	assert_int_equal(mvcc_compact(m, 7, NULL), ERR_NONE);
	assert_value(m, "k", 0, "v");
}

/* compact-fresh-store.scope: a store that was never compacted accepts even revision 0. */
static void a_fresh_store_can_be_compacted_at_0(void **state)
{
	struct mvcc *m = store(state);

	assert_int_equal(mvcc_compact(m, 0, NULL), ERR_NONE);
	assert_int_equal(mvcc_compact(m, 0, NULL), ERR_COMPACTED);
	assert_int_equal(mvcc_compact(m, 1, NULL), ERR_NONE);
	assert_int_equal(mvcc_compact(m, 1, NULL), ERR_COMPACTED);
}

static void the_compacted_revision_itself_can_be_read(void **state)
{
	struct mvcc *m = store(state);

	for (int i = 0; i < 6; i++)
		put(m, "k", "v");
	mvcc_compact(m, 5, NULL);
	assert_int_equal(range_error(m, 4), ERR_COMPACTED);
	assert_int_equal(range_error(m, 5), ERR_NONE);
	assert_int_equal(mvcc_get(m, bytes_of("k"), 5)->main, 5);
}

static void build_k2(struct mvcc *m)
{
	put(m, "a", "1"); /* 2 */
	put(m, "b", "1"); /* 3 */
	del(m, "a");	  /* 4 */
	put(m, "b", "2"); /* 5 */
}

/* K2, as 3.4.23 does it. */
static void the_tombstone_at_the_compacted_revision_goes(void **state)
{
	struct mvcc *m = store(state);
	struct row_list gone = {0};

	build_k2(m);
	assert_int_equal(mvcc_compact(m, 4, &gone), ERR_NONE);
	assert_int_equal(gone.count, 2);
	assert_int_equal(gone.rows.v[0]->main, 2);
	assert_int_equal(gone.rows.v[1]->main, 4);
	vec_free(&gone.rows);
	assert_value(m, "a", 4, NULL);
	assert_value(m, "b", 4, "1");
	assert_generations(m, "a", "");
}

/* K2 under `set etcd 3.5`: it stays until the next compaction. */
static void with_3_5_the_tombstone_at_the_compacted_revision_stays(void **state)
{
	struct mvcc *m = store(state);

	m->keep_tombstone_at_compact = true;
	build_k2(m);
	mvcc_compact(m, 4, NULL);
	assert_value(m, "a", 4, NULL);
	assert_generations(m, "a", "{4t} {}");
	assert_int_equal(mvcc_row_count(m), 3);
	mvcc_compact(m, 5, NULL);
	assert_generations(m, "a", "");
	assert_int_equal(mvcc_row_count(m), 1);
	const struct row *r = put(m, "a", "9");
	assert_int_equal(r->create, 6);
	assert_int_equal(r->version, 1);
}

static void size_is_key_and_value_and_64_bytes_a_row(void **state)
{
	struct mvcc *m = store(state);

	put(m, "key", "value");
	put(m, "key", "");
	del(m, "key");
	assert_int_equal(m->size, (3 + 5 + 64) + (3 + 64) + (3 + 64));
	mvcc_compact(m, 3, NULL);
	assert_int_equal(m->size, 2 * (3 + 64));
}

/* ---- hash ---- */

static uint32_t hash_at(const struct mvcc *m, int64_t rev)
{
	uint32_t h = 0;

	assert_int_equal(mvcc_hash(m, rev, &h), ERR_NONE);
	return h;
}

static void the_hash_of_one_put_is_the_known_one(void **state)
{
	put(store(state), "k", "v");
	assert_int_equal(hash_at(store(state), 0), 3658645045u);
}

static void build_h1(struct mvcc *m)
{
	for (int i = 0; i < 10; i++)
		put(m, (const char *[]){"k0", "k1", "k2"}[i % 3], "v");
	del(m, "k1");
}

static void the_hashes_of_h1_are_the_known_ones(void **state)
{
	struct mvcc *m = store(state);
	uint32_t h;

	build_h1(m);
	assert_int_equal(hash_at(m, 0), 2748416860u);
	assert_int_equal(hash_at(m, 5), 3225803493u);
	mvcc_compact(m, 6, NULL);
	assert_int_equal(hash_at(m, 0), 1086571747u);
	assert_int_equal(mvcc_hash(m, 5, &h), ERR_COMPACTED);
	assert_int_equal(mvcc_hash(m, 100, &h), ERR_FUTURE_REV);
	assert_int_equal(mvcc_hash(m, 6, &h), ERR_COMPACTED); /* 3.4 */
	m->keep_tombstone_at_compact = true;
	assert_int_equal(mvcc_hash(m, 6, &h), ERR_NONE); /* 3.5 */
}

static void the_hash_survives_a_restart(void **state)
{
	struct mvcc *m = store(state);

	build_h1(m);
	mvcc_compact(m, 6, NULL);
	mvcc_restore(m);
	assert_int_equal(hash_at(m, 0), 1086571747u);
}

/* ---- members ---- */

static void put_memo(struct mvcc *m, struct row_memo *memo, const char *value)
{
	struct mvcc_txn t;

	mvcc_txn_begin(&t, m, memo);
	mvcc_txn_put(&t, bytes_of("k"), bytes_of(value), 0);
	mvcc_txn_end(&t);
	mvcc_txn_free(&t);
}

static void members_that_write_the_same_share_the_row(void **state)
{
	struct mvcc *m = store(state), other;
	struct row_memo memo[3] = {{0}};

	mvcc_init(&other, m->heap);
	put_memo(m, &memo[0], "a");
	put_memo(&other, &memo[0], "a");
	assert_ptr_equal(mvcc_row(m, 0), mvcc_row(&other, 0));
	put_memo(m, &memo[1], "b");
	put_memo(&other, &memo[1], "damaged");
	assert_ptr_not_equal(mvcc_row(m, 1), mvcc_row(&other, 1));
	/* from there on the key has two pasts, and so its rows cannot be one */
	put_memo(m, &memo[2], "c");
	put_memo(&other, &memo[2], "c");
	assert_ptr_not_equal(mvcc_row(m, 2), mvcc_row(&other, 2));
	assert_value(m, "k", 3, "b");
	assert_value(&other, "k", 3, "damaged");
}

static void damage_is_one_members_own(void **state)
{
	struct mvcc *m = store(state);

	put(m, "k", "1");
	put(m, "k", "2");
	put(m, "k", "3");
	heap_freeze(m->heap);
	struct mvcc other = *m;
	mvcc_corrupt(&other, 1, bytes_of("X"));
	assert_value(m, "k", 3, "2");
	assert_value(&other, "k", 3, "X");
	assert_value(&other, "k", 0, "3");
	assert_value(&other, "k", 2, "1");
	assert_int_not_equal(hash_at(m, 0), hash_at(&other, 0));
	assert_int_equal(hash_at(m, 2), hash_at(&other, 2));
}

static void a_past_store_sees_nothing_of_its_futures(void **state)
{
	struct mvcc *m = store(state);

	put(m, "k", "1");
	heap_freeze(m->heap);
	struct mvcc past = *m, other = *m;
	put(m, "k", "2");
	put(&other, "k", "two");
	put(&other, "z", "3");
	assert_generations(&past, "k", "{2}");
	assert_value(m, "k", 3, "2");
	assert_value(&other, "k", 3, "two");
	assert_value(m, "z", 0, NULL);
	assert_int_equal(mvcc_row_count(&past), 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(an_empty_store_is_at_revision_1),
	    T(a_put_raises_the_revision_and_counts_versions),
	    T(a_key_created_again_starts_over),
	    T(a_transaction_is_one_revision_and_sub_counts_its_changes),
	    T(later_operations_of_a_transaction_see_the_earlier_ones),
	    T(a_delete_of_nothing_changes_nothing),
	    T(a_range_delete_goes_in_order_of_key_one_sub_each),
	    T(ranges_are_half_open_and_ordered),
	    T(a_limit_cuts_the_list_but_not_the_count),
	    T(a_future_revision_is_refused),
	    T(a_tombstone_ends_a_generation),
	    T(compaction_shortens_generations),
	    T(versions_count_writes_that_were_compacted_away),
	    T(a_view_shows_the_newest_revisions_of_a_long_history),
	    T(compaction_errors_come_as_in_etcd),
	    T(a_fresh_store_can_be_compacted_at_0),
	    T(the_compacted_revision_itself_can_be_read),
	    T(the_tombstone_at_the_compacted_revision_goes),
	    T(with_3_5_the_tombstone_at_the_compacted_revision_stays),
	    T(size_is_key_and_value_and_64_bytes_a_row),
	    T(the_hash_of_one_put_is_the_known_one),
	    T(the_hashes_of_h1_are_the_known_ones),
	    T(the_hash_survives_a_restart),
	    T(members_that_write_the_same_share_the_row),
	    T(damage_is_one_members_own),
	    T(a_past_store_sees_nothing_of_its_futures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
