/* etcd's guarantees for watches (etcd documentation, "KV API guarantees", and its robustness
 * tests): ordered, unique, reliable, atomic, resumable, bookmarkable; events pass the filters and
 * carry the right key, value, versions and previous value.
 *
 * All of it follows from one number for each watcher: the place in the model's list of changes from
 * which its next event must come.  Between that place and the event there may be no other change
 * that matches.
 */
#include "check/private.h"

#define I(x) ((long long)(x))

static bool wants(const struct watch_client *x, const struct version *v)
{
	return key_range_has(x->range, v->key) && !(v->tombstone ? x->no_delete : x->no_put);
}

static bool passes_filter(const struct watch_client *x, const struct row *r)
{
	return key_range_has(x->range, row_key(r)) &&
	       !(row_is_tombstone(r) ? x->no_delete : x->no_put);
}

/* The next change that the watcher is to get, or may get if it is lost; NULL: none so far. */
static const struct version *next_change(const struct model *m, const struct watch_client *x,
					 uint64_t pos)
{
	for (; pos < m->changes.end; pos++) {
		const struct version *v = model_change(m, pos);
		if (wants(x, v))
			return v;
	}
	return NULL;
}

/* The same, without the lost ones. */
static const struct version *next_certain(const struct model *m, const struct watch_client *x,
					  uint64_t pos)
{
	const struct version *v = next_change(m, x, pos);

	while (v && model_is_lost(m, v))
		v = next_change(m, x, v->pos + 1);
	return v;
}

/* ---- connections ---- */

static void check_place(struct checker *c, const struct world *w, struct seen_watch *s,
			const struct watch_client *x)
{
	int64_t from = x->from;

	if (x->nlists != s->nlists) {
		s->nlists = x->nlists;
		s->started = true;
		s->next_rev = x->listed_rev + 1;
	} else if (s->elsewhere) {
		s->started = true;
		s->next_rev = from;
	} else if (!s->started) {
		s->started = true;
		s->next_rev =
		    x->asked_rev ? x->asked_rev : world_member(w, x->at)->store.current_rev + 1;
	}
	if (from > s->next_rev)
		check_break(c, "Watches Are Resumable", member_bit(x->at),
			    "w%u goes on at revision %lld at S%u; it is complete only below %lld",
			    x->number, I(from), x->at, I(s->next_rev));
	s->elsewhere = false;
	s->placed = true;
}

static void check_connection(struct checker *c, const struct world *w, struct seen_watch *s,
			     const struct watch_client *x)
{
	if (x->stream != s->stream) {
		s->stream = x->stream;
		s->placed = false;
	}
	if (s->placed || !x->stream || x->at == 0)
		return;
	if (!is_watched(c, world_member(w, x->at))) {
		s->elsewhere = true; /* until it comes to a member that is watched */
		return;
	}
	if (x->from <= 0)
		return;
	check_place(c, w, s, x);
	int64_t rev = s->next_rev - 1;
	s->pos = rev <= c->model.rev ? model_pos_of_rev(&c->model, rev) : UINT64_MAX;
}

/* ---- events ---- */

static void check_prev(struct checker *c, const struct world *w, const struct watch_client *x,
		       const struct event *e, const struct version *v)
{
	const struct version *prev = v->prev;
	bool gone = v->rev <= world_member(w, x->at)->store.compact_rev;

	if (!x->prev_kv || !prev || prev->tombstone)
		prev = NULL;
	if (e->prev ? !prev || !model_row_is(prev, e->prev) : prev && !gone)
		check_break(c, "Watches Show The Previous Value", member_bit(x->at),
			    "w%u gets the event of revision %lld with %s", x->number, I(v->rev),
			    e->prev ? "another previous value than there was"
				    : "no previous value");
}

static void check_event(struct checker *c, const struct world *w, struct seen_watch *s,
			const struct watch_client *x, const struct event *e)
{
	int64_t rev = e->row->main;

	if (rev <= s->told_rev) {
		check_break(c, "Watches Are Bookmarkable", member_bit(x->at),
			    "w%u gets an event of revision %lld and was told that it had all up to "
			    "%lld",
			    x->number, I(rev), I(s->told_rev));
		return;
	}
	if (rev < s->next_rev) {
		check_break(c, "Watches Are Ordered", member_bit(x->at),
			    "w%u gets an event of revision %lld and is past revision %lld",
			    x->number, I(rev), I(s->next_rev - 1));
		return;
	}
	if (!passes_filter(x, e->row)) {
		check_break(c, "Watches Are Filtered", member_bit(x->at),
			    "w%u gets an event of revision %lld that it did not ask for", x->number,
			    I(rev));
		return;
	}
	if (s->pos == UINT64_MAX) /* it began in the future */
		s->pos = model_pos_of_rev(&c->model, s->next_rev - 1);
	const struct version *v = next_change(&c->model, x, s->pos);
	while (v && v->rev < rev && model_is_lost(&c->model, v))
		v = next_change(&c->model, x, v->pos + 1);
	if (!v || rev > c->model.rev || rev < v->rev)
		check_break(c, "Watches Show What Happened", member_bit(x->at),
			    "w%u gets an event of revision %lld that is no change it waits for",
			    x->number, I(rev));
	else if (rev > v->rev)
		check_break(
		    c, "Watches Are Reliable", member_bit(x->at),
		    "w%u gets an event of revision %lld and never got that of revision %lld",
		    x->number, I(rev), I(v->rev));
	else if (!model_row_is(v, e->row))
		check_break(c, "Watches Show What Happened", member_bit(x->at),
			    "w%u gets another event of revision %lld than the change that was made "
			    "(sub %u)",
			    x->number, I(rev), v->sub);
	if (c->broken)
		return;
	check_prev(c, w, x, e, v);
	s->pos = v->pos + 1;
}

