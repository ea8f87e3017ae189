/* Ctrl-C, and what an interrupted command has become in the script.
 *
 * A script has no Ctrl-C, so the command is written as what it has been (design.md 6):
 *
 *   wait 1000            wait 37000ms: the time that passed
 *   step until commit    step, as often as an event ran
 *   get a                get a &    wait 300ms    interrupt r5
 *   watch a              watch a &  wait 300ms    unwatch w2
 *
 * So that these lead to the same world, a command stops only where its instant is at rest.  It is
 * the history itself that is written anew, and run again, and not what is saved of it: going back,
 * branches, the journal and the file all know one past.
 */
#include "script/player_state.h"

#include <stdlib.h>

#include "cmd/job.h"

enum { STOPPED_STATUS = 130 }; /* 128 + SIGINT */

/* --- when it comes */

static bool may_stop(const struct player *p)
{
	const struct shell *sh = p->drive.sh;

	return p->at.event > 0 && (sh->in_step || (sh->fg && !sh->held && !sim_pending(sh->w)));
}

static void remember(struct player *p, const struct input *in)
{
	const struct job *j = p->drive.sh->fg;

	p->interrupts++;
	p->stopped = (struct stopped){.is = true, .input = p->at.input};
	if (j) {
		p->stopped.request = j->number;
		p->stopped.watcher = j->wait == WAIT_WATCHER ? j->watcher : 0;
	}
	if (p->told_interrupt && !p->aside)
		p->told_interrupt(p->told_interrupt_arg, in->typed, p->at);
}

void player_consider_interrupt(struct player *p, struct input *in)
{
	bool asked = in->stop_at <= p->at.event || (p->interrupt && *p->interrupt);

	if (!in->done && asked && may_stop(p)) {
		if (p->interrupt)
			*p->interrupt = 0;
		in->stop_at = p->at.event;
		remember(p, in);
		shell_interrupt(p->drive.sh);
	} else if (in->done && in->stop_at == p->at.event) {
		shell_interrupt(p->drive.sh);
	}
}

/* --- what it has become */

static void type(struct player *p, struct buf *line)
{
	struct buf ignored = {0};

	player_type(p, buf_bytes(line), &ignored);
	buf_clear(line);
	buf_free(&ignored);
}

static void wait_instead(struct player *p, size_t i, int64_t ms)
{
	struct input *in = p->b->inputs.v[i];
	struct buf text = {0};

	buf_printf(&text, "wait %lldms", (long long)ms);
	input_set_text(in, buf_bytes(&text));
	in->events = in->stop_at;
	in->stop_at = UINT64_MAX;
	branch_drop_points(p->b, i); /* some hold the longer wait under way */
	p->next_point = p->work + 1;
	buf_free(&text);
}

/* Input i is another command, which runs now. */
static void run_instead(struct player *p, size_t i, struct bytes text)
{
	player_jump(p, (struct player_position){i, 0}, false);
	branch_forget(p->b, i);
	input_set_text(p->b->inputs.v[i], text);
	player_run_to(p, (struct player_position){i + 1, 0});
}

static void steps_instead(struct player *p, size_t i)
{
	uint64_t events = p->b->inputs.v[i]->stop_at;
	struct buf line = {0};

	run_instead(p, i, BYTES("step"));
	for (uint64_t k = 1; k < events; k++) {
		buf_puts(&line, "step");
		type(p, &line);
	}
	buf_free(&line);
}

/* COMMAND &: the mark stands at the end of the command's own line, before a block. */
static void put_in_background(struct buf *out, struct bytes text)
{
	size_t end = 0;

	while (end < text.n && (text.p[end] != '\n' || (end > 0 && text.p[end - 1] == '\\')))
		end++;
	buf_add(out, text.p, end);
	buf_puts(out, " &");
	buf_add(out, text.p + end, text.n - end);
}

static void request_instead(struct player *p, const struct stopped *was, int64_t ms)
{
	struct buf line = {0}, err = {0};

	put_in_background(&line, input_text(p->b->inputs.v[was->input]));
	if (shell_check(buf_bytes(&line), &err) == SHELL_OK) {
		run_instead(p, was->input, buf_bytes(&line));
		buf_clear(&line);
		if (ms) {
			buf_printf(&line, "wait %lldms", (long long)ms);
			type(p, &line);
		}
		if (was->watcher)
			buf_printf(&line, "unwatch w%lu", (unsigned long)was->watcher);
		else
			buf_printf(&line, "interrupt r%llu", (unsigned long long)was->request);
		type(p, &line);
	}
	buf_free(&line);
	buf_free(&err);
}

void player_write_interrupt(struct player *p)
{
	struct stopped was = p->stopped;
	volatile sig_atomic_t *flag = p->interrupt;

	p->stopped = (struct stopped){0};
	if (!was.is || p->aside || p->at.input != was.input + 1 || p->at.event)
		return;
	const struct input *in = p->b->inputs.v[was.input];
	const struct command_row *row = drive_row(input_text(in));
	int64_t ms = p->drive.sh->w->now_ms - in->mark.ms;
	p->interrupt = NULL;
	if (row && strcmp(row->name, "wait") == 0)
		wait_instead(p, was.input, ms);
	else if (row && strcmp(row->name, "step") == 0)
		steps_instead(p, was.input);
	else if (was.watcher || was.request)
		request_instead(p, &was, ms);
	p->interrupt = flag;
	p->drive.sh->exit_status = STOPPED_STATUS;
}
