/* What the person at the screen has chosen: focus, zoom, places in panes, overlays.  Never part of
 * a world. */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum pane {
	PANE_STAGE,
	PANE_CLIENT,
	PANE_MEMBERS,
	PANE_WATCH,
	PANE_STORE,
	PANE_STORY,
	PANE_TRACE,
	PANE_COUNT
};

/* What lies over the panes. */
enum overlay {
	OVERLAY_NONE,
	OVERLAY_HELP,
	OVERLAY_MENU,
	OVERLAY_BRANCHES,
	OVERLAY_TEXT,
	OVERLAY_BLANK
};

enum layout_choice {
	LAYOUT_AUTO,
	LAYOUT_TINY,
	LAYOUT_STANDARD,
	LAYOUT_LARGE,
	LAYOUT_WALL,
	LAYOUT_CHOICES
};

enum trace_mode { TRACE_PANE_LIST, TRACE_PANE_LADDER, TRACE_PANE_OFF };

/* A place in a scrolled pane. */
struct place {
	size_t top;	 /* first line shown */
	size_t selected; /* line */
	bool follow;	 /* keeps to what is newest, until somebody scrolls */
	bool details;
};

enum { VIEW_TEXT = 128 };

struct view {
	enum pane focus; /* PANE_STAGE: none */
	bool zoom;
	struct place place[PANE_COUNT];
	enum overlay overlay;
	struct place over; /* in the overlay */
	int menu_number;   /* typed in the menu so far: it can become a longer one */
	char over_title[VIEW_TEXT];
	struct buf over_text; /* OVERLAY_TEXT */
	enum layout_choice layout;
	bool kinds; /* kind of each entry under its cell, in place of its term */
	enum trace_mode trace;
	bool live;   /* somebody is there to press keys; a picture in a script has nobody */
	bool typing; /* the command line has the keys */
	bool playing;
	int speed;	 /* 2^speed steps in two seconds */
	bool welcome;	 /* nothing has been done yet */
	bool reveal;	 /* the answer of the step is shown */
	bool quiz;	 /* asks before each step */
	bool asks;	 /* the first half of a step: numbers are hidden, the step has not run */
	bool notes;	 /* answer and next command are shown */
	bool pgdn_steps; /* PgDn and PgUp are the stage's, whatever has the focus */
	bool quit_asked;
	uint64_t dismissed; /* violation that was seen: 1 + its event; 0: none */
	/* m: whose store is shown, as long as the world's own view is that one; 0: the world's */
	unsigned member, member_over;
	char find[VIEW_TEXT];	     /* what / looks for in a pane */
	char said[256], asked[256];  /* by the commands say and ask */
	struct buf notice;	     /* one message: an error of the line, a new branch ... */
	const char *theme;	     /* its name; NULL: nobody chose one */
	bool uncommitted_underlined; /* by the theme, as light ones have it */
	const char *prompt_text;     /* the line under edit, UTF-8, made by the caller; "" */
	int prompt_cursor;	     /* in columns; -1: no cursor */
	const char *prompt;	     /* "" or the editor's own question */
	const char *hint;	     /* rest of the syntax */
	const char *candidates;	     /* of the last completion */
};

/* Title in capitals ("MEMBERS") and name in commands ("members"); "" for the stage. */
const char *pane_title(enum pane p);
const char *pane_name(enum pane p);
/* PANE_COUNT: no such pane. */
enum pane pane_named(const char *name);

#endif
