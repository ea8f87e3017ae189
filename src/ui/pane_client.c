/* What the client asked and what it was told (screen-design.md B.3a).
 *
 * The reply is what etcdctl prints, and under it always stands one line of numbers: `rev 3 (+1) log
 * 3 (+1)  term 1 0.000 s`.  It is where "the index moved, the revision did not" is read off.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/table.h"
#include "ui/scene.h"

static bool same_text(const struct call *c, const char *command)
{
	return c->text && strcmp(c->text, command) == 0;
}

static bool begins_with(const char *command, const char *const *words)
{
	size_t n = strcspn(command, " ");

	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == n && strncmp(words[i], command, n) == 0)
			return true;
	return false;
}

/* Commands that let the world go on for a request that was made before. */
static bool only_drives(const char *command)
{
	static const char *const words[] = {"wait",    "timeout",   "kill", "cut", "heal",
					    "restart", "partition", "set",  NULL};

	return begins_with(command, words);
}

static bool only_steps(const char *command)
{
	static const char *const words[] = {"step", "stepping", "continue", "", NULL};

	return begins_with(command, words);
}

static const struct call *newest_call(const struct world *w)
{
	for (size_t i = w->calls.n; i > 0; i--)
		if (w->calls.v[i - 1].text)
			return &w->calls.v[i - 1];
	return NULL;
}

const struct call *client_pane_call(const struct scene *s)
{
	const struct call *c = newest_call(s->w);
	const char *command = player_command_text(s->p);

	if (!c || same_text(c, command) || only_steps(command))
		return c;
	bool alive = c->state == CALL_OPEN || scene_is_new(s, c->done_event);
	return alive && only_drives(command) ? c : NULL;
}

/* ---- the reply ---- */

static void put_rows(struct buf *out, const struct range_response *r)
{
	for (size_t i = 0; i < r->n; i++) {
		buf_put_bytes(out, row_key(r->kvs[i]));
		buf_putc(out, '\n');
		buf_put_bytes(out, row_value(r->kvs[i]));
		buf_putc(out, '\n');
	}
}

/* The reply of a call whose command is no longer the present one, as etcdctl's simple format has
 * it. */
static void put_response(struct buf *out, const struct response *r)
{
	if (r->error != ERR_NONE) {
		buf_printf(out, "Error: %s\n", error_text(r->error));
		return;
	}
	switch (r->kind) {
	case REQ_PUT:
		buf_puts(out, "OK\n");
		break;
	case REQ_RANGE:
		put_rows(out, &r->range);
		break;
	case REQ_DELETE_RANGE:
		buf_printf(out, "%lld\n", (long long)r->del.deleted);
		break;
	case REQ_TXN:
		buf_puts(out, r->txn.succeeded ? "SUCCESS\n" : "FAILURE\n");
		for (size_t i = 0; i < r->txn.n; i++) {
			buf_putc(out, '\n');
			put_response(out, &r->txn.responses[i]);
		}
		break;
	default:
		buf_puts(out, "answered\n");
	}
}

/* "w1: PUT ...": what a watcher got. */
static bool is_watch_line(struct bytes line)
{
	size_t i = 1;

	while (i < line.n && line.p[i] >= '0' && line.p[i] <= '9')
		i++;
	return i > 1 && line.p[0] == 'w' && i < line.n && line.p[i] == ':';
}

/* What was printed, without what came to watchers meanwhile: that is in their own pane. */
static void put_printed(struct buf *out, struct bytes text, const char *command)
{
	static const char *const own[] = {"watch", "watcher", "informer", "resume", "drop", NULL};
	bool all = begins_with(command, own);

	for (size_t i = 0, n; i < text.n; i += n + 1) {
		const char *end = memchr(text.p + i, '\n', text.n - i);
		n = end ? (size_t)(end - text.p) - i : text.n - i;
		struct bytes line = {text.p + i, n};
		if (!all && is_watch_line(line))
			continue;
		text_safe(out, line, true);
		buf_putc(out, '\n');
	}
}

