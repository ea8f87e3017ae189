/* The help of a command in etcdctl's own words and layout (etcd: etcdctl/ctlv3/help.go), from the
 * table.  What it says of flags is one column, lined up with tabs as Go's text/tabwriter does it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/help.h"
#include "cmd/parse.h"

struct flag_line {
	const struct flag_row *flag;
	struct buf left; /* "  -w, --write-out="simple"" */
};

typedef VEC(struct flag_line) flag_lines;

enum { GROUP_ROWS_MAX = 16 };

static void put_default(struct buf *out, const struct flag_row *f)
{
	if (f == &global_flags[GLOBAL_ENDPOINTS])
		buf_printf(out, "=[%s]", f->fallback);
	else if (f->type == FLAG_BOOL)
		buf_printf(out, "[=%s]", f->fallback);
	else if (f->type == FLAG_STRING)
		buf_printf(out, "=\"%s\"", f->fallback);
	else
		buf_printf(out, "=%s", f->fallback);
}

static void add_line(flag_lines *lines, const struct flag_row *f)
{
	struct flag_line l = {.flag = f};

	if (f->shorthand)
		buf_printf(&l.left, "  -%c, --%s", f->shorthand, f->name);
	else
		buf_printf(&l.left, "      --%s", f->name);
	put_default(&l.left, f);
	vec_push(lines, l);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct flag_line *)a)->flag->name,
		      ((const struct flag_line *)b)->flag->name);
}

/* Sorted by name, the texts one tab stop behind the longest. */
static void put_lines(struct buf *out, flag_lines *lines)
{
	size_t width = 0;

	if (lines->n) /* qsort takes no NULL */
		qsort(lines->v, lines->n, sizeof *lines->v, by_name);
	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].left.n >= width)
			width = (lines->v[i].left.n + 8) / 8 * 8;
	for (size_t i = 0; i < lines->n; i++) {
		struct flag_line *l = &lines->v[i];
		buf_put_bytes(out, buf_bytes(&l->left));
		for (size_t at = l->left.n; at < width; at = (at + 8) / 8 * 8)
			buf_putc(out, '\t');
		buf_printf(out, "%s\n", l->flag->etcdctl ? l->flag->etcdctl : l->flag->help);
		buf_free(&l->left);
	}
	buf_putc(out, '\n');
	vec_free(lines);
}

static void put_own_flags(struct buf *out, const struct command_row *r)
{
	const char *blank = strrchr(r->name, ' ');
	char text[64] = "help for ";
	struct flag_row help = {
	    .name = "help", .shorthand = 'h', .type = FLAG_BOOL, .fallback = "false", .help = text};
	flag_lines lines = {0};

	strncat(text, blank ? blank + 1 : r->name, sizeof text - sizeof "help for ");
	add_line(&lines, &help);
	for (size_t i = 0; i < r->nflags; i++)
		if (!r->flags[i].of_group && !r->flags[i].since)
			add_line(&lines, &r->flags[i]);
	put_lines(out, &lines);
}

static void put_global_flags(struct buf *out, const struct command_row *r)
{
	flag_lines lines = {0};

	for (size_t i = 0; i < global_flag_count(); i++)
		add_line(&lines, &global_flags[i]);
	for (size_t i = 0; i < r->nflags; i++)
		if (r->flags[i].of_group)
			add_line(&lines, &r->flags[i]);
	put_lines(out, &lines);
}

static void put_description(struct buf *out, const char *text)
{
	const char *line = text;

	if (!text)
		return;
	buf_puts(out, "DESCRIPTION:\n");
	for (; *line; line += strcspn(line, "\n") + 1) /* each ends with a newline */
		buf_printf(out, "\t%.*s\n", (int)strcspn(line, "\n"), line);
	buf_putc(out, '\n');
}

/* ---- a group: lease, member ... ---- */

static const struct group {
	const char *name, *summary, *usage;
} groups[] = {
    {"alarm", "Alarm related commands", "<subcommand>"},
    {"auth", "Enable or disable authentication", "<enable or disable>"},
    {"endpoint", "Endpoint related commands", "<subcommand>"},
    {"lease", "Lease related commands", "<subcommand>"},
    {"member", "Membership related commands", "<subcommand>"},
    {"role", "Role related commands", "<subcommand>"},
    {"snapshot", "Manages etcd node snapshots", "<subcommand>"},
    {"user", "User related commands", "<subcommand>"},
};

