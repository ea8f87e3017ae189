/* alarm list and alarm disarm (etcd: alarm_command.go).  Both go through the log, the list although
 * it only reads. */
#include "cmd/command.h"

/* Servers before 3.5 answer without a header.  (etcdctl's `-w fields` crashes on that; here the
 * header is printed.) */
static void finish(struct shell *s, struct job *j, const struct response *r)
{
	bool marshals = j->format == FORMAT_JSON || j->format == FORMAT_PROTOBUF;

	if (marshals && s->w->cfg.etcd_version < 35) {
		struct response *bare = heap_alloc(s->w->heap, sizeof *bare);
		*bare = *r;
		bare->header = (struct response_header){0};
		r = bare;
	}
	command_print(s, j, r, command_asked(s, j));
}

static void listed(struct shell *s, struct job *j)
{
	if (j->results[0]->error != ERR_NONE)
		command_finish(s, j);
	else
		finish(s, j, j->results[0]);
}

/* Those that were cleared, in the order of the list: calls[0] was the list. */
static void disarmed(struct shell *s, struct job *j)
{
	const struct response *list = j->results[0];
	struct alarm *v = heap_alloc(s->w->heap, (list->alarms.n + 1) * sizeof *v);
	struct response *all = heap_alloc(s->w->heap, sizeof *all);
	size_t n = 0;

	for (size_t i = 1; i < j->ncalls; i++) {
		const struct response *r = j->results[i];
		if (r->error != ERR_NONE) {
			command_fail(s, j, STATUS_ERROR, "%s", error_text(r->error));
			return;
		}
		if (r->alarms.n)
			v[n++] = r->alarms.v[0];
	}
	*all = (struct response){.kind = REQ_ALARM_DEACTIVATE};
	all->alarms.v = v;
	all->alarms.n = n;
	finish(s, j, all);
}

/* The client asks which alarms there are and clears each: as many entries, and one for the list. */
static void disarm_next(struct shell *s, struct job *j)
{
	const struct response *list = j->results[0];
	size_t cleared = j->ncalls - 1u;

	if (list->error != ERR_NONE) {
		command_finish(s, j);
	} else if (cleared == list->alarms.n || cleared == MEMBERS_MAX ||
		   j->results[cleared]->error != ERR_NONE) {
		disarmed(s, j);
	} else {
		struct request *req = command_request(s, REQ_ALARM_DEACTIVATE);
		req->alarm = list->alarms.v[cleared];
		command_call(s, j, req, disarm_next);
	}
}

static bool no_arguments(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n > 0)
		command_fail(s, j, STATUS_BAD_ARGS, "%s command accepts no arguments",
			     j->row->name);
	return p->args.n == 0 && command_client(s, j, p);
}

static void run_list(struct shell *s, struct job *j, const struct parsed *p)
{
	if (no_arguments(s, j, p))
		command_call(s, j, command_request(s, REQ_ALARM_LIST), listed);
}

static void run_disarm(struct shell *s, struct job *j, const struct parsed *p)
{
	if (no_arguments(s, j, p))
		command_call(s, j, command_request(s, REQ_ALARM_LIST), disarm_next);
}

const struct command_row cmd_alarm_list = {
    .name = "alarm list",
    .group = GROUP_ETCDCTL,
    .usage = "alarm list",
    .summary = "Lists all alarms",
    .example = "alarm list",
    .cost = "Raft index +1 although it only reads, no revision.",
    .versions = "With -w json 3.4 prints no header.",
    .run = run_list,
};

const struct command_row cmd_alarm_disarm = {
    .name = "alarm disarm",
    .group = GROUP_ETCDCTL,
    .usage = "alarm disarm",
    .summary = "Disarms all alarms",
    .example = "alarm disarm",
    .cost = "Raft index +1 for the list, and +1 for each alarm that is on; no revision.",
    .versions = "Where authentication is on, a member of 3.4 or 3.5 that was up when NOSPACE went "
		"on asks no user what he may write, until it is disarmed or the member starts "
		"again. If some have started again and others not, their stores can differ. 3.6 "
		"puts this right.",
    .run = run_disarm,
};
