/* help, from the table. */
#include "cmd/command.h"
#include "cmd/help.h"
#include "cmd/table.h"

#include <stdio.h>

static const char *const group_titles[] = {
    [GROUP_ETCDCTL] = "etcdctl's", [GROUP_WATCHERS] = "watchers", [GROUP_ACTORS] = "actors",
    [GROUP_TIME] = "time",	   [GROUP_FAULTS] = "faults",	  [GROUP_LOOKING] = "looking",
    [GROUP_SESSION] = "session",
};

static void put_all(struct buf *out)
{
	for (size_t g = 0; g < sizeof group_titles / sizeof *group_titles; g++) {
		buf_printf(out, "%s%s\n", g ? "\n" : "", group_titles[g]);
		for (size_t i = 0; i < command_count(); i++) {
			const struct command_row *r = command_table[i];
			if (r->group == (enum command_group)g)
				buf_printf(out, "  %-18s %s\n", r->name, r->summary);
		}
	}
	buf_puts(
	    out,
	    "\nhelp COMMAND tells more, with an example.  Names may be shortened while unique.\n"
	    "COMMAND & leaves it running.  A line may end in | head, tail, grep, wc -l or cat.\n");
}

/* own: only those that are said in words of ours. */
static void put_flags(struct buf *out, const struct flag_row *f, size_t n, bool own)
{
	for (size_t i = 0; i < n; i++) {
		char left[64];
		int len = f[i].shorthand
			      ? snprintf(left, sizeof left, "-%c, --%s", f[i].shorthand, f[i].name)
			      : snprintf(left, sizeof left, "    --%s", f[i].name);
		if (own && !f[i].etcdctl)
			continue;
		if (f[i].type != FLAG_BOOL)
			snprintf(left + len, sizeof left - (size_t)len, "=%s",
				 *f[i].fallback ? f[i].fallback : "\"\"");
		buf_printf(out, "  %-34s %s", left, f[i].help);
		if (!own && f[i].values && f[i].values[0] != '@')
			buf_printf(out, " (%s)", f[i].values);
		buf_putc(out, '\n');
	}
}

/* etcdctl's own text, then what there is to say beyond it. */
static void put_etcdctl_row(struct buf *out, const struct command_row *r)
{
	help_like_etcdctl(out, r);
	buf_puts(out, "HERE:\n");
	if (r->etcdctl_summary)
		buf_printf(out, "  %s\n", r->summary);
	if (r->etcdctl_usage)
		buf_printf(out, "  usage: %s\n", r->usage);
	if (r->alias)
		buf_printf(out, "  also: %s\n", r->alias);
	put_flags(out, r->flags, r->nflags, true);
	if (r->cost)
		buf_printf(out, "  costs: %s\n", r->cost);
	if (r->versions)
		buf_printf(out, "  versions: %s\n", r->versions);
	buf_printf(out, "  example: %s\n", r->example);
}

static void put_row(struct buf *out, const struct command_row *r)
{
	if (r->group == GROUP_ETCDCTL) {
		put_etcdctl_row(out, r);
		return;
	}
	buf_printf(out, "NAME:\n  %s - %s\n\nUSAGE:\n  %s\n", r->name, r->summary, r->usage);
	if (r->alias)
		buf_printf(out, "\nALSO:\n  %s\n", r->alias);
	if (r->nflags) {
		buf_puts(out, "\nOPTIONS:\n");
		put_flags(out, r->flags, r->nflags, false);
	}
	buf_printf(out, "\nEXAMPLE:\n  %s\n", r->example);
	if (r->table) {
		buf_puts(out, "\nTHERE ARE:\n");
		r->table(out);
	}
}

/* A group's first word (lease, member ...) lists its commands. */
static bool put_group(struct buf *out, struct bytes word, const char *title)
{
	bool any = false;

	for (size_t i = 0; i < command_count(); i++) {
		const struct command_row *r = command_table[i];
		if (!bytes_starts(bytes_of(r->name), word) || r->name[word.n] != ' ')
			continue;
		buf_printf(out, "%s  %-18s %s\n", any ? "" : title, r->name, r->summary);
		any = true;
	}
	return any;
}

static bool is_command(struct bytes word)
{
	for (size_t i = 0; i < command_count(); i++)
		if (bytes_is(word, command_table[i]->name))
			return true;
	return false;
}

void command_help(struct bytes name, struct buf *out)
{
	struct bytes words[2];
	struct buf err = {0};
	size_t n = 0, used;

	for (size_t i = 0; i < name.n && n < 2;) {
		while (i < name.n && name.p[i] == ' ')
			i++;
		size_t from = i;
		while (i < name.n && name.p[i] != ' ')
			i++;
		if (i > from)
			words[n++] = (struct bytes){name.p + from, i - from};
	}
	if (n == 0) {
		put_all(out);
		return;
	}
	/* A word that is a command may begin others too: check, check perf. */
	if (n == 1 && !is_command(words[0]) &&
	    (help_group_like_etcdctl(out, words[0]) || put_group(out, words[0], "")))
		return;
	const struct command_row *r = command_find(words, n, &used, &err);
	if (!r)
		buf_printf(out, "%s\n", buf_str(&err));
	else
		put_row(out, r);
	if (r && n == 1)
		put_group(out, words[0], "\nALSO:\n");
	buf_free(&err);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct buf name = {0};

	for (size_t i = 0; i < p->args.n; i++) {
		if (i)
			buf_putc(&name, ' ');
		buf_put_bytes(&name, p->args.v[i]);
	}
	command_help(buf_bytes(&name), command_out(s));
	buf_free(&name);
	command_end(j);
}

const struct command_row cmd_help = {
    .name = "help",
    .group = GROUP_SESSION,
    .usage = "help [command]",
    .summary = "Lists the commands, or explains one",
    .example = "help put",
    .arguments = "@command",
    .run = run,
};
