/* A command that runs another one: `lock NAME COMMAND`, `watch KEY -- COMMAND`. */
#ifndef CMD_NESTED_H
#define CMD_NESTED_H

#include "cmd/command.h"

/* What stands for a variable of the environment in which etcdctl would run the command. */
struct nested_variable {
	const char *name; /* with its $ */
	struct bytes value;
};

/* The line with the words that are such names replaced. */
struct bytes nested_fill(struct shell *s, struct bytes line, const struct nested_variable *v,
			 size_t n);
/* Words as one line again, each quoted, in the world's heap. */
struct bytes nested_line(struct shell *s, const struct bytes *words, size_t n);
/* The job goes on as the command of the line: one of etcdctl's that ends by itself.  False: there
 * is no such command, and the job has failed. */
bool nested_run(struct shell *s, struct job *j, struct bytes line);

#endif
