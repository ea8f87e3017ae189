/* as NAME COMMAND: the shell reads it before it looks for the command (shell.c); this row tells of
 * it. */
#include "cmd/command.h"

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	(void)p;
	command_fail(s, j, STATUS_BAD_ARGS, "as NAME COMMAND cannot be said twice in a line");
}

const struct command_row cmd_as = {
    .name = "as",
    .group = GROUP_ACTORS,
    .usage = "as <name> <command> ...",
    .summary = "Sends the command as another client (default: kube-apiserver)",
    .example = "as node-a put /registry/leases/node-a alive",
    .arguments = "NAME @command",
    .run = run,
};
