/* pause-member and resume-member: SIGSTOP and SIGCONT for the process of a member. */
#include "cmd/command.h"

/* What stands in the way of pausing the member, or of letting it go on; false: the job has failed.
 */
static bool is_possible(struct shell *s, struct job *j, unsigned m, bool pause)
{
	switch (world_member(s->w, m)->condition) {
	case MEMBER_UP:
		if (!pause)
			command_fail(s, j, STATUS_BAD_ARGS,
				     "S%u is not paused: pause-member S%u pauses it", m, m);
		return pause;
	case MEMBER_PAUSED:
		if (pause)
			command_fail(s, j, STATUS_BAD_ARGS,
				     "S%u is paused already: resume-member S%u lets it go on", m,
				     m);
		return !pause;
	case MEMBER_DOWN:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u is down, there is no process: restart S%u brings it back", m, m);
		return false;
	case MEMBER_UNSTARTED:
		command_fail(s, j, STATUS_BAD_ARGS, "S%u has not been started: start S%u does it",
			     m, m);
		return false;
	case MEMBER_REMOVED:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u has been permanently removed from the cluster and has stopped",
			     m);
		return false;
	case MEMBER_ABSENT:
		break;
	}
	command_fail(s, j, STATUS_BAD_ARGS,
		     "S%u does not belong to the cluster: member add S%u comes first", m, m);
	return false;
}

static void run(struct shell *s, struct job *j, const struct parsed *p, bool pause)
{
	bool members[MEMBERS_MAX] = {0};

	if (!command_arguments(s, j, p, 1, MEMBERS_MAX))
		return;
	for (size_t i = 0; i < p->args.n; i++)
		if (!command_members(s, j, p->args.v[i], members))
			return;
	for (unsigned m = 1; m <= s->w->nmembers; m++)
		if (members[m - 1] && !is_possible(s, j, m, pause))
			return;
	for (unsigned m = 1; m <= s->w->nmembers; m++) {
		if (members[m - 1] && pause)
			sim_pause_member(s->w, m);
		else if (members[m - 1])
			sim_resume_member(s->w, m);
	}
	command_end(j);
}

static void run_pause(struct shell *s, struct job *j, const struct parsed *p)
{
	run(s, j, p, true);
}

static void run_resume(struct shell *s, struct job *j, const struct parsed *p)
{
	run(s, j, p, false);
}

const struct command_row cmd_pause_member = {
    .name = "pause-member",
    .group = GROUP_FAULTS,
    .usage = "pause-member <member>...",
    .summary = "Stops a member's process where it stands (SIGSTOP): memory and connections stay, "
	       "what is sent to it waits",
    .example = "pause-member S1",
    .arguments = "@member ...",
    .run = run_pause,
};

const struct command_row cmd_resume_member = {
    .name = "resume-member",
    .group = GROUP_FAULTS,
    .usage = "resume-member <member>...",
    .summary = "Lets a paused member go on (SIGCONT): first with what it was doing, then with what "
	       "has come",
    .example = "resume-member S1",
    .arguments = "@member ...",
    .run = run_resume,
};
