/* What is going on, in words: narration, question, answer; the timeline; what a newcomer can do
 * (screen-design.md B.6, B.9). */
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"
#include "ui/scene.h"

static void put_welcome(struct buf *b)
{
	buf_puts(b, "etcdscope shows etcd at work: three members in this program agree on a log.\n"
		    "SPACE starts the first demo   d chooses one   : types a command\n"
		    "? help   q quit   man etcdscope has all");
}

/* In free play nobody narrates: what happened last, and what comes next. */
static void put_free_play(const struct scene *s, struct buf *b)
{
	struct buf next = {0};

	if (sim_describe_next(s->w, &next) && next.n)
		buf_printf(b, "Next: %s.", buf_str(&next));
	else
		buf_puts(b, "Nothing is under way. SPACE goes on to the next instant at which "
			    "something happens.");
	buf_free(&next);
}

static void put_story(const struct scene *s, struct buf *b)
{
	const char *told = player_narration(s->p), *question = player_question(s->p),
		   *answer = player_answer(s->p);

	if (s->v->notice.n)
		buf_printf(b, "! %s\n", buf_str(&s->v->notice));
	if (s->v->said[0])
		told = s->v->said;
	if (s->v->asked[0])
		question = s->v->asked, answer = "";
	if (s->v->welcome && player_steps(s->p) == 0)
		put_welcome(b);
	else if (told[0])
		buf_puts(b, told);
	else if (!question[0])
		put_free_play(s, b);
	if (question[0])
		buf_printf(b, "%s? %s", b->n ? "\n" : "", question);
	if (answer[0] && s->v->reveal)
		buf_printf(b, "\n= %s", answer);
	else if (answer[0])
		buf_puts(b, "  (=: answer)");
}

int story_rows(const struct scene *s, int columns)
{
	struct canvas measure = {.ascii = false};
	struct buf b = {0};

	put_story(s, &b);
	int n = draw_wrapped(&measure, NULL, (struct rect){0, 0, columns - 2, 0}, STYLE_NORMAL,
			     buf_str(&b));
	buf_free(&b);
	return n;
}

/* If not all fits the question and the answer stay, and the narration is cut. */
void draw_story(const struct scene *s, struct canvas *c, struct rect r, int title)
{
	struct rect before = canvas_clip(c, r), inside = {r.x + 1, r.y, r.w - 2, r.h};
	struct buf b = {0};

	put_story(s, &b);
	const char *text = buf_str(&b), *question = strstr(text, "\n? ");
	int rows = draw_wrapped(c, NULL, inside, STYLE_NORMAL, text);
	if (rows > r.h && question && r.h > 1) {
		int below = draw_wrapped(c, NULL, inside, STYLE_NORMAL, question + 1);
		int above = r.h > below ? r.h - below : 1;
		draw_wrapped(c, c, (struct rect){inside.x, r.y, inside.w, above}, STYLE_NORMAL,
			     text);
		canvas_fill(c, (struct rect){inside.x, r.y + above, inside.w, r.h - above},
			    STYLE_NORMAL, ' ');
		draw_wrapped(c, c, (struct rect){inside.x, r.y + above, inside.w, r.h - above},
			     STYLE_NORMAL, question + 1);
	} else {
		draw_wrapped(c, c, inside, STYLE_NORMAL, text);
	}
	canvas_clip(c, before);
	if (title)
		draw_title(s, c, PANE_STORY, r.x, r.w, "", "");
	buf_free(&b);
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
		x = canvas_printf(c, x, y, i == k ? STYLE_STAGE : STYLE_TITLE,
				  i == k ? "►%zu◄" : "%zu", i);
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
