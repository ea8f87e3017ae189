/* member remove (etcd: member_command.go). */
#include "cmd/member_arg.h"

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	uint64_t id;

	if (!member_argument(s, j, p, &id) || !command_client(s, j, p))
		return;
	struct request *req = command_request(s, REQ_MEMBER_REMOVE);
	req->member.id = id;
	command_call(s, j, req, command_finish);
}

const struct command_row cmd_member_remove = {
    .name = "member remove",
    .group = GROUP_ETCDCTL,
    .usage = "member remove <memberID>",
    .summary = "Removes a member from the cluster",
    .example = "member remove S3",
    .cost = "Raft index +1, no revision, also for an unknown id. Refused as unhealthy: nothing.",
    .arguments = "@member",
    .run = run,
};
