/* A player on a script, and pictures of it, without a terminal. */
#ifndef TESTS_UI_SUPPORT_H
#define TESTS_UI_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script/player.h"
#include "ui/picture.h"
#include "ui/scene.h"

struct rig {
	struct player *p;
	struct buf text;
	struct scope scope;
	struct view v;
	struct scene s;
	struct canvas c;
	struct buf picture; /* of the last rig_draw, row after row */
};

/* A fresh world with the screen's informer. */
void rig_open(struct rig *r, unsigned members);
/* The same without any watcher. */
void rig_open_bare(struct rig *r, unsigned members);
void rig_open_demo(struct rig *r, int number);
void rig_close(struct rig *r);
void rig_type(struct rig *r, const char *command);
/* Draws the whole screen; the text is in picture. */
const char *rig_draw(struct rig *r, int columns, int rows);
/* Row y of the last picture, in a buffer that the next call uses again. */
const char *rig_row(const struct rig *r, int y);
bool rig_shows(const struct rig *r, const char *text);

#endif
