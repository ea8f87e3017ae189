/* Signals (signals.h).  The handlers only set flags, write a byte, or put the terminal right and
 * die. */
#include "ui/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"

/* Handlers get no argument: this is the one place of the program that has variables of its own. */
static struct {
	int pipe[2];
	volatile sig_atomic_t ending, resized, stopping, restore;
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
	restore_terminal();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void on_end(int sig)
{
	state.ending = sig;
	(void)!write(state.pipe[1], "", 1);
}

static void on_resize(int sig)
{
	(void)sig;
	state.resized = 1;
	(void)!write(state.pipe[1], "", 1);
}

static void on_stop(int sig)
{
	(void)sig;
	state.stopping = 1;
	(void)!write(state.pipe[1], "", 1);
}

static const int resizes[] = {SIGWINCH}, stops[] = {SIGTSTP};
static const int ends[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
static const int fatals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

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
	handle(resizes, COUNT(resizes), on_resize, 0);
	handle(stops, COUNT(stops), on_stop, 0);
	handle(fatals, COUNT(fatals), on_fatal, SA_ONSTACK | (unsigned)SA_RESETHAND | SA_NODEFER);
}

void signals_begin(void)
{
	size_t size = 65536; /* a stack overflow has to be reported on another stack */
	stack_t stack = {.ss_sp = state.stack = xmalloc(size), .ss_size = size};

	check_that(pipe2(state.pipe, O_CLOEXEC | O_NONBLOCK) == 0);
	state.ending = state.resized = state.stopping = 0;
	sigaltstack(&stack, NULL);
	signals_again();
	die_set_hook(restore_terminal);
}

void signals_end(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};

	handle(ends, COUNT(ends), SIG_DFL, 0);
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
