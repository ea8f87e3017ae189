/* Driving a command: event by event until what it waits for has happened, and at its end the
 * instant run to rest.
 *
 *   fg waits -> event, poll, event, poll ... -> fg done -> settling -> notes flushed
 *
 * With `stepping on` the command is held after each event until `step` drives it on.
 */
#include "cmd/drive.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/pipes.h"
#include "cmd/rules.h"
#include "cmd/scratch.h"

/* An ended job's memory is the next one's. */
void shell_recycle(struct shell *s, struct job *j)
{
	free(s->scratch->spare);
	s->scratch->spare = j;
}

/* Waiting. */

static bool answers_are_in(const struct shell *s, struct job *j)
{
	static const struct response lost = {.error = ERR_CANCELED};
	bool all = true;

	for (size_t i = 0; i < j->ncalls; i++) {
		if (j->results[i])
			continue;
		const struct call *c = world_call(s->w, j->calls[i]);
		if (c && c->state != CALL_DONE) {
			all = false;
			continue;
		}
		j->results[i] = c ? c->response : &lost;
		j->took_ms[i] = c ? c->end_ms - c->start_ms : 0;
	}
	return all;
}

/* Has the watcher been created, and an informer's list come? Or has it been refused? */
static bool watcher_is_there(const struct shell *s, const struct job *j)
{
	const struct watch_client *c = world_watch(s->w, j->watcher);
	bool created = false, listed = !c || !c->informer;

	for (size_t i = 0; i < s->w->notes.n; i++) {
		const struct watch_note *n = &s->w->notes.v[i];
		if (n->watcher != j->watcher)
			continue;
		if (n->kind == NOTE_CANCELED)
			return true;
		created |= n->kind == NOTE_CREATED;
		listed |= n->kind == NOTE_LISTED;
	}
	return created && listed;
}

static bool job_ready(const struct shell *s, struct job *j)
{
	switch (j->wait) {
	case WAIT_NOTHING:
		return false;
	case WAIT_CALLS:
		return answers_are_in(s, j);
	case WAIT_TIME:
		return s->w->now_ms >= j->until_ms && !sim_pending(s->w);
	case WAIT_LEADER:
		return sim_has_leader(s->w);
	case WAIT_QUIET:
		return sim_quiet(s->w);
	case WAIT_WATCHER:
		return watcher_is_there(s, j);
	case WAIT_STORE:
		return j->changed(s, j);
	case WAIT_SIGNAL:
		return j->recipe.expired;
	}
	return false;
}

bool shell_job_over(struct shell *s, struct job *j)
{
	while (j->wait == WAIT_NOTHING && j->after) {
		void (*after)(struct shell *, struct job *) = j->after;

		j->after = NULL;
		after(s, j);
	}
	return j->wait == WAIT_NOTHING;
}

/* Resumes a job that is not the command under way: what it prints goes below, as "rN: " lines. */
static void resume_late(struct shell *s, struct job *j)
{
	struct buf *reply = &s->scratch->reply;
	int status = s->exit_status; /* the command's under way, not this one's */

	buf_clear(reply);
	s->exit_status = STATUS_OK;
	s->scratch->to_reply = true;
	j->resume(s, j);
	shell_job_over(s, j);
	s->scratch->to_reply = false;
	s->exit_status = status;
	pipes_apply(reply, 0, j->pipes, j->npipes);
	for (struct bytes left = buf_bytes(reply); left.n;) {
		const char *nl = memchr(left.p, '\n', left.n);
		size_t n = nl ? (size_t)(nl - left.p) + 1 : left.n;
		if (j->number)
			buf_printf(&s->late, "r%" PRIu64 ": ", j->number);
		buf_add(&s->late, left.p, n);
		if (!nl)
			buf_putc(&s->late, '\n');
		left = (struct bytes){left.p + n, left.n - n};
	}
}

void shell_poll_background(struct shell *s)
{
	for (size_t i = 0; i < s->bg.n;) {
		struct job *j = s->bg.v[i];
		if (job_ready(s, j))
			resume_late(s, j);
		if (j->wait == WAIT_NOTHING) {
			vec_remove(&s->bg, i);
			shell_recycle(s, j);
		} else {
			i++;
		}
	}
}

/* Ends. */

void shell_settle_or_flush(struct shell *s, bool settle)
{
	s->settling = settle && sim_pending(s->w);
	if (!s->settling)
		shell_flush_notes(s);
}

