/* member update (etcd: member_command.go): other peer URLs. */
#include "cmd/member_arg.h"

enum { UPDATE_PEER_URLS };

static const struct flag_row flags[] = {
    [UPDATE_PEER_URLS] = {.name = "peer-urls",
			  .type = FLAG_STRING,
			  .fallback = "",
			  .help = "comma separated peer URLs for the updated member."},
};

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	uint64_t id;

	if (!member_argument(s, j, p, &id))
		return;
	if (flag_text(p, UPDATE_PEER_URLS).n == 0) {
		command_fail(s, j, STATUS_BAD_ARGS, "member peer urls not provided");
		return;
	}
	if (!command_client(s, j, p))
		return;
	struct request *req = command_request(s, REQ_MEMBER_UPDATE);
	req->member.id = id;
	req->member.peer_url = command_keep(s, flag_text(p, UPDATE_PEER_URLS)).p;
	command_call(s, j, req, command_finish);
}

const struct command_row cmd_member_update = {
    .name = "member update",
    .group = GROUP_ETCDCTL,
    .usage = "member update <memberID> [options]",
    .summary = "Updates a member in the cluster",
    .example = "member update S3 --peer-urls=http://127.0.0.1:33380",
    .cost = "Raft index +1, no revision.",
    .arguments = "@member",
    .flags = flags,
    .nflags = 1,
    .run = run,
};
