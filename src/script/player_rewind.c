/* back and goto as lines of a script (design.md 6).
 *
 * On the time line of a script such a line is an input like any other: behind it the world is what
 * it was where the line goes back to.  What stood between stays on the time line, and one can step
 * back to it.
 */
#include "script/player_state.h"

#include <string.h>

#include "cmd/words.h"

typedef VEC(size_t) index_list;

/* The inputs that made the world what it is before input `end`, newest first. */
static void path_before(const struct player *p, size_t end, index_list *path)
{
	for (size_t i = end; i > 0;) {
		const struct input *in = p->b->inputs.v[i - 1];
		if (!in->rewinds)
			vec_push(path, i - 1);
		i = in->rewinds ? in->rewind_to : i - 1;
	}
}

static bool begins_step(const struct player *p, size_t input)
{
	for (size_t k = 0; k < p->b->starts.n; k++)
		if (p->b->starts.v[k] == input)
			return true;
	return false;
}

/* A whole number from 1 on; 0: it is none. */
static uint64_t whole_number(struct bytes word)
{
	uint64_t n = 0;

	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] < '0' || word.p[i] > '9' || n > UINT32_MAX)
			return 0;
		n = n * 10 + (uint64_t)(word.p[i] - '0');
	}
	return n;
}

/* The beginning of the last step or command but N - 1, of those that led here. */
static bool find_back(const struct player *p, const struct bytes *w, size_t n, size_t *to,
		      struct buf *err)
{
	bool commands = n && bytes_is(w[0], "command");
	size_t i = n && (commands || bytes_is(w[0], "step"));
	uint64_t times = i < n ? whole_number(w[i]) : 1;
	index_list path = {0};

	if (times == 0 || i + 1 < n) {
		buf_puts(err, "a script that is stepped through takes back [step|command] [N]");
		return false;
	}
	path_before(p, p->at.input, &path);
	for (size_t k = 0; k < path.n && times; k++) {
		*to = path.v[k];
		times -= commands ? p->b->inputs.v[*to]->kind == ITEM_COMMAND : begins_step(p, *to);
	}
	vec_free(&path);
	if (times || *to < player_floor(p).input)
		buf_puts(err, "there is nothing before this");
	return err->n == 0;
}

/* The end of step K, as it stands on the line. */
static bool find_goto(const struct player *p, const struct bytes *w, size_t n, size_t *to,
		      struct buf *err)
{
	uint64_t step = n == 1 ? whole_number(w[0]) : 0;

	if (step && step < p->b->starts.n && p->b->starts.v[step] <= p->at.input) {
		*to = p->b->starts.v[step];
		return true;
	}
	buf_puts(err, "a script that is stepped through takes goto K, and step K is over");
	return false;
}

/* Runs to the beginning of another input without being there. */
static void take_world_of(struct player *p, size_t to)
{
	struct player_position here = p->at, target = {to, 0};
	uint64_t work = p->work;

	player_restore(p, p->b->points.v[branch_point(p->b, target)]);
	while (position_cmp(p->at, target) < 0 && player_advance(p))
		;
	p->at = here;
	p->work = work;
	/* What was traced before is not this world's past: a number that no record has had yet. */
	drive_reset_trace(p->trace, (uint64_t)(here.input + 1) << 32);
	buf_clear(&p->drive.sh->out);
}

bool player_begin_rewind(struct player *p, struct input *in)
{
	const struct command_row *row = drive_row(input_text(in));
	struct line line = {0};
	struct buf err = {0};
	bool found = false;

	if (!row || row->layer != LAYER_PLAYER)
		return false;
	if (in->rewinds) {
		take_world_of(p, in->rewind_to);
		return true;
	}
	if (line_parse(&line, input_text(in), &err)) {
		const struct bytes *w = line.words.v + 1;
		size_t n = line.words.n - 1;
		if (strcmp(row->name, "back") == 0)
			found = find_back(p, w, n, &in->rewind_to, &err);
		else if (strcmp(row->name, "goto") == 0)
			found = find_goto(p, w, n, &in->rewind_to, &err);
		else
			buf_printf(&err, "%s has no effect in a script that is stepped through",
				   row->name);
	}
	line_free(&line);
	if (found) {
		in->rewinds = true;
		take_world_of(p, in->rewind_to);
	} else {
		buf_clear(&p->drive.sh->out);
		buf_printf(&p->drive.sh->out, "%s:%zu: %s\n", p->name ? p->name : "input", in->line,
			   buf_str(&err));
	}
	buf_free(&err);
	return true;
}
