/* Watchers, one block each, and leases with the seconds they have left (screen-design.md B.5). */
#include <stdio.h>
#include <string.h>

#include "ui/scene.h"

/* Rows are made into a list first: what does not fit goes by what it is worth in this step. */
enum row_kind { ROW_TITLE, ROW_EVENT, ROW_NOTE, ROW_LEASE };

struct line_of_pane {
	enum row_kind kind;
	const struct watch_client *watch;
	const struct got_event *event;
	const struct lease *lease;
	const struct ended_lease *ended;
	int part;
	int news; /* of a lease: enum lease_news, or -1 */
};

typedef VEC(struct line_of_pane) line_list;

static const struct lessor *lessor_shown(const struct world *w)
{
	unsigned leader = world_leader(w);

	return &world_member(w, leader ? leader : world_counters_member(w))->lessor;
}

/* The watcher at its member; NULL: there is none. */
static const struct watcher *served(const struct scene *s, const struct watch_client *k)
{
	return k->at ? watchable_find(&world_member(s->w, k->at)->watchable, k->stream) : NULL;
}

/* Is it behind, or about to be? */
static bool lags(const struct scene *s, const struct watch_client *k)
{
	const struct watcher *x = served(s, k);

	return k->stalled || (k->state == WATCH_LIVE && x && x->group != WATCHER_SYNCED);
}

static bool has_note(const struct scene *s, const struct watch_client *k)
{
	return k->state != WATCH_LIVE || lags(s, k) || (k->moved_from && s->l.kind >= LAYOUT_LARGE);
}

static void list_watch(const struct scene *s, line_list *l, const struct watch_client *k, bool wide,
		       bool objects)
{
	vec_push(l, (struct line_of_pane){.kind = ROW_TITLE, .watch = k});
	if (wide)
		vec_push(l, (struct line_of_pane){.kind = ROW_TITLE, .watch = k, .part = 1});
	for (size_t i = 0; i < k->shown_events.n; i++)
		vec_push(l, (struct line_of_pane){
				.kind = ROW_EVENT, .watch = k, .event = &k->shown_events.v[i]});
	if (has_note(s, k))
		vec_push(l, (struct line_of_pane){.kind = ROW_NOTE, .watch = k});
	if (objects && k->at)
		vec_push(l, (struct line_of_pane){.kind = ROW_NOTE, .watch = k, .part = -1});
	if (objects && k->informer)
		for (size_t i = 0; i <= k->cache.n; i++)
			vec_push(l, (struct line_of_pane){
					.kind = ROW_NOTE, .watch = k, .part = 1 + (int)i});
}

/* What has become of a lease in this step: the news, or -1. */
static int lease_news(const struct scene *s, const struct lease *l)
{
	const struct trace *t = player_trace(s->p);

	for (uint64_t i = t ? t->end : 0; i > (t ? t->first : 0) && i > s->mark.ntrace; i--) {
		const struct trace_record *r = trace_get(t, i - 1);
		if (r->kind == TRACE_LEASE && (int64_t)r->a == l->id)
			return (int)r->b;
	}
	return -1;
}

static void list_leases(const struct scene *s, line_list *l, size_t most)
{
	const struct lessor *lessor = lessor_shown(s->w);

	for (size_t i = 0; i < s->w->ended_leases.n; i++)
		if (scene_is_new(s, s->w->ended_leases.v[i].at))
			vec_push(l, (struct line_of_pane){.kind = ROW_LEASE,
							  .ended = &s->w->ended_leases.v[i]});
	for (size_t i = lessor->leases.n > most ? lessor->leases.n - most : 0; i < lessor->leases.n;
	     i++)
		vec_push(l, ((struct line_of_pane){.kind = ROW_LEASE,
						   .lease = lessor->leases.v[i],
						   .news = lease_news(s, lessor->leases.v[i])}));
	if (lessor->leases.n == 0 && (l->n == 0 || l->v[l->n - 1].kind != ROW_LEASE))
		vec_push(l, (struct line_of_pane){.kind = ROW_LEASE});
}

static void list_lines(const struct scene *s, line_list *l, bool objects, bool wide, size_t most)
{
	for (size_t i = 0; i < s->w->watches.n; i++)
		if (!s->w->watches.v[i].gone)
			list_watch(s, l, &s->w->watches.v[i], wide, objects);
	list_leases(s, l, most);
}

static bool is_active(int news)
{
	return news == LEASE_GRANTED || news == LEASE_RENEWED;
}

/* Does this step concern the watcher? */
static bool is_concerned(const struct scene *s, const struct watch_client *k)
{
	size_t n = k->shown_events.n;

	return k->state != WATCH_LIVE || lags(s, k) ||
	       (n && scene_is_new(s, k->shown_events.v[n - 1].at));
}

