/* The life of a command: begun, driven event by event, resumed when what it waits for has happened, and at its end
 * the instant run to rest and everything printed that came in.
 *
 *   begin -> (run) -> fg waits -> event, poll, event, poll ... -> fg done -> settling -> notes flushed
 *
 * With `stepping on` the command is held after each event until `step` drives it on.
 */
#include "cmd/shell.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/pipes.h"
#include "cmd/scratch.h"

struct shell *shell_new(const struct config *cfg, struct trace *trace)
{
	struct shell *s = xcalloc(1, sizeof *s);

	s->w = world_new(cfg, trace);
	s->trace = trace;
	s->format = "simple";
	s->scratch = xcalloc(1, sizeof *s->scratch);
	return s;
}

static void copy_buf(struct buf *dst, const struct buf *src)
{
	*dst = (struct buf){0};
	if (src->n)
		buf_add(dst, src->p, src->n);
}

static struct job *copy_job(const struct job *j)
{
	struct job *c = xmalloc(sizeof *c);

	*c = *j;
	return c;
}

struct shell *shell_copy(struct shell *s)
{
	struct shell *c = xmalloc(sizeof *c);

	*c = *s;
	c->w = world_copy(s->w);
	copy_buf(&c->out, &s->out);
	copy_buf(&c->late, &s->late);
	copy_buf(&c->last_error, &s->last_error);
	c->fg = s->fg ? copy_job(s->fg) : NULL;
	c->bg.v = NULL;
	c->bg.n = c->bg.cap = 0;
	for (size_t i = 0; i < s->bg.n; i++)
		vec_push(&c->bg, copy_job(s->bg.v[i]));
	c->scratch = xcalloc(1, sizeof *c->scratch);
	return c;
}

void shell_free(struct shell *s)
{
	if (!s)
		return;
	world_free(s->w);
	buf_free(&s->out);
	buf_free(&s->late);
	buf_free(&s->last_error);
	for (size_t i = 0; i < s->bg.n; i++)
		free(s->bg.v[i]);
	vec_free(&s->bg);
	free(s->fg);
	line_free(&s->scratch->line);
	parsed_free(&s->scratch->parsed);
	buf_free(&s->scratch->reply);
	buf_free(&s->scratch->message);
	vec_free(&s->scratch->order);
	free(s->scratch->spare);
	free(s->scratch);
	free(s);
}

bool shell_busy(const struct shell *s)
{
	return s->in_step || s->settling || (s->fg && !s->held);
}

/* An ended job's memory is the next one's. */
static void recycle(struct shell *s, struct job *j)
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
	}
	return false;
}

