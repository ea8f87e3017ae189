/* How a player runs inputs, and how it gets back to where it has been.
 *
 * Work is counted in inputs begun and events run.  Going forward leaves a checkpoint every
 * POINT_EVERY of it (some 250 puts), so a jump anywhere runs at most that much again, about 2 ms.
 * Closer ones would cost: what is written after a checkpoint copies the nodes that it shares, and
 * so many puts begin to touch the same nodes twice.  Going back one step would run half of that
 * again each time; so the way back leaves checkpoints in passing at a half, three quarters ... of
 * it, and the next step back finds one near.
 *
 * The trace ring always holds the records of the present step, as if one had come straight to it: a
 * checkpoint from which the ring cannot be continued is used only if it stands at or before the
 * beginning of the step.
 */
#include "script/player_state.h"

#include <stdlib.h>

#include "base/die.h"

enum {
	POINT_EVERY = 8192,
	POINT_INSIDE = 16384, /* in the middle of an input: only of long ones */
	PASSING_MIN = 48      /* a way back shorter than this is just run */
};

/* --- the numbers now */

static int64_t highest_revision(const struct world *w)
{
	int64_t rev = 0;

	for (unsigned n = 1; n <= w->nmembers; n++) {
		const struct member *m = w->members[n - 1];
		if (m && m->store.current_rev > rev)
			rev = m->store.current_rev;
	}
	return rev;
}

struct player_mark player_look(const struct player *p)
{
	const struct world *w = p->drive.sh->w;
	const struct member *m = w->members[world_counters_member(w) - 1];
	struct player_mark mark = {.events = w->events,
				   .ntrace = p->trace->end,
				   .rev = highest_revision(w),
				   .leader = world_leader(w),
				   .ms = w->now_ms};

	if (m && m->raft) {
		mark.term = raft_term(m->raft);
		mark.log = raft_last_index(m->raft);
		mark.committed = raft_commit(m->raft);
	}
	mark.applied = m ? m->applied : 0;
	return mark;
}

/* --- checkpoints */

void player_save_point(struct player *p, bool passing)
{
	struct checkpoint *c = xcalloc(1, sizeof *c);

	*c = (struct checkpoint){
	    .at = p->at,
	    .work = p->work,
	    .ntrace = p->trace->end,
	    .trace_event = p->trace->event,
	    .trace_ms = p->trace->now_ms,
	    .level = p->trace->level,
	    .under_way = p->under_way,
	    .passing = passing,
	    .refs = 1,
	    .drive = p->drive,
	};
	c->drive.sh = shell_copy(p->drive.sh);
	branch_add_point(p->b, c);
}

static void consider_point(struct player *p)
{
	const struct checkpoint *last = p->b->points.v[branch_point(p->b, p->at)];
	uint64_t every = p->under_way ? POINT_INSIDE : POINT_EVERY;

	if (position_cmp(last->at, p->at) != 0 && p->work - last->work >= every) {
		player_save_point(p, false);
		p->next_point = p->work + POINT_EVERY;
	} else {
		p->next_point = last->work + every;
	}
	if (p->next_point <= p->work)
		p->next_point = p->work + 1;
}

static void consider_passing(struct player *p)
{
	const struct checkpoint *last = p->b->points.v[branch_point(p->b, p->at)];
	uint64_t left = p->goal_work > p->work ? p->goal_work - p->work : 0;

	if (position_cmp(last->at, p->at) != 0)
		player_save_point(p, true);
	p->next_passing = left >= PASSING_MIN ? p->work + left / 2 : UINT64_MAX;
}

static void consider(struct player *p)
{
	if (p->work >= p->next_point)
		consider_point(p);
	if (p->work >= p->next_passing)
		consider_passing(p);
}

/* --- running */

static void finish_input(struct player *p)
{
	struct input *in = p->b->inputs.v[p->at.input];
	const struct buf *out = &p->drive.sh->out;

	if (!in->done) {
		size_t used = p->drive.sh->w->heap->used;
		p->needed += used - (used > p->used_before ? p->used_before : 0);
		in->done = true;
		in->events = p->at.event;
		if (!p->stopped.is)
			in->stop_at = UINT64_MAX; /* it ended before */
		if (in->kind == ITEM_COMMAND && out->n) {
			in->output = xmalloc(out->n);
			memcpy(in->output, out->p, out->n);
			in->noutput = out->n;
		}
	}
	p->at = (struct player_position){p->at.input + 1, 0};
	p->under_way = false;
	consider(p);
}

