/* Helpers that several panes share (scene.h). */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "check/check.h"
#include "ui/scene.h"

static void heading(const struct scene *s, struct buf *out, enum pane p, const char *text)
{
	bool tiny = s->l.kind == LAYOUT_TINY;

	if (s->v->focus == p)
		buf_puts(out, ">");
	if (!tiny)
		buf_printf(out, "%d ", p);
	if (tiny && p == PANE_WATCH)
		buf_puts(out, "WATCH");
	else if (tiny && p == PANE_STORE)
		buf_puts(out, "STORE");
	else
		buf_puts(out, pane_title(p));
	buf_printf(out, "%s%s", text[0] ? " " : "", text);
	if (s->v->zoom && s->v->focus == p)
		buf_puts(out, "  ZOOMED");
}

void draw_title(const struct scene *s, struct canvas *c, enum pane p, int x, int w,
		const char *text, const char *right)
{
	int y = s->l.title[p];
	struct buf b = {0}, cut = {0};
	enum style st = s->v->focus == p ? STYLE_TITLE_FOCUSED : STYLE_TITLE;

	if (y < 0)
		return;
	canvas_fill(c, (struct rect){x, y, w, 1}, STYLE_TITLE, 0x2500);
	heading(s, &b, p, text);
	canvas_shorten(c, &cut, buf_bytes(&b), w - 4, false);
	canvas_puts(c, x + 1, y, STYLE_TITLE, " ");
	int end = canvas_puts(c, x + 2, y, st, buf_str(&cut));
	canvas_puts(c, end, y, STYLE_TITLE, " ");
	int room = x + w - 1 - (end + 2);
	if (right[0] && canvas_width(c, bytes_of(right)) + 2 <= room) {
		int at = canvas_puts_right(c, x + w - 2, y, STYLE_TITLE, right);
		canvas_puts(c, at - 1, y, STYLE_TITLE, " ");
		canvas_puts(c, x + w - 2, y, STYLE_TITLE, " ");
	}
	buf_free(&b);
	buf_free(&cut);
}

int draw_bytes(struct canvas *c, int x, int y, int w, enum style st, struct bytes text,
	       bool keep_end)
{
	struct buf safe = {0}, cut = {0};

	if (w <= 0)
		return x;
	if (text.n > 4096) /* more than any screen is wide */
		text = keep_end ? (struct bytes){text.p + text.n - 4096, 4096}
				: (struct bytes){text.p, 4096};
	text_safe(&safe, text, false);
	canvas_shorten(c, &cut, buf_bytes(&safe), w, keep_end);
	x = canvas_text(c, x, y, st, 0, buf_bytes(&cut));
	buf_free(&safe);
	buf_free(&cut);
	return x;
}

/* Bytes of a word that has no blank, as many as fit; one character at least. */
static size_t part_of_word(const struct canvas *c, const char *text, size_t n, int w)
{
	size_t fits = 0;

	while (fits < n) {
		uint32_t code;
		int len = utf8_decode(text + fits, n - fits, &code);
		size_t next = fits + (size_t)(len > 0 ? len : 1);
		if (fits && canvas_width(c, (struct bytes){text, next}) > w)
			break;
		fits = next;
	}
	return fits;
}

size_t line_break(const struct canvas *c, const char *text, int w, size_t *next)
{
	size_t fits = 0, i = 0;

	w = w > 1 ? w : 1; /* every line takes something */
	for (;;) {
		size_t word = i + strcspn(text + i, " \n");
		if (canvas_width(c, (struct bytes){text, word}) > w) {
			if (fits > 0)
				break;
			return *next = part_of_word(c, text, word, w);
		}
		fits = word;
		i = word;
		if (!text[i] || text[i] == '\n')
			break;
		i++;
	}
	*next = fits + (text[fits] == ' ' || text[fits] == '\n');
	return fits;
}

int draw_wrapped(const struct canvas *measure, struct canvas *c, struct rect r, enum style st,
		 const char *text)
{
	int lines = 0;

	while (*text) {
		size_t next, n = line_break(measure, text, r.w, &next);
		if (c && lines < r.h)
			canvas_text(c, r.x, r.y + lines, st, 0, (struct bytes){text, n});
		lines++;
		text += next;
	}
	return lines;
}

/* The last line there is room for, cut at a word so that `more` can stand behind it. */
static void draw_cut_line(struct canvas *c, int x, int y, int w, enum style st, unsigned attr,
			  const char *text, const char *more)
{
	size_t next, n = line_break(c, text, w - 1 - canvas_width(c, bytes_of(more)), &next);
	int end = draw_bytes(c, x, y, w, st, (struct bytes){text, n}, false);

	canvas_restyle(c, (struct rect){x, y, end - x, 1}, st, attr);
	canvas_puts(c, n ? end + 1 : end, y, STYLE_HINT, more);
}

