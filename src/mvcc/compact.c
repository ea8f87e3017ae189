/* Compaction of revisions (etcd: kvstore_compaction.go, key_index.go: compact).
 *
 * The rows that a compaction from revision c to rev looks at are those in (c, rev]: each of them
 * supersedes the row of its key before it, and is itself dropped if it is a tombstone.  The rows at
 * or below c were sorted out by the compactions before.  Then the rows that stay move together.
 */
#include "api/bug.h"
#include "mvcc/internal.h"

/* The rows at or below the new compacted revision. */
struct front {
	const struct row **rows;
	uint64_t n;
	unsigned char *gone; /* a flag for each */
	uint64_t ngone;
};

static uint64_t rows_up_to(const struct mvcc *m, int64_t rev)
{
	return mvcc_row_at_or_after(m, (struct revision){rev + 1, 0});
}

static void front_init(struct front *f, const struct mvcc *m, int64_t rev)
{
	f->n = rows_up_to(m, rev);
	f->rows = xmalloc((f->n + 1) * sizeof *f->rows);
	f->gone = xcalloc(f->n + 1, 1);
	f->ngone = 0;
	for (uint64_t i = 0, n; i < f->n; i += n) {
		void *const *run = rows_run(m, i, &n);
		for (uint64_t k = 0; k < n && i + k < f->n; k++)
			f->rows[i + k] = run[k];
	}
}

static void front_free(struct front *f)
{
	free(f->rows);
	free(f->gone);
}

/* A guess first, as in mvcc_row_at_or_after; here it costs no look at a row. */
static uint64_t front_find(const struct front *f, const struct mvcc *m, const struct row *r)
{
	uint64_t guess = (uint64_t)(r->main - f->rows[0]->main);

	if (guess < f->n && f->rows[guess] == r)
		return guess;
	return mvcc_row_at_or_after(m, (struct revision){r->main, r->sub});
}

static void drop(struct front *f, struct mvcc *m, uint64_t i)
{
	if (f->gone[i])
		return;
	f->gone[i] = 1;
	f->ngone++;
	m->size -= row_size(f->rows[i]);
}

/* A tombstone that is not kept takes its key out of the index, unless the key was put again. */
static void drop_tombstone(struct front *f, struct mvcc *m, uint64_t i)
{
	drop(f, m, i);
	btree_remove(&m->index, m->heap, f->rows[i]);
}

enum { AHEAD = 16 }; /* rows whose pasts are fetched from memory meanwhile */

static void choose(struct front *f, struct mvcc *m, int64_t rev)
{
	uint64_t start = rows_up_to(m, m->compact_rev);

	/* tombstones that the last compaction kept since they stood exactly at its revision */
	for (uint64_t i = start; i > 0 && f->rows[i - 1]->main == m->compact_rev; i--)
		if (row_is_tombstone(f->rows[i - 1]))
			drop_tombstone(f, m, i - 1);
	for (uint64_t i = start; i < f->n; i++) {
		const struct row *r = f->rows[i], *prev = mvcc_row_before(m, r);
		if (i + AHEAD < f->n && row_prev(f->rows[i + AHEAD]))
			__builtin_prefetch(row_prev(f->rows[i + AHEAD]));
		if (prev && !(row_is_tombstone(r) && bug_on(m->bugs, BUG_COMPACT_AT_TOMBSTONE)))
			drop(f, m, front_find(f, m, prev));
		if (row_is_tombstone(r) && !(m->keep_tombstone_at_compact && r->main == rev))
			drop_tombstone(f, m, i);
	}
}

static void tell(const struct front *f, struct row_list *dropped)
{
	for (uint64_t i = 0; i < f->n; i++)
		if (f->gone[i])
			vec_push(&dropped->rows, f->rows[i]);
	dropped->count = (int64_t)f->ngone;
}

/* Rows in front of the first that goes, or behind the last, need not move: the shorter side does.
 */
static void move_together(const struct front *f, struct mvcc *m)
{
	struct pvec *rows = &m->rows;
	uint64_t at = rows->first + f->n;

	for (uint64_t i = f->n; i-- > 0;) {
		if (f->gone[i])
			continue;
		at--;
		if (pvec_get(rows, at) != f->rows[i])
			pvec_set(rows, m->heap, at, (void *)(uintptr_t)f->rows[i]);
	}
	pvec_drop_front(rows, at);
}

enum error mvcc_compact(struct mvcc *m, int64_t rev, struct row_list *dropped)
{
	struct front f;

	if (rev <= m->compact_rev)
		return ERR_COMPACTED;
	if (rev > m->current_rev)
		return ERR_FUTURE_REV;
	front_init(&f, m, rev);
	choose(&f, m, rev);
	m->compact_rev = rev;
	if (dropped)
		tell(&f, dropped);
	if (f.ngone)
		move_together(&f, m);
	front_free(&f);
	btree_tidy(&m->index, m->heap);
	return ERR_NONE;
}
