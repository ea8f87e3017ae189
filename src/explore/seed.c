#include "explore/seed.h"
#include "explore/profile.h"

#include <inttypes.h>
#include <stdio.h>

void seed_draw(struct seed *s, uint64_t number, const struct seed_options *o)
{
	struct prng g = {number * 0x9e3779b97f4a7c15u + 1};
	struct plan plan;

	*s = (struct seed){.number = number};
	config_init(&s->cfg);
	s->cfg.seed = number;
	profile_draw(&s->cfg, &plan, o, &g);
	s->settles = prng_below(&g, 8) == 0;
	action_draw(&s->actions, &plan, &g);
}

void seed_free(struct seed *s)
{
	vec_free(&s->actions);
	vec_free(&s->settling);
}

struct run {
	struct world *w;
	errand_list errands;
	struct checker *check; /* NULL: nobody watches */
	uint64_t steps;
	bool ok;
};

/* As the command `step` does it: one event; or, where nothing is pending, the clock moves first,
 * and there may be no event (all members are down). */
static void step(struct run *r)
{
	r->steps++;
	if (!sim_step(r->w)) {
		sim_advance(r->w, sim_next_ms(r->w));
		sim_step(r->w);
	}
	if (r->check)
		r->ok = check_step(r->check, r->w);
	r->w->notes.n = 0;
	if (r->errands.n)
		errands_go_on(r->w, &r->errands);
}

static bool somebody_left(const struct world *w)
{
	bool any = false;

	for (unsigned i = 0; i < w->nmembers; i++)
		any |= w->members[i]->condition == MEMBER_REMOVED;
	return any;
}

/* Those that the leader counts as members have applied what it has.  Whoever has been removed is
 * gone for good, so those that have not heard of it may lack a majority for ever: of two members
 * the leader removes itself, and the other one never learns that this was committed. */
static bool converged(const struct world *w)
{
	unsigned leader = world_leader(w);

	if (!leader || !sim_has_leader(w))
		return somebody_left(w);
	const struct member *l = world_member(w, leader);
	for (size_t i = 0; i < raft_nprogress(l->raft); i++) {
		unsigned peer = world_member_with_id(w, raft_progress(l->raft, i).id);
		if (!peer || world_member(w, peer)->applied != l->applied)
			return false;
	}
	return true;
}

static struct violation disagreement(const struct world *w)
{
	struct violation v = {.rule = "Members Come To Agree", .event = w->events, .ms = w->now_ms};
	struct buf b = {0};

	buf_printf(&b, "100 election timeouts without faults have passed; leader S%u, applied",
		   world_leader(w));
	for (unsigned i = 0; i < w->nmembers; i++)
		buf_printf(&b, " S%u %" PRIu64, i + 1, w->members[i]->applied);
	snprintf(v.text, sizeof v.text, "%s", buf_str(&b));
	buf_free(&b);
	return v;
}

/* Where the latest action of settling was. */
struct place {
	uint64_t step;
	int64_t ms;
};

static void settle_do(struct run *r, struct seed *s, struct place *at, struct action a)
{
	a.events = (uint32_t)(r->steps - at->step);
	*at = (struct place){r->steps, r->w->now_ms};
	action_do(r->w, &a, &r->errands);
	vec_push(&s->settling, a);
}

/* Those too whose end was set for later (kill --at). */
static void start_all(struct run *r, struct seed *s, struct place *at)
{
	for (unsigned i = 1; i <= r->w->nmembers; i++) {
		enum member_condition is = world_member(r->w, i)->condition;
		if (is == MEMBER_DOWN || is == MEMBER_UNSTARTED)
			settle_do(
			    r, s, at,
			    (struct action){.kind = is == MEMBER_DOWN ? ACT_RESTART : ACT_START,
					    .member = (uint8_t)i});
	}
}

