/* What a player shows: the story of the present step, the command that ran last, branches; and its
 * inputs as a script. */
#include "script/player_state.h"

#include <stdio.h>

struct shell *player_shell(struct player *p)
{
	return p->drive.sh;
}

const struct world *player_world(const struct player *p)
{
	return p->drive.sh->w;
}

const struct trace *player_trace(const struct player *p)
{
	return p->trace;
}

struct player_mark player_mark(const struct player *p)
{
	const struct input *first = player_marked(p, p->at);

	return first ? first->mark : player_look(p);
}

size_t player_step_number(const struct player *p)
{
	return branch_step(p->b, p->at);
}

size_t player_steps(const struct player *p)
{
	return p->b->script ? p->nsteps : 0;
}

const char *player_title(const struct player *p)
{
	if (p->name && !p->b->script)
		return "free play";
	if (p->looks->title.n)
		return buf_str(&p->looks->title);
	return p->name ? p->name : "free play";
}

void player_set_title(struct player *p, const char *title)
{
	buf_clear(&p->looks->title);
	buf_puts(&p->looks->title, title);
}

/* --- story */

/* The texts of one kind from input i to input end, a line each. */
static const char *collect(const struct player *p, struct buf *out, enum item_kind kind, size_t i,
			   size_t end)
{
	buf_clear(out);
	for (; i < end; i++) {
		const struct input *in = p->b->inputs.v[i];
		if (in->kind != kind)
			continue;
		if (out->n)
			buf_putc(out, '\n');
		buf_put_bytes(out, input_text(in));
	}
	return buf_str(out);
}

static const char *story(const struct player *p, struct buf *out, enum item_kind kind, size_t k)
{
	return collect(p, out, kind, branch_step_begin(p->b, k).input,
		       branch_step_end(p->b, k).input);
}

const char *player_question(const struct player *p)
{
	return story(p, &p->looks->question, ITEM_QUESTION, branch_step(p->b, p->at));
}

const char *player_narration(const struct player *p)
{
	return story(p, &p->looks->narration, ITEM_NARRATION, branch_step(p->b, p->at));
}

const char *player_answer(const struct player *p)
{
	return story(p, &p->looks->answer, ITEM_ANSWER, branch_step(p->b, p->at));
}

const char *player_next_question(const struct player *p)
{
	size_t k = branch_step(p->b, p->at) + 1;

	if (k > p->b->starts.n)
		return "";
	const struct input *in = p->b->inputs.v[p->b->starts.v[k - 1]];
	return in->kind == ITEM_QUESTION ? in->text : "";
}

const char *player_next_answer(const struct player *p)
{
	size_t k = branch_step(p->b, p->at) + 1;

	return k > p->b->starts.n ? "" : story(p, &p->looks->next_answer, ITEM_ANSWER, k);
}

const char *player_end_text(const struct player *p)
{
	struct buf *b = &p->looks->end;

	buf_clear(b);
	if (p->at.input < p->b->inputs.n || p->under_way)
		return "";
	if (p->b->script && p->b->parent[0])
		buf_printf(b, "This is the end of branch %s: `branch %s` goes back.", p->b->name,
			   p->b->parent);
	else if (p->b->script)
		buf_puts(b, "This is the end.");
	return buf_str(b);
}

/* --- commands */

const char *player_command_text(const struct player *p)
{
	for (size_t i = p->at.input + p->under_way; i > 0; i--)
		if (p->b->inputs.v[i - 1]->kind == ITEM_COMMAND)
			return p->b->inputs.v[i - 1]->text;
	return "";
}

struct bytes player_output(const struct player *p)
{
	return buf_bytes(&p->drive.sh->out);
}

const char *player_next_text(const struct player *p)
{
	for (size_t i = p->at.input + p->under_way; i < p->b->inputs.n; i++)
		if (p->b->inputs.v[i]->kind == ITEM_COMMAND)
			return p->b->inputs.v[i]->text;
	return "";
}

const char *player_next_commands(const struct player *p)
{
	size_t k = branch_step(p->b, p->at) + 1;

	return k > p->b->starts.n ? "" : story(p, &p->looks->next_commands, ITEM_COMMAND, k);
}

const char *player_next_command(const struct player *p)
{
	size_t k = branch_step(p->b, p->at) + 1;

	if (k > p->b->starts.n)
		return "";
	for (size_t i = branch_step_end(p->b, k).input; i > branch_step_begin(p->b, k).input; i--)
		if (p->b->inputs.v[i - 1]->kind == ITEM_COMMAND)
			return p->b->inputs.v[i - 1]->text;
	return "";
}

