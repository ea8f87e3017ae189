/* What is going on, in words: narration, question, answer; the timeline; what a newcomer can do
 * (screen-design.md B.6, B.9). */
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "sim/sim.h"
#include "ui/scene.h"

static void put_welcome(struct buf *b)
{
	buf_puts(b, "etcdscope shows etcd at work: three members in this program agree on a log.\n"
		    "SPACE starts the first demo   d chooses one   : types a command\n"
		    "? help   q quit   man etcdscope has all");
}

static void put_nothing(const struct world *w, struct buf *b)
{
	unsigned still = 0;

	for (unsigned i = w->nmembers; i > 0; i--)
		if (world_member(w, i)->condition == MEMBER_PAUSED)
			still = i;
	if (sim_under_way(w)) {
		buf_puts(b, "What is under way takes its time. SPACE goes on to the next instant "
			    "at which something happens.");
		return;
	}
	buf_puts(b, "Nothing is under way");
	if (still)
		buf_printf(b, " but what waits for S%u, which stands still (resume-member S%u)",
			   still, still);
	buf_puts(b, ". SPACE goes on to the next instant at which something happens.");
}

/* Who leads, if that has changed in the step, and who went down in it. */
static void put_changes(const struct scene *s, struct buf *b)
{
	const struct trace *t = player_trace(s->p);
	unsigned leader = world_leader(s->w), gone = 0;

	for (uint64_t i = t ? t->end : 0; i > (t ? t->first : 0) && i > s->mark.ntrace; i--) {
		const struct trace_record *r = trace_get(t, i - 1);
		bool ends = r->kind == TRACE_FAULT && (r->a == FAULT_KILL || r->a == FAULT_POWER ||
						       r->a == FAULT_TERM || r->a == FAULT_FATAL);
		if (ends && member_role(world_member(s->w, r->member)) == ROLE_DOWN)
			gone |= 1U << r->member;
	}
	for (unsigned i = 1; i <= s->w->nmembers; i++)
		if (gone & 1U << i)
			buf_printf(b, "S%u went down. ", i);
	if (leader != s->mark.leader && leader)
		buf_printf(b, "S%u leads now, in term %llu. ", leader,
			   (unsigned long long)member_term(world_member(s->w, leader)));
	else if (leader != s->mark.leader)
		buf_printf(b, "S%u leads no longer, and nobody leads yet. ", s->mark.leader);
}

/* In free play nobody narrates: what happened last, and what comes next. */
static void put_free_play(const struct scene *s, struct buf *b)
{
	struct buf next = {0};

	put_changes(s, b);
	if (sim_describe_next(s->w, &next) && next.n)
		buf_printf(b, "Next: %s.", buf_str(&next));
	else
		put_nothing(s->w, b);
	buf_free(&next);
}

/* A script without a word at its beginning: what SPACE does. */
static void put_first(const struct scene *s, struct buf *b)
{
	const char *next = player_next_text(s->p);

	buf_printf(b, "SPACE does the first of %zu steps: %.*s", player_steps(s->p),
		   (int)strcspn(next, "\n"), next);
}

/* The first line of a demo names it; the header does that too. */
static const char *without_name(const char *told)
{
	const char *next = strncmp(told, "Demo ", 5) == 0 ? strchr(told, '\n') : NULL;

	return next ? next + 1 : told;
}

/* The story in three parts: what has happened, what is asked before it goes on, and what is
 * answered. */
struct story {
	struct buf told, question, answer;
	bool answered; /* the question was asked before; the answer belongs to what is told */
};

static void story_free(struct story *t)
{
	buf_free(&t->told);
	buf_free(&t->question);
	buf_free(&t->answer);
}

/* What must never happen stands before everything else. */
static void put_violation(const struct scene *s, struct buf *b)
{
	const struct violation *v = scene_violation(s);

	if (!v)
		return;
	buf_printf(b, "INVARIANT %s is broken at ", v->rule);
	put_seconds(b, v->ms);
	buf_printf(b, ": %s. ESC: seen.\n", v->text);
}

