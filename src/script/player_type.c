/* Typing at a position: what becomes of the line, and of what stood behind the position.
 *
 *   it changes nothing             printed, and forgotten (player_line)
 *   nothing behind has run yet     one more input of this branch, inside the present step
 *   something behind has run       a branch: the old future is kept, the new one begins here
 *   in the middle of a command     a branch as well: what ran of the command becomes `step`s
 */
#include "script/player_state.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/words.h"

enum { RETYPED_MAX = 1000 };

/* Where a line comes from. */
enum source {
	FROM_SETUP,  /* begins no step */
	FROM_SCRIPT, /* a line of a script that is read line by line */
	FROM_PERSON  /* forgotten if it is refused before anything began */
};

/* --- branches */

static void name_branch(const struct player *p, char name[24])
{
	size_t n = p->branches.n; /* 1: "b" ... 25: "z", then b2 ... */

	if (n <= 25)
		snprintf(name, 24, "%c", (char)('a' + n));
	else
		snprintf(name, 24, "%c%zu", (char)('b' + (n - 1) % 25), (n - 1) / 25 + 1);
}

void player_fork(struct player *p, struct player_position at)
{
	char name[24];

	name_branch(p, name);
	struct branch *f = branch_fork(p->b, name, at);
	p->b->left_at = p->at;
	vec_push(&p->branches, f);
	p->b = f;
}

static void add_begun(struct player *p, struct input *in, struct player_mark mark, bool begins_step)
{
	if (p->at.input < branch_fresh(p->b))
		player_fork(p, p->at);
	in->begun = true;
	in->work = p->work++;
	in->mark = mark;
	branch_insert(p->b, p->at.input, in, begins_step);
}

/* --- lines that change nothing */

/* Is it about looking alone, whatever the world is like? */
static bool only_looks(struct bytes text)
{
	const struct command_row *row = drive_row(text);
	struct line line = {0};
	struct buf ignored = {0};
	bool parsed = row && line_parse(&line, text, &ignored);
	size_t n = parsed ? line.words.n : 0; /* the names in question are single words */
	bool looks = false;

	if (parsed && (strcmp(row->name, "trace") == 0 || strcmp(row->name, "set") == 0))
		looks = n <= (row->name[0] == 's' ? 2 : 1);
	else if (parsed)
		looks = row->group == GROUP_LOOKING || strcmp(row->name, "help") == 0 ||
			strcmp(row->name, "version") == 0 || strcmp(row->name, "check") == 0;
	for (size_t i = 0; i < n; i++)
		looks = looks || bytes_is(line.words.v[i], "--help");
	line_free(&line);
	buf_free(&ignored);
	return looks;
}

/* What a command that has begun would have changed. */
struct traces {
	uint64_t events, next_call, ntrace;
	size_t watches;
};

static struct traces traces_of(const struct shell *sh)
{
	const struct world *w = sh->w;

	return (struct traces){w->events, w->next_call, w->ntrace, w->watches.n};
}

/* Was the command refused before anything began? */
static bool was_refused(const struct shell *sh, const struct traces *before)
{
	struct traces now = traces_of(sh);

	return sh->exit_status != 0 && !shell_busy(sh) && now.events == before->events &&
	       now.next_call == before->next_call && now.ntrace == before->ntrace &&
	       now.watches == before->watches;
}

/* `why` explains it. */
static void keep_error(struct shell *to, const struct shell *from)
{
	buf_clear(&to->last_error);
	buf_put_bytes(&to->last_error, buf_bytes(&from->last_error));
	to->last_error_call = from->last_error_call;
}

/* A copy that takes a line even if a command is under way, which it holds.  It leaves nothing in
 * the trace. */
static struct shell *copy_aside(const struct player *p, bool looks)
{
	struct shell *sh = shell_copy(p->drive.sh);

	sh->w->trace = NULL;
	if (!looks)
		sh->trace = NULL;
	sh->in_step = sh->settling = false;
	sh->held = sh->fg != NULL;
	buf_clear(&sh->late);
	buf_clear(&sh->out);
	sh->w->notes.n = 0;
	return sh;
}

/* Runs a line where it can do no harm.  True: it changes something, and is still to be run. */
static bool try_aside(struct player *p, struct bytes text, enum shell_result *result,
		      struct buf *out, struct buf *err)
{
	bool looks = only_looks(text), changes = false;
	struct shell *sh = copy_aside(p, looks);
	struct traces before = traces_of(sh);

	*result = shell_begin(sh, text, err);
	sh->settling = false; /* of the command under way, not of this line */
	if (*result == SHELL_OK && was_refused(sh, &before))
		keep_error(p->drive.sh, sh);
	else if (*result == SHELL_OK)
		changes = !looks;
	if (*result == SHELL_OK && !changes)
		buf_put_bytes(out, buf_bytes(&sh->out));
	shell_free(sh);
	return changes;
}

/* --- typing between two inputs */

/* The shell is as it was before a line that was refused. */
static void forget_line(struct player *p, struct buf *kept, bool fresh, int status)
{
	struct shell *sh = p->drive.sh;

	buf_free(&sh->out);
	sh->out = *kept;
	sh->exit_status = status;
	p->drive.fresh = fresh;
}

static enum shell_result type_now(struct player *p, struct bytes text, enum source source,
				  struct buf *out, struct buf *err)
{
	struct player_mark mark = player_look(p);
	struct buf kept = p->drive.sh->out;
	struct traces before = traces_of(p->drive.sh);
	uint32_t world = p->drive.worlds;
	bool fresh = p->drive.fresh;
	int status = p->drive.sh->exit_status;

