/* The built-in themes and the forms for fewer colours (theme.h; screen-design.md A.2 to A.4). */
#include "ui/theme.h"

#include <stdlib.h>
#include <string.h>

enum { BLACK = 16, WHITE = 231, DEF = COLOR_DEFAULT };

const char *const theme_names[] = {"dark", "light", "contrast", "mono", "page", NULL};

static const char *const names[STYLE_COUNT] = {
    [STYLE_HEADER] = "header",
    [STYLE_TITLE] = "title",
    [STYLE_TITLE_FOCUSED] = "focus",
    [STYLE_STAGE] = "stage",
    [STYLE_SELECTED] = "selected",
    [STYLE_KEY] = "key",
    [STYLE_CHANGED] = "changed",
    [STYLE_REMOVED] = "removed",
    [STYLE_HINT] = "hint",
    [STYLE_NEXT] = "next",
    [STYLE_LEADER] = "leader",
    [STYLE_FOLLOWER] = "follower",
    [STYLE_PRE_CANDIDATE] = "pre-candidate",
    [STYLE_CANDIDATE] = "candidate",
    [STYLE_LEARNER] = "learner",
    [STYLE_DOWN] = "down",
    [STYLE_TERM1] = "term1",
    [STYLE_TERM2] = "term2",
    [STYLE_TERM3] = "term3",
    [STYLE_TERM4] = "term4",
    [STYLE_TERM5] = "term5",
    [STYLE_TERM6] = "term6",
    [STYLE_TERM7] = "term7",
    [STYLE_TERM8] = "term8",
    [STYLE_UNCOMMITTED] = "uncommitted",
    [STYLE_UNSYNCED] = "unsynced",
    [STYLE_ERROR] = "error",
};

const char *style_name(enum style s)
{
	return names[s];
}

/* What is the same in all themes and at all depths: attributes alone carry it. */
#define FRAME                                                                                      \
	[STYLE_NORMAL] = {DEF, DEF, 0}, [STYLE_HEADER] = {DEF, DEF, ATTR_REVERSE},                 \
	[STYLE_TITLE] = {DEF, DEF, 0}, [STYLE_TITLE_FOCUSED] = {DEF, DEF, ATTR_REVERSE},           \
	[STYLE_STAGE] = {DEF, DEF, ATTR_REVERSE}, [STYLE_SELECTED] = {DEF, DEF, ATTR_REVERSE},     \
	[STYLE_KEY] = {DEF, DEF, ATTR_BOLD}, [STYLE_CHANGED] = {DEF, DEF, ATTR_BOLD},              \
	[STYLE_REMOVED] = {DEF, DEF, ATTR_DIM}, [STYLE_HINT] = {DEF, DEF, ATTR_DIM},               \
	[STYLE_NEXT] = {DEF, DEF, ATTR_BOLD}, [STYLE_PRE_CANDIDATE] = {DEF, DEF, ATTR_UNDERLINE}

static const struct look dark[STYLE_COUNT] = {
    FRAME,
    [STYLE_LEADER] = {WHITE, 29, ATTR_BOLD},
    [STYLE_FOLLOWER] = {BLACK, 250, 0},
    [STYLE_CANDIDATE] = {BLACK, 214, 0},
    [STYLE_LEARNER] = {BLACK, 250, 0},
    [STYLE_DOWN] = {WHITE, 238, 0},
    [STYLE_TERM1] = {BLACK, 117, 0},
    [STYLE_TERM2] = {BLACK, 223, 0},
    [STYLE_TERM3] = {WHITE, 22, 0},
    [STYLE_TERM4] = {WHITE, 90, 0},
    [STYLE_TERM5] = {BLACK, 171, 0},
    [STYLE_TERM6] = {BLACK, 36, 0},
    [STYLE_TERM7] = {WHITE, 93, 0},
    [STYLE_TERM8] = {BLACK, 136, 0},
    [STYLE_UNCOMMITTED] = {BLACK, WHITE, 0},
    [STYLE_UNSYNCED] = {BLACK, WHITE, ATTR_DIM},
    [STYLE_ERROR] = {WHITE, 160, 0},
};

