/* One script under way.
 *
 * The common case, a command that the shell runs, must not allocate: output and trace text are
 * buffers that are used again.  A trace is taken from its ring while the command runs, since an
 * hour of waiting makes more records than the ring holds.
 */
#include "script/runner.h"

#include <inttypes.h>

#include "check/check.h"
#include "script/player.h"

static bool picture(void *arg, const char *what, int columns, int rows, struct buf *out)
{
	struct runner *r = arg;

	if (r->player)
		return r->picture(r->player, what, columns, rows, out);
	struct player *p = player_around(&r->drive);
	bool ok = r->picture(p, what, columns, rows, out);
	player_release(p);
	return ok;
}

void runner_init(struct runner *r, const struct run_options *o, bool numbering, bool want_trace)
{
	enum trace_level level = o->trace > TRACE_STORY ? o->trace : TRACE_STORY;

	*r = (struct runner){.want_trace = want_trace, .trace = trace_new(level)};
	drive_init(&r->drive, &o->cfg, r->trace, numbering);
	r->drive.format = r->drive.sh->format = o->format;
	r->picture = o->picture;
	if (o->picture)
		r->drive.hooks = r->drive.sh->hooks =
		    (struct shell_hooks){.picture = picture, .arg = r};
	r->traced = r->trace->end;
}

void runner_free(struct runner *r)
{
	if (r->player) {
		player_free(r->player);
	} else {
		drive_free(&r->drive);
		trace_free(r->trace);
	}
	buf_free(&r->trace_text);
	buf_free(&r->output);
}

struct bytes runner_output(const struct runner *r)
{
	return r->player ? buf_bytes(&r->output) : buf_bytes(&r->drive.sh->out);
}

static void take_trace(struct runner *r)
{
	if (r->worlds != r->drive.worlds || r->traced < r->trace->first)
		r->traced = r->trace->first;
	r->worlds = r->drive.worlds;
	if (!r->want_trace) {
		r->traced = r->trace->end;
		return;
	}
	for (; r->traced < r->trace->end; r->traced++) {
		buf_add_short(&r->trace_text, "~ ", 2);
		trace_print(&r->trace_text, trace_get(r->trace, r->traced));
		buf_add_short(&r->trace_text, "\n", 1);
	}
}

static void run_to_end(struct runner *r)
{
	struct shell *sh = r->drive.sh;

	while (shell_busy(sh)) {
		shell_step(sh);
		if (r->trace->end - r->traced > TRACE_RING / 2)
			take_trace(r);
	}
}

static bool refuse(struct bytes text, struct buf *err)
{
	const struct command_row *row = drive_row(text);

	if (row->layer == LAYER_PLAYER)
		buf_printf(err, "%s needs a history: put `set history on` before it", row->name);
	else
		buf_printf(err, "%s is a command of a session: leave it out of a script",
			   row->name);
	return false;
}

/* --- with a history */

/* After `set history on` a player goes on from here. */
static void consider_history(struct runner *r)
{
	if (!r->drive.sh->w->cfg.history)
		return;
	buf_put_bytes(&r->output, buf_bytes(&r->drive.sh->out));
	r->player = player_adopt(&r->drive);
}

static bool command_with_history(struct runner *r, struct bytes text, struct buf *err)
{
	buf_clear(&r->output);
	r->traced = r->trace->end;
	enum shell_result result = player_type(r->player, text, err);
	if (result == SHELL_MALFORMED)
		return false;
	if (result == SHELL_OK) {
		buf_put_bytes(&r->output, player_output(r->player));
		take_trace(r);
		return true;
	}
	const struct command_row *row = drive_row(text);
	if (row->layer == LAYER_PLAYER)
		return player_command(r->player, text, &r->output, err) == SHELL_OK;
	r->quit = strcmp(row->name, "quit") == 0;
	return r->quit || row->layer == LAYER_SCREEN || refuse(text, err);
}

/* --- without */

static bool command(struct runner *r, struct bytes text, struct buf *err)
{
	buf_clear(&r->drive.sh->out);
	switch (drive_begin(&r->drive, text, err)) {
	case DRIVE_BEGUN:
		run_to_end(r);
		break;
	case DRIVE_DONE:
	case DRIVE_SCREEN:
		break;
	case DRIVE_MALFORMED:
		return false;
	case DRIVE_QUIT:
		r->quit = true;
		break;
	case DRIVE_PLAYER:
	case DRIVE_SESSION:
		return refuse(text, err);
	}
	take_trace(r);
	consider_history(r);
	return true;
}

bool runner_command(struct runner *r, struct bytes text, struct buf *err)
{
	buf_clear(&r->trace_text);
	bool ok = r->player ? command_with_history(r, text, err) : command(r, text, err);
	r->violated = shell_violation(r->player ? player_shell(r->player) : r->drive.sh) != NULL;
	return ok;
}

bool runner_end(struct runner *r, struct buf *err)
{
	struct violation v;

	if (shell_check_end(r->player ? player_shell(r->player) : r->drive.sh, &v))
		return true;
	buf_printf(err, "%s is broken: %s (event %" PRIu64 ", %" PRId64 ".%03d s)", v.rule, v.text,
		   v.event, v.ms / 1000, (int)(v.ms % 1000));
	return false;
}

void runner_question(struct runner *r)
{
	if (r->player)
		player_ask(r->player, BYTES(""));
	else
		drive_question(&r->drive);
}
