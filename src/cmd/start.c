/* start: the process of a member that was added runs for the first time, with nothing on its disk.
 */
#include "cmd/command.h"

static bool may_start(struct shell *s, struct job *j, unsigned m)
{
	switch (world_member(s->w, m)->condition) {
	case MEMBER_UNSTARTED:
		return true;
	case MEMBER_DOWN:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u has been started before: restart S%u brings it back", m, m);
		return false;
	case MEMBER_REMOVED:
	case MEMBER_ABSENT:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u does not belong to the cluster: member add S%u --peer-urls=%s "
			     "comes first",
			     m, m, member_peer_url(m));
		return false;
	case MEMBER_PAUSED:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u is paused, not down: resume-member S%u lets it go on", m, m);
		return false;
	default:
		command_fail(s, j, STATUS_BAD_ARGS, "S%u is running", m);
		return false;
	}
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!command_arguments(s, j, p, 1, 1))
		return;
	unsigned m = command_member(s->w, p->args.v[0]);
	if (!m) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "no member \"%.*s\": member add comes first, then start",
			     (int)p->args.v[0].n, p->args.v[0].p);
		return;
	}
	if (!may_start(s, j, m))
		return;
	sim_start(s->w, m);
	command_end(j);
}

const struct command_row cmd_start = {
    .name = "start",
    .group = GROUP_FAULTS,
    .usage = "start <member>",
    .summary = "Starts a member that was added, with nothing on its disk",
    .example = "start S4",
    .arguments = "@member",
    .run = run,
};