void player_enter(struct player *p, bool shell_began, uint32_t world)
{
	struct input *in = p->b->inputs.v[p->at.input];

	if (world != p->drive.worlds && !in->done) {
		in->new_world = true;
		in->mark = player_look(p);
	}
	p->under_way = shell_began && shell_busy(p->drive.sh);
	if (!p->under_way)
		finish_input(p);
}

static bool begin_command(struct player *p, struct input *in)
{
	struct buf err = {0};

	buf_clear(&p->drive.sh->out);
	enum drive_result result = drive_begin(&p->drive, input_text(in), &err);
	if (result == DRIVE_MALFORMED)
		buf_printf(&p->drive.sh->out, "%s:%zu: %s\n", p->name ? p->name : "input", in->line,
			   buf_str(&err));
	buf_free(&err);
	return result == DRIVE_BEGUN;
}

/* Behind the line the world is another one: what changes from here on is compared with it. */
static void end_rewind(struct player *p, struct input *in)
{
	if (in->rewinds && !in->done) {
		in->new_world = true;
		in->mark = player_look(p);
	}
	p->under_way = false;
	finish_input(p);
	if (in->rewinds && position_cmp(p->b->points.v[branch_point(p->b, p->at)]->at, p->at) != 0)
		player_save_point(p, false);
}

static void begin_input(struct player *p)
{
	struct input *in = p->b->inputs.v[p->at.input];
	uint32_t world = p->drive.worlds;

	p->used_before = p->drive.sh->w->heap->used;
	if (!in->begun) {
		in->begun = true;
		in->work = p->work;
		in->mark = player_look(p);
	}
	p->work++;
	if (in->kind == ITEM_QUESTION || in->free_play)
		drive_question(&p->drive);
	if (in->kind == ITEM_COMMAND && !in->typed && player_begin_rewind(p, in)) {
		end_rewind(p, in);
		return;
	}
	player_enter(p, in->kind == ITEM_COMMAND && begin_command(p, in), world);
}

static void run_event(struct player *p)
{
	struct input *in = p->b->inputs.v[p->at.input];

	player_consider_interrupt(p, in);
	shell_step(p->drive.sh);
	p->at.event++;
	p->work++;
	if (shell_busy(p->drive.sh)) {
		consider(p);
		return;
	}
	/* Ctrl-C came too late for the command, but what was to follow it stops. */
	if (!in->done && p->interrupt && *p->interrupt) {
		*p->interrupt = 0;
		p->interrupts++;
	}
	finish_input(p);
}

bool player_advance(struct player *p)
{
	if (!p->under_way) {
		if (p->at.input == p->b->inputs.n)
			return false;
		begin_input(p);
	}
	if (p->under_way)
		run_event(p);
	return true;
}

void player_run_to(struct player *p, struct player_position target)
{
	uint64_t before = p->interrupts;

	while (position_cmp(p->at, target) < 0 && player_advance(p))
		if (p->interrupts != before && !p->under_way)
			break;
	p->next_passing = UINT64_MAX;
}

/* --- jumping */

static void restore_trace(struct player *p, const struct checkpoint *c, bool continue_ring)
{
	if (continue_ring)
		trace_truncate(p->trace, c->ntrace);
	else
		drive_reset_trace(p->trace, c->ntrace);
	p->trace->level = c->level;
	p->trace->now_ms = c->trace_ms;
	p->trace->event = c->trace_event;
	p->trace->heap = p->drive.sh->w->heap;
}

static void restore(struct player *p, const struct checkpoint *c, bool continue_ring)
{
	struct shell_hooks hooks = p->drive.sh->hooks;
	struct shell *old = p->drive.sh;

	p->drive = c->drive;
	p->drive.sh = shell_copy(c->drive.sh);
	p->drive.hooks = p->drive.sh->hooks = hooks;
	shell_free(old);
	restore_trace(p, c, continue_ring);
	p->at = c->at;
	p->under_way = c->under_way;
	p->work = c->work;
	p->next_point = c->work + 1;
	p->next_passing = UINT64_MAX;
}

void player_restore(struct player *p, const struct checkpoint *c)
{
	restore(p, c, false);
}

