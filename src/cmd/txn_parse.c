#include "cmd/txn_parse.h"

#include <stdint.h>

#include "cmd/go_number.h"
#include "cmd/go_quote.h"
#include "cmd/scratch.h"

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void drop(struct bytes *s, size_t n)
{
	s->p += n;
	s->n -= n;
}

static void skip_space(struct bytes *s)
{
	while (s->n && is_space(s->p[0]))
		drop(s, 1);
}

/* What Sscanf got for "%q) %s %q". */
struct scanned {
	int n;
	struct buf key, value;
	struct bytes op;
};

/* %q */
static bool scan_quoted(struct bytes *s, struct buf *out)
{
	struct buf text = {0};
	size_t used;
	bool ok;

	skip_space(s);
	ok = go_unquote(*s, &used, &text);
	drop(s, used);
	if (ok)
		buf_put_bytes(out, buf_bytes(&text));
	buf_free(&text);
	return ok;
}

/* A blank of the format: at least one, or the end. */
static bool scan_blank(struct bytes *s)
{
	bool ok = s->n == 0 || is_space(s->p[0]);

	skip_space(s);
	return ok;
}

static void scan(struct bytes s, struct scanned *r)
{
	if (!scan_quoted(&s, &r->key))
		return;
	r->n = 1;
	if (s.n == 0 || s.p[0] != ')')
		return;
	drop(&s, 1);
	if (!scan_blank(&s) || s.n == 0)
		return;
	r->op.p = s.p;
	while (r->op.n < s.n && !is_space(s.p[r->op.n]))
		r->op.n++;
	drop(&s, r->op.n);
	r->n = 2;
	if (scan_blank(&s) && scan_quoted(&s, &r->value))
		r->n = 3;
}

static bool fail(struct shell *s, struct job *j, enum exit_status status, const char *what,
		 struct bytes line, const char *why)
{
	struct buf *m = &s->scratch->message;

	buf_clear(m);
	buf_puts(m, what);
	buf_put_bytes(m, line);
	buf_puts(m, why);
	command_fail_message(s, j, status);
	return false;
}

static bool malformed(struct shell *s, struct job *j, struct bytes line, struct bytes target,
		      const struct scanned *r)
{
	struct buf *m = &s->scratch->message;

	buf_clear(m);
	buf_puts(m, "malformed comparison: ");
	buf_put_bytes(m, line);
	buf_puts(m, "; got ");
	buf_put_bytes(m, target);
	buf_putc(m, '(');
	go_quote(m, buf_bytes(&r->key));
	buf_puts(m, ") ");
	buf_put_bytes(m, r->op);
	buf_putc(m, ' ');
	go_quote(m, buf_bytes(&r->value));
	command_fail_message(s, j, STATUS_INVALID_INPUT);
	return false;
}

static bool read_target(struct bytes w, enum compare_target *out)
{
	static const struct {
		const char *name;
		enum compare_target target;
	} names[] = {
	    {"ver", COMPARE_VERSION},	{"version", COMPARE_VERSION}, {"c", COMPARE_CREATE},
	    {"create", COMPARE_CREATE}, {"m", COMPARE_MOD},	      {"mod", COMPARE_MOD},
	    {"val", COMPARE_VALUE},	{"value", COMPARE_VALUE},     {"lease", COMPARE_LEASE},
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (bytes_is(w, names[i].name))
			return *out = names[i].target, true;
	return false;
}

static bool read_operator(struct bytes w, enum compare_result *out)
{
	static const char *const names[] = {[COMPARE_EQUAL] = "=",
					    [COMPARE_GREATER] = ">",
					    [COMPARE_LESS] = "<",
					    [COMPARE_NOT_EQUAL] = "!="};

	for (size_t i = 0; i < 4; i++)
		if (bytes_is(w, names[i]))
			return *out = (enum compare_result)i, true;
	return false;
}

static bool make_compare(struct shell *s, struct job *j, struct bytes line, struct bytes target,
			 const struct scanned *r, struct compare *out)
{
	struct bytes value = buf_bytes(&r->value);

	if (!read_target(target, &out->target)) {
		struct buf why = {0};
		buf_printf(&why, " (unknown target %.*s)", (int)target.n, target.p);
		fail(s, j, STATUS_INVALID_INPUT, "malformed comparison: ", line, buf_str(&why));
		buf_free(&why);
		return false;
	}
	if (out->target != COMPARE_VALUE &&
	    !go_parse_int(value, out->target == COMPARE_LEASE ? 16 : 10, &out->number, NULL))
		return fail(s, j, STATUS_INVALID_INPUT, "invalid txn compare request: ", line, "");
	if (!read_operator(r->op, &out->result)) {
		command_fail(s, j, STATUS_INVALID_INPUT,
			     "unknown operator %.*s at column %zu of %.*s: = != < > exist",
			     (int)r->op.n, r->op.p, (size_t)(r->op.p - line.p) + 1, (int)line.n,
			     line.p);
		return false;
	}
	out->range = (struct key_range){.key = command_keep(s, buf_bytes(&r->key))};
	if (out->target == COMPARE_VALUE)
		out->value = command_keep(s, value);
	return true;
}

bool txn_parse_compare(struct shell *s, struct job *j, struct bytes line, struct compare *out)
{
	const char *paren = line.n ? memchr(line.p, '(', line.n) : NULL;
	struct scanned r = {0};
	bool ok;

	*out = (struct compare){0};
	if (!paren)
		return fail(s, j, STATUS_INVALID_INPUT, "malformed comparison: ", line, "");
	struct bytes target = {line.p, (size_t)(paren - line.p)};
	scan((struct bytes){paren + 1, line.n - target.n - 1}, &r);
	ok = r.n == 3 ? make_compare(s, j, line, target, &r, out)
		      : malformed(s, j, line, target, &r);
	buf_free(&r.key);
	buf_free(&r.value);
	return ok;
}

void txn_words_free(struct txn_words *w)
{
	vec_free(&w->words);
	buf_free(&w->text);
}

/* Length of the quoted word at s with both quotes; 0: it is not closed. */
static size_t quoted_length(struct bytes s)
{
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] == s.p[0])
			return i + 1;
		if (s.p[0] == '"' && s.p[i] == '\\')
			i++;
	}
	return 0;
}