/* "You have all up to this revision": so it must have, and nothing at or below it may come. */
static void check_progress(struct checker *c, const struct world *w, struct seen_watch *s,
			   const struct watch_client *x, int64_t rev)
{
	int64_t at = world_member(w, x->at)->store.current_rev;

	if (rev < s->next_rev - 1)
		check_break(c, "Watches Are Ordered", member_bit(x->at),
			    "w%u is told that it has all up to revision %lld and is past %lld",
			    x->number, I(rev), I(s->next_rev - 1));
	else if (rev > at)
		check_break(c, "Watches Are Bookmarkable", member_bit(x->at),
			    "w%u is told of revision %lld and S%u is at %lld", x->number, I(rev),
			    x->at, I(at));
	if (c->broken)
		return;
	if (s->pos == UINT64_MAX) /* it began in the future */
		s->pos = model_pos_of_rev(&c->model, s->next_rev - 1);
	const struct version *v = next_certain(&c->model, x, s->pos);
	if (v && v->rev <= rev)
		check_break(c, "Watches Are Bookmarkable", member_bit(x->at),
			    "w%u is told that it has all up to revision %lld and never got %lld",
			    x->number, I(rev), I(v->rev));
	if (c->broken)
		return;
	s->told_rev = rev;
	s->next_rev = rev + 1;
	check_seen_rev(c, rev);
}

static bool is_news(const struct watch_note *n, const struct watch_client *x)
{
	return n->watcher == x->number && (n->kind == NOTE_EVENT || n->kind == NOTE_PROGRESS);
}

/* What came with one response are the newest notes of this watcher. */
static size_t first_note(const struct world *w, const struct watch_client *x, uint64_t n)
{
	size_t i = w->notes.n;

	while (i > 0 && n > 0) {
		n -= is_news(&w->notes.v[--i], x);
	}
	return i;
}

static void check_atomic(struct checker *c, struct seen_watch *s, const struct watch_client *x,
			 int64_t rev)
{
	const struct version *more = next_certain(&c->model, x, s->pos);

	if (more && more->rev == rev)
		check_break(c, "Watches Are Atomic", member_bit(x->at),
			    "w%u gets a part of revision %lld, without its change %u", x->number,
			    I(rev), more->sub);
	s->next_rev = rev + 1;
	check_seen_rev(c, rev);
}

/* Events of a response that came in parts are noted when the last one has come. */
static void check_response(struct checker *c, const struct world *w, struct seen_watch *s,
			   const struct watch_client *x)
{
	uint64_t news = x->nevents - s->nevents + x->nprogress - s->nprogress;
	int64_t rev = 0;

	for (size_t i = first_note(w, x, news); i < w->notes.n && !c->broken; i++) {
		const struct watch_note *n = &w->notes.v[i];
		if (!is_news(n, x))
			continue;
		if (n->kind == NOTE_EVENT) {
			check_event(c, w, s, x, &n->event);
			rev = n->event.row->main;
			continue;
		}
		if (rev && !c->broken)
			check_atomic(c, s, x, rev);
		rev = 0;
		if (!c->broken)
			check_progress(c, w, s, x, n->revision);
	}
	s->nevents = x->nevents;
	s->nprogress = x->nprogress;
	if (!c->broken && rev)
		check_atomic(c, s, x, rev);
}

void check_watches(struct checker *c, const struct world *w)
{
	while (c->watches.n < w->watches.n)
		vec_push(&c->watches, (struct seen_watch){0});
	for (size_t i = 0; i < w->watches.n; i++) {
		const struct watch_client *x = &w->watches.v[i];
		struct seen_watch *s = &c->watches.v[i];
		if (x->stream != s->stream || !s->placed)
			check_connection(c, w, s, x);
		if (!s->elsewhere && (x->nevents != s->nevents || x->nprogress != s->nprogress))
			check_response(c, w, s, x);
		s->nevents = x->nevents;
		s->nprogress = x->nprogress;
	}
}

/* Does it wait for its client, or for the next look after victims? */
static bool is_held_up(const struct world *w, const struct watch_client *x)
{
	const struct watchable *m = &world_member(w, x->at)->watchable;
	const struct watcher *at = watchable_find(m, x->stream);

	return x->stalled || (at && at->group == WATCHER_VICTIM);
}

/* At rest whoever is connected has all that its member has applied. */
void check_watches_end(struct checker *c, const struct world *w)
{
	for (size_t i = 0; i < w->watches.n && !c->broken; i++) {
		const struct watch_client *x = &w->watches.v[i];
		const struct seen_watch *s = &c->watches.v[i];
		if (x->gone || x->state != WATCH_LIVE || !s->placed || s->elsewhere ||
		    s->pos == UINT64_MAX || !world_member(w, x->at)->raft || is_held_up(w, x))
			continue;
		const struct version *v = next_certain(&c->model, x, s->pos);
		if (v && v->rev <= world_member(w, x->at)->store.current_rev)
			check_break(c, "Watches Are Reliable", member_bit(x->at),
				    "w%u waits at S%u and never got the event of revision %lld",
				    x->number, x->at, I(v->rev));
	}
}
