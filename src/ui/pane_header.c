/* The rows at the top: header, counters, and the path of the request (screen-design.md B.3). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"
#include "ui/scene.h"

static void put_speed(struct buf *out, const struct scene *s)
{
	if (s->v->speed < 0)
		buf_printf(out, "1/%dx", 1 << -s->v->speed);
	else
		buf_printf(out, "%dx", 1 << s->v->speed);
}

/* "step 6 of 10", "6/10" where it is narrow; free play has none. */
static void put_step(struct buf *out, const struct scene *s, bool narrow)
{
	if (player_steps(s->p) > 0)
		buf_printf(out, narrow ? "  %zu/%zu" : "   step %zu of %zu",
			   player_step_number(s->p) + s->v->asks, player_steps(s->p));
}

/* "BUG: commit-half", and how many more are on: what is shown is not what etcd does. */
static void put_bugs(struct buf *out, uint32_t bugs)
{
	if (!bugs)
		return;
	int more = __builtin_popcount(bugs) - 1;
	buf_printf(out, "BUG: %s", bug_row((enum bug)__builtin_ctz(bugs))->name);
	if (more)
		buf_printf(out, " +%d", more);
	buf_puts(out, "   ");
}

static void put_right(struct buf *out, const struct scene *s, int columns)
{
	bool narrow = columns < 80, wide = columns >= 120;

	put_bugs(out, s->w->cfg.bugs);
	buf_puts(out, wide ? "clock " : "t ");
	put_seconds(out, s->w->now_ms);
	if (narrow)
		out->n -= 2, out->p[out->n] = 0; /* no unit */
	buf_printf(out, "%s%s", narrow ? "  " : "   ",
		   s->v->playing ? "playing"
		   : s->v->quiz	 ? "QUIZ"
				 : "paused");
	if (narrow)
		return;
	buf_puts(out, wide ? "   speed " : "  ");
	put_speed(out, s);
	if (wide)
		buf_printf(out, "   seed %llu", (unsigned long long)s->w->cfg.seed);
	if (s->w->cfg.send_parallel)
		buf_puts(out, wide ? "   leader-send parallel" : "  parallel");
}

void draw_header(const struct scene *s, struct canvas *c, int y)
{
	struct buf left = {0}, right = {0}, cut = {0};
	const char *branch = player_branch_name(s->p);

	if (y < 0)
		return;
	canvas_fill(c, (struct rect){0, y, c->columns, 1}, STYLE_HEADER, ' ');
	buf_printf(&left, "%s%s", c->columns < 80 ? "" : "etcdscope  ", player_title(s->p));
	put_step(&left, s, c->columns < 80);
	put_right(&right, s, c->columns);
	int room = c->columns - 3 - canvas_width(c, buf_bytes(&right));
	bool fits = canvas_width(c, buf_bytes(&left)) + (int)sizeof "   (branch main)" <= room;
	if (strcmp(branch, "main") != 0 || (c->columns >= 120 && fits))
		buf_printf(&left, c->columns >= 120 ? "   (branch %s)" : "  (%s)", branch);
	canvas_shorten(c, &cut, buf_bytes(&left), room - 1, false);
	canvas_puts(c, 1, y, STYLE_HEADER, buf_str(&cut));
	canvas_puts_right(c, c->columns - 1, y, STYLE_HEADER, buf_str(&right));
	buf_free(&left);
	buf_free(&right);
	buf_free(&cut);
}

/* A counter is a word and a number; both are bold if the number moved in this step. */
struct counter {
	char text[64];
	bool moved;
};

enum { COUNTERS_MAX = 10 };

struct counters {
	struct counter v[COUNTERS_MAX];
	int n;
};

static struct counter *add(struct counters *t, bool moved)
{
	t->v[t->n].moved = moved;
	return &t->v[t->n++];
}

/* All that call themselves leader: "S1", or "S1(t1) S2(t2)" if they are several. */
static void put_leaders(const struct world *w, char *out, size_t size, bool word)
{
	struct buf b = {0};
	int n = 0;

	for (unsigned i = 0; i < w->nmembers; i++)
		n += member_role(w->members[i]) == ROLE_LEADER;
	for (unsigned i = 0; i < w->nmembers; i++) {
		if (member_role(w->members[i]) != ROLE_LEADER)
			continue;
		buf_printf(&b, "%sS%u", b.n ? " " : "", i + 1);
		if (n > 1)
			buf_printf(&b, "(t%llu)", (unsigned long long)member_term(w->members[i]));
	}
	snprintf(out, size, "%s%s", word ? "LEADER " : "", n ? buf_str(&b) : "none");
	buf_free(&b);
}

