/* `etcdscope run`: scripts without a screen, each in a new world. */
#ifndef SCRIPT_RUN_H
#define SCRIPT_RUN_H

#include "sim/config.h"
#include "sim/trace.h"

enum run_mode {
	RUN_PRINT,	/* what the commands print */
	RUN_TRANSCRIPT, /* the whole script again with its `| ` lines */
	RUN_VERIFY,	/* compares with the recorded lines */
	RUN_UPDATE	/* rewrites them */
};

struct player;

struct run_options {
	struct config cfg;
	const char *format; /* -w */
	enum run_mode mode;
	enum trace_level trace; /* TRACE_NONE: no `~ ` lines but those that a file to verify has */
	/* For `show screen` and the panes; NULL: there are no pictures. */
	bool (*picture)(struct player *p, const char *what, int columns, int rows, struct buf *out);
};

enum program_status { STATUS_FINE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

/* Results go to standard output, messages to standard error.  "-" is standard input.  Returns the
 * exit status: 0, 1 (a verification failed, or output cannot be written), 2 (a script error). */
int run_files(const struct run_options *o, char *const *files, size_t n);

#endif
