/* interrupt and terminate: Ctrl-C and SIGTERM for a request that was left running.  etcdctl then
 * ends without a word; what the request has set in motion goes on. */
#include "cmd/command.h"
#include "cmd/go_number.h"

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct bytes name;
	uint64_t n;

	if (!command_arguments(s, j, p, 1, 1))
		return;
	name = p->args.v[0];
	if (name.n < 2 || name.p[0] != 'r' ||
	    !go_parse_uint((struct bytes){name.p + 1, name.n - 1}, 10, &n, NULL) ||
	    !shell_end_request(s, n)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "no request \"%.*s\" is running: r1, r2 and so on are the requests in "
			     "their order",
			     (int)name.n, name.p);
		return;
	}
	command_end(j);
}

const struct command_row cmd_interrupt = {
    .name = "interrupt",
    .group = GROUP_TIME,
    .usage = "interrupt <rN>",
    .summary = "Ctrl-C for a request that was left running",
    .example = "interrupt r1",
    .arguments = "rN",
    .run = run,
};

const struct command_row cmd_terminate = {
    .name = "terminate",
    .group = GROUP_TIME,
    .usage = "terminate <rN>",
    .summary = "SIGTERM for a request that was left running",
    .example = "terminate r1",
    .arguments = "rN",
    .run = run,
};
