/* The WAL: what a crash loses, and what a snapshot makes superfluous. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "wal/wal.h"

static void entry(struct wal *w, uint64_t term, uint64_t index)
{
	struct entry *e = heap_alloc(w->heap, sizeof *e);

	*e = (struct entry){.term = term, .index = index};
	wal_add_entry(w, e);
}

static const struct snapshot *snapshot(struct wal *w, uint64_t term, uint64_t index, bool received)
{
	struct snapshot *s = heap_alloc(w->heap, sizeof *s);

	*s = (struct snapshot){.term = term, .index = index};
	wal_add_snapshot(w, s, received);
	return s;
}

/* "12.1" entry 12 of term 1, "s1/7" state of term 1 and commit 7, "S12" "R12" snapshots. */
static const char *content(const struct wal *w, struct buf *out)
{
	buf_clear(out);
	for (uint64_t i = w->records.first; i < w->records.end; i++) {
		const struct wal_record *r = pvec_get(&w->records, i);
		if (i > w->records.first)
			buf_putc(out, ' ');
		if (r->type == WAL_ENTRY)
			buf_printf(out, "%d.%d", (int)r->entry->index, (int)r->entry->term);
		else if (r->type == WAL_STATE)
			buf_printf(out, "s%d/%d", (int)r->state.term, (int)r->state.commit);
		else
			buf_printf(out, "%c%d", r->received ? 'R' : 'S', (int)r->snapshot->index);
	}
	return buf_str(out);
}

static void a_crash_loses_what_was_not_synced(void **state)
{
	struct heap *h = heap_new();
	struct buf b = {0};
	struct wal w;

	(void)state;
	wal_init(&w, h);
	entry(&w, 1, 1);
	wal_add_state(&w, 1, 0, 1);
	wal_sync(&w);
	entry(&w, 1, 2);
	assert_true(wal_has_unsynced(&w));
	wal_crash(&w);
	assert_false(wal_has_unsynced(&w));
	assert_string_equal(content(&w, &b), "1.1 s1/1");
	buf_free(&b);
	heap_free(h);
}

static void a_snapshot_releases_what_it_holds_and_the_state_is_kept(void **state)
{
	struct heap *h = heap_new();
	struct buf b = {0};
	struct wal w;

	(void)state;
	wal_init(&w, h);
	wal_add_state(&w, 1, 7, 0);
	for (uint64_t i = 1; i <= 4; i++)
		entry(&w, 1, i);
	wal_add_state(&w, 2, 9, 3);
	entry(&w, 2, 5);
	wal_add_state(&w, 2, 9, 4);
	const struct snapshot *s = snapshot(&w, 1, 4, false);
	wal_sync(&w);
	wal_release(&w, s);
	assert_string_equal(content(&w, &b), "s2/3 5.2 s2/4 S4");
	assert_ptr_equal(w.base, s);
	assert_int_equal(w.base_term, 1);
	assert_int_equal(w.base_vote, 7);
	buf_free(&b);
	heap_free(h);
}

static void what_an_entry_below_the_snapshot_has_replaced_goes_too(void **state)
{
	struct heap *h = heap_new();
	struct buf b = {0};
	struct wal w;

	(void)state;
	wal_init(&w, h);
	for (uint64_t i = 1; i <= 5; i++)
		entry(&w, 1, i);
	entry(&w, 2, 3); /* 4 and 5 of term 1 are void from here on */
	entry(&w, 2, 4);
	const struct snapshot *s = snapshot(&w, 2, 3, false);
	wal_sync(&w);
	wal_release(&w, s);
	assert_string_equal(content(&w, &b), "4.2 S3");
	buf_free(&b);
	heap_free(h);
}

static void only_what_is_durable_is_looked_at(void **state)
{
	struct heap *h = heap_new();
	struct buf b = {0};
	struct wal w;

	(void)state;
	wal_init(&w, h);
	entry(&w, 1, 1);
	const struct snapshot *s = snapshot(&w, 1, 1, false);
	wal_sync(&w);
	entry(&w, 1, 2);
	wal_release(&w, s);
	wal_crash(&w);
	assert_string_equal(content(&w, &b), "S1");
	buf_free(&b);
	heap_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_crash_loses_what_was_not_synced),
	    cmocka_unit_test(a_snapshot_releases_what_it_holds_and_the_state_is_kept),
	    cmocka_unit_test(what_an_entry_below_the_snapshot_has_replaced_goes_too),
	    cmocka_unit_test(only_what_is_durable_is_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
