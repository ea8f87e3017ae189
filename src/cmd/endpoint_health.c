/* endpoint health (etcd: ep_command.go): a linearizable read of the key "health" on every endpoint
 * at once; 3.5 then looks for alarms too. */
#include "cmd/login.h"

enum { HEALTH_CLUSTER, HEALTH_FLAGS };

static const struct flag_row flags[HEALTH_FLAGS] = {
    [HEALTH_CLUSTER] = {.name = "cluster",
			.of_group = true,
			.type = FLAG_BOOL,
			.fallback = "false",
			.help = "use all endpoints from the cluster member list"},
};

/* A permission that is denied has gone through the cluster too. */
static bool is_good(const struct response *r)
{
	return r->error == ERR_NONE || r->error == ERR_PERMISSION_DENIED;
}

/* Since 3.5 a member with an alarm is not healthy. */
static const char *what_is_wrong(struct shell *s, const struct response *r)
{
	struct buf text = {0};

	if (is_good(r) && r->kind == REQ_RANGE)
		return "";
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

	if (j->format == FORMAT_PROTOBUF) {
		command_no_form(s, j);
		return;
	}
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

/* What a job keeps of each call, to be put in another order. */
struct answer {
	uint64_t call;
	const struct response *r;
	int64_t took_ms;
};

static struct answer answer_at(const struct job *j, size_t i)
{
	return (struct answer){j->calls[i], j->results[i], j->took_ms[i]};
}

static void put_answer(struct job *j, size_t i, const struct answer *a)
{
	j->calls[i] = a->call;
	j->results[i] = a->r;
	j->took_ms[i] = a->took_ms;
}

/* The lists of alarms stand in front, in the order of their endpoints, and what went wrong before
 * behind: each goes to its endpoint's place.  Bit i of id: endpoint i was asked for its alarms. */
static void sort_answers(struct shell *s, struct job *j)
{
	struct answer all[MEMBERS_MAX];
	size_t alarms = 0, errors = j->ncalls;

	for (size_t i = 0; i < j->nshown; i++)
		all[i] = answer_at(j, i);
	for (size_t i = 0; i < j->nshown; i++)
		put_answer(j, i, &all[j->id >> i & 1 ? alarms++ : errors++]);
	print_all(s, j);
}

/* Since 3.5 whoever could read the key lists its alarms too. */
static void ask_for_alarms(struct shell *s, struct job *j)
{
	const struct request *req = command_request(s, REQ_ALARM_LIST);
	struct answer bad[MEMBERS_MAX];
	size_t nbad = 0;

	j->ncalls = 0;
	for (size_t i = 0; i < j->nshown; i++) {
		struct answer a = answer_at(j, i);
		if (!is_good(a.r))
			bad[nbad++] = a;
		else
			j->id |= (int64_t)1 << i;
	}
	for (size_t i = 0; i < j->nshown; i++)
		if (j->id >> i & 1)
			command_call_endpoint(s, j, req, i, sort_answers);
	for (size_t i = 0; i < nbad; i++)
		put_answer(j, j->ncalls + i, &bad[i]);
	if (j->ncalls == 0)
		print_all(s, j);
}

static void answer(struct shell *s, struct job *j)
{
	if (s->w->cfg.etcd_version >= 35)
		ask_for_alarms(s, j);
	else
		print_all(s, j);
}

/* Each endpoint is asked by a client of its own, which logs in; the command has waited for the
 * first login, which says what the others will. */
static void log_in_each(struct shell *s, struct job *j)
{
	for (size_t i = 1; i < j->nshown && j->user.n; i++)
		command_call_login(s, j, j->auth, i, answer);
	j->ncalls = 0;
}

/* None has been asked more than the login that has failed. */
static void print_refused(struct shell *s, struct job *j)
{
	for (size_t i = 0; i < j->nshown; i++)
		put_answer(j, i, &(struct answer){j->calls[0], j->results[0], -1});
	print_all(s, j);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!command_client(s, j, p))
		return;
	command_each_endpoint(s, j, flag_bool(p, HEALTH_CLUSTER));
	if (j->login == LOGIN_REFUSED) {
		print_refused(s, j);
		return;
	}
	log_in_each(s, j);
	struct request *req = command_request(s, REQ_RANGE);
	req->range.range.key = BYTES("health");
	for (size_t i = 0; i < j->nshown; i++)
		command_call_endpoint(s, j, req, i, answer);
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
