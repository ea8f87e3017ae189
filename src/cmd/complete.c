/* Completion and hints, from the table and from what exists in the world. */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/parse.h"
#include "cmd/screen_setting.h"
#include "cmd/table.h"
#include "sim/world.h"

enum { WORDS_MAX = 64, CANDIDATES_MAX = 200 };

/* The line up to the cursor, cut at blanks; the last word is the one under the cursor, maybe empty.
 */
struct typed {
	struct bytes words[WORDS_MAX];
	size_t n;
};

static void cut(struct typed *t, struct bytes s)
{
	size_t i = 0;

	t->n = 0;
	while (t->n < WORDS_MAX) {
		while (i < s.n && s.p[i] == ' ')
			i++;
		size_t from = i;
		while (i < s.n && s.p[i] != ' ')
			i++;
		t->words[t->n++] = (struct bytes){s.p + from, i - from};
		if (i >= s.n)
			return;
	}
}

struct asking {
	const struct world *w;
	struct bytes word; /* what the candidates must begin with */
	const char *lead;  /* stands before each candidate: "--write-out=" */
	size_t lead_n;
	struct buf *out;
	size_t n;
};

static void offer(struct asking *a, struct bytes candidate)
{
	if (a->n >= CANDIDATES_MAX || !bytes_starts(candidate, a->word))
		return;
	buf_add(a->out, a->lead, a->lead_n);
	buf_put_bytes(a->out, candidate);
	buf_putc(a->out, '\n');
	a->n++;
}

static void offer_text(struct asking *a, const char *s)
{
	offer(a, bytes_of(s));
}

static bool is_plain(struct bytes key)
{
	for (size_t i = 0; i < key.n; i++)
		if (key.p[i] <= 0x20 || key.p[i] > 0x7e || strchr("'\"@|&", key.p[i]))
			return false;
	return key.n > 0;
}

/* Keys that exist, from the word on; those that a line can hold without quotes. */
static void offer_keys(struct asking *a)
{
	struct bytes zero = {"", 1};
	struct key_range r = {a->word.n ? a->word : zero, zero};
	struct row_list found = {0};
	unsigned view = world_view(a->w);

	if (view &&
	    mvcc_range(&world_member(a->w, view)->store, r, 0, CANDIDATES_MAX, &found) == ERR_NONE)
		for (size_t i = 0; i < found.rows.n; i++)
			if (is_plain(row_key(found.rows.v[i])))
				offer(a, row_key(found.rows.v[i]));
	vec_free(&found.rows);
}

static void offer_leases(struct asking *a)
{
	unsigned at = world_leader(a->w) ? world_leader(a->w) : 1;
	const struct lessor *l = &world_member(a->w, at)->lessor;

	for (size_t i = 0; i < l->leases.n; i++) {
		char hex[24];
		snprintf(hex, sizeof hex, "%" PRIx64, (uint64_t)l->leases.v[i]->id);
		offer_text(a, hex);
	}
}

static void offer_members(struct asking *a)
{
	for (unsigned m = 1; m <= a->w->nmembers; m++)
		offer(a, (struct bytes){(const char[]){'S', (char)('0' + m)}, 2});
}

static void offer_watchers(struct asking *a)
{
	for (size_t i = 0; i < a->w->watches.n; i++) {
		char name[16];
		snprintf(name, sizeof name, "w%" PRIu32, a->w->watches.v[i].number);
		if (a->w->watches.v[i].gone)
			continue;
		offer_text(a, name);
		if (a->w->watches.v[i].name)
			offer_text(a, a->w->watches.v[i].name);
	}
}

static void offer_files(struct asking *a)
{
	for (size_t i = 0; i < a->w->files.n; i++)
		offer_text(a, a->w->files.v[i].name);
}

static void offer_dirs(struct asking *a)
{
	for (size_t i = 0; i < a->w->dirs.n; i++)
		offer_text(a, a->w->dirs.v[i].name);
}

static void offer_settings(struct asking *a)
{
	for (size_t i = 0; i < config_nsettings(); i++)
		offer_text(a, config_setting(i)->name);
	for (const struct screen_setting *s = screen_settings; s->name; s++)
		offer_text(a, s->name);
}

static void offer_bugs(struct asking *a)
{
	for (int b = 0; b < BUG_COUNT; b++)
		offer_text(a, bug_row((enum bug)b)->name);
}

