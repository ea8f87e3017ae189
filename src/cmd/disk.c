/* disk: a member's disk becomes slow, full, forgetful, damaged or empty. */
#include "cmd/command.h"
#include "cmd/delay.h"
#include "sim/files.h"

enum {
	DISK_DELAY,
	DISK_FULL,
	DISK_LOSE,
	DISK_FLIP,
	DISK_ZERO_TAIL,
	DISK_CUT_TAIL,
	DISK_WIPE,
	DISK_RESET,
	DISK_FLAGS
};

static const struct flag_row flags[DISK_FLAGS] = {
    [DISK_DELAY] = {.name = "delay",
		    .type = FLAG_STRING,
		    .fallback = "0",
		    .help = "how long an fsync takes: 20ms, or 5-30ms, drawn anew each time"},
    [DISK_FULL] = {.name = "full",
		   .type = FLAG_BOOL,
		   .fallback = "false",
		   .help = "no file can grow; --full=false makes room again"},
    [DISK_LOSE] = {.name = "lose-unsynced",
		   .type = FLAG_STRING,
		   .fallback = "all",
		   .values = "all|none|part",
		   .help =
		       "what a crash loses of the log that is not synced; part: it is drawn, and "
		       "the last record may be torn"},
    [DISK_FLIP] = {.name = "flip",
		   .type = FLAG_STRING,
		   .fallback = "",
		   .bare = "wal",
		   .values = "wal|db",
		   .help =
		       "flips a bit of the newest entry in the WAL; db: changes the last byte of "
		       "the newest value in the database, or in a snapshot's file"},
    [DISK_ZERO_TAIL] = {.name = "zero-tail",
			.type = FLAG_INT64,
			.fallback = "0",
			.help = "overwrites the last bytes of the WAL's last record with zeros"},
    [DISK_CUT_TAIL] = {.name = "cut-tail",
		       .type = FLAG_INT64,
		       .fallback = "0",
		       .help = "the WAL's file ends so many bytes early: its last record is torn"},
    [DISK_WIPE] = {.name = "wipe",
		   .type = FLAG_BOOL,
		   .fallback = "false",
		   .help = "empties the data directory of a member that is down"},
    [DISK_RESET] = {.name = "reset",
		    .type = FLAG_BOOL,
		    .fallback = "false",
		    .help = "undoes delay, full and lose-unsynced; damage stays"},
};

static bool is_given(const struct parsed *p, size_t flag)
{
	return p->own[flag].set;
}

static bool read_delay(struct shell *s, struct job *j, const struct parsed *p,
		       struct disk_change *c)
{
	int32_t least, most;

	c->set_delay = is_given(p, DISK_DELAY);
	if (!c->set_delay)
		return true;
	if (!command_delay(s, j, flag_text(p, DISK_DELAY), &least, &most))
		return false;
	c->delay_ms = (uint32_t)least;
	c->delay_most_ms = (uint32_t)most;
	return true;
}

static bool read_lose(struct shell *s, struct job *j, const struct parsed *p, struct disk_change *c)
{
	struct bytes w = flag_text(p, DISK_LOSE);

	c->set_lose = is_given(p, DISK_LOSE);
	for (size_t i = 0; i <= LOSE_PART; i++)
		if (bytes_is(w, lose_names[i]))
			return c->lose = (enum lose_unsynced)i, true;
	command_fail(s, j, STATUS_BAD_ARGS, "--lose-unsynced=%.*s: all, none and part exist",
		     (int)w.n, w.p);
	return false;
}

static bool read_tail(struct shell *s, struct job *j, const struct parsed *p, size_t flag,
		      uint32_t *out)
{
	int64_t n = flag_int(p, flag);

	*out = (uint32_t)n;
	if (!is_given(p, flag) || (n >= 1 && n <= INT32_MAX))
		return true;
	command_fail(s, j, STATUS_BAD_ARGS, "--%s=%lld: a number of bytes, 1 or more",
		     flags[flag].name, (long long)n);
	return false;
}

static bool read_damage(struct shell *s, struct job *j, const struct parsed *p,
			struct disk_change *c)
{
	struct bytes flip = flag_text(p, DISK_FLIP);

