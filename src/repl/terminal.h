/* A line of input on a plain terminal: keys in, one line drawn.  The editing is line/'s. */
#ifndef REPL_TERMINAL_H
#define REPL_TERMINAL_H

#include "line/line.h"
#include "script/player.h"

struct terminal;

/* NULL: standard input or output is no terminal that can move its cursor; lines are read as they
 * come then. */
struct terminal *terminal_open(struct player *p);
void terminal_close(struct terminal *t);
/* 1: a line, 0: the end, -1: Ctrl-C. */
int terminal_read(struct terminal *t, const char *prompt, struct buf *line);
/* Lines that were pasted and have not been read yet are forgotten.  t may be NULL. */
void terminal_drop_pasted(struct terminal *t);

#endif
