/* Drawing a schedule: how often what happens. */
#include "explore/action.h"

struct weight {
	enum action_kind kind;
	unsigned weight;
};

static const struct weight clients[] = {
    {ACT_PUT, 30},	   {ACT_GET, 24},    {ACT_DELETE, 6},	 {ACT_TXN, 12},
    {ACT_COMPACT, 3},	   {ACT_GRANT, 5},   {ACT_REVOKE, 2},	 {ACT_KEEP_ALIVE, 4},
    {ACT_TIME_TO_LIVE, 2}, {ACT_WATCH, 4},   {ACT_INFORMER, 1},	 {ACT_DROP, 4},
    {ACT_RESUME, 5},	   {ACT_UNWATCH, 1}, {ACT_INTERRUPT, 1}, {ACT_NOTHING, 12},
    {ACT_STALL, 4},	   {ACT_READ_ON, 3}, {ACT_PROGRESS, 6},
};

static const struct weight faults[] = {
    {ACT_KILL, 5}, {ACT_RESTART, 8}, {ACT_PARTITION, 2},
    {ACT_CUT, 3},  {ACT_HEAL, 5},    {ACT_TIMEOUT, 3},
};

/* Leaders come and go faster than entries are committed (Raft paper, figure 8). */
static const struct weight contests[] = {
    {ACT_PUT, 8},      {ACT_GET, 2},	  {ACT_KILL, 8},
    {ACT_RESTART, 14}, {ACT_TIMEOUT, 12}, {ACT_NOTHING, 2},
};

static const struct weight memberships[] = {
    {ACT_MEMBER_ADD, 4},
    {ACT_MEMBER_REMOVE, 3},
    {ACT_MEMBER_PROMOTE, 2},
    {ACT_START, 6},
};

/* What often follows an action, since only together they matter. */
struct sequel {
	enum action_kind kinds[12]; /* up to ACT_KINDS */
	uint32_t least, below;	    /* events before each of them */
};

/* Somebody writes on one side and somebody reads on the other, once there may be a new leader. */
static const struct sequel after_partition = {
    {ACT_PUT, ACT_GET, ACT_GET, ACT_GET, ACT_KINDS}, 20, 40};
/* A cut that is over before anybody has lost a leader leaves a member behind. */
static const struct sequel after_cut = {{ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT,
					 ACT_PUT, ACT_PUT, ACT_HEAL, ACT_PUT, ACT_KINDS},
					0,
					9};
/* The same for the member that serves a watch. */
static const struct sequel after_watch = {
    {ACT_CUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_HEAL, ACT_PUT, ACT_PUT, ACT_KINDS},
    8,
    10};
/* A client that does not read falls behind, and asks how far it is. */
static const struct sequel after_stall = {
    {ACT_PUT, ACT_PROGRESS, ACT_PUT, ACT_PUT, ACT_READ_ON, ACT_PROGRESS, ACT_PUT, ACT_KINDS},
    0,
    12};
/* The newest row may be gone when a member starts again. */
static const struct sequel after_delete = {{ACT_COMPACT, ACT_KILL, ACT_RESTART, ACT_KINDS}, 4, 16};
/* Whoever leads next counts the lease anew, and somebody relies on it. */
static const struct sequel after_grant = {{ACT_KEEP_ALIVE, ACT_PARTITION, ACT_KEEP_ALIVE,
					   ACT_KEEP_ALIVE, ACT_HEAL, ACT_KEEP_ALIVE, ACT_NOTHING,
					   ACT_KINDS},
					  20,
					  50};

/* How far the schedule has come: numbers that later actions may mention. */
struct drawing {
	struct prng *g;
	const struct plan *plan;
	unsigned members; /* with those that may have been added */
	uint32_t nwrites, nleases, nwatches;
	const struct sequel *sequel; /* NULL: none is under way */
	unsigned place;		     /* in it */
	uint8_t stalled;	     /* the watcher that was stalled last */
	uint8_t pinned, killed; /* who serves the latest watch; who was hit last; 0: not known */
};

static unsigned below(struct drawing *d, unsigned n)
{
	return (unsigned)prng_below(d->g, n);
}

