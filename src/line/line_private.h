/* What the files of this folder share. */
#ifndef LINE_PRIVATE_H
#define LINE_PRIVATE_H

#include <histedit.h>
#include <stdio.h>

#include "line/line.h"

enum {
	LINE_LIMIT = 1000, /* characters: libedit loses the end of longer ones on Up and Down */
	LINE_BUFFER = LINE_LIMIT + 64,
	FIFO = 16
};

struct line {
	struct line_calls calls;
	EditLine *el;
	History *history;
	FILE *sink;	   /* the null device: the caller draws */
	int master, slave; /* the private pseudo-terminal */
	bool vi;
	bool cancelled, full;
	wchar_t pasted[LINE_LIMIT + 1]; /* what LINE_PASTE inserts; paste.c */
	bool unused_piece;		/* it has been asked for and not been inserted */
	wchar_t *rest;			/* pasted, and not yet handed out from rest_at on */
	size_t nrest, rest_at;
	struct buf candidates;
	wchar_t text[LINE_BUFFER]; /* what line_look hands out */
	wchar_t prompt[256];
	ptrdiff_t counted; /* length of the line when digits were last counted */
	int digits;	   /* of a repeat count under way */

	bool searching, failed; /* search.c */
	wchar_t pattern[128], found[LINE_BUFFER];
	size_t found_at;
};

/* libedit's commands get no argument of ours: it is kept as EL_CLIENTDATA. */
struct line *line_of(EditLine *el);
/* The present text, clamped (libedit can leave the cursor before the buffer). */
struct line_span {
	const wchar_t *p;
	size_t n, cursor;
};
struct line_span line_span(const struct line *l);

bool line_is_text(wchar_t c);

/* NULL if it cannot be read or is no regular file. */
FILE *line_open_regular(const char *path);
/* The user's ~/.editrc or $EDITRC; el_source() crashes on a line with an open quote. */
void line_source(EditLine *el);

unsigned char line_search(EditLine *el, int ch); /* Ctrl-R, Ctrl-S */
unsigned char line_insert_pasted(EditLine *el, int ch);
unsigned char line_complete(EditLine *el, int ch); /* TAB */

#endif
