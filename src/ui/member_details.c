/* What ENTER on a lane opens: the raft state of one member, its view of its peers, and the end of
 * its log. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sim/sim.h"
#include "sim/trace.h"
#include "ui/scene.h"

static int text_line(struct canvas *c, const struct rect *r, int y, struct buf *b)
{
	struct rect line = {r->x + 1, y, r->w - 1, r->y + r->h - y};
	struct buf safe = {0};

	text_safe(&safe, buf_bytes(b), false);
	y += draw_block(c, line, STYLE_NORMAL, 0, buf_str(&safe), "");
	buf_free(&safe);
	buf_clear(b);
	return y;
}

static void put_state(struct buf *b, const struct scene *s, const struct member *m)
{
	unsigned vote = world_member_with_id(s->w, raft_vote(m->raft));
	unsigned lead = world_member_with_id(s->w, raft_lead(m->raft));

	buf_printf(b, "term %llu", (unsigned long long)raft_term(m->raft));
	if (vote)
		buf_printf(b, "   vote S%u", vote);
	else
		buf_puts(b, "   vote nobody");
	if (lead)
		buf_printf(b, "   leader S%u", lead);
	else
		buf_puts(b, "   leader unknown");
	buf_printf(b, "   election timer %u of %u ticks", raft_election_elapsed(m->raft),
		   raft_randomized_timeout(m->raft));
}

static int draw_progress(const struct scene *s, struct canvas *c, const struct rect *r, int y,
			 const struct member *m, struct buf *b)
{
	for (size_t i = 0; i < raft_nprogress(m->raft); i++) {
		struct progress_view p = raft_progress(m->raft, i);
		unsigned number = world_member_with_id(s->w, p.id);
		if (number == m->number)
			continue;
		buf_printf(b, "S%u: match %llu   next %llu   %s   in flight %u%s%s", number,
			   (unsigned long long)p.match, (unsigned long long)p.next,
			   progress_state_name(p.state) + strlen("State"), p.inflight,
			   p.recent_active ? "   heard from lately" : "   not heard from lately",
			   p.is_learner ? "   learner" : "");
		y = text_line(c, r, y, b);
	}
	return y;
}

static void draw_log_tail(struct canvas *c, const struct rect *r, int y, const struct member *m,
			  struct buf *b)
{
	uint64_t first = member_first(m), last = member_last(m);
	uint64_t room = (uint64_t)(r->y + r->h - y > 0 ? r->y + r->h - y : 0);

	if (last >= first && last - first + 1 > room)
		first = last - room + 1;
	for (uint64_t i = first; i <= last; i++) {
		const struct entry *e = member_entry(m, i);
		buf_printf(b, "%c%llu%c t%llu  ", i <= member_committed(m) ? '[' : '(',
			   (unsigned long long)i, i <= member_committed(m) ? ']' : ')',
			   (unsigned long long)(e ? e->term : 0));
		if (e)
			trace_print_entry(b, e);
		y = text_line(c, r, y, b);
	}
}

void draw_member_details(const struct scene *s, struct canvas *c, struct rect r, unsigned number)
{
	const struct member *m = world_member(s->w, number <= s->w->nmembers ? number : 1);
	struct buf b = {0};
	int y = r.y;

	buf_printf(&b, "S%u  %s  id %llx   %s ", m->number, role_word(member_role(m)),
		   (unsigned long long)m->id,
		   m->condition == MEMBER_PAUSED ? "PAUSED since" : "since");
	put_seconds(&b, m->since_ms);
	if (m->clock.rate_ppm) {
		buf_puts(&b, "   clock ");
		clock_put_skew(&b, &m->clock);
		buf_puts(&b, ", says ");
		put_seconds(&b, server_clock_ms(m, s->w->now_ms));
	}
	if (m->raft && kill_point_name((enum kill_point)m->kill_at)[0])
		buf_printf(&b, "   dies before its next %s",
			   kill_point_name((enum kill_point)m->kill_at));
	y = text_line(c, &r, y, &b);
	if (m->raft) {
		put_state(&b, s, m);
		y = text_line(c, &r, y, &b);
	}
	buf_printf(&b,
		   "log %llu..%llu   on disk %llu   committed %llu   applied %llu   hard state "
		   "term %llu commit %llu",
		   (unsigned long long)member_first(m), (unsigned long long)member_last(m),
		   (unsigned long long)member_stable(m), (unsigned long long)member_committed(m),
		   (unsigned long long)m->applied, (unsigned long long)m->storage.hard_state.term,
		   (unsigned long long)m->storage.hard_state.commit);
	y = text_line(c, &r, y, &b);
	buf_printf(&b, "store revision %lld   keys %lld   rows %llu   file %lld bytes",
		   (long long)m->store.current_rev, (long long)m->store.live_keys,
		   (unsigned long long)mvcc_row_count(&m->store), (long long)m->file_size);
	y = text_line(c, &r, y, &b);
	if (m->failure) {
		buf_printf(&b, "down: %s", m->failure);
		y = text_line(c, &r, y, &b);
	}
	if (m->raft && raft_role(m->raft) == STATE_LEADER)
		y = draw_progress(s, c, &r, y, m, &b);
	draw_log_tail(c, &r, y, m, &b);
	buf_free(&b);
}