static enum action_kind pick(struct drawing *d, const struct weight *w, size_t n)
{
	unsigned total = 0, x;
	size_t i = 0;

	for (size_t k = 0; k < n; k++)
		total += w[k].weight;
	for (x = below(d, total); x >= w[i].weight; i++)
		x -= w[i].weight;
	return w[i].kind;
}

/* Often only an event or two, now and then long enough for an election or a lease to run out. */
static uint32_t draw_events(struct drawing *d)
{
	switch (below(d, 16)) {
	case 0:
		return 60 + below(d, 140);
	case 1:
	case 2:
		return 20 + below(d, 40);
	case 3:
	case 4:
	case 5:
	case 6:
		return 8 + below(d, 16);
	default:
		return below(d, 8);
	}
}

static uint8_t any_member(struct drawing *d)
{
	return (uint8_t)(1 + below(d, d->members));
}

static uint8_t endpoint(struct drawing *d)
{
	return below(d, 2) ? any_member(d) : 0;
}

static int64_t some_revision(struct drawing *d)
{
	return 2 + (int64_t)below(d, d->nwrites + 2);
}

static int64_t some_lease(struct drawing *d)
{
	return d->nleases && below(d, 4) ? 1 + (int64_t)below(d, d->nleases) : 0;
}

static void draw_membership(struct drawing *d, struct action *a)
{
	a->flag = below(d, 2);
	a->peer = any_member(d);
	if (a->kind == ACT_START)
		a->member = any_member(d);
	if (a->kind != ACT_MEMBER_ADD || d->members == MEMBERS_MAX)
		return;
	a->peer = (uint8_t)++d->members;
}

static void draw_request(struct drawing *d, struct action *a)
{
	a->member = endpoint(d);
	a->flag = below(d, 2);
	a->flag2 = below(d, 2);
	switch (a->kind) {
	case ACT_PUT:
		a->lease = below(d, 3) ? 0 : some_lease(d);
		a->value = ++d->nwrites;
		break;
	case ACT_GET:
		a->number = below(d, 5) ? 0 : some_revision(d);
		a->limit = below(d, 4) ? 0 : 1 + below(d, 3);
		break;
	case ACT_TXN:
		a->lease = below(d, 6) ? 0 : some_lease(d);
		a->number = a->flag ? below(d, 4) : some_revision(d);
		a->value = ++d->nwrites;
		break;
	case ACT_COMPACT:
		a->number = d->sequel || below(d, 3) == 0 ? 0 : some_revision(d); /* 0: newest */
		break;
	case ACT_GRANT:
		a->number = 1 + below(d, 4);
		d->nleases++;
		break;
	default:
		a->lease = d->sequel ? d->nleases : 1 + (int64_t)below(d, d->nleases + 1);
	}
}

static void draw_watch(struct drawing *d, struct action *a)
{
	a->member = below(d, 3) ? 0 : any_member(d);
	a->number = a->kind == ACT_WATCH && below(d, 3) == 0 ? some_revision(d) : 0;
	a->flag = below(d, 2);
	if (a->kind == ACT_INFORMER && !a->range)
		a->range = (uint8_t)(1 + below(d, ACT_RANGES - 1));
	a->how = a->kind == ACT_WATCH && below(d, 4) == 0 ? (uint8_t)(1 + below(d, 2)) : 0;
	d->nwatches++;
	d->pinned = a->member;
}

static void draw_fault(struct drawing *d, struct action *a)
{
	static const uint8_t hows[] = {KILL_PROCESS, KILL_POWER, KILL_PROCESS, KILL_POWER,
				       KILL_TERM};

	bool same = d->sequel && d->killed && a->kind == ACT_RESTART;

	a->member = same ? d->killed : a->kind == ACT_RESTART || below(d, 3) ? any_member(d) : 0;
	a->peer = any_member(d);
	if (a->peer == a->member)
		a->peer = (uint8_t)(a->peer % d->members + 1);
	a->flag = below(d, 2);
	if (d->sequel == &after_watch && a->kind == ACT_CUT) {
		a->member = 0;
		a->peer = d->pinned;
	}
	if (a->kind == ACT_KILL)
		d->killed = a->member;
	a->how = hows[below(d, 5)];
	a->at = below(d, 2) ? KILL_NOW : (uint8_t)(1 + below(d, KILL_REPLY));
	for (unsigned i = 0; i < d->members; i++)
		a->group[i] = (uint8_t)below(d, 2);
	if (a->kind == ACT_PARTITION) { /* two parts, neither of them empty */
		a->peer = (uint8_t)d->members;
		a->group[a->member ? a->member - 1 : 0] = 0;
		a->group[a->member % d->members] = 1;
	}
}

