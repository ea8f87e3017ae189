/* member promote (etcd: member_command.go): a learner becomes a voter. */
#include "cmd/member_arg.h"

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	uint64_t id;

	if (!member_argument(s, j, p, &id) || !command_client(s, j, p))
		return;
	struct request *req = command_request(s, REQ_MEMBER_PROMOTE);
	req->member.id = id;
	command_call(s, j, req, command_finish);
}

const struct command_row cmd_member_promote = {
    .name = "member promote",
    .etcdctl_description = "Promotes a non-voting learner member to a voting one in the cluster.\n",
    .group = GROUP_ETCDCTL,
    .usage = "member promote <memberID>",
    .summary = "Promotes a non-voting member in the cluster",
    .example = "member promote S4",
    .cost = "Raft index +1, no revision. Refused: nothing.",
    .arguments = "@member",
    .run = run,
};
