/* endpoint status and endpoint hashkv (etcd: ep_command.go): one endpoint after the other, each
 * with its own limit; what could be had is printed, then who failed. */
#include "cmd/command.h"
#include "cmd/go_number.h"
#include "cmd/login.h"

enum { EP_CLUSTER, EP_REV };

#define CLUSTER_FLAG                                                                               \
	{                                                                                          \
		.name = "cluster", .of_group = true, .type = FLAG_BOOL, .fallback = "false",       \
		.help = "use all endpoints from the cluster member list"                           \
	}

static const struct flag_row status_flags[] = {[EP_CLUSTER] = CLUSTER_FLAG};
static const struct flag_row hash_flags[] = {
    [EP_CLUSTER] = CLUSTER_FLAG,
    [EP_REV] = {.name = "rev",
		.type = FLAG_INT64,
		.fallback = "0",
		.help = "maximum revision to hash (default: all revisions)"},
};

extern const struct command_row cmd_endpoint_hashkv;

static void ask_next(struct shell *s, struct job *j);

static void print_all(struct shell *s, struct job *j)
{
	const struct response *good[MEMBERS_MAX];
	struct endpoint_answers a = {.n = j->nshown, .names = j->shown, .r = good};
	bool hash = j->row == &cmd_endpoint_hashkv;
	struct buf *out = command_out(s);

	if (j->format == FORMAT_PROTOBUF) {
		command_no_form(s, j);
		return;
	}
	for (size_t i = 0; i < a.n; i++) {
		good[i] = j->results[i]->error == ERR_NONE ? j->results[i] : NULL;
		if (good[i])
			continue;
		buf_printf(out, "Failed to get the %s of endpoint %.*s (%s)\n",
			   hash ? "hash" : "status", (int)a.names[i].n, a.names[i].p,
			   error_text(j->results[i]->error));
		s->exit_status = STATUS_ERROR;
		s->last_error_call = j->calls[i];
		buf_clear(&s->last_error);
		buf_puts(&s->last_error, error_text(j->results[i]->error));
	}
	(hash ? print_endpoint_hash : print_endpoint_status)(out, &a, j->format);
	if (hash && s->exit_status == STATUS_ERROR)
		command_fail(s, j, STATUS_ERROR, "%s", buf_str(&s->last_error));
	command_end(j);
}

static void answer(struct shell *s, struct job *j)
{
	if (++j->at < j->nshown)
		ask_next(s, j);
	else
		print_all(s, j);
}

static void ask_next(struct shell *s, struct job *j)
{
	bool hash = j->row == &cmd_endpoint_hashkv;
	struct request *req = command_request(s, hash ? REQ_HASH_KV : REQ_STATUS);

	if (hash)
		req->hash_kv.revision = j->id;
	login_and_call(s, j, login_maintenance(s), req, j->at, answer);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!command_client(s, j, p))
		return;
	command_each_endpoint(s, j, flag_bool(p, EP_CLUSTER));
	if (j->row == &cmd_endpoint_hashkv)
		j->id = flag_int(p, EP_REV);
	ask_next(s, j);
}

const struct command_row cmd_endpoint_status = {
    .name = "endpoint status",
    .etcdctl_description =
	"When --write-out is set to simple, this command prints out comma-separated status lists "
	"for each endpoint.\n"
	"The items in the lists are endpoint, ID, version, db size, is leader, is learner, raft "
	"term, raft index, raft applied index, errors.\n",
    .group = GROUP_ETCDCTL,
    .usage = "endpoint status",
    .summary = "Prints out the status of endpoints specified in `--endpoints` flag",
    .example = "endpoint status --cluster -w table",
    .cost = "Nothing: the member answers from what it has.",
    .flags = status_flags,
    .nflags = 1,
    .run = run,
};

const struct command_row cmd_endpoint_hashkv = {
    .name = "endpoint hashkv",
    .group = GROUP_ETCDCTL,
    .usage = "endpoint hashkv",
    .summary = "Prints the KV history hash for each endpoint in --endpoints",
    .example = "endpoint hashkv --cluster",
    .cost = "Nothing.",
    .versions = "The hash at the compacted revision itself is refused by 3.4 and given by 3.5.",
    .flags = hash_flags,
    .nflags = 2,
    .run = run,
};
