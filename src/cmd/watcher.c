/* watcher: a watch with what etcd's API can do beyond etcdctl. */
#include "cmd/rows.h"
#include "cmd/watch_start.h"

enum {
	WATCHER_FROM_KEY = WATCH_COMMON,
	WATCHER_FILTER,
	WATCHER_FRAGMENT,
	WATCHER_NAME,
	WATCHER_FLAGS
};

static const struct flag_row flags[WATCHER_FLAGS] = {
    WATCH_COMMON_FLAGS,
    [WATCHER_FROM_KEY] = {.name = "from-key",
			  .type = FLAG_BOOL,
			  .fallback = "false",
			  .help = "every key from the given one on"},
    [WATCHER_FILTER] = {.name = "filter",
			.type = FLAG_STRING,
			.fallback = "",
			.values = "noput|nodelete",
			.help = "leave out puts or deletes"},
    [WATCHER_FRAGMENT] = {.name = "fragment",
			  .type = FLAG_BOOL,
			  .fallback = "false",
			  .help = "a response that is too large for one message comes in parts"},
    [WATCHER_NAME] = {.name = "name",
		      .type = FLAG_STRING,
		      .fallback = "",
		      .help = "a name, for the screen and for the commands that take wN"},
};

static bool read_filter(struct shell *s, struct job *j, struct bytes filter,
			struct watch_options *o)
{
	o->no_put = bytes_is(filter, "noput");
	o->no_delete = bytes_is(filter, "nodelete");
	if (o->no_put || o->no_delete || filter.n == 0)
		return true;
	command_fail(s, j, STATUS_BAD_ARGS, "unknown filter \"%.*s\": noput and nodelete exist",
		     (int)filter.n, filter.p);
	return false;
}

static bool is_number_of_watcher(struct bytes name)
{
	size_t i = 1;

	while (i < name.n && name.p[i] >= '0' && name.p[i] <= '9')
		i++;
	return name.n > 1 && name.p[0] == 'w' && i == name.n;
}

static bool read_name(struct shell *s, struct job *j, struct bytes name, struct watch_options *o)
{
	bool plain = true;

	if (name.n == 0)
		return true;
	for (size_t i = 0; i < name.n; i++)
		plain = plain && name.p[i] > ' ' && name.p[i] < 0x7f;
	if (!plain || name.n > 32 || is_number_of_watcher(name)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "\"%.*s\" is no name for a watcher: up to 32 letters, digits and "
			     "signs, and not one of w1, w2 ...",
			     (int)name.n, name.p);
		return false;
	}
	for (size_t i = 0; i < s->w->watches.n; i++) {
		const struct watch_client *c = &s->w->watches.v[i];
		if (c->gone || !c->name || !bytes_is(name, c->name))
			continue;
		command_fail(s, j, STATUS_BAD_ARGS,
			     "w%u has the name \"%.*s\" already: choose another one, or unwatch it",
			     c->number, (int)name.n, name.p);
		return false;
	}
	o->name = name;
	return true;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct watch_options o = {0};
	const char *wrong;

	if (!command_arguments(s, j, p, 1, 2) || !command_client(s, j, p) ||
	    !read_filter(s, j, flag_text(p, WATCHER_FILTER), &o) ||
	    !read_name(s, j, flag_text(p, WATCHER_NAME), &o))
		return;
	wrong = watch_read(s, p, &o);
	if (wrong) {
		command_fail(s, j, STATUS_BAD_ARGS, "%s", wrong);
		return;
	}
	o.fragment = flag_bool(p, WATCHER_FRAGMENT);
	if (flag_bool(p, WATCHER_FROM_KEY))
		o.range = command_from_key(s, p->args.v[0]);
	watch_start(s, j, &o, NULL);
}

const struct command_row cmd_watcher = {
    .name = "watcher",
    .group = GROUP_WATCHERS,
    .usage = "watcher [options] <key or prefix> [range_end]",
    .summary = "A watch with what the API can do beyond etcdctl: filters, fragments, reports of "
	       "progress, and every key from one on",
    .example = "watcher /registry/pods/ --prefix --filter=nodelete",
    .stream = true,
    .arguments = "@key @key",
    .flags = flags,
    .nflags = WATCHER_FLAGS,
    .run = run,
};
