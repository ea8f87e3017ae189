#include "cmd/go_number.h"

#include <string.h>

#include "cmd/go_quote.h"

enum number_result { NUMBER_OK, NUMBER_SYNTAX, NUMBER_RANGE };

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

static bool same_letter(char c, char lower)
{
	return (c | 0x20) == lower;
}

/* Go: an underscore may stand only between digits, or between the prefix of the base and a digit.
 */
static bool underscores_ok(struct bytes s)
{
	char before =
	    '^'; /* what came last: '0' a digit or prefix, '_', '^' the start, '!' none of these */
	size_t i = 0;
	bool hex = false;

	if (s.n >= 2 && s.p[0] == '0' &&
	    (same_letter(s.p[1], 'b') || same_letter(s.p[1], 'o') || same_letter(s.p[1], 'x'))) {
		hex = same_letter(s.p[1], 'x');
		before = '0';
		i = 2;
	}
	for (; i < s.n; i++) {
		if ((s.p[i] >= '0' && s.p[i] <= '9') || (hex && digit_value(s.p[i]) < 16)) {
			before = '0';
		} else if (s.p[i] == '_') {
			if (before != '0')
				return false;
			before = '_';
		} else {
			if (before == '_')
				return false;
			before = '!';
		}
	}
	return before != '_';
}

/* Base 0: finds the base and takes its prefix off. */
static struct bytes take_prefix(struct bytes s, int *base)
{
	*base = 10;
	if (s.n == 0 || s.p[0] != '0')
		return s;
	if (s.n >= 3 && same_letter(s.p[1], 'b'))
		*base = 2;
	else if (s.n >= 3 && same_letter(s.p[1], 'o'))
		*base = 8;
	else if (s.n >= 3 && same_letter(s.p[1], 'x'))
		*base = 16;
	else
		return *base = 8, (struct bytes){s.p + 1, s.n - 1};
	return (struct bytes){s.p + 2, s.n - 2};
}

static enum number_result magnitude(struct bytes s, int base, uint64_t *out)
{
	struct bytes whole = s;
	bool any_base = base == 0;

	*out = 0;
	if (s.n == 0)
		return NUMBER_SYNTAX;
	if (any_base)
		s = take_prefix(s, &base);
	for (size_t i = 0; i < s.n; i++) {
		if (any_base && s.p[i] == '_')
			continue;
		int d = digit_value(s.p[i]);
		if (d >= base)
			return NUMBER_SYNTAX;
		if (__builtin_mul_overflow(*out, (uint64_t)base, out) ||
		    __builtin_add_overflow(*out, (uint64_t)d, out))
			return NUMBER_RANGE;
	}
	return any_base && !underscores_ok(whole) ? NUMBER_SYNTAX : NUMBER_OK;
}

static bool tell(struct buf *err, const char *function, struct bytes s, enum number_result r)
{
	if (r == NUMBER_OK)
		return true;
	if (err) {
		buf_printf(err, "strconv.%s: parsing ", function);
		go_quote(err, s);
		buf_puts(err, r == NUMBER_SYNTAX ? ": invalid syntax" : ": value out of range");
	}
	return false;
}

bool go_parse_int(struct bytes s, int base, int64_t *out, struct buf *err)
{
	bool minus = s.n > 0 && s.p[0] == '-', sign = minus || (s.n > 0 && s.p[0] == '+');
	uint64_t v, limit = (uint64_t)INT64_MAX + minus;
	enum number_result r = magnitude((struct bytes){s.p + sign, s.n - sign}, base, &v);

	if (r == NUMBER_OK && v > limit)
		r = NUMBER_RANGE;
	*out = r != NUMBER_OK ? 0 : minus ? (int64_t)(0 - v) : (int64_t)v;
	return tell(err, "ParseInt", s, r);
}

bool go_parse_uint(struct bytes s, int base, uint64_t *out, struct buf *err)
{
	return tell(err, "ParseUint", s, magnitude(s, base, out));
}

