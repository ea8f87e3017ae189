#include "cmd/words.h"

#include <stdint.h>
#include <stdlib.h>

#include "cmd/go_number.h"

/* Nobody needs more, and a typing mistake must not eat the machine. */
#define REPEAT_MAX (64u << 20)

struct cutter {
	struct line *l;
	struct bytes s; /* what is left of the line */
	struct buf *err;
	bool quoted; /* the word has a quoted part */
};

void line_free(struct line *l)
{
	vec_free(&l->words);
	vec_free(&l->owned);
	buf_free(&l->text);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static void skip(struct cutter *c, size_t n)
{
	c->s.p += n;
	c->s.n -= n;
}

/* @repeat(N,TEXT) at the beginning of s: its length, and N and TEXT; 0: there is none. */
static size_t repeat_at(struct bytes s, uint64_t *n, struct bytes *text)
{
	struct bytes mark = BYTES("@repeat(");

	if (!bytes_starts(s, mark))
		return 0;
	const char *from = s.p + mark.n, *end = s.p + s.n;
	const char *comma = memchr(from, ',', (size_t)(end - from));
	const char *close = comma ? memchr(comma, ')', (size_t)(end - comma)) : NULL;
	if (!close || !go_parse_uint((struct bytes){from, (size_t)(comma - from)}, 10, n, NULL))
		return 0;
	*text = (struct bytes){comma + 1, (size_t)(close - comma - 1)};
	if (text->n && *n > REPEAT_MAX / text->n)
		return 0;
	return (size_t)(close + 1 - s.p);
}

static void put_repeated(struct buf *out, uint64_t n, struct bytes text)
{
	buf_reserve(out, n * text.n);
	for (uint64_t i = 0; i < n; i++)
		buf_put_bytes(out, text);
}

void line_expand(struct buf *out, struct bytes s)
{
	while (s.n) {
		const char *at = memchr(s.p, '@', s.n);
		size_t plain = at ? (size_t)(at - s.p) : s.n, used;
		uint64_t n;
		struct bytes text;

		buf_add(out, s.p, plain);
		s = (struct bytes){s.p + plain, s.n - plain};
		if (s.n == 0)
			break;
		used = repeat_at(s, &n, &text);
		if (used)
			put_repeated(out, n, text);
		else
			buf_add(out, s.p, used = 1);
		s = (struct bytes){s.p + used, s.n - used};
	}
}

/* The value of a hexadecimal digit; -1: it is none. */
static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The escape behind a backslash between double quotes. */
static bool cut_escape(struct cutter *c)
{
	static const char names[] = "\"\\ntr", values[] = "\"\\\n\t\r";
	char e = 0;

	if (c->s.n)
		e = c->s.p[0];
	const char *known = e ? strchr(names, e) : NULL;
	if (known) {
		buf_putc(&c->l->text, values[known - names]);
		return skip(c, 1), true;
	}
	if (e == 'x' && c->s.n >= 3 && hex_digit(c->s.p[1]) >= 0 && hex_digit(c->s.p[2]) >= 0) {
		buf_putc(&c->l->text, (char)(hex_digit(c->s.p[1]) * 16 + hex_digit(c->s.p[2])));
		return skip(c, 3), true;
	}
	if (e == 'x')
		buf_puts(c->err, "bad escape \\x: two hexadecimal digits must follow, as in \\x0a");
	else if (e)
		buf_printf(c->err, "unknown escape \\%c: known are \\\" \\\\ \\n \\t \\r and \\xHH",
			   e);
	else
		buf_puts(c->err, "quote is not closed: the line ends inside \"...");
	return false;
}

static bool cut_double(struct cutter *c)
{
	for (skip(c, 1); c->s.n;) {
		size_t n = 0;

		while (n < c->s.n && c->s.p[n] != '"' && c->s.p[n] != '\\')
			n++;
		buf_add(&c->l->text, c->s.p, n);
		skip(c, n);
		if (c->s.n == 0)
			break;
		bool end = c->s.p[0] == '"';
		skip(c, 1);
		if (end)
			return true;
		if (!cut_escape(c))
			return false;
	}
	buf_puts(c->err, "quote is not closed: a \" is missing");
	return false;
}

static bool cut_single(struct cutter *c)
{
	const char *end = memchr(c->s.p + 1, '\'', c->s.n - 1);

	if (!end) {
		buf_puts(c->err, "quote is not closed: a ' is missing");
		return false;
	}
	size_t n = (size_t)(end - c->s.p);
	buf_add(&c->l->text, c->s.p + 1, n - 1);
	skip(c, n + 1);
	return true;
}

/* What ends a run of plain bytes. */
static const bool ends_plain[256] = {
    [' '] = true, ['\t'] = true, ['\n'] = true, ['"'] = true, ['\''] = true};

static size_t plain_length(struct bytes s)
{
	size_t n = 0;

	while (n < s.n && !ends_plain[(unsigned char)s.p[n]])
		n++;
	return n;
}

static void add_word(struct line *l, struct bytes w, bool owned)
{
	vec_push(&l->words, w);
	vec_push(&l->owned, owned);
}

/* A word that begins at c->s, which is not blank. */
static bool cut_word(struct cutter *c)
{
	struct line *l = c->l;
	size_t n = plain_length(c->s);
	uint64_t times = 0;
	struct bytes text = {0};

	c->quoted = false;
	if (n == c->s.n || is_blank(c->s.p[n])) {
		bool repeated =
		    c->s.p[0] == '@' && repeat_at((struct bytes){c->s.p, n}, &times, &text) == n;
		size_t at = l->text.n;
		if (repeated)
			put_repeated(&l->text, times, text);
		/* An owned word holds its offset until the text moves no more. */
		add_word(l,
			 repeated ? (struct bytes){(const char *)(uintptr_t)at, l->text.n - at}
				  : (struct bytes){c->s.p, n},
			 repeated);
		return skip(c, n), true;
	}
	size_t at = l->text.n;
	while (c->s.n && !is_blank(c->s.p[0])) {
		n = plain_length(c->s);
		buf_add(&l->text, c->s.p, n);
		skip(c, n);
		if (c->s.n == 0 || is_blank(c->s.p[0]))
			break;
		c->quoted = true;
		if (c->s.p[0] == '"' ? !cut_double(c) : !cut_single(c))
			return false;
	}
	add_word(l, (struct bytes){(const char *)(uintptr_t)at, l->text.n - at}, true);
	return true;
}

static void settle_words(struct line *l)
{
	for (size_t i = 0; i < l->words.n; i++)
		if (l->owned.v[i])
			l->words.v[i].p = buf_str(&l->text) + (uintptr_t)l->words.v[i].p;
}

/* head [-N] [-n N], tail, grep [-v] TEXT, wc -l, cat: the words of one filter. */
static bool read_pipe(struct line *l, const struct bytes *w, size_t n, struct buf *err)
{
	struct pipe p = {.count = 10};

	if (n == 0) {
		buf_puts(err, "nothing follows the |: head, tail, grep, wc -l and cat may");
		return false;
	}
	bool head = bytes_is(w[0], "head");
	if (head || bytes_is(w[0], "tail")) {
		p.kind = head ? PIPE_HEAD : PIPE_TAIL;
		struct bytes number = n == 3 && bytes_is(w[1], "-n") ? w[2]
				      : n == 2			     ? w[1]
								     : (struct bytes){0};
		if (n == 2 && number.n > 1 && number.p[0] == '-')
			number = number.p[1] == 'n' ? (struct bytes){number.p + 2, number.n - 2}
						    : (struct bytes){number.p + 1, number.n - 1};
		if (n > 1 && !go_parse_uint(number, 10, &p.count, NULL)) {
			buf_printf(err, "%s takes -N, a number of lines: %s -5",
				   head ? "head" : "tail", head ? "head" : "tail");
			return false;
		}
	} else if (bytes_is(w[0], "grep") && (n == 2 || (n == 3 && bytes_is(w[1], "-v")))) {
		p.kind = n == 3 ? PIPE_GREP_NOT : PIPE_GREP;
		p.text = w[n - 1];
	} else if (bytes_is(w[0], "wc") && n == 2 && bytes_is(w[1], "-l")) {
		p.kind = PIPE_COUNT;
	} else if (bytes_is(w[0], "cat") && n == 1) {
		p.kind = PIPE_CAT;
	} else {
		buf_printf(err,
			   "cannot pipe into \"%.*s\": no host program is run; head [-N], tail "
			   "[-N], grep [-v] TEXT, wc -l and cat are built in",
			   (int)w[0].n, w[0].p);
		return false;
	}
	if (l->npipes == PIPES_MAX) {
		buf_printf(err, "too many filters: at most %d", PIPES_MAX);
		return false;
	}
	l->pipes[l->npipes++] = p;
	return true;
}

/* Takes the words from the first | on off the command and reads them as filters. */
static bool read_pipes(struct line *l, size_t from, const size_t *bars, size_t nbars,
		       struct buf *err)
{
	for (size_t i = 0; i < nbars; i++) {
		size_t begin = bars[i], end = i + 1 < nbars ? bars[i + 1] : l->words.n;
		if (!read_pipe(l, l->words.v + begin, end - begin, err))
			return false;
	}
	if (nbars)
		l->words.n = from;
	return true;
}

static bool is_assignment(struct bytes w)
{
	size_t i = 0;

	while (i < w.n &&
	       (w.p[i] == '_' || (w.p[i] >= 'A' && w.p[i] <= 'Z') ||
		(w.p[i] >= 'a' && w.p[i] <= 'z') || (i > 0 && w.p[i] >= '0' && w.p[i] <= '9')))
		i++;
	return i > 0 && i < w.n && w.p[i] == '=';
}

/* What a shell would have taken: $, NAME=VALUE, etcdctl. */
static void drop_paste(struct line *l)
{
	size_t n = 0;

	if (l->words.n && bytes_is(l->words.v[0], "$"))
		n++;
	while (n < l->words.n && is_assignment(l->words.v[n]))
		n++;
	if (n < l->words.n && bytes_is(l->words.v[n], "etcdctl"))
		n++;
	if (n == 0)
		return;
	l->words.n -= n;
	memmove(l->words.v, l->words.v + n, l->words.n * sizeof *l->words.v);
}

/* The first line of a text: up to a newline that is not behind a lone backslash. */
static struct bytes first_line(struct bytes text)
{
	size_t from = 0;

	for (;;) {
		const char *nl = from < text.n ? memchr(text.p + from, '\n', text.n - from) : NULL;
		size_t end = nl ? (size_t)(nl - text.p) : text.n;
		if (!nl || !line_continues((struct bytes){text.p + from, end - from}))
			return (struct bytes){text.p, end};
		from = end + 1;
	}
}

bool line_continues(struct bytes line)
{
	while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t' ||
			  line.p[line.n - 1] == '\r'))
		line.n--;
	return line.n >= 1 && line.p[line.n - 1] == '\\' &&
	       (line.n == 1 || line.p[line.n - 2] == ' ' || line.p[line.n - 2] == '\t');
}

