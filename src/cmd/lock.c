/* lock (etcd: lock_command.go, clientv3/concurrency/mutex.go): holds a named lock until it is
 * interrupted, or while a command runs. */
#include "cmd/recipe.h"
#include "cmd/rows.h"

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
	command_fail(s, j, STATUS_ERROR, "exit status %d", (int)j->id);
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
	struct line l = {0};
	struct parsed p = {0};
	struct buf err = {0};
	const struct command_row *row = NULL;
	size_t used = 0;

	if (line_parse(&l, j->recipe.command, &err) && l.words.n)
		row = command_find(l.words.v, l.words.n, &used, &err);
	if (row && (row->layer != LAYER_SHELL || row == &cmd_lock || row->group != GROUP_ETCDCTL)) {
		buf_printf(&err, "lock runs etcdctl's commands only, not %s", row->name);
		row = NULL;
	}
	j->after = unlock;
	j->ncalls = j->phase = j->at = 0;
	j->format = FORMAT_SIMPLE;
	command_end(j);
	if (row && parse_flags(&p, row, l.words.v + used, l.words.n - used, &err)) {
		p.text = j->recipe.command;
		row->run(s, j, &p);
	} else {
		command_fail(s, j, STATUS_ERROR, "%s", buf_str(&err));
		j->failed = false; /* it has not run, so it has no exit status */
	}
	parsed_free(&p);
	line_free(&l);
	buf_free(&err);
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

/* The words behind the name, as one line again. */
static struct bytes command_of(struct shell *s, const struct parsed *p)
{
	struct buf line = {0};
	struct bytes kept;

	for (size_t i = 1; i < p->args.n; i++) {
		if (i > 1)
			buf_putc(&line, ' ');
		buf_putc(&line, '\'');
		buf_put_bytes(&line, p->args.v[i]);
		buf_putc(&line, '\'');
	}
	kept = command_keep(s, buf_bytes(&line));
	buf_free(&line);
	return kept;
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
	j->recipe.command = command_of(s, p);
	recipe_open(s, j, p->args.v[0], ttl > 0 ? ttl : DEFAULT_TTL, opened);
}

const struct command_row cmd_lock = {
    .name = "lock",
    .group = GROUP_ETCDCTL,
    .usage = "lock <lockname> [exec-command arg1 arg2 ...]",
    .summary = "Acquires a named lock",
    .example = "lock mylock --ttl=5 &",
    .arguments = "NAME",
    .flags = flags,
    .nflags = LOCK_FLAGS,
    .run = run,
};
