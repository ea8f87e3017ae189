/* kill and restart: the process of a member ends, or comes back with what its disk holds. */
#include "cmd/command.h"
#include "cmd/go_number.h"

enum { KILL_FLAG_POWER, KILL_FLAG_TERM, KILL_FLAG_AT, KILL_FLAGS };

static const struct flag_row flags[KILL_FLAGS] = {
    [KILL_FLAG_POWER] =
	{.name = "power",
	 .type = FLAG_BOOL,
	 .fallback = "false",
	 .help = "lost power or a frozen machine: no connection closes, nobody is told"},
    [KILL_FLAG_TERM] = {.name = "term",
			.type = FLAG_BOOL,
			.fallback = "false",
			.help = "SIGTERM: a leader hands over before it ends"},
    [KILL_FLAG_AT] = {.name = "at",
		      .type = FLAG_STRING,
		      .fallback = "",
		      .values = "append|fsync|send|commit|apply|reply",
		      .help = "not now, but just before it would next do that"},
};

static bool read_point(struct shell *s, struct job *j, struct bytes w, enum kill_point *at)
{
	for (int i = KILL_NOW; i <= KILL_REPLY; i++)
		if (bytes_is(w, kill_point_name((enum kill_point)i)))
			return *at = (enum kill_point)i, true;
	command_fail(s, j, STATUS_BAD_ARGS,
		     "--at=%.*s: append, fsync, send, commit, apply and reply exist", (int)w.n,
		     w.p);
	return false;
}

/* Can the member be killed, or restarted? False: the job has failed. */
static bool is_possible(struct shell *s, struct job *j, unsigned m, bool want_up)
{
	switch (world_member(s->w, m)->condition) {
	case MEMBER_DOWN:
		if (want_up)
			command_fail(s, j, STATUS_BAD_ARGS,
				     "S%u is down already: restart S%u brings it back", m, m);
		return !want_up;
	case MEMBER_UNSTARTED:
		command_fail(s, j, STATUS_BAD_ARGS, "S%u has not been started: start S%u does it",
			     m, m);
		return false;
	case MEMBER_REMOVED:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u has been permanently removed from the cluster: it stops again "
			     "at once, member add S%u comes first",
			     m, m);
		return false;
	case MEMBER_ABSENT:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u does not belong to the cluster: member add S%u comes first", m,
			     m);
		return false;
	case MEMBER_PAUSED:
		if (!want_up)
			command_fail(s, j, STATUS_BAD_ARGS,
				     "S%u is paused, not down: resume-member S%u lets it go on", m,
				     m);
		return want_up;
	default:
		if (!want_up)
			command_fail(s, j, STATUS_BAD_ARGS, "S%u is running: kill S%u ends it", m,
				     m);
		return want_up;
	}
}

/* All members that the arguments name, in the order of their numbers; want_up: they must run, or
 * must not. */
static bool read_members(struct shell *s, struct job *j, const struct parsed *p, bool want_up,
			 bool out[MEMBERS_MAX])
{
	for (size_t i = 0; i < p->args.n; i++)
		if (!command_members(s, j, p->args.v[i], out))
			return false;
	for (unsigned m = 1; m <= s->w->nmembers; m++) {
		if (out[m - 1] && !is_possible(s, j, m, want_up))
			return false;
	}
	return true;
}

/* r1: the client of a request that was left running; it has no time for a last word. */
static bool kills_client(struct shell *s, const struct parsed *p)
{
	struct bytes name = p->args.n == 1 ? p->args.v[0] : (struct bytes){0};
	uint64_t n;

	return name.n > 1 && name.p[0] == 'r' &&
	       go_parse_uint((struct bytes){name.p + 1, name.n - 1}, 10, &n, NULL) &&
	       shell_kill_request(s, n);
}

static void run_kill(struct shell *s, struct job *j, const struct parsed *p)
{
	enum kill_how how = flag_bool(p, KILL_FLAG_POWER)  ? KILL_POWER
			    : flag_bool(p, KILL_FLAG_TERM) ? KILL_TERM
							   : KILL_PROCESS;
	bool members[MEMBERS_MAX] = {0};
	enum kill_point at;

	command_end(j);
	if (kills_client(s, p))
		return;
	if (!command_arguments(s, j, p, 1, MEMBERS_MAX) ||
	    !read_point(s, j, flag_text(p, KILL_FLAG_AT), &at) ||
	    !read_members(s, j, p, true, members))
		return;
	for (unsigned m = 1; m <= s->w->nmembers; m++)
		if (members[m - 1])
			sim_kill(s->w, m, how, at);
	command_end(j);
}

enum { RESTART_STATE, RESTART_FORCE, RESTART_FLAGS };

static const struct flag_row restart_flags[RESTART_FLAGS] = {
    [RESTART_STATE] = {.name = "initial-cluster-state",
		       .type = FLAG_STRING,
		       .fallback = "new",
		       .values = "new|existing",
		       .help = "what the process takes its cluster to be if its data directory is "
			       "empty"},
    [RESTART_FORCE] = {.name = "force-new-cluster",
		       .type = FLAG_BOOL,
		       .fallback = "false",
		       .help = "go on alone: all other members are removed"},
};

static bool read_state(struct shell *s, struct job *j, struct bytes w, bool *existing)
{
	*existing = bytes_is(w, "existing");
	if (*existing || bytes_is(w, "new"))
		return true;
	command_fail(s, j, STATUS_BAD_ARGS, "--initial-cluster-state=%.*s: new and existing exist",
		     (int)w.n, w.p);
	return false;
}

static unsigned count(const bool members[MEMBERS_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < MEMBERS_MAX; i++)
		n += members[i];
	return n;
}

static void run_restart(struct shell *s, struct job *j, const struct parsed *p)
{
	bool members[MEMBERS_MAX] = {0}, existing, alone = flag_bool(p, RESTART_FORCE);

	command_end(j);
	if (!command_arguments(s, j, p, 1, MEMBERS_MAX) ||
	    !read_state(s, j, flag_text(p, RESTART_STATE), &existing) ||
	    !read_members(s, j, p, false, members))
		return;
	if (alone && count(members) > 1) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "--force-new-cluster is for one member: the others are removed");
		return;
	}
	for (unsigned m = 1; m <= s->w->nmembers; m++) {
		if (!members[m - 1])
			continue;
		if (alone)
			sim_restart_alone(s->w, m);
		else if (existing)
			sim_restart_existing(s->w, m);
		else
			sim_restart(s->w, m);
		if (world_member(s->w, m)->condition == MEMBER_DOWN)
			command_fail(s, j, STATUS_ERROR, "S%u refuses to start: %s", m,
				     world_member(s->w, m)->failure);
	}
}

const struct command_row cmd_kill = {
    .name = "kill",
    .group = GROUP_FAULTS,
    .usage = "kill [--power | --term] [--at=POINT] <member>... | kill <rN>",
    .summary =
	"Ends a member's process (SIGKILL): its connections close, requests pending there fail",
    .example = "kill S1",
    .arguments = "@member ...",
    .flags = flags,
    .nflags = KILL_FLAGS,
    .run = run_kill,
};

const struct command_row cmd_restart = {
    .name = "restart",
    .group = GROUP_FAULTS,
    .usage = "restart <member>... [--initial-cluster-state=new|existing] [--force-new-cluster]",
    .summary = "Starts a killed member again, with what its disk holds",
    .example = "restart S1",
    .arguments = "@member ...",
    .flags = restart_flags,
    .nflags = RESTART_FLAGS,
    .run = run_restart,
};