/* How much a line is worth where there is no room for all: the least goes first. */
static int worth(const struct scene *s, const struct line_of_pane *l)
{
	switch (l->kind) {
	case ROW_EVENT:
		return scene_is_new(s, l->event->at) ? 8 : 0;
	case ROW_NOTE:
		return !l->part && (l->watch->state != WATCH_LIVE || lags(s, l->watch)) ? 7 : 2;
	case ROW_TITLE:
		if (l->part)
			return is_concerned(s, l->watch) ? 3 : 1;
		return is_concerned(s, l->watch) ? 9 : l->watch->nevents ? 5 : 3;
	case ROW_LEASE:
		return l->ended || (l->lease && is_active(l->news)) ? 10 : l->lease ? 4 : 6;
	}
	return 0;
}

/* Of two lines of the same worth the older one goes; of leases the one that was renewed longer ago.
 */
static bool goes_first(const struct line_of_pane *a, const struct line_of_pane *b)
{
	return a->lease && b->lease && a->lease->renewed_seq < b->lease->renewed_seq;
}

static size_t least_worth(const struct scene *s, const line_list *l, size_t rows)
{
	size_t least = 0, leases = 0;
	int value = 100;

	for (size_t i = 0; i < l->n; i++)
		leases += l->v[i].kind == ROW_LEASE;
	for (size_t i = 0; i < l->n; i++) {
		int now = worth(s, &l->v[i]);
		if (now == 4 && leases == 1) /* one lease stays as long as watchers do */
			now = 6;
		if (rows == 1 && l->v[i].kind == ROW_LEASE && now == 6 && !l->v[i].lease)
			now = 1; /* "none" says less than any watcher */
		if (now < value || (now == value && goes_first(&l->v[i], &l->v[least])))
			value = now, least = i;
	}
	return least;
}

static void fit_lines(const struct scene *s, line_list *l, size_t rows)
{
	while (l->n > rows) {
		size_t least = least_worth(s, l, rows);
		if (least >= l->n)
			break;
		vec_remove(l, least);
	}
}

static int64_t missing(const struct scene *s, const struct watch_client *k)
{
	const struct member *m = world_member(s->w, world_counters_member(s->w));

	return m->store.current_rev > k->seen ? m->store.current_rev - k->seen : 0;
}

/* synced, unsynced or victim, and how full the channel is. */
static void put_group(const struct scene *s, struct buf *b, const struct watch_client *k)
{
	static const char *const names[] = {"synced", "unsynced", "victim"};
	const struct watcher *x = served(s, k);

	if (k->stalled)
		buf_puts(b, "STALLED ");
	if (x)
		buf_printf(b, "%s, channel %zu of %u", names[x->group],
			   watchable_channel(&world_member(s->w, k->at)->watchable, k->stream),
			   s->w->cfg.watch_channel);
}

static void put_state(const struct scene *s, struct buf *b, const struct watch_client *k)
{
	switch (k->state) {
	case WATCH_LIVE:
		if (lags(s, k)) {
			put_group(s, b, k);
		} else if (k->moved_from) {
			buf_printf(b, "(moved from S%u to S%u at ", k->moved_from, k->at);
			put_seconds(b, k->moved_ms);
			buf_puts(b, ")");
		}
		break;
	case WATCH_REPLAYING:
		buf_puts(b, "replaying");
		break;
	case WATCH_IS_CUT:
		buf_printf(b, "CUT (missing %lld)", (long long)missing(s, k));
		break;
	case WATCH_IS_CANCELED:
		buf_printf(b, "CANCELED: %s", error_text(k->cancel_reason));
		if (k->cancel_compact > 0) {
			buf_clear(b);
			buf_printf(b, "CANCELED compacted %lld", (long long)k->cancel_compact);
		}
		break;
	case WATCH_WAITING:
		buf_puts(b, "waiting for a member");
		break;
	}
}

static void draw_counts(const struct scene *s, struct canvas *c, int x, int y, int end,
			const struct watch_client *k)
{
	struct buf b = {0};

	buf_printf(&b, "from %lld   seen %lld   events %llu", (long long)k->from,
		   (long long)k->seen, (unsigned long long)k->nevents);
	if (x + (int)b.n > end) {
		buf_clear(&b);
		buf_printf(&b, "from %lld seen %lld ev %llu", (long long)k->from,
			   (long long)k->seen, (unsigned long long)k->nevents);
	}
	if (x + (int)b.n > end) {
		buf_clear(&b);
		buf_printf(&b, "seen %lld ev %llu", (long long)k->seen,
			   (unsigned long long)k->nevents);
	}
	hide_numbers(s, strstr(b.p, "seen"));
	b.n = strlen(b.p);
	if (x + (int)b.n <= end)
		canvas_puts(c, x, y, STYLE_NORMAL, buf_str(&b));
	buf_free(&b);
}