/* Every fault that lasts ends. */
static void end_faults(struct run *r, struct seed *s, struct place *at)
{
	settle_do(r, s, at, (struct action){.kind = ACT_HEAL});
	if (r->w->faulty) {
		settle_do(r, s, at, (struct action){.kind = ACT_LINK, .member = 1});
		for (unsigned i = 1; i <= r->w->nmembers; i++)
			settle_do(r, s, at,
				  (struct action){.kind = ACT_LINK,
						  .at = LINK_AT_CLIENT,
						  .member = (uint8_t)i});
	}
	for (unsigned i = 1; i <= r->w->nmembers; i++) {
		const struct member *m = world_member(r->w, i);
		struct action a = {.member = (uint8_t)i};
		if (m->condition == MEMBER_PAUSED)
			settle_do(r, s, at, (a.kind = ACT_GO_ON, a));
		if (m->disk.delay_ms || m->disk.delay_most_ms || m->disk.full)
			settle_do(r, s, at, (a.kind = ACT_DISK, a.disk.reset = true, a));
		if (m->clock.rate_ppm)
			settle_do(r, s, at, (struct action){.kind = ACT_CLOCK, .member = a.member});
	}
}

/* Without faults there is a leader again before long, and all members have applied the same. */
static void settle(struct run *r, struct seed *s, struct seed_result *result)
{
	int64_t election = r->w->cfg.election_ms, until = r->w->now_ms + 12 * election,
		last =
		    until +
		    88 * election; /* chance may need long: who can win must be the first to try */
	struct place at = {r->steps, r->w->now_ms};

	end_faults(r, s, &at);
	while (r->ok && (sim_pending(r->w) || r->w->now_ms < until ||
			 (r->w->now_ms < last && !converged(r->w)))) {
		start_all(r, s, &at);
		step(r);
	}
	s->settling_ms = r->w->now_ms - at.ms;
	if (!r->ok)
		return;
	r->ok = !r->check || check_end(r->check, r->w);
	if (r->check && r->ok && !converged(r->w)) {
		r->ok = false;
		result->violation = disagreement(r->w);
	}
}

static void tell(struct buf *story, const struct trace *t)
{
	for (uint64_t i = t->first; i < t->end; i++) {
		const struct trace_record *r = trace_get(t, i);
		buf_printf(story, "%" PRIu64 " ", r->event);
		trace_print(story, r);
		buf_putc(story, '\n');
	}
}

struct seed_result seed_run(struct seed *s, bool check, struct buf *story)
{
	struct seed_result result = {0};
	struct trace *trace = story ? trace_new(TRACE_STORY) : NULL;
	struct run r = {.w = world_new(&s->cfg, trace), .ok = true};

	s->settling.n = 0;
	r.w->numbering = true;
	r.check = check ? check_new(r.w) : NULL;
	for (size_t i = 0; i < s->actions.n && r.ok; i++) {
		for (uint32_t k = 0; k < s->actions.v[i].events && r.ok; k++)
			step(&r);
		if (r.ok)
			action_do(r.w, &s->actions.v[i], &r.errands);
	}
	if (s->settles && r.ok)
		settle(&r, s, &result);
	result.hash = world_hash(r.w);
	result.events = r.w->events;
	result.steps = r.steps;
	result.ms = r.w->now_ms;
	result.broken = !r.ok;
	if (r.check && check_violation(r.check))
		result.violation = *check_violation(r.check);
	if (story)
		tell(story, trace);
	check_free(r.check);
	vec_free(&r.errands);
	world_free(r.w);
	trace_free(trace);
	return result;
}

static void print_actions(struct buf *out, const action_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		for (uint32_t k = 0; k < list->v[i].events; k++)
			buf_puts(out, "step\n");
		action_print(out, &list->v[i]);
	}
}

void seed_print(struct buf *out, const struct seed *s, const struct seed_result *r)
{
	if (r)
		buf_printf(out, "# seed %" PRIu64 ": %s, at event %" PRIu64 ", %.3f s\n# %s\n",
			   s->number, r->violation.rule, r->violation.event,
			   (double)r->violation.ms / 1000, r->violation.text);
	profile_print(out, &s->cfg);
	buf_puts(out, "stepping on\n");
	print_actions(out, &s->actions);
	if (!s->settles)
		return;
	if (!s->settling.n) /* it crashed on the way */
		buf_puts(
		    out,
		    "# Settling: here the run starts whoever is down, again and again.\nheal\n");
	print_actions(out, &s->settling);
	buf_printf(out, "stepping off\nwait %" PRId64 "ms\n",
		   s->settling.n ? s->settling_ms : 12 * s->cfg.election_ms);
}
