#include "explore/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/message.h"

static const char *const usage =
    "usage: etcdscope sim [--seeds=A..B] [--time=SECONDS] [--members=N] [--events=N]\n"
    "                     [--faults=on|off|NAME,NAME...] [--check=step|off] [--jobs=N]\n"
    "                     [--bug=NAME] [--out=FILE] [--help]";

static bool number(const char *s, uint64_t *v, const char **end)
{
	char *e;

	errno = 0;
	*v = strtoull(s, &e, 10);
	*end = e;
	return e != s && *s != '-' && errno == 0;
}

static bool whole_number(const char *s, uint64_t least, uint64_t most, uint64_t *v)
{
	const char *end;

	return number(s, v, &end) && *end == '\0' && *v >= least && *v <= most;
}

static bool seeds(const char *s, struct job *j)
{
	const char *end;

	if (!number(s, &j->first, &end))
		return false;
	j->last = j->first;
	return *end == '\0' || (strncmp(end, "..", 2) == 0 &&
				whole_number(end + 2, j->first, UINT64_MAX - 1, &j->last));
}

static bool choice(const char *s, const char *yes, const char *no, bool *v)
{
	*v = strcmp(s, yes) == 0;
	return *v || strcmp(s, no) == 0;
}

static int class_named(const char *s, size_t n)
{
	for (int c = 1; c < CLASSES; c++) {
		const char *name = action_class_name((enum fault_class)c);
		if (strlen(name) == n && memcmp(name, s, n) == 0)
			return c;
	}
	return -1;
}

/* on, off, or names with commas between them. */
static bool faults(const char *s, unsigned *classes)
{
	bool all;

	*classes = 0;
	if (choice(s, "on", "off", &all))
		return *classes = all ? CLASSES_ALL : 0, true;
	for (;;) {
		size_t n = strcspn(s, ",");
		int c = class_named(s, n);
		if (c < 0)
			return false;
		*classes |= 1u << c;
		if (!s[n])
			return true;
		s += n + 1;
	}
}

static bool bug(const char *s, uint32_t *bugs)
{
	int b = bug_find(s);

	if (b >= 0)
		*bugs |= 1u << b;
	return b >= 0;
}

/* The text behind `--name=`; NULL: it is another option. */
static const char *value_of(const char *arg, const char *name)
{
	size_t n = strlen(name);

	return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

static bool option(const char *arg, struct job *j)
{
	const char *v;
	uint64_t n = 0;
	bool ok = false;

	if ((v = value_of(arg, "--seeds")))
		return seeds(v, j);
	if ((v = value_of(arg, "--faults")))
		return faults(v, &j->seed.classes);
	if ((v = value_of(arg, "--check")))
		return choice(v, "step", "off", &j->seed.check);
	if ((v = value_of(arg, "--bug")))
		return bug(v, &j->seed.bugs);
	if ((v = value_of(arg, "--out")))
		return *(j->out = v) != '\0';
	if ((v = value_of(arg, "--time")) && (ok = whole_number(v, 1, 1000000000, &n)))
		j->seconds = (double)n;
	else if ((v = value_of(arg, "--members")) && (ok = whole_number(v, 1, MEMBERS_MAX, &n)))
		j->seed.members = (uint32_t)n;
	else if ((v = value_of(arg, "--events")) && (ok = whole_number(v, 1, 1000000000, &n)))
		j->seed.events = n;
	else if ((v = value_of(arg, "--jobs")) && (ok = whole_number(v, 1, CORES_MAX, &n)))
		j->cores = (unsigned)n;
	return ok;
}

static void put_classes(struct buf *out)
{
	for (int c = 1; c < CLASSES; c++)
		buf_printf(out, "%s%s", c > 1 ? ", " : "", action_class_name((enum fault_class)c));
}

static void help(void)
{
	struct buf names = {0};

	put_classes(&names);
	printf(
	    "%s\n\n"
	    "Random clusters, clients and faults, each run drawn from its seed, with every rule\n"
	    "watched.  A run that breaks one is made small and written as a script.\n\n"
	    "  --seeds=A..B    the seeds to try (1..1000)\n"
	    "  --time=SECONDS  stop after that time\n"
	    "  --members=N     size of the clusters, 1 to %d (drawn: mostly 3)\n"
	    "  --events=N      events of each run (1000)\n"
	    "  --faults=LIST   what may go wrong, names with commas between them (on: all):\n"
	    "                  %s\n"
	    "  --check=off     watch no rules, only for crashes\n"
	    "  --jobs=N        processes at a time (as many as there are processors)\n"
	    "  --bug=NAME      switch on a known mistake, which must be found (`bug` lists them)\n"
	    "  --out=FILE      the script that shows what was found (sim-SEED.scope)\n",
	    usage, MEMBERS_MAX, buf_str(&names));
	buf_free(&names);
}

static void complain(const char *arg)
{
	struct buf text = {0};

	buf_printf(&text, "sim: %s: not understood\n", arg);
	if (value_of(arg, "--faults")) {
		buf_puts(&text, "--faults takes on, off, or names with commas between them: ");
		put_classes(&text);
	} else if (value_of(arg, "--bug")) {
		buf_puts(&text, "--bug takes one of");
		for (int b = 0; b < BUG_COUNT; b++)
			buf_printf(&text, " %s", bug_row((enum bug)b)->name);
	} else {
		buf_puts(&text, usage);
	}
	message_printf("%s", buf_str(&text));
	buf_free(&text);
}

enum options_result options_read(int argc, char **argv, struct job *j)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	*j = (struct job){.first = 1,
			  .last = 1000,
			  .seed = {.events = 1000, .classes = CLASSES_ALL, .check = true}};
	j->cores = cores < 1 ? 1 : cores > CORES_MAX ? CORES_MAX : (unsigned)cores;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return help(), OPTIONS_HELP;
		if (!option(argv[i], j))
			return complain(argv[i]), OPTIONS_WRONG;
	}
	return OPTIONS_READ;
}
