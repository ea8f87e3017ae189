/* Drawing a schedule: how often what happens. */
#include "explore/private.h"

static const struct weight clients[] = {
    {ACT_PUT, 30, 0},	      {ACT_GET, 24, 0},	   {ACT_DELETE, 6, 0},	  {ACT_TXN, 12, 0},
    {ACT_COMPACT, 3, 0},      {ACT_GRANT, 5, 0},   {ACT_REVOKE, 2, 0},	  {ACT_KEEP_ALIVE, 4, 0},
    {ACT_TIME_TO_LIVE, 2, 0}, {ACT_WATCH, 4, 0},   {ACT_INFORMER, 1, 0},  {ACT_DROP, 4, 0},
    {ACT_RESUME, 5, 0},	      {ACT_UNWATCH, 1, 0}, {ACT_INTERRUPT, 1, 0}, {ACT_NOTHING, 12, 0},
    {ACT_STALL, 4, 0},	      {ACT_READ_ON, 3, 0}, {ACT_PROGRESS, 6, 0},  {ACT_DEFRAG, 1, 0},
};

/* Leaders come and go faster than entries are committed (Raft paper, figure 8). */
static const struct weight contests[] = {
    {ACT_PUT, 8, 0},	  {ACT_GET, 2, 0},	{ACT_KILL, 8, 0},
    {ACT_RESTART, 14, 0}, {ACT_TIMEOUT, 12, 0}, {ACT_NOTHING, 2, 0},
};

static const struct weight memberships[] = {
    {ACT_MEMBER_ADD, 4, 0},
    {ACT_MEMBER_REMOVE, 3, 0},
    {ACT_MEMBER_PROMOTE, 2, 0},
    {ACT_START, 6, 0},
};

/* Where there is little room. */
static const struct weight quotas[] = {
    {ACT_DISARM, 3, 0}, {ACT_DEFRAG, 3, 0}, {ACT_COMPACT, 2, 0}, {ACT_DELETE, 2, 0}};

static unsigned weight(const struct drawing *d, const struct weight *w)
{
	return d->plan->usual & (1u << w->class) ? w->weight : 0;
}

enum action_kind draw_weighted(struct drawing *d, const struct weight *w, size_t n)
{
	unsigned total = 0, x;
	size_t i = 0;

	for (size_t k = 0; k < n; k++)
		total += weight(d, &w[k]);
	if (!total)
		return ACT_NOTHING;
	for (x = draw_below(d, total); x >= weight(d, &w[i]); i++)
		x -= weight(d, &w[i]);
	return w[i].kind;
}

/* Often only an event or two, now and then long enough for an election or a lease to run out. */
static uint32_t draw_events(struct drawing *d)
{
	switch (draw_below(d, 16)) {
	case 0:
		return 60 + draw_below(d, 140);
	case 1:
	case 2:
		return 20 + draw_below(d, 40);
	case 3:
	case 4:
	case 5:
	case 6:
		return 8 + draw_below(d, 16);
	default:
		return draw_below(d, 8);
	}
}

static uint8_t endpoint(struct drawing *d)
{
	return draw_below(d, 2) ? draw_member(d) : 0;
}

static int64_t some_revision(struct drawing *d)
{
	return 2 + (int64_t)draw_below(d, d->nwrites + 2);
}

static int64_t some_lease(struct drawing *d)
{
	return d->nleases && draw_below(d, 4) ? 1 + (int64_t)draw_below(d, d->nleases) : 0;
}

static void draw_membership(struct drawing *d, struct action *a)
{
	a->flag = draw_below(d, 2);
	a->peer = draw_member(d);
	if (a->kind == ACT_START)
		a->member = draw_member(d);
	if (a->kind != ACT_MEMBER_ADD || d->members == MEMBERS_MAX)
		return;
	a->peer = (uint8_t)++d->members;
}

static void draw_txn(struct drawing *d, struct action *a)
{
	a->lease = draw_below(d, 6) ? 0 : some_lease(d);
	a->how = (uint8_t)draw_below(d, COMPARE_LEASE + 1);
	a->at = (uint8_t)draw_below(d, COMPARE_NOT_EQUAL + 1);
	a->flag2 = draw_below(d, 4) == 0;
	a->number = a->how == COMPARE_VERSION ? draw_below(d, 4)
		    : a->how == COMPARE_LEASE ? some_lease(d)
					      : some_revision(d);
	a->value = ++d->nwrites;
}

/* Mostly set up in order; then things may be taken back. */
static void draw_auth(struct drawing *d, struct action *a)
{
	a->how = d->nauth < ACT_AUTH_ENABLE + 1 ? (uint8_t)d->nauth++
						: (uint8_t)draw_below(d, ACT_AUTH_STEPS);
}

static void draw_user(struct drawing *d, struct action *a)
{
	bool sets_up = a->kind == ACT_AUTH && a->how <= ACT_AUTH_ENABLE;
	bool alone = a->kind == ACT_DEFRAG || a->kind == ACT_DISARM || a->kind == ACT_MOVE_LEADER;

	if (d->nauth > ACT_AUTH_ENABLE && !sets_up && !alone)
		a->user = (uint8_t)draw_below(d, ACT_USERS);
}