static bool add_word(struct txn_words *w, struct bytes s)
{
	size_t at = w->text.n, used;
	bool ok = true;

	if (s.p[0] == '"')
		ok = go_unquote(s, &used, &w->text);
	else if (s.p[0] == '\'')
		buf_add(&w->text, s.p + 1, s.n - 2);
	else
		buf_put_bytes(&w->text, s);
	/* p holds the offset until the text moves no more. */
	vec_push(&w->words, (struct bytes){(const char *)(uintptr_t)at, w->text.n - at});
	return ok;
}

/* etcdctl's argify: "double" | 'single' | plain words; a quote that is not closed is skipped. */
bool txn_cut_words(struct txn_words *w, struct bytes line)
{
	w->words.n = 0;
	buf_clear(&w->text);
	while (line.n) {
		bool quote = line.p[0] == '"' || line.p[0] == '\'';
		size_t n = quote ? quoted_length(line) : 0;

		if (!quote)
			while (n < line.n && !is_space(line.p[n]))
				n++;
		if (n && !add_word(w, (struct bytes){line.p, n}))
			return false;
		drop(&line, n ? n : 1);
	}
	for (size_t i = 0; i < w->words.n; i++)
		w->words.v[i].p = buf_str(&w->text) + (uintptr_t)w->words.v[i].p;
	return true;
}

/* The three commands that a line may be; names may be shortened. */
static const struct command_row *operation_row(struct bytes name)
{
	static const struct command_row *const rows[] = {&cmd_put, &cmd_get, &cmd_del};

	for (size_t i = 0; i < 3; i++)
		if (name.n && bytes_starts(bytes_of(rows[i]->name), name))
			return rows[i];
	return NULL;
}

static bool make_operation(struct shell *s, struct job *j, struct bytes line,
			   const struct txn_words *w, struct parsed *p, struct request *out)
{
	const struct command_row *row = operation_row(w->words.v[0]);
	struct buf err = {0};
	bool ok = row && parse_flags(p, row, w->words.v + 1, w->words.n - 1, &err);

	buf_free(&err);
	if (!ok)
		return fail(s, j, STATUS_INVALID_INPUT, "invalid txn request: ", line, "");
	if (row == &cmd_put)
		return put_operation(s, j, p, out);
	return row == &cmd_get ? get_operation(s, j, p, out) : del_operation(s, j, p, out);
}

bool txn_parse_operation(struct shell *s, struct job *j, struct bytes line, struct request *out)
{
	struct txn_words w = {0};
	struct parsed p = {.own_only = true};
	bool ok;

	memset(out, 0, sizeof *out);
	if (!txn_cut_words(&w, line))
		ok = fail(s, j, STATUS_INVALID_INPUT, "invalid syntax", (struct bytes){0}, "");
	else if (w.words.n < 2)
		ok = fail(s, j, STATUS_INVALID_INPUT, "invalid txn compare request: ", line, "");
	else
		ok = make_operation(s, j, line, &w, &p, out);
	txn_words_free(&w);
	parsed_free(&p);
	return ok;
}
