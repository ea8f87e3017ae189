/* A key is short for a command line.  One table binds them; key bar, help and dispatch read it
 * (screen-design.md B.11). */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/view.h"

/* Keys that are not characters. */
enum key_code {
	KEY_CODE_FIRST = 0x110000,
	K_UP,
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_HOME,
	K_END,
	K_PAGE_UP,
	K_PAGE_DOWN,
	K_DELETE,
	K_BACKSPACE,
	K_BACK_TAB,
	K_PASTE,
	K_CLICK,
	K_WHEEL_UP,
	K_WHEEL_DOWN,
	K_F1,
	K_F2,
	K_F5 = K_F1 + 4,
	K_F10 = K_F1 + 9,
	K_F12 = K_F1 + 11,
	K_ESC = 27,
	K_ENTER = '\n',
	K_TAB = '\t'
};

/* Where a key acts. */
enum where {
	ON_STAGE = 1, /* no pane has the focus */
	IN_PANE = 2,
	IN_PAGES = 4, /* help, text, branches */
	IN_MENU = 8,
	WHILE_TYPING = 16,
	ON_EMPTY_LINE = 32, /* the command line has the keys and holds nothing */
	ON_SCREEN = ON_STAGE | IN_PANE,
	ANYWHERE = 63
};

enum { KEYS_PER_BINDING = 6, HELP_PAGES = 3 };

struct binding {
	uint32_t key[KEYS_PER_BINDING];
	unsigned where;	     /* enum where, or-ed */
	const char *command; /* what it is short for */
	const char *label;   /* names of the keys, for the help */
	const char *help;    /* NULL: another row tells it */
	int page;	     /* of the help, from 1; and in it a column and a heading */
	int column;
	const char *heading; /* NULL: the one above */
};

extern const struct binding key_table[];
size_t key_count(void);
/* The command of a key in a place; NULL: it does nothing there. */
const char *key_command(uint32_t key, unsigned where);

/* Items of the key bar of a place; the last two are `? help` and `q quit`, or the keys that do the
 * same where these are typed.  whole: a page of text has no next one.  press: the key that a
 * click on the item means, of two keys the one for the left half first. */
struct bar_item {
	const char *key, *word;
	uint32_t press[2];
};
const struct bar_item *key_bar(unsigned where, const struct view *v, bool whole, size_t *n);

#endif
