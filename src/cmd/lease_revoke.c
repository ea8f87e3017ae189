/* lease revoke (etcd: lease_command.go). */
#include <inttypes.h>

#include "cmd/command.h"
#include "cmd/scratch.h"

/* The client's struct for the answer has no marshaler (etcd: printer.go, pbPrinter). */
static void no_protobuf(struct shell *s, struct job *j, const struct response_header *h)
{
	struct buf *m = &s->scratch->message;

	buf_clear(m);
	buf_printf(m,
		   "marshal unsupported for type clientv3.LeaseRevokeResponse ({cluster_id:%" PRIu64
		   " member_id:%" PRIu64 " revision:%" PRId64 " raft_term:%" PRIu64 " })",
		   h->cluster_id, h->member_id, h->revision, h->raft_term);
	command_fail_message(s, j, STATUS_BAD_FEATURE);
}

static void answer(struct shell *s, struct job *j)
{
	if (j->results[0]->error != ERR_NONE)
		command_fail(s, j, STATUS_ERROR, "failed to revoke lease (%s)",
			     error_text(j->results[0]->error));
	else if (j->format == FORMAT_PROTOBUF)
		no_protobuf(s, j, &j->results[0]->header);
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
