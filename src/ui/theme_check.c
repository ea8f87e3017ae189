/* `theme --check NAME`: can the text of every cell be read, and can everybody tell the cells apart?
 * (screen-design.md A.7).  A contrast under 4.5 or a distance under 10 is a warning.  Looks that
 * differ by underline or reverse differ for everybody. */
#include "ui/theme.h"

#include "ui/color.h"

enum { GROUP_MAX = 12 };

struct group {
	const char *what;
	enum style s[GROUP_MAX];
	int n;
};

static const struct group roles = {
    "roles", {STYLE_LEADER, STYLE_FOLLOWER, STYLE_CANDIDATE, STYLE_DOWN}, 4};
static const struct group cells = {"terms and uncommitted",
				   {STYLE_TERM1, STYLE_TERM2, STYLE_TERM3, STYLE_TERM4, STYLE_TERM5,
				    STYLE_TERM6, STYLE_TERM7, STYLE_TERM8, STYLE_UNCOMMITTED},
				   9};

static bool is_filled(const struct look *l)
{
	return l->fg != COLOR_DEFAULT && l->bg != COLOR_DEFAULT;
}

static struct rgb background(const struct look *l)
{
	return color_linear(color_hex(l->attr & ATTR_REVERSE ? l->fg : l->bg));
}

static int check_row(const struct theme *t, enum style s, struct buf *out)
{
	const struct look *l = &t->look[s];

	buf_printf(out, "%-14s", style_name(s));
	if (!is_filled(l)) {
		buf_puts(out, "the terminal's own colours\n");
		return 0;
	}
	double contrast =
	    color_contrast(color_linear(color_hex(l->fg)), color_linear(color_hex(l->bg)));
	buf_printf(out, "text #%06x  fill #%06x  contrast %4.1f%s\n", color_hex(l->fg),
		   color_hex(l->bg), contrast, contrast < 4.45 ? "  WARNING: under 4.5" : "");
	return contrast < 4.45;
}

static int check_vision(const struct theme *t, const struct group *g, enum vision v,
			struct buf *out)
{
	static const char *const name[] = {"normal", "protanopia", "deuteranopia", "tritanopia"};
	double least = 1e9;
	enum style a = g->s[0], b = g->s[0];

	for (int i = 0; i < g->n; i++)
		for (int j = i + 1; j < g->n; j++) {
			const struct look *x = &t->look[g->s[i]], *y = &t->look[g->s[j]];
			if (!is_filled(x) || !is_filled(y) ||
			    ((x->attr ^ y->attr) & (ATTR_UNDERLINE | ATTR_REVERSE)))
				continue;
			double d = color_distance(color_seen(background(x), v),
						  color_seen(background(y), v));
			if (d < least)
				least = d, a = g->s[i], b = g->s[j];
		}
	if (least > 1e8)
		return 0;
	buf_printf(out, "  %-13s %5.1f  %s / %s%s\n", name[v], least, style_name(a), style_name(b),
		   least < 10 ? "  WARNING: under 10" : "");
	return least < 10;
}

int theme_check(const struct theme *t, struct buf *out)
{
	static const struct group *const groups[] = {&roles, &cells};
	int warnings = 0;

	buf_printf(out, "theme %s\n", t->name);
	for (int s = 0; s < STYLE_COUNT; s++)
		if (s >= STYLE_LEADER)
			warnings += check_row(t, (enum style)s, out);
	for (int i = 0; i < 2; i++) {
		buf_printf(out, "smallest distance between %s (CIEDE2000)\n", groups[i]->what);
		for (int v = 0; v < VISION_COUNT; v++)
			warnings += check_vision(t, groups[i], (enum vision)v, out);
	}
	if (warnings)
		buf_printf(out, "%d warning%s\n", warnings, warnings == 1 ? "" : "s");
	else
		buf_puts(out, "passed\n");
	return warnings;
}
