/* progress: how far are watchers, is asked of their members (etcdctl: a line of watch -i). */
#include "cmd/command.h"

/* Watchers of one stream are asked about once. */
static bool is_first_of_stream(const struct world *w, const struct watch_client *c)
{
	for (size_t i = 0; c->session && i + 1 < c->number; i++) {
		const struct watch_client *x = &w->watches.v[i];
		if (x->session == c->session && !x->gone && x->state != WATCH_IS_CANCELED)
			return false;
	}
	return true;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	uint32_t number;

	if (!command_arguments(s, j, p, 0, 1))
		return;
	if (p->args.n) {
		number = command_watcher(s, j, p->args.v[0]);
		if (!number)
			return;
		sim_progress(s->w, number);
	}
	for (size_t i = 0; p->args.n == 0 && i < s->w->watches.n; i++) {
		const struct watch_client *c = &s->w->watches.v[i];
		if (!c->gone && c->state != WATCH_IS_CANCELED && is_first_of_stream(s->w, c))
			sim_progress(s->w, c->number);
	}
	command_end(j);
}

const struct command_row cmd_progress = {
    .name = "progress",
    .group = GROUP_WATCHERS,
    .usage = "progress [wN]",
    .summary = "Asks how far a watcher, or each of them, is: told if all of its stream are synced",
    .example = "progress w1",
    .arguments = "@watcher",
    .run = run,
};
