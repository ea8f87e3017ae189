#include "cmd/nested.h"

#include "base/text.h"
#include "cmd/rows.h"

/* In single quotes, or in double ones if there is such a quote in it. */
static void put_quoted(struct buf *out, struct bytes w)
{
	if (!w.n || !memchr(w.p, '\'', w.n)) {
		buf_putc(out, '\'');
		buf_put_bytes(out, w);
		buf_putc(out, '\'');
	} else {
		text_quote(out, w);
	}
}

struct bytes nested_line(struct shell *s, const struct bytes *words, size_t n)
{
	struct buf line = {0};
	struct bytes kept;

	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_putc(&line, ' ');
		put_quoted(&line, words[i]);
	}
	kept = command_keep(s, buf_bytes(&line));
	buf_free(&line);
	return kept;
}

struct bytes nested_fill(struct shell *s, struct bytes line, const struct nested_variable *v,
			 size_t n)
{
	struct line l = {0};
	struct buf err = {0};
	struct bytes done = line;

	if (line_parse(&l, line, &err)) {
		for (size_t i = 0; i < l.words.n; i++)
			for (size_t k = 0; k < n; k++)
				if (bytes_is(l.words.v[i], v[k].name)) {
					l.words.v[i] = v[k].value;
					break;
				}
		done = nested_line(s, l.words.v, l.words.n);
	}
	line_free(&l);
	buf_free(&err);
	return done;
}

static const struct command_row *find(const struct line *l, size_t *first, struct buf *err)
{
	/* A line that is written for a shell says etcdctl first. */
	size_t skip = l->words.n && bytes_is(l->words.v[0], "etcdctl"), used = 0;
	const struct command_row *row =
	    command_find(l->words.v + skip, l->words.n - skip, &used, err);

	*first = skip + used;
	if (!row || (row->group == GROUP_ETCDCTL && row != &cmd_lock && row != &cmd_elect &&
		     row != &cmd_watch))
		return row;
	buf_printf(err, "%s cannot be run by another command: etcdctl's that end by themselves can",
		   row->name);
	return NULL;
}

bool nested_run(struct shell *s, struct job *j, struct bytes text)
{
	struct line l = {0};
	struct parsed p = {.text = text};
	struct buf err = {0};
	size_t first;
	const struct command_row *row = line_parse(&l, text, &err) ? find(&l, &first, &err) : NULL;
	bool ok = row && parse_flags(&p, row, l.words.v + first, l.words.n - first, &err);

	j->ncalls = j->phase = j->at = 0;
	j->failed = false;
	command_end(j);
	if (ok)
		row->run(s, j, &p);
	else
		command_fail(s, j, STATUS_ERROR, "%s", buf_str(&err));
	parsed_free(&p);
	line_free(&l);
	buf_free(&err);
	return ok;
}