	p->used_before = p->drive.sh->w->heap->used;
	p->drive.sh->out = (struct buf){0};
	enum drive_result result = drive_begin(&p->drive, text, err);
	bool begun = result == DRIVE_BEGUN || result == DRIVE_DONE;
	bool refused =
	    result == DRIVE_BEGUN && source == FROM_PERSON && was_refused(p->drive.sh, &before);
	if (refused)
		buf_put_bytes(out, buf_bytes(&p->drive.sh->out));
	if (!begun || refused) {
		forget_line(p, &kept, fresh, status);
		return refused			   ? SHELL_OK
		       : result == DRIVE_MALFORMED ? SHELL_MALFORMED
						   : SHELL_NOT_HERE;
	}
	buf_free(&kept);
	struct input *in = input_new(ITEM_COMMAND, text, 0);
	in->typed = source == FROM_PERSON;
	in->setup = source == FROM_SETUP;
	if (in->typed) {
		in->stop_at = p->stop_typed;
		p->stop_typed = UINT64_MAX;
	}
	add_begun(p, in, mark, source != FROM_SETUP && !p->b->script);
	size_t end = p->at.input + 1;
	player_enter(p, result == DRIVE_BEGUN, world);
	player_run_to(p, (struct player_position){end, 0});
	buf_put_bytes(out, player_output(p));
	player_write_interrupt(p);
	return SHELL_OK;
}

/* --- typing inside a command */

static void retype(struct player *p, struct bytes text)
{
	struct buf out = {0}, err = {0};

	type_now(p, text, FROM_SCRIPT, &out, &err);
	buf_free(&out);
	buf_free(&err);
}

/* In the middle of a command, a new one is typed.  As a script it reads: stepping on, the command,
 * and `step` for each further event; so the branch is that. */
static void leave_inside(struct player *p)
{
	const struct input *in = p->b->inputs.v[p->at.input];
	const struct command_row *row = drive_row(input_text(in));
	uint64_t events = p->at.event;

	if (events > RETYPED_MAX || !row) {
		player_run_to(p, (struct player_position){p->at.input + 1, 0});
		return;
	}
	size_t step = branch_step(p->b, p->at);
	player_fork(p, (struct player_position){p->at.input, 0});
	p->b->from_step = step;
	size_t first = p->b->inputs.n;
	player_jump(p, player_end(p), true);
	if (!p->drive.sh->w->cfg.stepping)
		retype(p, BYTES("stepping on"));
	bool is_step = strcmp(row->name, "step") == 0;
	if (!is_step)
		retype(p, input_text(in));
	for (uint64_t i = is_step ? 0 : 1; i < events; i++)
		retype(p, BYTES("step"));
	/* The step may have begun with this command. */
	if (p->b->script && p->b->starts.n < step)
		vec_push(&p->b->starts, first);
}

/* --- new, where a script is shown */

static bool is_new(struct bytes text)
{
	const struct command_row *row = drive_row(text);

	return row && strcmp(row->name, "new") == 0;
}

/* The script stays in its branch; this one begins with nothing but the new world, and is free
 * play. */
static enum shell_result leave_script(struct player *p, struct bytes text)
{
	size_t step = branch_step(p->b, p->at);

	player_fork(p, (struct player_position){0, 0});
	p->b->script = false;
	p->b->from_step = step;
	player_jump(p, (struct player_position){0, 0}, true);
	struct input *in = input_new(ITEM_COMMAND, text, 0);
	in->setup = in->free_play = true;
	branch_insert(p->b, 0, in, false);
	player_run_to(p, player_end(p));
	return SHELL_OK;
}

/* --- from outside */

static bool is_for_the_shell(struct bytes text)
{
	const struct command_row *row = drive_row(text);

	return !row || row->layer == LAYER_SHELL || strcmp(row->name, "new") == 0;
}

enum shell_result player_type(struct player *p, struct bytes text, struct buf *err)
{
	struct buf out = {0};

	if (p->under_way && !is_for_the_shell(text))
		return SHELL_NOT_HERE;
	if (p->under_way)
		leave_inside(p);
	enum shell_result result = type_now(p, text, FROM_SCRIPT, &out, err);
	buf_free(&out);
	return result;
}

enum shell_result player_line(struct player *p, struct bytes text, struct buf *out, struct buf *err)
{
	bool new = is_new(text);
	enum shell_result result;

	if (new && !drive_check_new(&p->drive, text, err))
		return SHELL_MALFORMED;
	if (new && p->b->script)
		return leave_script(p, text);
	if (only_looks(text) || (p->under_way && !new)) {
		if (!try_aside(p, text, &result, out, err))
			return result;
		buf_clear(err);
	}
	if (p->under_way)
		leave_inside(p);
	return type_now(p, text, FROM_PERSON, out, err);
}

enum shell_result player_set_up(struct player *p, struct bytes text, struct buf *err)
{
	struct buf out = {0};
	enum shell_result result = type_now(p, text, FROM_SETUP, &out, err);

	buf_free(&out);
	return result;
}

void player_ask(struct player *p, struct bytes text)
{
	struct input *in = input_new(ITEM_QUESTION, text, 0);

	add_begun(p, in, player_look(p), true);
	drive_question(&p->drive);
	in->done = true;
	p->at.input++;
}
