/* start: the process of a member runs for the first time: one that was added, with nothing on its
 * disk, or one whose data directory was made by restoring a snapshot. */
#include "cmd/command.h"
#include "sim/files.h"

enum { START_DATA_DIR, START_FLAGS };

static const struct flag_row flags[START_FLAGS] = {
    [START_DATA_DIR] = {.name = "data-dir",
			.type = FLAG_STRING,
			.fallback = "",
			.values = "@dir",
			.help = "the directory that snapshot restore has made; without it the "
				"newest that was made for the member"},
};

/* ---- a restored one ---- */

static unsigned number_of(const char *name)
{
	for (unsigned n = 1; n <= MEMBERS_MAX; n++)
		if (strcmp(name, member_name(n)) == 0)
			return n;
	return 0;
}

/* The newest that was made for the member and that nobody has started from. */
static const struct data_dir *newest_dir(const struct world *w, unsigned m)
{
	const struct data_dir *newest = NULL;

	for (size_t i = 0; i < w->dirs.n; i++)
		if (!w->dirs.v[i].cluster && !w->dirs.v[i].unfinished &&
		    number_of(w->dirs.v[i].member_name) == m)
			newest = &w->dirs.v[i];
	return newest;
}

static const struct data_dir *named_dir(struct shell *s, struct job *j, unsigned m,
					struct bytes name)
{
	const struct data_dir *d = world_dir(s->w, name);
	unsigned own = d ? number_of(d->member_name) : 0;

	if (!d)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "no data directory \"%.*s\": snapshot restore makes one", (int)name.n,
			     name.p);
	else if (d->unfinished)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "%s is what a restore that failed has left, without a log: restore "
			     "into another directory",
			     d->name);
	else if (d->cluster)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "a member has been started from %s: restart brings it back", d->name);
	else if (own && own != m)
		command_fail(s, j, STATUS_BAD_ARGS, "%s was made for S%u, not for S%u", d->name,
			     own, m);
	return j->failed ? NULL : d;
}

/* A process that has ended can be another one's place. */
static bool has_ended(const struct world *w, unsigned m)
{
	if (m > w->nmembers)
		return true;
	enum member_condition c = world_member(w, m)->condition;
	return c == MEMBER_DOWN || c == MEMBER_REMOVED || c == MEMBER_ABSENT ||
	       c == MEMBER_UNSTARTED;
}

/* ---- one that was added ---- */

static bool may_start(struct shell *s, struct job *j, unsigned m)
{
	switch (world_member(s->w, m)->condition) {
	case MEMBER_UNSTARTED:
		return true;
	case MEMBER_DOWN:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u has been started before: restart S%u brings it back", m, m);
		return false;
	case MEMBER_REMOVED:
	case MEMBER_ABSENT:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u does not belong to the cluster: member add S%u --peer-urls=%s "
			     "comes first",
			     m, m, member_peer_url(m));
		return false;
	case MEMBER_PAUSED:
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u is paused, not down: resume-member S%u lets it go on", m, m);
		return false;
	default:
		command_fail(s, j, STATUS_BAD_ARGS, "S%u is running", m);
		return false;
	}
}

/* A member of the world, or one of a cluster that begins. */
static unsigned read_member(struct shell *s, struct job *j, struct bytes name)
{
	unsigned m = command_member(s->w, name);

	for (unsigned n = 1; n <= MEMBERS_MAX && !m; n++)
		if (bytes_is(name, member_name(n)) && newest_dir(s->w, n))
			m = n;
	if (!m)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "no member \"%.*s\": member add comes first, then start", (int)name.n,
			     name.p);
	return m;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct bytes name = flag_text(p, START_DATA_DIR);
	const struct data_dir *d;

	if (!command_arguments(s, j, p, 1, 1))
		return;
	unsigned m = read_member(s, j, p->args.v[0]);
	if (!m)
		return;
	if (!has_ended(s->w, m)) {
		may_start(s, j, m);
		return;
	}
	d = name.n ? named_dir(s, j, m, name) : newest_dir(s->w, m);
	if (j->failed)
		return;
	if (d)
		sim_start_from(s->w, m, d);
	else if (may_start(s, j, m))
		sim_start(s->w, m);
	command_end(j);
}

const struct command_row cmd_start = {
    .name = "start",
    .group = GROUP_FAULTS,
    .usage = "start [--data-dir=DIR] <member>",
    .summary = "Starts a member that was added, or that a snapshot was restored for",
    .example = "start S4",
    .arguments = "@member",
    .flags = flags,
    .nflags = START_FLAGS,
    .run = run,
};
