/* lease timetolive (etcd: lease_command.go).  The client sets no limit of its own: without a leader
 * it waits. */
#include "cmd/command.h"

enum { TTL_KEYS, TTL_FLAGS };

static const struct flag_row flags[TTL_FLAGS] = {
    [TTL_KEYS] = {.name = "keys",
		  .etcdctl = "Get keys attached to this lease",
		  .type = FLAG_BOOL,
		  .fallback = "false",
		  .help = "list the attached keys too"},
};

static void answer(struct shell *s, struct job *j)
{
	if (j->results[0]->error != ERR_NONE)
		command_fail(s, j, STATUS_BAD_CONNECTION, "%s", error_text(j->results[0]->error));
	else
		command_finish(s, j);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "lease timetolive command needs lease ID as argument");
		return;
	}
	if (!command_client(s, j, p) || !command_lease(s, j, p->args.v[0], &j->id))
		return;
	struct request *req = command_request(s, REQ_LEASE_TIME_TO_LIVE);
	req->time_to_live.id = j->id;
	req->time_to_live.keys = j->keys = flag_bool(p, TTL_KEYS);
	j->timeout_ms = INT64_MAX;
	command_call(s, j, req, answer);
}

const struct command_row cmd_lease_timetolive = {
    .name = "lease timetolive",
    .etcdctl_summary = "Get lease information",
    .group = GROUP_ETCDCTL,
    .usage = "lease timetolive <leaseID> [options]",
    .summary = "Get lease information: the TTL granted and the time left",
    .example = "lease timetolive 1 --keys",
    .cost = "Nothing.",
    .arguments = "@lease",
    .flags = flags,
    .nflags = TTL_FLAGS,
    .run = run,
};