bool go_parse_bool(struct bytes s, bool *out, struct buf *err)
{
	static const char *const yes[] = {"1", "t", "T", "true", "TRUE", "True"};
	static const char *const no[] = {"0", "f", "F", "false", "FALSE", "False"};

	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
		if (bytes_is(s, yes[i]))
			return *out = true, true;
		if (bytes_is(s, no[i]))
			return *out = false, true;
	}
	return tell(err, "ParseBool", s, NUMBER_SYNTAX);
}

/* Nanoseconds of a unit; 0: there is none of this name. */
static double duration_unit(struct bytes name)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1},	  {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3},
		     {"ms", 1e6}, {"s", 1e9},  {"m", 60e9}, {"h", 3600e9}};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (bytes_is(name, units[i].name))
			return units[i].ns;
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Go's sentences: time: WHAT QUOTED. */
static bool bad_duration(struct buf *err, const char *what, struct bytes s)
{
	if (err) {
		buf_puts(err, what);
		go_quote(err, s);
	}
	return false;
}

/* A number and its unit at *i; all: the whole text, for the error. */
static bool duration_part(struct bytes s, size_t *i, double *ns, struct bytes all, struct buf *err)
{
	double v = 0, scale = 1;
	size_t digits = 0, from;

	for (; *i < s.n && is_digit(s.p[*i]); ++*i, digits++)
		v = v * 10 + (s.p[*i] - '0');
	if (*i < s.n && s.p[*i] == '.')
		for (++*i; *i < s.n && is_digit(s.p[*i]); ++*i, digits++)
			v += (s.p[*i] - '0') * (scale /= 10);
	if (digits == 0)
		return bad_duration(err, "time: invalid duration ", all);
	for (from = *i; *i < s.n && s.p[*i] != '.' && !is_digit(s.p[*i]);)
		++*i;
	struct bytes name = {s.p + from, *i - from};
	double unit = duration_unit(name);
	if (name.n == 0)
		return bad_duration(err, "time: missing unit in duration ", all);
	if (unit <= 0) {
		bad_duration(err, "time: unknown unit ", name);
		return bad_duration(err, " in duration ", all);
	}
	*ns += v * unit;
	return *ns < 9.2e18 || bad_duration(err, "time: invalid duration ", all);
}

bool go_parse_duration(struct bytes s, int64_t *ms, struct buf *err)
{
	bool minus = s.n > 0 && s.p[0] == '-', sign = minus || (s.n > 0 && s.p[0] == '+');
	double ns = 0;
	struct bytes rest = {s.p + sign, s.n - sign};

	*ms = 0;
	if (bytes_is(rest, "0"))
		return true;
	if (rest.n == 0)
		return bad_duration(err, "time: invalid duration ", s);
	for (size_t i = 0; i < rest.n;)
		if (!duration_part(rest, &i, &ns, s, err))
			return false;
	*ms = (int64_t)((ns + 0.5) / 1e6);
	if (*ms == 0 && ns > 0)
		*ms = 1;
	if (minus)
		*ms = -*ms;
	return true;
}

void go_put_duration(struct buf *out, int64_t ms)
{
	if (ms < 0) {
		buf_putc(out, '-');
		ms = -ms;
	}
	if (ms == 0 || ms >= 1000) {
		if (ms >= 3600000)
			buf_printf(out, "%lldh", (long long)(ms / 3600000));
		if (ms >= 60000)
			buf_printf(out, "%lldm", (long long)(ms / 60000 % 60));
		buf_put_i64(out, ms / 1000 % 60);
		if (ms % 1000) {
			buf_putc(out, '.');
			for (int64_t rest = ms % 1000, unit = 100; rest; rest %= unit, unit /= 10)
				buf_putc(out, (char)('0' + rest / unit));
		}
		buf_putc(out, 's');
	} else {
		buf_put_i64(out, ms);
		buf_puts(out, "ms");
	}
}

void go_put_hex16(struct buf *out, int64_t v)
{
	if (v < 0)
		buf_printf(out, "-%015llx", 0 - (unsigned long long)v);
	else
		buf_printf(out, "%016llx", (unsigned long long)v);
}
