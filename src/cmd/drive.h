/* Between shell.c, where commands begin, and drive.c, where they go on and end. */
#ifndef CMD_DRIVE_H
#define CMD_DRIVE_H

#include "cmd/job.h"

/* Has it ended for good?  A job that runs another command goes on behind that one's end. */
bool shell_job_over(struct shell *s, struct job *j);
/* Takes over the memory of a job that has ended. */
void shell_recycle(struct shell *s, struct job *j);
/* Requests in the background whose answers are in go on, and print below. */
void shell_poll_background(struct shell *s);
/* A command has printed what is its own.  settle: the instant is run to rest first; then what came
 * in is printed. */
void shell_settle_or_flush(struct shell *s, bool settle);

#endif
