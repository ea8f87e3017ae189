/* What lies over the panes: help, the choice of demos, branches, and pages of text. */
#include <stdio.h>
#include <string.h>

#include "ui/keys.h"
#include "ui/scene.h"

/* The space between a header row and the key bar. */
static struct rect open_page(const struct scene *s, struct canvas *c, const char *title,
			     const char *right)
{
	int bottom = s->l.keys >= 0 ? s->l.keys : c->rows;

	if (s->v->typing)
		bottom = s->l.prompt;
	canvas_fill(c, (struct rect){0, 0, c->columns, bottom}, STYLE_NORMAL, ' ');
	canvas_fill(c, (struct rect){0, 0, c->columns, 1}, STYLE_HEADER, ' ');
	int x = canvas_printf(c, 1, 0, STYLE_HEADER, "etcdscope  %s", title);
	if (canvas_width(c, bytes_of(right)) + x + 2 < c->columns)
		canvas_puts_right(c, c->columns - 1, 0, STYLE_HEADER, right);
	return (struct rect){0, 1, c->columns, bottom - 1};
}

/* ---- help ---- */

static const char *const page_title[] = {"keys of the stage", "panes and the command line",
					 "what the screen means"};

static const char *const legend[] = {
    "RAFT LOG n (committed c, applied a)   n: end of the log; what endpoint status",
    "                                      prints as RAFT INDEX is c",
    "REVISION                              of the store: it moves with writes only",
    "",
    "[ 3 ]   filled in its term's colour: this member knows entry 3 to be committed",
    "( 3 )   white: it does not know that (yet)      ( 3~)   not yet on its disk",
    "-( 3 )  thrown away in this step     …  older entries     snap 9  up to 9 compacted",
    "",
    "LEADER ▲   follower ○   pre-cand ◇   candidate ◆   (learner) ◌   DOWN ×",
    "▤20ms   its disk is slow (or full, refused, empty, lost, damaged: show disk)",
    "◄─ MsgApp 3..4     is on its way to this member      bold: delivered next",
    "MsgAppResp 2 ─►    left this member                  +1: one more under way",
    "◄─× MsgApp 4       was lost                          ╎╎ S2: cut off from S2",
    "",
    "√ past stage   ►NOW◄ present stage   - skipped   ×FAILED",
    "{2 3 4t} {5}       revisions of a key by generation; t: tombstone",
    "(6,1)              a row of bbolt: revision 6, second change in it",
    "*new               since the step began",
    NULL};

static void draw_legend(struct canvas *c, struct rect r)
{
	for (int i = 0; legend[i] && i < r.h; i++)
		canvas_puts(c, 2, r.y + 1 + i, STYLE_NORMAL, legend[i]);
}

static bool is_on(const struct binding *b, int page, int column)
{
	return b->page == page && (column < 0 || b->column == column) && b->help;
}

/* Columns of the labels, or of labels and what they do, in a column of a page. */
static int help_width(const struct canvas *c, int page, int column, bool whole)
{
	int label = 0, help = 0;

	for (size_t i = 0; i < key_count(); i++) {
		const struct binding *b = &key_table[i];
		if (!is_on(b, page, column))
			continue;
		int l = canvas_width(c, bytes_of(b->label)), h = canvas_width(c, bytes_of(b->help));
		label = l > label ? l : label;
		help = h > help ? h : help;
	}
	return label + 2 + (whole ? help : 0);
}

static void draw_help_column(struct canvas *c, struct rect r, int page, int column)
{
	int y = r.y + 1, label_w = help_width(c, page, column, false);

	for (size_t i = 0; i < key_count() && y < r.y + r.h; i++) {
		const struct binding *b = &key_table[i];
		if (!is_on(b, page, column))
			continue;
		if (b->heading) {
			if (y > r.y + 1 && r.h > 16)
				y++;
			canvas_puts(c, r.x, y++, STYLE_KEY, b->heading);
		}
		canvas_puts(c, r.x, y, STYLE_NORMAL, b->label);
		canvas_puts(c, r.x + label_w, y++, STYLE_NORMAL, b->help);
	}
}

/* What the colours of the theme in force say. */
static void draw_colours(const struct scene *s, struct canvas *c, int y)
{
	const char *name = s->v->theme && s->v->theme[0] ? s->v->theme : "dark";
	const char *open = s->v->uncommitted_underlined ? "hollow, underlined"
			   : strcmp(name, "mono") == 0	? "( ) plain"
							: "white";

	canvas_printf(c, 2, y, STYLE_NORMAL,
		      "Theme %s: filled cell = committed, by term; %s = not yet.", name, open);
}

static void draw_help(const struct scene *s, struct canvas *c)
{
	char title[80];
	int page = (int)(s->v->over.top % HELP_PAGES) + 1;

	snprintf(title, sizeof title, "Help   %d of %d: %s", page, HELP_PAGES,
		 page_title[page - 1]);
	struct rect r = open_page(s, c, title, "ESC closes");
	if (page == HELP_PAGES) {
		draw_legend(c, r);
		return;
	}
	int left = help_width(c, page, 0, true) + 2, right = help_width(c, page, 1, true);
	if (left + 2 + right > c->columns) { /* one column, scrolled by the rows above */
		draw_help_column(c, (struct rect){1, r.y, c->columns - 1, r.h}, page, -1);
		return;
	}
	int half = left + 4 + right <= c->columns && left + 4 > c->columns / 2 ? left + 4
		   : c->columns / 2 + right <= c->columns && left + 2 <= c->columns / 2
		       ? c->columns / 2
		       : left + 2;
	draw_help_column(c, (struct rect){2, r.y, half - 2, r.h}, page, 0);
	draw_help_column(c, (struct rect){half, r.y, c->columns - half, r.h}, page, 1);
	if (r.h >= 19)
		draw_colours(s, c, r.y + r.h - 2);
}

