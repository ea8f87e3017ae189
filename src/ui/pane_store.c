/* A member's store: what the key index knows above, the rows of bbolt below (screen-design.md B.5).
 *
 * The pane asks for the rows it draws and no more, so a hundred thousand keys cost what twenty do.
 */
#include <stdio.h>
#include <string.h>

#include "ui/scene.h"

static const struct mvcc *store_of(const struct scene *s)
{
	return &world_member(s->w, world_view(s->w))->store;
}

static void put_compacted(struct buf *b, const struct mvcc *m)
{
	if (m->compact_rev > 0)
		buf_printf(b, "compacted %lld", (long long)m->compact_rev);
	else
		buf_puts(b, "compacted none");
}

static void put_summary(struct buf *b, const struct mvcc *m, int w)
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

static void draw_key(const struct scene *s, struct canvas *c, int x, int y, int end,
		     const struct key_index_view *k, bool create)
{
	struct buf b = {0};
	bool fresh = is_new_row(s, k->latest);
	enum style st = fresh ? STYLE_CHANGED : STYLE_NORMAL;
	int limit = end - (fresh ? 5 : 0), half = x + (limit - x) * 11 / 20;

	if (create && k->latest && !row_is_tombstone(k->latest)) {
		canvas_printf(c, limit - 20, y, st, "create %-5lld v%u",
			      (long long)k->latest->create, k->latest->version);
		limit -= 21;
		half = x + (limit - x) * 11 / 20;
	}
	put_generations(&b, k, limit - half);
	int room = limit - x - canvas_width(c, buf_bytes(&b)) - 2;
	int at = draw_bytes(c, x, y, room, st, k->key, true);
	canvas_puts(c,
		    at + 2 > half && b.n ? at + 2
		    : half < at + 2	 ? at + 2
					 : half,
		    y, st, buf_str(&b));
	mark_new(c, end, y, fresh);
	buf_free(&b);
}

/* (2,0)  key value  c2 m2 v1  lease: numbers stay whole, key and value share what is left. */
static void draw_row(const struct scene *s, struct canvas *c, int x, int y, int end,
		     const struct row *row, bool key)
{
	struct buf b = {0};
	bool fresh = is_new_row(s, row), tomb = row_is_tombstone(row);
	enum style st = fresh ? STYLE_CHANGED : STYLE_NORMAL;
	int limit = end - (fresh ? 5 : 0);

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
	if (key)
		x = draw_bytes(c, x, y, tomb ? room : room / 2, st, row_key(row), true) + 1;
	if (!tomb)
		x = draw_bytes(c, x, y, limit - x - (int)b.n - 1, st, row_value(row), false) + 1;
	if (x + (int)b.n <= limit)
		canvas_puts(c, limit - (int)b.n > x && !tomb ? limit - (int)b.n : x, y, st,
			    buf_str(&b));
	mark_new(c, end, y, fresh);
	buf_free(&b);
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

static int draw_newest_keys(const struct scene *s, struct canvas *c, struct rect r,
			    const struct mvcc *m)
{
	struct bytes keys[KEYS_MAX + 1];
	size_t n = newest_keys(m, keys, (size_t)(r.h < KEYS_MAX ? r.h : KEYS_MAX));
	struct key_index_view view;

	for (size_t i = 0; i < n; i++)
		if (mvcc_index_seek(m, keys[i], &view))
			draw_key(s, c, r.x, r.y + (int)i, r.x + r.w, &view, r.w >= 56);
	return (int)n;
}

static void draw_newest_rows(const struct scene *s, struct canvas *c, struct rect r,
			     const struct mvcc *m)
{
	uint64_t n = mvcc_row_count(m), first = n > (uint64_t)r.h ? n - (uint64_t)r.h : 0;

	for (uint64_t i = first; i < n; i++)
		draw_row(s, c, r.x, r.y + (int)(i - first), r.x + r.w, mvcc_row(m, i), true);
}

/* The small form: one line of numbers, then keys, then rows; an empty store says so. */
static void draw_small(const struct scene *s, struct canvas *c, struct rect r, const struct mvcc *m)
{
	struct buf b = {0};
	bool headed = r.h >= 6 && r.w >= 56;
	int indent = headed ? 11 : 0;

	put_summary(&b, m, r.w);
	canvas_puts(c, r.x, r.y, STYLE_NORMAL, buf_str(&b));
	buf_free(&b);
	struct rect rest = {r.x + indent, r.y + 1, r.w - indent, r.h - 1};
	if (mvcc_row_count(m) == 0) {
		canvas_puts(c, r.x, r.y + 1, STYLE_NORMAL,
			    r.h > 2 ? "keyIndex   (empty)" : "no rows");
		canvas_puts(c, r.x, r.y + 2, STYLE_NORMAL, "bbolt      (no rows)");
		return;
	}
	int keys = rest.h / 3 > 0 ? (rest.h + 1) / 3 : rest.h > 1;
	int used = draw_newest_keys(s, c, (struct rect){rest.x, rest.y, rest.w, keys}, m);
	if (headed) {
		canvas_puts(c, r.x, rest.y, STYLE_NORMAL, "keyIndex");
		canvas_puts(c, r.x, rest.y + used, STYLE_NORMAL, "bbolt");
	}
	draw_newest_rows(s, c, (struct rect){rest.x, rest.y + used, rest.w, rest.h - used}, m);
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
	size_t i = 0;

	for (bool more = mvcc_index_seek(m, (struct bytes){"", 0}, &view); more;
	     more = mvcc_index_next(m, view.key, &view)) {
		if (!matches(s, view.key))
			continue;
		if (i == selected)
			*chosen = view.key;
		if (i >= top && i < top + (size_t)r.h) {
			int y = r.y + (int)(i - top);
			draw_key(s, c, r.x + 2, y, r.x + r.w, &view, true);
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
	size_t total = 0, n = 0;
	for (size_t g = 0; g < view.ngenerations; g++)
		total += view.generations[g].nrevs;
	size_t skip = total > (size_t)(r.h - 1) ? total - (size_t)(r.h - 1) : 0;
	for (size_t g = 0; g < view.ngenerations; g++)
		for (uint32_t i = 0; i < view.generations[g].nrevs; i++, n++) {
			uint64_t at = mvcc_row_at_or_after(m, view.generations[g].revs[i]);
			if (n >= skip && at < mvcc_row_count(m))
				draw_row(s, c, r.x + 2, y++, r.x + r.w, mvcc_row(m, at), false);
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
	put_summary(&b, m, r.w);
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
		buf_printf(&b, "of S%u", world_view(s->w));
	if (title)
		draw_title(s, c, PANE_STORE, r.x, r.w, buf_str(&b), "");
	buf_free(&b);
}
