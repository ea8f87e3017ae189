/* Memory of a shell that is used again from command to command.  It holds nothing between commands,
 * so a copy of a shell begins with an empty one. */
#ifndef CMD_SCRATCH_H
#define CMD_SCRATCH_H

#include "cmd/parse.h"
#include "cmd/words.h"

struct scratch {
	struct line line;
	struct parsed parsed;
	struct job *spare;   /* an ended job, to be used for the next */
	struct buf reply;    /* what a request answered under another command prints */
	bool to_reply;	     /* print there */
	struct buf message;  /* an error text under construction */
	VEC(uint64_t) order; /* of watch notes */
};

#endif
