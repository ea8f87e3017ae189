/* Log cells: filled in the colour of its term and in square brackets once that member knows the
 * entry to be committed; white and in round ones before; `( 3~)` while it is not on its disk
 * (screen-design.md B.4, A.5). */
#include "ui/lanes.h"

#include <stdio.h>
#include <string.h>

#include "sim/trace.h"

static int digits(uint64_t v)
{
	int n = 1;

	while (v >= 10)
		v /= 10, n++;
	return n;
}

static int cell_width(enum cell_form f, uint64_t last)
{
	int d = digits(last);

	if (f == CELLS_SLIM)
		return d + 2;
	if (f == CELLS_PLAIN)
		return d <= 3 ? 5 : d + 2;
	return (d <= 3 ? 5 : d + 2) + 1; /* and the frame to its left */
}

static uint64_t newest_index(const struct world *w)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < w->nmembers; i++)
		if (member_last(w->members[i]) > last)
			last = member_last(w->members[i]);
	return last;
}

static uint64_t oldest_index(const struct world *w)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < w->nmembers; i++)
		if (member_first(w->members[i]) < first)
			first = member_first(w->members[i]);
	return first;
}

/* Entries that a member threw away in this step: how many are told at the end of its lane. */
static const struct trace_record *truncated(const struct scene *s, unsigned member)
{
	const struct trace *t = player_trace(s->p);

	for (uint64_t i = t ? t->end : 0; i > (t ? t->first : 0) && i > s->mark.ntrace; i--) {
		const struct trace_record *r = trace_get(t, i - 1);
		if (r->kind == TRACE_TRUNCATE && r->member == member)
			return r;
	}
	return NULL;
}

static void put_truncated(struct buf *out, const struct trace_record *r, enum cell_form f)
{
	const char *blank = f == CELLS_SLIM ? "" : " ";
	unsigned long long a = r->a, b = r->b;

	buf_printf(out, a == b ? "-(%s%llu" : "-(%s%llu..", blank, a);
	if (a != b)
		buf_printf(out, "%llu", b);
	buf_printf(out, "%s)", blank);
	if (f != CELLS_SLIM)
		buf_printf(out, "t%llu", (unsigned long long)r->c);
}

/* Columns behind the cells for what was thrown away in this step. */
static int truncated_width(const struct scene *s, enum cell_form f)
{
	int w = s->v->asks ? 2 : 0; /* for the ? */

	for (unsigned i = 1; i <= s->w->nmembers; i++) {
		const struct trace_record *r = truncated(s, i);
		struct buf b = {0};
		if (r)
			put_truncated(&b, r, f);
		w = (int)b.n >= w && r ? (int)b.n + 1 : w;
		buf_free(&b);
	}
	return w;
}

/* What a member's log begins behind; 0: nothing was ever dropped. */
static uint64_t snapshot_of(const struct member *m)
{
	return server_first_index(m) - 1;
}

/* Columns left of the cells: for `…`, or for `snap 90` once a log was compacted. */
static int left_width(const struct scene *s, enum cell_form f, int columns)
{
	uint64_t newest = 0;

	for (unsigned i = 0; i < s->w->nmembers; i++)
		newest =
		    snapshot_of(s->w->members[i]) > newest ? snapshot_of(s->w->members[i]) : newest;
	if (newest && columns >= 24)
		return 6 + digits(newest) + (f == CELLS_BOXED);
	return (columns >= 24 ? 2 : 1) + (f == CELLS_BOXED);
}

static uint64_t term_at(const struct member *m, uint64_t i)
{
	const struct entry *e = member_entry(m, i);

	return e ? e->term : 0;
}

/* Does an entry at i begin another term, in any lane?  Then every lane leaves room for a label
 * there. */
static bool is_term_change(const struct world *w, uint64_t i)
{
	for (unsigned k = 0; k < w->nmembers; k++) {
		uint64_t here = term_at(w->members[k], i), before = term_at(w->members[k], i - 1);
		if (here && before && here != before)
			return true;
	}
	return false;
}

enum { LABEL_WIDTH = 3 };

static int slim_width(const struct scene *s, const struct range *r)
{
	int w = r->left, labels = 0;

	for (uint64_t i = r->first; i <= r->last; i++) {
		labels += i > r->first && is_term_change(s->w, i);
		w += r->width;
	}
	return w + (labels ? (labels + 1) * LABEL_WIDTH : 0);
}

