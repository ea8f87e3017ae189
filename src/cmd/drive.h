/* Between shell.c, where commands begin, and drive.c, where they go on and end. */
#ifndef CMD_DRIVE_H
#define CMD_DRIVE_H

#include "cmd/job.h"

/* Takes over the memory of a job that has ended. */
void shell_recycle(struct shell *s, struct job *j);
/* A command has printed what is its own.  settle: the instant is run to rest first; then what came
 * in is printed. */
void shell_settle_or_flush(struct shell *s, bool settle);

#endif