/* First words, or the second words of a group. */
static void offer_commands(struct asking *a, const struct bytes *before)
{
	for (size_t i = 0; i < command_count(); i++) {
		const char *name = command_table[i]->name, *blank = strchr(name, ' ');
		struct bytes first = {name, blank ? (size_t)(blank - name) : strlen(name)};

		if (before ? !blank || !bytes_eq(first, *before) : false)
			continue;
		if (!before && i > 0 && bytes_starts(bytes_of(command_table[i - 1]->name), first) &&
		    blank)
			continue;
		offer(a, before ? bytes_of(blank + 1) : first);
	}
}

/* "simple|json|fields", "@key", "@member" ... */
static void offer_values(struct asking *a, struct bytes what, const struct bytes *setting)
{
	if (bytes_is(what, "@key"))
		offer_keys(a);
	else if (bytes_is(what, "@lease"))
		offer_leases(a);
	else if (bytes_is(what, "@member"))
		offer_members(a);
	else if (bytes_is(what, "@end")) {
		offer_members(a);
		offer_text(a, "client");
	} else if (bytes_is(what, "@disk")) {
		offer_members(a);
		offer_files(a);
	} else if (bytes_is(what, "@snapshot"))
		offer_files(a);
	else if (bytes_is(what, "@dir"))
		offer_dirs(a);
	else if (bytes_is(what, "@watcher"))
		offer_watchers(a);
	else if (bytes_is(what, "@setting"))
		offer_settings(a);
	else if (bytes_is(what, "@bug"))
		offer_bugs(a);
	else if (bytes_is(what, "@command"))
		offer_commands(a, NULL);
	else if (bytes_is(what, "@value") && setting) {
		for (const struct screen_setting *s = screen_settings; s->name; s++)
			if (bytes_is(*setting, s->name) && s->values)
				offer_values(a, bytes_of(s->values), NULL);
		for (size_t i = 0; i < config_nsettings(); i++)
			if (bytes_is(*setting, config_setting(i)->name) &&
			    config_setting(i)->values)
				offer_values(a, bytes_of(config_setting(i)->values), NULL);
	} else if (what.n && memchr(what.p, '|', what.n)) {
		while (what.n) {
			const char *bar = memchr(what.p, '|', what.n);
			size_t n = bar ? (size_t)(bar - what.p) : what.n;
			offer(a, (struct bytes){what.p, n});
			what = bar ? (struct bytes){bar + 1, what.n - n - 1} : (struct bytes){0};
		}
	}
}

static const struct flag_row *flag_of(const struct command_row *row, struct bytes w, size_t *name_n)
{
	const char *equals = memchr(w.p, '=', w.n);
	struct bytes name;

	*name_n = equals ? (size_t)(equals - w.p) : w.n;
	if (w.n < 2 || w.p[0] != '-')
		return NULL;
	for (int table = 0; table < 2; table++) {
		const struct flag_row *f = table ? global_flags : row->flags;
		size_t n = table ? global_flag_count() : row->nflags;
		for (size_t i = 0; i < n; i++) {
			name = (struct bytes){w.p + 2, *name_n - 2};
			if (w.p[1] == '-' ? bytes_is(name, f[i].name)
					  : w.n == 2 && w.p[1] == f[i].shorthand)
				return &f[i];
		}
	}
	return NULL;
}

static void offer_flags(struct asking *a, const struct command_row *row)
{
	for (int table = 0; table < 2; table++) {
		const struct flag_row *f = table ? global_flags : row->flags;
		size_t n = table ? (row->group == GROUP_ETCDCTL ? 4 : 0) : row->nflags;
		for (size_t i = 0; i < n; i++) {
			char text[48];
			snprintf(text, sizeof text, "--%s%s", f[i].name,
				 f[i].type == FLAG_BOOL ? "" : "=");
			offer_text(a, text);
		}
	}
}

/* The i-th word of a row's arguments; "..." repeats the one before. */
static struct bytes argument(const struct command_row *row, size_t i)
{
	struct bytes rest = bytes_of(row->arguments ? row->arguments : ""), last = {0};

	for (size_t k = 0; rest.n; k++) {
		const char *blank = memchr(rest.p, ' ', rest.n);
		size_t n = blank ? (size_t)(blank - rest.p) : rest.n;
		struct bytes one = {rest.p, n};
		if (bytes_is(one, "..."))
			return last;
		if (k == i)
			return one;
		last = one;
		rest = blank ? (struct bytes){blank + 1, rest.n - n - 1} : (struct bytes){0};
	}
	return (struct bytes){0};
}

