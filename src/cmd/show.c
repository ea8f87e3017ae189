/* show and trace: looking at the cluster in text. */
#include <inttypes.h>

#include "cmd/command.h"
#include "cmd/go_number.h"
#include "cmd/limits.h"
#include "cmd/links.h"
#include "server/database.h"

enum { SHOW_WRITE_OUT, SHOW_FLAGS };

static const struct flag_row show_flags[SHOW_FLAGS] = {
    [SHOW_WRITE_OUT] = {.name = "write-out",
			.shorthand = 'w',
			.type = FLAG_STRING,
			.fallback = "simple",
			.values = "simple|json",
			.help = "json: an object a line; of net only"},
};

static void counters(struct shell *s)
{
	const struct world *w = s->w;
	struct buf *out = command_out(s);
	unsigned at = world_counters_member(w), leader = world_leader(w);
	const struct member *m = world_member(w, at ? at : 1);
	const struct watch_client *c = world_watch(w, 1);
	uint64_t log = m->raft ? raft_last_index(m->raft) : storage_last_index(&m->storage);
	uint64_t commit = m->raft ? raft_commit(m->raft) : m->storage.hard_state.commit;

	buf_printf(out, "t %" PRId64 ".%03d term %" PRIu64 " leader ", w->now_ms / 1000,
		   (int)(w->now_ms % 1000),
		   m->raft ? raft_term(m->raft) : m->storage.hard_state.term);
	if (leader)
		buf_printf(out, "S%u", leader);
	else
		buf_puts(out, "none");
	buf_printf(out,
		   " log %" PRIu64 " committed %" PRIu64 " applied %" PRIu64 " revision %" PRId64
		   " events %" PRIu64 "\n",
		   log, commit, m->applied, m->store.current_rev, c ? c->nevents : 0);
}

/* How many voters make a majority, how many may be missing, and how many are missing now. */
static void quorum(struct shell *s)
{
	const struct world *w = s->w;
	const struct conf_state *conf = world_conf(w);
	unsigned majority = world_quorum(w), up = 0, voters = (unsigned)conf->nvoters;

	for (size_t i = 0; i < conf->nvoters; i++) {
		unsigned m = world_member_with_id(w, conf->voters[i]);
		up += m && world_member(w, m)->condition == MEMBER_UP;
	}
	buf_printf(command_out(s), "voters %u majority %u may fail %u up %u\n", voters, majority,
		   voters - majority, up);
}

/* The world's own disk. */
static void files(struct shell *s)
{
	const struct world *w = s->w;
	struct buf *out = command_out(s);

	for (size_t i = 0; i < w->files.n; i++) {
		const struct store_image *db = w->files.v[i].image;
		buf_printf(out, "%s  %" PRId64 " bytes  snapshot of revision %" PRId64 "%s\n",
			   w->files.v[i].name, db->file_size + SNAPSHOT_DIGEST,
			   db->store.current_rev, db == w->files.v[i].written ? "" : "  damaged");
	}
	for (size_t i = 0; i < w->dirs.n; i++) {
		const struct data_dir *d = &w->dirs.v[i];
		buf_printf(out,
			   "%s/  member %s %" PRIx64 " of cluster %" PRIx64 "  revision %" PRId64
			   "  %s\n",
			   d->name, d->member_name, d->id, d->origin->cluster_id,
			   d->image->store.current_rev,
			   d->unfinished ? "left by a restore that failed"
			   : d->cluster	 ? "started"
					 : "not started");
	}
	if (w->files.n + w->dirs.n == 0)
		buf_puts(out, "no files: snapshot save FILE makes one\n");
}

/* "80x24" */
static bool read_size(struct bytes w, int *columns, int *rows)
{
	const char *x = memchr(w.p, 'x', w.n);
	uint64_t a, b;

	if (!x || !go_parse_uint((struct bytes){w.p, (size_t)(x - w.p)}, 10, &a, NULL) ||
	    !go_parse_uint((struct bytes){x + 1, (size_t)(w.p + w.n - x - 1)}, 10, &b, NULL))
		return false;
	*columns = (int)a;
	*rows = (int)b;
	return a >= 20 && a <= 1000 && b >= 5 && b <= 500;
}

