/* What panes draw from: a player's world, read only, and the view.  Helpers that several panes
 * share. */
#ifndef UI_SCENE_H
#define UI_SCENE_H

#include "script/player.h"
#include "session/session.h"
#include "ui/canvas.h"
#include "ui/layout.h"
#include "ui/spots.h"
#include "ui/view.h"

struct scene {
	struct player *p; /* panes only look */
	const struct world *w;
	struct player_mark mark;
	const struct view *v;
	const struct demo *demos;
	size_t ndemos;
	struct layout l;
	struct spots *spots;	 /* somebody asks what can be pressed; NULL: nobody */
	const struct call *call; /* the request that the client pane is about; NULL: none */
};

/* session may be NULL: then there is no list of demos. */
void scene_init(struct scene *s, struct player *p, const struct view *v, struct session *session);
/* Draws everything on a canvas of its size. */
void scene_draw(struct scene *s, struct canvas *c);

/* What was made since the start of the step is marked; event: its number in the world. */
static inline bool scene_is_new(const struct scene *s, uint64_t event)
{
	return event > s->mark.events;
}

/* A title in a rule: "─ 2 MEMBERS  quorum 2 of 3 ───── right ──". */
void draw_title(const struct scene *s, struct canvas *c, enum pane p, int x, int w,
		const char *text, const char *right);
/* Bytes of the world at (x, y), safe, in at most w columns; returns the column after. */
int draw_bytes(struct canvas *c, int x, int y, int w, enum style st, struct bytes text,
	       bool keep_end);
/* Bytes of text that go on a line of w columns, broken at a blank where there is one; *next: where
 * the next line begins. */
size_t line_break(const struct canvas *c, const char *text, int w, size_t *next);
/* Text in lines of at most w columns, broken at blanks; returns the number of lines (drawn if c is
 * not NULL). */
int draw_wrapped(const struct canvas *measure, struct canvas *c, struct rect r, enum style st,
		 const char *text);
/* Rows that a text takes in lines of w columns. */
int text_rows(const struct canvas *measure, const char *text, int w);
/* The same text on at most r.h rows; if it needs more, `more` stands at the end of the last one
 * ("": nothing does).  Returns the rows used. */
int draw_block(struct canvas *c, struct rect r, enum style st, unsigned attr, const char *text,
	       const char *more);
/* The rule that was broken, until somebody has dismissed it; NULL: none. */
const struct violation *scene_violation(const struct scene *s);
/* The member whose store is shown. */
unsigned scene_member(const struct scene *s);
/* Each number becomes `?` while a quiz asks for it. */
void hide_numbers(const struct scene *s, char *text);
/* The commands of the next step in one line, "; " between them. */
void put_next_commands(struct buf *out, const struct scene *s);
/* "0.000 s" */
void put_seconds(struct buf *out, int64_t ms);

enum role {
	ROLE_LEADER,
	ROLE_FOLLOWER,
	ROLE_PRE_CANDIDATE,
	ROLE_CANDIDATE,
	ROLE_LEARNER,
	ROLE_DOWN
};
enum role member_role(const struct member *m);
const char *role_word(enum role r);
const char *role_glyph(enum role r);
enum style role_style(enum role r);
enum style term_style(uint64_t term);

/* What a member knows, up or down. */
uint64_t member_term(const struct member *m);
uint64_t member_committed(const struct member *m);
uint64_t member_first(const struct member *m);
uint64_t member_last(const struct member *m);
uint64_t member_stable(const struct member *m);
const struct entry *member_entry(const struct member *m, uint64_t index); /* NULL: it has none */
unsigned members_quorum(const struct world *w, unsigned *voters, unsigned *up);

/* The panes; each draws inside r. */
void draw_header(const struct scene *s, struct canvas *c, int y);
void draw_counters(const struct scene *s, struct canvas *c, int y);
void draw_path(const struct scene *s, struct canvas *c, int x, int y, int w);
void draw_client(const struct scene *s, struct canvas *c, struct rect r, int title);
/* Rows that it would need; *why: those of the explanation among them. */
int client_rows(const struct scene *s, int columns, int *why);
/* Rows of the reply alone. */
int client_reply_rows(const struct scene *s, int columns);
void client_reply_text(const struct scene *s, struct buf *out);
/* The one line that says how the last command went. */
void client_reply_line(const struct scene *s, struct buf *out);
const struct call *client_pane_call(const struct scene *s);
void draw_members(const struct scene *s, struct canvas *c, struct rect r, int title);
void draw_member_details(const struct scene *s, struct canvas *c, struct rect r, unsigned number);
/* "▤full": what is the matter with its disk, in eleven columns at most; nothing if all is well. */
void put_disk_word(struct buf *out, const struct member *m);
/* A line a member: its WAL and its database file. */
void draw_disks(const struct scene *s, struct canvas *c, struct rect r);
void draw_watch(const struct scene *s, struct canvas *c, struct rect r, int title);
/* Lines that it has to show, in a pane of w columns. */
size_t watch_lines(const struct scene *s, int w);
void draw_store(const struct scene *s, struct canvas *c, struct rect r, int title);
void draw_story(const struct scene *s, struct canvas *c, struct rect r, int title);
int story_rows(const struct scene *s, int columns);
void draw_timeline(const struct scene *s, struct canvas *c, int y);
void draw_trace(const struct scene *s, struct canvas *c, struct rect r, int title);
void draw_keys(const struct scene *s, struct canvas *c, int y);
void draw_prompt(const struct scene *s, struct canvas *c, int y);
/* The message of the view: on the hint row, at the end of the prompt's row, or on as many rows
 * above it as it needs. */
void draw_notice(const struct scene *s, struct canvas *c);
void draw_hint(const struct scene *s, struct canvas *c, int y);
void draw_overlay(const struct scene *s, struct canvas *c);
/* Does a page of text show all that it has? */
bool overlay_is_whole(const struct scene *s, const struct canvas *c);

#endif
