/* One lane a member, always in the order S1, S2, ... (screen-design.md B.4). */
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"
#include "ui/lanes.h"
#include "ui/scene.h"
#include "ui/wire.h"

/* Where the columns of a lane begin. */
struct columns {
	int term;	  /* -1: below the name */
	int wire, wire_w; /* wire_w 0: none */
	int cells, cells_w;
	int numbers; /* -1: below the wire */
	bool bars;
	int inset; /* blanks between the wire's bars and its text */
	enum wire_form form;
};

static struct columns columns_of(const struct rect *r, int lane)
{
	int w = r->w;

	if (lane >= 3) {
		int wire = w >= 120 ? 30 : w >= 100 ? 24 : 22;
		int right = w >= 100 ? 17 : 13;
		return (struct columns){-1,	   18,	 wire, 20 + wire, w - 20 - wire - right - 1,
					w - right, true, 0,    WIRE_FULL};
	}
	if (lane == 2)
		return (struct columns){-1, 15, 19, 35, w - 35, -1, true, 0, WIRE_FULL};
	if (w >= 76)
		return (struct columns){15, 19, 17, 37, w - 37 - 22, w - 20, true, 0, WIRE_FULL};
	if (w >= 56)
		return (struct columns){15,	w - 12, 12, 18,	      w - 18 - 32,
					w - 31, false,	0,  WIRE_FULL};
	return (struct columns){15, 0, 0, 18, w - 18 - 13, w - 12, false, 0, WIRE_FULL};
}

/* What a member is, in a word. */
static const char *member_word(const struct member *m, int w)
{
	if (m->condition == MEMBER_REMOVED)
		return "REMOVED";
	if (m->condition == MEMBER_PAUSED)
		return "PAUSED"; /* the glyph says what it believes to be */
	if (m->condition == MEMBER_UNSTARTED)
		return w >= 11 ? "not started" : "new";
	return role_word(member_role(m));
}

/* Glyph, name and word of the role, filled in the role's colour. */
static void draw_badge(struct canvas *c, int x, int y, int w, const struct member *m, bool wide)
{
	enum style st = role_style(m->condition == MEMBER_PAUSED ? ROLE_DOWN : member_role(m));

	canvas_fill(c, (struct rect){x + 1, y, w - 1, 1}, st, ' ');
	int end = canvas_puts(c, x + 1, y, st, role_glyph(member_role(m)));
	canvas_printf(c, end, y, st, wide ? " S%u %s" : "S%u %s", m->number,
		      member_word(m, w - 5 - wide));
}

static void put_numbers(const struct scene *s, struct buf *out, const struct member *m, int w)
{
	unsigned long long com = member_committed(m), app = m->applied;
	long long rev = (long long)m->store.current_rev;

	if (m->condition == MEMBER_UNSTARTED)
		return;
	if (s->v->asks) {
		buf_puts(out, w >= 17 ? "com ? app ? rev ?" : w >= 8 ? "c? a? r?" : "r?");
		return;
	}
	buf_printf(out, "com %llu app %llu rev %lld", com, app, rev);
	if ((int)out->n <= w)
		return;
	buf_clear(out);
	buf_printf(out, "com%llu app%llu rev%lld", com, app, rev);
	if ((int)out->n <= w)
		return;
	buf_clear(out);
	buf_printf(out, "c%llu a%llu r%lld", com, app, rev);
	if ((int)out->n <= w)
		return;
	buf_clear(out);
	buf_printf(out, "r%lld", rev);
	if ((int)out->n > w)
		buf_clear(out);
}

static void put_since(struct buf *out, const struct member *m)
{
	const char *what = m->condition == MEMBER_REMOVED ? "removed" : "since";

	if (m->condition == MEMBER_UNSTARTED)
		return;

	buf_printf(out, "%s ", what);
	put_seconds(out, m->since_ms);
}

/* How much its clock is wrong; nothing if it is right. */
static void put_skew(struct buf *out, const char *before, const struct member *m)
{
	if (!m->clock.rate_ppm)
		return;
	buf_puts(out, before);
	clock_put_skew(out, &m->clock);
}

