/* Cuts the screen into rectangles by size and by what there is to show (screen-design.md B.1, B.2).
 *
 * Rows are given out in order of importance, so a smaller screen loses from the end of that order:
 * counters, path, members, story, client, watch and leases, store.  No size is refused.
 */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include "ui/canvas.h"
#include "ui/view.h"

/* What would be good to have. */
struct layout_wants {
	int members;
	int client_rows; /* rows of the client pane without title: request, reply, numbers,
			    explanation */
	int why_rows;	 /* rows of the explanation among them */
	int story_rows;
	int timeline;	/* steps; 0: none */
	bool trace;	/* the trace pane may be shown beside the others */
	enum pane zoom; /* PANE_STAGE: none */
	enum layout_choice choice;
};

struct layout {
	enum layout_choice kind; /* never LAYOUT_AUTO */
	bool micro;		 /* too small for panes */
	int columns, rows;
	int header, counters, path;   /* rows; -1: not shown */
	struct rect body[PANE_COUNT]; /* inside, without the title; h 0: not shown */
	int title[PANE_COUNT];	      /* row of the title; -1: none */
	int lane;		      /* rows of a member's lane */
	int lane_gap;		      /* blank rows between lanes */
	bool flights;	   /* a row with everything in flight at the end of the members */
	int divider;	   /* column between watch and store; -1: none */
	int trace_divider; /* column left of the trace; -1 */
	int timeline, prompt, hint, keys; /* rows; -1: not shown */
};

void layout_cut(struct layout *l, int columns, int rows, const struct layout_wants *w);
/* The kind that fits a size by itself. */
enum layout_choice layout_for(int columns, int rows);
const char *layout_name(enum layout_choice k);

#endif
