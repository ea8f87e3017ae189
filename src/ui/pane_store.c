/* A member's store: what the key index knows above, the rows of bbolt below (screen-design.md B.5).
 *
 * The pane asks for the rows it draws and no more, so a hundred thousand keys cost what twenty do.
 */
#include <stdio.h>
#include <string.h>

#include "ui/scene.h"

static const struct mvcc *store_of(const struct scene *s)
{
	return &world_member(s->w, scene_member(s))->store;
}

static void put_compacted(struct buf *b, const struct mvcc *m)
{
	if (m->compact_rev > 0)
		buf_printf(b, "compacted %lld", (long long)m->compact_rev);
	else
		buf_puts(b, "compacted none");
}

static void put_numbers(struct buf *b, const struct mvcc *m, int w)
{
	unsigned long long rows = mvcc_row_count(m);

	if (w >= 56)
		buf_printf(b, "revision %lld   keys %lld   rows %llu   ", (long long)m->current_rev,
			   (long long)m->live_keys, rows);
	else
		buf_printf(b, "rev %lld  keys %lld  rows %llu  ", (long long)m->current_rev,
			   (long long)m->live_keys, rows);
	put_compacted(b, m);
	if ((int)b->n <= w)
		return;
	buf_clear(b);
	buf_printf(b, "rev %lld keys %lld rows %llu", (long long)m->current_rev,
		   (long long)m->live_keys, rows);
	if ((int)b->n <= w)
		return;
	buf_clear(b);
	buf_printf(b, "rev %lld", (long long)m->current_rev);
}

static void put_summary(const struct scene *s, struct buf *b, const struct mvcc *m, int w)
{
	put_numbers(b, m, w);
	hide_numbers(s, b->p);
	b->n = strlen(b->p);
}

/* {2 3 4t} {5}: as many of the newest revisions as fit. */
static void put_generations(struct buf *out, const struct key_index_view *k, int w)
{
	size_t first = 0;
	struct buf b = {0};

	for (;; first++) {
		size_t n = 0;
		buf_clear(&b);
		for (size_t g = 0; g < k->ngenerations; g++) {
			const struct generation *gen = &k->generations[g];
			if (n + gen->nrevs < first || (gen->nrevs && n + gen->nrevs <= first)) {
				n += gen->nrevs;
				continue;
			}
			buf_puts(&b, b.n ? " {" : "{");
			for (uint32_t i = 0; i < gen->nrevs; i++, n++)
				if (n >= first)
					buf_printf(&b, "%s%lld%s", b.p[b.n - 1] == '{' ? "" : " ",
						   (long long)gen->revs[i].main,
						   i + 1 == gen->nrevs && g + 1 < k->ngenerations
						       ? "t"
						       : "");
			buf_puts(&b, "}");
		}
		if ((int)b.n + (first ? 2 : 0) <= w || first > 400)
			break;
	}
	buf_puts(out, first ? ".." : "");
	if ((int)b.n <= w)
		buf_puts(out, buf_str(&b));
	buf_free(&b);
}

static bool is_new_row(const struct scene *s, const struct row *row)
{
	return row && row->main > s->mark.rev;
}

static void mark_new(struct canvas *c, int end, int y, bool fresh)
{
	if (fresh)
		canvas_puts_right(c, end, y, STYLE_CHANGED, "*new");
}

/* Where the columns of the two tables are; of a narrow pane there is only one, the text itself. */
struct table {
	bool wide;
	int x, end;
	int generations, create_of_key, version_of_key; /* of the key index */
	int key, value, numbers;			/* of bbolt */
};

/* Least columns of a table; columns of *new, and from `create` to the others. */
enum {
	WIDE = 54,
	INDENT = 11,
	REVISION = 9,
	MARK = 5,
	MOD = 7,
	VERSION = 14,
	LEASE = 23,
	NUMBERS = 26
};

