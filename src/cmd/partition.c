/* partition, cut and heal: who hears whom. */
#include "cmd/command.h"
#include "cmd/links.h"

enum { CUT_ONEWAY, CUT_FLAGS };

static const struct flag_row cut_flags[CUT_FLAGS] = {
    [CUT_ONEWAY] = {.name = "oneway",
		    .type = FLAG_BOOL,
		    .fallback = "false",
		    .help = "only what the first sends to the second is lost"},
};

/* The parts of a partition: 0 is for those who are not named. */
struct parts {
	uint8_t of[LINK_ENDS];
};

/* Reads one list: S1,S2 or client,S1. */
static bool read_part(struct shell *s, struct job *j, struct bytes list, uint8_t number,
		      struct parts *parts)
{
	for (;;) {
		const char *comma = list.n ? memchr(list.p, ',', list.n) : NULL;
		struct bytes one = {list.p, comma ? (size_t)(comma - list.p) : list.n};
		unsigned end;

		if (!command_link_end(s, j, one, &end))
			return false;
		if (parts->of[end] && parts->of[end] != number) {
			command_fail(s, j, STATUS_BAD_ARGS, "%.*s is named in two parts",
				     (int)one.n, one.p);
			return false;
		}
		parts->of[end] = number;
		if (!comma)
			return true;
		list = (struct bytes){comma + 1, (size_t)(list.p + list.n - comma - 1)};
	}
}

/* partition S3: S3 alone; partition S1,S2 S3: two parts, and who is not named stays with the rest.
 * A client that is not named reaches everybody. */
static void run_partition(struct shell *s, struct job *j, const struct parsed *p)
{
	struct parts parts = {{0}};

	if (!command_arguments(s, j, p, 1, MEMBERS_MAX))
		return;
	for (size_t i = 0; i < p->args.n; i++)
		if (!read_part(s, j, p->args.v[i], (uint8_t)(i + 1), &parts))
			return;
	sim_partition(s->w, parts.of + 1);
	for (unsigned m = 1; parts.of[LINK_CLIENT] && m <= s->w->nmembers; m++)
		if (parts.of[m] != parts.of[LINK_CLIENT])
			sim_cut(s->w, LINK_CLIENT, m, false);
	command_end(j);
}

static void run_cut(struct shell *s, struct job *j, const struct parsed *p)
{
	unsigned a, b;

	if (!command_arguments(s, j, p, 2, 2) || !command_link_end(s, j, p->args.v[0], &a) ||
	    !command_link_end(s, j, p->args.v[1], &b))
		return;
	if (a == b) {
		command_fail(s, j, STATUS_BAD_ARGS, "cut takes two ends: cut S1 S2, cut client S1");
		return;
	}
	sim_cut(s->w, a, b, flag_bool(p, CUT_ONEWAY));
	command_end(j);
}

static void run_heal(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!command_arguments(s, j, p, 0, 0))
		return;
	sim_heal(s->w);
	command_end(j);
}

const struct command_row cmd_partition = {
    .name = "partition",
    .group = GROUP_FAULTS,
    .usage = "partition <members>...",
    .summary = "Parts the network: each list of members hears only itself, those not named hear "
	       "each other; with client in a list, clients reach only that one",
    .example = "partition S1,S2 S3",
    .arguments = "@member ...",
    .run = run_partition,
};

const struct command_row cmd_cut = {
    .name = "cut",
    .group = GROUP_FAULTS,
    .usage = "cut <end> <end> [--oneway]",
    .summary = "Cuts the link between two members, or between client and a member",
    .example = "cut S1 S2 --oneway",
    .arguments = "@end @end",
    .flags = cut_flags,
    .nflags = CUT_FLAGS,
    .run = run_cut,
};

const struct command_row cmd_heal = {
    .name = "heal",
    .group = GROUP_FAULTS,
    .usage = "heal",
    .summary = "Undoes every partition and cut; what net has set stays (net --reset)",
    .example = "heal",
    .run = run_heal,
};