/* Labels take room from the oldest cells. */
static void fit_labels(const struct scene *s, struct range *r, int columns)
{
	while (r->first < r->last && slim_width(s, r) > columns) {
		r->first++;
		r->left = r->left ? r->left : 1;
	}
	for (uint64_t i = r->first + 1; i <= r->last; i++)
		r->labels = r->labels || is_term_change(s->w, i);
}

struct range lanes_range(const struct scene *s, enum cell_form f, int columns)
{
	struct range r = {.last = newest_index(s->w)};
	uint64_t oldest = oldest_index(s->w), have = r.last - oldest + 1;

	r.width = cell_width(f, r.last);
	columns -= (f == CELLS_BOXED) + truncated_width(s, f); /* the last post, and what went */
	int fit = columns / r.width;
	if (have > (uint64_t)(fit > 0 ? fit : 0) || oldest > 1) {
		r.left = left_width(s, f, columns);
		fit = (columns - r.left) / r.width;
	}
	if (fit <= 0)
		r.first = r.last + 1;
	else
		r.first = have > (uint64_t)fit ? r.last - (uint64_t)fit + 1 : oldest;
	if (f == CELLS_SLIM && r.first < r.last && columns >= 20)
		fit_labels(s, &r, columns);
	return r;
}

struct look_of_cell {
	enum style style;
	char open, close;
	bool tilde;
};

static struct look_of_cell cell_look(const struct member *m, const struct entry *e)
{
	if (e->index <= member_committed(m))
		return (struct look_of_cell){term_style(e->term), '[', ']', false};
	bool on_disk = e->index <= member_stable(m);
	return (struct look_of_cell){on_disk ? STYLE_UNCOMMITTED : STYLE_UNSYNCED, '(', ')',
				     !on_disk};
}

/* "[ 7 ]": the index in the middle of w columns between brackets. */
static void cell_text(char out[32], const struct look_of_cell *l, uint64_t index, int w)
{
	char number[24];
	int n = snprintf(number, sizeof number, "%llu%s", (unsigned long long)index,
			 l->tilde ? "~" : "");
	int left = (w - 2 - n + l->tilde) / 2, right;

	left = left > 0 ? left : 0;
	right = w - 2 - n - left;
	snprintf(out, 32, "%c%*s%s%*s%c", l->open, left, "", number, right > 0 ? right : 0, "",
		 l->close);
}

/* What stands under a cell: the term, or in the layout "kinds" what the entry holds. */
static void below_text(const struct scene *s, char out[32], const struct entry *e, int w)
{
	char text[32];

	if (s->v->kinds) {
		struct buf b = {0};
		trace_print_entry(&b, e);
		snprintf(text, sizeof text, "%.*s", w < 31 ? w : 30, buf_str(&b));
		text[strcspn(text, " ")] = 0;
		buf_free(&b);
	} else {
		snprintf(text, sizeof text, "t%llu", (unsigned long long)e->term);
	}
	size_t n = strlen(text), room = w > (int)n ? (size_t)w - n : 0,
	       left = (room + 1) / 2 < 8 ? (room + 1) / 2 : 8;
	memset(out, ' ', left);
	memcpy(out + left, text, n + 1 < 32 - left ? n + 1 : 32 - left);
	out[31] = 0;
}

/* Entries of an older term that are gone stand behind the lane, with a minus, until the step ends.
 */
static void draw_truncated(const struct scene *s, struct canvas *c, int x, int y,
			   const struct member *m, enum cell_form f)
{
	const struct trace_record *r = truncated(s, m->number);
	struct buf b = {0};

	if (s->v->asks)
		canvas_puts(c, x + 1, y, STYLE_NORMAL, "?");
	if (!r || s->v->asks)
		return;
	put_truncated(&b, r, f);
	canvas_puts(c, x + 1, y, STYLE_CHANGED, buf_str(&b));
	buf_free(&b);
}

/* The left end: `…` for older entries, `snap 90` for a snapshot in their place, which can stand
 * within the range where a member got it later than others. */
static void draw_older(struct canvas *c, int x, int y, const struct range *r,
		       const struct member *m)
{
	uint64_t snap = snapshot_of(m), gap = snap + 1 > r->first ? snap + 1 - r->first : 0;
	struct buf b = {0};

	if (snap && snap + 1 >= r->first && r->first <= r->last)
		buf_printf(&b, "snap %llu", (unsigned long long)snap);
	else if (r->left)
		buf_puts(&b, "…");
	int end = x + r->left + (int)gap * r->width, w = canvas_width(c, buf_bytes(&b)) + 1;
	if (b.n && end - w >= x)
		canvas_puts(c, end - w, y, STYLE_NORMAL, buf_str(&b));
	else if (b.n)
		canvas_puts(c, x, y, STYLE_NORMAL, "…");
	buf_free(&b);
}