/* The work at a position; 0 if it is not known yet. */
static uint64_t work_at(const struct player *p, struct player_position at)
{
	if (at.input >= p->b->inputs.n || !p->b->inputs.v[at.input]->begun)
		return 0;
	return p->b->inputs.v[at.input]->work + at.event;
}

/* The checkpoint to begin from with an empty ring: not behind the step's beginning, unless more
 * records lie between than the ring holds anyway. */
static size_t point_for_ring(const struct player *p, size_t i, struct player_position target)
{
	struct player_position begin = branch_step_begin(p->b, branch_step(p->b, target));
	const struct checkpoint *c = p->b->points.v[i];

	for (; i > 0; i--) {
		const struct checkpoint *k = p->b->points.v[i];
		if (position_cmp(k->at, begin) <= 0 || k->ntrace + TRACE_RING / 2 <= c->ntrace)
			break;
	}
	return i;
}

const struct input *player_marked(const struct player *p, struct player_position at)
{
	size_t k = branch_step(p->b, at);
	size_t first = k ? p->b->starts.v[k - 1] : player_floor(p).input;
	size_t i = at.input + (at.event > 0);

	if (i <= first)
		return NULL;
	while (--i > first)
		if (p->b->inputs.v[i]->new_world || p->b->inputs.v[i]->typed)
			break;
	return p->b->inputs.v[i];
}

/* Does the ring hold the target's step from its beginning to the checkpoint?  Its records point
 * into the heap of the world that made them, which lives as long as that world or a copy. */
static bool ring_serves(const struct player *p, const struct checkpoint *c,
			struct player_position target)
{
	const struct input *first = player_marked(p, target);
	uint64_t need = first ? first->mark.ntrace : 0;

	if (c->drive.sh->w->heap != p->drive.sh->w->heap || c->ntrace > p->trace->end ||
	    c->ntrace < p->trace->first)
		return false;
	return p->trace->first <= need || p->trace->first + TRACE_RING / 2 <= c->ntrace;
}

/* --- from the start */

void player_begin_world(struct player *p, bool numbering)
{
	struct shell_hooks hooks = p->drive.hooks;
	const char *format = p->drive.format;

	drive_reset_trace(p->trace, 0);
	drive_free(&p->drive);
	p->trace->level = TRACE_STORY;
	drive_init(&p->drive, &p->cfg, p->trace, numbering);
	p->drive.hooks = p->drive.sh->hooks = hooks;
	p->drive.format = p->drive.sh->format = format;
}

/* Forgets all checkpoints, so that the heap with everything in it goes, and runs to the present
 * position again. */
static void start_over(struct player *p)
{
	struct player_position at = p->at;

	for (size_t i = 0; i < p->branches.n; i++) {
		struct branch *b = p->branches.v[i];
		while (b->points.n)
			checkpoint_drop(b->points.v[--b->points.n]);
	}
	player_begin_world(p, p->numbering);
	p->at = (struct player_position){0, 0};
	p->under_way = false;
	p->work = 0;
	p->next_point = 1;
	p->next_passing = UINT64_MAX;
	player_save_point(p, false);
	struct checkpoint *start = p->b->points.v[0];
	for (size_t i = 0; i < p->branches.n; i++)
		if (p->branches.v[i] != p->b) {
			start->refs++;
			vec_push(&p->branches.v[i]->points, start);
		}
	player_run_to(p, at);
}

static void consider_memory(struct player *p)
{
	size_t used = p->drive.sh->w->heap->used;

	if (p->from_start && used > p->memory_limit && used / 3 > p->needed)
		start_over(p);
}

/* --- jumping */

void player_jump(struct player *p, struct player_position target, bool afresh)
{
	size_t i = branch_point(p->b, target);
	const struct checkpoint *c = p->b->points.v[i];
	bool forward = !afresh && position_cmp(p->at, target) <= 0;

	if (!forward && !afresh && ring_serves(p, c, target)) {
		restore(p, c, true);
	} else {
		c = p->b->points.v[point_for_ring(p, i, target)];
		if (!forward || position_cmp(c->at, p->at) > 0)
			restore(p, c, false);
	}
	p->goal_work = work_at(p, target);
	if (!forward && p->goal_work >= p->work + PASSING_MIN)
		p->next_passing = p->work + (p->goal_work - p->work) / 2;
	player_run_to(p, target);
	if (!forward)
		consider_memory(p);
	player_write_interrupt(p);
}