/* width: 0 widest, then fewer words; the numbers stay whole. */
static void count(const struct scene *s, struct counters *t, int width)
{
	static const char *const form[][3] = {
	    {"RAFT LOG %llu ", "(committed %llu, ", "applied %llu)"},
	    {"RAFT LOG %llu ", "(com %llu, ", "app %llu)"},
	    {"LOG %llu ", "com %llu ", "app %llu"},
	    {"L%llu ", "c%llu ", "a%llu"}};
	const struct member *m = world_member(s->w, world_counters_member(s->w));
	unsigned long long term = 0;

	t->n = 0;
	for (unsigned i = 0; i < s->w->nmembers; i++)
		term = member_term(s->w->members[i]) > term ? member_term(s->w->members[i]) : term;
	snprintf(add(t, term != s->mark.term)->text, 64, width < 3 ? "TERM %llu" : "T%llu", term);
	put_leaders(s->w, add(t, world_leader(s->w) != s->mark.leader)->text, 64, width < 3);
	uint64_t value[3] = {member_last(m), member_committed(m), m->applied};
	uint64_t before[3] = {s->mark.log, s->mark.committed, s->mark.applied};
	for (int i = 0; i < 3; i++) {
		struct counter *k = add(t, value[i] != before[i]);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(k->text, 64, form[width][i], (unsigned long long)value[i]);
#pragma GCC diagnostic pop
	}
	snprintf(add(t, m->store.current_rev != s->mark.rev)->text, 64,
		 width < 2   ? "REVISION %lld"
		 : width < 3 ? "REV %lld"
			     : "r%lld",
		 (long long)m->store.current_rev);
	for (int i = 2; i < t->n; i++)
		hide_numbers(s, t->v[i].text);
}

static int counters_gap(int i, int gap)
{
	return i == 0 || i == 3 || i == 4 ? 0
					  : gap; /* the three numbers of the log belong together */
}

static int counters_width(const struct counters *t, int gap)
{
	int w = 1;

	for (int i = 0; i < t->n; i++)
		w += (int)strlen(t->v[i].text) + counters_gap(i, gap);
	return w;
}

/* What a wide screen has room for besides. */
static void draw_more_counters(const struct scene *s, struct canvas *c, int x, int y)
{
	const struct mvcc *store = &world_member(s->w, scene_member(s))->store;
	unsigned voters, up, quorum = members_quorum(s->w, &voters, &up);
	char compacted[32] = "none", text[96];

	if (c->columns < 120)
		return;
	if (store->compact_rev > 0)
		snprintf(compacted, sizeof compacted, "%lld", (long long)store->compact_rev);
	snprintf(text, sizeof text, "      keys %lld   compacted %s", (long long)store->live_keys,
		 compacted);
	hide_numbers(s, text);
	x = canvas_puts(c, x, y, STYLE_NORMAL, text);
	if (c->columns >= 160)
		x = canvas_printf(c, x, y, STYLE_NORMAL, "      quorum %u of %u   up %u", quorum,
				  voters, up);
	if (c->columns >= 160 && up < quorum)
		canvas_puts(c, x + 3, y, STYLE_ERROR, " NO QUORUM ");
}

void draw_counters(const struct scene *s, struct canvas *c, int y)
{
	struct counters t;
	int width = 0, gap = c->columns >= 120 ? 4 : 3;

	if (y < 0)
		return;
	for (;; gap = gap > 1 ? gap - 1 : gap, width += gap == 1) {
		count(s, &t, width < 3 ? width : 3);
		if (counters_width(&t, gap) <= c->columns || width > 3)
			break;
	}
	int x = counters_width(&t, gap) < c->columns;
	for (int i = 0; i < t.n; i++) {
		x += counters_gap(i, gap);
		x = canvas_text(c, x, y, STYLE_NORMAL, t.v[i].moved && !s->v->asks ? ATTR_BOLD : 0,
				bytes_of(t.v[i].text));
	}
	draw_more_counters(s, c, x, y);
}

enum { STAGES_MAX = 16 };

/* The path strip as it is drawn. */
struct strip {
	const struct path *p;
	const char *const *stages;
	bool over; /* nothing more will happen on it */
	int n, width[STAGES_MAX];
};

/* The reply is there (or what nobody asked for is applied) and nothing is pending. */
static bool path_is_over(const struct world *w)
{
	const struct path *p = &w->path;
	const struct call *call = p->call ? world_call(w, p->call) : NULL;

	if (sim_pending(w) || sim_under_way(w))
		return false;
	return call ? call->state == CALL_DONE : p->kind == PATH_EXPIRY && p->current >= 6;
}

/* The present stage stands out: names without a capital are raised. */
static void put_raised(struct buf *out, const char *name)
{
	bool has_capital = false;

	for (const char *q = name; *q; q++)
		has_capital = has_capital || isupper((unsigned char)*q);
	for (; *name; name++)
		buf_putc(out, has_capital ? *name : (char)toupper((unsigned char)*name));
}

