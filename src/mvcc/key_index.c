/* The generations of a key, read off the chain of its rows (etcd: key_index.go).
 *
 * Example, puts at 2 and 3, delete at 4, put at 5:
 *     generations  {2 3 4t} {5}
 * after a compaction at 3:  {3 4t} {5}; at 4: {5}.  A key whose newest row is a tombstone has an
 * empty last generation: {2 3 4t} {}.
 */
#include "mvcc/internal.h"

/* Newest first, as many as fit; they come to stand at the end of the view's array.  Returns the
 * first. */
static size_t collect(const struct mvcc *m, struct key_index_view *v, const struct row **rows)
{
	size_t first = VIEW_REVISIONS;
	const struct row *next = NULL, *r = v->latest;

	for (; r && !row_hidden(m, r, next); next = r, r = row_prev(r)) {
		if (first == 0) {
			v->more = true;
			break;
		}
		rows[--first] = r;
		v->revisions[first] = (struct revision){r->main, r->sub};
	}
	return first;
}

/* The generation that ends with row n - 1 (its newest); returns its first row. */
static size_t generation_start(const struct row *const *rows, size_t first, size_t n)
{
	size_t i = n - 1;

	while (i > first && !row_is_tombstone(rows[i - 1]))
		i--;
	return i;
}

static struct generation generation_of(const struct key_index_view *v,
				       const struct row *const *rows, size_t from, size_t to)
{
	const struct row *last = rows[to - 1], *live = last;
	struct generation g = {.nrevs = (uint32_t)(to - from), .revs = v->revisions + from};

	if (row_is_tombstone(last) && row_prev(last))
		live = row_prev(last);
	g.version = live->version + (live != last);
	g.created.main = live->create;
	for (size_t i = from; i < to && rows[i]->main <= live->create; i++)
		if (rows[i]->main == live->create && !row_is_tombstone(rows[i]))
			g.created.sub = rows[i]->sub;
	return g;
}

static void reverse(struct generation *g, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct generation swap = g[i];
		g[i] = g[n - 1 - i];
		g[n - 1 - i] = swap;
	}
}

static void view_fill(const struct mvcc *m, const struct row *latest, struct key_index_view *v)
{
	const struct row *rows[VIEW_REVISIONS];

	v->latest = latest;
	v->key = row_key(latest);
	v->modified = (struct revision){latest->main, latest->sub};
	v->more = false;
	v->ngenerations = 0;
	size_t first = collect(m, v, rows);
	if (row_is_tombstone(latest))
		v->generations[v->ngenerations++] = (struct generation){0};
	for (size_t end = VIEW_REVISIONS; end > first;) {
		if (v->ngenerations == VIEW_GENERATIONS) {
			v->more = true;
			break;
		}
		size_t start = generation_start(rows, first, end);
		v->generations[v->ngenerations++] = generation_of(v, rows, start, end);
		end = start;
	}
	reverse(v->generations, v->ngenerations);
}

bool mvcc_index_seek(const struct mvcc *m, struct bytes from, struct key_index_view *out)
{
	struct btree_cursor c;

	btree_seek(&m->index, from, &c);
	const struct row *r = btree_next(&c);
	if (r)
		view_fill(m, r, out);
	return r != NULL;
}

bool mvcc_index_at(const struct mvcc *m, uint64_t i, struct key_index_view *out)
{
	struct btree_cursor c;

	btree_seek(&m->index, (struct bytes){"", 0}, &c);
	btree_skip(&c, i);
	const struct row *r = btree_next(&c);
	if (r)
		view_fill(m, r, out);
	return r != NULL;
}

bool mvcc_index_next(const struct mvcc *m, struct bytes after, struct key_index_view *out)
{
	struct btree_cursor c;

	btree_seek(&m->index, after, &c);
	const struct row *r = btree_next(&c);
	if (r && bytes_eq(row_key(r), after))
		r = btree_next(&c);
	if (r)
		view_fill(m, r, out);
	return r != NULL;
}
