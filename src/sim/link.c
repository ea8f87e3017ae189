/* Links: how what is sent from one end to another is carried.
 *
 *   sent --> lost            the link is cut, or chance has it so
 *        --> due later       after the link's delay; never before what was sent earlier on it
 *        --> ahead           --reorder: it arrives with the first of what is under way, before it
 *        --> twice           --duplicate: a copy follows
 *
 * An end is a member's number or LINK_CLIENT, for all clients.  Each direction is a link of its
 * own.  Nothing is drawn of the world's generator where nothing is set, so that a world without
 * such faults draws nothing at all.
 */
#include "sim/private.h"

/* ---- cuts ---- */

bool net_connected(const struct world *w, unsigned a, unsigned b)
{
	return a == b || (!w->cut[a][b] && !w->cut[b][a]);
}

/* A connection needs both directions: where nothing is acknowledged any more TCP only repeats what
 * it has sent, and nothing new gets through (cluster-facts F3). */
bool link_hears_no_more(const struct world *w, unsigned from, unsigned to)
{
	return w->cut[from][to] ||
	       (w->cut[to][from] && w->now_ms - w->cut_ms[from][to] >= STALL_MS);
}

int64_t link_client_notices_ms(const struct world *w, unsigned member)
{
	return net_connected(w, LINK_CLIENT, member)
		   ? INT64_MAX
		   : w->cut_ms[LINK_CLIENT][member] + CLIENT_NOTICE_MS;
}

/* ---- settings ---- */

bool link_is_set(const struct link *l)
{
	return l->delay_ms || l->delay_max_ms || l->loss || l->duplicate || l->reorder;
}

bool link_is_plain(const struct world *w, unsigned a, unsigned b)
{
	return !link_is_set(&w->link[a][b]) && !link_is_set(&w->link[b][a]);
}

/* Between clients and members TCP sees to it that nothing comes twice or in another order. */
static unsigned fields_of(const struct link_change *c, unsigned from, unsigned to)
{
	unsigned tcp = LINK_DELAY | LINK_LOSS;

	return from == LINK_CLIENT || to == LINK_CLIENT ? c->fields & tcp : c->fields;
}

static void change(struct link *l, const struct link *to, unsigned fields)
{
	if (fields & LINK_DELAY) {
		l->delay_ms = to->delay_ms;
		l->delay_max_ms = to->delay_max_ms;
	}
	if (fields & LINK_LOSS)
		l->loss = to->loss;
	if (fields & LINK_DUPLICATE)
		l->duplicate = to->duplicate;
	if (fields & LINK_REORDER)
		l->reorder = to->reorder;
}

/* Does an end that was named stand for this one? */
static bool stands_for(unsigned named, unsigned end)
{
	return named == end || (named == LINK_MEMBERS && end != LINK_CLIENT);
}

void sim_set_link(struct world *w, const struct link_change *c)
{
	w->faulty = true;
	for (unsigned from = 0; from < LINK_ENDS; from++)
		for (unsigned to = 0; to < LINK_ENDS; to++) {
			bool there = stands_for(c->from, from) && stands_for(c->to, to);
			bool back = stands_for(c->from, to) && stands_for(c->to, from);
			if (from != to && (there || (back && !c->oneway)))
				change(&w->link[from][to], &c->link, fields_of(c, from, to));
		}
	observe_link(w, c);
	client_links_changed(w);
}

/* ---- what becomes of a message ---- */

static bool happens(struct world *w, unsigned percent)
{
	return percent && prng_below(&w->prng, 100) < percent;
}

static int64_t arrival(struct world *w, const struct link *l)
{
	int64_t span = l->delay_max_ms - l->delay_ms;

	return w->now_ms + l->delay_ms +
	       (span > 0 ? (int64_t)prng_below(&w->prng, (uint64_t)span + 1) : 0);
}

/* Behind what was sent on the link before. */
static int64_t behind(struct world *w, unsigned from, unsigned to, int64_t ms)
{
	int64_t *last = &w->link_last_ms[from][to];

	if (ms > *last)
		*last = ms;
	return *last;
}

struct fate link_fate(struct world *w, unsigned from, unsigned to)
{
	const struct link *l = &w->link[from][to];
	struct fate f = {.lost = link_is_cut(w, from, to) || happens(w, l->loss)};

	if (f.lost)
		return f;
	f.due_ms = arrival(w, l);
	f.ahead = happens(w, l->reorder);
	if (!f.ahead)
		f.due_ms = behind(w, from, to, f.due_ms);
	f.twice = happens(w, l->duplicate);
	if (f.twice)
		f.copy_ms = behind(w, from, to, arrival(w, l));
	return f;
}