/* One stage as text. */
static enum style put_stage(struct buf *out, const struct strip *t, int i)
{
	const struct path *p = t->p;
	const char *name = t->stages[i];
	bool done = p->done >> i & 1, failed = p->failed >= 0;

	if (i == p->failed) {
		buf_puts(out, "×");
		put_raised(out, name);
		return STYLE_ERROR;
	}
	if (i != p->current || failed) {
		bool skipped = !done && !failed && (i < p->current || t->over);
		buf_printf(out, "%s%s", skipped ? "-" : name, done ? "√" : "");
		return STYLE_NORMAL;
	}
	buf_puts(out, "►");
	put_raised(out, name);
	if (p->acks < p->needed && p->kind != PATH_REPAIR && path_stage_counts(p->kind, i))
		buf_printf(out, " %u of %u needed", p->acks, p->needed);
	buf_puts(out, "◄");
	return STYLE_STAGE;
}

/* Columns of each stage, measured once. */
static void measure(const struct canvas *c, struct strip *t)
{
	struct buf b = {0};

	for (t->n = 0; t->stages[t->n] && t->n < STAGES_MAX; t->n++) {
		buf_clear(&b);
		put_stage(&b, t, t->n);
		t->width[t->n] = canvas_width(c, buf_bytes(&b));
	}
	buf_free(&b);
}

/* Columns of the stages from..to. */
static int stages_width(const struct strip *t, int from, int to, int gap)
{
	int w = 0;

	for (int i = from; i <= to && i < t->n; i++)
		w += t->width[i] + (i > from ? gap : 0);
	return w;
}

/* The first stage that is shown: past ones go, so that the present one can be seen. */
static int first_shown(const struct strip *t, int w)
{
	int now = t->p->failed >= 0 ? t->p->failed : t->p->current, from = 0;

	if (stages_width(t, 0, t->n, 1) <= w || now < 0)
		return 0;
	int behind = t->stages[now + 1] ? 4 : 0; /* " ..." */
	while (from < now && (from ? 3 : 0) + stages_width(t, from, now, 1) + behind > w)
		from++;
	return from;
}

static void draw_stages(const struct strip *t, struct canvas *c, int x, int y, int w)
{
	int gap = stages_width(t, 0, t->n, 2) <= w ? 2 : 1, end = x + w;
	int from = first_shown(t, w);
	struct buf b = {0};

	if (from)
		x = canvas_puts(c, x, y, STYLE_NORMAL, ".. ");
	for (int i = from; i < t->n; i++) {
		int all = stages_width(t, i, t->n, gap);
		if (x + all > end && x + t->width[i] + (i + 1 < t->n ? gap + 3 : 0) > end) {
			canvas_puts(c, x, y, STYLE_NORMAL, "...");
			break;
		}
		buf_clear(&b);
		enum style st = put_stage(&b, t, i);
		x = canvas_puts(c, x, y, st, buf_str(&b)) + gap;
	}
	buf_free(&b);
}

/* What the strip is about, where there is room for it. */
static void draw_path_remark(const struct scene *s, struct canvas *c, int x, int y, int end)
{
	const struct path *p = &s->w->path;
	const struct call *call = p->call ? world_call(s->w, p->call) : NULL;
	struct buf b = {0};

	if (call && call->number)
		buf_printf(&b, "(request %llu)", (unsigned long long)call->number);
	else if (p->kind == PATH_REPAIR)
		buf_printf(&b, "(repair of S%u's log)", p->member);
	else if (p->kind == PATH_SNAPSHOT)
		buf_printf(&b, "(a snapshot for S%u)", p->member);
	if (c->columns >= 120 && x + (int)b.n <= end)
		canvas_puts(c, x, y, STYLE_NORMAL, buf_str(&b));
	buf_free(&b);
}

void draw_path(const struct scene *s, struct canvas *c, int x, int y, int w)
{
	struct strip t = {
	    .p = &s->w->path, .stages = path_stages(s->w->path.kind), .over = path_is_over(s->w)};

	if (y < 0)
		return;
	if (w >= 70)
		x = canvas_puts(c, x, y, STYLE_NORMAL, "PATH  "), w -= 6;
	if (s->v->asks || s->w->path.kind == PATH_NONE) {
		canvas_puts(c, x, y, STYLE_NORMAL, s->v->asks ? "?" : "no request yet");
		return;
	}
	measure(c, &t);
	draw_stages(&t, c, x, y, w);
	draw_path_remark(s, c, x + stages_width(&t, 0, t.n, 2) + 6, y, x + w);
}
