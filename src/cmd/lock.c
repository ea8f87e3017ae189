/* lock (etcd: lock_command.go, clientv3/concurrency/mutex.go): holds a named lock until it is
 * interrupted, or while a command runs.  etcdctl gives the lock to the command in its environment;
 * here the words $ETCD_LOCK_KEY and $ETCD_LOCK_REV of the line stand for it. */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/nested.h"
#include "cmd/recipe.h"

enum { LOCK_TTL, LOCK_FLAGS };
enum { DEFAULT_TTL = 60 }; /* of the library, for --ttl=0 */

static const struct flag_row flags[LOCK_FLAGS] = {
    [LOCK_TTL] = {.name = "ttl",
		  .type = FLAG_INT64,
		  .fallback = "10",
		  .help = "timeout for session"},
};

static void expired(struct shell *s, struct job *j)
{
	command_fail(s, j, STATUS_ERROR, "session expired");
}

/* The command has run: the lock is given back, and then its failure is told. */
static void unlocked(struct shell *s, struct job *j)
{
	int status = s->w->cfg.etcd_version >= 35 ? (int)j->id : STATUS_ERROR;

	command_fail(s, j, (enum exit_status)status, "exit status %d", (int)j->id);
}

static void unlock(struct shell *s, struct job *j)
{
	bool failed = j->failed;

	j->failed = false;
	j->id = s->exit_status;
	if (failed)
		j->after = unlocked;
	j->timeout_ms = INT64_MAX;
	recipe_release(s, j);
}

/* The job goes on as the command that was given, and comes back when that has ended. */
static void run_command(struct shell *s, struct job *j)
{
	char revision[24];

	snprintf(revision, sizeof revision, "%" PRId64, j->results[0]->header.revision);
	const struct nested_variable v[] = {
	    {"$ETCD_LOCK_KEY", j->recipe.key},
	    {"$ETCD_LOCK_REV", bytes_of(revision)},
	};
	j->after = unlock;
	if (!nested_run(s, j, nested_fill(s, j->recipe.command, v, sizeof v / sizeof *v)))
		j->failed = false; /* it has not run, so it has no exit status */
}

static void won(struct shell *s, struct job *j)
{
	if (j->recipe.command.n) {
		run_command(s, j);
	} else if (j->results[0]->range.n == 0) {
		command_fail(s, j, STATUS_ERROR, "lock lost on init");
	} else {
		command_print(s, j, j->results[0], command_asked(s, j));
		if (j->failed)
			return;
		j->wait = WAIT_SIGNAL;
		j->resume = expired;
	}
}

static void opened(struct shell *s, struct job *j)
{
	recipe_acquire(s, j, won);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	int64_t ttl = flag_int(p, LOCK_TTL);

	if (p->args.n == 0) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "lock takes a lock name argument and an optional command to execute");
		return;
	}
	if (!command_client(s, j, p))
		return;
	j->recipe.command = nested_line(s, p->args.v + 1, p->args.n - 1);
	recipe_open(s, j, p->args.v[0], ttl > 0 ? ttl : DEFAULT_TTL, opened);
}

const struct command_row cmd_lock = {
    .name = "lock",
    .group = GROUP_ETCDCTL,
    .usage = "lock <lockname> [exec-command arg1 arg2 ...]",
    .summary = "Acquires a named lock",
    .example = "lock mylock --ttl=5 &",
    .stream = true,
    .cost = "Raft index +2 until it is held, for the lease and the key; revision +1. Giving it "
	    "back: index +1, revision +1.",
    .versions =
	"A command that fails ends etcdctl with status 1 under 3.4, with its own status under 3.5.",
    .arguments = "NAME",
    .flags = flags,
    .nflags = LOCK_FLAGS,
    .run = run,
};