static void put_reply(const struct scene *s, struct buf *out)
{
	const struct call *c = s->call;
	struct bytes printed = player_output(s->p);

	if (c && c->state == CALL_OPEN)
		buf_printf(out, "waiting for the reply of S%u ...", c->at ? c->at : c->asked[0]);
	else if (c && !same_text(c, player_command_text(s->p)) && c->response)
		put_response(out, c->response);
	else if (printed.n && (c || !only_steps(player_command_text(s->p))))
		put_printed(out, printed, player_command_text(s->p));
	else if (c && c->response)
		put_response(out, c->response);
	while (out->n && out->p[out->n - 1] == '\n')
		out->p[--out->n] = 0;
}

static int count_lines(const char *text)
{
	int n = 0;

	for (; *text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : "")
		n++;
	return n;
}

static bool is_error(const struct scene *s)
{
	if (s->call)
		return s->call->state == CALL_DONE && s->call->response &&
		       s->call->response->error != ERR_NONE;
	return player_shell(s->p)->exit_status != 0 && player_output(s->p).n > 0;
}

/* ---- the numbers ---- */

/* Of an open request: what holds so far, and how long it has waited.  Without a request: what the
 * step has brought, and the clock. */
static void put_numbers(const struct scene *s, struct buf *out, const struct call *c)
{
	const struct member *m = world_member(s->w, world_counters_member(s->w));
	int64_t rev = m->store.current_rev, rev0 = s->mark.rev, began = c ? c->start_ms : 0;
	uint64_t log = member_last(m), log0 = s->mark.log, term = member_term(m);
	bool done = c && c->state == CALL_DONE;

	if (c && !c->log_before) /* it has not reached a member */
		rev0 = rev, log0 = log;
	else if (c)
		rev0 = c->rev_before, log0 = c->log_before;
	if (done && c->log_after) {
		rev = c->rev_after, log = c->log_after;
		term = c->term ? c->term : term;
	}
	buf_printf(out, "rev %lld (%+lld)  log %llu (%+lld)  term %llu  %s", (long long)rev,
		   (long long)(rev - rev0), (unsigned long long)log, (long long)(log - log0),
		   (unsigned long long)term, c ? "" : "t ");
	put_seconds(out, (done ? c->end_ms : s->w->now_ms) - began);
}

/* ---- the rows ---- */

static const char *request_text(const struct scene *s)
{
	return s->call ? s->call->text : player_command_text(s->p);
}

/* A lease that ran out while the clock was being moved is told beside the command that moved it. */
static void put_remark(const struct scene *s, struct buf *out)
{
	for (size_t i = s->w->ended_leases.n; i > 0 && !s->call; i--) {
		const struct ended_lease *l = &s->w->ended_leases.v[i - 1];
		if (!l->expired || !scene_is_new(s, l->at))
			continue;
		buf_printf(out, "(lease %llx ran out at ", (unsigned long long)l->id);
		put_seconds(out, l->ms);
		buf_puts(out, ")");
		return;
	}
}

static void draw_request(const struct scene *s, struct canvas *c, struct rect r)
{
	struct buf one = {0}, remark = {0};
	const char *text = request_text(s);

	for (; *text; text++) /* a block is shown in one row */
		buf_putc(&one, *text == '\n' ? ' ' : *text);
	int x = r.x + 1;
	if (s->call && s->call->number && r.w >= 100)
		x = canvas_printf(c, x, r.y, STYLE_NORMAL, "%llu ",
				  (unsigned long long)s->call->number);
	x = canvas_puts(c, x, r.y, STYLE_NORMAL, one.n ? "> " : "");
	if (one.n)
		x = draw_bytes(c, x, r.y, r.x + r.w - x, STYLE_NORMAL, buf_bytes(&one), false);
	else
		canvas_puts(c, x, r.y, STYLE_HINT, "no command yet: press : and type one");
	put_remark(s, &remark);
	if (canvas_width(c, buf_bytes(&remark)) + 2 <= r.x + r.w - x)
		canvas_puts_right(c, r.x + r.w - 1, r.y, STYLE_NORMAL, buf_str(&remark));
	buf_free(&one);
	buf_free(&remark);
}