/* Resumes a job that is not the command under way: what it prints goes below, as "rN: " lines. */
static void resume_late(struct shell *s, struct job *j)
{
	struct buf *reply = &s->scratch->reply;

	buf_clear(reply);
	s->scratch->to_reply = true;
	j->resume(s, j);
	s->scratch->to_reply = false;
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

static void poll_background(struct shell *s)
{
	for (size_t i = 0; i < s->bg.n;) {
		struct job *j = s->bg.v[i];
		if (job_ready(s, j))
			resume_late(s, j);
		if (j->wait == WAIT_NOTHING) {
			vec_remove(&s->bg, i);
			recycle(s, j);
		} else {
			i++;
		}
	}
}

/* Ends. */

static void settle_or_flush(struct shell *s, bool settle)
{
	s->settling = settle && sim_pending(s->w);
	if (!s->settling)
		shell_flush_notes(s);
}

static void end_foreground(struct shell *s)
{
	struct job *j = s->fg;

	s->fg = NULL;
	if (j->npipes)
		pipes_apply(&s->out, 0, j->pipes, j->npipes);
	recycle(s, j);
	settle_or_flush(s, !s->w->cfg.stepping);
}

void shell_release_held(struct shell *s)
{
	if (!s->fg || !s->held)
		return;
	s->held = false;
	if (s->fg->wait == WAIT_CALLS || s->fg->wait == WAIT_WATCHER)
		vec_push(&s->bg, s->fg);
	else
		recycle(s, s->fg);
	s->fg = NULL;
}

static void cancel_job(struct shell *s, struct job *j)
{
	if (j->wait == WAIT_CALLS)
		for (size_t i = 0; i < j->ncalls; i++)
			if (!j->results[i])
				sim_call_cancel(s->w, j->calls[i]);
	if (j->wait == WAIT_WATCHER)
		sim_unwatch(s->w, j->watcher);
	command_end(j);
}

bool shell_end_request(struct shell *s, uint64_t number)
{
	if (s->fg && s->held && s->fg->number == number) {
		cancel_job(s, s->fg);
		recycle(s, s->fg);
		s->fg = NULL;
		s->held = false;
		return true;
	}
	for (size_t i = 0; i < s->bg.n; i++) {
		struct job *j = s->bg.v[i];
		if (j->number != number)
			continue;
		cancel_job(s, j);
		vec_remove(&s->bg, i);
		recycle(s, j);
		return true;
	}
	return false;
}

void shell_interrupt(struct shell *s)
{
	s->in_step = false;
	if (s->fg && !s->held) {
		cancel_job(s, s->fg);
		s->exit_status = 130;
		end_foreground(s);
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
	if (sim_step(s->w))
		return;
	sim_advance(s->w, next_stop(s, limit));
	sim_step(s->w);
}

static int64_t patience_limit(const struct shell *s)
{
	if (s->fg->wait == WAIT_TIME && s->fg->ncalls == 0)
		return INT64_MAX;
	return s->fg->start_ms + (int64_t)s->w->cfg.patience_s * 1000;
}

static void lose_patience(struct shell *s)
{
	buf_printf(&s->out, "interrupted: no end after %" PRIu32 " s (set patience N waits longer; COMMAND & leaves it running)\n",
		   s->w->cfg.patience_s);
	s->exit_status = 130;
	cancel_job(s, s->fg);
	end_foreground(s);
}

static void drive(struct shell *s)
{
	int64_t limit = patience_limit(s);

	run_event(s, limit);
	if (job_ready(s, s->fg))
		s->fg->resume(s, s->fg);
	poll_background(s);
	if (s->fg->wait == WAIT_NOTHING) {
		end_foreground(s);
	} else if (s->w->cfg.stepping) {
		s->held = true;
		shell_flush_notes(s);
	} else if (s->w->now_ms >= limit && !sim_pending(s->w)) {
		lose_patience(s);
	}
}

static void settle(struct shell *s)
{
	bool more = sim_step(s->w);

	poll_background(s);
	if (more || sim_pending(s->w))
		return;
	s->settling = false;
	shell_flush_notes(s);
}

void shell_begin_step(struct shell *s, struct step_goal goal)
{
	goal.limit_ms = s->w->now_ms + (int64_t)s->w->cfg.patience_s * 1000;
	s->goal = goal;
	s->in_step = true;
}

/* Runs one event and says whether a record of the wanted kind was made.  If the trace of the world does not keep
 * such records, one of our own listens for the time of the event and hands on what the other one keeps. */
static bool run_watched_event(struct shell *s)
{
	enum trace_kind kind = s->goal.until;
	enum trace_level need = kind == TRACE_LOG ? TRACE_RAFT : kind > TRACE_LOG ? TRACE_ALL : TRACE_STORY;
	struct trace *own = !s->trace || s->trace->level < need ? trace_new(need) : NULL, *t = own ? own : s->trace;
	uint64_t from = t->end;
	bool seen = false;

	s->w->trace = t;
	run_event(s, s->goal.limit_ms);
	s->w->trace = s->trace;
	for (uint64_t i = from < t->first ? t->first : from; i < t->end; i++) {
		const struct trace_record *r = trace_get(t, i);
		seen |= r->kind == kind;
		if (own && s->trace && r->level <= s->trace->level)
			trace_add(s->trace, r);
	}
	if (own)
		trace_free(own);
	return seen;
}

static bool step_reached(const struct shell *s, bool seen)
{
	bool open = s->fg && s->held;

	switch (s->goal.kind) {
	case STEP_EVENT:
		return true;
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
	if (s->fg && s->held) {
		if (job_ready(s, s->fg))
			resume_late(s, s->fg);
		if (s->fg->wait == WAIT_NOTHING) {
			recycle(s, s->fg);
			s->fg = NULL;
			s->held = false;
		}
	}
	poll_background(s);
	if (step_reached(s, seen) || s->w->now_ms >= s->goal.limit_ms) {
		s->in_step = false;
		shell_flush_notes(s);
	}
}

void shell_step(struct shell *s)
{
	if (s->in_step)
		step_once(s);
	else if (s->fg && !s->held)
		drive(s);
	else if (s->settling)
		settle(s);
}

/* Beginning. */

bool shell_continues(struct bytes line)
{
	return line_continues(line);
}

/* The text from the command's first word on, without the end of the line. */
static struct bytes command_text(struct bytes text, struct bytes word)
{
	if (word.p >= text.p && word.p < text.p + text.n)
		text = (struct bytes){word.p, (size_t)(text.p + text.n - word.p)};
	while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r' || text.p[text.n - 1] == ' '))
		text.n--;
	return text;
}

static struct job *new_job(struct shell *s, const struct command_row *row, struct bytes text)
{
	struct scratch *x = s->scratch;
	struct job *j = x->spare ? x->spare : xmalloc(sizeof *j);

	x->spare = NULL;
	memset(j, 0, sizeof *j);
	j->row = row;
	j->text = text;
	j->start_ms = s->w->now_ms;
	j->until_ms = INT64_MAX;
	j->timeout_ms = 5000;
	j->background = x->line.background;
	j->npipes = x->line.npipes;
	for (size_t i = 0; i < j->npipes; i++) {
		j->pipes[i] = x->line.pipes[i];
		if (j->pipes[i].text.n)
			j->pipes[i].text = command_keep(s, j->pipes[i].text);
	}
	return j;
}

/* What is to become of a job after its run function: done, in the background, or the command under way. */
static void place_job(struct shell *s, struct job *j, bool was_stepping)
{
	bool looks = j->row->group == GROUP_LOOKING || j->row->group == GROUP_SESSION;

	if (s->in_step) {
		recycle(s, j);
		return;
	}
	if (j->wait != WAIT_NOTHING && !j->background) {
		shell_release_held(s);
		s->fg = j;
		return;
	}
	if (j->wait == WAIT_NOTHING) {
		pipes_apply(&s->out, 0, j->pipes, j->npipes);
		recycle(s, j);
	} else {
		vec_push(&s->bg, j);
	}
	settle_or_flush(s, !was_stepping && !s->w->cfg.stepping && !looks);
}

static void run_job(struct shell *s, struct job *j, const struct bytes *words, size_t n)
{
	struct parsed *p = &s->scratch->parsed;
	struct buf *m = &s->scratch->message;
	bool was_stepping = s->w->cfg.stepping;

	buf_clear(m);
	p->text = j->text;
	if (!parse_flags(p, j->row, words, n, m))
		command_fail_message(s, j, STATUS_ERROR);
	else if (p->help)
		command_help(bytes_of(j->row->name), &s->out);
	else
		j->row->run(s, j, p);
	place_job(s, j, was_stepping);
}

/* Words of a line before its command's name: `as NAME`, and flags, which go behind it. */
struct prefix {
	struct bytes client; /* n == 0: none */
	size_t skip;         /* words in front of everything */
	size_t flags;        /* words of flags behind them */
};

static bool read_prefix(const struct line *l, struct prefix *p, struct buf *err)
{
	*p = (struct prefix){0};
	if (l->words.n && bytes_is(l->words.v[0], "as")) {
		if (l->words.n < 3) {
			buf_puts(err, "as NAME COMMAND: a command must follow, as in: as node-a get /registry/pods/ --prefix");
			return false;
		}
		p->client = l->words.v[1];
		p->skip = 2;
	}
	for (;;) {
		size_t at = p->skip + p->flags;
		size_t width = flag_width(&cmd_put, l->words.v + at, l->words.n - at);
		if (width == 0)
			return true;
		p->flags += width;
	}
}

/* The row that the line names, its flags in front moved behind the name.  *first: the first word behind the name. */
static const struct command_row *find_row(struct line *l, struct prefix *p, size_t *first, struct buf *err)
{
	size_t used = 0, at;

	if (!read_prefix(l, p, err))
		return NULL;
	at = p->skip + p->flags;
	const struct command_row *row = command_find(l->words.v + at, l->words.n - at, &used, err);
	if (!row)
		return NULL;
	memmove(l->words.v + p->skip + used, l->words.v + p->skip, p->flags * sizeof *l->words.v);
	*first = p->skip + used;
	return row;
}

/* `txn` without if or then as its first word that is no flag. */
static bool opens_block(const struct command_row *row, const struct bytes *words, size_t n)
{
	size_t i = 0, width;

	if (strcmp(row->name, "txn") != 0)
		return false;
	while ((width = flag_width(row, words + i, n - i)) > 0)
		i += width;
	return i >= n || !(bytes_is(words[i], "if") || bytes_is(words[i], "then"));
}

bool shell_opens_block(struct bytes line)
{
	struct line l = {0};
	struct buf err = {0};
	struct prefix p;
	size_t first;
	bool opens = false;

	if (memmem(line.p, line.n, "t", 1) && line_parse(&l, line, &err) && l.words.n) {
		const struct command_row *row = find_row(&l, &p, &first, &err);
		opens = row && opens_block(row, l.words.v + first, l.words.n - first);
	}
	line_free(&l);
	buf_free(&err);
	return opens;
}

/* The lines between the first one and `end`. */
static bool take_block(struct parsed *p, struct bytes rest, struct buf *err)
{
	struct bytes end = BYTES("\nend");

	while (rest.n && rest.p[rest.n - 1] == '\n')
		rest.n--;
	if (rest.n < end.n || memcmp(rest.p + rest.n - end.n, end.p, end.n) != 0) {
		buf_puts(err, "the transaction is not ended: a line `end` is missing (or write it in one line: txn if ... then ... else ...)");
		return false;
	}
	p->block = (struct bytes){rest.p + 1, rest.n - end.n ? rest.n - end.n - 1 : 0};
	if (rest.n > end.n)
		p->block.n++; /* with the last line's newline */
	return true;
}

static bool is_blank_text(struct bytes s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '\n' && s.p[i] != ' ' && s.p[i] != '\t' && s.p[i] != '\r')
			return false;
	return true;
}

/* An error of the line itself is no command: nothing has changed, and `why` explains the one before. */
static bool check_block(struct shell *s, const struct command_row *row, size_t first, struct buf *err)
{
	struct line *l = &s->scratch->line;
	struct parsed *p = &s->scratch->parsed;

	p->block = (struct bytes){0};
	if (opens_block(row, l->words.v + first, l->words.n - first))
		return take_block(p, l->rest, err);
	if (is_blank_text(l->rest))
		return true;
	buf_printf(err, "lines follow \"%s\": only txn takes a block", row->name);
	return false;
}

enum shell_result shell_begin(struct shell *s, struct bytes text, struct buf *err)
{
	struct line *l = &s->scratch->line;
	struct prefix prefix;
	size_t first;

	check_that(!shell_busy(s));
	if (!line_parse(l, text, err))
		return SHELL_MALFORMED;
	if (l->words.n == 0)
		return buf_clear(&s->out), SHELL_OK;
	const struct command_row *row = find_row(l, &prefix, &first, err);
	if (!row)
		return SHELL_MALFORMED;
	if (row->layer != LAYER_SHELL)
		return SHELL_NOT_HERE;
	if (!check_block(s, row, first, err))
		return SHELL_MALFORMED;
	buf_clear(&s->out);
	s->exit_status = STATUS_OK;
	struct job *j = new_job(s, row, command_text(text, l->words.v[prefix.skip]));
	if (prefix.client.n)
		j->client = command_keep(s, prefix.client).p;
	run_job(s, j, l->words.v + first, l->words.n - first);
	return SHELL_OK;
}
