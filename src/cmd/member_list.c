/* member list (etcd: member_command.go). */
#include "cmd/command.h"

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (command_client(s, j, p))
		command_call(s, j, command_request(s, REQ_MEMBER_LIST), command_finish);
}

const struct command_row cmd_member_list = {
    .name = "member list",
    .etcdctl_description =
	"When --write-out is set to simple, this command prints out comma-separated member lists "
	"for each endpoint.\n"
	"The items in the lists are ID, Status, Name, Peer Addrs, Client Addrs, Is Learner.\n",
    .group = GROUP_ETCDCTL,
    .usage = "member list",
    .summary = "Lists all members in the cluster",
    .example = "member list -w table",
    .cost = "Nothing.",
    .versions = "3.4 answers from what the member has; 3.5 needs a majority.",
    .run = run,
};
