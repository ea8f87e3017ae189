/* defrag (etcd: defrag_command.go): one endpoint after the other, or a directory that nobody uses.
 */
#include "cmd/login.h"
#include "sim/files.h"

enum { DEFRAG_CLUSTER, DEFRAG_DATA_DIR, DEFRAG_FLAGS };

static const struct flag_row flags[DEFRAG_FLAGS] = {
    [DEFRAG_CLUSTER] = {.name = "cluster",
			.etcdctl = "use all endpoints from the cluster member list",
			.type = FLAG_BOOL,
			.fallback = "false",
			.help = "all members of the cluster"},
    [DEFRAG_DATA_DIR] = {.name = "data-dir",
			 .etcdctl = "Optional. If present, defragments a data directory not in use "
				    "by etcd.",
			 .type = FLAG_STRING,
			 .fallback = "",
			 .values = "@dir",
			 .help = "a directory that no member uses: one that was restored, or "
				 "S1.etcd while S1 is down"},
};

/* etcdctl crashes where there is no database.  Where a member has it open it waits until that has
 * ended; nobody could type `kill` meanwhile here, so it ends. */
static void defrag_dir(struct shell *s, struct bytes dir)
{
	struct buf *out = command_out(s);

	switch (sim_defrag_dir(s->w, dir)) {
	case DEFRAG_DONE:
		break;
	case DEFRAG_IN_USE:
		buf_printf(out,
			   "waiting for etcd to close and release its lock on "
			   "\"%.*s/member/snap/db\". To defrag a running etcd instance, omit "
			   "--data-dir.\n",
			   (int)dir.n, dir.p);
		s->exit_status = STATUS_ERROR;
		break;
	case DEFRAG_MISSING:
		buf_printf(out,
			   "panic: cannot open database at %.*s/member/snap/db (open "
			   "%.*s/member/snap/db: %s)\n",
			   (int)dir.n, dir.p, (int)dir.n, dir.p,
			   world_file(s->w, dir) ? "not a directory" : "no such file or directory");
		s->exit_status = STATUS_BAD_CONNECTION; /* that of a Go program that panics */
		break;
	}
}

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
	if (flag_text(p, DEFRAG_DATA_DIR).n) {
		defrag_dir(s, flag_text(p, DEFRAG_DATA_DIR));
		command_end(j);
		return;
	}
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