/* First line of the reply that is shown. */
static int reply_top(const struct scene *s, int lines, int rows)
{
	int top = s->v->focus == PANE_CLIENT ? (int)s->v->place[PANE_CLIENT].top : 0;

	return top > lines - rows ? (lines > rows ? lines - rows : 0) : top;
}

/* Draws the reply; the last row says how much more there is.  Returns the rows used. */
static int draw_reply(const struct scene *s, struct canvas *c, struct rect r, const char *text)
{
	int lines = count_lines(text), top = reply_top(s, lines, r.h), y = 0;

	if (r.h <= 0)
		return 0;
	for (int i = 0; i < top; i++)
		text = strchr(text, '\n') + 1;
	for (; *text && y < r.h; y++) {
		size_t n = strcspn(text, "\n");
		bool more = y == r.h - 1 && lines - top > r.h && r.h > 1;
		if (more)
			canvas_printf(c, r.x + 3, r.y + y, STYLE_HINT, "… %d more lines: 1, then ↓",
				      lines - top - y);
		else
			draw_bytes(c, r.x + 3, r.y + y, r.w - 3, STYLE_NORMAL,
				   (struct bytes){text, n}, false);
		text += n + (text[n] == '\n');
	}
	return y > 0 ? y : s->call != NULL;
}

/* Requests beside the one that is shown, newest first: those still open, where there is room also
 * finished ones. */
static int other_calls(const struct scene *s, const struct call **out, int max, bool finished)
{
	int n = 0;

	for (size_t i = s->w->calls.n; i > 0 && n < max; i--) {
		const struct call *c = &s->w->calls.v[i - 1];
		if (c != s->call && c->text && c->number && (finished || c->state == CALL_OPEN))
			out[n++] = c;
	}
	return n;
}

/* One line each: number, request, what came of it. */
static void draw_other(const struct scene *s, struct canvas *c, struct rect r, const struct call *o)
{
	struct buf b = {0}, numbers = {0};
	int end = r.x + r.w - 1, x = canvas_printf(c, r.x + 1, r.y, STYLE_NORMAL, "%llu > ",
						   (unsigned long long)o->number);

	put_numbers(s, &numbers, o);
	if (r.w >= 100)
		end = canvas_puts_right(c, end, r.y, STYLE_NORMAL, buf_str(&numbers)) - 3;
	if (o->state == CALL_OPEN)
		buf_puts(&b, "waiting");
	else if (o->response)
		put_response(&b, o->response);
	int reply_w = (int)strcspn(buf_str(&b), "\n");
	reply_w = reply_w < r.w / 3 ? reply_w : r.w / 3;
	draw_bytes(c, x, r.y, end - reply_w - x - 2, STYLE_NORMAL, bytes_of(o->text), false);
	draw_bytes(c, end - reply_w, r.y, reply_w, STYLE_NORMAL,
		   (struct bytes){buf_str(&b), strcspn(buf_str(&b), "\n")}, false);
	buf_free(&b);
	buf_free(&numbers);
}

enum { OTHERS_MAX = 8 };

int client_rows(const struct scene *s, int columns)
{
	struct buf b = {0};
	const struct call *others[OTHERS_MAX];

	put_reply(s, &b);
	int lines = count_lines(buf_str(&b));
	buf_free(&b);
	return 2 + (lines > 1 ? lines : 1) + is_error(s) +
	       other_calls(s, others, columns >= 100 ? 3 : OTHERS_MAX, columns >= 100);
}

