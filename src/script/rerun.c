/* A script run again, with new recorded lines in the place of the old ones.
 *
 * Everything but recorded lines is copied as it stands.  Recorded lines that are still right are
 * copied too, so that comments between them stay where they are; else the new ones stand where the
 * first of the old ones stood, or right below the command.
 */
#include "script/rerun.h"

#include "script/diff.h"
#include "script/runner.h"
#include "script/scope.h"

struct rerun {
	const struct run_options *o;
	struct scope scope;
	struct runner runner;
	struct bytes left; /* of the file: not yet copied */
	bool want_output, want_trace;
	bool differs, printed;
	struct buf *out;
	struct diff diff;
	VEC(struct buf) fresh; /* recorded text that the diff points to */
};

/* --- copying */

static void keep(struct rerun *x, struct bytes text)
{
	if (x->o->mode == RUN_VERIFY)
		diff_keep(&x->diff, text);
	else
		buf_put_bytes(x->out, text);
}

static void replace(struct rerun *x, struct bytes old, struct bytes new)
{
	if (x->o->mode == RUN_VERIFY) {
		struct buf copy = {0};
		buf_put_bytes(&copy, new);
		vec_push(&x->fresh, copy);
		diff_replace(&x->diff, old, buf_bytes(&copy));
		return;
	}
	if (x->out->n && x->out->p[x->out->n - 1] != '\n')
		buf_putc(x->out, '\n');
	buf_put_bytes(x->out, new);
}

/* Cuts the file's next bytes up to p. */
static struct bytes cut_to(struct rerun *x, const char *p)
{
	struct bytes cut = {x->left.p, (size_t)(p - x->left.p)};

	x->left = (struct bytes){p, x->left.n - cut.n};
	return cut;
}

/* The end of a text in the file, and of its line. */
static const char *end_of_line(const struct rerun *x, struct bytes text)
{
	const char *p = text.p + text.n;

	return p < x->left.p + x->left.n && *p == '\n' ? p + 1 : p;
}

/* --- comparing */

static bool is_record(struct bytes line, char mark)
{
	return line.n && line.p[0] == mark && scope_line_kind(line) != LINE_WRONG;
}

/* Are the lines with this mark in a region the lines of the new text? */
static bool same_records(struct bytes region, char mark, struct bytes new)
{
	struct bytes old_line, new_line;

	while (scope_next_line(&region, &old_line)) {
		if (!is_record(old_line, mark))
			continue;
		if (!scope_next_line(&new, &new_line) || !bytes_eq(old_line, new_line))
			return false;
	}
	return new.n == 0;
}

/* The common case: a region that is just the new output and the new trace. */
static bool is_joined(struct bytes region, struct bytes output, struct bytes traced)
{
	if (!bytes_starts(region, output))
		return false;
	return bytes_eq((struct bytes){region.p + output.n, region.n - output.n}, traced);
}

static bool is_any_record(struct bytes line)
{
	return is_record(line, '|') || is_record(line, '~');
}

static bool has_records(struct bytes region)
{
	struct bytes line;

	while (scope_next_line(&region, &line))
		if (is_any_record(line))
			return true;
	return false;
}

/* Replaces the recorded lines of a region: the first run of them by everything new, later ones by
 * nothing. */
static void rewrite_region(struct rerun *x, struct bytes region, struct bytes new)
{
	struct bytes rest = region, line;
	const char *run = NULL; /* where a run of recorded lines began */

	if (!has_records(region)) {
		replace(x, (struct bytes){region.p, 0}, new);
		keep(x, region);
		return;
	}
	while (rest.n || run) {
		const char *at = rest.p;
		bool more = scope_next_line(&rest, &line);
		bool record = more && is_any_record(line);
		if (record && !run)
			run = at;
		if (!record && run) {
			replace(x, (struct bytes){run, (size_t)(at - run)}, new);
			new.n = 0;
			run = NULL;
		}
		if (more && !record)
			keep(x, (struct bytes){at, (size_t)(rest.p - at)});
	}
}

static void put_records(struct rerun *x, const struct scope_item *it, struct buf *out,
			struct buf *trace)
{
	bool trace_first = it->trace.n && it->output.n && it->trace.p < it->output.p;

	if (x->want_trace)
		buf_put_bytes(trace, buf_bytes(&x->runner.trace_text));
	if (trace_first) {
		buf_put_bytes(trace, buf_bytes(out));
		struct buf swap = *out;
		*out = *trace;
		*trace = swap;
	} else {
		buf_put_bytes(out, buf_bytes(trace));
	}
}

