/* Writes a manual page again with its tables filled in from the tables in C.
 *
 * What stands in the page between the lines  .\" begin NAME  and  .\" end NAME  is replaced; NAME
 * is commands, settings, bugs or styles.  `make man` puts the result in place, a test compares it
 * with what is there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell.h"
#include "cmd/table.h"
#include "sim/config.h"
#include "ui/keys.h"
#include "ui/style.h"
#include "ui/theme.h"

/* One character, as the manual's macros want it; the number of bytes that it took. */
static size_t put_character(const char *s)
{
	static const struct {
		const char *from, *to;
	} special[] = {
	    {.from = "\\", .to = "\\e"},  {.from = "\"", .to = "\\(dq"},
	    {.from = "→", .to = "\\(->"}, {.from = "←", .to = "\\(<-"},
	    {.from = "↑", .to = "\\(ua"}, {.from = "↓", .to = "\\(da"},
	};

	for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
		size_t n = strlen(special[i].from);

		if (strncmp(s, special[i].from, n) == 0) {
			fputs(special[i].to, stdout);
			return n;
		}
	}
	putchar(*s);
	return 1;
}

/* Text in a line of its own: a dot or quote at its beginning would be a request. */
static void put_text(const char *s)
{
	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	while (*s)
		s += put_character(s);
	putchar('\n');
}

/* Each sentence in a line of its own. */
static void put_sentences(const char *s)
{
	for (const char *stop; (stop = strstr(s, ". ")); s = stop + 2) {
		char *one = strndup(s, (size_t)(stop + 1 - s));

		put_text(one);
		free(one);
	}
	put_text(s);
}

/* Text as one argument of a macro. */
static void put_argument(const char *s)
{
	fputs("\"\\&", stdout);
	while (*s)
		s += put_character(s);
	putchar('"');
}

static void put_flag(const struct flag_row *f)
{
	printf(".It Fl -%s", f->name);
	if (f->type != FLAG_BOOL)
		printf(" Ns = Ns Ar %s", f->type == FLAG_INT64	    ? "n"
					 : f->type == FLAG_DURATION ? "duration"
								    : "text");
	if (f->shorthand)
		printf(" , Fl %c", f->shorthand);
	putchar('\n');
	put_sentences(f->help ? f->help : "");
}

static void put_flags(const struct flag_row *flags, size_t n)
{
	if (n == 0)
		return;
	puts(".Bl -tag -width Ds -compact");
	for (size_t i = 0; i < n; i++)
		put_flag(&flags[i]);
	puts(".El");
}

static void put_command(const struct command_row *row)
{
	fputs(".It Li ", stdout);
	put_argument(row->usage);
	putchar('\n');
	put_text(row->summary);
	if (row->alias) {
		fputs(".Pq also Ic ", stdout);
		put_argument(row->alias);
		putchar('\n');
	}
	put_flags(row->flags, row->nflags);
}

static void put_commands(void)
{
	static const char *const titles[] = {
	    [GROUP_ETCDCTL] = "Of etcdctl", [GROUP_WATCHERS] = "Watchers",
	    [GROUP_ACTORS] = "Clients",	    [GROUP_TIME] = "Time",
	    [GROUP_FAULTS] = "Faults",	    [GROUP_LOOKING] = "Looking",
	    [GROUP_SESSION] = "Session",
	};

	for (size_t g = 0; g < sizeof titles / sizeof *titles; g++) {
		printf(".Ss %s\n.Bl -tag -width Ds\n", titles[g]);
		for (size_t i = 0; i < command_count(); i++)
			if ((size_t)command_table[i]->group == g)
				put_command(command_table[i]);
		puts(".El");
	}
	puts(".Ss Flags of all commands of etcdctl");
	put_flags(global_flags, global_flag_count());
}

/* The text of an example's output as literal lines. */
static void put_literal(const struct buf *text)
{
	const char *s = buf_str(text);
	size_t n = strlen(s);

	while (n > 0) {
		const char *end = memchr(s, '\n', n);
		size_t len = end ? (size_t)(end - s) : n;
		char *line = strndup(s, len);

		put_text(line);
		free(line);
		s += len + (end != NULL);
		n -= len + (end != NULL);
	}
}

/* Runs a line to its end; what it prints is in sh->out. */
static void run_line(struct shell *sh, const char *line)
{
	struct buf err = {0};

	if (shell_begin(sh, bytes_of(line), &err) != SHELL_OK)
		buf_puts(&sh->out, buf_str(&err));
	while (shell_busy(sh))
		shell_step(sh);
	buf_free(&err);
}

