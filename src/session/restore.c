/* A journal that was left behind is run again, as it was typed.
 *
 * What cannot be done again (a script that is gone, a command that this version does not know) ends
 * the restoring: whatever followed would run in another world.  Only a recording whose file cannot
 * be written is passed over, since it changes nothing.
 */
#include "session/session_state.h"

#include <string.h>

static const char *journal_name(const struct left_journal *l)
{
	const char *slash = strrchr(buf_str(&l->path), '/');

	return slash ? slash + 1 : buf_str(&l->path);
}

bool session_take_settings(struct session_options *o, const struct left_journal *l,
			   struct buf *notice)
{
	struct buf name = {0}, why = {0};
	bool ok = true;

	o->informer = false;
	for (size_t i = 0; ok && i < l->records.n; i++) {
		const struct record *r = &l->records.v[i];
		if (r->kind != RECORD_SETTING)
			continue;
		buf_clear(&name);
		buf_put_bytes(&name, r->name);
		if (bytes_is(r->name, "informer"))
			o->informer = true;
		else
			ok = config_set(&o->cfg, buf_str(&name), buf_str(&r->text), &why);
		if (!ok)
			buf_printf(notice,
				   "nothing is restored of the session %s, which stays: its "
				   "setting %s %s: %s",
				   journal_name(l), buf_str(&name), buf_str(&r->text),
				   buf_str(&why));
	}
	buf_free(&name);
	buf_free(&why);
	return ok;
}

struct restoring {
	struct session *s;
	size_t commands;
	const struct record *stopped; /* it was not done */
	struct buf why;		      /* empty: it never ended */
	struct buf aside;	      /* a recording that does not go on */
};

/* Feeds a whole command line by line. */
static bool type_again(struct session *s, struct bytes text, struct buf *err)
{
	struct buf out = {0};
	struct bytes line;
	enum session_result result = SESSION_OK;

	while (result != SESSION_ERROR && scope_next_line(&text, &line)) {
		buf_clear(&out);
		buf_clear(err);
		result = session_exec(s, line, &out, err);
	}
	if (result == SESSION_MORE) {
		session_cancel_block(s);
		buf_puts(err, "it is not whole");
	}
	buf_free(&out);
	return result != SESSION_ERROR && result != SESSION_MORE;
}

static bool go_to_place(struct session *s, const struct record *r, struct buf *err)
{
	struct buf branch = {0};

	buf_put_bytes(&branch, r->name);
	bool ok = player_switch(s->player, buf_str(&branch)) && player_seek(s->player, r->at);
	if (!ok)
		buf_printf(err, "there is no place %zu of branch %s", r->at.input,
			   buf_str(&branch));
	buf_free(&branch);
	return ok;
}

/* An input of a script is interrupted as soon as it runs: at once, or by the command that comes
 * now. */
static bool interrupt_input(struct session *s, const struct record *r, struct buf *err)
{
	struct buf branch = {0};

	buf_put_bytes(&branch, r->name);
	bool ok =
	    player_switch(s->player, buf_str(&branch)) && player_interrupt_at(s->player, r->at);
	if (!ok)
		buf_printf(err, "there is nothing to interrupt at %zu of branch %s", r->at.input,
			   buf_str(&branch));
	buf_free(&branch);
	return ok;
}

static bool run_command(struct restoring *g, const struct record *r)
{
	player_interrupt_typed(g->s->player, r->stop);
	bool ok = r->refused || type_again(g->s, buf_bytes(&r->text), &g->why);
	player_interrupt_typed(g->s->player, UINT64_MAX);

	g->commands += ok && !r->refused;
	if (!ok && bytes_starts(buf_bytes(&r->text), BYTES("record "))) {
		buf_clear(&g->aside);
		buf_put_bytes(&g->aside, buf_bytes(&g->why));
		ok = true;
	}
	return ok;
}

static bool bring_back(struct restoring *g, const struct record *r)
{
	buf_clear(&g->why);
	switch (r->kind) {
	case RECORD_POSITION:
		return go_to_place(g->s, r, &g->why);
	case RECORD_INTERRUPT:
		return interrupt_input(g->s, r, &g->why);
	case RECORD_LOAD:
		return session_load_file(g->s, buf_str(&r->text), &g->why);
	case RECORD_COMMAND:
		return r->ended && run_command(g, r);
	default:
		return true;
	}
}

static void tell(const struct restoring *g, const struct left_journal *l)
{
	struct buf *b = &g->s->notice;

	buf_clear(b);
	buf_printf(b, "restored %zu command%s of the session %s", g->commands,
		   g->commands == 1 ? "" : "s", journal_name(l));
	if (g->stopped && g->why.n) {
		buf_puts(b, ", which stays; stopped");
		if (g->stopped->text.n)
			buf_printf(b, " at `%s`", buf_str(&g->stopped->text));
		buf_printf(b, ": %s", buf_str(&g->why));
	} else if (g->stopped)
		buf_printf(b, "; stopped before `%s`, which never ended",
			   buf_str(&g->stopped->text));
	if (g->aside.n)
		buf_printf(b, "; nothing is being recorded: %s", buf_str(&g->aside));
}

bool session_bring_back(struct session *s, const struct left_journal *l)
{
	struct restoring g = {.s = s};

	s->restoring = true;
	for (size_t i = 0; i < l->records.n && !g.stopped; i++)
		if (!bring_back(&g, &l->records.v[i]))
			g.stopped = &l->records.v[i];
	s->restoring = false;
	tell(&g, l);
	bool all = g.why.n == 0 || !g.stopped;
	buf_free(&g.why);
	buf_free(&g.aside);
	return all;
}
