/* The real terminal: shows a canvas, reads keys.  Implemented by curses.c, the only file that knows
 * curses. */
#ifndef UI_TERMINAL_H
#define UI_TERMINAL_H

#include <termios.h>
#include <wchar.h>

#include "ui/canvas.h"
#include "ui/keys.h"
#include "ui/theme.h"

struct terminal;

enum { KEY_ALT = 0x200000 }; /* or-ed to a character: Alt with it */

/* Takes the terminal over.  NULL: it cannot be used as a screen, *why says so. */
struct terminal *terminal_open(const char *color, const char **why);
/* Gives it back as it was. */
void terminal_close(struct terminal *t);

enum depth terminal_depth(const struct terminal *t);
/* Can it draw the glyphs of the frame?  (a UTF-8 locale) */
bool terminal_is_utf8(void);
void terminal_size(const struct terminal *t, int *columns, int *rows);
/* The modes found at the start (erase and kill keys). */
const struct termios *terminal_modes(const struct terminal *t);

void terminal_set_theme(struct terminal *t, const struct theme *theme);
/* Brings the screen to what the canvas shows, with one update; what has not changed costs nothing.
 */
void terminal_show(struct terminal *t, const struct canvas *c);
void terminal_redraw(struct terminal *t);
/* Ctrl-Z: puts the terminal right, stops, and comes back. */
void terminal_suspend(struct terminal *t);
void terminal_beep(struct terminal *t);
void terminal_mouse(struct terminal *t, bool on);
/* For tests: says in the window's title that everything before has been drawn. */
void terminal_barrier(struct terminal *t, unsigned n);

/* The next key, or 0 after timeout_ms (-1: none), or when a signal came or the size changed.
 * K_PASTE: see terminal_pasted. */
uint32_t terminal_key(struct terminal *t, int timeout_ms);
const wchar_t *terminal_pasted(const struct terminal *t);
/* Has the terminal gone away? */
bool terminal_is_gone(const struct terminal *t);

#endif
