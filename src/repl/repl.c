/* The prompt alone. */
#include "repl/repl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/signals.h"
#include "repl/terminal.h"
#include "script/sink.h"

struct repl {
	struct session *session;
	struct terminal *terminal; /* NULL: lines are read as they come */
	struct sink out;
	char *line; /* getline's */
	size_t cap;
	enum shell_block block; /* that is being typed */
	unsigned block_part;	/* of a transaction, from 1 on */
	bool refused;		/* a line was no command, or the input could not be read */
};

static void say(struct repl *r, struct bytes text)
{
	sink_flush(&r->out);
	message_put(text);
}

/* Inside a transaction the prompt is what etcdctl asks for. */
static void make_prompt(const struct repl *r, struct buf *prompt)
{
	static const char *const part[] = {"", "compares: ", "success: ", "failure: "};

	buf_clear(prompt);
	if (r->block == BLOCK_TXN)
		buf_puts(prompt, part[r->block_part < 3 ? r->block_part : 3]);
	else if (r->block == BLOCK_WATCH)
		buf_puts(prompt, "watch -i: ");
	else if (r->block)
		buf_puts(prompt, r->block_part < 2 ? "password: " : "password, again: ");
	else
		buf_printf(prompt, "S%u> ",
			   world_default_endpoint(player_world(session_player(r->session))));
}

static void complain_of_input(struct repl *r)
{
	message_printf("standard input cannot be read: %s", strerror(errno));
	r->refused = true;
}

/* 1: a line, 0: the end, -1: Ctrl-C. */
static int read_line(struct repl *r, struct buf *line)
{
	struct buf prompt = {0};
	int result;

	buf_clear(line);
	make_prompt(r, &prompt);
	if (r->terminal) {
		result = terminal_read(r->terminal, buf_str(&prompt), line);
		buf_free(&prompt);
		return result;
	}
	if (isatty(STDIN_FILENO) && r->out.terminal)
		sink_put(&r->out, buf_bytes(&prompt));
	buf_free(&prompt);
	sink_flush(&r->out);
	errno = 0;
	ssize_t n = getline(&r->line, &r->cap, stdin);
	if (n < 0) {
		bool cancelled = errno == EINTR && !signals_ending();
		if (ferror(stdin) && errno != EINTR)
			complain_of_input(r);
		clearerr(stdin);
		return cancelled ? -1 : 0;
	}
	buf_add(line, r->line, (size_t)(n - (r->line[n - 1] == '\n')));
	return 1;
}

static void count_block(struct repl *r, enum session_result result, struct bytes line)
{
	if (result != SESSION_MORE) {
		r->block = BLOCK_NONE;
		r->block_part = 0;
		return;
	}
	if (!r->block)
		r->block = shell_opens_block(line);
	if (!r->block_part)
		r->block_part = 1;
	else if (line.n == 0 || r->block >= BLOCK_PASSWORD)
		r->block_part++;
}

/* Runs a line; Ctrl-C stops it and the lines that were pasted behind it. */
static enum session_result work(struct repl *r, struct bytes line, struct buf *out, struct buf *err)
{
	struct player *p = session_player(r->session);
	uint64_t before = player_interrupts(p);

	signals_working(true);
	enum session_result result = session_exec(r->session, line, out, err);
	signals_working(false);
	if (player_interrupts(p) != before || *signals_interrupt())
		terminal_drop_pasted(r->terminal);
	*signals_interrupt() = 0;
	return result;
}

/* False: leave. */
static bool run_line(struct repl *r, struct bytes line)
{
	struct buf out = {0}, err = {0};
	enum session_result result = work(r, line, &out, &err);

	count_block(r, result, line);
	sink_put(&r->out, buf_bytes(&out));
	if (r->out.terminal)
		sink_flush(&r->out);
	if (err.n)
		say(r, buf_bytes(&err));
	r->refused = r->refused || result == SESSION_ERROR;
	buf_free(&out);
	buf_free(&err);
	return result != SESSION_QUIT && !r->out.error;
}

static void cancel(struct repl *r)
{
	*signals_interrupt() = 0;
	session_cancel_block(r->session);
	r->block = BLOCK_NONE;
	r->block_part = 0;
	say(r, BYTES("`quit` or Ctrl-D leaves."));
}

static void talk(struct repl *r)
{
	struct buf line = {0};
	bool on = true;

	while (on && !signals_ending()) {
		int got = read_line(r, &line);
		if (got < 0)
			cancel(r);
		else
			on = got > 0 && run_line(r, buf_bytes(&line));
	}
	buf_free(&line);
	if (r->block_part && !signals_ending()) {
		say(r, BYTES("the command is not finished: a block ends with a line `end`"));
		r->refused = true;
	}
}

static int leave(struct repl *r)
{
	int error = sink_end(&r->out), signal_number = signals_ending();
	bool interactive = isatty(STDIN_FILENO);

	terminal_close(r->terminal);
	signals_end();
	free(r->line);
	if (signal_number) {
		session_abandon(r->session);
		raise(signal_number);
	}
	session_free(r->session);
	if (error) {
		message_printf("standard output cannot be written: %s", strerror(error));
		return 1;
	}
	return r->refused && !interactive ? 2 : 0;
}

int repl_run(struct session *s)
{
	struct repl r = {.session = s};

	signals_begin(false);
	player_interrupt_on(session_player(s), signals_interrupt());
	sink_init(&r.out, STDOUT_FILENO);
	r.terminal = terminal_open(session_player(s));
	talk(&r);
	return leave(&r);
}
