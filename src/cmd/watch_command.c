/* The commands of `watch KEY -- COMMAND` (etcd: watch_command.go, printWatchCh).  etcdctl gives the
 * event to the command in its environment; here the words $ETCD_WATCH_KEY, $ETCD_WATCH_VALUE,
 * $ETCD_WATCH_REVISION and $ETCD_WATCH_EVENT_TYPE of the line stand for it.
 *
 * Such a command may cause an event of its own watcher, without end and without time passing: it is
 * stopped then.
 */
#include "cmd/watch_command.h"

#include <inttypes.h>
#include <stdio.h>

#include "cmd/nested.h"

enum { RUNS_MAX = 1000 }; /* in one instant */

void watch_command_add(struct shell *s, uint32_t watcher, struct bytes line)
{
	struct watch_command c = {.watcher = watcher, .line = line};

	vec_push(&s->on_event, c);
}

static void begin(struct shell *s, struct job *j)
{
	nested_run(s, j, j->recipe.command);
}

/* A job that begins as soon as the instant is at rest. */
static void start(struct shell *s, struct bytes line)
{
	struct job *j = xcalloc(1, sizeof *j);

	j->row = &cmd_put; /* of etcdctl's group; the line names its own */
	j->background = true;
	j->text = j->recipe.command = line;
	j->start_ms = s->w->now_ms;
	j->timeout_ms = 5000;
	command_wait(j, s->w->now_ms, begin);
	shell_add_background(s, j);
	s->settling = !s->w->cfg.stepping;
}

/* The line with the words that stand for the event replaced. */
static struct bytes filled_in(struct shell *s, struct bytes text, const struct event *e)
{
	const struct row *row = e->row;
	char revision[24];

	snprintf(revision, sizeof revision, "%" PRId64, row->main);
	const struct nested_variable v[] = {
	    {"$ETCD_WATCH_KEY", row_key(row)},
	    {"$ETCD_WATCH_VALUE", row_is_tombstone(row) ? (struct bytes){0} : row_value(row)},
	    {"$ETCD_WATCH_REVISION", bytes_of(revision)},
	    {"$ETCD_WATCH_EVENT_TYPE", row_is_tombstone(row) ? BYTES("DELETE") : BYTES("PUT")},
	};
	return nested_fill(s, text, v, sizeof v / sizeof *v);
}

void watch_command_run(struct shell *s, const struct watch_note *event)
{
	for (size_t i = 0; i < s->on_event.n; i++) {
		struct watch_command *c = &s->on_event.v[i];

		if (c->watcher != event->watcher)
			continue;
		c->runs = c->at_ms == s->w->now_ms ? c->runs + 1 : 1;
		c->at_ms = s->w->now_ms;
		if (c->runs <= RUNS_MAX) {
			start(s, filled_in(s, c->line, &event->event));
			return;
		}
		buf_printf(
		    &s->out,
		    "w%" PRIu32
		    ": its command is not run any more: it has run %d times in one instant\n",
		    c->watcher, RUNS_MAX);
		vec_remove(&s->on_event, i);
		return;
	}
}
