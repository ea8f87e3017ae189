/* A journal that was left behind is run again, as it was typed. */
#include "session/session_state.h"

#include <string.h>

void session_take_settings(struct session_options *o, const struct left_journal *l)
{
	struct buf name = {0}, ignored = {0};

	o->informer = false;
	for (size_t i = 0; i < l->records.n; i++) {
		const struct record *r = &l->records.v[i];
		if (r->kind != RECORD_SETTING)
			continue;
		buf_clear(&name);
		buf_put_bytes(&name, r->name);
		if (bytes_is(r->name, "informer"))
			o->informer = true;
		else
			config_set(&o->cfg, buf_str(&name), buf_str(&r->text), &ignored);
	}
	buf_free(&name);
	buf_free(&ignored);
}

/* Feeds a whole command line by line. */
static void type_again(struct session *s, struct bytes text, struct buf *err)
{
	struct buf out = {0};
	struct bytes line;

	while (scope_next_line(&text, &line)) {
		buf_clear(&out);
		buf_clear(err);
		session_exec(s, line, &out, err);
	}
	buf_free(&out);
}

static void go_to_place(struct session *s, const struct record *r)
{
	struct buf branch = {0};

	buf_put_bytes(&branch, r->name);
	if (player_switch(s->player, buf_str(&branch)))
		player_seek(s->player, r->at);
	buf_free(&branch);
}

static void tell(struct session *s, const struct left_journal *l, size_t commands,
		 const struct record *stopped)
{
	const char *slash = strrchr(buf_str(&l->path), '/');

	buf_clear(&s->notice);
	buf_printf(&s->notice, "restored %zu command%s of the session %s", commands,
		   commands == 1 ? "" : "s", slash ? slash + 1 : buf_str(&l->path));
	if (stopped)
		buf_printf(&s->notice, "; stopped before `%s`, which never ended",
			   buf_str(&stopped->text));
}

void session_bring_back(struct session *s, const struct left_journal *l)
{
	size_t commands = 0;
	struct buf ignored = {0};
	const struct record *stopped = NULL;

	for (size_t i = 0; i < l->records.n && !stopped; i++) {
		const struct record *r = &l->records.v[i];
		buf_clear(&ignored);
		if (r->kind == RECORD_POSITION)
			go_to_place(s, r);
		if (r->kind == RECORD_LOAD)
			session_load_file(s, buf_str(&r->text), &ignored);
		if (r->kind == RECORD_COMMAND && !r->ended)
			stopped = r;
		else if (r->kind == RECORD_COMMAND && ++commands)
			type_again(s, buf_bytes(&r->text), &ignored);
	}
	tell(s, l, commands, stopped);
	buf_free(&ignored);
}
