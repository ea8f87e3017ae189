/* Actions done to a world: faults, and what ends them. */
#include "explore/private.h"

static unsigned victim(const struct world *w, const struct action *a)
{
	unsigned m = a->member ? a->member : world_leader(w);

	return m >= 1 && m <= w->nmembers ? m : 0;
}

/* The command names only members that there are, and two groups. */
static bool partition(struct world *w, struct action *a)
{
	bool divides = false;

	if (a->peer > w->nmembers)
		a->peer = (uint8_t)w->nmembers;
	for (unsigned i = 1; i < a->peer; i++)
		divides |= a->group[i] != a->group[0];
	if (divides)
		sim_partition(w, a->group);
	return divides;
}

/* peer 0: the client; flag2: the other direction. */
static bool cut(struct world *w, const struct action *a)
{
	unsigned from = a->flag2 ? a->peer : a->member, to = a->flag2 ? a->member : a->peer;

	if (a->peer == a->member || a->peer > w->nmembers)
		return false;
	sim_cut(w, from, to, a->flag);
	return true;
}

static bool set_link(struct world *w, const struct action *a)
{
	struct link_change c = {.from = LINK_MEMBERS,
				.to = LINK_MEMBERS,
				.oneway = a->flag,
				.fields = a->net.fields ? a->net.fields : LINK_ALL,
				.link = a->net.link};

	if (a->at == LINK_AT_PAIR && (a->peer == a->member || a->peer > w->nmembers))
		return false;
	if (a->at != LINK_AT_ALL)
		c.from = a->member;
	if (a->at == LINK_AT_PAIR)
		c.to = a->peer;
	if (a->at == LINK_AT_CLIENT)
		c.to = LINK_CLIENT;
	if (a->flag2) {
		uint8_t from = c.from;
		c.from = c.to;
		c.to = from;
	}
	sim_set_link(w, &c);
	return true;
}

static bool change_disk(struct world *w, unsigned m, const struct action *a)
{
	const char *why;

	return sim_disk(w, m, &a->disk, &why);
}

/* SIGSTOP or SIGCONT, if the member can be stopped or let go on. */
static bool pause_member(struct world *w, unsigned m, bool pause)
{
	enum member_condition is = world_member(w, m)->condition;

	if (is != (pause ? MEMBER_UP : MEMBER_PAUSED))
		return false;
	if (pause)
		sim_pause_member(w, m);
	else
		sim_resume_member(w, m);
	return true;
}

static bool skew(struct world *w, unsigned m, int64_t percent)
{
	if (world_member(w, m)->condition == MEMBER_ABSENT)
		return false;
	sim_skew(w, m, CLOCK_RIGHT + percent * (CLOCK_RIGHT / 100));
	return true;
}

/* False: it makes no sense now. */
static bool strike(struct world *w, unsigned m, struct action *a)
{
	switch (a->kind) {
	case ACT_KILL:
		sim_kill(w, m, (enum kill_how)a->how, (enum kill_point)a->at);
		return true;
	case ACT_RESTART:
		sim_restart(w, m);
		return true;
	case ACT_START:
		sim_start(w, m);
		return true;
	case ACT_TIMEOUT:
		sim_timeout(w, m);
		return true;
	case ACT_CUT:
		return cut(w, a);
	case ACT_DISK:
		return change_disk(w, m, a);
	case ACT_PAUSE:
	case ACT_GO_ON:
		return pause_member(w, m, a->kind == ACT_PAUSE);
	case ACT_CLOCK:
		return skew(w, m, a->number);
	default:
		return set_link(w, a);
	}
}

void action_fault(struct world *w, struct action *a)
{
	bool done = true;

	if (a->kind == ACT_HEAL) {
		sim_heal(w);
	} else if (a->kind == ACT_PARTITION) {
		done = partition(w, a);
	} else {
		unsigned m = victim(w, a);
		a->member = (uint8_t)m;
		done = m && strike(w, m, a);
	}
	if (!done)
		a->kind = ACT_NOTHING;
}
