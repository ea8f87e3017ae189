/* A shell, and how a command begins: its line is read, its row found, its flags parsed, and its run
 * function called, which says what the command waits for.  drive.c goes on from there.
 */
#include "cmd/shell.h"

#include <stdlib.h>

#include "check/check.h"
#include "cmd/block.h"
#include "cmd/command.h"
#include "cmd/drive.h"
#include "cmd/pipes.h"
#include "cmd/rows.h"
#include "cmd/rules.h"
#include "cmd/scratch.h"

struct shell *shell_new(const struct config *cfg, struct trace *trace)
{
	struct shell *s = xcalloc(1, sizeof *s);

	s->w = world_new(cfg, trace);
	s->trace = trace;
	rules_begin(s);
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
	c->checker = s->checker ? check_copy(s->checker) : NULL;
	copy_buf(&c->out, &s->out);
	copy_buf(&c->late, &s->late);
	copy_buf(&c->last_error, &s->last_error);
	c->fg = s->fg ? copy_job(s->fg) : NULL;
	c->bg.v = NULL;
	c->bg.n = c->bg.cap = 0;
	for (size_t i = 0; i < s->bg.n; i++)
		vec_push(&c->bg, copy_job(s->bg.v[i]));
	c->on_event.v = NULL;
	c->on_event.n = c->on_event.cap = 0;
	for (size_t i = 0; i < s->on_event.n; i++)
		vec_push(&c->on_event, s->on_event.v[i]);
	c->scratch = xcalloc(1, sizeof *c->scratch);
	return c;
}

void shell_free(struct shell *s)
{
	if (!s)
		return;
	check_free(s->checker);
	world_free(s->w);
	buf_free(&s->out);
	buf_free(&s->late);
	buf_free(&s->last_error);
	for (size_t i = 0; i < s->bg.n; i++)
		free(s->bg.v[i]);
	vec_free(&s->bg);
	vec_free(&s->on_event);
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

bool shell_continues(struct bytes line)
{
	return line_continues(line);
}

/* The text from the command's first word on, without the end of the line. */
static struct bytes command_text(struct bytes text, struct bytes word)
{
	if (word.p >= text.p && word.p < text.p + text.n)
		text = (struct bytes){word.p, (size_t)(text.p + text.n - word.p)};
	while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r' ||
			  text.p[text.n - 1] == ' '))
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

static bool only_looks(const struct command_row *row)
{
	return row->group == GROUP_LOOKING || row->group == GROUP_SESSION;
}

/* What is to become of a job after its run function: done, in the background, or the command under
 * way. */
static void place_job(struct shell *s, struct job *j, bool was_stepping)
{
	/* Who only looks must not set going what is left of an open request. */
	bool looks = only_looks(j->row);

	if (s->in_step) {
		shell_recycle(s, j);
		return;
	}
	bool over = shell_job_over(s, j);
	if (!over && !j->background) {
		shell_release_held(s);
		s->fg = j;
		return;
	}
	if (over) {
		pipes_apply(&s->out, 0, j->pipes, j->npipes);
		shell_recycle(s, j);
		if (!looks) /* a kill ends what was pending at the member, without any event */
			shell_poll_background(s);
	} else {
		vec_push(&s->bg, j);
	}
	shell_settle_or_flush(s, !was_stepping && !s->w->cfg.stepping && !looks);
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
	size_t skip;	     /* words in front of everything */
	size_t flags;	     /* words of flags behind them */
};

