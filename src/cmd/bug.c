/* bug: known ways to get etcd and Raft wrong, to be switched on and seen (api/bug.h has the table).
 */
#include <string.h>

#include "api/bug.h"
#include "cmd/command.h"
#include "cmd/rules.h"

enum { BUG_OFF, BUG_FLAGS };

static const struct flag_row bug_flags[BUG_FLAGS] = {
    [BUG_OFF] = {.name = "off",
		 .type = FLAG_BOOL,
		 .fallback = "false",
		 .help = "Switches it off again; without a name, all of them."},
};

static void put_bug(struct buf *out, enum bug b, const char *state)
{
	const struct bug_row *row = bug_row(b);

	buf_printf(out, "  %-22s %s%s\n  %-22s %srule: %s\n", row->name, state, row->what, "",
		   state[0] ? "    " : "", row->rule);
}

static void list(const struct shell *s, struct buf *out)
{
	for (int b = 0; b < BUG_COUNT; b++)
		put_bug(out, (enum bug)b, bug_on(s->w->cfg.bugs, (enum bug)b) ? "on  " : "off ");
}

static void put_table(struct buf *out)
{
	for (int b = 0; b < BUG_COUNT; b++)
		put_bug(out, (enum bug)b, "");
}

static int need_bug(struct shell *s, struct job *j, struct bytes name)
{
	struct buf all = {0};
	int b = bug_find(command_keep(s, name).p);

	for (int i = 0; i < BUG_COUNT; i++)
		buf_printf(&all, "%s%s", i ? ", " : "", bug_row((enum bug)i)->name);
	if (b < 0)
		command_fail(s, j, STATUS_BAD_ARGS, "no bug \"%.*s\": there are %s", (int)name.n,
			     name.p, buf_str(&all));
	buf_free(&all);
	return b;
}

/* Whoever switches a mistake on wants to see it found. */
static void change(struct shell *s, uint32_t bugs)
{
	struct config cfg = s->w->cfg;

	if (cfg.check == CHECK_END && rules_may_begin(s))
		cfg.check = CHECK_STEP;
	cfg.bugs = bugs;
	sim_configure(s->w, &cfg);
	if (rules_may_begin(s))
		rules_begin(s);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	bool off = flag_bool(p, BUG_OFF);
	uint32_t bugs = s->w->cfg.bugs;

	if (!command_arguments(s, j, p, 0, 1))
		return;
	if (!off && p->args.n == 0) {
		list(s, command_out(s));
		command_end(j);
		return;
	}
	int b = p->args.n ? need_bug(s, j, p->args.v[0]) : BUG_COUNT;
	if (b < 0)
		return;
	if (b == BUG_COUNT)
		bugs = 0;
	else
		bugs = off ? bugs & ~(1u << b) : bugs | 1u << b;
	change(s, bugs);
	command_end(j);
}

const struct command_row cmd_bug = {
    .name = "bug",
    .group = GROUP_FAULTS,
    .usage = "bug [name] [--off]",
    .summary = "Switches on a known way to get it wrong, or lists them, each with the rule that "
	       "finds it",
    .example = "bug watch-from-last-seen",
    .arguments = "@bug",
    .flags = bug_flags,
    .nflags = BUG_FLAGS,
    .table = put_table,
    .run = run,
};