/* over: it has ended; else what is left of it goes on in the background. */
static void end_foreground(struct shell *s, bool over)
{
	struct job *j = s->fg;

	s->fg = NULL;
	if (j->npipes)
		pipes_apply(&s->out, 0, j->pipes, j->npipes);
	if (over)
		shell_recycle(s, j);
	else
		shell_add_background(s, j);
	shell_settle_or_flush(s, !s->w->cfg.stepping);
}

void shell_release_held(struct shell *s)
{
	if (!s->fg || !s->held)
		return;
	s->held = false;
	if (s->fg->wait == WAIT_CALLS || s->fg->wait == WAIT_WATCHER)
		vec_push(&s->bg, s->fg);
	else
		shell_recycle(s, s->fg);
	s->fg = NULL;
}

static void cancel_waiting(struct shell *s, struct job *j)
{
	if (j->wait == WAIT_CALLS)
		for (size_t i = 0; i < j->ncalls; i++)
			if (!j->results[i])
				sim_call_cancel(s->w, j->calls[i]);
	if (j->wait == WAIT_WATCHER)
		sim_unwatch(s->w, j->watcher);
	command_end(j);
}

/* Ctrl-C.  False: the job still has something to do before it ends, in the background. */
static bool cancel_job(struct shell *s, struct job *j)
{
	void (*last)(struct shell *, struct job *) = j->interrupted;

	cancel_waiting(s, j);
	j->interrupted = j->after = NULL;
	j->ncalls = 0;
	if (last)
		last(s, j);
	return j->wait == WAIT_NOTHING;
}

void shell_add_background(struct shell *s, struct job *j)
{
	vec_push(&s->bg, j);
}

bool shell_end_request(struct shell *s, uint64_t number)
{
	if (s->fg && s->held && s->fg->number == number) {
		if (cancel_job(s, s->fg))
			shell_recycle(s, s->fg);
		else
			shell_add_background(s, s->fg);
		s->fg = NULL;
		s->held = false;
		return true;
	}
	for (size_t i = 0; i < s->bg.n; i++) {
		struct job *j = s->bg.v[i];
		if (j->number != number)
			continue;
		if (!cancel_job(s, j))
			return true;
		vec_remove(&s->bg, i);
		shell_recycle(s, j);
		return true;
	}
	return false;
}

bool shell_kill_request(struct shell *s, uint64_t number)
{
	for (size_t i = 0; i < s->bg.n; i++)
		if (s->bg.v[i]->number == number)
			s->bg.v[i]->interrupted = NULL;
	if (s->fg && s->held && s->fg->number == number)
		s->fg->interrupted = NULL;
	return shell_end_request(s, number);
}

void shell_interrupt(struct shell *s)
{
	s->in_step = false;
	if (s->fg && !s->held) {
		s->exit_status = 130;
		end_foreground(s, cancel_job(s, s->fg));
	}
}

/* Driving. */

/* When the clock must stop: at what the jobs wait for, or a limit. */
static int64_t next_stop(const struct shell *s, int64_t limit)
{
	int64_t ms = sim_next_ms(s->w);

	if (limit < ms)
		ms = limit;
	if (s->fg && s->fg->wait == WAIT_TIME && s->fg->until_ms < ms)
		ms = s->fg->until_ms;
	for (size_t i = 0; i < s->bg.n; i++)
		if (s->bg.v[i]->wait == WAIT_TIME && s->bg.v[i]->until_ms < ms)
			ms = s->bg.v[i]->until_ms;
	return ms < s->w->now_ms ? s->w->now_ms : ms;
}

/* One event; the clock moves first if nothing is left at this instant. */
static void run_event(struct shell *s, int64_t limit)
{
	if (rules_step(s))
		return;
	sim_advance(s->w, next_stop(s, limit));
	rules_step(s);
}

static int64_t patience_limit(const struct shell *s)
{
	if (s->fg->wait == WAIT_TIME && s->fg->ncalls == 0)
		return INT64_MAX;
	return s->fg->start_ms + (int64_t)s->w->cfg.patience_s * 1000;
}

static void lose_patience(struct shell *s)
{
	buf_printf(&s->out,
		   "interrupted: no end after %" PRIu32
		   " s (set patience N waits longer; COMMAND & leaves it running)\n",
		   s->w->cfg.patience_s);
	buf_clear(&s->last_error);
	buf_puts(&s->last_error, "interrupted");
	s->last_error_call = s->fg->ncalls ? s->fg->calls[s->fg->ncalls - 1] : 0;
	s->exit_status = 130;
	end_foreground(s, cancel_job(s, s->fg));
}

