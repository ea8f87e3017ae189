/* A script or a session that can be moved through: see player.h; player_run.c has the machinery. */
#include "script/player_state.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"

enum { MEMORY_LIMIT = 256 << 20 };

/* --- birth and death */

/* A branch "main" without inputs. */
static void begin_history(struct player *p)
{
	p->b = branch_new("main");
	vec_push(&p->branches, p->b);
	p->at = (struct player_position){0, 0};
	p->under_way = false;
	p->work = 0;
	p->next_point = 1;
	p->next_passing = UINT64_MAX;
	p->needed = p->drive.sh->w->heap->used;
}

static void end_history(struct player *p)
{
	for (size_t i = 0; i < p->branches.n; i++)
		branch_free(p->branches.v[i]);
	vec_free(&p->branches);
	free(p->name);
	p->name = NULL;
}

struct player *player_around(const struct drive *d)
{
	struct player *p = xcalloc(1, sizeof *p);

	p->cfg = d->base;
	p->drive = *d;
	p->trace = d->trace;
	p->looks = xcalloc(1, sizeof *p->looks);
	p->memory_limit = MEMORY_LIMIT;
	p->stop_typed = UINT64_MAX;
	begin_history(p);
	return p;
}

struct player *player_adopt(const struct drive *d)
{
	struct player *p = player_around(d);

	player_save_point(p, false);
	return p;
}

struct player *player_new(const struct config *cfg)
{
	struct drive d;

	drive_init(&d, cfg, trace_new(TRACE_STORY), true);
	struct player *p = player_adopt(&d);
	p->from_start = p->numbering = true;
	return p;
}

void player_limit_memory(struct player *p, size_t bytes)
{
	p->memory_limit = bytes;
}

void player_release(struct player *p)
{
	end_history(p);
	buf_free(&p->looks->question);
	buf_free(&p->looks->narration);
	buf_free(&p->looks->answer);
	buf_free(&p->looks->next_answer);
	buf_free(&p->looks->next_commands);
	buf_free(&p->looks->title);
	buf_free(&p->looks->end);
	free(p->looks);
	free(p);
}

void player_free(struct player *p)
{
	if (!p)
		return;
	drive_free(&p->drive);
	trace_free(p->trace);
	player_release(p);
}

void player_interrupt_on(struct player *p, volatile sig_atomic_t *flag)
{
	p->interrupt = flag;
}

void player_on_interrupt(struct player *p,
			 void (*told)(void *arg, bool typed, struct player_position at), void *arg)
{
	p->told_interrupt = told;
	p->told_interrupt_arg = arg;
}

void player_interrupt_typed(struct player *p, uint64_t events)
{
	p->stop_typed = events;
}

bool player_interrupt_at(struct player *p, struct player_position at)
{
	if (at.input >= p->b->inputs.n || p->b->inputs.v[at.input]->begun)
		return false;
	p->b->inputs.v[at.input]->stop_at = at.event;
	return true;
}

uint64_t player_interrupts(const struct player *p)
{
	return p->interrupts;
}

void player_on_step_of_time(struct player *p, void (*told)(void *arg, struct bytes command),
			    void *arg)
{
	p->told = told;
	p->told_arg = arg;
}

void player_set_hooks(struct player *p, struct shell_hooks hooks, const char *format)
{
	p->drive.hooks = p->drive.sh->hooks = hooks;
	p->drive.format = p->drive.sh->format = format;
	for (size_t i = 0; i < p->branches.n; i++)
		for (size_t k = 0; k < p->branches.v[i]->points.n; k++) {
			struct drive *d = &p->branches.v[i]->points.v[k]->drive;
			d->hooks = d->sh->hooks = hooks;
			d->format = d->sh->format = format;
		}
}

/* --- scripts */

/* The scope's items as inputs.  Without questions a step begins behind the command before it, so
 * that what explains a command belongs to its step. */
static void add_items(struct branch *b, const struct scope *s)
{
	size_t since = 0;

	for (size_t i = 0; i < s->items.n; i++) {
		const struct scope_item *it = &s->items.v[i];
		bool command = it->kind == ITEM_COMMAND;
		branch_insert(b, b->inputs.n, input_new(it->kind, it->text, it->line),
			      it->kind == ITEM_QUESTION);
		if (command && !s->has_questions)
			vec_push(&b->starts, since);
		if (command)
			since = b->inputs.n;
	}
}

/* Mistakes are told when a script is opened, not when they are reached. */
bool player_check(const struct player *p, const struct scope *s, struct buf *err)
{
	struct buf what = {0};
	bool ok = true;

	if (s->items.n == 0) {
		buf_printf(err, "%s holds no command: a script has one on each line", s->name);
		return false;
	}
	for (size_t i = 0; ok && i < s->items.n; i++) {
		const struct scope_item *it = &s->items.v[i];
		ok = it->kind != ITEM_COMMAND || drive_check(&p->drive, it->text, &what);
		if (!ok)
			scope_error(err, s->name, it->line, buf_str(&what));
	}
	buf_free(&what);
	return ok;
}

