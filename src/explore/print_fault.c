/* Faults as commands. */
#include "explore/action.h"

#include <inttypes.h>
#include <stdio.h>

static void print_groups(struct buf *out, const struct action *a)
{
	for (uint8_t g = 0; g < ACT_GROUPS; g++) {
		bool first = true;
		for (unsigned i = 0; i < MEMBERS_MAX; i++)
			if (a->peer > i && a->group[i] == g) {
				buf_printf(out, "%sS%u", first ? " " : ",", i + 1);
				first = false;
			}
	}
}

static void print_kill(struct buf *out, const struct action *a)
{
	static const char *const points[] = {"",       "append", "fsync", "send",
					     "commit", "apply",	 "reply"};
	static const char *const hows[] = {"", " --power", " --term"};

	buf_printf(out, "kill S%u%s", a->member, hows[a->how]);
	if (a->at)
		buf_printf(out, " --at=%s", points[a->at]);
	buf_putc(out, '\n');
}

static void print_cut(struct buf *out, const struct action *a)
{
	char ends[2][8] = {{0}, "client"};

	snprintf(ends[0], sizeof ends[0], "S%u", a->member);
	if (a->peer)
		snprintf(ends[1], sizeof ends[1], "S%u", a->peer);
	buf_printf(out, "cut %s %s%s\n", ends[a->flag2], ends[!a->flag2],
		   a->flag ? " --oneway" : "");
}

static void print_ends(struct buf *out, const struct action *a)
{
	char ends[2][8] = {{0}, "client"};

	if (a->at == LINK_AT_ALL)
		return;
	snprintf(ends[0], sizeof ends[0], "S%u", a->member);
	if (a->at == LINK_AT_PAIR)
		snprintf(ends[1], sizeof ends[1], "S%u", a->peer);
	if (a->at == LINK_AT_MEMBER)
		buf_printf(out, " %s", ends[0]);
	else
		buf_printf(out, " %s %s", ends[a->flag2], ends[!a->flag2]);
	buf_puts(out, a->flag ? " --oneway" : "");
}

static void print_percent(struct buf *out, const struct action *a, uint8_t field, const char *name,
			  uint8_t percent)
{
	if (a->net.fields & field)
		buf_printf(out, " --%s=%u%%", name, percent);
}

static void print_link(struct buf *out, const struct action *a)
{
	const struct link *l = &a->net.link;

	buf_puts(out, "net");
	print_ends(out, a);
	if (!a->net.fields)
		buf_puts(out, " --reset");
	if (a->net.fields & LINK_DELAY)
		buf_printf(out, " --delay=%d-%dms", l->delay_ms, l->delay_max_ms);
	print_percent(out, a, LINK_LOSS, "loss", l->loss);
	print_percent(out, a, LINK_DUPLICATE, "duplicate", l->duplicate);
	print_percent(out, a, LINK_REORDER, "reorder", l->reorder);
	buf_putc(out, '\n');
}

static void print_disk(struct buf *out, const struct action *a)
{
	static const char *const lose[] = {"all", "none", "part"};
	const struct disk_change *c = &a->disk;

	buf_printf(out, "disk S%u%s", a->member, c->reset ? " --reset" : "");
	if (c->set_delay)
		buf_printf(out, " --delay=%u-%ums", c->delay_ms, c->delay_most_ms);
	if (c->set_full)
		buf_puts(out, c->full ? " --full" : " --full=false");
	if (c->set_lose)
		buf_printf(out, " --lose-unsynced=%s", lose[c->lose]);
	buf_putc(out, '\n');
}

static void print_clock(struct buf *out, const struct action *a)
{
	buf_printf(out, "clock S%u --skew=", a->member);
	if (a->number)
		buf_printf(out, "%+" PRId64 "%%\n", a->number);
	else
		buf_puts(out, "0\n");
}

/* Of those that take a member and nothing else. */
static const char *const verbs[ACT_KINDS] = {
    [ACT_RESTART] = "restart",	  [ACT_START] = "start",	 [ACT_TIMEOUT] = "timeout",
    [ACT_PAUSE] = "pause-member", [ACT_GO_ON] = "resume-member",
};

void action_print_fault(struct buf *out, const struct action *a)
{
	switch (a->kind) {
	case ACT_KILL:
		print_kill(out, a);
		break;
	case ACT_PARTITION:
		buf_puts(out, "partition");
		print_groups(out, a);
		buf_putc(out, '\n');
		break;
	case ACT_CUT:
		print_cut(out, a);
		break;
	case ACT_HEAL:
		buf_puts(out, "heal\n");
		break;
	case ACT_LINK:
		print_link(out, a);
		break;
	case ACT_DISK:
		print_disk(out, a);
		break;
	case ACT_CLOCK:
		print_clock(out, a);
		break;
	default:
		buf_printf(out, "%s S%u\n", verbs[a->kind], a->member);
	}
}
