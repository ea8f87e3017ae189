/* lease grant (etcd: lease_command.go). */
#include "cmd/command.h"
#include "cmd/go_number.h"
#include "cmd/scratch.h"

static void answer(struct shell *s, struct job *j)
{
	if (j->results[0]->error != ERR_NONE)
		command_fail(s, j, STATUS_ERROR, "failed to grant lease (%s)",
			     error_text(j->results[0]->error));
	else
		command_finish(s, j);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct buf *m = &s->scratch->message;
	int64_t ttl;

	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS, "lease grant command needs TTL argument");
		return;
	}
	buf_puts(m, "bad TTL (");
	if (!go_parse_int(p->args.v[0], 10, &ttl, m)) {
		buf_putc(m, ')');
		command_fail_message(s, j, STATUS_BAD_ARGS);
		return;
	}
	if (!command_client(s, j, p))
		return;
	struct request *req = command_request(s, REQ_LEASE_GRANT);
	req->grant.ttl = ttl;
	command_call(s, j, req, answer);
}

const struct command_row cmd_lease_grant = {
    .name = "lease grant",
    .group = GROUP_ETCDCTL,
    .usage = "lease grant <ttl>",
    .summary = "Creates leases",
    .example = "lease grant 60",
    .cost = "Raft index +1, no revision, also for a TTL that is too large.",
    .arguments = "SECONDS",
    .run = run,
};
