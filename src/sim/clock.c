/* When members tick and their lessors look.  Where all clocks are right they do so together, and
 * the world keeps one schedule; a wrong clock has a schedule of its own, in its own time.
 */
#include "sim/private.h"

enum { LOOK_EVERY_MS = 500 };

int64_t clock_next_tick(const struct world *w, const struct member *m)
{
	return m->clock.rate_ppm ? clock_world_ms(&m->clock, m->clock.tick_ms) : w->next_tick_ms;
}

int64_t clock_next_look(const struct world *w, const struct member *m)
{
	return m->clock.rate_ppm ? clock_world_ms(&m->clock, m->clock.look_ms) : w->next_lessor_ms;
}

/* The next moment of its schedule that is still to come. */
static void pass(const struct clock *c, int64_t now_ms, int64_t *at_ms, int64_t every_ms)
{
	int64_t own = clock_own_ms(c, now_ms);

	if (*at_ms <= own)
		*at_ms += ((own - *at_ms) / every_ms + 1) * every_ms;
}

void clock_end_instant(struct world *w)
{
	for (unsigned i = 0; w->nskewed && i < w->nmembers; i++) {
		struct clock *c = &w->members[i]->clock;
		if (!c->rate_ppm)
			continue;
		pass(c, w->now_ms, &c->tick_ms, w->cfg.heartbeat_ms);
		pass(c, w->now_ms, &c->look_ms, LOOK_EVERY_MS);
	}
}

/* The tick that is under way goes on at the new rate: as much of it is left as was. */
static int64_t left_of(const struct world *w, const struct clock *c, int64_t own_at, int64_t at_ms)
{
	return c->rate_ppm ? own_at - clock_own_ms(c, w->now_ms) : at_ms - w->now_ms;
}

static void tell(struct world *w, const struct member *m)
{
	struct buf b = {0};

	buf_puts(&b, "--skew=");
	clock_put_skew(&b, &m->clock);
	observe_fault_text(w, FAULT_CLOCK, m->number, heap_dup(w->heap, b.p, b.n));
	buf_free(&b);
}

void sim_skew(struct world *w, unsigned member, int64_t rate_ppm)
{
	struct member *m = world_member(w, member);
	struct clock *c = &m->clock;
	int64_t tick = left_of(w, c, c->tick_ms, w->next_tick_ms),
		look = left_of(w, c, c->look_ms, w->next_lessor_ms);
	bool was_wrong = c->rate_ppm != 0;

	m->touched++;
	clock_set_rate(c, w->now_ms, rate_ppm);
	c->tick_ms = c->said_ms + tick;
	c->look_ms = c->said_ms + look;
	w->nskewed += (uint32_t)(c->rate_ppm != 0) - (uint32_t)was_wrong;
	tell(w, m);
}
