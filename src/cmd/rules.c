/* What etcd promises, watched while commands run (check/check.h), and the command `check`.
 *
 * A checker sees the world after every event and goes with the shell, copies included.  When a rule
 * is broken the shell stops at that event: nothing that was under way goes on by itself.
 */
#include "cmd/rules.h"

#include <inttypes.h>

#include "check/check.h"
#include "cmd/command.h"
#include "cmd/drive.h"

bool rules_may_begin(const struct shell *s)
{
	return s->w->events == 0 && s->w->next_call == 1 && !s->w->watches.n;
}

void rules_begin(struct shell *s)
{
	check_free(s->checker);
	s->checker = s->w->cfg.check == CHECK_STEP ? check_new(s->w) : NULL;
}

bool rules_step(struct shell *s)
{
	bool more = sim_step(s->w);

	if (more)
		rules_look(s);
	return more;
}

void rules_look(struct shell *s)
{
	if (s->checker && !s->violated && !check_step(s->checker, s->w))
		s->violated = true;
}

static void put_violation(struct buf *out, const struct violation *v)
{
	if (v->known)
		buf_puts(out, "known damage: ");
	buf_printf(out, "%s is broken: %s (event %" PRIu64 ", %" PRId64 ".%03d s)\n", v->rule,
		   v->text, v->event, v->ms / 1000, (int)(v->ms % 1000));
}

void rules_stop(struct shell *s)
{
	s->in_step = s->settling = false;
	s->held = s->fg != NULL;
	put_violation(&s->out, check_violation(s->checker));
	s->exit_status = STATUS_ERROR;
}

void rules_fault(struct shell *s)
{
	bool was_violated = s->violated;

	rules_look(s);
	if (s->violated && !was_violated)
		rules_stop(s);
}

const struct violation *shell_violation(const struct shell *s)
{
	return s->violated ? check_violation(s->checker) : NULL;
}

bool shell_check_end(struct shell *s, struct violation *v)
{
	bool ok = true;

	if (s->w->cfg.check == CHECK_OFF)
		return true;
	if (s->checker && !sim_pending(s->w) && !s->violated)
		s->violated = !check_end(s->checker, s->w);
	if (s->violated)
		*v = *check_violation(s->checker);
	else
		ok = check_now(s->w, v) || v->known;
	return ok && !s->violated;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct violation now;

	command_end(j);
	if (p->args.n) { /* etcdctl's check perf, check datascale */
		command_fail(
		    s, j, STATUS_BAD_ARGS,
		    "etcdctl's command check %.*s is not in this version: check alone looks "
		    "at what etcd promises",
		    (int)p->args.v[0].n, p->args.v[0].p);
		return;
	}
	if (s->violated)
		put_violation(command_out(s), check_violation(s->checker));
	else if (s->checker && check_known_damage(s->checker))
		put_violation(command_out(s), check_known_damage(s->checker));
	else if (!check_now(s->w, &now))
		put_violation(command_out(s), &now);
	else if (s->checker)
		buf_printf(command_out(s), "all rules hold (%" PRIu64 " events checked)\n",
			   s->w->events);
	else
		buf_puts(command_out(s), "what can be seen now holds (--check=step watches every "
					 "event, and more rules)\n");
}

const struct command_row cmd_check = {
    .name = "check",
    .group = GROUP_LOOKING,
    .usage = "check",
    .summary = "Says whether all that etcd promises has held so far",
    .example = "check",
    .run = run,
};
