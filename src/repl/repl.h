/* The prompt alone: commands in, what etcdctl would print out. */
#ifndef REPL_REPL_H
#define REPL_REPL_H

#include "session/session.h"

/* Talks until `quit` or the end of the input, then frees the session.  Returns the program's exit
 * status. */
int repl_run(struct session *s);

#endif
