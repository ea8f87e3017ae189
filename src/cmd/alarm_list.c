/* alarm list (etcd: alarm_command.go): goes through the log although it only reads. */
#include "cmd/command.h"

/* Servers before 3.5 answer without a header.  (etcdctl's `-w fields` crashes on that; here the
 * header is printed.) */
static void answer(struct shell *s, struct job *j)
{
	struct response *r;

	if (j->results[0]->error == ERR_NONE && j->format == FORMAT_JSON &&
	    s->w->cfg.etcd_version < 35) {
		r = heap_alloc(s->w->heap, sizeof *r);
		*r = *j->results[0];
		r->header = (struct response_header){0};
		j->results[0] = r;
	}
	command_finish(s, j);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n > 0) {
		command_fail(s, j, STATUS_BAD_ARGS, "alarm list command accepts no arguments");
		return;
	}
	if (command_client(s, j, p))
		command_call(s, j, command_request(s, REQ_ALARM_LIST), answer);
}

const struct command_row cmd_alarm_list = {
    .name = "alarm list",
    .group = GROUP_ETCDCTL,
    .usage = "alarm list",
    .summary = "Lists all alarms",
    .example = "alarm list",
    .run = run,
};
