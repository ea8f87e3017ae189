/* The file format of etcd's data-driven tests (github.com/cockroachdb/datadriven). */
#include "datadriven.h"

/* Lines */

/* The next line without its newline; false at the end. */
static bool next_line(struct bytes *rest, struct bytes *line)
{
	if (rest->n == 0)
		return false;
	const char *nl = memchr(rest->p, '\n', rest->n);
	size_t n = nl ? (size_t)(nl - rest->p) : rest->n, skip = nl ? n + 1 : n;

	*line = (struct bytes){rest->p, n};
	rest->p += skip;
	rest->n -= skip;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct bytes trim(struct bytes s)
{
	while (s.n && is_blank(s.p[0]))
		s.p++, s.n--;
	while (s.n && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

static bool is_separator(struct bytes line)
{
	return bytes_is(line, "----");
}

/* Words */

static const char *dup(struct dd_file *f, struct bytes s)
{
	return heap_dup(f->heap, s.p, s.n);
}

/* The next word; blanks within parentheses belong to it. */
static struct bytes next_word(struct bytes *line)
{
	size_t n = 0;
	bool open = false;

	*line = trim(*line);
	for (; n < line->n && (open || !is_blank(line->p[n])); n++)
		open = line->p[n] == '(' || (open && line->p[n] != ')');
	struct bytes word = {line->p, n};

	line->p += n;
	line->n -= n;
	return word;
}

static void parse_values(struct dd_file *f, struct dd_arg *arg, struct bytes s)
{
	if (s.n < 2 || s.p[0] != '(' || s.p[s.n - 1] != ')') {
		vec_push(&arg->values, dup(f, s));
		return;
	}
	s = trim((struct bytes){s.p + 1, s.n - 2});
	while (s.n) {
		const char *comma = memchr(s.p, ',', s.n);
		size_t n = comma ? (size_t)(comma - s.p) : s.n;

		vec_push(&arg->values, dup(f, trim((struct bytes){s.p, n})));
		s = comma ? trim((struct bytes){comma + 1, s.n - n - 1}) : (struct bytes){s.p, 0};
	}
}

static struct dd_arg parse_arg(struct dd_file *f, struct bytes word)
{
	struct dd_arg arg = {0};
	const char *eq = memchr(word.p, '=', word.n);

	if (!eq) {
		arg.key = dup(f, word);
		return arg;
	}
	size_t n = (size_t)(eq - word.p);

	arg.key = dup(f, (struct bytes){word.p, n});
	parse_values(f, &arg, (struct bytes){eq + 1, word.n - n - 1});
	return arg;
}

static void parse_directive(struct dd_file *f, struct dd_case *c, struct bytes line)
{
	c->command = dup(f, next_word(&line));
	for (struct bytes w = next_word(&line); w.n; w = next_word(&line))
		vec_push(&c->args, parse_arg(f, w));
}

/* Cases */

/* Expected output behind "----": up to a blank line, or, if another "----" follows, up to two of
 * them. */
static struct bytes parse_expected(struct bytes *rest, int *line_no)
{
	struct bytes line, saved = *rest;
	const char *begin = rest->p, *end = begin;
	bool doubled = false, last_was_separator = false;

	if (next_line(rest, &line) && is_separator(line)) {
		doubled = true;
		begin = end = rest->p;
		++*line_no;
	} else {
		*rest = saved;
	}
	while (next_line(rest, &line)) {
		++*line_no;
		if (doubled ? last_was_separator && is_separator(line) : line.n == 0)
			break;
		last_was_separator = doubled && is_separator(line);
		if (!last_was_separator)
			end = rest->p;
	}
	return (struct bytes){begin, (size_t)(end - begin)};
}

static void parse_case(struct dd_file *f, struct dd_case *c, struct bytes directive,
		       struct bytes *rest, int *line_no)
{
	struct bytes line;
	const char *input = rest->p;
	size_t n = 0;

	c->line = *line_no;
	parse_directive(f, c, directive);
	while (next_line(rest, &line)) {
		++*line_no;
		if (is_separator(line))
			break;
		n = (size_t)(rest->p - input);
	}
	c->input = trim((struct bytes){input, n});
	c->before.n = (size_t)(rest->p - c->before.p);
	c->expected = parse_expected(rest, line_no);
}

static void parse(struct dd_file *f)
{
	struct bytes rest = buf_bytes(&f->text), line;
	const char *begin = rest.p;
	int line_no = 0;

	while (next_line(&rest, &line)) {
		struct bytes directive = trim(line);

		line_no++;
		if (directive.n == 0 || directive.p[0] == '#')
			continue;
		struct dd_case c = {.before = {begin, 0}};

		parse_case(f, &c, directive, &rest, &line_no);
		vec_push(&f->cases, c);
		begin = rest.p;
	}
	f->rest = (struct bytes){begin, (size_t)(rest.p - begin)};
}

bool dd_read(struct dd_file *f, const char *path)
{
	*f = (struct dd_file){.heap = heap_new()};
	if (buf_read_file(&f->text, path) != 0)
		return false;
	parse(f);
	return true;
}

void dd_free(struct dd_file *f)
{
	for (size_t i = 0; i < f->cases.n; i++) {
		for (size_t k = 0; k < f->cases.v[i].args.n; k++)
			vec_free(&f->cases.v[i].args.v[k].values);
		vec_free(&f->cases.v[i].args);
	}
	vec_free(&f->cases);
	buf_free(&f->text);
	heap_free(f->heap);
}

const struct dd_arg *dd_find(const struct dd_case *c, const char *key)
{
	for (size_t i = 0; i < c->args.n; i++)
		if (strcmp(c->args.v[i].key, key) == 0)
			return &c->args.v[i];
	return NULL;
}

const char *dd_value(const struct dd_case *c, const char *key, const char *fallback)
{
	const struct dd_arg *a = dd_find(c, key);

	if (!a)
		return fallback;
	return a->values.n ? a->values.v[0] : "";
}

void dd_write_case(struct buf *out, const struct dd_case *c, struct bytes output)
{
	bool blank_line =
	    output.n && (output.p[0] == '\n' || memmem(output.p, output.n, "\n\n", 2));

	buf_put_bytes(out, c->before);
	if (blank_line)
		buf_puts(out, "----\n");
	buf_put_bytes(out, output);
	if (blank_line)
		buf_puts(out, "----\n----\n");
	buf_putc(out, '\n');
}
