/* The shell's side of the checker: when it looks, and what happens when a rule is broken. */
#ifndef CMD_RULES_H
#define CMD_RULES_H

#include "cmd/shell.h"

/* May a checker begin to watch?  Only a world in its start state can be. */
bool rules_may_begin(const struct shell *s);
/* The settings of the start state have changed: a checker begins anew, if there is to be one. */
void rules_begin(struct shell *s);
/* sim_step, and a look at what the event has done. */
bool rules_step(struct shell *s);
/* A look at what has changed without an event. */
void rules_look(struct shell *s);
/* A fault has changed the world without an event: a look, and what follows from it. */
void rules_fault(struct shell *s);
/* A rule has just been broken: nothing goes on by itself, and the rule is printed. */
void rules_stop(struct shell *s);

#endif
