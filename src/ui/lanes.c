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
	int w = r->older ? 1 : 0, labels = 0;

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
		r->older = true;
	}
	for (uint64_t i = r->first + 1; i <= r->last; i++)
		r->labels = r->labels || is_term_change(s->w, i);
}

struct range lanes_range(const struct scene *s, enum cell_form f, int columns)
{
	struct range r = {.last = newest_index(s->w)};
	uint64_t oldest = oldest_index(s->w), have = r.last - oldest + 1;
	int left_mark = 1 + (f == CELLS_BOXED);

	r.width = cell_width(f, r.last);
	columns -= f == CELLS_BOXED; /* the last post */
	int fit = columns / r.width;
	r.older = have > (uint64_t)(fit > 0 ? fit : 0) || oldest > 1;
	if (r.older)
		fit = (columns - left_mark) / r.width;
	if (fit <= 0)
		r.first = r.last + 1;
	else
		r.first = have > (uint64_t)fit ? r.last - (uint64_t)fit + 1 : oldest;
	if (f == CELLS_SLIM && r.first < r.last)
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
			   const struct member *m)
{
	const struct trace_record *r = truncated(s, m->number);

	if (r && r->a == r->b)
		canvas_printf(c, x + 1, y, STYLE_REMOVED, "-( %llu )t%llu",
			      (unsigned long long)r->a, (unsigned long long)r->c);
	else if (r)
		canvas_printf(c, x + 1, y, STYLE_REMOVED, "-( %llu..%llu )t%llu",
			      (unsigned long long)r->a, (unsigned long long)r->b,
			      (unsigned long long)r->c);
}

/* The left end: older entries, or a snapshot in their place. */
static int draw_older(struct canvas *c, int x, int y, const struct range *r)
{
	if (!r->older)
		return x;
	canvas_puts(c, x, y, STYLE_NORMAL, "…");
	return x + (c->ascii ? 2 : 1);
}

static void draw_slim(const struct scene *s, struct canvas *c, int x, int y, const struct range *r,
		      const struct member *m)
{
	x = draw_older(c, x, y, r);
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
	draw_truncated(s, c, x, y, m);
}

static void draw_plain(const struct scene *s, struct canvas *c, int x, int y, const struct range *r,
		       const struct member *m)
{
	x = draw_older(c, x, y, r);
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
	draw_truncated(s, c, x, y, m);
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

	x = draw_older(c, x, y + 1, r);
	for (uint64_t i = r->first; i <= r->last + 1; i++, x += r->width) {
		const struct entry *e = i <= r->last ? member_entry(m, i) : NULL;
		draw_post(c, x, y, before, e != NULL);
		if (e)
			draw_box(s, c, x + 1, y, r->width - 1, m, e);
		before = e != NULL;
	}
	draw_truncated(s, c, x - r->width + 1, y + 1, m);
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