/* Columns by what stands in them, at most: a key and a value as long as the longest shown. */
static struct table table_of(struct rect r, int key_w, int value_w)
{
	struct table t = {.wide = r.w >= WIDE, .x = r.x, .end = r.x + r.w};
	int room = r.w - REVISION - NUMBERS - MARK - 4; /* beside revision and numbers */

	key_w = key_w < 8 ? 8 : key_w;
	value_w = value_w < 5 ? 5 : value_w;
	t.version_of_key = t.end - MARK - 8;
	t.create_of_key = t.version_of_key - 8;
	int most = t.create_of_key - r.x - 16;
	t.generations = r.x + 2 + (key_w < most ? key_w : most);
	if (key_w + value_w > room) {
		value_w = value_w < room / 2 ? value_w : room / 2;
		key_w = room - value_w;
	}
	t.key = r.x + REVISION;
	t.value = t.key + key_w + 2;
	t.numbers = t.value + value_w + 2;
	return t;
}

/* In one line as far as it goes: the key and its generations. */
static void draw_narrow_key(struct canvas *c, int x, int y, int limit, enum style st,
			    const struct key_index_view *k)
{
	struct buf b = {0};
	int half = x + (limit - x) * 11 / 20;

	put_generations(&b, k, limit - half);
	int at = draw_bytes(c, x, y, limit - x - (int)b.n - 2, st, k->key, true) + 2;
	canvas_puts(c, at > half || !b.n ? at : half, y, st, buf_str(&b));
	buf_free(&b);
}

static void draw_key(const struct scene *s, struct canvas *c, const struct table *t, int y,
		     const struct key_index_view *k)
{
	bool fresh = is_new_row(s, k->latest);
	enum style st = fresh ? STYLE_CHANGED : STYLE_NORMAL;
	struct buf b = {0};

	if (!t->wide) {
		draw_narrow_key(c, t->x, y, t->end - (fresh ? MARK : 0), st, k);
	} else {
		put_generations(&b, k, t->create_of_key - t->generations - 1);
		draw_bytes(c, t->x, y, t->generations - t->x - 2, st, k->key, true);
		canvas_puts(c, t->generations, y, st, buf_str(&b));
		if (k->latest && !row_is_tombstone(k->latest)) {
			canvas_printf(c, t->create_of_key, y, st, "%6lld",
				      (long long)k->latest->create);
			canvas_printf(c, t->version_of_key, y, st, "%7u", k->latest->version);
		}
	}
	mark_new(c, t->end, y, fresh);
	buf_free(&b);
}

/* (2,0)  key value  c2 m2 v1  lease: numbers stay whole, key and value share what is left. */
static void draw_narrow_row(struct canvas *c, int x, int y, int limit, enum style st,
			    const struct row *row)
{
	bool tomb = row_is_tombstone(row);
	struct buf b = {0};

	x = canvas_printf(c, x, y, st, "(%lld,%u)%s ", (long long)row->main, row->sub,
			  tomb ? "t" : "");
	if (tomb)
		buf_printf(&b, "delete");
	else
		buf_printf(&b, "c%lld m%lld v%u ", (long long)row->create, (long long)row->main,
			   row->version);
	if (!tomb && row->lease)
		buf_printf(&b, "lease %llx", (unsigned long long)row->lease);
	else if (!tomb)
		buf_puts(&b, "-");
	int room = limit - x - (int)b.n - 1;
	x = draw_bytes(c, x, y, tomb ? room : room / 2, st, row_key(row), true) + 1;
	if (!tomb)
		x = draw_bytes(c, x, y, limit - x - (int)b.n - 1, st, row_value(row), false) + 1;
	if (x + (int)b.n <= limit)
		canvas_puts(c, limit - (int)b.n > x && !tomb ? limit - (int)b.n : x, y, st,
			    buf_str(&b));
	buf_free(&b);
}