/* "at=fsync": what it dies before; "" of one that lives on. */
static void put_end(struct buf *out, const struct member *m)
{
	const char *point = kill_point_name((enum kill_point)m->kill_at);

	if (point[0] && m->raft)
		buf_printf(out, "at=%s", point);
}

/* The third row under the name. */
static void put_remark(struct buf *out, const struct world *w, const struct member *m)
{
	put_disk_word(out, m);
	if (out->n)
		return;
	if (member_role(m) == ROLE_DOWN || m->condition == MEMBER_PAUSED) {
		put_since(out, m);
		return;
	}
	put_end(out, m);
	if (out->n)
		return;
	unsigned voted = m->raft ? world_member_with_id(w, raft_vote(m->raft)) : 0;
	if (m->clock.rate_ppm)
		put_skew(out, "clock ", m);
	else if (voted)
		buf_printf(out, "voted S%u", voted);
	else if (m->life > 1)
		buf_puts(out, "restarted");
}

static void draw_bars(struct canvas *c, const struct rect *r, const struct columns *k, int y,
		      int rows)
{
	for (int i = 0; i < rows && k->bars; i++) {
		canvas_puts(c, r->x + k->wire - 1, y + i, STYLE_NORMAL, "│");
		canvas_puts(c, r->x + k->wire + k->wire_w, y + i, STYLE_NORMAL, "│");
		if (k->numbers >= 0)
			canvas_puts(c, r->x + k->numbers - 2, y + i, STYLE_NORMAL, "│");
	}
}

/* Three rows, where a blank one follows; nothing of a member that has nothing yet; else two, and
 * the third divides the members. */
static void draw_numbers_column(const struct scene *s, struct canvas *c, int x, int y,
				const struct member *m, bool gap)
{
	if (m->condition == MEMBER_UNSTARTED)
		return;
	char line[3][48];
	int n = gap ? 3 : 2;
	unsigned long long com = member_committed(m), app = m->applied;
	long long rev = (long long)m->store.current_rev;

	if (gap) {
		snprintf(line[0], sizeof *line, "committed %llu", com);
		snprintf(line[1], sizeof *line, "applied   %llu", app);
		snprintf(line[2], sizeof *line, "revision  %lld", rev);
	} else {
		snprintf(line[0], sizeof *line, "com %llu app %llu", com, app);
		snprintf(line[1], sizeof *line, "revision %lld", rev);
	}
	for (int i = 0; i < n; i++) {
		hide_numbers(s, line[i]);
		canvas_puts(c, x, y + i, STYLE_NORMAL, line[i]);
	}
}

static void draw_log(const struct scene *s, struct canvas *c, const struct rect *r,
		     const struct columns *k, int y, enum cell_form form, const struct member *m)
{
	struct range cells = lanes_range(s, form, k->cells_w);
	struct rect room = {r->x + k->cells, y, k->cells_w, r->y + r->h - y},
		    before = canvas_clip(c, room);

	draw_cells(s, c, room.x, y, &cells, form, m);
	canvas_clip(c, before);
}

enum { TERM_ROOM = 11 }; /* up to the wire */

/* Where there is no third row the term makes room for what is the matter with the disk. */
static bool draw_disk(struct canvas *c, int x, int y, const struct member *m)
{
	struct buf b = {0};

	put_disk_word(&b, m);
	bool any = b.n > 0;
	if (any) {
		char text[64];
		snprintf(text, sizeof text, "t%llu %s", (unsigned long long)member_term(m),
			 buf_str(&b));
		if (canvas_width(c, bytes_of(text)) <= TERM_ROOM)
			x++; /* under the name, like the terms of the others */
		canvas_puts(c, x, y, STYLE_NORMAL, text);
	}
	buf_free(&b);
	return any;
}

/* Under the name: the term, or why it has none; where there is no third row, how its clock is
 * wrong.
 */
