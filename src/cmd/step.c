/* step runs events one at a time, or up to one of a kind; stepping makes every command stop after
 * its first event. */
#include "cmd/command.h"
#include "cmd/go_number.h"

/* raft's log lines are made only for those who look, so nobody can wait for one. */
static bool is_kind(int k)
{
	return k != TRACE_LOG;
}

static bool kind_named(struct bytes name, uint8_t *kind)
{
	for (int k = 0; k <= TRACE_HARD_STATE; k++)
		if (is_kind(k) && bytes_is(name, trace_kind_name((enum trace_kind)k)))
			return *kind = (uint8_t)k, true;
	return false;
}

static void put_kinds(struct buf *out)
{
	for (int k = 0; k <= TRACE_HARD_STATE; k++)
		if (is_kind(k))
			buf_printf(out, " %s", trace_kind_name((enum trace_kind)k));
}

/* For `help step`. */
static void put_table(struct buf *out)
{
	buf_puts(out, "  KIND is one of");
	put_kinds(out);
	buf_putc(out, '\n');
}

static void complain(struct shell *s, struct job *j)
{
	struct buf m = {0};

	buf_puts(&m,
		 "step takes a number of events, request, commit, command, or until and one of:");
	put_kinds(&m);
	command_fail(s, j, STATUS_BAD_ARGS, "%s", buf_str(&m));
	buf_free(&m);
}

static bool read_goal(const struct shell *s, const struct parsed *p, struct step_goal *g)
{
	struct bytes what = p->args.n ? p->args.v[0] : (struct bytes){0};
	bool open = s->fg && s->held;
	uint64_t n;

	*g = (struct step_goal){.kind = STEP_EVENT, .events = 1};
	if (p->args.n == 0)
		return true;
	if (p->args.n == 2 && bytes_is(what, "until"))
		return g->kind = STEP_UNTIL, kind_named(p->args.v[1], &g->until);
	if (p->args.n != 1)
		return false;
	if (bytes_is(what, "event"))
		return true;
	if (go_parse_uint(what, 10, &n, NULL))
		return g->events = (uint32_t)n, n >= 1 && n <= UINT32_MAX;
	if (bytes_is(what, "command"))
		return g->kind = STEP_COMMAND, true;
	/* With no request open, the next one that is answered. */
	if (bytes_is(what, "request"))
		return g->kind = open ? STEP_REQUEST : STEP_UNTIL, g->until = TRACE_REPLY, true;
	if (bytes_is(what, "commit"))
		return g->kind = STEP_UNTIL, g->until = TRACE_COMMIT, true;
	return false;
}

static void run_step(struct shell *s, struct job *j, const struct parsed *p)
{
	struct step_goal g;

	if (!read_goal(s, p, &g)) {
		complain(s, j);
		return;
	}
	shell_begin_step(s, g);
	command_end(j);
}

static void run_stepping(struct shell *s, struct job *j, const struct parsed *p)
{
	struct config cfg = s->w->cfg;
	bool on = p->args.n == 1 && bytes_is(p->args.v[0], "on");

	if (p->args.n != 1 || !(on || bytes_is(p->args.v[0], "off"))) {
		command_fail(s, j, STATUS_BAD_ARGS, "stepping takes on or off");
		return;
	}
	if (!on)
		shell_release_held(s);
	cfg.stepping = on;
	sim_configure(s->w, &cfg);
	command_end(j);
}

const struct command_row cmd_step = {
    .name = "step",
    .group = GROUP_TIME,
    .usage = "step [N | request | commit | command | until KIND]",
    .summary = "Runs one event: a message delivered, a write synced, an entry applied, a tick, a "
	       "reply; or more of them",
    .example = "step until commit",
    .arguments = "request|commit|command|until",
    .table = put_table,
    .run = run_step,
};

const struct command_row cmd_stepping = {
    .name = "stepping",
    .group = GROUP_TIME,
    .usage = "stepping on | off",
    .summary = "on: a command stops after every event and `step` drives it on",
    .example = "stepping on",
    .arguments = "on|off",
    .run = run_stepping,
};
