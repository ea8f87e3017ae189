/* The store against a naive one: an array of all rows, searched from end to end.  Thousands of
 * random operations, with copies of the store taken on the way that go on as futures of their own,
 * each with its own model.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/prng.h"
#include "mvcc/mvcc.h"

enum { KEYS = 400, WORLDS = 4, STEPS = 1500, SEEDS = 4 };

struct model_row {
	int64_t main, sub, create, version, lease;
	uint32_t key, value;
	bool dead;
};

struct model {
	VEC(struct model_row) rows;
	int64_t current, compacted;
};

struct world {
	struct mvcc m;
	struct model model;
};

struct test {
	struct heap *heap;
	struct prng rng;
	struct world worlds[WORLDS];
	char text[KEYS][24];
	struct bytes keys[KEYS]; /* in byte order, all different */
};

static int by_bytes(const void *a, const void *b)
{
	return bytes_cmp(*(const struct bytes *)a, *(const struct bytes *)b);
}

static int64_t below(struct test *t, int64_t n)
{
	return (int64_t)prng_below(&t->rng, (uint64_t)n);
}

/* Keys of all lengths over few letters, a zero byte among them, half of them under one long prefix.
 */
static void make_keys(struct test *t)
{
	for (int i = 0; i < KEYS; i++) {
		size_t n = 0;
		if (i % 2) {
			memcpy(t->text[i], "/registry/pod", 13);
			n = 13;
		}
		for (int more = (int)below(t, 9); more >= 0; more--)
			t->text[i][n++] = "\0a/\xff"[below(t, 4)];
		t->keys[i] = (struct bytes){t->text[i], n};
	}
	qsort(t->keys, KEYS, sizeof *t->keys, by_bytes);
	for (int i = 1; i < KEYS; i++) /* the few doubles get a tail of their own */
		assert_true(bytes_cmp(t->keys[i - 1], t->keys[i]) <= 0);
}

/* Equal keys have one number: the first that looks the same. */
static uint32_t pick_key(struct test *t)
{
	int64_t i = below(t, KEYS);

	while (i > 0 && bytes_eq(t->keys[i], t->keys[i - 1]))
		i--;
	return (uint32_t)i;
}

/* ---- the model ---- */

static const struct model_row *model_at(const struct model *m, uint32_t key, int64_t rev)
{
	for (size_t i = m->rows.n; i-- > 0;)
		if (m->rows.v[i].key == key && m->rows.v[i].main <= rev)
			return &m->rows.v[i];
	return NULL;
}

static const struct model_row *model_get(const struct model *m, uint32_t key, int64_t rev)
{
	const struct model_row *r = model_at(m, key, rev);

	return r && !r->dead ? r : NULL;
}

static void model_write(struct model *m, struct model_row r)
{
	const struct model_row *old = model_get(m, r.key, INT64_MAX);

	if (!r.dead) {
		r.create = old ? old->create : r.main;
		r.version = old ? old->version + 1 : 1;
	}
	vec_push(&m->rows, r);
}

static void model_compact(struct model *m, int64_t rev, bool keep_tombstone)
{
	size_t n = 0;

	for (size_t i = 0; i < m->rows.n; i++) {
		struct model_row r = m->rows.v[i];
		bool newest = model_at(m, r.key, rev) == &m->rows.v[i];
		bool keep =
		    r.main > rev || (newest && (!r.dead || (keep_tombstone && r.main == rev)));
		m->rows.v[i].sub = keep ? r.sub : -1;
	}
	for (size_t i = 0; i < m->rows.n; i++)
		if (m->rows.v[i].sub >= 0)
			m->rows.v[n++] = m->rows.v[i];
	m->rows.n = n;
	m->compacted = rev;
}

/* ---- comparing ---- */

static void assert_same_row(const struct test *t, const struct row *r, const struct model_row *x)
{
	char value[16];

	assert_int_equal(r != NULL, x != NULL);
	if (!r)
		return;
	assert_int_equal(r->main, x->main);
	assert_int_equal(r->sub, x->sub);
	assert_int_equal(row_is_tombstone(r), x->dead);
	assert_int_equal(r->create, x->create);
	assert_int_equal(r->version, x->version);
	assert_int_equal(r->lease, x->lease);
	assert_true(bytes_eq(row_key(r), t->keys[x->key]));
	snprintf(value, sizeof value, "%u", x->value);
	assert_true(bytes_is(row_value(r), x->dead ? "" : value));
}

static void check_range(struct test *t, const struct world *w, struct key_range range, int64_t rev)
{
	struct row_list l = {0};
	size_t n = 0;

	assert_int_equal(mvcc_range(&w->m, range, rev, 0, &l), ERR_NONE);
	for (uint32_t k = 0; k < KEYS; k++) {
		if (!key_range_has(range, t->keys[k]))
			continue;
		const struct model_row *x = model_get(&w->model, k, rev ? rev : INT64_MAX);
		if (x) {
			assert_true(n < l.rows.n);
			assert_same_row(t, l.rows.v[n++], x);
		}
	}
	assert_int_equal(n, l.rows.n);
	assert_int_equal(l.count, n);
	vec_free(&l.rows);
}

