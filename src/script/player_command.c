/* The commands that move: back, goto, continue, branch (design.md 3 and 5). */
#include "script/player_state.h"

#include <stdlib.h>

#include "cmd/words.h"

static bool nothing_before(struct buf *err)
{
	buf_puts(err, "there is nothing before this: `goto K` goes to step K, `branch` lists the "
		      "branches");
	return false;
}

static bool nothing_after(const struct player *p, struct buf *err)
{
	const char *text = player_end_text(p);

	if (p->b->parent[0] && text[0])
		buf_puts(err, text);
	else
		buf_puts(err,
			 "there is nothing after this: `goto K` goes to step K, `branch` lists "
			 "the branches");
	return false;
}

static bool usage(const struct command_row *row, struct buf *err)
{
	buf_printf(err, "%s is not used like that: %s", row->name, row->usage);
	if (row->example && strcmp(row->example, row->usage) != 0)
		buf_printf(err, ", as in %s", row->example);
	return false;
}

/* A whole number from 1 on. */
static bool number(struct bytes word, uint64_t *n)
{
	*n = 0;
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] < '0' || word.p[i] > '9' || *n > UINT32_MAX)
			return false;
		*n = *n * 10 + (uint64_t)(word.p[i] - '0');
	}
	return word.n > 0;
}

/* --- back [step|event|command] [N] */

static bool run_back(struct player *p, const struct command_row *row, const struct bytes *w,
		     size_t n, struct buf *err)
{
	bool (*back)(struct player *) = player_back;
	uint64_t times = 1;
	size_t i = 0;

	if (i < n && bytes_is(w[i], "event"))
		back = player_back_event;
	else if (i < n && bytes_is(w[i], "command"))
		back = player_back_command;
	i += i < n && (back != player_back || bytes_is(w[i], "step"));
	if (i < n && (!number(w[i++], &times) || times == 0))
		return usage(row, err);
	if (i < n)
		return usage(row, err);
	if (!back(p))
		return nothing_before(err);
	while (--times && !(p->interrupt && *p->interrupt) && back(p))
		;
	return true;
}

/* --- goto K, goto K.E */

static bool run_goto(struct player *p, const struct command_row *row, const struct bytes *w,
		     size_t n, struct buf *err)
{
	uint64_t step, event = 0;

	if (n != 1)
		return usage(row, err);
	const char *dot = memchr(w[0].p, '.', w[0].n);
	struct bytes head = {w[0].p, dot ? (size_t)(dot - w[0].p) : w[0].n};
	if (!number(head, &step))
		return usage(row, err);
	if (dot && !number((struct bytes){dot + 1, w[0].n - head.n - 1}, &event))
		return usage(row, err);
	if (dot && event == 0)
		event = UINT64_MAX;
	if (player_goto(p, step, event))
		return true;
	if (step > p->b->starts.n && step <= player_steps(p))
		buf_printf(err, "branch %s ends in step %zu: `branch %s` goes back", p->b->name,
			   p->b->starts.n, p->b->parent);
	else if (step > p->b->starts.n)
		buf_printf(err, "there is no step %llu: the last one is %zu",
			   (unsigned long long)step, p->b->starts.n);
	else
		buf_printf(err, "step %llu has no event %llu: it is shorter",
			   (unsigned long long)step, (unsigned long long)event);
	return false;
}

/* --- continue */

static bool run_continue(struct player *p, const struct command_row *row, size_t n, struct buf *err)
{
	if (n)
		return usage(row, err);
	return player_step(p) || nothing_after(p, err);
}

/* --- branch, branch NAME */

static void list_branches(const struct player *p, struct buf *out)
{
	for (size_t i = 0; i < p->branches.n; i++) {
		const struct branch *b = p->branches.v[i];
		buf_printf(out, "%c %s: ", b == p->b ? '*' : ' ', b->name);
		player_branch_describe(p, i, out);
		buf_putc(out, '\n');
	}
}

static bool run_branch(struct player *p, const struct command_row *row, const struct bytes *w,
		       size_t n, struct buf *out, struct buf *err)
{
	if (n > 1)
		return usage(row, err);
	if (n == 0) {
		list_branches(p, out);
		return true;
	}
	struct buf name = {0};
	buf_put_bytes(&name, w[0]);
	bool ok = player_switch(p, buf_str(&name));
	if (!ok) {
		buf_printf(err, "there is no branch %s: there is main", buf_str(&name));
		for (size_t i = 1; i < p->branches.n; i++)
			buf_printf(err, ", %s", p->branches.v[i]->name);
	}
	buf_free(&name);
	return ok;
}

static bool run_row(struct player *p, const struct command_row *row, const struct bytes *w,
		    size_t n, struct buf *out, struct buf *err)
{
	if (strcmp(row->name, "back") == 0)
		return run_back(p, row, w, n, err);
	if (strcmp(row->name, "goto") == 0)
		return run_goto(p, row, w, n, err);
	if (strcmp(row->name, "continue") == 0)
		return run_continue(p, row, n, err);
	return run_branch(p, row, w, n, out, err);
}

enum shell_result player_command(struct player *p, struct bytes text, struct buf *out,
				 struct buf *err)
{
	struct line line = {0};
	size_t used = 0;
	enum shell_result result = SHELL_MALFORMED;

	if (line_parse(&line, text, err) && line.words.n) {
		const struct command_row *row =
		    command_find(line.words.v, line.words.n, &used, err);
		if (row && row->layer != LAYER_PLAYER)
			result = SHELL_NOT_HERE;
		else if (row && run_row(p, row, line.words.v + used, line.words.n - used, out, err))
			result = SHELL_OK;
	}
	line_free(&line);
	return result;
}