/* The example of a command, run on a cluster that has a few things to look at. */
static void put_example(const struct command_row *row)
{
	static const char *const before[] = {
	    "put /registry/pods/default/web-1 nginx:1.24",
	    "put /registry/pods/default/web-2 nginx:1.24",
	    "put /registry/pods/default/web-2 nginx:1.25",
	    "lease grant 60",
	};
	struct config cfg;

	config_init(&cfg);
	struct shell *sh = shell_new(&cfg, NULL);
	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		run_line(sh, before[i]);
	puts(".Bd -literal -offset indent");
	put_text(row->example);
	run_line(sh, row->example);
	put_literal(&sh->out);
	puts(".Ed");
	shell_free(sh);
}

static void put_bugs(void)
{
	puts(".Bl -tag -width Ds");
	for (int b = 0; b < BUG_COUNT; b++) {
		const struct bug_row *row = bug_row((enum bug)b);

		printf(".It Ic bug Cm %s\n", row->name);
		put_sentences(row->what);
		printf("Found by\n.Em %s .\n", row->rule);
	}
	puts(".El");
}

static void put_reference(void)
{
	for (size_t i = 0; i < command_count(); i++) {
		const struct command_row *row = command_table[i];

		if (row->group != GROUP_ETCDCTL)
			continue;
		printf(".Ss %s\n.Li ", row->name);
		put_argument(row->usage);
		puts("\n.Pp");
		put_text(row->summary);
		if (row->alias) {
			fputs(".Pq also Ic ", stdout);
			put_argument(row->alias);
			putchar('\n');
		}
		put_flags(row->flags, row->nflags);
		if (row->cost) {
			puts(".Pp\n.Em Costs :");
			put_sentences(row->cost);
		}
		if (row->versions) {
			puts(".Pp\n.Em Versions :");
			put_sentences(row->versions);
		}
		put_example(row);
	}
}

static void put_settings(void)
{
	puts(".Bl -tag -width Ds -compact");
	for (size_t i = 0; i < config_nsettings(); i++) {
		const struct setting *s = config_setting(i);

		printf(".It Ic %s Ar ", s->name);
		put_argument(s->values);
		putchar('\n');
		if (s->when == SETTING_START)
			puts(".Em \\&At the start.");
		put_text(s->meaning);
		fputs("Default:\n.Cm ", stdout);
		put_argument(s->fallback);
		puts(" .");
	}
	puts(".El");
}

static void put_styles(void)
{
	puts("The items are\n.Bd -ragged -offset indent -compact");
	for (int i = 0; i < STYLE_COUNT; i++)
		if (style_name((enum style)i))
			printf(".Cm %s\n", style_name((enum style)i));
	puts(".Ed\n.Pp");
}

/* A row without a label goes on with the text of the row above. */
static void put_keys(void)
{
	bool open = false;

	for (size_t i = 0; i < key_count(); i++) {
		const struct binding *b = &key_table[i];

		if (!b->help)
			continue;
		if (b->heading) {
			if (open)
				puts(".El");
			printf(".Ss %s\n.Bl -tag -width Ds -compact\n", b->heading);
			open = true;
		}
		if (*b->label) {
			fputs(".It Cm ", stdout);
			put_argument(b->label);
			putchar('\n');
		}
		put_text(b->help);
	}
	if (open)
		puts(".El");
}

static const struct {
	const char *name;
	void (*put)(void);
} tables[] = {
    {.name = "keys", .put = put_keys},	       {.name = "commands", .put = put_commands},
    {.name = "bugs", .put = put_bugs},	       {.name = "reference", .put = put_reference},
    {.name = "settings", .put = put_settings}, {.name = "styles", .put = put_styles},
};

/* The table that a line begins or ends; NULL: none. */
static void (*table_of(const char *line, const char *edge))(void)
{
	char mark[64];

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		snprintf(mark, sizeof mark, ".\\\" %s %s\n", edge, tables[i].name);
		if (strcmp(line, mark) == 0)
			return tables[i].put;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	FILE *page = argc == 2 ? fopen(argv[1], "r") : NULL;
	bool inside = false;
	char *line = NULL;
	size_t size = 0;

	if (!page) {
		fprintf(stderr, "usage: man-tables PAGE\n");
		return 2;
	}
	while (getline(&line, &size, page) != -1) {
		void (*put)(void) = table_of(line, "begin");

		if (table_of(line, "end"))
			inside = false;
		if (!inside)
			fputs(line, stdout);
		if (put) {
			put();
			inside = true;
		}
	}
	free(line);
	fclose(page);
	return 0;
}