/* --- branches */

const char *player_branch_name(const struct player *p)
{
	return p->b->name;
}

size_t player_branches(const struct player *p)
{
	return p->branches.n;
}

const char *player_branch_at(const struct player *p, size_t i)
{
	return p->branches.v[i]->name;
}

static size_t count_commands(const struct branch *b, size_t end)
{
	size_t n = 0;

	for (size_t i = 0; i < end; i++)
		n += b->inputs.v[i]->kind == ITEM_COMMAND;
	return n;
}

size_t player_commands(const struct player *p)
{
	return count_commands(p->b, p->b->inputs.n);
}

size_t player_branch_typed(const struct player *p, size_t i)
{
	const struct branch *b = p->branches.v[i];
	size_t n = 0;

	for (size_t k = b->from_input; k < b->inputs.n; k++)
		n += b->inputs.v[k]->typed;
	return n;
}

size_t player_typed(const struct player *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->branches.n; i++)
		n += player_branch_typed(p, i);
	return n;
}

/* "; left main in step 2, after `put a 1`" */
static void describe_origin(const struct branch *b, struct buf *out)
{
	size_t i = b->from_input;

	buf_printf(out, "; left %s in step %zu", b->parent, b->from_step);
	while (i > 0 && b->inputs.v[i - 1]->kind != ITEM_COMMAND)
		i--;
	if (i == 0)
		return;
	struct bytes rest = input_text(b->inputs.v[i - 1]), line = {0};
	scope_next_line(&rest, &line);
	buf_puts(out, ", after `");
	buf_put_bytes(out, line);
	buf_puts(out, rest.n ? " ...`" : "`");
}

void player_branch_describe(const struct player *p, size_t i, struct buf *out)
{
	const struct branch *b = p->branches.v[i];
	size_t n = count_commands(b, b->inputs.n);
	size_t step = branch_step(b, b == p->b ? p->at : b->left_at);

	buf_printf(out, "step %zu of %zu, %zu command%s", step, b->script ? p->nsteps : b->starts.n,
		   n, n == 1 ? "" : "s");
	if (b->parent[0])
		describe_origin(b, out);
}

/* --- as a script */

/* `new --NAME=VALUE ...` for what is not as a script finds it anyway; `history` and `check` are on
 * in every session. */
static void write_settings(const struct config *cfg, struct buf *out)
{
	struct buf value = {0};
	bool any = false;

	for (size_t i = 0; i < config_nsettings(); i++) {
		const struct setting *s = config_setting(i);
		buf_clear(&value);
		config_get(cfg, s->name, &value);
		if (strcmp(buf_str(&value), s->fallback) == 0 || strcmp(s->name, "history") == 0 ||
		    strcmp(s->name, "check") == 0)
			continue;
		buf_printf(out, "%s --%s=%s", any ? "" : "new", s->name, buf_str(&value));
		any = true;
	}
	if (any)
		buf_putc(out, '\n');
	buf_free(&value);
}

static void write_input(const struct input *in, struct buf *out, bool with_output)
{
	static const char *const mark[] = {[ITEM_COMMAND] = "",
					   [ITEM_NARRATION] = "# ",
					   [ITEM_QUESTION] = "#? ",
					   [ITEM_ANSWER] = "#= ",
					   [ITEM_BLANK] = ""};

	if (in->kind != ITEM_BLANK)
		buf_puts(out, mark[in->kind]);
	buf_put_bytes(out, input_text(in));
	buf_putc(out, '\n');
	if (with_output && in->noutput)
		scope_put_outputs(out, (struct bytes){in->output, in->noutput});
}

void player_write(const struct player *p, struct buf *out, bool with_output)
{
	write_settings(&p->drive.base, out);
	for (size_t i = 0; i < p->b->inputs.n; i++)
		write_input(p->b->inputs.v[i], out, with_output);
}

void player_write_all(struct player *p, struct buf *out)
{
	struct player_position at = p->at;
	size_t fresh = branch_fresh(p->b), n = p->b->inputs.n;
	bool all_done = n == 0 || p->b->inputs.v[n - 1]->done;

	p->aside = true;
	if (!all_done)
		player_jump(p, player_end(p), false);
	player_write(p, out, true);
	if (!all_done)
		player_jump(p, at, false);
	branch_forget(p->b, fresh);
	p->aside = false;
}
