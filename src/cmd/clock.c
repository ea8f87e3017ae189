/* clock: how fast a member's own clock runs, by which it ticks and counts leases. */
#include "cmd/command.h"

enum { CLOCK_SKEW, CLOCK_FLAGS };
enum { SLOWEST = CLOCK_RIGHT / 10, FASTEST = CLOCK_RIGHT * 10 };

static const struct flag_row flags[CLOCK_FLAGS] = {
    [CLOCK_SKEW] = {.name = "skew",
		    .type = FLAG_STRING,
		    .fallback = "",
		    .values = "+10%|-5%|2x|0",
		    .help = "how much faster or slower, or how many times as fast; 0: right"},
};

/* "12.5" in millionths; at most six digits count on either side.  False: not a number. */
static bool read_decimal(struct bytes w, int64_t *out)
{
	int64_t v = 0, unit = 0;
	size_t digits = 0;

	for (size_t i = 0; i < w.n; i++) {
		if (w.p[i] == '.' && !unit) {
			unit = 1000000;
			continue;
		}
		if (w.p[i] < '0' || w.p[i] > '9' || v > INT64_C(1000000000000))
			return false;
		digits++;
		if (unit && (unit /= 10) == 0)
			return false;
		v = v * 10 + (w.p[i] - '0');
	}
	*out = v * (unit ? unit : 1000000);
	return digits > 0;
}

/* "+10%", "-5%", "2x", "0.5x", "0". */
static bool read_rate(struct bytes w, int64_t *rate_ppm)
{
	bool minus = w.n && w.p[0] == '-', plus = w.n && w.p[0] == '+';
	struct bytes rest = {w.p + (minus || plus), w.n - (minus || plus)};
	char unit = rest.n ? rest.p[rest.n - 1] : '\0';
	int64_t v;

	if (bytes_is(rest, "0")) {
		*rate_ppm = CLOCK_RIGHT;
		return true;
	}
	rest.n -= unit == '%' || unit == 'x';
	if ((unit != '%' && (unit != 'x' || minus || plus)) || !read_decimal(rest, &v))
		return false;
	*rate_ppm = unit == 'x' ? v : CLOCK_RIGHT + (minus ? -v : v) / 100;
	return true;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct bytes skew = flag_text(p, CLOCK_SKEW);
	int64_t rate_ppm;
	unsigned m;

	if (!command_arguments(s, j, p, 1, 1))
		return;
	m = command_need_member(s, j, p->args.v[0]);
	if (!m)
		return;
	if (skew.n == 0)
		command_fail(
		    s, j, STATUS_BAD_ARGS,
		    "clock takes --skew: clock S%u --skew=+10%%; show S%u says how it runs", m, m);
	else if (!read_rate(skew, &rate_ppm))
		command_fail(s, j, STATUS_BAD_ARGS,
			     "--skew=%.*s: +10%% (faster), -5%% (slower), 2x (twice as fast) and 0 "
			     "(right) are understood",
			     (int)skew.n, skew.p);
	else if (rate_ppm < SLOWEST || rate_ppm > FASTEST)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "--skew=%.*s: a clock runs at 0.1x to 10x (-90%% to +900%%)",
			     (int)skew.n, skew.p);
	else if (world_member(s->w, m)->condition == MEMBER_ABSENT)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "S%u does not belong to the cluster: member add S%u comes first", m,
			     m);
	else {
		sim_skew(s->w, m, rate_ppm);
		command_end(j);
	}
}

const struct command_row cmd_clock = {
    .name = "clock",
    .group = GROUP_FAULTS,
    .usage = "clock <member> --skew=RATE",
    .summary = "Makes a member's clock run fast or slow: its ticks and its leases go by it",
    .example = "clock S1 --skew=+10%",
    .arguments = "@member",
    .flags = flags,
    .nflags = CLOCK_FLAGS,
    .run = run,
};
