/* watch (etcd: watch_command.go), which here goes on beside the following commands; informer, which
 * lists first; and what they share with watcher. */
#include "cmd/nested.h"
#include "cmd/rows.h"
#include "cmd/watch_command.h"
#include "cmd/watch_start.h"

enum { WATCH_INTERACTIVE = WATCH_COMMON, WATCH_FLAGS };

static const struct flag_row watch_flags[WATCH_FLAGS] = {
    WATCH_COMMON_FLAGS,
    [WATCH_INTERACTIVE] = {.name = "interactive",
			   .etcdctl = "Interactive mode",
			   .shorthand = 'i',
			   .type = FLAG_BOOL,
			   .fallback = "false",
			   .help =
			       "read lines \"watch KEY ...\" and \"progress\", to a line \"end\""},
};

static bool noted(const struct shell *s, uint32_t watcher, enum watch_note_kind kind)
{
	for (size_t i = 0; i < s->w->notes.n; i++)
		if (s->w->notes.v[i].watcher == watcher && s->w->notes.v[i].kind == kind)
			return true;
	return false;
}

static bool is_empty_range(struct key_range r)
{
	return r.end.n > 0 && !key_range_is_from_key(r) && bytes_cmp(r.key, r.end) >= 0;
}

/* The server creates a watcher whose range is empty, and cancels it in the same answer (mvcc:
 * ErrEmptyWatcherRange). */
bool watch_created(struct shell *s, struct job *j)
{
	const struct watch_client *c = world_watch(s->w, j->watcher);
	bool there = c && noted(s, j->watcher, NOTE_CREATED);

	if (there)
		buf_printf(command_out(s), "watch w%u created\n", c->number);
	if (c && is_empty_range(c->range) && !noted(s, j->watcher, NOTE_CANCELED)) {
		struct watch_note n = {.watcher = c->number, .kind = NOTE_CANCELED};
		print_watch_note(command_out(s), &n, false);
		sim_unwatch(s->w, c->number);
	}
	return there;
}

/* The watcher is there, or has been refused (then its note says so below). */
static void created(struct shell *s, struct job *j)
{
	if (!watch_created(s, j))
		s->exit_status = STATUS_INTERRUPTED;
	s->started_watch = j->watcher;
	command_end(j);
}

void watch_start(struct shell *s, struct job *j, struct watch_options *o,
		 void (*resume)(struct shell *, struct job *))
{
	o->client = j->client;
	o->user = j->user;
	o->nendpoints = j->nshown;
	memcpy(o->endpoints, j->endpoints, sizeof o->endpoints);
	j->watcher = sim_watch(s->w, o);
	j->wait = WAIT_WATCHER;
	j->resume = resume ? resume : created;
}

size_t watch_arguments(const struct parsed *p)
{
	/* What stands behind -- is a command, unless nothing stands before it. */
	return p->dash && p->dash_at > 0 ? p->dash_at : p->args.n;
}

const char *watch_count_is_wrong(size_t n)
{
	return n == 0 || n > 2 ? "bad number of arguments" : NULL;
}

const char *watch_read(struct shell *s, const struct parsed *p, struct watch_options *o)
{
	size_t n = watch_arguments(p);
	struct bytes key = p->args.v[0];

	if (n == 2 && flag_bool(p, WATCH_PREFIX))
		return "`range_end` and `--prefix` are mutually exclusive";
	/* The smallest key is "\0"; the server takes an empty one for it (v3rpc/watch.go). */
	o->range = (struct key_range){.key = key.n ? command_keep(s, key) : BYTES("\0")};
	if (flag_bool(p, WATCH_PREFIX))
		o->range = command_prefix(s, key);
	else if (n == 2)
		o->range.end = command_keep(s, p->args.v[1]);
	o->shown = command_keep(s, key);
	o->rev = flag_int(p, WATCH_REV);
	o->prev_kv = flag_bool(p, WATCH_PREV_KV);
	o->progress_notify = flag_bool(p, WATCH_PROGRESS);
	return NULL;
}

void watch_run_command(struct shell *s, const struct job *j, const struct parsed *p)
{
	size_t n = watch_arguments(p);

	if (n < p->args.n)
		watch_command_add(s, j->watcher, nested_line(s, p->args.v + n, p->args.n - n));
}

bool watch_flag_is_unknown(const struct shell *s, const struct parsed *p)
{
	return p->row == &cmd_watch && p->own[WATCH_PROGRESS].set && s->w->cfg.etcd_version < 35;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct watch_options o = {0};
	const char *wrong = watch_count_is_wrong(watch_arguments(p));

	if (watch_flag_is_unknown(s, p)) {
		command_fail(s, j, STATUS_ERROR, "unknown flag: --progress-notify");
		return;
	}
	if (flag_bool(p, WATCH_INTERACTIVE)) {
		watch_interactive(s, j, p);
		return;
	}
	if (wrong) {
		command_fail(s, j, STATUS_BAD_ARGS, "%s", wrong);
		return;
	}
	if (!command_client(s, j, p))
		return;
	wrong = watch_read(s, p, &o);
	if (wrong) {
		command_fail(s, j, STATUS_BAD_ARGS, "%s", wrong);
		return;
	}
	watch_start(s, j, &o, NULL);
	watch_run_command(s, j, p);
}

static void run_informer(struct shell *s, struct job *j, const struct parsed *p)
{
	struct watch_options o = {.informer = true};

	if (!command_arguments(s, j, p, 1, 1) || !command_client(s, j, p))
		return;
	o.range = command_prefix(s, p->args.v[0]);
	o.shown = command_keep(s, p->args.v[0]);
	watch_start(s, j, &o, NULL);
}

const struct command_row cmd_watch = {
    .name = "watch",
    .etcdctl_usage =
	"watch [options] [key or prefix] [range_end] [--] [exec-command arg1 arg2 ...]",
    .etcdctl_summary = "Watches events stream on keys or prefixes",
    .group = GROUP_ETCDCTL,
    .usage = "watch [options] [key or prefix] [range_end] [-- command ...]",
    .summary = "Watches events stream on keys or prefixes: starts watcher w1, w2, ...",
    .example = "watch /registry/pods/ --prefix --rev=5",
    .stream = true,
    .cost = "Nothing.",
    .versions = "3.4 has no --progress-notify.",
    .arguments = "@key @key",
    .flags = watch_flags,
    .nflags = WATCH_FLAGS,
    .run = run,
};

const struct command_row cmd_informer = {
    .name = "informer",
    .group = GROUP_WATCHERS,
    .usage = "informer <prefix>",
    .summary = "Lists a prefix, then watches it from the list's revision + 1 and keeps a cache; "
	       "lists again after a compacted watch",
    .example = "informer /registry/pods/",
    .stream = true,
    .arguments = "@key",
    .run = run_informer,
};