int draw_block(struct canvas *c, struct rect r, enum style st, unsigned attr, const char *text,
	       const char *more)
{
	int y = 0;

	for (size_t next; *text && y < r.h; y++, text += next) {
		size_t n = line_break(c, text, r.w, &next);
		if (y == r.h - 1 && text[next] && more[0])
			draw_cut_line(c, r.x, r.y + y, r.w, st, attr, text, more);
		else
			canvas_text(c, r.x, r.y + y, st, attr, (struct bytes){text, n});
	}
	return y;
}

int text_rows(const struct canvas *measure, const char *text, int w)
{
	return draw_wrapped(measure, NULL, (struct rect){0, 0, w, 0}, STYLE_NORMAL, text);
}

const struct violation *scene_violation(const struct scene *s)
{
	const struct violation *v = shell_violation(player_shell(s->p));

	return v && v->event + 1 != s->v->dismissed ? v : NULL;
}

unsigned scene_member(const struct scene *s)
{
	unsigned own = world_view(s->w);

	return s->v->member && s->v->member <= s->w->nmembers && s->v->member_over == own
		   ? s->v->member
		   : own;
}

void hide_numbers(const struct scene *s, char *text)
{
	char *to = text;

	if (!s->v->asks)
		return;
	while (*text)
		if (*text >= '0' && *text <= '9') {
			text += strspn(text, "0123456789.");
			*to++ = '?';
		} else {
			*to++ = *text++;
		}
	*to = 0;
}

void put_next_commands(struct buf *out, const struct scene *s)
{
	const char *p = player_next_commands(s->p);

	for (; *p; p++)
		if (*p == '\n')
			buf_puts(out, "; ");
		else
			buf_putc(out, *p);
}

void put_seconds(struct buf *out, int64_t ms)
{
	buf_printf(out, "%lld.%03d s", (long long)(ms / 1000), (int)(ms % 1000));
}

enum role member_role(const struct member *m)
{
	if (!m->raft || m->condition == MEMBER_DOWN || m->condition == MEMBER_REMOVED)
		return ROLE_DOWN;
	switch (raft_role(m->raft)) {
	case STATE_LEADER:
		return ROLE_LEADER;
	case STATE_CANDIDATE:
		return ROLE_CANDIDATE;
	case STATE_PRE_CANDIDATE:
		return ROLE_PRE_CANDIDATE;
	case STATE_FOLLOWER:
		break;
	}
	return server_is_learner(m) ? ROLE_LEARNER : ROLE_FOLLOWER;
}

static const struct {
	const char *word, *glyph;
	enum style style;
} roles[] = {
    [ROLE_LEADER] = {"LEADER", "▲", STYLE_LEADER},
    [ROLE_FOLLOWER] = {"follower", "○", STYLE_FOLLOWER},
    [ROLE_PRE_CANDIDATE] = {"pre-cand", "◇", STYLE_PRE_CANDIDATE},
    [ROLE_CANDIDATE] = {"candidate", "◆", STYLE_CANDIDATE},
    [ROLE_LEARNER] = {"(learner)", "◌", STYLE_LEARNER},
    [ROLE_DOWN] = {"DOWN", "×", STYLE_DOWN},
};

const char *role_word(enum role r)
{
	return roles[r].word;
}

const char *role_glyph(enum role r)
{
	return roles[r].glyph;
}

enum style role_style(enum role r)
{
	return roles[r].style;
}

enum style term_style(uint64_t term)
{
	return (enum style)(STYLE_TERM1 + (int)((term + STYLE_TERMS - 1) % STYLE_TERMS));
}

uint64_t member_term(const struct member *m)
{
	return m->raft ? raft_term(m->raft) : m->storage.hard_state.term;
}

uint64_t member_committed(const struct member *m)
{
	if (m->raft)
		return raft_commit(m->raft);
	return m->storage.hard_state.commit > m->applied ? m->storage.hard_state.commit
							 : m->applied;
}

uint64_t member_first(const struct member *m)
{
	return m->raft ? raft_first_index(m->raft) : storage_first_index(&m->storage);
}

uint64_t member_last(const struct member *m)
{
	return m->raft ? raft_last_index(m->raft) : storage_last_index(&m->storage);
}

uint64_t member_stable(const struct member *m)
{
	return m->wal.durable;
}

const struct entry *member_entry(const struct member *m, uint64_t index)
{
	if (index < member_first(m) || index > member_last(m))
		return NULL;
	return m->raft ? raft_entry(m->raft, index) : pvec_get(&m->storage.entries, index);
}

unsigned members_quorum(const struct world *w, unsigned *voters, unsigned *up)
{
	const struct conf_state *conf = world_conf(w);

	*voters = (unsigned)conf->nvoters;
	*up = 0;
	for (int i = 0; i < conf->nvoters; i++) {
		unsigned number = world_member_with_id(w, conf->voters[i]);
		const struct member *m = number ? world_member(w, number) : NULL;
		*up += m && member_role(m) != ROLE_DOWN && m->condition != MEMBER_PAUSED;
	}
	return world_quorum(w);
}
