/* One script under way: its world, and what its commands print. */
#ifndef SCRIPT_RUNNER_H
#define SCRIPT_RUNNER_H

#include "script/drive.h"
#include "script/run.h"
#include "script/scope.h"

struct player;

struct runner {
	struct drive drive;
	struct trace *trace;
	bool (*picture)(struct player *p, const char *what, int columns, int rows, struct buf *out);
	bool want_trace;
	uint64_t traced;       /* number of the next trace record to print */
	uint32_t worlds;       /* drive.worlds when it was counted */
	struct buf trace_text; /* `~ ` lines of the command that ran last */
	struct player *player; /* after `set history on`: has taken over the drive's shell */
	struct buf output;     /* what the command that ran last printed, if a player ran it */
	bool quit;
	bool violated; /* a rule was broken: the script ends here */
};

/* The runner must stay where it is: its shells point to it. */
void runner_init(struct runner *r, const struct run_options *o, bool numbering, bool want_trace);
void runner_free(struct runner *r);

void runner_question(struct runner *r);
/* Runs a command to its end.  False: a script error; *err has "what is wrong: what would be right".
 */
bool runner_command(struct runner *r, struct bytes text, struct buf *err);
/* The script is over.  False: a rule was broken; *err names it. */
bool runner_end(struct runner *r, struct buf *err);
/* What it printed; valid until the next command. */
struct bytes runner_output(const struct runner *r);

#endif