static bool read_prefix(const struct line *l, struct prefix *p, struct buf *err)
{
	*p = (struct prefix){0};
	if (l->words.n && bytes_is(l->words.v[0], "as")) {
		if (l->words.n < 3) {
			buf_puts(err, "as NAME COMMAND: a command must follow, as in: as node-a "
				      "get /registry/pods/ --prefix");
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

/* The row that the line names, its flags in front moved behind the name.  *first: the first word
 * behind the name. */
static const struct command_row *find_row(struct line *l, struct prefix *p, size_t *first,
					  struct buf *err)
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

enum shell_block shell_opens_block(struct bytes line)
{
	struct line l = {0};
	struct buf err = {0};
	struct prefix p;
	size_t first;
	enum shell_block opens = BLOCK_NONE;

	if (block_may_open(line) && line_parse(&l, line, &err) && l.words.n) {
		const struct command_row *row = find_row(&l, &p, &first, &err);
		if (row)
			opens = block_opens(row, l.words.v + first, l.words.n - first);
	}
	line_free(&l);
	buf_free(&err);
	return opens;
}

static bool is_blank_text(struct bytes s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '\n' && s.p[i] != ' ' && s.p[i] != '\t' && s.p[i] != '\r')
			return false;
	return true;
}

/* The block that belongs to a transaction, to watch -i or to a password, and none to others. */
static bool check_block(const struct line *l, const struct command_row *row, size_t first,
			struct bytes *block, struct buf *err)
{
	enum shell_block kind = block_opens(row, l->words.v + first, l->words.n - first);

	*block = (struct bytes){0};
	if (kind)
		return block_take(block, l->rest, kind, err);
	if (is_blank_text(l->rest))
		return true;
	buf_printf(err, "lines follow \"%s\": only txn and watch -i take a block", row->name);
	return false;
}

/* Finds the row of a line that is not empty, and the block that belongs to it. */
static enum shell_result read_command(struct line *l, struct prefix *prefix,
				      const struct command_row **row, size_t *first,
				      struct bytes *block, struct buf *err)
{
	*row = find_row(l, prefix, first, err);
	if (!*row)
		return SHELL_MALFORMED;
	if ((*row)->layer != LAYER_SHELL)
		return SHELL_NOT_HERE;
	return check_block(l, *row, *first, block, err) ? SHELL_OK : SHELL_MALFORMED;
}

enum shell_result shell_check(struct bytes text, struct buf *err)
{
	struct line line = {0};
	struct prefix prefix;
	const struct command_row *row;
	size_t first;
	struct bytes block;
	enum shell_result result = SHELL_MALFORMED;

	if (line_parse(&line, text, err))
		result = line.words.n ? read_command(&line, &prefix, &row, &first, &block, err)
				      : SHELL_OK;
	line_free(&line);
	return result;
}

void shell_run_again(struct shell *s, struct job *j)
{
	struct line line = {0};
	struct parsed p = {0};
	struct prefix prefix;
	const struct command_row *row;
	struct buf err = {0};
	size_t first;

	/* It was read before: nothing is wrong with it. */
	check_that(line_parse(&line, j->text, &err));
	check_that(read_command(&line, &prefix, &row, &first, &p.block, &err) == SHELL_OK);
	p.text = j->text;
	check_that(parse_flags(&p, row, line.words.v + first, line.words.n - first, &err));
	row->run(s, j, &p);
	parsed_free(&p);
	line_free(&line);
	buf_free(&err);
}

enum shell_result shell_begin(struct shell *s, struct bytes text, struct buf *err)
{
	struct line *l = &s->scratch->line;
	const struct command_row *row;
	struct prefix prefix;
	size_t first;

	check_that(!shell_busy(s));
	if (!line_parse(l, text, err))
		return SHELL_MALFORMED;
	if (l->words.n == 0)
		return buf_clear(&s->out), SHELL_OK;
	enum shell_result result =
	    read_command(l, &prefix, &row, &first, &s->scratch->parsed.block, err);
	if (result != SHELL_OK)
		return result;
	buf_clear(&s->out);
	if (!s->looked)
		s->status_before = s->exit_status;
	s->looked = only_looks(row);
	s->exit_status = STATUS_OK;
	s->started_watch = 0;
	struct job *j = new_job(s, row, command_text(text, l->words.v[prefix.skip]));
	if (prefix.client.n)
		j->client = command_keep(s, prefix.client).p;
	run_job(s, j, l->words.v + first, l->words.n - first);
	if (row->group == GROUP_FAULTS)
		rules_fault(s);
	return SHELL_OK;
}