static void draw_row(const struct scene *s, struct canvas *c, const struct table *t, int y,
		     const struct row *row)
{
	bool fresh = is_new_row(s, row), tomb = row_is_tombstone(row);
	enum style st = fresh ? STYLE_CHANGED : STYLE_NORMAL;

	if (!t->wide) {
		draw_narrow_row(c, t->x, y, t->end - (fresh ? MARK : 0), st, row);
		mark_new(c, t->end, y, fresh);
		return;
	}
	canvas_printf(c, t->x, y, st, "(%lld,%u)%s", (long long)row->main, row->sub,
		      tomb ? "t" : "");
	draw_bytes(c, t->key, y, t->value - t->key - 2, st, row_key(row), true);
	if (tomb)
		canvas_puts(c, t->value, y, st, "delete");
	else
		draw_bytes(c, t->value, y, t->numbers - t->value - 2, st, row_value(row), false);
	if (!tomb)
		canvas_printf(c, t->numbers, y, st, "%6lld", (long long)row->create);
	canvas_printf(c, t->numbers + MOD, y, st, "%4lld", (long long)row->main);
	if (!tomb)
		canvas_printf(c, t->numbers + VERSION, y, st, "%7u", row->version);
	if (row->lease)
		canvas_printf(c, t->numbers + LEASE, y, st, "%llx", (unsigned long long)row->lease);
	else
		canvas_puts(c, t->numbers + LEASE, y, st, "-");
	mark_new(c, t->end, y, fresh);
}

static void draw_key_heads(struct canvas *c, const struct table *t, int y)
{
	canvas_puts(c, t->x, y, STYLE_HINT, "key");
	canvas_puts(c, t->generations, y, STYLE_HINT, "generations");
	canvas_puts(c, t->create_of_key, y, STYLE_HINT, "create");
	canvas_puts(c, t->version_of_key, y, STYLE_HINT, "version");
}

static void draw_row_heads(struct canvas *c, const struct table *t, int y)
{
	canvas_puts(c, t->x, y, STYLE_HINT, "revision");
	canvas_puts(c, t->key, y, STYLE_HINT, "key");
	canvas_puts(c, t->value, y, STYLE_HINT, "value");
	canvas_puts(c, t->numbers, y, STYLE_HINT, "create");
	canvas_puts(c, t->numbers + MOD, y, STYLE_HINT, " mod");
	canvas_puts(c, t->numbers + VERSION, y, STYLE_HINT, "version");
	canvas_puts(c, t->numbers + LEASE, y, STYLE_HINT, "lease");
}

enum { KEYS_MAX = 64 };

/* The keys that the newest rows belong to, in order of key. */
static size_t newest_keys(const struct mvcc *m, struct bytes *out, size_t max)
{
	size_t n = 0;

	for (uint64_t i = mvcc_row_count(m), seen = 0; i > 0 && n < max && seen < 1000;
	     i--, seen++) {
		struct bytes key = row_key(mvcc_row(m, i - 1));
		size_t at = 0;
		while (at < n && bytes_cmp(out[at], key) < 0)
			at++;
		if (at < n && bytes_eq(out[at], key))
			continue;
		memmove(out + at + 1, out + at, (n - at) * sizeof *out);
		out[at] = key;
		n++;
	}
	return n;
}

/* Columns of a key and of a value, as far as it matters. */
static void widths(const struct mvcc *m, uint64_t first, uint64_t end, int *key_w, int *value_w)
{
	*key_w = *value_w = 0;
	for (uint64_t i = first; i < end; i++) {
		const struct row *row = mvcc_row(m, i);
		int key = (int)(row_key(row).n < 500 ? row_key(row).n : 500);
		int value = (int)(row_value(row).n < 500 ? row_value(row).n : 500);
		*key_w = key > *key_w ? key : *key_w;
		*value_w = value > *value_w ? value : *value_w;
	}
}

/* How the rows of the small form are given out. */
struct shares {
	int indent, keys, rows;
	bool key_heads, row_heads;
};

static struct shares share(const struct rect *r, size_t keys, uint64_t rows)
{
	bool wide = r->w >= WIDE;
	struct shares h = {.indent = r->w >= WIDE + INDENT ? INDENT : 0,
			   .key_heads = wide && r->h >= 6,
			   .row_heads = wide && r->h >= 4};
	int room = r->h - h.key_heads - h.row_heads,
	    most = room / 3 > 0 ? (room + 1) / 3 : room > 1;