static struct story story_of(const struct scene *s)
{
	bool answered = s->v->quiz && !s->v->asks; /* of a step of a quiz that has run */
	const char *told = player_narration(s->p),
		   *question = answered ? player_question(s->p) : player_next_question(s->p),
		   *answer = answered ? player_answer(s->p) : player_next_answer(s->p);
	struct story t = {.answered = answered};

	put_violation(s, &t.told);
	if (s->v->said[0])
		told = s->v->said;
	if (s->v->asked[0])
		question = s->v->asked, answer = "";
	if (s->v->welcome && player_steps(s->p) == 0)
		put_welcome(&t.told);
	else if (told[0])
		buf_puts(&t.told, player_step_number(s->p) ? told : without_name(told));
	else if (player_steps(s->p) && player_step_number(s->p) == 0 && player_next_text(s->p)[0])
		put_first(s, &t.told);
	else if (player_steps(s->p) == 0 && !question[0])
		put_free_play(s, &t.told);
	if (question[0])
		buf_printf(&t.question, "? %s", question);
	if (question[0] && answer[0] && (s->v->reveal || s->v->notes || answered))
		buf_printf(&t.answer, "= %s", answer);
	if (s->v->notes && player_next_commands(s->p)[0]) {
		buf_puts(&t.answer, t.answer.n ? "\n> " : "> ");
		put_next_commands(&t.answer, s);
	}
	return t;
}

static int rows_of(const struct canvas *c, const struct buf *b, int w)
{
	return b->n ? text_rows(c, buf_str(b), w) : 0;
}

static int all_rows(const struct canvas *c, const struct story *t, int w)
{
	return rows_of(c, &t->told, w) + rows_of(c, &t->question, w) + rows_of(c, &t->answer, w);
}

int story_rows(const struct scene *s, int columns)
{
	struct canvas measure = {.ascii = false};
	struct story t = story_of(s);
	int n = all_rows(&measure, &t, columns - 2);

	story_free(&t);
	return n;
}

/* Where there is no room for everything the answer replaces the narration, and narration is cut
 * before the question is. */
static void draw_parts(struct canvas *c, struct rect r, const struct story *t, const char *more)
{
	int told = rows_of(c, &t->told, r.w), asked = rows_of(c, &t->question, r.w),
	    answer = rows_of(c, &t->answer, r.w), space = 0, end = r.y + r.h, y = r.y;

	if (t->answered && told + asked + answer > r.h)
		asked = 0;
	if (answer && told + asked + answer > r.h)
		told = t->answered && r.h > answer ? r.h - answer : 0;
	if (answer && asked + answer > r.h)
		asked = 0;
	if (told + asked > r.h)
		told = r.h > asked ? r.h - asked : 1;
	if (told && asked)
		space = told + asked + answer + 1 < r.h;
	if (told)
		y += draw_block(c, (struct rect){r.x, y, r.w, told}, STYLE_NORMAL, 0,
				buf_str(&t->told), more);
	y += space;
	if (asked)
		y += draw_block(c, (struct rect){r.x, y, r.w, end - y}, STYLE_NORMAL, ATTR_BOLD,
				buf_str(&t->question), more);
	draw_block(c, (struct rect){r.x, y, r.w, end - y}, STYLE_NORMAL, 0, buf_str(&t->answer),
		   more);
}

/* In full and scrolled, when the pane is open and still too small. */
static void draw_scrolled(struct canvas *c, struct rect r, const struct story *t, size_t top)
{
	int rows = all_rows(c, t, r.w), last = rows > r.h ? rows - r.h : 0;
	int y = r.y - ((int)top < last ? (int)top : last);
	const struct buf *part[] = {&t->told, &t->question, &t->answer};

	for (int i = 0; i < 3; i++)
		y += draw_block(c, (struct rect){r.x, y, r.w, 1000}, STYLE_NORMAL,
				i == 1 ? ATTR_BOLD : 0, buf_str(part[i]), "");
}

