/* Whole milliseconds at both ends: what it says is rounded down, so an instant of the world shows a
 * moment of the clock as soon as that has been reached.
 */
#include "server/clock.h"

/* Divided first: no week of a fast clock overflows. */
static int64_t scaled(int64_t n, int64_t by, int64_t per, bool round_up)
{
	return n / per * by + (n % per * by + (round_up ? per - 1 : 0)) / per;
}

int64_t clock_own_ms(const struct clock *c, int64_t now_ms)
{
	int64_t passed = now_ms - c->from_ms;

	return c->said_ms +
	       (c->rate_ppm ? scaled(passed, c->rate_ppm, CLOCK_RIGHT, false) : passed);
}

int64_t clock_world_ms(const struct clock *c, int64_t own_ms)
{
	int64_t to_pass = own_ms - c->said_ms;

	return c->from_ms +
	       (c->rate_ppm ? scaled(to_pass, CLOCK_RIGHT, c->rate_ppm, true) : to_pass);
}

void clock_set_rate(struct clock *c, int64_t now_ms, int64_t rate_ppm)
{
	c->said_ms = clock_own_ms(c, now_ms);
	c->from_ms = now_ms;
	c->rate_ppm = rate_ppm == CLOCK_RIGHT ? 0 : rate_ppm;
}

void clock_put_skew(struct buf *out, const struct clock *c)
{
	int64_t off = c->rate_ppm ? c->rate_ppm - CLOCK_RIGHT : 0, size = off < 0 ? -off : off;
	int64_t whole = size / 10000, part = size % 10000;
	int places = 4;

	if (!off) {
		buf_putc(out, '0');
		return;
	}
	buf_printf(out, "%c%d", off > 0 ? '+' : '-', (int)whole);
	for (; part && part % 10 == 0; part /= 10)
		places--;
	if (part)
		buf_printf(out, ".%0*d", places, (int)part);
	buf_putc(out, '%');
}
