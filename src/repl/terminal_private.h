/* What the files terminal*.c share. */
#ifndef REPL_TERMINAL_PRIVATE_H
#define REPL_TERMINAL_PRIVATE_H

#include "base/vec.h"
#include "repl/terminal.h"

struct terminal {
	struct line *line;
	struct player *player;
	struct termios found, raw_modes;
	bool raw; /* the modes now */
	const char *prompt;
	char pending[16]; /* bytes read and not yet used */
	size_t npending;
	VEC(wchar_t) pasted;
	struct buf history, row, safe;
};

/* The line, in one row. */
void terminal_draw(struct terminal *t);
/* Completions are listed above the line, once. */
void terminal_list_candidates(struct terminal *t);
/* A beep and a word about it, above the line. */
void terminal_refuse(struct terminal *t, const char *why);
/* Writes and empties t->row. */
void terminal_put(struct terminal *t);

/* The next key of the editor; false: the input is at its end, or a signal ends the program. */
bool terminal_key(struct terminal *t, wchar_t *c);
void terminal_set_modes(struct terminal *t, bool raw);

#endif