static void draw_request(struct drawing *d, struct action *a)
{
	a->member = endpoint(d);
	a->flag = draw_below(d, 2);
	switch (a->kind) {
	case ACT_PUT:
		a->lease = draw_below(d, 3) ? 0 : some_lease(d);
		a->how = draw_below(d, 16) ? 0 : (uint8_t)(1 + draw_below(d, a->lease ? 1 : 2));
		a->value = ++d->nwrites;
		break;
	case ACT_GET:
		a->number = draw_below(d, 5) ? 0 : some_revision(d);
		a->limit = draw_below(d, 4) ? 0 : 1 + draw_below(d, 3);
		a->how = draw_below(d, 16) == 0;
		break;
	case ACT_TXN:
		draw_txn(d, a);
		break;
	case ACT_COMPACT:
		a->number =
		    d->sequel || draw_below(d, 3) == 0 ? 0 : some_revision(d); /* 0: newest */
		break;
	case ACT_GRANT:
		a->number = 1 + draw_below(d, 4);
		d->nleases++;
		break;
	case ACT_AUTH:
		draw_auth(d, a);
		break;
	case ACT_DEFRAG:
	case ACT_MOVE_LEADER:
		a->member = draw_member(d);
		a->peer = draw_member(d);
		break;
	default:
		a->lease = d->sequel ? d->nleases : 1 + (int64_t)draw_below(d, d->nleases + 1);
	}
	draw_user(d, a);
}

static void draw_watch(struct drawing *d, struct action *a)
{
	a->member = draw_below(d, 3) ? 0 : draw_member(d);
	a->number = a->kind == ACT_WATCH && draw_below(d, 3) == 0 ? some_revision(d) : 0;
	a->flag = draw_below(d, 2);
	if (a->kind == ACT_INFORMER && !a->range)
		a->range = (uint8_t)(1 + draw_below(d, ACT_RANGES - 1));
	a->how =
	    a->kind == ACT_WATCH && draw_below(d, 4) == 0 ? (uint8_t)(1 + draw_below(d, 2)) : 0;
	a->flag2 = a->kind == ACT_WATCH && draw_below(d, 8) == 0;
	a->at = a->kind == ACT_WATCH && draw_below(d, 6) == 0;
	draw_user(d, a);
	d->nwatches++;
	d->pinned = a->member;
}

#define PICK(d, table) draw_weighted(d, table, sizeof(table) / sizeof *(table))

static enum action_kind draw_kind(struct drawing *d)
{
	const struct plan *p = d->plan;

	if (d->sequel)
		return d->sequel->kinds[d->place];
	if (p->contest)
		return PICK(d, contests);
	if (p->membership && draw_below(d, 6) == 0)
		return PICK(d, memberships);
	if (p->auth && draw_below(d, d->nauth <= ACT_AUTH_ENABLE ? 3 : 24) == 0)
		return ACT_AUTH;
	if (p->quota && draw_below(d, 8) == 0)
		return PICK(d, quotas);
	if (p->usual != CLASSES_NONE && draw_below(d, 4) == 0)
		return draw_fault_kind(d);
	return PICK(d, clients);
}

/* The next one of the sequel under way, or the first of another. */
static void go_on(struct drawing *d, const struct action *a)
{
	if (a->kind == ACT_STALL)
		d->stalled = (uint8_t)a->number;
	if (d->sequel && d->sequel->kinds[++d->place] == ACT_KINDS)
		d->sequel = NULL;
	else if (!d->sequel && d->plan->allowed != CLASSES_NONE && !d->plan->contest) {
		d->sequel = draw_sequel(d, a);
		d->place = 0;
	}
}

static uint32_t draw_pause(struct drawing *d)
{
	if (d->sequel && d->sequel->first && d->place == 0)
		return d->sequel->first + draw_below(d, 120);
	if (d->sequel)
		return d->sequel->least + draw_below(d, d->sequel->below);
	return d->plan->contest ? draw_below(d, 9) : draw_events(d);
}

static struct action draw_one(struct drawing *d)
{
	struct action a = {.kind = draw_kind(d)};

	if ((a.kind == ACT_WATCH || a.kind == ACT_INFORMER) && d->nwatches == 6)
		a.kind = ACT_NOTHING;
	a.events = draw_pause(d);
	a.key = (uint8_t)draw_below(d, ACT_KEYS);
	a.key2 = (uint8_t)draw_below(d, ACT_KEYS);
	a.range = draw_below(d, 2) ? 0 : (uint8_t)(1 + draw_below(d, ACT_RANGES - 1));
	if (action_is_fault(a.kind))
		draw_fault(d, &a);
	else if (a.kind == ACT_WATCH || a.kind == ACT_INFORMER)
		draw_watch(d, &a);
	else if (a.kind >= ACT_DROP && a.kind <= ACT_PROGRESS)
		a.number = d->sequel ? d->stalled : 1 + draw_below(d, d->nwatches + 1);
	else if (a.kind >= ACT_MEMBER_ADD && a.kind <= ACT_START)
		draw_membership(d, &a);
	else if (a.kind != ACT_NOTHING && a.kind != ACT_INTERRUPT)
		draw_request(d, &a);
	if (!(d->plan->allowed & (1u << draw_class(&a))))
		a.kind = ACT_NOTHING;
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