static void draw_term(struct canvas *c, int x, int y, const struct member *m, bool skew)
{
	struct buf b = {0}, end = {0};

	if (m->condition == MEMBER_UNSTARTED)
		buf_puts(&b, "not started");
	else
		buf_printf(&b, "term %llu", (unsigned long long)member_term(m));
	if (skew && kill_point_name((enum kill_point)m->kill_at)[0] && m->raft) {
		put_end(&end, m);
		if (b.n + 1 + end.n > TERM_ROOM) {
			buf_clear(&b);
			buf_printf(&b, "t%llu", (unsigned long long)member_term(m));
		}
		if (b.n + 1 + end.n <= TERM_ROOM)
			buf_putc(&b, ' ');
		else
			buf_clear(&b);
		buf_puts(&b, buf_str(&end));
		buf_free(&end);
	} else if (skew && m->clock.rate_ppm) {
		put_skew(&b, " ", m);
		if (b.n > TERM_ROOM) {
			buf_clear(&b);
			buf_printf(&b, "t%llu", (unsigned long long)member_term(m));
			put_skew(&b, " ", m);
		}
	}
	draw_bytes(c, x, y, TERM_ROOM, STYLE_NORMAL, buf_bytes(&b), false);
	buf_free(&b);
}

static void draw_tall(const struct scene *s, struct canvas *c, const struct rect *r,
		      const struct columns *k, int y, const struct member *m)
{
	struct buf b = {0};

	draw_badge(c, r->x, y, 16, m, true);
	draw_term(c, r->x + 3, y + 1, m, false);
	put_remark(&b, s->w, m);
	draw_bytes(c, r->x + 3, y + 2, 13, STYLE_NORMAL, buf_bytes(&b), false);
	draw_wire(s, c, r->x + k->wire + k->inset, y, k->wire_w - k->inset - 1, m->number, k->form);
	draw_wire_details(s, c, r->x + k->wire + 5, y + 1, k->wire_w - 6, m->number);
	if (shows_message(s, m->number)) /* else they stand where the message would */
		draw_links(s, c, r->x + k->wire + k->inset, y + 2, k->wire_w - k->inset - 1,
			   m->number);
	draw_log(s, c, r, k, y, CELLS_BOXED, m);
	draw_numbers_column(s, c, r->x + k->numbers, y, m, s->l.lane_gap || s->v->zoom);
	buf_free(&b);
}

static void draw_double(const struct scene *s, struct canvas *c, const struct rect *r,
			const struct columns *k, int y, const struct member *m)
{
	struct buf b = {0};

	draw_badge(c, r->x, y, 14, m, false);
	if (!draw_disk(c, r->x + 2, y + 1, m))
		draw_term(c, r->x + 3, y + 1, m, true);
	draw_wire(s, c, r->x + k->wire, y, k->wire_w, m->number, k->form);
	put_numbers(s, &b, m, k->wire_w);
	canvas_puts(c, r->x + k->wire, y + 1, STYLE_NORMAL, buf_str(&b));
	draw_log(s, c, r, k, y, CELLS_PLAIN, m);
	buf_free(&b);
}

static void draw_single(const struct scene *s, struct canvas *c, const struct rect *r,
			const struct columns *k, int y, const struct member *m)
{
	struct buf b = {0};
	int room = k->numbers > k->wire ? r->w - k->numbers : k->wire - 1 - k->numbers;

	put_disk_word(&b, m);
	if (b.n) /* the word is in show disk: here is room for its glyph alone */
		canvas_puts(c, r->x + 14, y, STYLE_NORMAL, c->ascii ? "D" : "▤");
	buf_clear(&b);
	bool unstarted = m->condition == MEMBER_UNSTARTED;
	draw_badge(c, r->x, y, unstarted ? 17 : 14, m, false);
	if (!unstarted)
		canvas_printf(c, r->x + k->term, y, STYLE_NORMAL, "t%llu",
			      (unsigned long long)member_term(m));
	draw_log(s, c, r, k, y, CELLS_SLIM, m);
	if (k->wire_w)
		draw_wire(s, c, r->x + k->wire, y, k->wire_w, m->number, k->form);
	room = k->wire_w ? room : r->w - k->numbers;
	put_skew(&b, "", m);
	int end = canvas_puts(c, r->x + k->numbers, y, STYLE_NORMAL, buf_str(&b));
	if (b.n)
		end++;
	buf_clear(&b);
	put_numbers(s, &b, m, r->x + k->numbers + room - end);
	canvas_puts(c, end, y, STYLE_NORMAL, buf_str(&b));
	buf_free(&b);
}

