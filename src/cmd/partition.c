/* partition, cut and heal: which members hear each other. */
#include "cmd/command.h"

enum { CUT_ONEWAY, CUT_FLAGS };

static const struct flag_row cut_flags[CUT_FLAGS] = {
    [CUT_ONEWAY] = {.name = "oneway",
		    .type = FLAG_BOOL,
		    .fallback = "false",
		    .help = "only what the first sends to the second is lost"},
};

/* partition S3: S3 alone; partition S1,S2 S3: two parts, and who is not named stays with the rest.
 */
static void run_partition(struct shell *s, struct job *j, const struct parsed *p)
{
	uint8_t group[MEMBERS_MAX] = {0};

	if (!command_arguments(s, j, p, 1, MEMBERS_MAX))
		return;
	for (size_t i = 0; i < p->args.n; i++) {
		bool in[MEMBERS_MAX] = {0};
		if (!command_members(s, j, p->args.v[i], in))
			return;
		for (size_t m = 0; m < MEMBERS_MAX; m++) {
			if (!in[m])
				continue;
			if (group[m]) {
				command_fail(s, j, STATUS_BAD_ARGS, "S%zu is named in two parts",
					     m + 1);
				return;
			}
			group[m] = (uint8_t)(i + 1);
		}
	}
	sim_partition(s->w, group);
	command_end(j);
}

static void run_cut(struct shell *s, struct job *j, const struct parsed *p)
{
	unsigned a, b;

	if (!command_arguments(s, j, p, 2, 2))
		return;
	a = command_need_member(s, j, p->args.v[0]);
	b = a ? command_need_member(s, j, p->args.v[1]) : 0;
	if (!a || !b)
		return;
	if (a == b) {
		command_fail(s, j, STATUS_BAD_ARGS, "cut takes two members: cut S1 S2");
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
	       "each other",
    .example = "partition S1,S2 S3",
    .arguments = "@member ...",
    .run = run_partition,
};

const struct command_row cmd_cut = {
    .name = "cut",
    .group = GROUP_FAULTS,
    .usage = "cut <member> <member> [--oneway]",
    .summary = "Cuts the link between two members",
    .example = "cut S1 S2 --oneway",
    .arguments = "@member @member",
    .flags = cut_flags,
    .nflags = CUT_FLAGS,
    .run = run_cut,
};

const struct command_row cmd_heal = {
    .name = "heal",
    .group = GROUP_FAULTS,
    .usage = "heal",
    .summary = "Undoes every partition and cut",
    .example = "heal",
    .run = run_heal,
};
