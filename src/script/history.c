/* What a player remembers: inputs, branches of them, and checkpoints. */
#include "script/history.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"

/* At most so many checkpoints of a branch are there only because somebody came by on the way back.
 */
enum { PASSING_MAX = 48 };

static char *copy_text(struct bytes text)
{
	char *p = xmalloc(text.n + 1);

	if (text.n)
		memcpy(p, text.p, text.n);
	p[text.n] = 0;
	return p;
}

struct input *input_new(enum item_kind kind, struct bytes text, size_t line)
{
	struct input *in = xcalloc(1, sizeof *in);

	in->kind = kind;
	in->line = line;
	in->text = copy_text(text);
	in->ntext = text.n;
	in->stop_at = UINT64_MAX;
	in->refs = 1;
	return in;
}

void input_set_text(struct input *in, struct bytes text)
{
	free(in->text);
	in->text = copy_text(text);
	in->ntext = text.n;
}

struct bytes input_text(const struct input *in)
{
	return (struct bytes){in->text, in->ntext};
}

static void input_drop(struct input *in)
{
	if (--in->refs)
		return;
	free(in->text);
	free(in->output);
	free(in);
}

void checkpoint_drop(struct checkpoint *c)
{
	if (--c->refs)
		return;
	drive_free(&c->drive);
	free(c);
}

int position_cmp(struct player_position a, struct player_position b)
{
	if (a.input != b.input)
		return a.input < b.input ? -1 : 1;
	return (a.event > b.event) - (a.event < b.event);
}

/* --- branches */

struct branch *branch_new(const char *name)
{
	struct branch *b = xcalloc(1, sizeof *b);

	snprintf(b->name, sizeof b->name, "%s", name);
	return b;
}

void branch_free(struct branch *b)
{
	for (size_t i = 0; i < b->inputs.n; i++)
		input_drop(b->inputs.v[i]);
	for (size_t i = 0; i < b->points.n; i++)
		checkpoint_drop(b->points.v[i]);
	vec_free(&b->inputs);
	vec_free(&b->starts);
	vec_free(&b->points);
	free(b);
}

struct branch *branch_fork(const struct branch *b, const char *name, struct player_position at)
{
	struct branch *f = branch_new(name);

	for (size_t i = 0; i < at.input; i++) {
		b->inputs.v[i]->refs++;
		vec_push(&f->inputs, b->inputs.v[i]);
	}
	for (size_t i = 0; i < b->starts.n && b->starts.v[i] < at.input; i++)
		vec_push(&f->starts, b->starts.v[i]);
	for (size_t i = 0; i < b->points.n && position_cmp(b->points.v[i]->at, at) <= 0; i++) {
		b->points.v[i]->refs++;
		vec_push(&f->points, b->points.v[i]);
	}
	f->script = b->script;
	snprintf(f->parent, sizeof f->parent, "%s", b->name);
	f->from_step = branch_step(b, at);
	f->from_input = at.input;
	return f;
}

void branch_insert(struct branch *b, size_t i, struct input *in, bool begins_step)
{
	size_t step = b->starts.n; /* the first that begins at i or later */

	while (step > 0 && b->starts.v[step - 1] >= i)
		b->starts.v[--step]++;
	if (begins_step) {
		check_that(step == b->starts.n);
		vec_push(&b->starts, i);
	}
	vec_push(&b->inputs, in);
	memmove(b->inputs.v + i + 1, b->inputs.v + i, (b->inputs.n - 1 - i) * sizeof *b->inputs.v);
	b->inputs.v[i] = in;
}

size_t branch_fresh(const struct branch *b)
{
	size_t i = b->inputs.n;

	while (i > 0 && !b->inputs.v[i - 1]->begun)
		i--;
	return i;
}

void branch_drop_points(struct branch *b, size_t i)
{
	while (b->points.n &&
	       position_cmp(b->points.v[b->points.n - 1]->at, (struct player_position){i, 0}) > 0)
		checkpoint_drop(b->points.v[--b->points.n]);
}

void branch_forget(struct branch *b, size_t i)
{
	branch_drop_points(b, i);
	for (; i < b->inputs.n; i++) {
		struct input *in = b->inputs.v[i];
		check_that(in->refs == 1);
		free(in->output);
		in->output = NULL;
		in->noutput = 0;
		in->begun = in->done = in->new_world = in->rewinds = false;
		in->events = 0;
		in->stop_at = UINT64_MAX;
	}
}

/* --- steps */

size_t branch_step(const struct branch *b, struct player_position at)
{
	size_t low = 0, high = b->starts.n; /* steps that begin before at, at least and at most */

	while (low < high) {
		size_t mid = (low + high) / 2;
		size_t s = b->starts.v[mid];
		if (s < at.input || (s == at.input && at.event))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct player_position branch_step_begin(const struct branch *b, size_t k)
{
	return (struct player_position){k ? b->starts.v[k - 1] : 0, 0};
}

struct player_position branch_step_end(const struct branch *b, size_t k)
{
	return (struct player_position){k < b->starts.n ? b->starts.v[k] : b->inputs.n, 0};
}

/* --- checkpoints */

size_t branch_point(const struct branch *b, struct player_position at)
{
	size_t low = 1, high = b->points.n; /* the first is the start: at or before everything */

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (position_cmp(b->points.v[mid]->at, at) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low - 1;
}

/* Throws away the checkpoint in passing that is farthest from position i. */
static void thin_out(struct branch *b, size_t i)
{
	size_t passing = 0, first = 0, last = 0;

	for (size_t k = 0; k < b->points.n; k++) {
		if (!b->points.v[k]->passing)
			continue;
		if (!passing++)
			first = k;
		last = k;
	}
	if (passing <= PASSING_MAX)
		return;
	size_t out = i - first > last - i ? first : last;
	checkpoint_drop(b->points.v[out]);
	vec_remove(&b->points, out);
}

void branch_add_point(struct branch *b, struct checkpoint *c)
{
	size_t i = b->points.n ? branch_point(b, c->at) + 1 : 0;

	vec_push(&b->points, c);
	memmove(b->points.v + i + 1, b->points.v + i, (b->points.n - 1 - i) * sizeof *b->points.v);
	b->points.v[i] = c;
	if (c->passing)
		thin_out(b, i);
}
