/* A conversation with a shell: say("put a 1") gives what it printed. */
#ifndef TESTS_SHELL_HELP_H
#define TESTS_SHELL_HELP_H

#include "cmd/shell.h"

static inline struct shell *shell_with(uint32_t members)
{
	struct config cfg;

	config_init(&cfg);
	cfg.members = members;
	struct shell *s = shell_new(&cfg, NULL);
	s->w->numbering = true;
	return s;
}

/* Runs a command to where the shell rests; the text is valid until the next one.  What a malformed
 * line says begins with "! ". */
static inline const char *say(struct shell *s, const char *line)
{
	struct buf err = {0};
	enum shell_result r = shell_begin(s, bytes_of(line), &err);

	if (r == SHELL_OK) {
		while (shell_busy(s))
			shell_step(s);
	} else {
		buf_clear(&s->out);
		buf_printf(&s->out, r == SHELL_NOT_HERE ? "! not here" : "! %s", buf_str(&err));
	}
	buf_free(&err);
	return buf_str(&s->out);
}

#endif
