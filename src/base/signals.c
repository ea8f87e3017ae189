/* Signals (signals.h).  The handlers only set flags, write a byte, or put the terminal right and
 * die. */
#include "base/signals.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"

/* Handlers get no argument: this is the one place of the program that has variables of its own. */
static struct {
	int pipe[2];
	volatile sig_atomic_t ending, resized, stopping, restore, working, interrupted;
	bool screen;
	char bytes[512];
	size_t n;
	struct termios modes;
	void *stack;
} state = {.pipe = {-1, -1}};

static void restore_terminal(void) /* async-signal-safe */
{
	if (!state.restore)
		return;
	state.restore = 0;
	(void)!write(STDOUT_FILENO, state.bytes, state.n);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &state.modes);
}

static void on_fatal(int sig)
{
	sigset_t only;

	restore_terminal();
	signal(sig, SIG_DFL);
	raise(sig);
	sigemptyset(&only); /* in a handler of this signal it waits until it is let through */
	sigaddset(&only, sig);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
}

static void wake_up(void)
{
	(void)!write(state.pipe[1], "", 1);
}

static void on_end(int sig)
{
	if (state.working)
		on_fatal(sig);
	state.ending = sig;
	wake_up();
}

static void on_interrupt(int sig)
{
	if (state.screen && !state.working)
		state.ending = sig;
	else
		state.interrupted = 1;
	wake_up();
}

static void on_resize(int sig)
{
	(void)sig;
	state.resized = 1;
	wake_up();
}

static void on_stop(int sig)
{
	(void)sig;
	state.stopping = 1;
	wake_up();
}

static const int resizes[] = {SIGWINCH}, stops[] = {SIGTSTP}, interrupts[] = {SIGINT};
static const int ends[] = {SIGTERM, SIGHUP, SIGQUIT};
/* Crashes, and what nobody expects to be sent: without a handler it would end us just as well. */
static const int fatals[] = {SIGSEGV, SIGBUS,  SIGFPE,	SIGILL,	   SIGABRT, SIGSYS,  SIGPIPE,
			     SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ};

static void handle(const int *sigs, size_t n, void (*handler)(int), unsigned flags)
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = (int)flags};

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < n; i++)
		sigaction(sigs[i], &sa, NULL);
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

void signals_again(void)
{
	handle(ends, COUNT(ends), on_end, 0);
	handle(interrupts, COUNT(interrupts), on_interrupt, 0);
	if (state.screen) {
		handle(resizes, COUNT(resizes), on_resize, 0);
		handle(stops, COUNT(stops), on_stop, 0);
	}
	handle(fatals, COUNT(fatals), on_fatal, SA_ONSTACK | (unsigned)SA_RESETHAND | SA_NODEFER);
}

void signals_begin(bool screen)
{
	size_t size = 65536; /* a stack overflow has to be reported on another stack */
	stack_t stack = {.ss_sp = state.stack = xmalloc(size), .ss_size = size};

	check_that(pipe2(state.pipe, O_CLOEXEC | O_NONBLOCK) == 0);
	state.ending = state.resized = state.stopping = state.working = state.interrupted = 0;
	state.screen = screen;
	sigaltstack(&stack, NULL);
	signals_again();
	die_set_hook(restore_terminal);
}

void signals_end(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};

	handle(ends, COUNT(ends), SIG_DFL, 0);
	handle(interrupts, COUNT(interrupts), SIG_DFL, 0);
	handle(resizes, COUNT(resizes), SIG_DFL, 0);
	handle(stops, COUNT(stops), SIG_DFL, 0);
	handle(fatals, COUNT(fatals), SIG_DFL, 0);
	sigaltstack(&none, NULL);
	free(state.stack);
	close(state.pipe[0]);
	close(state.pipe[1]);
	state.stack = NULL;
	state.pipe[0] = state.pipe[1] = -1;
}

bool signals_stopping(void)
{
	return state.stopping;
}

void signals_stop(void)
{
	handle(stops, COUNT(stops), SIG_DFL, 0);
	kill(0, SIGTSTP);
	if (state.screen)
		handle(stops, COUNT(stops), on_stop, 0);
	state.stopping = 0;
	state.resized = 1; /* the window may be another one now */
}

int signals_fd(void)
{
	return state.pipe[0];
}

void signals_drain(void)
{
	char bytes[64];

	while (read(state.pipe[0], bytes, sizeof bytes) > 0)
		;
}

int signals_ending(void)
{
	return state.ending;
}

void signals_working(bool on)
{
	state.working = on;
	if (on && state.ending)
		on_fatal(state.ending);
}

volatile sig_atomic_t *signals_interrupt(void)
{
	return &state.interrupted;
}

bool signals_resized(void)
{
	bool yes = state.resized;

	state.resized = 0;
	return yes;
}

void signals_set_restore(const char *bytes, size_t n, const struct termios *modes)
{
	state.restore = 0;
	state.n = n < sizeof state.bytes ? n : sizeof state.bytes;
	if (state.n) {
		memcpy(state.bytes, bytes, state.n);
		state.modes = *modes;
		state.restore = 1;
	}
}
