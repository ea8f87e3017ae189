/* The help of a command in etcdctl's own words and layout (etcd: etcdctl/ctlv3/help.go), from the
 * table.  What it says of flags is one column, lined up with tabs as Go's text/tabwriter does it.
 */
#include <stdlib.h>

#include "cmd/help.h"
#include "cmd/parse.h"

struct flag_line {
	const struct flag_row *flag;
	struct buf left; /* "  -w, --write-out="simple"" */
};

typedef VEC(struct flag_line) flag_lines;

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

void help_like_etcdctl(struct buf *out, const struct command_row *r)
{
	/* etcdctl's name of compact is compaction, which is an alias here. */
	const char *name = r->alias && strcmp(r->name, "compact") == 0 ? r->alias : r->name;

	buf_printf(out, "NAME:\n\t%s - %s\n\n", name,
		   r->etcdctl_summary ? r->etcdctl_summary : r->summary);
	buf_printf(out, "USAGE:\n\tetcdctl %s [flags]\n\n",
		   r->etcdctl_usage ? r->etcdctl_usage : r->usage);
	buf_puts(out, "OPTIONS:\n");
	put_own_flags(out, r);
	buf_puts(out, "GLOBAL OPTIONS:\n");
	put_global_flags(out, r);
}
