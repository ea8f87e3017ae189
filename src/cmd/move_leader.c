/* move-leader (etcd: move_leader_command.go): asks the endpoints one after the other until one is
 * the leader, and has that one hand over. */
#include <inttypes.h>

#include "cmd/command.h"
#include "cmd/go_number.h"
#include "cmd/login.h"
#include "cmd/scratch.h"

static void ask_next(struct shell *s, struct job *j);

static void moved(struct shell *s, struct job *j)
{
	const struct response *r = j->results[j->ncalls - 1];
	const struct request *req = command_asked(s, j);
	struct print_options o = {
	    .format = j->format, .id = j->id, .target = (int64_t)req->move_leader.target};

	command_end(j);
	if (r->error != ERR_NONE)
		command_fail(s, j, STATUS_ERROR, "%s", error_text(r->error));
	else if (!print_response(command_out(s), r, req, &o))
		command_no_form(s, j);
}

static void no_leader(struct shell *s, struct job *j)
{
	struct buf *m = &s->scratch->message;

	buf_clear(m);
	buf_puts(m, "no leader endpoint given at [");
	for (size_t i = 0; i < j->nshown; i++) {
		if (i)
			buf_putc(m, ' ');
		buf_put_bytes(m, j->shown[i]);
	}
	buf_putc(m, ']');
	command_fail_message(s, j, STATUS_BAD_ARGS);
}

static void status(struct shell *s, struct job *j)
{
	const struct response *r = j->results[j->ncalls - 1];

	if (r->error != ERR_NONE) {
		command_fail(s, j, STATUS_ERROR, "%s", error_text(r->error));
	} else if (r->status->leader == r->header.member_id) {
		struct request *req = command_request(s, REQ_MOVE_LEADER);
		req->move_leader.target = (uint64_t)j->id;
		j->id = (int64_t)r->status->leader;
		j->ncalls = 0;
		j->phase = 1;
		command_call_endpoint(s, j, req, j->at, moved);
	} else if (++j->at < j->nshown) {
		ask_next(s, j);
	} else {
		no_leader(s, j);
	}
}

static void ask_next(struct shell *s, struct job *j)
{
	/* a client for each endpoint, and its connection for maintenance */
	login_and_call(s, j, 1 + login_maintenance(s), command_request(s, REQ_STATUS), j->at,
		       status);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	uint64_t target;
	unsigned member;

	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS, "move-leader command needs 1 argument");
		return;
	}
	member = command_member(s->w, p->args.v[0]);
	if (member)
		target = s->w->peers[member - 1].id;
	else if (!go_parse_uint(p->args.v[0], 16, &target, &s->scratch->message)) {
		command_fail_message(s, j, STATUS_BAD_ARGS);
		return;
	}
	if (!command_client(s, j, p))
		return;
	command_each_endpoint(s, j, false);
	j->id = (int64_t)target;
	ask_next(s, j);
}

const struct command_row cmd_move_leader = {
    .name = "move-leader",
    .etcdctl_summary = "Transfers leadership to another etcd cluster member.",
    .group = GROUP_ETCDCTL,
    .usage = "move-leader <transferee-member-id>",
    .summary = "Transfers leadership to another etcd cluster member",
    .example = "move-leader S2",
    .cost = "Raft index +1, the new leader's empty entry; term +1; no revision.",
    .arguments = "@member",
    .run = run,
};