static void draw_slim(const struct scene *s, struct canvas *c, int x, int y, const struct range *r,
		      const struct member *m)
{
	draw_older(c, x, y, r, m);
	x += r->left;
	for (uint64_t i = r->first; i <= r->last; i++, x += r->width) {
		const struct entry *e = member_entry(m, i);
		bool room = r->labels && (i == r->first || is_term_change(s->w, i));
		char text[32];
		if (room && e && (i == r->first || term_at(m, i - 1) != e->term))
			canvas_printf(c, x, y, STYLE_NORMAL, "%st%llu",
				      i > r->first && e->term < 10 ? " " : "",
				      (unsigned long long)e->term);
		x += room ? LABEL_WIDTH : 0;
		if (!e)
			continue;
		struct look_of_cell l = cell_look(m, e);
		l.tilde = false;
		cell_text(text, &l, i, r->width);
		canvas_puts(c, x, y, l.style, text);
	}
	draw_truncated(s, c, x, y, m, CELLS_SLIM);
}

static void draw_plain(const struct scene *s, struct canvas *c, int x, int y, const struct range *r,
		       const struct member *m)
{
	draw_older(c, x, y, r, m);
	x += r->left;
	for (uint64_t i = r->first; i <= r->last; i++, x += r->width) {
		const struct entry *e = member_entry(m, i);
		char text[32], below[32];
		if (!e)
			continue;
		struct look_of_cell l = cell_look(m, e);
		cell_text(text, &l, i, r->width);
		below_text(s, below, e, r->width);
		canvas_puts(c, x, y, l.style, text);
		canvas_puts(c, x, y + 1, STYLE_NORMAL, below);
	}
	draw_truncated(s, c, x, y, m, CELLS_PLAIN);
}

/* One column of the frame between two cells, either of which may be missing. */
static void draw_post(struct canvas *c, int x, int y, bool left, bool right)
{
	static const char *const top[] = {"", "┌", "┐", "┬"}, *const bottom[] = {"", "└", "┘", "┴"};
	int i = (right ? 1 : 0) + (left ? 2 : 0);

	if (i == 0)
		return;
	canvas_puts(c, x, y, STYLE_NORMAL, top[i]);
	canvas_puts(c, x, y + 1, STYLE_NORMAL, "│");
	canvas_puts(c, x, y + 2, STYLE_NORMAL, bottom[i]);
}

static void draw_box(const struct scene *s, struct canvas *c, int x, int y, int w,
		     const struct member *m, const struct entry *e)
{
	struct look_of_cell l = cell_look(m, e);
	char text[32], below[32];
	int narrow = digits(e->index) + 2 + l.tilde;

	canvas_fill(c, (struct rect){x, y, w, 1}, STYLE_NORMAL, 0x2500);
	canvas_fill(c, (struct rect){x, y + 2, w, 1}, STYLE_NORMAL, 0x2500);
	canvas_fill(c, (struct rect){x, y + 1, w, 1}, l.style, ' ');
	cell_text(text, &l, e->index, narrow);
	canvas_puts(c, x + (w - narrow) / 2, y + 1, l.style, text);
	below_text(s, below, e, w);
	size_t blanks = strspn(below, " ");
	canvas_puts(c, x + (int)blanks, y + 2, STYLE_NORMAL, below + blanks);
}

static void draw_boxed(const struct scene *s, struct canvas *c, int x, int y, const struct range *r,
		       const struct member *m)
{
	bool before = false;

	draw_older(c, x, y + 1, r, m);
	x += r->left;
	for (uint64_t i = r->first; i <= r->last + 1; i++, x += r->width) {
		const struct entry *e = i <= r->last ? member_entry(m, i) : NULL;
		draw_post(c, x, y, before, e != NULL);
		if (e)
			draw_box(s, c, x + 1, y, r->width - 1, m, e);
		before = e != NULL;
	}
	draw_truncated(s, c, x - r->width + 1, y + 1, m, CELLS_BOXED);
}

void draw_cells(const struct scene *s, struct canvas *c, int x, int y, const struct range *r,
		enum cell_form f, const struct member *m)
{
	if (f == CELLS_SLIM)
		draw_slim(s, c, x, y, r, m);
	else if (f == CELLS_PLAIN)
		draw_plain(s, c, x, y, r, m);
	else
		draw_boxed(s, c, x, y, r, m);
}
