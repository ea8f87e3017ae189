/* stall: a watcher's client stops reading, so that its channel at the member fills up. */
#include "cmd/command.h"

enum { STALL_OFF, STALL_FLAGS };

static const struct flag_row flags[STALL_FLAGS] = {
    [STALL_OFF] = {.name = "off", .type = FLAG_BOOL, .fallback = "false", .help = "it reads on"},
};

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	uint32_t w;

	if (!command_arguments(s, j, p, 1, 1))
		return;
	w = command_watcher(s, j, p->args.v[0]);
	if (!w)
		return;
	sim_stall(s->w, w, !flag_bool(p, STALL_OFF));
	command_end(j);
}

const struct command_row cmd_stall = {
    .name = "stall",
    .group = GROUP_WATCHERS,
    .usage = "stall [--off] <wN>",
    .summary = "A watcher's client stops reading, until --off: 128 responses wait in its channel, "
	       "then it is a victim",
    .example = "stall w1",
    .arguments = "@watcher",
    .flags = flags,
    .nflags = STALL_FLAGS,
    .run = run,
};