bool player_load(struct player *p, const struct scope *s, struct buf *err)
{
	if (!player_check(p, s, err))
		return false;
	end_history(p);
	player_begin_world(p, !s->has_questions);
	p->from_start = true;
	p->numbering = !s->has_questions;
	p->name = xstrdup(s->name);
	buf_clear(&p->looks->title);
	begin_history(p);
	player_save_point(p, false);
	add_items(p->b, s);
	p->b->script = true;
	p->nsteps = p->b->starts.n;
	if (s->has_questions)
		player_run_to(p, branch_step_end(p->b, 0));
	return true;
}

/* --- moving */

struct player_position player_at(const struct player *p)
{
	return p->at;
}

struct player_position player_end(const struct player *p)
{
	return (struct player_position){p->b->inputs.n, 0};
}

struct player_position player_floor(const struct player *p)
{
	struct player_position end = branch_step_end(p->b, 0);

	/* What was typed at the start may be taken back. */
	for (size_t i = 0; i < end.input; i++)
		if (p->b->inputs.v[i]->typed && !p->b->inputs.v[i]->setup)
			end.input = i;
	return end;
}

bool player_seek(struct player *p, struct player_position at)
{
	if (position_cmp(at, player_end(p)) > 0)
		return false;
	player_jump(p, at, false);
	return true;
}

/* At the end of free play time goes on, as a command that can be recorded.  A script ends. */
static bool live_on(struct player *p)
{
	struct buf line = {0}, err = {0};
	const struct world *w = p->drive.sh->w;

	if (p->b->script)
		return false;
	if (w->cfg.stepping)
		buf_puts(&line, "step");
	else
		buf_printf(&line, "wait %lldms", (long long)(sim_next_ms(w) - w->now_ms));
	if (p->told)
		p->told(p->told_arg, buf_bytes(&line));
	bool ok = player_type(p, buf_bytes(&line), &err) == SHELL_OK;
	buf_free(&line);
	buf_free(&err);
	return ok;
}

bool player_step(struct player *p)
{
	size_t k = branch_step(p->b, p->at);
	bool at_end = position_cmp(p->at, branch_step_end(p->b, k)) >= 0;

	if (at_end && p->at.input == p->b->inputs.n)
		return live_on(p);
	player_jump(p, branch_step_end(p->b, at_end ? k + 1 : k), false);
	return true;
}

static bool next_is_command(const struct player *p)
{
	return p->under_way || p->b->inputs.v[p->at.input]->kind == ITEM_COMMAND;
}

/* Passes over everything up to the next command; false if there is none. */
static bool go_to_command(struct player *p)
{
	while (p->at.input < p->b->inputs.n && !next_is_command(p))
		player_advance(p);
	return p->at.input < p->b->inputs.n;
}

bool player_step_event(struct player *p)
{
	if (!go_to_command(p))
		return live_on(p);
	player_advance(p);
	player_write_interrupt(p);
	return true;
}

bool player_step_command(struct player *p)
{
	if (!go_to_command(p))
		return live_on(p);
	player_run_to(p, (struct player_position){p->at.input + 1, 0});
	player_write_interrupt(p);
	return true;
}

static bool back_to(struct player *p, struct player_position target)
{
	if (position_cmp(target, player_floor(p)) < 0)
		return false;
	player_jump(p, target, false);
	return true;
}

bool player_back(struct player *p)
{
	size_t k = branch_step(p->b, p->at);

	struct player_position begin = k ? branch_step_begin(p->b, k) : player_floor(p);

	return position_cmp(p->at, begin) > 0 && back_to(p, begin);
}

/* The index of the last command that has begun, plus 1; 0: none has. */
static size_t last_command(const struct player *p)
{
	size_t i = p->at.input + (p->at.event > 0);

	while (i > 0 && p->b->inputs.v[i - 1]->kind != ITEM_COMMAND)
		i--;
	return i;
}

bool player_back_event(struct player *p)
{
	size_t i = last_command(p);

	if (p->at.event > 1)
		return back_to(p, (struct player_position){p->at.input, p->at.event - 1});
	if (i == 0)
		return false;
	uint64_t events = p->at.event ? 1 : p->b->inputs.v[i - 1]->events;
	return back_to(p, (struct player_position){i - 1, events ? events - 1 : 0});
}

bool player_back_command(struct player *p)
{
	size_t i = last_command(p);

	return i > 0 && back_to(p, (struct player_position){i - 1, 0});
}

bool player_goto(struct player *p, size_t step, uint64_t event)
{
	if (step > p->b->starts.n)
		return false;
	if (event == 0) {
		player_jump(p, branch_step_end(p->b, step), false);
		return true;
	}
	player_jump(p, step ? branch_step_begin(p->b, step) : player_floor(p), false);
	if (event == UINT64_MAX)
		return true;
	for (; event > 0; event--) {
		if (!go_to_command(p) ||
		    branch_step(p->b, (struct player_position){p->at.input, 1}) != step)
			return false;
		player_advance(p);
	}
	return true;
}

bool player_switch(struct player *p, const char *branch)
{
	for (size_t i = 0; i < p->branches.n; i++) {
		struct branch *b = p->branches.v[i];
		if (strcmp(b->name, branch) != 0)
			continue;
		if (b != p->b) {
			p->b->left_at = p->at;
			p->b = b;
			player_jump(p, b->left_at, true);
		}
		return true;
	}
	return false;
}
