#include "cmd/parse.h"

#include <string.h>

#include "cmd/go_number.h"
#include "cmd/go_quote.h"

struct flag_at {
	const struct flag_row *row;
	struct flag_value *value;
};

void parsed_free(struct parsed *p)
{
	vec_free(&p->args);
}

static const struct flag_row *find_in(const struct flag_row *rows, size_t n, struct bytes name,
				      char shorthand, size_t *at)
{
	for (size_t i = 0; i < n; i++)
		if (shorthand ? rows[i].shorthand == shorthand : bytes_is(name, rows[i].name))
			return *at = i, &rows[i];
	return NULL;
}

/* By name, or by shorthand if that is not 0. */
static struct flag_at find_flag(struct parsed *p, const struct command_row *row, struct bytes name,
				char shorthand)
{
	size_t i = 0;
	const struct flag_row *f = find_in(row->flags, row->nflags, name, shorthand, &i);

	if (f)
		return (struct flag_at){f, p ? &p->own[i] : NULL};
	if ((row->group != GROUP_ETCDCTL && row->group != GROUP_WATCHERS) || (p && p->own_only))
		return (struct flag_at){0};
	f = find_in(global_flags, global_flag_count(), name, shorthand, &i);
	return (struct flag_at){f, f && p ? &p->global[i] : NULL};
}

static bool read_value(struct flag_at f, struct bytes text, struct buf *err)
{
	bool yes = false, ok = true;

	f.value->text = text;
	switch (f.row->type) {
	case FLAG_BOOL:
		ok = go_parse_bool(text, &yes, err);
		f.value->number = yes;
		break;
	case FLAG_INT64:
		ok = go_parse_int(text, 0, &f.value->number, err);
		break;
	case FLAG_DURATION:
		ok = go_parse_duration(text, &f.value->number, err);
		break;
	case FLAG_STRING:
		break;
	}
	return ok;
}

static bool set_flag(struct flag_at f, struct bytes text, struct buf *err)
{
	struct buf why = {0};
	bool ok = read_value(f, text, &why);

	f.value->set = ok;
	if (!ok) {
		buf_puts(err, "invalid argument ");
		go_quote(err, text);
		if (f.row->shorthand)
			buf_printf(err, " for \"-%c, --%s\" flag: ", f.row->shorthand, f.row->name);
		else
			buf_printf(err, " for \"--%s\" flag: ", f.row->name);
		buf_put_bytes(err, buf_bytes(&why));
	}
	buf_free(&why);
	return ok;
}

static bool fail(struct buf *err, const char *what, struct bytes s)
{
	buf_puts(err, what);
	buf_put_bytes(err, s);
	return false;
}

/* Every command has it; the rows have not. */
static bool set_help(struct parsed *p, struct bytes text, struct buf *err)
{
	static const struct flag_row row = {.name = "help", .shorthand = 'h', .type = FLAG_BOOL};
	struct flag_value value = {0};

	if (!set_flag((struct flag_at){&row, &value}, text, err))
		return false;
	p->help = value.number;
	return true;
}

/* --name, --name=value, --name value.  *next: the next word, which is taken if the flag needs it.
 */
static bool long_flag(struct parsed *p, struct bytes s, const struct bytes *words, size_t n,
		      size_t *next, struct buf *err)
{
	struct bytes name = {s.p + 2, s.n - 2};
	const char *equals = memchr(name.p, '=', name.n);

	if (name.p[0] == '-' || name.p[0] == '=')
		return fail(err, "bad flag syntax: ", s);
	if (equals)
		name.n = (size_t)(equals - name.p);
	struct flag_at f = find_flag(p, p->row, name, 0);
	if (!f.row && bytes_is(name, "help"))
		return set_help(p,
				equals
				    ? (struct bytes){equals + 1, (size_t)(s.p + s.n - equals - 1)}
				    : BYTES("true"),
				err);
	if (!f.row)
		return fail(err, "unknown flag: --", name);
	if (equals)
		return set_flag(f, (struct bytes){equals + 1, (size_t)(s.p + s.n - equals - 1)},
				err);
	if (f.row->type == FLAG_BOOL)
		return set_flag(f, BYTES("true"), err);
	if (f.row->bare)
		return set_flag(f, bytes_of(f.row->bare), err);
	if (*next == n)
		return fail(err, "flag needs an argument: ", s);
	return set_flag(f, words[(*next)++], err);
}