/* What stands between a command and the next one, with the recorded lines brought up to date. */
static void finish_region(struct rerun *x, const struct scope_item *it, struct bytes region)
{
	struct buf out = {0}, trace = {0};

	struct bytes traced =
	    x->want_trace ? buf_bytes(&x->runner.trace_text) : (struct bytes){"", 0};

	scope_put_outputs(&out, runner_output(&x->runner));
	x->printed = x->printed || out.n;
	if (is_joined(region, buf_bytes(&out), traced) ||
	    (same_records(region, '|', buf_bytes(&out)) && same_records(region, '~', traced))) {
		keep(x, region);
	} else {
		x->differs = true;
		put_records(x, it, &out, &trace);
		rewrite_region(x, region, buf_bytes(&out));
	}
	buf_free(&out);
	buf_free(&trace);
}

/* --- running */

static bool is_command(const struct scope_item *it)
{
	return it->kind == ITEM_COMMAND;
}

static const char *region_end(const struct rerun *x, size_t i)
{
	for (i++; i < x->scope.items.n; i++)
		if (is_command(&x->scope.items.v[i]))
			return x->scope.items.v[i].text.p;
	return x->scope.text.p + x->scope.text.n;
}

static void questions_before(struct rerun *x, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (x->scope.items.v[i].kind == ITEM_QUESTION)
			runner_question(&x->runner);
}

static bool rerun_item(struct rerun *x, size_t i, struct buf *err)
{
	const struct scope_item *it = &x->scope.items.v[i];
	struct buf what = {0};

	keep(x, cut_to(x, end_of_line(x, it->text)));
	bool ok = runner_command(&x->runner, it->text, &what);
	if (!ok)
		scope_error(err, x->scope.name, it->line, buf_str(&what));
	else
		finish_region(x, it, cut_to(x, region_end(x, i)));
	buf_free(&what);
	return ok;
}

static bool rerun_items(struct rerun *x, struct sink *flow, struct buf *err)
{
	size_t seen = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < x->scope.items.n && !x->runner.quit && !x->runner.violated;
	     i++) {
		if (!is_command(&x->scope.items.v[i]))
			continue;
		if (seen == 0)
			keep(x, cut_to(x, x->scope.items.v[i].text.p));
		questions_before(x, seen, i);
		seen = i + 1;
		ok = rerun_item(x, i, err);
		if (flow) {
			sink_put(flow, buf_bytes(x->out));
			buf_clear(x->out);
		}
	}
	if (ok && x->runner.violated && x->o->mode == RUN_TRANSCRIPT && x->left.n)
		keep(x, bytes_of("# A rule is broken: what follows has not run.\n"));
	if (ok)
		keep(x, x->left);
	return ok;
}

static enum rerun_result rerun_scope(struct rerun *x, struct sink *flow, struct buf *err)
{
	x->left = x->scope.text;
	x->want_trace = x->o->trace != TRACE_NONE || x->scope.has_trace;
	runner_init(&x->runner, x->o, !x->scope.has_questions, x->want_trace);
	diff_init(&x->diff, x->scope.name, x->out);
	bool ok = rerun_items(x, flow, err);
	struct buf rule = {0};
	bool holds = runner_end(&x->runner, &rule);
	if (ok && !holds)
		buf_printf(err, "%s: %s", x->scope.name, buf_str(&rule));
	buf_free(&rule);
	diff_end(&x->diff);
	for (size_t i = 0; i < x->fresh.n; i++)
		buf_free(&x->fresh.v[i]);
	vec_free(&x->fresh);
	runner_free(&x->runner);
	if (!ok)
		return RERUN_BROKEN;
	if (!holds)
		return RERUN_VIOLATED;
	bool recorded = x->scope.has_output || x->scope.has_trace;
	if (x->o->mode == RUN_VERIFY && x->printed && !recorded) {
		buf_clear(x->out);
		buf_printf(x->out, "%s: nothing recorded: run --update\n", x->scope.name);
	}
	return x->differs ? RERUN_DIFFERS : RERUN_SAME;
}

enum rerun_result rerun(const struct run_options *o, const char *name, struct bytes text,
			struct buf *out, struct sink *flow, struct buf *err)
{
	struct rerun x = {.o = o, .out = out};
	bool parsed = scope_parse(&x.scope, name, text, err);
	enum rerun_result result = RERUN_BROKEN;

	/* What stands before a broken line still has its transcript, and perhaps an earlier
	 * mistake. */
	if (parsed || o->mode == RUN_TRANSCRIPT) {
		struct buf earlier = {0};
		result = rerun_scope(&x, flow, &earlier);
		if (earlier.n) {
			buf_clear(err);
			buf_put_bytes(err, buf_bytes(&earlier));
		} else if (!parsed) {
			result = RERUN_BROKEN;
		}
		buf_free(&earlier);
	}
	scope_free(&x.scope);
	return result;
}