static enum action_kind draw_kind(struct drawing *d)
{
	if (d->sequel)
		return d->sequel->kinds[d->place];
	if (d->plan->contest)
		return pick(d, contests, sizeof contests / sizeof *contests);
	if (d->plan->membership && below(d, 6) == 0)
		return pick(d, memberships, sizeof memberships / sizeof *memberships);
	if (d->plan->faults && below(d, 4) == 0)
		return pick(d, faults, sizeof faults / sizeof *faults);
	return pick(d, clients, sizeof clients / sizeof *clients);
}

/* What follows, if anything does. */
static const struct sequel *draw_sequel(struct drawing *d, const struct action *a)
{
	if (a->kind == ACT_DELETE)
		return below(d, 4) ? NULL : &after_delete;
	if (a->kind == ACT_GRANT)
		return below(d, 3) ? NULL : &after_grant;
	if (a->kind == ACT_WATCH && a->member)
		return &after_watch;
	if (a->kind == ACT_PARTITION)
		return below(d, 2) ? NULL : &after_partition;
	if (a->kind == ACT_STALL)
		return below(d, 2) ? NULL : &after_stall;
	return a->kind == ACT_CUT && below(d, 8) == 0 ? &after_cut : NULL;
}

/* The next action is the next one of the sequel under way, or the first of another. */
static void go_on(struct drawing *d, const struct action *a)
{
	if (a->kind == ACT_STALL)
		d->stalled = (uint8_t)a->number;
	if (d->sequel && d->sequel->kinds[++d->place] == ACT_KINDS)
		d->sequel = NULL;
	else if (!d->sequel && d->plan->faults && !d->plan->contest) {
		d->sequel = draw_sequel(d, a);
		d->place = 0;
	}
}

static uint32_t draw_pause(struct drawing *d)
{
	if (d->sequel == &after_partition && d->place == 0)
		return 60 + below(d, 120);
	if (d->sequel)
		return d->sequel->least + below(d, d->sequel->below);
	return d->plan->contest ? below(d, 9) : draw_events(d);
}

static bool is_fault(enum action_kind k)
{
	return k >= ACT_KILL && k <= ACT_TIMEOUT;
}

static struct action draw_one(struct drawing *d)
{
	struct action a = {.kind = draw_kind(d)};

	if ((a.kind == ACT_WATCH || a.kind == ACT_INFORMER) && d->nwatches == 6)
		a.kind = ACT_NOTHING;
	a.events = draw_pause(d);
	a.key = (uint8_t)below(d, ACT_KEYS);
	a.key2 = (uint8_t)below(d, ACT_KEYS);
	a.range = below(d, 2) ? 0 : (uint8_t)(1 + below(d, ACT_RANGES - 1));
	if (is_fault(a.kind))
		draw_fault(d, &a);
	else if (a.kind == ACT_WATCH || a.kind == ACT_INFORMER)
		draw_watch(d, &a);
	else if (a.kind >= ACT_DROP && a.kind <= ACT_PROGRESS)
		a.number = d->sequel ? d->stalled : 1 + below(d, d->nwatches + 1);
	else if (a.kind >= ACT_MEMBER_ADD && a.kind <= ACT_START)
		draw_membership(d, &a);
	else if (a.kind != ACT_NOTHING && a.kind != ACT_INTERRUPT)
		draw_request(d, &a);
	go_on(d, &a);
	return a;
}

void action_draw(action_list *list, const struct plan *plan, struct prng *g)
{
	struct drawing d = {.g = g, .plan = plan, .members = plan->members};
	uint64_t events = 0;

	while (events < plan->events) {
		struct action a = draw_one(&d);
		events += a.events;
		vec_push(list, a);
	}
}
