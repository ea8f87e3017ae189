/* Drawing faults, and what follows something.
 *
 * A schedule has only some classes of faults, drawn anew for each seed: with all of them at once
 * nothing would ever get far (Groce et al., Swarm Testing, 2012).
 */
#include "explore/private.h"

const char *action_class_name(enum fault_class c)
{
	static const char *const names[CLASSES] = {NULL,    "kill",    "power",	 "partition",
						   "cut",   "net",     "disk",	 "pause",
						   "clock", "timeout", "members"};
	return names[c];
}

/* What ends faults is as frequent as what makes them. */
static const struct weight faults[] = {
    {ACT_KILL, 3, CLASS_KILL},
    {ACT_KILL, 2, CLASS_POWER},
    {ACT_RESTART, 8, 0},
    {ACT_PARTITION, 2, CLASS_PARTITION},
    {ACT_CUT, 3, CLASS_CUT},
    {ACT_HEAL, 5, 0},
    {ACT_TIMEOUT, 3, CLASS_TIMEOUT},
    {ACT_MOVE_LEADER, 1, CLASS_TIMEOUT},
    {ACT_LINK, 5, CLASS_NET},
    {ACT_DISK, 5, CLASS_DISK},
    {ACT_PAUSE, 3, CLASS_PAUSE},
    {ACT_GO_ON, 4, CLASS_PAUSE},
    {ACT_CLOCK, 3, CLASS_CLOCK},
};

enum action_kind draw_fault_kind(struct drawing *d)
{
	return draw_weighted(d, faults, sizeof faults / sizeof *faults);
}

enum fault_class draw_class(const struct action *a)
{
	static const uint8_t classes[ACT_KINDS] = {
	    [ACT_PARTITION] = CLASS_PARTITION,
	    [ACT_CUT] = CLASS_CUT,
	    [ACT_TIMEOUT] = CLASS_TIMEOUT,
	    [ACT_MOVE_LEADER] = CLASS_TIMEOUT,
	    [ACT_LINK] = CLASS_NET,
	    [ACT_DISK] = CLASS_DISK,
	    [ACT_PAUSE] = CLASS_PAUSE,
	    [ACT_CLOCK] = CLASS_CLOCK,
	    [ACT_MEMBER_ADD] = CLASS_MEMBERS,
	    [ACT_MEMBER_REMOVE] = CLASS_MEMBERS,
	    [ACT_MEMBER_PROMOTE] = CLASS_MEMBERS,
	};

	if (a->kind == ACT_KILL)
		return a->how == KILL_POWER ? CLASS_POWER : CLASS_KILL;
	return (enum fault_class)classes[a->kind];
}

/* ---- what follows ---- */

/* Somebody writes on one side and somebody reads on the other, once there may be a new leader. */
static const struct sequel after_partition = {
    {ACT_PUT, ACT_GET, ACT_GET, ACT_GET, ACT_KINDS}, 20, 40, 60};
/* A cut that is over before anybody has lost a leader leaves a member behind. */
static const struct sequel after_cut = {{ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT,
					 ACT_PUT, ACT_PUT, ACT_HEAL, ACT_PUT, ACT_KINDS},
					0,
					9,
					0};
/* The same for the member that serves a watch. */
static const struct sequel after_watch = {
    {ACT_CUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_PUT, ACT_HEAL, ACT_PUT, ACT_PUT, ACT_KINDS},
    8,
    10,
    0};
/* A client that does not read falls behind, and asks how far it is. */
static const struct sequel after_stall = {
    {ACT_PUT, ACT_PROGRESS, ACT_PUT, ACT_PUT, ACT_READ_ON, ACT_PROGRESS, ACT_PUT, ACT_KINDS},
    0,
    12,
    0};
/* The newest row may be gone when a member starts again. */
static const struct sequel after_delete = {
    {ACT_COMPACT, ACT_KILL, ACT_RESTART, ACT_KINDS}, 4, 16, 0};
/* Whoever leads next counts the lease anew, and somebody relies on it. */
static const struct sequel after_grant = {{ACT_KEEP_ALIVE, ACT_PARTITION, ACT_KEEP_ALIVE,
					   ACT_KEEP_ALIVE, ACT_HEAL, ACT_KEEP_ALIVE, ACT_NOTHING,
					   ACT_KINDS},
					  20,
					  50,
					  0};
/* Who stood still has been replaced when it goes on, and is asked before it knows. */
static const struct sequel after_pause = {
    {ACT_PUT, ACT_GO_ON, ACT_GET, ACT_PUT, ACT_GET, ACT_KINDS}, 0, 12, 60};

const struct sequel *draw_sequel(struct drawing *d, const struct action *a)
{
	switch (a->kind) {
	case ACT_DELETE:
		return draw_below(d, 4) ? NULL : &after_delete;
	case ACT_GRANT:
		return draw_below(d, 3) ? NULL : &after_grant;
	case ACT_WATCH:
		return a->member ? &after_watch : NULL;
	case ACT_STALL:
		return draw_below(d, 2) ? NULL : &after_stall;
	case ACT_PARTITION:
		return draw_below(d, 2) ? NULL : &after_partition;
	case ACT_PAUSE:
		return draw_below(d, 2) ? NULL : &after_pause;
	case ACT_CUT:
		return draw_below(d, 8) == 0 ? &after_cut : NULL;
	default:
		return NULL;
	}
}