	h.keys = (int)keys < most ? (int)keys : most;
	h.rows = (int)(rows < (uint64_t)(room - h.keys) ? (int)rows : room - h.keys);
	if (rows < (uint64_t)(room - most) && (int)keys > most) /* rows leave some of theirs */
		h.keys = (int)keys < room - h.rows ? (int)keys : room - h.rows;
	return h;
}

static void draw_tables(const struct scene *s, struct canvas *c, struct rect r,
			const struct mvcc *m)
{
	struct bytes keys[KEYS_MAX + 1];
	size_t n = newest_keys(m, keys, (size_t)(r.h < KEYS_MAX ? r.h : KEYS_MAX));
	uint64_t rows = mvcc_row_count(m);
	struct shares h = share(&r, n, rows);
	int y = r.y, key_w, value_w;
	struct key_index_view view;

	widths(m, rows - (uint64_t)h.rows, rows, &key_w, &value_w);
	struct rect inside = {r.x + h.indent, r.y, r.w - h.indent, r.h};
	struct table t = table_of(inside, key_w, value_w);
	n = newest_keys(m, keys, (size_t)h.keys);
	if (h.indent && h.keys)
		canvas_puts(c, r.x, y, STYLE_NORMAL, "keyIndex");
	if (h.key_heads)
		draw_key_heads(c, &t, y++);
	for (size_t i = 0; i < n; i++)
		if (mvcc_index_seek(m, keys[i], &view))
			draw_key(s, c, &t, y++, &view);
	y += h.key_heads && y + h.rows + 2 <= r.y + r.h;
	if (h.indent)
		canvas_puts(c, r.x, y, STYLE_NORMAL, "bbolt");
	if (h.row_heads)
		draw_row_heads(c, &t, y++);
	for (uint64_t i = rows - (uint64_t)h.rows; i < rows; i++)
		draw_row(s, c, &t, y++, mvcc_row(m, i));
}

/* The small form: one line of numbers, then keys, then rows; an empty store says so. */
static void draw_small(const struct scene *s, struct canvas *c, struct rect r, const struct mvcc *m)
{
	struct buf b = {0};

	put_summary(s, &b, m, r.w);
	canvas_puts(c, r.x, r.y, STYLE_NORMAL, buf_str(&b));
	buf_free(&b);
	if (mvcc_row_count(m) > 0) {
		if (r.h > 1)
			draw_tables(s, c, (struct rect){r.x, r.y + 1, r.w, r.h - 1}, m);
		return;
	}
	canvas_puts(c, r.x, r.y + 1, STYLE_NORMAL, r.h > 2 ? "keyIndex   (empty)" : "no rows");
	canvas_puts(c, r.x, r.y + 2, STYLE_NORMAL, "bbolt      (no rows)");
}

/* ---- zoomed ---- */

static bool matches(const struct scene *s, struct bytes key)
{
	const char *find = s->v->find;

	return !find[0] || memmem(key.p, key.n, find, strlen(find)) != NULL;
}

/* Calls for each key that the filter lets through, from number `from` on; the last key drawn is in
 * view. */
static size_t draw_key_list(const struct scene *s, struct canvas *c, struct rect r,
			    const struct mvcc *m, size_t top, size_t selected, struct bytes *chosen)
{
	struct key_index_view view;
	struct table t = table_of((struct rect){r.x + 2, r.y, r.w - 2, r.h}, r.w / 2, 8);
	size_t i =
	    s->v->find[0] ? 0 : top; /* without a filter what stands above need not be read */

	for (bool more = mvcc_index_at(m, i, &view); more;
	     more = mvcc_index_next(m, view.key, &view)) {
		if (!matches(s, view.key))
			continue;
		if (i == selected)
			*chosen = view.key;
		if (i >= top && i < top + (size_t)r.h) {
			int y = r.y + (int)(i - top);
			draw_key(s, c, &t, y, &view);
			spots_add(s->spots, (struct rect){r.x, y, r.w, 1}, "select store %zu",
				  i + 1);
			if (i == selected)
				canvas_puts(c, r.x, y, STYLE_SELECTED, ">");
		}
		if (++i >= top + (size_t)r.h && i > selected)
			break;
	}
	return i;
}

