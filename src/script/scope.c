/* The script format: see scope.h for the grammar.
 *
 * A recorded line belongs to the last command before it, whatever stands in between; so a recording
 * may be explained line by line and still be compared.
 */
#include "script/scope.h"

#include "base/text.h"
#include "cmd/shell.h"

const char scope_cr[] = "line ends with CR LF: save the file with \\n alone";

static enum line_kind kind_by_mark(struct bytes line)
{
	char next = line.n > 1 ? line.p[1] : 0;

	switch (line.p[0]) {
	case '#':
		return next == '?' ? LINE_QUESTION : next == '=' ? LINE_ANSWER : LINE_NARRATION;
	case '|':
		return line.n == 1 || next == ' ' || next == '"' ? LINE_OUTPUT : LINE_WRONG;
	case '~':
		return next == ' ' ? LINE_TRACE : LINE_WRONG;
	default:
		return LINE_COMMAND;
	}
}

enum line_kind scope_line_kind(struct bytes line)
{
	size_t i = 0;

	while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
		i++;
	if (i == line.n)
		return LINE_BLANK;
	enum line_kind kind = kind_by_mark(line);
	if (line.p[line.n - 1] == '\r' && kind != LINE_OUTPUT && kind != LINE_TRACE)
		return LINE_CR;
	return kind;
}

bool scope_next_line(struct bytes *rest, struct bytes *line)
{
	if (rest->n == 0)
		return false;
	const char *end = memchr(rest->p, '\n', rest->n);
	size_t n = end ? (size_t)(end - rest->p) : rest->n;

	*line = (struct bytes){rest->p, n};
	n += end != NULL;
	rest->p += n;
	rest->n -= n;
	return true;
}

/* The first line of a command, together with the lines that it continues on. */
static struct bytes first_line(struct bytes text, bool *open)
{
	struct bytes rest = text, line = {text.p, 0};

	do
		*open = !scope_next_line(&rest, &line);
	while (!*open && shell_continues(line));
	return (struct bytes){text.p, (size_t)(line.p + line.n - text.p)};
}

bool scope_wants_more(struct bytes text)
{
	bool open;
	struct bytes first = first_line(text, &open);

	struct bytes rest = {first.p + first.n, text.n - first.n};
	return open || shell_block_goes_on(shell_opens_block(first), rest);
}

const char *scope_unfinished(struct bytes text)
{
	bool open;
	enum shell_block kind = shell_opens_block(first_line(text, &open));

	return kind == BLOCK_PASSWORD ? "the command is not finished: the password stands in the "
					"line below it"
	       : kind == BLOCK_PASSWORD_TWICE
		   ? "the command is not finished: the password stands in the line below it, and "
		     "again in the next one"
		   : "the command is not finished: a block ends with a line `end`";
}

void scope_error(struct buf *err, const char *name, size_t line, const char *text)
{
	buf_printf(err, "%s:%zu: %s", name, line, text);
}

/* --- parsing */

struct parser {
	struct scope *s;
	struct bytes rest;
	size_t line;	/* number of the line that was cut last */
	size_t command; /* index of the item that recorded lines belong to, plus 1 */
	struct buf *err;
};

static bool wrong(struct parser *p, size_t line, const char *text)
{
	scope_error(p->err, p->s->name, line, text);
	return false;
}

static struct bytes without_mark(struct bytes line, size_t mark)
{
	if (line.n > mark && line.p[mark] == ' ')
		mark++;
	return (struct bytes){line.p + mark, line.n - mark};
}

static void add_item(struct parser *p, enum item_kind kind, struct bytes text)
{
	vec_push(&p->s->items, (struct scope_item){.kind = kind, .line = p->line, .text = text});
}

/* A command with all its lines.  It points into the text, since they follow each other there. */
static bool parse_command(struct parser *p, struct bytes line)
{
	struct scope_item it = {.kind = ITEM_COMMAND, .line = p->line, .text = line};

	while (scope_wants_more(it.text)) {
		struct bytes next = {"~ ", 2};
		bool more = scope_next_line(&p->rest, &next);
		enum line_kind kind = scope_line_kind(next);
		p->line += more;
		if (kind == LINE_CR)
			return wrong(p, p->line, scope_cr);
		if (kind == LINE_TRACE || (kind == LINE_OUTPUT && next.n > 1))
			return wrong(p, it.line, scope_unfinished(it.text));
		it.text.n = (size_t)(next.p + next.n - it.text.p);
	}
	vec_push(&p->s->items, it);
	p->command = p->s->items.n;
	return true;
}

