/* defrag (etcd: defrag_command.go): one endpoint after the other. */
#include "cmd/login.h"

enum { DEFRAG_CLUSTER, DEFRAG_FLAGS };

static const struct flag_row flags[DEFRAG_FLAGS] = {
    [DEFRAG_CLUSTER] = {.name = "cluster",
			.etcdctl = "use all endpoints from the cluster member list",
			.type = FLAG_BOOL,
			.fallback = "false",
			.help = "all members of the cluster"},
};

static void ask_next(struct shell *s, struct job *j);

static void answer(struct shell *s, struct job *j)
{
	enum error e = j->results[j->ncalls - 1]->error;
	struct bytes name = j->shown[j->at];

	if (e != ERR_NONE) {
		buf_printf(command_out(s), "Failed to defragment etcd member[%.*s] (%s)\n",
			   (int)name.n, name.p, error_text(e));
		s->exit_status = STATUS_ERROR;
	} else {
		buf_printf(command_out(s), "Finished defragmenting etcd member[%.*s]\n",
			   (int)name.n, name.p);
	}
	if (++j->at < j->nshown)
		ask_next(s, j);
	else
		command_end(j);
}

static void ask_next(struct shell *s, struct job *j)
{
	login_and_call(s, j, login_maintenance(s), command_request(s, REQ_DEFRAGMENT), j->at,
		       answer);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!command_client(s, j, p))
		return;
	command_each_endpoint(s, j, flag_bool(p, DEFRAG_CLUSTER));
	ask_next(s, j);
}

const struct command_row cmd_defrag = {
    .name = "defrag",
    .group = GROUP_ETCDCTL,
    .usage = "defrag",
    .summary = "Defragments the storage of the etcd members with given endpoints",
    .example = "defrag --cluster",
    .cost = "Nothing.",
    .flags = flags,
    .nflags = DEFRAG_FLAGS,
    .run = run,
};
