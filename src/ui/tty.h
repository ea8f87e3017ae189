/* The real terminal: shows a canvas, reads keys.  Implemented by curses.c, the only file that knows
 * curses. */
#ifndef UI_TTY_H
#define UI_TTY_H

#include <wchar.h>

#include "ui/canvas.h"
#include "ui/keys.h"
#include "ui/theme.h"

struct tty;

enum { KEY_ALT = 0x200000 }; /* or-ed to a character: Alt with it */

/* Takes the terminal over.  NULL: it cannot be used as a screen, *why says so. */
struct tty *tty_open(const char *color, const char **why);
/* Gives it back as it was. */
void tty_close(struct tty *t);

/* Can it draw the glyphs of the frame?  (a UTF-8 locale) */
bool tty_is_utf8(void);
void tty_size(const struct tty *t, int *columns, int *rows);

void tty_set_theme(struct tty *t, const struct theme *theme);
/* Brings the screen to what the canvas shows, with one update; what has not changed costs nothing.
 */
void tty_show(struct tty *t, const struct canvas *c);
void tty_redraw(struct tty *t);
/* Ctrl-Z: puts the terminal right, stops, and comes back. */
void tty_suspend(struct tty *t);
void tty_beep(struct tty *t);
void tty_mouse(struct tty *t, bool on);
/* Where K_CLICK, K_WHEEL_UP or K_WHEEL_DOWN was. */
void tty_mouse_at(const struct tty *t, int *x, int *y);
/* For tests: says in the window's title that everything before has been drawn. */
void tty_barrier(struct tty *t, unsigned n);

/* The next key, or 0 after timeout_ms (-1: none), or when a signal came or the size changed.
 * K_PASTE: see tty_pasted. */
uint32_t tty_key(struct tty *t, int timeout_ms);
const wchar_t *tty_pasted(const struct tty *t, size_t *n);
/* A command runs, which may take long: until the next tty_key Ctrl-C is a signal (signals.h), and
 * one that comes too late is the next key. */
void tty_work(struct tty *t);
/* Has the terminal gone away? */
bool tty_is_gone(const struct tty *t);

#endif
