/* wait: cluster time passes, or until there is a leader, or until nothing is under way. */
#include "cmd/command.h"
#include "cmd/go_number.h"

static void reached(struct shell *s, struct job *j)
{
	(void)s;
	command_end(j);
}

/* "3", "3s", "500ms", "0.5"; with a second word: "3 s". */
static bool read_time(const struct parsed *p, int64_t *ms)
{
	char text[48];
	size_t n = 0;

	for (size_t i = 0; i < p->args.n; i++) {
		if (n + p->args.v[i].n + 2 > sizeof text)
			return false;
		memcpy(text + n, p->args.v[i].p, p->args.v[i].n);
		n += p->args.v[i].n;
	}
	if (n && ((text[n - 1] >= '0' && text[n - 1] <= '9') || text[n - 1] == '.'))
		text[n++] = 's';
	return go_parse_duration((struct bytes){text, n}, ms, NULL) && *ms >= 0 &&
	       *ms <= INT64_C(1000) * 86400 * 366 * 100;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	int64_t ms;

	j->resume = reached;
	if (p->args.n == 1 && bytes_is(p->args.v[0], "leader")) {
		j->wait = sim_has_leader(s->w) ? WAIT_NOTHING : WAIT_LEADER;
		return;
	}
	if (p->args.n == 1 && bytes_is(p->args.v[0], "quiet")) {
		j->wait = sim_quiet(s->w) ? WAIT_NOTHING : WAIT_QUIET;
		return;
	}
	if (p->args.n == 0 || p->args.n > 2 || !read_time(p, &ms)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "wait takes a time (3, 3s, 500ms), leader or quiet");
		return;
	}
	command_wait(j, s->w->now_ms + ms, reached);
}

const struct command_row cmd_wait = {
    .name = "wait",
    .group = GROUP_TIME,
    .usage = "wait <time> | leader | quiet",
    .summary = "Lets cluster time pass: 3, 3s, 500ms; until there is a leader; until nothing but "
	       "heartbeats is under way",
    .example = "wait 3",
    .arguments = "1|3|10|leader|quiet",
    .run = run,
};
