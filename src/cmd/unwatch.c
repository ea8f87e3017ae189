/* What can be done to a watcher: unwatch ends it, drop cuts its connection, resume reconnects it.
 */
#include "cmd/command.h"

static void run(struct shell *s, struct job *j, const struct parsed *p);

const struct command_row cmd_unwatch = {
    .name = "unwatch",
    .group = GROUP_WATCHERS,
    .usage = "unwatch <wN>",
    .summary = "Ends a watcher",
    .example = "unwatch w1",
    .arguments = "@watcher",
    .run = run,
};

const struct command_row cmd_drop = {
    .name = "drop",
    .group = GROUP_WATCHERS,
    .usage = "drop <wN>",
    .summary = "Cuts a watcher's connection: it misses what happens until it resumes",
    .example = "drop w1",
    .arguments = "@watcher",
    .run = run,
};

const struct command_row cmd_resume = {
    .name = "resume",
    .group = GROUP_WATCHERS,
    .usage = "resume <wN>",
    .summary = "Connects a dropped watcher again, from the last revision it has seen + 1",
    .example = "resume w1",
    .arguments = "@watcher",
    .run = run,
};

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	uint32_t w;

	if (!command_arguments(s, j, p, 1, 1))
		return;
	w = command_watcher(s, j, p->args.v[0]);
	if (!w)
		return;
	if (j->row == &cmd_unwatch)
		sim_unwatch(s->w, w);
	else if (j->row == &cmd_drop)
		sim_drop(s->w, w);
	else
		sim_resume(s->w, w);
	command_end(j);
}