static int by_row_name(const void *a, const void *b)
{
	return strcmp((*(const struct command_row *const *)a)->name,
		      (*(const struct command_row *const *)b)->name);
}

/* The group's rows in the order of their names.  Returns how many. */
static size_t rows_of(const char *group, const struct command_row *rows[GROUP_ROWS_MAX])
{
	size_t n = 0, len = strlen(group);

	for (size_t i = 0; i < command_count() && n < GROUP_ROWS_MAX; i++) {
		const struct command_row *r = command_table[i];
		if (strncmp(r->name, group, len) == 0 && r->name[len] == ' ')
			rows[n++] = r;
	}
	qsort(rows, n, sizeof *rows, by_row_name);
	return n;
}

static void put_commands(struct buf *out, const char *group)
{
	const struct command_row *rows[GROUP_ROWS_MAX];
	size_t n = rows_of(group, rows), skip = strlen(group) + 1, width = 0;

	for (size_t i = 0; i < n; i++)
		if (strlen(rows[i]->name + skip) >= width)
			width = (strlen(rows[i]->name + skip) + 8) / 8 * 8;
	buf_puts(out, "COMMANDS:\n");
	for (size_t i = 0; i < n; i++) {
		const char *name = rows[i]->name + skip, *said = rows[i]->etcdctl_summary;
		buf_printf(out, "\t%s", name);
		for (size_t at = strlen(name); at < width; at = (at + 8) / 8 * 8)
			buf_putc(out, '\t');
		buf_printf(out, "%s\n", said ? said : rows[i]->summary);
	}
	buf_putc(out, '\n');
}

/* Of the group itself: --help, and what its rows have of it. */
static void put_group_flags(struct buf *out, const char *group)
{
	const struct command_row *rows[GROUP_ROWS_MAX];
	char text[64];
	struct flag_row help = {
	    .name = "help", .shorthand = 'h', .type = FLAG_BOOL, .fallback = "false", .help = text};
	flag_lines lines = {0};

	snprintf(text, sizeof text, "help for %s", group);
	add_line(&lines, &help);
	if (rows_of(group, rows))
		for (size_t i = 0; i < rows[0]->nflags; i++)
			if (rows[0]->flags[i].of_group)
				add_line(&lines, &rows[0]->flags[i]);
	buf_puts(out, "OPTIONS:\n");
	put_lines(out, &lines);
}

bool help_group_like_etcdctl(struct buf *out, struct bytes name)
{
	static const struct command_row none;
	const struct group *g = groups, *end = groups + sizeof groups / sizeof *groups;

	while (g < end && !bytes_is(name, g->name))
		g++;
	if (g == end)
		return false;
	buf_printf(out, "NAME:\n\t%s - %s\n\nUSAGE:\n\tetcdctl %s %s [flags]\n\n", g->name,
		   g->summary, g->name, g->usage);
	buf_puts(out, "API VERSION:\n\t3.4\n\n\n");
	put_commands(out, g->name);
	put_group_flags(out, g->name);
	buf_puts(out, "GLOBAL OPTIONS:\n");
	put_global_flags(out, &none);
	return true;
}

void help_like_etcdctl(struct buf *out, const struct command_row *r)
{
	/* etcdctl's name of compact is compaction, which is an alias here. */
	const char *name = r->alias && strcmp(r->name, "compact") == 0 ? r->alias : r->name;

	buf_printf(out, "NAME:\n\t%s - %s\n\n", name,
		   r->etcdctl_summary ? r->etcdctl_summary : r->summary);
	buf_printf(out, "USAGE:\n\tetcdctl %s [flags]\n\n",
		   r->etcdctl_usage ? r->etcdctl_usage : r->usage);
	put_description(out, r->etcdctl_description);
	buf_puts(out, "OPTIONS:\n");
	put_own_flags(out, r);
	buf_puts(out, "GLOBAL OPTIONS:\n");
	put_global_flags(out, r);
}