/* Positional words between a command's name and the word under the cursor. */
static size_t positionals(const struct command_row *row, const struct bytes *w, size_t n,
			  const struct bytes **last)
{
	size_t count = 0;

	*last = NULL;
	for (size_t i = 0; i < n;) {
		size_t width = flag_width(row, w + i, n - i);
		if (width == 0) {
			*last = w + i;
			count++;
		}
		i += width ? width : 1;
	}
	return count;
}

static void complete_argument(struct asking *a, const struct command_row *row,
			      const struct typed *t, size_t used)
{
	size_t n = t->n - 1, name_n;
	const struct bytes *last;
	const struct flag_row *f = flag_of(row, a->word, &name_n);

	if (a->word.n && a->word.p[0] == '-') {
		if (f && name_n < a->word.n && f->values) {
			a->lead = a->word.p;
			a->lead_n = name_n + 1;
			a->word = (struct bytes){a->word.p + name_n + 1, a->word.n - name_n - 1};
			offer_values(a, bytes_of(f->values), NULL);
		} else {
			offer_flags(a, row);
		}
		return;
	}
	f = n > used ? flag_of(row, t->words[n - 1], &name_n) : NULL;
	if (f && f->type != FLAG_BOOL && name_n == t->words[n - 1].n) {
		offer_values(a, bytes_of(f->values ? f->values : ""), NULL);
		return;
	}
	size_t i = positionals(row, t->words + used, n - used, &last);
	offer_values(a, argument(row, i), last);
}

void command_complete(const struct world *w, struct bytes line, size_t cursor, size_t *start,
		      struct buf *out)
{
	struct typed t;
	struct buf err = {0};
	size_t used = 0;

	cut(&t, (struct bytes){line.p, cursor < line.n ? cursor : line.n});
	struct asking a = {.w = w, .word = t.words[t.n - 1], .lead = "", .out = out};
	*start = (size_t)(a.word.p - line.p);
	size_t skip = t.n > 3 && bytes_is(t.words[0], "as") ? 2 : 0;
	if (skip)
		memmove(t.words, t.words + skip, (t.n -= skip) * sizeof *t.words);
	if (t.n == 1) {
		offer_commands(&a, NULL);
		return;
	}
	const struct command_row *row = command_find(t.words, t.n - 1, &used, &err);
	if (row)
		complete_argument(&a, row, &t, used);
	else if (t.n == 2)
		offer_commands(&a, &t.words[0]);
	buf_free(&err);
}

/* Bytes of one part of a usage: a word, or what stands in brackets. */
static size_t usage_part(const char *p)
{
	size_t n = 0;

	for (int depth = 0; p[n] && (depth > 0 || p[n] != ' '); n++)
		depth += (p[n] == '[') - (p[n] == ']');
	return n;
}

/* What is left of a usage behind so many positional words.  Its options are not: they can stand
 * anywhere, and are told before the first word. */
static const char *usage_behind(const char *rest, size_t typed)
{
	while (typed > 0) {
		rest += strspn(rest, " ");
		size_t n = usage_part(rest);
		bool repeats = n > 3 && strncmp(rest + n - 3, "...", 3) == 0;
		if (n == 0 || *rest == '|')
			return "";
		if (repeats && rest[0] != '[')
			return rest;
		typed -= strncmp(rest, "[-", 2) != 0 && strncmp(rest, "[options]", 9) != 0;
		rest += n;
	}
	return rest;
}

/* The usage behind the command's name, without the words that have been typed. */
void command_hint(struct bytes line, struct buf *out)
{
	struct typed t;
	struct buf err = {0};
	size_t used = 0;
	const struct bytes *last;

	cut(&t, line);
	if (line.n == 0 || t.words[0].n == 0)
		return;
	bool open = t.words[t.n - 1].n > 0; /* the cursor stands at a word's end */
	const struct command_row *row = command_find(t.words, t.n - !open, &used, &err);
	buf_free(&err);
	if (!row || (open && t.n <= used && !bytes_is(t.words[0], row->name)) ||
	    row->layer != LAYER_SHELL)
		return;
	const char *rest = row->usage + strlen(row->name);
	size_t typed = positionals(row, t.words + used, t.n - !open - used, &last);
	if (!strncmp(rest, " [options]", 10) && (typed > 0 || t.n - !open > used))
		rest += 10;
	rest = usage_behind(rest, typed);
	while (*rest == ' ')
		rest++;
	if (*rest && open)
		buf_putc(out, ' ');
	const char *other = typed > 0 ? strstr(rest, " | ") : NULL; /* another way to use it */
	buf_add(out, rest, other ? (size_t)(other - rest) : strlen(rest));
}