/* Sixteen colours: cyan, bright yellow, blue and red are the only four that stay apart for
 * everybody, so terms 5 to 8 are underlined. */
static const struct look sixteen[STYLE_COUNT] = {
    FRAME,
    [STYLE_LEADER] = {0, 2, 0},
    [STYLE_FOLLOWER] = {0, 7, 0},
    [STYLE_CANDIDATE] = {0, 11, 0},
    [STYLE_LEARNER] = {0, 7, 0},
    [STYLE_DOWN] = {15, 8, 0},
    [STYLE_TERM1] = {0, 6, 0},
    [STYLE_TERM2] = {0, 11, 0},
    [STYLE_TERM3] = {15, 4, 0},
    [STYLE_TERM4] = {15, 1, 0},
    [STYLE_TERM5] = {0, 6, ATTR_UNDERLINE},
    [STYLE_TERM6] = {0, 11, ATTR_UNDERLINE},
    [STYLE_TERM7] = {15, 4, ATTR_UNDERLINE},
    [STYLE_TERM8] = {15, 1, ATTR_UNDERLINE},
    [STYLE_UNCOMMITTED] = {0, 15, 0},
    [STYLE_UNSYNCED] = {0, 15, ATTR_DIM},
    [STYLE_ERROR] = {15, 1, ATTR_BOLD},
};

static const struct look eight[STYLE_COUNT] = {
    FRAME,
    [STYLE_LEADER] = {0, 2, 0},
    [STYLE_FOLLOWER] = {0, 7, 0},
    [STYLE_CANDIDATE] = {0, 3, 0},
    [STYLE_LEARNER] = {0, 7, 0},
    [STYLE_DOWN] = {DEF, DEF, ATTR_DIM},
    [STYLE_TERM1] = {0, 6, 0},
    [STYLE_TERM2] = {7, 1, 0},
    [STYLE_TERM3] = {7, 4, 0},
    [STYLE_TERM4] = {0, 6, ATTR_UNDERLINE},
    [STYLE_TERM5] = {7, 1, ATTR_UNDERLINE},
    [STYLE_TERM6] = {7, 4, ATTR_UNDERLINE},
    [STYLE_TERM7] = {0, 6, ATTR_BOLD},
    [STYLE_TERM8] = {7, 1, ATTR_BOLD},
    [STYLE_UNCOMMITTED] = {0, 7, 0},
    [STYLE_UNSYNCED] = {0, 7, ATTR_DIM},
    [STYLE_ERROR] = {7, 1, ATTR_BOLD},
};

static const struct look mono[STYLE_COUNT] = {
    FRAME,
    [STYLE_LEADER] = {DEF, DEF, ATTR_REVERSE | ATTR_BOLD},
    [STYLE_FOLLOWER] = {DEF, DEF, 0},
    [STYLE_CANDIDATE] = {DEF, DEF, ATTR_UNDERLINE | ATTR_BOLD},
    [STYLE_LEARNER] = {DEF, DEF, 0},
    [STYLE_DOWN] = {DEF, DEF, ATTR_DIM},
    [STYLE_TERM1] = {DEF, DEF, ATTR_REVERSE},
    [STYLE_TERM2] = {DEF, DEF, ATTR_REVERSE},
    [STYLE_TERM3] = {DEF, DEF, ATTR_REVERSE},
    [STYLE_TERM4] = {DEF, DEF, ATTR_REVERSE},
    [STYLE_TERM5] = {DEF, DEF, ATTR_REVERSE},
    [STYLE_TERM6] = {DEF, DEF, ATTR_REVERSE},
    [STYLE_TERM7] = {DEF, DEF, ATTR_REVERSE},
    [STYLE_TERM8] = {DEF, DEF, ATTR_REVERSE},
    [STYLE_UNCOMMITTED] = {DEF, DEF, 0},
    [STYLE_UNSYNCED] = {DEF, DEF, ATTR_DIM},
    [STYLE_ERROR] = {DEF, DEF, ATTR_REVERSE | ATTR_BOLD},
};