/* ---- demos ---- */

static void draw_demo(struct canvas *c, int y, const struct demo *d, bool selected)
{
	enum style st = selected ? STYLE_SELECTED : STYLE_NORMAL;
	int summary = c->columns >= 76 ? 44 : c->columns;
	struct buf b = {0};

	canvas_printf(c, 1, y, st, "%s %2d  ", selected ? ">" : " ", d->number);
	canvas_shorten(c, &b, bytes_of(d->title), (c->columns < 46 ? c->columns - 8 : 26), false);
	canvas_printf(c, 7, y, st, "%-26s", buf_str(&b));
	if (c->columns >= 46)
		canvas_printf(c, 34, y, st, "%2zu steps  ", d->steps);
	buf_clear(&b);
	canvas_shorten(c, &b, bytes_of(d->summary), c->columns - summary - 1, false);
	canvas_puts(c, summary, y, st, buf_str(&b));
	buf_free(&b);
}

static void draw_menu(const struct scene *s, struct canvas *c)
{
	char typed[64];
	snprintf(typed, sizeof typed, "%d_  ENTER, or one more digit", s->v->menu_number);
	struct rect r =
	    open_page(s, c, "Demos", s->v->menu_number ? typed : "type a number, or ↑ ↓ and ENTER");
	int rows = r.h - 4 > 0 ? r.h - 4 : r.h;
	size_t selected = s->v->over.selected,
	       top = selected >= (size_t)rows ? selected - (size_t)rows + 1 : 0;

	if (s->ndemos == 0)
		canvas_puts(c, 3, 2, STYLE_NORMAL, "No demos were found.");
	for (int i = 0; i < rows && top + (size_t)i < s->ndemos; i++) {
		draw_demo(c, r.y + 1 + i, &s->demos[top + (size_t)i], top + (size_t)i == selected);
		spots_add(s->spots, (struct rect){0, r.y + 1 + i, c->columns, 1}, "choose %zu",
			  top + (size_t)i + 1);
	}
	if (r.h > 8)
		draw_bytes(c, 1, r.y + r.h - 2, c->columns - 2, STYLE_NORMAL,
			   BYTES("A demo starts anew. Commands of your own are kept in a file "
				 "first."),
			   false);
}

/* ---- branches, text ---- */

static void draw_branches(const struct scene *s, struct canvas *c)
{
	struct rect r = open_page(s, c, "Branches", "ENTER goes there");
	const char *here = player_branch_name(s->p);

	for (size_t i = 0; i < player_branches(s->p) && (int)i + 2 < r.h; i++) {
		const char *name = player_branch_at(s->p, i);
		bool selected = i == s->v->over.selected;
		struct buf b = {0};
		player_branch_describe(s->p, i, &b);
		int x = canvas_printf(
		    c, 2, r.y + 1 + (int)i, selected ? STYLE_SELECTED : STYLE_NORMAL, "%s %s%s",
		    selected ? ">" : " ", name, strcmp(name, here) == 0 ? "   (you are here)" : "");
		spots_add(s->spots, (struct rect){0, r.y + 1 + (int)i, c->columns, 1}, "choose %zu",
			  i + 1);
		draw_bytes(c, x < 26 ? 26 : x + 2, r.y + 1 + (int)i,
			   c->columns - (x < 26 ? 27 : x + 3), STYLE_NORMAL, buf_bytes(&b), false);
		buf_free(&b);
	}
	if (r.h > 8)
		draw_block(c, (struct rect){2, r.y + r.h - 3, c->columns - 3, 3}, STYLE_NORMAL, 0,
			   "A command typed after stepping back begins a branch; what followed "
			   "before is kept.",
			   "");
}

/* Rows of a page of text: all between header and key bar. */
static int page_rows(const struct scene *s, const struct canvas *c)
{
	int bottom = s->l.keys >= 0 ? s->l.keys : c->rows;

	return bottom - 1;
}

bool overlay_is_whole(const struct scene *s, const struct canvas *c)
{
	return s->v->overlay == OVERLAY_TEXT &&
	       text_rows(c, buf_str(&s->v->over_text), c->columns - 2) <= page_rows(s, c);
}

/* What is wider than the screen goes on in the next row: nothing is cut. */
static void draw_text(const struct scene *s, struct canvas *c)
{
	struct rect r = open_page(s, c, s->v->over_title, "ESC closes"), before = canvas_clip(c, r);
	int w = c->columns - 2, top = (int)s->v->over.top;
	const char *text = buf_str(&s->v->over_text);

	draw_block(c, (struct rect){1, r.y - top, w, top + r.h}, STYLE_NORMAL, 0, text, "");
	if (text_rows(c, text, w) > top + r.h && r.h > 0)
		canvas_puts_right(c, c->columns, r.y + r.h - 1, STYLE_SELECTED, " more: PgDn ");
	canvas_clip(c, before);
}

void draw_overlay(const struct scene *s, struct canvas *c)
{
	switch (s->v->overlay) {
	case OVERLAY_NONE:
		break;
	case OVERLAY_HELP:
		draw_help(s, c);
		break;
	case OVERLAY_MENU:
		draw_menu(s, c);
		break;
	case OVERLAY_BRANCHES:
		draw_branches(s, c);
		break;
	case OVERLAY_TEXT:
		draw_text(s, c);
		break;
	case OVERLAY_BLANK:
		canvas_fill(c, (struct rect){0, 0, c->columns, c->rows}, STYLE_NORMAL, ' ');
		c->cursor_x = -1;
		break;
	}
}
