/* --delay of net and disk. */
#ifndef CMD_DELAY_H
#define CMD_DELAY_H

#include "cmd/job.h"

/* "50", "50ms", "0.05s", "20-80ms": least and most, in milliseconds.  False: the job has failed. */
bool command_delay(struct shell *s, struct job *j, struct bytes text, int32_t *least,
		   int32_t *most);

#endif
