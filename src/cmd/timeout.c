/* timeout: a member's election timer fires now. */
#include "cmd/command.h"

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	unsigned m;

	if (!command_arguments(s, j, p, 1, 1))
		return;
	m = command_need_member(s, j, p->args.v[0]);
	if (!m)
		return;
	if (world_member(s->w, m)->condition == MEMBER_PAUSED) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u is paused: its clock does not run before resume-member S%u", m,
			     m);
		return;
	}
	if (world_member(s->w, m)->condition != MEMBER_UP) {
		command_fail(s, j, STATUS_BAD_ARGS, "S%u is not running: restart S%u first", m, m);
		return;
	}
	sim_timeout(s->w, m);
	command_end(j);
}

const struct command_row cmd_timeout = {
    .name = "timeout",
    .group = GROUP_TIME,
    .usage = "timeout <member>",
    .summary = "Fires a member's election timer now",
    .example = "timeout S2",
    .arguments = "@member",
    .run = run,
};