/* In one line: w1 /a/ from 2 seen 3 ev 2; with a second line for the numbers where there is room.
 */
static void draw_watch_title(const struct scene *s, struct canvas *c, int x, int y, int end,
			     const struct watch_client *k, int part, bool wide)
{
	if (part == 1) {
		draw_counts(s, c, x + 3, y, end, k);
		return;
	}
	x = canvas_printf(c, x, y, STYLE_NORMAL, "w%u%s", k->number,
			  k->informer && (wide || end - x > 60) ? " informer " : " ");
	if (k->name && wide)
		x = canvas_printf(c, x, y, STYLE_NORMAL, "%s ", k->name);
	int room = wide ? end - x - (end - x > 34 ? 8 : 0) : end - x - 26;
	if (room < 6)
		room = end - x - 13 > 6 ? end - x - 13 : 6;
	x = draw_bytes(c, x, y, room, STYLE_NORMAL, k->shown, true);
	if (!wide)
		draw_counts(s, c, x + 1, y, end, k);
	else if (k->at && x + 8 < end)
		canvas_printf(c, x, y, STYLE_NORMAL, "   on S%u", k->at);
}

/* The part of a key behind the prefix that is watched. */
static struct bytes below(const struct watch_client *k, struct bytes key)
{
	if (k->range.end.n && key.n > k->range.key.n && bytes_starts(key, k->range.key))
		return (struct bytes){key.p + k->range.key.n, key.n - k->range.key.n};
	return key;
}

static void draw_event(const struct scene *s, struct canvas *c, int x, int y, int end,
		       const struct line_of_pane *l)
{
	const struct row *row = l->event->e.row;
	bool fresh = scene_is_new(s, l->event->at);
	enum style st = fresh ? STYLE_CHANGED : STYLE_NORMAL;
	int limit = fresh ? end - 5 : end;

	x = canvas_printf(c, x + 3, y, st, "%lld %s ", (long long)row->main,
			  row_is_tombstone(row) ? "DELETE" : "PUT");
	int room = row_is_tombstone(row) ? limit - x : (limit - x) * 2 / 3;
	x = draw_bytes(c, x, y, room, st, below(l->watch, row_key(row)), true);
	if (!row_is_tombstone(row))
		draw_bytes(c, x + 1, y, limit - x - 1, st, row_value(row), false);
	if (fresh)
		canvas_puts_right(c, end, y, STYLE_CHANGED, "*new");
}

static void draw_note(const struct scene *s, struct canvas *c, int x, int y, int end,
		      const struct line_of_pane *l)
{
	const struct watch_client *k = l->watch;
	struct buf b = {0};

	if (l->part == 0) {
		put_state(s, &b, k);
	} else if (l->part < 0) {
		put_group(s, &b, k);
	} else if (l->part == 1) {
		buf_printf(&b, "cache of %zu objects; listed %llu at %lld, %u times", k->cache.n,
			   (unsigned long long)k->listed_count, (long long)k->listed_rev,
			   k->nlists);
	} else {
		const struct row *row = k->cache.v[l->part - 2];
		buf_printf(&b, "  resourceVersion %lld  ", (long long)row->main);
		buf_put_bytes(&b, below(k, row_key(row)));
	}
	draw_bytes(c, x + 3, y, end - x - 3, STYLE_NORMAL, buf_bytes(&b), false);
	buf_free(&b);
}

static void draw_bar(struct canvas *c, int x, int y, int w, int64_t left, int64_t whole)
{
	int full = whole > 0 ? (int)((left * w + whole - 1) / whole) : 0;

	for (int i = 0; i < w; i++)
		canvas_puts(c, x + i, y, STYLE_NORMAL, i < full ? "█" : "░");
}

/* A new leader gives every lease its full TTL and one election timeout: more than the TTL can be
 * left. */