/* ---- what a fault is exactly ---- */

static void draw_kill(struct drawing *d, struct action *a)
{
	static const uint8_t hows[] = {KILL_PROCESS, KILL_POWER, KILL_PROCESS, KILL_POWER,
				       KILL_TERM};
	unsigned allowed = d->plan->allowed;

	d->struck = a->member;
	a->how = hows[draw_below(d, 5)];
	if (!(allowed & 1u << CLASS_POWER) && a->how == KILL_POWER)
		a->how = KILL_PROCESS;
	if (!(allowed & 1u << CLASS_KILL))
		a->how = KILL_POWER;
	a->at = draw_below(d, 2) ? KILL_NOW : (uint8_t)(1 + draw_below(d, KILL_REPLY));
}

/* Two or three parts, two of them not empty. */
static void draw_partition(struct drawing *d, struct action *a)
{
	unsigned parts = draw_below(d, 6) ? 2 : ACT_GROUPS;

	for (unsigned i = 0; i < d->members; i++)
		a->group[i] = (uint8_t)draw_below(d, parts);
	a->peer = (uint8_t)d->members;
	a->group[a->member ? a->member - 1 : 0] = 0;
	a->group[a->member % d->members] = 1;
}

static void draw_cut(struct drawing *d, struct action *a)
{
	if (d->sequel && d->sequel->kinds[0] == ACT_CUT) { /* who serves the latest watch */
		a->member = 0;
		a->peer = d->pinned;
	} else if (draw_below(d, 6) == 0) {
		a->peer = 0; /* the client */
		a->flag2 = draw_below(d, 2);
	}
}

static uint8_t percent(struct drawing *d)
{
	static const uint8_t some[] = {0, 5, 10, 20, 50, 80};

	return some[draw_below(d, 6)];
}

static void draw_delay(struct drawing *d, uint32_t *least, uint32_t *most)
{
	static const uint16_t some[] = {0, 1, 10, 50, 120, 400, 1500};

	*least = some[draw_below(d, 7)];
	*most = *least + (draw_below(d, 2) ? draw_below(d, 2 * *least + 2) : 0);
}

static void draw_link(struct drawing *d, struct action *a)
{
	uint32_t least, most;

	a->at = (uint8_t)draw_below(d, 4);
	if (a->at == LINK_AT_ALL)
		*a = (struct action){.kind = ACT_LINK, .events = a->events, .member = 1};
	a->flag2 = a->at != LINK_AT_ALL && a->at != LINK_AT_MEMBER && draw_below(d, 2);
	a->net.fields = draw_below(d, 4) ? (uint8_t)draw_below(d, LINK_ALL + 1) : 0;
	if (a->at == LINK_AT_CLIENT)
		a->net.fields &= LINK_DELAY | LINK_LOSS;
	draw_delay(d, &least, &most);
	if (!a->net.fields)
		return;
	a->net.link = (struct link){.delay_ms = (int32_t)least,
				    .delay_max_ms = (int32_t)most,
				    .loss = percent(d),
				    .duplicate = percent(d),
				    .reorder = percent(d)};
	if (a->at == LINK_AT_ALL && a->net.link.loss > 20)
		a->net.link.loss = 20; /* else nothing would happen at all */
}

/* Damage is left out: what is lost then nobody has promised to keep. */
static void draw_disk(struct drawing *d, struct action *a)
{
	struct disk_change c = {0};
	unsigned what = draw_below(d, 8);

	if (what < 3) {
		c.set_delay = true;
		draw_delay(d, &c.delay_ms, &c.delay_most_ms);
	} else if (what < 4) {
		c.set_full = true;
		c.full = draw_below(d, 2);
	} else if (what < 6) {
		c.set_lose = true;
		c.lose = (enum lose_unsynced)draw_below(d, LOSE_PART + 1);
	} else {
		c.reset = true;
	}
	a->disk = c;
}

static int64_t some_skew(struct drawing *d)
{
	static const int16_t some[] = {0, 0, 1, -1, 10, -10, 50, -50, 100, 400, -80};

	return some[draw_below(d, sizeof some / sizeof *some)];
}

void draw_fault(struct drawing *d, struct action *a)
{
	bool ends = a->kind == ACT_RESTART || a->kind == ACT_GO_ON;
	bool same = d->sequel && d->struck && ends;

	a->member = same ? d->struck : ends || draw_below(d, 3) ? draw_member(d) : 0;
	a->peer = draw_member(d);
	if (a->peer == a->member)
		a->peer = (uint8_t)(a->peer % d->members + 1);
	a->flag = draw_below(d, 2);
	if (a->kind == ACT_KILL)
		draw_kill(d, a);
	else if (a->kind == ACT_PARTITION)
		draw_partition(d, a);
	else if (a->kind == ACT_CUT)
		draw_cut(d, a);
	else if (a->kind == ACT_LINK)
		draw_link(d, a);
	else if (a->kind == ACT_DISK)
		draw_disk(d, a);
	else if (a->kind == ACT_PAUSE)
		d->struck = a->member;
	else if (a->kind == ACT_CLOCK)
		a->number = some_skew(d);
}
