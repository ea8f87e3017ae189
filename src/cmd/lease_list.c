/* lease list (etcd: lease_command.go): a local answer of the member that is asked. */
#include "cmd/command.h"

static void answer(struct shell *s, struct job *j)
{
	if (j->results[0]->error != ERR_NONE)
		command_fail(s, j, STATUS_BAD_CONNECTION, "%s", error_text(j->results[0]->error));
	else
		command_finish(s, j);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!command_client(s, j, p))
		return;
	j->timeout_ms = INT64_MAX; /* etcdctl gives it no limit, as timetolive */
	command_call(s, j, command_request(s, REQ_LEASE_LEASES), answer);
}

const struct command_row cmd_lease_list = {
    .name = "lease list",
    .etcdctl_summary = "List all active leases",
    .group = GROUP_ETCDCTL,
    .usage = "lease list",
    .summary = "List all active leases, in the order in which they run out",
    .example = "lease list",
    .cost = "Nothing: the member answers from what it has.",
    .run = run,
};