static void draw_rows_of(const struct scene *s, struct canvas *c, struct rect r,
			 const struct mvcc *m, struct bytes key)
{
	struct key_index_view view;
	int y = r.y;

	canvas_fill(c, (struct rect){0, y, c->columns, 1}, STYLE_TITLE, 0x2500);
	int x = canvas_puts(c, r.x, y, STYLE_TITLE, " bbolt rows of ");
	x = draw_bytes(c, x, y, r.w - 20, STYLE_TITLE, key, true);
	canvas_puts(c, x, y++, STYLE_TITLE, " ");
	if (!mvcc_index_seek(m, key, &view) || !bytes_eq(view.key, key))
		return;
	struct table t = table_of((struct rect){r.x + 2, y, r.w - 2, r.h}, 12, r.w / 2);
	size_t total = 0, n = 0;
	if (t.wide && r.h > 3)
		draw_row_heads(c, &t, y++);
	for (size_t g = 0; g < view.ngenerations; g++)
		total += view.generations[g].nrevs;
	size_t room = (size_t)(r.y + r.h - y), skip = total > room ? total - room : 0;
	for (size_t g = 0; g < view.ngenerations; g++)
		for (uint32_t i = 0; i < view.generations[g].nrevs; i++, n++) {
			uint64_t at = mvcc_row_at_or_after(m, view.generations[g].revs[i]);
			if (n >= skip && at < mvcc_row_count(m))
				draw_row(s, c, &t, y++, mvcc_row(m, at));
		}
}

static void draw_zoomed(const struct scene *s, struct canvas *c, struct rect r,
			const struct mvcc *m)
{
	const struct place *place = &s->v->place[PANE_STORE];
	int rows = r.h >= 8 ? r.h * 2 / 5 : 0;
	struct rect list = {r.x, r.y + 1, r.w, r.h - 1 - rows};
	struct bytes chosen = {"", 0};
	size_t top = place->top;

	if (place->selected < top)
		top = place->selected;
	if (list.h > 0 && place->selected >= top + (size_t)list.h)
		top = place->selected - (size_t)list.h + 1;
	struct buf b = {0};
	put_summary(s, &b, m, r.w);
	if (s->v->find[0])
		buf_printf(&b, "   filter %s", s->v->find);
	draw_bytes(c, r.x, r.y, r.w, STYLE_NORMAL, buf_bytes(&b), false);
	buf_free(&b);
	draw_key_list(s, c, list, m, top, place->selected, &chosen);
	if (rows && chosen.n)
		draw_rows_of(s, c, (struct rect){r.x, r.y + r.h - rows, r.w, rows}, m, chosen);
	if (mvcc_row_count(m) == 0)
		canvas_puts(c, r.x + 2, r.y + 1, STYLE_HINT, "(no rows)");
}

static bool is_open(const struct scene *s)
{
	return s->v->focus == PANE_STORE && s->v->zoom;
}

void draw_store(const struct scene *s, struct canvas *c, struct rect r, int title)
{
	const struct mvcc *m = store_of(s);
	struct rect before = canvas_clip(c, r), inside = {r.x + 1, r.y, r.w - 1, r.h};
	struct buf b = {0};

	if (is_open(s))
		draw_zoomed(s, c, inside, m);
	else
		draw_small(s, c, inside, m);
	canvas_clip(c, before);
	if (s->l.kind != LAYOUT_TINY || is_open(s))
		buf_printf(&b, "of S%u", scene_member(s));
	if (title)
		draw_title(s, c, PANE_STORE, r.x, r.w, buf_str(&b), "");
	buf_free(&b);
}