static void extend(struct bytes *region, struct bytes line)
{
	if (!region->n)
		region->p = line.p;
	region->n = (size_t)(line.p + line.n - region->p);
}

static bool parse_record(struct parser *p, struct bytes line, enum line_kind kind)
{
	if (!p->command)
		return wrong(p, p->line,
			     "a recorded line without a command: it stands below its command");
	struct scope_item *it = &p->s->items.v[p->command - 1];

	extend(kind == LINE_OUTPUT ? &it->output : &it->trace, line);
	if (kind == LINE_OUTPUT)
		p->s->has_output = true;
	else
		p->s->has_trace = true;
	return true;
}

static bool parse_line(struct parser *p, struct bytes line)
{
	enum line_kind kind = scope_line_kind(line);

	switch (kind) {
	case LINE_BLANK:
		add_item(p, ITEM_BLANK, line);
		return true;
	case LINE_NARRATION:
		add_item(p, ITEM_NARRATION, without_mark(line, 1));
		return true;
	case LINE_QUESTION:
		add_item(p, ITEM_QUESTION, without_mark(line, 2));
		return true;
	case LINE_ANSWER:
		add_item(p, ITEM_ANSWER, without_mark(line, 2));
		return true;
	case LINE_COMMAND:
		return parse_command(p, line);
	case LINE_CR:
		return wrong(p, p->line, scope_cr);
	case LINE_WRONG:
		return wrong(
		    p, p->line,
		    "neither a command nor a recorded line: those begin with `| ` or `~ `");
	default:
		return parse_record(p, line, kind);
	}
}

static void count_steps(struct scope *s)
{
	size_t questions = 0, commands = 0;

	for (size_t i = 0; i < s->items.n; i++) {
		questions += s->items.v[i].kind == ITEM_QUESTION;
		commands += s->items.v[i].kind == ITEM_COMMAND;
	}
	s->has_questions = questions > 0;
	s->steps = questions ? questions : commands;
}

bool scope_parse(struct scope *s, const char *name, struct bytes text, struct buf *err)
{
	struct parser p = {.s = s, .rest = text, .err = err};
	struct bytes line;
	bool ok = true;

	*s = (struct scope){.name = name, .text = text};
	while (ok && scope_next_line(&p.rest, &line)) {
		p.line++;
		ok = parse_line(&p, line);
		if (!ok)
			s->text.n = (size_t)(line.p - text.p);
	}
	count_steps(s);
	return ok;
}

void scope_free(struct scope *s)
{
	vec_free(&s->items);
}

/* --- writing */

static bool plain_byte(unsigned char c)
{
	return (c >= 0x20 && c != 0x7f) || c == '\t';
}

static bool fits_a_line(struct bytes line)
{
	bool ascii = true;

	for (size_t i = 0; i < line.n; i++) {
		if (!plain_byte((unsigned char)line.p[i]))
			return false;
		ascii = ascii && (unsigned char)line.p[i] < 0x80;
	}
	return ascii || utf8_valid(line);
}

/* One byte or character of a line that needs quotes; returns how many bytes it took. */
static size_t put_quoted(struct buf *out, struct bytes s)
{
	unsigned char c = (unsigned char)s.p[0];
	uint32_t code;

	if (c >= 0x80) {
		int n = utf8_decode(s.p, s.n, &code);
		if (n > 0) {
			buf_add(out, s.p, (size_t)n);
			return (size_t)n;
		}
	}
	if (c == '"' || c == '\\')
		buf_putc(out, '\\');
	if (c == '\t')
		buf_puts(out, "\\t");
	else if (c == '\r')
		buf_puts(out, "\\r");
	else if (c < 0x20 || c >= 0x7f)
		buf_printf(out, "\\x%02x", c);
	else
		buf_putc(out, (char)c);
	return 1;
}

void scope_put_output(struct buf *out, struct bytes line)
{
	if (line.n == 0) {
		buf_puts(out, "|\n");
		return;
	}
	if (fits_a_line(line)) {
		buf_add(out, "| ", 2);
		buf_put_bytes(out, line);
		buf_putc(out, '\n');
		return;
	}
	buf_puts(out, "|\"");
	for (size_t i = 0; i < line.n;)
		i += put_quoted(out, (struct bytes){line.p + i, line.n - i});
	buf_puts(out, "\"\n");
}

void scope_put_outputs(struct buf *out, struct bytes text)
{
	struct bytes line;

	while (scope_next_line(&text, &line))
		scope_put_output(out, line);
}