static void draw_lease(const struct scene *s, struct canvas *c, int x, int y, int end,
		       const struct lease *l, int news)
{
	const struct member *m = world_member(s->w, world_counters_member(s->w));
	int64_t left_ms = lease_left_ms(l, server_clock_ms(m, s->w->now_ms));
	enum style st = is_active(news) ? STYLE_CHANGED : STYLE_NORMAL;
	struct buf b = {0};

	if (news == LEASE_GRANTED) {
		canvas_puts_right(c, end, y, STYLE_CHANGED, "*new");
		end -= 5;
	}
	x = canvas_printf(c, x, y, st, "lease %llx  ", (unsigned long long)l->id);
	if (left_ms == LEASE_NEVER || !world_leader(s->w)) {
		buf_puts(&b, "waiting for a leader");
	} else {
		int64_t left = (left_ms + 999) / 1000;
		buf_printf(&b, "%lld s of %lld s", (long long)left, (long long)l->ttl);
		if (left > l->ttl)
			buf_printf(&b, " (new leader: + %lld s)", (long long)(left - l->ttl));
		if (end - x >= 10 + 2 + (int)b.n) {
			draw_bar(c, x, y, 10, left, l->ttl);
			x += 12;
		}
	}
	if (x + (int)b.n + 9 < end)
		buf_printf(&b, "  keys %zu", l->keys.n);
	canvas_puts(c, x, y, st, buf_str(&b));
	buf_free(&b);
}

static void draw_lease_line(const struct scene *s, struct canvas *c, int x, int y, int end,
			    const struct line_of_pane *l)
{
	struct buf b = {0};

	if (l->lease) {
		draw_lease(s, c, x, y, end, l->lease, l->news);
		return;
	}
	if (l->ended) {
		buf_printf(&b, "lease %llx  %s at ", (unsigned long long)l->ended->id,
			   l->ended->expired ? "EXPIRED" : "revoked");
		put_seconds(&b, l->ended->ms);
		draw_bytes(c, x, y, end - x, STYLE_CHANGED, buf_bytes(&b), false);
	} else {
		canvas_puts(c, x, y, STYLE_NORMAL,
			    end - x >= 20 ? "leases     none" : "leases none");
	}
	buf_free(&b);
}

static void draw_line(const struct scene *s, struct canvas *c, int x, int y, int end,
		      const struct line_of_pane *l, bool wide)
{
	switch (l->kind) {
	case ROW_TITLE:
		draw_watch_title(s, c, x, y, end, l->watch, l->part, wide);
		break;
	case ROW_EVENT:
		draw_event(s, c, x, y, end, l);
		break;
	case ROW_NOTE:
		draw_note(s, c, x, y, end, l);
		break;
	case ROW_LEASE:
		draw_lease_line(s, c, x, y, end, l);
		break;
	}
}

/* A title is wide if its numbers stand on the next line. */
static bool is_wide(const line_list *l, size_t i)
{
	return l->v[i].kind == ROW_TITLE && !l->v[i].part && i + 1 < l->n &&
	       l->v[i + 1].kind == ROW_TITLE && l->v[i + 1].part &&
	       l->v[i].watch == l->v[i + 1].watch;
}

/* Watchers and leases in a list. */
static size_t things(const line_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += l->v[i].kind == ROW_LEASE || (l->v[i].kind == ROW_TITLE && !l->v[i].part);
	return n;
}

size_t watch_lines(const struct scene *s, int w)
{
	bool open = s->v->zoom && s->v->focus == PANE_WATCH;
	line_list l = {0};

	list_lines(s, &l, open || s->v->place[PANE_WATCH].details, open || w >= 34, SIZE_MAX);
	size_t n = l.n;
	vec_free(&l);
	return n;
}

enum { LINES_MAX = 200 }; /* of leases that one can look for room for */

void draw_watch(const struct scene *s, struct canvas *c, struct rect r, int title)
{
	struct rect before = canvas_clip(c, r);
	bool open = s->v->zoom && s->v->focus == PANE_WATCH;
	const struct place *place = &s->v->place[PANE_WATCH];
	bool scrolled = s->v->focus == PANE_WATCH && !place->follow;
	line_list l = {0};
	size_t top = 0, hidden = 0, h = r.h > 0 ? (size_t)r.h : 0;

	list_lines(s, &l, open || place->details, open || r.w >= 34,
		   scrolled ? SIZE_MAX : LINES_MAX);
	if (scrolled) {
		top = place->top < l.n ? place->top : l.n ? l.n - 1 : 0;
		hidden = l.n > top + h ? l.n - top - h : 0;
	} else {
		hidden = things(&l);
		fit_lines(s, &l, h);
		hidden -= things(&l);
	}
	for (size_t i = 0; i < h && top + i < l.n; i++)
		draw_line(s, c, r.x + 1, r.y + (int)i, r.x + r.w - (r.w > 30), &l.v[top + i],
			  is_wide(&l, top + i));
	canvas_clip(c, before);
	char more[32] = "";
	if (hidden)
		snprintf(more, sizeof more, "%zu more", hidden);
	if (title)
		draw_title(s, c, PANE_WATCH, r.x, r.w, "", more);
	vec_free(&l);
}
