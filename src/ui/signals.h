/* Signals become a byte in a pipe; a crash leaves the terminal as it was found. */
#ifndef UI_SIGNALS_H
#define UI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* Catches SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP and SIGWINCH until signals_end. */
void signals_begin(void);
/* Once more, after curses has put handlers of its own. */
void signals_again(void);
void signals_end(void);
/* Readable when a signal has come since the last signals_drain. */
int signals_fd(void);
void signals_drain(void);
/* The signal that wants the program to end; 0: none. */
int signals_ending(void);
/* Was the program told to stop (SIGTSTP from elsewhere)? */
bool signals_stopping(void);
/* Stops the whole job, as Ctrl-Z would; returns when it goes on. */
void signals_stop(void);
/* Has the window changed its size since the last call? */
bool signals_resized(void);

/* What puts the terminal right, written by whatever ends the program unasked; n 0: nothing is to be
 * done. */
void signals_set_restore(const char *bytes, size_t n, const struct termios *modes);

#endif
