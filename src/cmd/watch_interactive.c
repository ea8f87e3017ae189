/* watch -i (etcd: watch_command.go, watchInteractiveFunc): lines are read, each starts a watcher or
 * asks for progress.  All its watchers share one stream, so an answer goes to all of them.
 *
 * The block holds what is typed at once; the session goes on behind its `end`, and `progress wN` is
 * what one types into it later.
 */
#include "cmd/rows.h"
#include "cmd/scratch.h"
#include "cmd/txn_parse.h"
#include "cmd/watch_start.h"

/* The next line of the block, in the heap; false: that was all. */
static bool next_line(struct job *j, struct bytes *line)
{
	const char *nl = j->lines.n ? memchr(j->lines.p, '\n', j->lines.n) : NULL;
	size_t n = nl ? (size_t)(nl - j->lines.p) : j->lines.n;

	if (j->lines.n == 0)
		return false;
	*line = (struct bytes){j->lines.p, n};
	n += nl != NULL;
	j->lines = (struct bytes){j->lines.p + n, j->lines.n - n};
	return true;
}

/* etcdctl prints it and reads on. */
static void refuse(struct shell *s, struct bytes line, const char *why)
{
	buf_puts(command_out(s), "Invalid command ");
	buf_put_bytes(command_out(s), line);
	buf_printf(command_out(s), " (%s)\n", why);
}

/* etcdctl ends, and its watchers with it. */
static void leave(struct shell *s, struct job *j, const char *why)
{
	for (size_t i = 0; i < s->w->watches.n; i++)
		if (s->w->watches.v[i].session == (uint32_t)j->id && !s->w->watches.v[i].gone)
			sim_unwatch(s->w, s->w->watches.v[i].number);
	command_fail(s, j, STATUS_BAD_ARGS, "%s", why);
}

static void ask_progress(struct shell *s, const struct job *j)
{
	for (size_t i = 0; i < s->w->watches.n; i++) {
		const struct watch_client *c = &s->w->watches.v[i];
		if (c->session != (uint32_t)j->id || c->gone || c->state == WATCH_IS_CANCELED)
			continue;
		sim_progress(s->w, c->number);
		return;
	}
}

static void read_on(struct shell *s, struct job *j);

static void created(struct shell *s, struct job *j)
{
	watch_created(s, j);
	command_end(j);
	read_on(s, j);
}

/* `watch KEY ...`, parsed. */
static void start(struct shell *s, struct job *j, const struct parsed *p, struct bytes line)
{
	struct watch_options o = {.session = (uint32_t)j->id};
	const char *wrong = watch_count_is_wrong(watch_arguments(p));

	if (wrong) {
		leave(s, j, wrong);
		return;
	}
	wrong = watch_read(s, p, &o);
	if (wrong) {
		refuse(s, line, wrong);
		return;
	}
	watch_start(s, j, &o, created);
	watch_run_command(s, j, p);
}

static void start_line(struct shell *s, struct job *j, const struct txn_words *w, struct bytes line)
{
	struct parsed p = {.own_only = true};
	struct buf err = {0};

	if (w->words.n < 2)
		refuse(s, line, "command type or key is not provided");
	else if (!parse_flags(&p, &cmd_watch, w->words.v + 1, w->words.n - 1, &err))
		leave(s, j, buf_str(&err));
	else if (watch_flag_is_unknown(s, &p))
		leave(s, j, "unknown flag: --progress-notify");
	else
		start(s, j, &p, line);
	parsed_free(&p);
	buf_free(&err);
}

static void run_line(struct shell *s, struct job *j, struct bytes line)
{
	struct txn_words w = {0};

	if (!txn_cut_words(&w, line))
		refuse(s, line, "a quoted word has a bad escape");
	else if (w.words.n == 0)
		buf_puts(command_out(s), "Invalid command:  (watch and progress supported)\n");
	else if (bytes_is(w.words.v[0], "watch"))
		start_line(s, j, &w, line);
	else if (bytes_is(w.words.v[0], "progress"))
		ask_progress(s, j);
	else
		refuse(s, line, "only support watch");
	txn_words_free(&w);
}

/* Line by line, until one waits for its watcher, or ends the command. */
static void read_on(struct shell *s, struct job *j)
{
	struct bytes line;

	while (j->wait == WAIT_NOTHING && !j->failed && next_line(j, &line)) {
		struct buf text = {0};
		line_expand(&text, line);
		run_line(s, j, buf_bytes(&text));
		buf_free(&text);
	}
}

void watch_interactive(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "watch -i takes no key: its lines name them, each as in watch");
		return;
	}
	if (!command_client(s, j, p))
		return;
	j->lines = command_keep(s, p->block);
	j->id = (int64_t)s->w->watches.n + 1; /* the number of its first watcher */
	command_end(j);
	read_on(s, j);
}
