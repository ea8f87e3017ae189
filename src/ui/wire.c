/* The wire column: direction as seen from the member, `◄─` arrives, `─►` leaves (screen-design.md
 * B.4). */
#include "ui/wire.h"

#include <stdio.h>
#include <string.h>

/* MsgAppResp, or AppResp; heartbeats beat, since their name alone would fill the column. */
static void put_name(struct buf *out, const struct trace_msg *m, bool brief)
{
	const char *name = message_type_name((enum message_type)m->type);

	if (brief && m->type == MSG_HEARTBEAT)
		name = "Beat";
	else if (brief && m->type == MSG_HEARTBEAT_RESP)
		name = "BeatResp";
	else if (brief && strncmp(name, "Msg", 3) == 0)
		name += 3;
	buf_puts(out, name);
}

void put_message(struct buf *out, const struct trace_msg *m, bool brief)
{
	put_name(out, m, brief);
	switch ((enum message_type)m->type) {
	case MSG_APP:
		if (m->first < m->last)
			buf_printf(out, " %llu..%llu", (unsigned long long)m->first,
				   (unsigned long long)m->last);
		else if (m->first == m->last)
			buf_printf(out, " %llu", (unsigned long long)m->first);
		else
			buf_printf(out, " commit %llu", (unsigned long long)m->commit);
		break;
	case MSG_APP_RESP:
		buf_printf(out, "%s %llu", m->reject ? " no" : "", (unsigned long long)m->index);
		break;
	case MSG_VOTE:
	case MSG_PRE_VOTE:
		buf_printf(out, " t%llu", (unsigned long long)m->term);
		break;
	case MSG_VOTE_RESP:
	case MSG_PRE_VOTE_RESP:
		buf_puts(out, m->reject ? " no" : " yes");
		break;
	case MSG_SNAP:
		buf_printf(out, " %llu", (unsigned long long)m->index);
		break;
	default:
		break;
	}
}

/* A message under way, or one that was lost in this step. */
struct sight {
	struct trace_msg m;
	unsigned from, to;
	int64_t due_ms;
	bool lost, next;
};

static struct trace_msg outline(const struct message *m)
{
	struct trace_msg t = {.type = (uint8_t)m->type,
			      .reject = m->reject,
			      .has_context = m->has_context,
			      .term = m->term,
			      .index = m->type == MSG_SNAP && m->snapshot ? m->snapshot->index
									  : m->index,
			      .log_term = m->log_term,
			      .commit = m->commit,
			      .hint = m->reject_hint,
			      .first = 1};

	if (m->nentries) {
		t.first = m->entries[0]->index;
		t.last = m->entries[m->nentries - 1]->index;
	}
	return t;
}

static struct sight sight_of(const struct world *w, size_t i)
{
	const struct flight *f = &w->net.v[i];

	return (struct sight){
	    outline(&f->m), f->from, f->to,
	    f->due_ms,	    false,   i == w->net_head && f->due_ms <= w->now_ms && sim_pending(w)};
}

/* The newest message to or from a member in the air; *more: how many others there are.  What comes
 * to a leader says more than what it sends: that stands at those whom it reaches. */
static bool newest_flight(const struct world *w, unsigned member, struct sight *out, int *more)
{
	bool leads = member_role(world_member(w, member)) == ROLE_LEADER, arrives = false;

	*more = -1;
	for (size_t i = w->net.n; i > w->net_head; i--) {
		const struct flight *f = &w->net.v[i - 1];
		if (f->from != member && f->to != member)
			continue;
		if (++*more == 0 || (leads && !arrives && f->to == member))
			*out = sight_of(w, i - 1);
		arrives = arrives || f->to == member;
	}
	return *more >= 0;
}

/* The newest that was lost in this instant of this step. */
static bool newest_lost(const struct scene *s, unsigned member, struct sight *out)
{
	const struct trace *t = player_trace(s->p);

	for (uint64_t i = t ? t->end : 0; i > (t ? t->first : 0) && i > s->mark.ntrace; i--) {
		const struct trace_record *r = trace_get(t, i - 1);
		if (r->ms != s->w->now_ms)
			return false;
		if (r->kind != TRACE_LOST || (r->member != member && r->peer != member))
			continue;
		*out = (struct sight){r->msg, r->member, r->peer, r->ms, true, false};
		return true;
	}
	return false;
}

