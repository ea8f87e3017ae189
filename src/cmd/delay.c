/* Times that a fault takes, as typed. */
#include "cmd/delay.h"

#include "cmd/command.h"
#include "cmd/go_number.h"

enum { LONGEST_MS = 3600 * 1000 };

static bool has_unit(struct bytes s)
{
	return s.n && s.p[s.n - 1] >= 'a' && s.p[s.n - 1] <= 'z';
}

/* A time of a range: without a unit of its own it has the other's, else milliseconds. */
static bool read_time(struct bytes s, struct bytes unit, int32_t *out)
{
	char text[48];
	int64_t ms;

	if (has_unit(s) || unit.n == 0)
		unit = has_unit(s) ? (struct bytes){0} : BYTES("ms");
	if (s.n == 0 || s.n + unit.n > sizeof text || s.p[0] == '-' || s.p[0] == '+')
		return false;
	memcpy(text, s.p, s.n);
	if (unit.n)
		memcpy(text + s.n, unit.p, unit.n);
	if (!go_parse_duration((struct bytes){text, s.n + unit.n}, &ms, NULL) || ms > LONGEST_MS)
		return false;
	*out = (int32_t)ms;
	return true;
}

static struct bytes unit_of(struct bytes s)
{
	size_t n = 0;

	while (n < s.n && s.p[s.n - 1 - n] >= 'a' && s.p[s.n - 1 - n] <= 'z')
		n++;
	return (struct bytes){s.p + s.n - n, n};
}

static bool read_delay(struct bytes s, int32_t *least, int32_t *most)
{
	const char *dash = s.n ? memchr(s.p, '-', s.n) : NULL;
	struct bytes from = {s.p, dash ? (size_t)(dash - s.p) : s.n};
	struct bytes to = dash ? (struct bytes){dash + 1, (size_t)(s.p + s.n - dash - 1)} : from;

	return read_time(from, unit_of(to), least) && read_time(to, unit_of(from), most) &&
	       *least <= *most;
}

bool command_delay(struct shell *s, struct job *j, struct bytes text, int32_t *least, int32_t *most)
{
	if (read_delay(text, least, most))
		return true;
	command_fail(s, j, STATUS_BAD_ARGS,
		     "--delay=%.*s: a time is right (50ms, 0.05s; 50 is 50ms), or a range, the "
		     "smaller time first (20-80ms); at most 1h",
		     (int)text.n, text.p);
	return false;
}