static void show_net(struct shell *s, bool json)
{
	size_t before = command_out(s)->n;

	links_print(command_out(s), s->w, json);
	if (command_out(s)->n == before && !json)
		buf_puts(command_out(s), "all links: no delay, nothing is lost\n");
}

/* simple or json, and that only where it exists.  False: the job has failed. */
static bool read_form(struct shell *s, struct job *j, const struct parsed *p, const char *what,
		      bool *json)
{
	struct bytes form = flag_text(p, SHOW_WRITE_OUT);

	*json = bytes_is(form, "json");
	if (bytes_is(form, "simple") || (*json && strcmp(what, "net") == 0))
		return true;
	command_fail(s, j, STATUS_BAD_ARGS,
		     "show has no form \"%.*s\" of %s: simple exists, and json of net", (int)form.n,
		     form.p, what);
	return false;
}

static void run_show(struct shell *s, struct job *j, const struct parsed *p)
{
	const char *what = p->args.n ? command_keep(s, p->args.v[0]).p : "counters";
	int columns = 80, rows = 24;
	bool json;

	command_end(j);
	if (!command_arguments(s, j, p, 0, 2) || !read_form(s, j, p, what, &json))
		return;
	if (strcmp(what, "net") == 0) {
		show_net(s, json);
		return;
	}
	if (strcmp(what, "counters") == 0) {
		counters(s);
		return;
	}
	if (strcmp(what, "quorum") == 0) {
		quorum(s);
		return;
	}
	if (strcmp(what, "exit") == 0) {
		buf_printf(command_out(s), "exit status %d\n", s->status_before);
		return;
	}
	if (strcmp(what, "files") == 0) {
		files(s);
		return;
	}
	if (strcmp(what, "limits") == 0) {
		limits_print(command_out(s), &s->w->cfg);
		return;
	}
	if (p->args.n == 2 && !read_size(p->args.v[1], &columns, &rows))
		command_fail(s, j, STATUS_BAD_ARGS,
			     "a size is COLUMNSxROWS, 20x5 to 1000x500: show screen 80x24");
	else if (!s->hooks.picture ||
		 !s->hooks.picture(s->hooks.arg, what, columns, rows, command_out(s)))
		command_fail(
		    s, j, STATUS_BAD_ARGS,
		    "nothing to show as \"%s\": counters, S1, store, watch, leases, path, "
		    "members, quorum, disk, files, net, exit, limits and screen WxH are known",
		    what);
}

static void print_records(struct shell *s, enum trace_level level)
{
	for (uint64_t i = s->trace->first; i < s->trace->end; i++) {
		const struct trace_record *r = trace_get(s->trace, i);
		if (r->level > level)
			continue;
		trace_print(command_out(s), r);
		buf_putc(command_out(s), '\n');
	}
}

/* `trace` prints what is kept; with a level it changes what is kept from now on. */
static void run_trace(struct shell *s, struct job *j, const struct parsed *p)
{
	int level;

	command_end(j);
	if (!command_arguments(s, j, p, 0, 1))
		return;
	if (p->args.n == 0) {
		if (s->trace)
			print_records(s, s->trace->level);
		return;
	}
	level = trace_level_of(command_keep(s, p->args.v[0]).p);
	if (level < 0)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "no trace level \"%.*s\": story, raft and all exist",
			     (int)p->args.v[0].n, p->args.v[0].p);
	else if (s->trace)
		s->trace->level = (enum trace_level)level;
}

const struct command_row cmd_show = {
    .name = "show",
    .group = GROUP_LOOKING,
    .usage = "show [counters | MEMBER | store | watch | leases | path | members | quorum | disk | "
	     "files | net | exit | limits | screen WxH]",
    .summary = "Prints counters or a pane as text",
    .example = "show counters",
    .arguments =
	"counters|store|watch|leases|path|members|quorum|disk|files|net|exit|limits|screen",
    .flags = show_flags,
    .nflags = SHOW_FLAGS,
    .run = run_show,
};

const struct command_row cmd_trace = {
    .name = "trace",
    .group = GROUP_LOOKING,
    .usage = "trace [story | raft | all]",
    .summary = "Prints the trace, or sets how much of it is kept",
    .example = "trace raft",
    .arguments = "story|raft|all",
    .run = run_trace,
};