static void set(struct theme *t, enum style s, int fg, int bg, unsigned attr)
{
	t->look[s] = (struct look){fg, bg, (uint8_t)attr};
}

/* On a light background a white fill cannot be seen: uncommitted cells are hollow there. */
static void make_light(struct theme *t)
{
	set(t, STYLE_UNCOMMITTED, DEF, DEF, ATTR_UNDERLINE);
	set(t, STYLE_UNSYNCED, DEF, DEF, ATTR_UNDERLINE | ATTR_DIM);
}

/* Black, white and the four safe colours. */
static void make_contrast(struct theme *t)
{
	memcpy(t->look, sixteen, sizeof t->look);
	set(t, STYLE_LEADER, WHITE, BLACK, ATTR_BOLD | ATTR_REVERSE);
	set(t, STYLE_FOLLOWER, BLACK, WHITE, ATTR_REVERSE);
	set(t, STYLE_CANDIDATE, BLACK, 11, ATTR_BOLD);
	set(t, STYLE_LEARNER, BLACK, WHITE, ATTR_REVERSE | ATTR_UNDERLINE);
	set(t, STYLE_DOWN, DEF, DEF, 0);
	for (int i = 0; i < STYLE_TERMS; i++) {
		struct look *l = &t->look[STYLE_TERM1 + i];
		l->fg = l->fg ? WHITE : BLACK;
	}
	set(t, STYLE_UNCOMMITTED, BLACK, WHITE, 0);
	set(t, STYLE_UNSYNCED, BLACK, WHITE, ATTR_UNDERLINE);
	set(t, STYLE_ERROR, WHITE, 1, ATTR_BOLD);
}

/* For a class whose lesson has a green leader and an orange candidate. */
static void make_page(struct theme *t)
{
	set(t, STYLE_LEADER, WHITE, 28, ATTR_BOLD);
	set(t, STYLE_FOLLOWER, BLACK, 248, 0);
	set(t, STYLE_CANDIDATE, BLACK, 208, 0);
	set(t, STYLE_LEARNER, BLACK, 248, 0);
	set(t, STYLE_DOWN, WHITE, 239, 0);
}

bool theme_builtin(struct theme *t, const char *name)
{
	struct theme n = {.name = ""};

	memcpy(n.look, dark, sizeof n.look);
	if (strcmp(name, "light") == 0)
		make_light(&n);
	else if (strcmp(name, "contrast") == 0)
		make_contrast(&n);
	else if (strcmp(name, "mono") == 0)
		memcpy(n.look, mono, sizeof n.look);
	else if (strcmp(name, "page") == 0)
		make_page(&n);
	else if (strcmp(name, "dark") != 0)
		return false;
	strcpy(n.name, name);
	*t = n;
	return true;
}

static int level(int v) /* of the 6x6x6 cube */
{
	return v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40;
}

static int32_t to_256(int32_t color)
{
	if (color < COLOR_RGB)
		return color;
	int r = color >> 16 & 0xff, g = color >> 8 & 0xff, b = color & 0xff;
	return 16 + 36 * level(r) + 6 * level(g) + level(b);
}

struct look theme_look(const struct theme *t, enum style s, enum depth d)
{
	struct look l = t->look[s];

	if (d == DEPTH_MONO)
		return mono[s];
	if (d == DEPTH_8)
		return eight[s];
	if (d == DEPTH_16 && strcmp(t->name, "mono") != 0)
		l = sixteen[s];
	if (d == DEPTH_256)
		l.fg = to_256(l.fg), l.bg = to_256(l.bg);
	return l;
}