static struct key_range random_range(struct test *t)
{
	struct key_range r = {t->keys[below(t, KEYS)], {"", 1}};
	int64_t way = below(t, 4);

	if (way == 0)
		r.end = (struct bytes){0};
	else if (way > 1)
		r.end = t->keys[below(t, KEYS)];
	if (below(t, 8) == 0)
		r.key = (struct bytes){"", 1};
	return r;
}

/* Some revision that can be read, or 0. */
static int64_t random_rev(struct test *t, const struct world *w)
{
	int64_t lowest = w->model.compacted > 1 ? w->model.compacted : 1;

	return below(t, 3) == 0 ? 0 : lowest + below(t, w->model.current - lowest + 1);
}

static void check_rows(const struct test *t, const struct world *w)
{
	int64_t live = 0, size = 0;

	assert_int_equal(mvcc_row_count(&w->m), w->model.rows.n);
	for (size_t i = 0; i < w->model.rows.n; i++) {
		const struct model_row *x = &w->model.rows.v[i];
		const struct row *r = mvcc_row(&w->m, i);
		assert_same_row(t, r, x);
		assert_int_equal(mvcc_row_at_or_after(&w->m, (struct revision){x->main, x->sub}),
				 i);
		size += (int64_t)(row_key(r).n + row_value(r).n) + 64;
	}
	for (uint32_t k = 0; k < KEYS; k++)
		live += model_get(&w->model, k, INT64_MAX) != NULL;
	assert_int_equal(w->m.live_keys, live);
	assert_int_equal(w->m.size, size);
}

/* Every key with a row is in the index, once, and its generations list exactly its rows. */
static void check_index(const struct test *t, const struct world *w)
{
	struct key_index_view v;
	uint64_t n = 0;
	bool more = mvcc_index_seek(&w->m, (struct bytes){0}, &v);

	for (uint32_t k = 0; k < KEYS; k++) {
		size_t nrevs = 0;
		if (!model_at(&w->model, k, INT64_MAX))
			continue;
		assert_true(more && bytes_eq(v.key, t->keys[k]));
		n++;
		for (size_t g = 0; g < v.ngenerations; g++)
			nrevs += v.generations[g].nrevs;
		for (size_t i = 0; i < w->model.rows.n; i++)
			nrevs -= w->model.rows.v[i].key == k;
		assert_int_equal(nrevs, 0);
		more = mvcc_index_next(&w->m, t->keys[k], &v);
	}
	assert_false(more);
	assert_int_equal(mvcc_index_count(&w->m), n);
}

static void check_reads(struct test *t, const struct world *w)
{
	uint32_t k = pick_key(t);
	int64_t rev = random_rev(t, w);

	assert_same_row(t, mvcc_get(&w->m, t->keys[k], rev),
			model_get(&w->model, k, rev ? rev : INT64_MAX));
	check_range(t, w, random_range(t), random_rev(t, w));
}

/* ---- changing ---- */

static void write_put(struct test *t, struct world *w, struct mvcc_txn *txn)
{
	char value[16];
	struct model_row r = {.main = w->model.current + 1,
			      .sub = (int64_t)txn->changes.n,
			      .key = pick_key(t),
			      .lease = below(t, 3),
			      .value = (uint32_t)below(t, 100000)};
	int n = snprintf(value, sizeof value, "%u", r.value);

	mvcc_txn_put(txn, t->keys[r.key], (struct bytes){value, (size_t)n}, r.lease);
	model_write(&w->model, r);
}

static void write_delete(struct test *t, struct world *w, struct mvcc_txn *txn)
{
	struct key_range range = random_range(t);
	int64_t sub = (int64_t)txn->changes.n, n = 0;

	if (range.end.n && below(t, 8)) /* most of the time not so many */
		range.end = (struct bytes){0};
	for (uint32_t k = 0; k < KEYS; k++) {
		if (!key_range_has(range, t->keys[k]) || !model_get(&w->model, k, INT64_MAX))
			continue;
		model_write(&w->model, (struct model_row){.main = w->model.current + 1,
							  .sub = sub + n++,
							  .key = k,
							  .dead = true});
	}
	assert_int_equal(mvcc_txn_delete_range(txn, range), n);
}

static void random_txn(struct test *t, struct world *w)
{
	struct mvcc_txn txn;

	mvcc_txn_begin(&txn, &w->m, NULL);
	for (int64_t n = 1 + (below(t, 4) == 0 ? below(t, 9) : 0); n > 0; n--) {
		if (below(t, 4))
			write_put(t, w, &txn);
		else
			write_delete(t, w, &txn);
	}
	w->model.current += txn.changes.n > 0;
	mvcc_txn_end(&txn);
	mvcc_txn_free(&txn);
	assert_int_equal(w->m.current_rev, w->model.current);
}

