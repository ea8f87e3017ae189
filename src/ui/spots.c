/* Where the mouse can press (spots.h). */
#include "ui/spots.h"

#include <stdarg.h>
#include <stdio.h>

void spots_add(struct spots *spots, struct rect r, const char *fmt, ...)
{
	struct spot s = {.r = r};
	va_list args;

	if (!spots || r.w <= 0 || r.h <= 0)
		return;
	va_start(args, fmt);
	vsnprintf(s.command, sizeof s.command, fmt, args);
	va_end(args);
	vec_push(&spots->v, s);
}

const char *spots_at(const struct spots *spots, int x, int y)
{
	for (size_t i = spots->v.n; i > 0; i--) {
		const struct spot *s = &spots->v.v[i - 1];
		if (x >= s->r.x && x < s->r.x + s->r.w && y >= s->r.y && y < s->r.y + s->r.h)
			return s->command;
	}
	return "";
}
