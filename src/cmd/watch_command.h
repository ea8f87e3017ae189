/* watch KEY -- COMMAND: a command line that is run at each event of a watcher. */
#ifndef CMD_WATCH_COMMAND_H
#define CMD_WATCH_COMMAND_H

#include "cmd/command.h"

/* From now on the line is run at each event of the watcher. */
void watch_command_add(struct shell *s, uint32_t watcher, struct bytes line);
/* An event has been printed: starts its watcher's command, if it has one, in the background. */
void watch_command_run(struct shell *s, const struct watch_note *event);

#endif
