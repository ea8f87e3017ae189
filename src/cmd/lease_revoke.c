/* lease revoke (etcd: lease_command.go). */
#include "cmd/command.h"

static void answer(struct shell *s, struct job *j)
{
	if (j->results[0]->error != ERR_NONE)
		command_fail(s, j, STATUS_ERROR, "failed to revoke lease (%s)",
			     error_text(j->results[0]->error));
	else
		command_finish(s, j);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS, "lease revoke command needs 1 argument");
		return;
	}
	if (!command_lease(s, j, p->args.v[0], &j->id) || !command_client(s, j, p))
		return;
	struct request *req = command_request(s, REQ_LEASE_REVOKE);
	req->revoke.id = j->id;
	command_call(s, j, req, answer);
}

const struct command_row cmd_lease_revoke = {
    .name = "lease revoke",
    .etcdctl_summary = "Revokes leases",
    .group = GROUP_ETCDCTL,
    .usage = "lease revoke <leaseID>",
    .summary = "Revokes leases: their keys are deleted in one revision",
    .example = "lease revoke 1",
    .cost = "Raft index +1. Revision +1 if it had keys. A lease that runs out does the same.",
    .arguments = "@lease",
    .run = run,
};