static bool newest(const struct scene *s, unsigned member, struct sight *out, int *more)
{
	return newest_flight(s->w, member, out, more) || newest_lost(s, member, out);
}

/* ◄─ MsgApp 3..4, ◄─ App 3..4, or ◄App where there is hardly room. */
static void put_sight(struct buf *out, const struct sight *f, unsigned member, enum wire_form form)
{
	static const char *const comes[] = {"◄─ ", "◄─ ", "◄"},
				 *const lost[] = {"◄─× ", "◄─× ", "◄×"},
				 *const goes[] = {" ─►", " ─►", "►"},
				 *const gone[] = {" ─×", " ─×", "×"};

	if (f->to == member)
		buf_puts(out, f->lost ? lost[form] : comes[form]);
	if (form == WIRE_BARE)
		put_name(out, &f->m, true);
	else
		put_message(out, &f->m, form == WIRE_SHORT);
	if (f->to != member)
		buf_puts(out, f->lost ? gone[form] : goes[form]);
}

static int sight_width(const struct scene *s, const struct canvas *c, unsigned member,
		       enum wire_form form)
{
	struct buf b = {0};
	struct sight f;
	int more, w = 0;

	if (newest(s, member, &f, &more)) {
		put_sight(&b, &f, member, form);
		if (more > 0)
			buf_printf(&b, " +%d", more);
		w = canvas_width(c, buf_bytes(&b));
	}
	buf_free(&b);
	return w;
}

enum wire_form wire_form(const struct scene *s, const struct canvas *c, int w)
{
	int form = WIRE_FULL;

	for (unsigned m = 1; m <= s->w->nmembers; m++)
		while (form < WIRE_BARE && sight_width(s, c, m, (enum wire_form)form) > w)
			form++;
	return (enum wire_form)form;
}

/* Those from which a member is cut off. */
static void put_cuts(struct buf *out, const struct world *w, unsigned member, bool ascii)
{
	unsigned n = 0;

	for (unsigned i = 0; i <= w->nmembers; i++) {
		bool to = w->cut[member][i], from = w->cut[i][member];
		if (!(to || from))
			continue;
		buf_printf(out, "%s%s",
			   n++	   ? " "
			   : ascii ? "/ / "
				   : "╎╎ ",
			   to && from ? ""
			   : to	      ? "→"
				      : "←");
		if (i == LINK_CLIENT)
			buf_puts(out, "client");
		else
			buf_printf(out, "S%u", i);
	}
}

/* What a link does, in few letters: "50ms", "20-80ms", "20%lost". */
static void put_faults(struct buf *out, const struct link *l)
{
	const char *gap = "";

	if (l->delay_ms || l->delay_max_ms) {
		buf_printf(out, "%d", l->delay_ms);
		if (l->delay_max_ms > l->delay_ms)
			buf_printf(out, "-%d", l->delay_max_ms);
		buf_puts(out, "ms");
		gap = " ";
	}
	if (l->loss)
		buf_printf(out, "%s%u%%lost", gap, l->loss), gap = " ";
	if (l->duplicate)
		buf_printf(out, "%s%u%%twice", gap, l->duplicate), gap = " ";
	if (l->reorder)
		buf_printf(out, "%s%u%%ahead", gap, l->reorder);
}

/* Links from the member that are slow or lossy: ".. S2 50ms  S3 20%lost". */
static void put_slow(struct buf *out, const struct world *w, unsigned member)
{
	unsigned n = 0;

	for (unsigned i = 0; i <= w->nmembers; i++) {
		const struct link *l = &w->link[member][i];
		if (!link_is_set(l))
			continue;
		buf_puts(out, n++ ? "  " : out->n ? "  .. " : ".. ");
		if (i == LINK_CLIENT)
			buf_puts(out, "client ");
		else
			buf_printf(out, "S%u ", i);
		put_faults(out, l);
	}
}

static void put_delay(struct buf *out, const struct scene *s, const struct sight *f)
{
	if (f->lost || f->due_ms <= s->w->now_ms)
		return;
	int64_t left = f->due_ms - s->w->now_ms;
	buf_puts(out, " .. ");
	if (left < 1000)
		buf_printf(out, "%dms", (int)left);
	else
		put_seconds(out, left);
}

void draw_wire(const struct scene *s, struct canvas *c, int x, int y, int w, unsigned member,
	       enum wire_form form)
{
	struct buf b = {0}, delay = {0};
	int more = 0, end = x + w;
	struct sight f = {.next = false};

