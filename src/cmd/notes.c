/* What came in while a command ran: late replies, then the watchers' lines, w1 first, each
 * watcher's in the order of arrival. */
#include "cmd/command.h"
#include "cmd/rules.h"
#include "cmd/scratch.h"
#include "cmd/watch_command.h"

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void print_note(struct shell *s, const struct watch_note *n)
{
	const struct watch_client *c = world_watch(s->w, n->watcher);

	if (s->out.n && s->out.p[s->out.n - 1] != '\n') /* behind an answer in protobuf */
		buf_putc(&s->out, '\n');
	if (n->kind != NOTE_CREATED)
		print_watch_note(&s->out, n, !c || c->prev_kv);
	if (n->kind == NOTE_EVENT && s->on_event.n)
		watch_command_run(s, n);
	if (n->kind == NOTE_CANCELED) {
		buf_clear(&s->last_error);
		buf_printf(&s->last_error, "canceled: %s", error_text(n->reason));
		s->last_error_call = 0;
		if (n->watcher == s->started_watch)
			s->exit_status = STATUS_INTERRUPTED;
	}
}

/* Sorted by watcher, then by arrival; most of the time they are so already. */
static void print_notes(struct shell *s)
{
	const struct watch_note *v = s->w->notes.v;
	size_t n = s->w->notes.n, sorted = 1;

	while (sorted < n && v[sorted - 1].watcher <= v[sorted].watcher)
		sorted++;
	if (sorted >= n) {
		for (size_t i = 0; i < n; i++)
			print_note(s, &v[i]);
		return;
	}
	s->scratch->order.n = 0;
	for (size_t i = 0; i < n; i++)
		vec_push(&s->scratch->order, (uint64_t)v[i].watcher << 32 | i);
	qsort(s->scratch->order.v, n, sizeof *s->scratch->order.v, by_number);
	for (size_t i = 0; i < n; i++)
		print_note(s, &v[(uint32_t)s->scratch->order.v[i]]);
}

/* A `watch` that is still open, and has yet to see that its watcher was created. */
static const struct job *waiting_job(const struct shell *s, uint32_t watcher)
{
	if (s->fg && s->fg->wait == WAIT_WATCHER && s->fg->watcher == watcher)
		return s->fg;
	for (size_t i = 0; i < s->bg.n; i++)
		if (s->bg.v[i]->wait == WAIT_WATCHER && s->bg.v[i]->watcher == watcher)
			return s->bg.v[i];
	return NULL;
}

static bool anybody_waits(const struct shell *s)
{
	bool waits = s->fg && s->fg->wait == WAIT_WATCHER;

	for (size_t i = 0; !waits && i < s->bg.n; i++)
		waits = s->bg.v[i]->wait == WAIT_WATCHER;
	return waits;
}

/* Prints all notes but those that an open `watch` needs, which stay. */
static void print_some_notes(struct shell *s)
{
	VEC(struct watch_note) keep = {0};

	for (size_t i = 0; i < s->w->notes.n;) {
		struct watch_note n = s->w->notes.v[i];
		if (!waiting_job(s, n.watcher)) {
			i++;
			continue;
		}
		vec_push(&keep, n);
		vec_remove(&s->w->notes, i);
	}
	print_notes(s);
	s->w->notes.n = 0;
	for (size_t i = 0; i < keep.n; i++)
		vec_push(&s->w->notes, keep.v[i]);
	vec_free(&keep);
}

void shell_flush_notes(struct shell *s)
{
	if (s->late.n) {
		buf_put_bytes(&s->out, buf_bytes(&s->late));
		buf_clear(&s->late);
	}
	if (s->w->notes.n == 0)
		return;
	rules_look(s);
	if (s->hooks.notes)
		s->hooks.notes(s->hooks.notes_arg, s->w);
	if (anybody_waits(s)) {
		print_some_notes(s);
		return;
	}
	print_notes(s);
	s->w->notes.n = 0;
}