/* What can be pressed here. */
static const char *keys_of(const struct scene *s, const struct story *t)
{
	bool answers = t->question.n && !t->answer.n && player_next_answer(s->p)[0];

	if (s->v->asks)
		return answers ? "SPACE: step and answer   = answers" : "SPACE: step and answer";

	if (player_steps(s->p) && player_step_number(s->p) == 0)
		return answers ? "SPACE begins   = answers" : "SPACE begins";
	return answers ? "= answers" : "";
}

/* The rule that was broken, filled; else what can be pressed. */
static void draw_story_title(const struct scene *s, struct canvas *c, struct rect r,
			     const struct story *t)
{
	const struct violation *v = scene_violation(s);
	char right[64];
	int w = snprintf(right, sizeof right, "INVARIANT %s", v ? v->rule : "");

	draw_title(s, c, PANE_STORY, r.x, r.w, "", v ? right : keys_of(s, t));
	if (v && w < r.w - 16 && s->l.title[PANE_STORY] >= 0)
		canvas_restyle(c,
			       (struct rect){r.x + r.w - 3 - w, s->l.title[PANE_STORY], w + 2, 1},
			       STYLE_ERROR, 0);
}

void draw_story(const struct scene *s, struct canvas *c, struct rect r, int title)
{
	struct rect before = canvas_clip(c, r), inside = {r.x + 1, r.y, r.w - 2, r.h};
	bool focused = s->v->focus == PANE_STORY;
	struct story t = story_of(s);

	if (focused && all_rows(c, &t, inside.w) > r.h)
		draw_scrolled(c, inside, &t, s->v->place[PANE_STORY].top);
	else
		draw_parts(c, inside, &t, "(5 z: more)");
	canvas_clip(c, before);
	if (title)
		draw_story_title(s, c, r, &t);
	story_free(&t);
}

/* ─ 1──2──3──►4◄··5··6 ─: with many steps those around the present one. */
void draw_timeline(const struct scene *s, struct canvas *c, int y)
{
	size_t k = player_step_number(s->p), n = player_steps(s->p);
	size_t fit = (size_t)(c->columns > 60 ? (c->columns - 50) / 5 : 2);
	size_t first = n > fit && k > fit / 2 ? k - fit / 2 : 1;
	const char *next = player_next_text(s->p);

	if (y < 0)
		return;
	if (n > fit && first + fit > n + 1)
		first = n + 1 - fit;
	canvas_fill(c, (struct rect){0, y, c->columns, 1}, STYLE_TITLE, 0x2500);
	int x = canvas_puts(c, 1, y, STYLE_TITLE, first > 1 ? " … " : " ");
	for (size_t i = first; i <= n && i < first + fit; i++) {
		if (i > first)
			x = canvas_puts(c, x, y, STYLE_TITLE, i <= k ? "──" : "··");
		int from = x;
		x = canvas_printf(c, x, y, i == k ? STYLE_STAGE : STYLE_TITLE,
				  i == k ? "►%zu◄" : "%zu", i);
		spots_add(s->spots, (struct rect){from - (i > first), y, x - from + 2, 1},
			  "goto %zu", i);
	}
	x = canvas_puts(c, x, y, STYLE_TITLE, first + fit <= n ? " … " : " ");
	int room = c->columns - 2 - x - 8;
	if (next[0] && room > 20) {
		struct buf b = {0};
		canvas_shorten(c, &b, (struct bytes){next, strcspn(next, "\n")}, room, false);
		int at = canvas_puts_right(c, c->columns - 2, y, STYLE_TITLE, buf_str(&b));
		canvas_puts(c, at - 7, y, STYLE_TITLE, " next: ");
		canvas_puts(c, c->columns - 2, y, STYLE_TITLE, " ");
		buf_free(&b);
	}
}