	if (newest(s, member, &f, &more)) {
		put_sight(&b, &f, member, form);
		put_delay(&delay, s, &f);
	} else {
		put_cuts(&b, s->w, member, c->ascii);
		put_slow(&b, s->w, member);
	}
	x = draw_bytes(c, x, y, w, f.next ? STYLE_NEXT : STYLE_NORMAL, buf_bytes(&b), false);
	if (more > 0 && x + 3 <= end)
		x = canvas_printf(c, x, y, STYLE_NORMAL, " +%d", more);
	if (x + (int)delay.n <= end)
		canvas_puts(c, x, y, STYLE_NORMAL, buf_str(&delay));
	buf_free(&b);
	buf_free(&delay);
}

void draw_wire_details(const struct scene *s, struct canvas *c, int x, int y, int w,
		       unsigned member)
{
	struct buf b = {0};
	struct sight f;
	int more;

	if (!newest(s, member, &f, &more))
		return;
	if (f.m.type == MSG_APP)
		buf_printf(&b, "prev %llu/t%llu   commit %llu", (unsigned long long)f.m.index,
			   (unsigned long long)f.m.log_term, (unsigned long long)f.m.commit);
	else if (f.m.type == MSG_VOTE || f.m.type == MSG_PRE_VOTE)
		buf_printf(&b, "last entry %llu/t%llu", (unsigned long long)f.m.index,
			   (unsigned long long)f.m.log_term);
	else if (f.m.reject && f.m.type == MSG_APP_RESP)
		buf_printf(&b, "hint %llu", (unsigned long long)f.m.hint);
	if (canvas_width(c, buf_bytes(&b)) <= w)
		canvas_puts(c, x, y, STYLE_NORMAL, buf_str(&b));
	buf_free(&b);
}

void draw_links(const struct scene *s, struct canvas *c, int x, int y, int w, unsigned member)
{
	struct buf b = {0};

	put_cuts(&b, s->w, member, c->ascii);
	put_slow(&b, s->w, member);
	draw_bytes(c, x, y, w, STYLE_NORMAL, buf_bytes(&b), false);
	buf_free(&b);
}

bool shows_message(const struct scene *s, unsigned member)
{
	struct sight f;
	int more;

	return newest(s, member, &f, &more);
}

void put_link_counts(struct buf *out, const struct world *w)
{
	unsigned cut = 0, slow = 0, lossy = 0, other = 0;

	for (unsigned a = 0; a <= w->nmembers && w->faulty; a++)
		for (unsigned b = a + 1; b <= w->nmembers; b++) {
			const struct link *x = &w->link[a][b], *y = &w->link[b][a];
			cut += w->cut[a][b] || w->cut[b][a];
			slow += x->delay_max_ms || y->delay_max_ms;
			lossy += x->loss || y->loss;
			other += x->duplicate || y->duplicate || x->reorder || y->reorder;
		}
	if (slow || lossy || other || cut)
		buf_puts(out, ", links:");
	if (slow)
		buf_printf(out, " %u slow", slow);
	if (lossy)
		buf_printf(out, " %u lossy", lossy);
	if (other)
		buf_printf(out, " %u odd", other);
	if (cut)
		buf_printf(out, " %u cut", cut);
}

void draw_flights(const struct scene *s, struct canvas *c, int x, int y, int w)
{
	const struct world *world = s->w;
	size_t i = world->net_head;
	int end = x + w;
	bool fits = true;

	x = canvas_printf(c, x, y, STYLE_NORMAL, "in flight %zu", world->net.n - i) + 4;
	while (i < world->net.n && fits) {
		struct sight f = sight_of(world, i);
		struct buf b = {0};
		buf_printf(&b, "S%u ─► S%u  ", f.from, f.to);
		put_message(&b, &f.m, false);
		fits = x + canvas_width(c, buf_bytes(&b)) + (i + 1 < world->net.n ? 5 : 0) <= end;
		if (fits)
			x = canvas_puts(c, x, y, f.next ? STYLE_NEXT : STYLE_NORMAL, buf_str(&b)) +
			    4,
			i++;
		buf_free(&b);
	}
	if (i < world->net.n)
		canvas_printf(c, x, y, STYLE_NORMAL, "+%zu", world->net.n - i);
}
