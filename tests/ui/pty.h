/* The program on a pseudo-terminal, its output read back by a terminal emulator (libvterm).
 *
 * Nothing waits for time to pass: F12 makes the program set the window's title after it has drawn,
 * so when the title is there everything before it is on the screen.
 */
#ifndef TESTS_UI_PTY_H
#define TESTS_UI_PTY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include <cmocka.h>
#include <vterm.h>

#include "base/buf.h"

enum { PATIENCE_MS = 20000 };

struct seen {
	VTerm *vt;
	VTermScreen *screen;
	int fd, rows, columns;
	pid_t pid;
	int status;
	unsigned syncs; /* sent */
	char title[64];
	VTermPos cursor;
	bool cursor_visible;
	struct buf raw; /* everything the program wrote */
	struct buf text;
	struct termios before;
	int keep; /* our own end of the terminal: its modes can be read when the program is gone */
};

extern char state_dir[]; /* of the program; a template for mkdtemp at first */
/* Before and after all tests of a file: a folder of its own for what the program keeps. */
int make_state_dir(void **state);
int remove_state_dir(void **state);

/* As env: the program is a job of a shell, which can be stopped. */
extern const char *const as_job[];
struct seen *start_as(const char *term, int columns, int rows, const char *const *args,
		      const char *const *env);
struct seen *start(int columns, int rows, const char *const *args);
void stop(struct seen *s);

/* Reads what is there, waiting at most ms; false: nothing came. */
bool pump(struct seen *s, int ms);
/* Reads until the program has written the text since buf_clear(&s->raw). */
void wait_for(struct seen *s, const char *text);
void type(struct seen *s, const char *keys);
/* Waits until everything typed so far has been drawn. */
void sync_screen(struct seen *s);
void press(struct seen *s, const char *keys);

const char *screen_text(struct seen *s);
bool shows(struct seen *s, const char *text);
#define assert_shows(s, words)                                                                     \
	do {                                                                                       \
		if (!shows(s, words))                                                              \
			fail_msg("not on the screen: %s\n%s", words, buf_str(&(s)->text));         \
	} while (0)

/* Waits for the end of the program; its exit status, or 256 + signal. */
int ended(struct seen *s);
/* The same for a program that ends by these keys: they are typed again now and then, since a
 * terminal that turns Ctrl-C into a signal throws away what was typed behind it. */
int ended_by(struct seen *s, const char *again);
/* The modes are as before, the cursor can be seen, the other screen is left, paste mode is off. */
void assert_restored(struct seen *s);
/* The same of a program that has no screen of its own. */
void assert_modes_restored(struct seen *s);

#endif