static void random_compaction(struct test *t, struct world *w)
{
	struct row_list gone = {0};
	size_t before = w->model.rows.n;
	int64_t rev = below(t, w->model.current + 2);
	enum error e = mvcc_compact(&w->m, rev, &gone);

	if (rev <= w->model.compacted) {
		assert_int_equal(e, ERR_COMPACTED);
	} else if (rev > w->model.current) {
		assert_int_equal(e, ERR_FUTURE_REV);
	} else {
		model_compact(&w->model, rev, w->m.keep_tombstone_at_compact);
		assert_int_equal(gone.rows.n, before - w->model.rows.n);
		for (size_t i = 1; i < gone.rows.n; i++) {
			const struct row *a = gone.rows.v[i - 1], *b = gone.rows.v[i];
			assert_true(a->main < b->main || (a->main == b->main && a->sub < b->sub));
		}
	}
	vec_free(&gone.rows);
}

/* From here on two worlds have one past. */
static void branch(struct test *t, struct world *from)
{
	struct world *to = &t->worlds[below(t, WORLDS)];

	heap_freeze(t->heap);
	if (to == from)
		return;
	vec_free(&to->model.rows);
	*to = *from;
	vec_copy(&to->model.rows, &from->model.rows);
}

static void random_step(struct test *t)
{
	struct world *w = &t->worlds[below(t, WORLDS)];
	int64_t dice = below(t, 100);

	if (dice < 80)
		random_txn(t, w);
	else if (dice < 84)
		random_compaction(t, w);
	else if (dice < 94)
		branch(t, w);
	else if (dice < 96)
		mvcc_restore(&w->m);
	check_reads(t, w);
}

static void store_and_model_agree(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct test *t = xcalloc(1, sizeof *t);
		t->heap = heap_new();
		t->rng.state = seed;
		make_keys(t);
		for (int i = 0; i < WORLDS; i++) {
			mvcc_init(&t->worlds[i].m, t->heap);
			t->worlds[i].m.keep_tombstone_at_compact = seed % 2;
			t->worlds[i].model.current = 1;
			t->worlds[i].model.compacted = -1;
		}
		for (int step = 0; step < STEPS; step++) {
			random_step(t);
			for (int i = 0; step % 100 == 99 && i < WORLDS; i++) {
				check_rows(t, &t->worlds[i]);
				check_index(t, &t->worlds[i]);
			}
		}
		for (int i = 0; i < WORLDS; i++)
			vec_free(&t->worlds[i].model.rows);
		heap_free(t->heap);
		free(t);
	}
}

/* ---- many keys: the tree grows to three levels, loses most of them, and is packed ---- */

static struct bytes numbered_key(char *text, int64_t i)
{
	return (struct bytes){text,
			      (size_t)snprintf(text, 40, "/registry/events/%08lld", (long long)i)};
}

static void many_keys_come_and_go(void **state)
{
	enum { MANY = 20000, LEFT = 200 };
	struct heap *h = heap_new();
	struct mvcc m;
	struct mvcc_txn txn;
	struct key_index_view v;
	char text[40];

	(void)state;
	mvcc_init(&m, h);
	for (int64_t i = 0; i < MANY; i++) {
		mvcc_txn_begin(&txn, &m, NULL);
		mvcc_txn_put(&txn, numbered_key(text, i * 7919 % MANY), BYTES("v"), 0);
		mvcc_txn_end(&txn);
		mvcc_txn_free(&txn);
	}
	heap_freeze(h);
	struct mvcc past = m;
	for (int64_t i = 0; i < MANY; i++) {
		if (i % (MANY / LEFT) == 0)
			continue;
		mvcc_txn_begin(&txn, &m, NULL);
		mvcc_txn_delete_range(&txn, (struct key_range){.key = numbered_key(text, i)});
		mvcc_txn_end(&txn);
		mvcc_txn_free(&txn);
	}
	assert_int_equal(mvcc_compact(&m, m.current_rev, NULL), ERR_NONE);
	assert_int_equal(mvcc_index_count(&m), LEFT);
	assert_int_equal(mvcc_row_count(&m), LEFT);
	assert_true(m.index.leaves < LEFT / 4);
	assert_int_equal(mvcc_index_count(&past), MANY);
	bool more = mvcc_index_seek(&m, (struct bytes){0}, &v);
	for (int64_t i = 0; i < MANY; i += MANY / LEFT) {
		assert_true(more && bytes_eq(v.key, numbered_key(text, i)));
		more = mvcc_index_next(&m, v.key, &v);
	}
	assert_false(more);
	for (uint64_t i = 0; i < MANY; i += 97) { /* by position, leaf by leaf */
		assert_true(mvcc_index_at(&past, i, &v));
		assert_true(bytes_eq(v.key, numbered_key(text, (int64_t)i)));
	}
	assert_true(mvcc_index_at(&past, MANY - 1, &v));
	assert_false(mvcc_index_at(&past, MANY, &v));
	for (int64_t i = 0; i < MANY; i++)
		assert_non_null(mvcc_get(&past, numbered_key(text, i), 0));
	heap_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(store_and_model_agree),
	    cmocka_unit_test(many_keys_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
