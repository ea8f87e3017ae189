/* watch (etcd: watch_command.go), which here goes on beside the following commands; watcher, which
 * can do what the API can beyond it; informer, which lists first. */
#include "cmd/nested.h"
#include "cmd/watch_command.h"

enum {
	WATCH_INTERACTIVE,
	WATCH_PREFIX,
	WATCH_PREV_KV,
	WATCH_REV,
	WATCH_FLAGS,
	WATCHER_FROM_KEY = WATCH_FLAGS,
	WATCHER_FILTER,
	WATCHER_FLAGS
};

#define COMMON_FLAGS                                                                               \
	[WATCH_INTERACTIVE] =                                                                      \
	    {.name = "interactive",                                                                \
	     .etcdctl = "Interactive mode",                                                        \
	     .shorthand = 'i',                                                                     \
	     .type = FLAG_BOOL,                                                                    \
	     .fallback = "false",                                                                  \
	     .help = "not here: every watcher goes on beside the following commands anyway"},      \
	[WATCH_PREFIX] = {.name = "prefix",                                                        \
			  .etcdctl = "Watch on a prefix if prefix is set",                         \
			  .type = FLAG_BOOL,                                                       \
			  .fallback = "false",                                                     \
			  .help = "watch every key with the given prefix"},                        \
	[WATCH_PREV_KV] = {.name = "prev-kv",                                                      \
			   .etcdctl = "get the previous key-value pair before the event happens",  \
			   .type = FLAG_BOOL,                                                      \
			   .fallback = "false",                                                    \
			   .help = "show the pair before the event too"},                          \
	[WATCH_REV] = {.name = "rev",                                                              \
		       .etcdctl = "Revision to start watching",                                    \
		       .type = FLAG_INT64,                                                         \
		       .fallback = "0",                                                            \
		       .help = "revision to start watching from"}

static const struct flag_row watch_flags[WATCH_FLAGS] = {COMMON_FLAGS};
static const struct flag_row watcher_flags[WATCHER_FLAGS] = {
    COMMON_FLAGS,
    [WATCHER_FROM_KEY] = {.name = "from-key",
			  .type = FLAG_BOOL,
			  .fallback = "false",
			  .help = "every key from the given one on"},
    [WATCHER_FILTER] = {.name = "filter",
			.type = FLAG_STRING,
			.fallback = "",
			.values = "noput|nodelete",
			.help = "leave out puts or deletes"},
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

/* The watcher is there, or has been refused (then its note says so below).  The server creates a
 * watcher whose range is empty, and cancels it in the same answer (mvcc: ErrEmptyWatcherRange). */
static void created(struct shell *s, struct job *j)
{
	const struct watch_client *c = world_watch(s->w, j->watcher);

	if (c && noted(s, j->watcher, NOTE_CREATED))
		buf_printf(command_out(s), "watch w%u created\n", c->number);
	else
		s->exit_status = STATUS_INTERRUPTED;
	if (c && is_empty_range(c->range) && !noted(s, j->watcher, NOTE_CANCELED)) {
		struct watch_note n = {.watcher = c->number, .kind = NOTE_CANCELED};
		print_watch_note(command_out(s), &n, false);
		sim_unwatch(s->w, c->number);
	}
	command_end(j);
}

static void start(struct shell *s, struct job *j, struct watch_options *o)
{
	o->client = j->client;
	o->user = j->user;
	o->nendpoints = j->nshown;
	memcpy(o->endpoints, j->endpoints, sizeof o->endpoints);
	j->watcher = sim_watch(s->w, o);
	j->wait = WAIT_WATCHER;
	j->resume = created;
}

/* n: of the arguments, key and range_end. */
static struct key_range range_of(struct shell *s, const struct parsed *p, size_t n)
{
	struct bytes key = p->args.v[0];
	struct key_range r;

	if (flag_bool(p, WATCH_PREFIX))
		return command_prefix(s, key);
	if (p->row->nflags > WATCH_FLAGS && flag_bool(p, WATCHER_FROM_KEY))
		return command_from_key(s, key);
	/* The smallest key is "\0"; the server takes an empty one for it (v3rpc/watch.go). */
	r = (struct key_range){.key = key.n ? command_keep(s, key) : BYTES("\0")};
	if (n == 2)
		r.end = command_keep(s, p->args.v[1]);
	return r;
}

static bool read_filter(struct shell *s, struct job *j, const struct parsed *p,
			struct watch_options *o)
{
	struct bytes filter;

	if (p->row->nflags <= WATCH_FLAGS)
		return true;
	filter = flag_text(p, WATCHER_FILTER);
	o->no_put = bytes_is(filter, "noput");
	o->no_delete = bytes_is(filter, "nodelete");
	if (o->no_put || o->no_delete || filter.n == 0)
		return true;
	command_fail(s, j, STATUS_BAD_ARGS, "unknown filter \"%.*s\": noput and nodelete exist",
		     (int)filter.n, filter.p);
	return false;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct watch_options o = {0};

	/* What stands behind -- is a command, unless nothing stands before it. */
	size_t n = p->dash && p->dash_at > 0 ? p->dash_at : p->args.n;

	if (flag_bool(p, WATCH_INTERACTIVE)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "watch -i is not in this program: a watcher goes on beside the "
			     "commands that follow, watch KEY is enough");
		return;
	}
	if (n == 0 || n > 2) {
		command_fail(s, j, STATUS_BAD_ARGS, "bad number of arguments");
		return;
	}
	if (!command_client(s, j, p))
		return;
	if (n == 2 && flag_bool(p, WATCH_PREFIX)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "`range_end` and `--prefix` are mutually exclusive");
		return;
	}
	if (!read_filter(s, j, p, &o))
		return;
	o.range = range_of(s, p, n);
	o.shown = command_keep(s, p->args.v[0]);
	o.rev = flag_int(p, WATCH_REV);
	o.prev_kv = flag_bool(p, WATCH_PREV_KV);
	start(s, j, &o);
	if (n < p->args.n)
		watch_command_add(s, j->watcher, nested_line(s, p->args.v + n, p->args.n - n));
}

static void run_informer(struct shell *s, struct job *j, const struct parsed *p)
{
	struct watch_options o = {.informer = true};

	if (!command_arguments(s, j, p, 1, 1) || !command_client(s, j, p))
		return;
	o.range = command_prefix(s, p->args.v[0]);
	o.shown = command_keep(s, p->args.v[0]);
	start(s, j, &o);
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
    .cost = "Nothing.",
    .arguments = "@key @key",
    .flags = watch_flags,
    .nflags = WATCH_FLAGS,
    .run = run,
};

const struct command_row cmd_watcher = {
    .name = "watcher",
    .group = GROUP_WATCHERS,
    .usage = "watcher [options] <key or prefix> [range_end]",
    .summary =
	"A watch with what the API can do beyond etcdctl: filters, and every key from one on",
    .example = "watcher /registry/pods/ --prefix --filter=nodelete",
    .arguments = "@key @key",
    .flags = watcher_flags,
    .nflags = WATCHER_FLAGS,
    .run = run,
};

const struct command_row cmd_informer = {
    .name = "informer",
    .group = GROUP_WATCHERS,
    .usage = "informer <prefix>",
    .summary = "Lists a prefix, then watches it from the list's revision + 1 and keeps a cache; "
	       "lists again after a compacted watch",
    .example = "informer /registry/pods/",
    .arguments = "@key",
    .run = run_informer,
};