/* & as the last word, or a backslash as the last word of one of the line's lines. */
static bool at_mark(const struct cutter *c, char what)
{
	size_t i = 1;

	if (c->s.p[0] != what)
		return false;
	while (i < c->s.n && (c->s.p[i] == ' ' || c->s.p[i] == '\t' || c->s.p[i] == '\r'))
		i++;
	return i == c->s.n || (what == '\\' && c->s.p[i] == '\n');
}

bool line_parse(struct line *l, struct bytes text, struct buf *err)
{
	struct cutter c = {.l = l, .s = first_line(text), .err = err};
	size_t bars[PIPES_MAX + 1], nbars = 0, from = 0;

	l->rest = (struct bytes){text.p + c.s.n, text.n - c.s.n};
	l->words.n = l->owned.n = l->npipes = 0;
	l->background = false;
	buf_clear(&l->text);
	for (;;) {
		while (c.s.n && is_blank(c.s.p[0]))
			skip(&c, 1);
		if (c.s.n == 0)
			break;
		l->background = at_mark(&c, '&');
		if (l->background || at_mark(&c, '\\')) {
			skip(&c, 1);
			continue;
		}
		if (c.s.p[0] == '|' && nbars <= PIPES_MAX) {
			if (nbars == 0)
				from = l->words.n;
			bars[nbars++] = l->words.n;
			skip(&c, 1);
			continue;
		}
		if (!cut_word(&c))
			return false;
	}
	settle_words(l);
	if (!read_pipes(l, from, bars, nbars, err))
		return false;
	drop_paste(l);
	return true;
}