static void drive(struct shell *s)
{
	int64_t limit = patience_limit(s);

	run_event(s, limit);
	if (job_ready(s, s->fg))
		s->fg->resume(s, s->fg);
	shell_poll_background(s);
	if (shell_job_over(s, s->fg)) {
		end_foreground(s, true);
	} else if (s->w->cfg.stepping) {
		s->held = true;
		shell_flush_notes(s);
	} else if (s->w->now_ms >= limit && !sim_pending(s->w)) {
		lose_patience(s);
	}
}

static void settle(struct shell *s)
{
	bool more = rules_step(s);

	shell_poll_background(s);
	if (more || sim_pending(s->w))
		return;
	s->settling = false;
	shell_flush_notes(s);
}

void shell_begin_step(struct shell *s, struct step_goal goal)
{
	goal.limit_ms = s->w->now_ms + (int64_t)s->w->cfg.patience_s * 1000;
	if (s->fg && s->fg->wait == WAIT_TIME && s->fg->until_ms > goal.limit_ms)
		goal.limit_ms = s->fg->until_ms;
	s->goal = goal;
	s->in_step = true;
}

/* Runs one event and says whether a record of the wanted kind was made.  If the trace of the world
 * does not keep such records, one of our own listens for the time of the event and hands on what
 * the other one keeps. */
static bool run_watched_event(struct shell *s)
{
	enum trace_kind kind = s->goal.until;
	enum trace_level need = kind > TRACE_LOG ? TRACE_ALL : TRACE_STORY;
	bool kept = s->trace && s->trace->level >= need;
	struct trace *t = kept ? s->trace : trace_new(need);
	uint64_t from = t->end, ntrace = s->w->ntrace;
	bool seen = false;

	if (!kept)
		t->heap = s->w->heap;
	s->w->trace = t;
	run_event(s, s->goal.limit_ms);
	s->w->trace = s->trace;
	for (uint64_t i = from < t->first ? t->first : from; i < t->end; i++) {
		const struct trace_record *r = trace_get(t, i);
		/* What only a closer look shows (an idle heartbeat at level all) does not count:
		 * the story must stop at the same event whoever listens. */
		seen |= r->kind == kind && r->level <= need;
		if (!kept && s->trace && r->level <= s->trace->level) {
			s->trace->now_ms = r->ms;
			s->trace->event = r->event;
			trace_add(s->trace, r);
		}
	}
	if (!kept) {
		trace_free(t);
		s->w->ntrace = s->trace ? s->trace->end : ntrace;
	}
	return seen;
}

static bool step_reached(const struct shell *s, bool seen)
{
	bool open = s->fg && s->held;

	switch (s->goal.kind) {
	case STEP_EVENT:
		return s->goal.events == 0;
	case STEP_REQUEST:
		return !open;
	case STEP_COMMAND:
		return !open && !sim_pending(s->w);
	case STEP_UNTIL:
		return seen;
	}
	return true;
}

/* One event on behalf of the open command, if there is one. */
static void step_once(struct shell *s)
{
	bool seen = false;

	if (s->goal.kind == STEP_UNTIL)
		seen = run_watched_event(s);
	else
		run_event(s, INT64_MAX);
	s->goal.events -= s->goal.events > 0;
	if (s->fg && s->held) {
		if (job_ready(s, s->fg))
			resume_late(s, s->fg);
		if (s->fg->wait == WAIT_NOTHING) {
			shell_recycle(s, s->fg);
			s->fg = NULL;
			s->held = false;
		}
	}
	shell_poll_background(s);
	bool reached = step_reached(s, seen), over = s->w->now_ms >= s->goal.limit_ms;

	if (!reached && !over)
		return;
	if (!reached)
		buf_printf(&s->out,
			   "stopped: that has not happened in %" PRIu32 " s (set patience)\n",
			   s->w->cfg.patience_s);
	s->in_step = false;
	shell_flush_notes(s);
}

void shell_step(struct shell *s)
{
	bool was_violated = s->violated;

	if (s->in_step)
		step_once(s);
	else if (s->fg && !s->held)
		drive(s);
	else if (s->settling)
		settle(s);
	if (s->violated && !was_violated)
		rules_stop(s);
}

bool shell_busy(const struct shell *s)
{
	return s->in_step || s->settling || (s->fg && !s->held);
}