void client_reply_line(const struct scene *s, struct buf *out)
{
	struct buf b = {0};

	put_reply(s, &b);
	buf_add(out, buf_str(&b), strcspn(buf_str(&b), "\n"));
	if (out->n)
		buf_puts(out, "  ");
	put_numbers(s, out, s->call);
	buf_free(&b);
}

static void draw_client_title(const struct scene *s, struct canvas *c, struct rect r)
{
	const struct call *k = s->call;
	struct buf b = {0}, right = {0};

	text_safe(&b, bytes_of(k && k->client ? k->client : "kube-apiserver"), false);
	if (k && k->nasked) {
		buf_puts(&b, c->ascii ? " - asked " : " ─ asked ");
		for (int i = 0; i < k->nasked; i++)
			buf_printf(&b, "%sS%u", i ? "," : "", k->asked[i]);
		if (k->nasked == 1 && k->at && k->at != k->asked[0])
			buf_printf(&b, ", served by S%u", k->at);
	}
	if (is_error(s))
		buf_printf(&right, "exit %d",
			   player_shell(s->p)->exit_status ? player_shell(s->p)->exit_status : 1);
	else if (k && k->number && c->columns >= 120)
		buf_printf(&right, "request %llu", (unsigned long long)k->number);
	draw_title(s, c, PANE_CLIENT, r.x, r.w, buf_str(&b), buf_str(&right));
	if (is_error(s) && s->l.title[PANE_CLIENT] >= 0)
		canvas_restyle(c,
			       (struct rect){r.x + r.w - 3 - (int)right.n, s->l.title[PANE_CLIENT],
					     (int)right.n + 2, 1},
			       STYLE_ERROR, 0);
	buf_free(&b);
	buf_free(&right);
}

static void draw_explanation(const struct scene *s, struct canvas *c, struct rect r)
{
	struct buf b = {0};

	shell_explain(player_shell(s->p), &b);
	canvas_puts(c, r.x + 1, r.y, STYLE_CHANGED, "! ");
	draw_bytes(c, r.x + 3, r.y, r.w - 3, STYLE_NORMAL,
		   (struct bytes){buf_str(&b), strcspn(buf_str(&b), "\n")}, false);
	buf_free(&b);
}

/* Older requests, the oldest first; returns the rows used. */
static int draw_others(const struct scene *s, struct canvas *c, struct rect r, int room)
{
	const struct call *others[OTHERS_MAX];
	int n =
	    room > 0 ? other_calls(s, others, room < OTHERS_MAX ? room : OTHERS_MAX, r.w >= 88) : 0;

	for (int i = 0; i < n; i++)
		draw_other(s, c, (struct rect){r.x, r.y + i, r.w, 1}, others[n - 1 - i]);
	return n;
}

void draw_client(const struct scene *s, struct canvas *c, struct rect r, int title)
{
	struct rect before = canvas_clip(c, r);
	struct buf reply = {0}, numbers = {0};
	bool error = is_error(s);
	int y = r.y, end = r.y + r.h;

	put_reply(s, &reply);
	put_numbers(s, &numbers, s->call);
	int lines = count_lines(buf_str(&reply));
	y += draw_others(s, c, r, r.h - 2 - error - (lines > 1 ? lines : 1));
	if (end - y >= 3 || !reply.n)
		draw_request(s, c, (struct rect){r.x, y++, r.w, 1});
	bool explained = error && end - y >= 3;
	y += draw_reply(s, c, (struct rect){r.x, y, r.w, end - y - 1 - explained}, buf_str(&reply));
	draw_bytes(c, r.x + 3, y, r.w - 3, STYLE_NORMAL, buf_bytes(&numbers), false);
	if (explained)
		draw_explanation(s, c, (struct rect){r.x, y + 1, r.w, 1});
	canvas_clip(c, before);
	if (title)
		draw_client_title(s, c, r);
	buf_free(&reply);
	buf_free(&numbers);
}