/* -w json, -wjson, -w=json; booleans may be joined: -ab. */
static bool short_flags(struct parsed *p, struct bytes s, const struct bytes *words, size_t n,
			size_t *next, struct buf *err)
{
	for (struct bytes all = {s.p + 1, s.n - 1}; all.n; all.p++, all.n--) {
		struct flag_at f = find_flag(p, p->row, (struct bytes){0}, all.p[0]);

		if (!f.row && all.p[0] == 'h') {
			if (all.n > 2 && all.p[1] == '=')
				return set_help(p, (struct bytes){all.p + 2, all.n - 2}, err);
			p->help = true;
			continue;
		}
		if (!f.row) {
			buf_puts(err, "unknown shorthand flag: ");
			go_quote_char(err, (unsigned char)all.p[0]);
			return fail(err, " in -", all);
		}
		if (all.n > 2 && all.p[1] == '=')
			return set_flag(f, (struct bytes){all.p + 2, all.n - 2}, err);
		if (f.row->type == FLAG_BOOL) {
			if (!set_flag(f, BYTES("true"), err))
				return false;
			continue;
		}
		if (all.n > 1)
			return set_flag(f, (struct bytes){all.p + 1, all.n - 1}, err);
		if (*next < n)
			return set_flag(f, words[(*next)++], err);
		buf_puts(err, "flag needs an argument: ");
		go_quote_char(err, (unsigned char)all.p[0]);
		return fail(err, " in -", all);
	}
	return true;
}

bool parse_flags(struct parsed *p, const struct command_row *row, const struct bytes *words,
		 size_t n, struct buf *err)
{
	p->row = row;
	p->args.n = 0;
	p->dash = p->help = false;
	memset(p->own, 0, row->nflags * sizeof *p->own);
	memset(p->global, 0, sizeof p->global);
	for (size_t i = 0; i < n;) {
		struct bytes w = words[i++];

		if (p->dash || w.n < 2 || w.p[0] != '-') {
			vec_push(&p->args, w);
		} else if (w.p[1] != '-') {
			if (!short_flags(p, w, words, n, &i, err))
				return false;
		} else if (w.n == 2) {
			p->dash = true;
			p->dash_at = p->args.n;
		} else if (!long_flag(p, w, words, n, &i, err)) {
			return false;
		}
	}
	return true;
}

size_t flag_width(const struct command_row *row, const struct bytes *w, size_t n)
{
	if (n == 0 || w[0].n < 2 || w[0].p[0] != '-')
		return 0;
	bool is_long = w[0].p[1] == '-';
	if (memchr(w[0].p, '=', w[0].n) || (!is_long && w[0].n > 2))
		return 1;
	struct flag_at f = is_long ? find_flag(NULL, row, (struct bytes){w[0].p + 2, w[0].n - 2}, 0)
				   : find_flag(NULL, row, (struct bytes){0}, w[0].p[1]);
	return f.row && f.row->type != FLAG_BOOL && !f.row->bare && n > 1 ? 2 : 1;
}

bool flag_bool(const struct parsed *p, size_t i)
{
	return p->own[i].set ? p->own[i].number
			     : bytes_is(bytes_of(p->row->flags[i].fallback), "true");
}

int64_t flag_int(const struct parsed *p, size_t i)
{
	int64_t v = 0;

	if (p->own[i].set)
		return p->own[i].number;
	if (p->row->flags[i].type == FLAG_DURATION)
		go_parse_duration(bytes_of(p->row->flags[i].fallback), &v, NULL);
	else
		go_parse_int(bytes_of(p->row->flags[i].fallback), 0, &v, NULL);
	return v;
}

struct bytes flag_text(const struct parsed *p, size_t i)
{
	return p->own[i].set ? p->own[i].text : bytes_of(p->row->flags[i].fallback);
}