	c->flip_wal = bytes_is(flip, "wal");
	c->flip_db = bytes_is(flip, "db");
	c->wipe = flag_bool(p, DISK_WIPE);
	if (is_given(p, DISK_FLIP) && !c->flip_wal && !c->flip_db) {
		command_fail(s, j, STATUS_BAD_ARGS, "--flip=%.*s: wal and db exist", (int)flip.n,
			     flip.p);
		return false;
	}
	if (!read_tail(s, j, p, DISK_ZERO_TAIL, &c->zero_tail) ||
	    !read_tail(s, j, p, DISK_CUT_TAIL, &c->cut_tail))
		return false;
	if (c->flip_wal + c->flip_db + c->wipe + !!c->zero_tail + !!c->cut_tail <= 1)
		return true;
	command_fail(s, j, STATUS_BAD_ARGS,
		     "one of --flip, --zero-tail, --cut-tail and --wipe at a time");
	return false;
}

static bool read_change(struct shell *s, struct job *j, const struct parsed *p,
			struct disk_change *c)
{
	bool any = false;

	for (size_t i = 0; i < DISK_FLAGS; i++)
		any |= is_given(p, i);
	*c = (struct disk_change){.reset = flag_bool(p, DISK_RESET),
				  .set_full = is_given(p, DISK_FULL),
				  .full = flag_bool(p, DISK_FULL)};
	if (any)
		return read_delay(s, j, p, c) && read_lose(s, j, p, c) && read_damage(s, j, p, c);
	command_fail(
	    s, j, STATUS_BAD_ARGS,
	    "disk says what happens to a disk: --delay=20ms, --full, --lose-unsynced=part, "
	    "--flip, --wipe ...; show disk says how it is");
	return false;
}

/* A file of the world's own disk: a snapshot. */
static bool is_file(const struct shell *s, struct bytes name)
{
	return world_file(s->w, name) && !command_member(s->w, name);
}

static void damage_file(struct shell *s, struct job *j, const struct parsed *p)
{
	struct bytes name = p->args.v[0];
	bool other = p->args.n > 1;

	for (size_t i = 0; i < DISK_FLAGS; i++)
		other |= i != DISK_FLIP && is_given(p, i);
	if (other || !is_given(p, DISK_FLIP) || bytes_is(flag_text(p, DISK_FLIP), "wal"))
		command_fail(s, j, STATUS_BAD_ARGS,
			     "%.*s is a file: disk %.*s --flip=db damages it, and nothing else can "
			     "be done to it",
			     (int)name.n, name.p, (int)name.n, name.p);
	else if (!bytes_is(flag_text(p, DISK_FLIP), "db"))
		command_fail(s, j, STATUS_BAD_ARGS, "--flip: db exists, for a file");
	else if (!sim_damage_file(s->w, name))
		command_fail(s, j, STATUS_BAD_ARGS, "there is no value in %.*s", (int)name.n,
			     name.p);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	bool members[MEMBERS_MAX] = {0};
	struct disk_change c;
	const char *why;

	command_end(j);
	if (!command_arguments(s, j, p, 1, MEMBERS_MAX))
		return;
	if (is_file(s, p->args.v[0])) {
		damage_file(s, j, p);
		return;
	}
	for (size_t i = 0; i < p->args.n; i++)
		if (!command_members(s, j, p->args.v[i], members))
			return;
	if (!read_change(s, j, p, &c))
		return;
	/* All of them or none. */
	for (unsigned m = 1; m <= s->w->nmembers; m++) {
		why = members[m - 1] ? sim_disk_why_not(s->w, m, &c) : NULL;
		if (why) {
			command_fail(s, j, STATUS_BAD_ARGS, "the disk of S%u: %s", m, why);
			return;
		}
	}
	for (unsigned m = 1; m <= s->w->nmembers; m++)
		if (members[m - 1] && !sim_disk(s->w, m, &c, &why)) {
			command_fail(s, j, STATUS_BAD_ARGS, "the disk of S%u: %s", m, why);
			return;
		}
}

const struct command_row cmd_disk = {
    .name = "disk",
    .group = GROUP_FAULTS,
    .usage = "disk <member or file>... [--delay=TIME] [--full] [--lose-unsynced=all|none|part] "
	     "[--flip[=wal|db] | --zero-tail=N | --cut-tail=N | --wipe] [--reset]",
    .summary = "Makes a member's disk slow, full, forgetful, damaged or empty",
    .example = "disk S1 --delay=20ms",
    .arguments = "@disk ...",
    .flags = flags,
    .nflags = DISK_FLAGS,
    .run = run,
};
