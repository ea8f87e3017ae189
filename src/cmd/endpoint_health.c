/* endpoint health (etcd: ep_command.go): a linearizable read of the key "health" on every endpoint
 * at once; 3.5 then looks for alarms too. */
#include "cmd/command.h"

enum { HEALTH_CLUSTER, HEALTH_FLAGS };

static const struct flag_row flags[HEALTH_FLAGS] = {
    [HEALTH_CLUSTER] = {.name = "cluster",
			.of_group = true,
			.type = FLAG_BOOL,
			.fallback = "false",
			.help = "use all endpoints from the cluster member list"},
};

/* Since 3.5 a member with an alarm is not healthy. */
static const char *what_is_wrong(struct shell *s, const struct response *r)
{
	struct buf text = {0};

	if (r->error || r->kind != REQ_ALARM_LIST || r->alarms.n == 0)
		return error_text(r->error);
	buf_puts(&text, "Active Alarm(s): ");
	for (size_t i = 0; i < r->alarms.n; i++)
		buf_printf(&text, "%s ", print_alarm_name(r->alarms.v[i].kind));
	const char *kept = heap_dup(s->w->heap, buf_str(&text), text.n + 1);
	buf_free(&text);
	return kept;
}

static void print_all(struct shell *s, struct job *j)
{
	const char *errors[MEMBERS_MAX];
	struct endpoint_answers a = {
	    .n = j->nshown, .names = j->shown, .r = j->results, .took_ms = j->took_ms};
	uint64_t failed = 0;

	for (size_t i = 0; i < a.n; i++) {
		errors[i] = what_is_wrong(s, j->results[i]);
		if (*errors[i] && !failed)
			failed = j->calls[i];
	}
	print_endpoint_health(command_out(s), &a, errors, j->format);
	command_end(j);
	if (failed) {
		command_fail(s, j, STATUS_ERROR, "unhealthy cluster");
		s->last_error_call = failed;
	}
}

static void ask_all(struct shell *s, struct job *j, const struct request *req,
		    void (*resume)(struct shell *, struct job *))
{
	j->ncalls = 0;
	for (size_t i = 0; i < j->nshown; i++)
		command_call_endpoint(s, j, req, i, resume);
}

static void answer(struct shell *s, struct job *j)
{
	bool good = s->w->cfg.etcd_version >= 35;

	for (size_t i = 0; i < j->nshown; i++)
		good &= j->results[i]->error == ERR_NONE;
	if (!good || j->phase == 1) {
		print_all(s, j);
		return;
	}
	j->phase = 1;
	ask_all(s, j, command_request(s, REQ_ALARM_LIST), print_all);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!command_client(s, j, p))
		return;
	command_each_endpoint(s, j, flag_bool(p, HEALTH_CLUSTER));
	struct request *req = command_request(s, REQ_RANGE);
	req->range.range.key = BYTES("health");
	ask_all(s, j, req, answer);
}

const struct command_row cmd_endpoint_health = {
    .name = "endpoint health",
    .group = GROUP_ETCDCTL,
    .usage = "endpoint health",
    .summary = "Checks the healthiness of endpoints specified in `--endpoints` flag",
    .example = "endpoint health --endpoints=S1,S2,S3",
    .cost = "Nothing under 3.4; under 3.5 raft index +1 an endpoint, for its list of alarms.",
    .versions = "3.5 looks for alarms too and is unhealthy while there is one.",
    .flags = flags,
    .nflags = HEALTH_FLAGS,
    .run = run,
};
