/* compaction (etcd: compaction_command.go). */
#include <inttypes.h>

#include "cmd/command.h"
#include "cmd/go_number.h"
#include "cmd/scratch.h"

enum { COMPACT_PHYSICAL, COMPACT_FLAGS };

static const struct flag_row flags[COMPACT_FLAGS] = {
    [COMPACT_PHYSICAL] =
	{.name = "physical",
	 .etcdctl = "'true' to wait for compaction to physically remove all old revisions",
	 .type = FLAG_BOOL,
	 .fallback = "false",
	 .help = "answer only when the old revisions are gone from the file"},
};

static void answer(struct shell *s, struct job *j)
{
	if (j->results[0]->error != ERR_NONE) {
		command_finish(s, j);
		return;
	}
	buf_printf(command_out(s), "compacted revision %" PRId64 "\n", j->id);
	command_end(j);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS, "compaction command needs 1 argument");
		return;
	}
	if (!go_parse_int(p->args.v[0], 10, &j->id, &s->scratch->message)) {
		command_fail_message(s, j, STATUS_ERROR);
		return;
	}
	if (!command_client(s, j, p))
		return;
	struct request *req = command_request(s, REQ_COMPACTION);
	req->compaction.revision = j->id;
	req->compaction.physical = flag_bool(p, COMPACT_PHYSICAL);
	command_call(s, j, req, answer);
}

const struct command_row cmd_compact = {
    .name = "compaction",
    .alias = "compact",
    .group = GROUP_ETCDCTL,
    .usage = "compaction [options] <revision>",
    .summary = "Compacts the event history in etcd",
    .example = "compact 3",
    .cost = "Raft index +1, no revision, also when it is refused.",
    .versions = "3.5 keeps the tombstone at the compacted revision, 3.4 removes it.",
    .arguments = "REVISION",
    .flags = flags,
    .nflags = COMPACT_FLAGS,
    .run = run,
};