/* What becomes of the members' configuration, if that is under way. */
static void put_configuration(struct buf *out, const struct world *w)
{
	const struct member *m = world_member(w, world_counters_member(w));
	uint64_t pending = server_pending_conf(m);

	if (pending)
		buf_printf(out, ", change at entry %llu", (unsigned long long)pending);
	else if (server_conf(m)->noutgoing)
		buf_puts(out, ", joint");
}

static void draw_members_title(const struct scene *s, struct canvas *c, const struct rect *r)
{
	unsigned voters, up, quorum = members_quorum(s->w, &voters, &up);
	struct buf b = {0};
	const char *legend = r->w >= 100
				 ? "[n] committed, colour of its term   (n) not committed, white"
				 : "[n] committed  (n) not yet";

	if (s->l.kind != LAYOUT_TINY) {
		buf_printf(&b, " quorum %u of %u", quorum, voters);
		if (up < voters || r->w >= 100)
			buf_printf(&b, ", up %u", up);
		put_configuration(&b, s->w);
		put_link_counts(&b, s->w);
	}
	draw_title(s, c, PANE_MEMBERS, r->x, r->w, buf_str(&b),
		   s->l.kind == LAYOUT_TINY ? "" : legend);
	buf_free(&b);
}

/* By the layout; in a pane that has the screen for itself as many as fit. */
static int lane_rows(const struct scene *s, const struct rect *r)
{
	int most = s->v->zoom || !s->l.lane ? 3 : s->l.lane, least_wide = r->w >= 100 ? 0 : 80;

	while (most > 1 &&
	       (most * (int)s->w->nmembers > r->h || r->w < 76 || (most == 3 && r->w < least_wide)))
		most--;
	return most;
}

void draw_members(const struct scene *s, struct canvas *c, struct rect r, int title)
{
	int lane = lane_rows(s, &r);
	struct columns k = columns_of(&r, lane);

	k.inset = lane < 3 ? 0 : k.wire_w >= 24 ? 2 : 1;
	k.form = wire_form(s, c, k.wire_w - (k.inset ? k.inset + 1 : 0));
	struct rect before = canvas_clip(c, r);
	const struct place *place = &s->v->place[PANE_MEMBERS];
	bool focused = s->v->focus == PANE_MEMBERS;
	int y = r.y, gap = s->l.lane_gap && !s->v->zoom;

	for (unsigned i = 1; i <= s->w->nmembers; i++, y += lane + gap) {
		const struct member *m = world_member(s->w, i);
		draw_bars(c, &r, &k, y, lane);
		spots_add(s->spots, (struct rect){r.x, y, r.w, lane}, "select members %u", i);
		if (lane == 3)
			draw_tall(s, c, &r, &k, y, m);
		else if (lane == 2)
			draw_double(s, c, &r, &k, y, m);
		else
			draw_single(s, c, &r, &k, y, m);
		if (focused && place->selected + 1 == i)
			canvas_puts(c, r.x, y, STYLE_SELECTED, ">");
	}
	if (s->l.flights && !s->v->zoom)
		draw_flights(s, c, r.x + 1, r.y + r.h - 1, r.w - 2);
	else if (s->v->zoom && place->details)
		draw_member_details(s, c, (struct rect){r.x, y + 1, r.w, r.y + r.h - y - 1},
				    (unsigned)place->selected + 1);
	canvas_clip(c, before);
	if (title)
		draw_members_title(s, c, &r);
}
