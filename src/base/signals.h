/* Signals of a program that has changed its terminal.
 *
 * While it waits for keys, a signal is a flag and a byte in a pipe.  While it works (a command may
 * run for hours of cluster time) Ctrl-C is a flag for what runs, and what wants the program to end
 * ends it at once.  Whatever ends it leaves the terminal as it was found.
 */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* Catches what ends a program until signals_end.  screen: SIGTSTP and SIGWINCH too, and SIGINT ends
 * the program while it waits. */
void signals_begin(bool screen);
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

/* Between on and off the program does not look at keys or signals: SIGTERM, SIGHUP and SIGQUIT end
 * it, one that has come shortly before too. */
void signals_working(bool on);
/* Set by SIGINT, cleared by whoever obeys it. */
volatile sig_atomic_t *signals_interrupt(void);

/* What puts the terminal right, written by whatever ends the program unasked; NULL: nothing is to
 * be done. */
void signals_set_restore(const char *bytes, size_t n, const struct termios *modes);

#endif
