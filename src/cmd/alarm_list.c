/* alarm list (etcd: alarm_command.go): goes through the log although it only reads. */
#include "cmd/command.h"

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n > 0) {
		command_fail(s, j, STATUS_BAD_ARGS, "alarm list command accepts no arguments");
		return;
	}
	if (command_client(s, j, p))
		command_call(s, j, command_request(s, REQ_ALARM_LIST), command_finish);
}

const struct command_row cmd_alarm_list = {
    .name = "alarm list",
    .group = GROUP_ETCDCTL,
    .usage = "alarm list",
    .summary = "Lists all alarms",
    .example = "alarm list",
    .run = run,
};
