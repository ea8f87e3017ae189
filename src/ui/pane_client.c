/* What the client asked and what it was told (screen-design.md B.3a).
 *
 * The reply is what etcdctl prints, and under it always stands one line of numbers: `rev 3 (+1) log
 * 3 (+1)  term 1 0.000 s`.  It is where "the index moved, the revision did not" is read off.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/table.h"
#include "ui/request_text.h"
#include "ui/scene.h"

/* Is it the command that made the request?  A pipe or an `&` may stand behind it. */
static bool same_text(const struct call *c, const char *command)
{
	size_t n = c->text ? strlen(c->text) : 0;

	command = without_actor(command);
	return n && strncmp(c->text, command, n) == 0 && (!command[n] || command[n] == ' ');
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

	return begins_with(without_actor(command), words);
}

static bool only_steps(const char *command)
{
	static const char *const words[] = {"step", "stepping", "continue", "", NULL};

	return begins_with(without_actor(command), words);
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

	if (s->v->asks)
		return NULL;
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
	bool all = begins_with(without_actor(command), own);

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

void client_reply_text(const struct scene *s, struct buf *out)
{
	const struct call *c = s->call;
	struct bytes printed = player_output(s->p);

	if (s->v->asks)
		buf_puts(out, "?");
	else if (c && c->state == CALL_OPEN)
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

typedef VEC(struct bytes) row_list;

/* The reply as rows of w columns; tight: without the blank ones. */
static void list_rows(const struct canvas *c, row_list *rows, const char *text, int w, bool tight)
{
	rows->n = 0;
	for (size_t next; *text; text += next) {
		size_t n = line_break(c, text, w > 1 ? w : 1, &next);
		if (n || !tight)
			vec_push(rows, ((struct bytes){text, n}));
	}
}

int client_reply_rows(const struct scene *s, int columns)
{
	struct canvas measure = {.ascii = false};
	struct buf b = {0};

	client_reply_text(s, &b);
	int rows = text_rows(&measure, buf_str(&b), columns - 4);
	buf_free(&b);
	return rows;
}

static bool is_error(const struct scene *s)
{
	if (s->v->asks)
		return false;
	if (s->call)
		return s->call->state == CALL_DONE && s->call->response &&
		       s->call->response->error != ERR_NONE;
	return player_shell(s->p)->exit_status != 0 && player_output(s->p).n > 0;
}

/* ---- the numbers ---- */

/* Of an open request: what holds so far, and how long it has waited.  Without a request: what the
 * step has brought, and how long it took. */
static void put_numbers(const struct scene *s, struct buf *out, const struct call *c)
{
	const struct member *m = world_member(s->w, world_counters_member(s->w));
	int64_t rev = m->store.current_rev, rev0 = s->mark.rev,
		began = c ? c->start_ms : s->mark.ms;
	uint64_t log = member_last(m), log0 = s->mark.log, term = member_term(m);
	bool done = c && c->state == CALL_DONE;

	if (s->v->asks) {
		buf_puts(out, "rev ?  log ?  term ?");
		return;
	}
	if (c && !c->log_before) /* it has not reached a member */
		rev0 = rev, log0 = log;
	else if (c)
		rev0 = c->rev_before, log0 = c->log_before;
	if (done && c->log_after) {
		rev = c->rev_after, log = c->log_after;
		term = c->term ? c->term : term;
	}
	buf_printf(out, "rev %lld (%+lld)  log %llu (%+lld)  term %llu  ", (long long)rev,
		   (long long)(rev - rev0), (unsigned long long)log, (long long)(log - log0),
		   (unsigned long long)term);
	put_seconds(out, (done ? c->end_ms : s->w->now_ms) - began);
}

/* ---- the rows ---- */

/* A request as its client typed it. */
static void put_call_text(struct buf *out, const struct call *c)
{
	if (c->client && strcmp(c->client, "kube-apiserver") != 0)
		buf_printf(out, "as %s ", c->client);
	buf_puts(out, c->text);
}

static void put_command(const struct scene *s, struct buf *out)
{
	if (s->v->asks)
		buf_puts(out, player_next_command(s->p));
	else if (s->call && !same_text(s->call, player_command_text(s->p)))
		put_call_text(out, s->call);
	else
		buf_puts(out, player_command_text(s->p));
}

/* A lease that ran out while the clock was being moved is told beside the command that moved it. */
static void put_remark(const struct scene *s, struct buf *out)
{
	for (size_t i = s->w->ended_leases.n; i > 0 && !s->call && !s->v->asks; i--) {
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
	struct buf command = {0}, one = {0}, remark = {0};
	int x = r.x + 1;

	if (s->call && s->call->number && r.w >= 100)
		x = canvas_printf(c, x, r.y, STYLE_NORMAL, "%llu ",
				  (unsigned long long)s->call->number);
	put_command(s, &command);
	put_request(&one, c, buf_str(&command), r.x + r.w - x - 2);
	if (one.n) {
		x = canvas_puts(c, x, r.y, STYLE_NORMAL, "> ");
		x = draw_bytes(c, x, r.y, r.x + r.w - x, STYLE_NORMAL, buf_bytes(&one), false);
	} else {
		canvas_puts(c, x, r.y, STYLE_HINT,
			    s->v->asks ? "no command in this step"
				       : "no command yet: press : and type one");
	}
	put_remark(s, &remark);
	if (canvas_width(c, buf_bytes(&remark)) + 2 <= r.x + r.w - x)
		canvas_puts_right(c, r.x + r.w - 1, r.y, STYLE_NORMAL, buf_str(&remark));
	buf_free(&command);
	buf_free(&one);
	buf_free(&remark);
}

/* The rows from `from` on in one, if they fit: "/a  1". */
static bool draw_joined(struct canvas *c, struct rect r, const row_list *rows, size_t from)
{
	struct buf b = {0};

	for (size_t i = from; i < rows->n; i++) {
		buf_puts(&b, i > from ? "  " : "");
		buf_put_bytes(&b, rows->v[i]);
	}
	bool fits = canvas_width(c, buf_bytes(&b)) <= r.w;
	if (fits)
		draw_bytes(c, r.x, r.y, r.w, STYLE_NORMAL, buf_bytes(&b), false);
	buf_free(&b);
	return fits;
}

/* Draws the reply in r; what does not fit is counted in the last row.  Where there is only one row,
 * a short reply is joined in it.  Returns the rows used. */
static int draw_reply(const struct scene *s, struct canvas *c, struct rect r, const char *text)
{
	bool focused = s->v->focus == PANE_CLIENT;
	size_t h = r.h > 0 ? (size_t)r.h : 0, top = 0, y = 0;
	row_list rows = {0};

	list_rows(c, &rows, text, r.w, false);
	if (rows.n > h && !focused)
		list_rows(c, &rows, text, r.w, true);
	if (focused && rows.n > h)
		top = s->v->place[PANE_CLIENT].top < rows.n - h ? s->v->place[PANE_CLIENT].top
								: rows.n - h;
	for (; y < h && top + y < rows.n; y++) {
		struct rect at = {r.x, r.y + (int)y, r.w, 1};
		bool more = y == h - 1 && rows.n - top > h;
		if (more && h == 1 && draw_joined(c, at, &rows, top + y))
			continue;
		if (more && h > 1)
			canvas_printf(c, r.x, at.y, STYLE_HINT, "… %zu more lines: 1, then ↓",
				      rows.n - top - y);
		else
			draw_bytes(c, r.x, at.y, r.w, STYLE_NORMAL, rows.v[top + y], false);
	}
	vec_free(&rows);
	return y > 0 ? (int)y : s->call != NULL;
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

/* Lines become words two blanks apart. */
static void one_row(struct buf *b)
{
	struct buf all = {0};

	for (size_t i = 0; i < b->n; i++) {
		bool ends = b->p[i] == '\n';
		if (!ends)
			buf_putc(&all, b->p[i]);
		else if (i + 1 < b->n && b->p[i + 1] != '\n')
			buf_puts(&all, "  ");
	}
	buf_free(b);
	*b = all;
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
	one_row(&b);
	int reply_w = canvas_width(c, buf_bytes(&b));
	reply_w = reply_w < r.w / 3 ? reply_w : r.w / 3;
	struct buf text = {0}, one = {0};
	put_call_text(&text, o);
	put_request(&one, c, buf_str(&text), end - reply_w - x - 2);
	draw_bytes(c, x, r.y, end - reply_w - x - 2, STYLE_NORMAL, buf_bytes(&one), false);
	buf_free(&text);
	buf_free(&one);
	draw_bytes(c, end - reply_w, r.y, reply_w, STYLE_NORMAL, buf_bytes(&b),
		   o->response && o->response->error == ERR_NONE);
	buf_free(&b);
	buf_free(&numbers);
}

enum { OTHERS_MAX = 8 };

/* The explanation with its mark; "" where there is none. */
static void put_explanation(const struct scene *s, struct buf *out)
{
	if (is_error(s) && shell_explain(player_shell(s->p), out))
		out->n = strcspn(buf_str(out), "\n");
	if (out->n)
		out->p[out->n] = 0;
}

static int explanation_rows(const struct canvas *c, const struct buf *explanation, int columns)
{
	return explanation->n ? text_rows(c, buf_str(explanation), columns - 4) : 0;
}

int client_rows(const struct scene *s, int columns, int *why_rows)
{
	struct canvas measure = {.ascii = false};
	struct buf why = {0};
	const struct call *others[OTHERS_MAX];
	int lines = client_reply_rows(s, columns);

	put_explanation(s, &why);
	*why_rows = explanation_rows(&measure, &why, columns);
	lines = 2 + (lines > 1 ? lines : 1) + *why_rows +
		other_calls(s, others, columns >= 100 ? 3 : OTHERS_MAX, columns >= 100);
	buf_free(&why);
	return lines;
}

void client_reply_line(const struct scene *s, struct buf *out)
{
	struct buf b = {0};

	client_reply_text(s, &b);
	buf_add(out, buf_str(&b), strcspn(buf_str(&b), "\n"));
	if (out->n)
		buf_puts(out, "  ");
	put_numbers(s, out, s->call);
	buf_free(&b);
}

/* Whose the next command is: `as NAME ...` says so. */
static void put_next_client(struct buf *out, const struct scene *s)
{
	char name[64];

	if (sscanf(player_next_command(s->p), "as %63s ", name) != 1)
		snprintf(name, sizeof name, "kube-apiserver");
	text_safe(out, bytes_of(name), false);
}

static void draw_client_title(const struct scene *s, struct canvas *c, struct rect r)
{
	const struct call *k = s->call, *who = k ? k : newest_call(s->w);
	struct buf b = {0}, right = {0};

	if (s->v->asks)
		put_next_client(&b, s);
	else
		text_safe(&b, bytes_of(who && who->client ? who->client : "kube-apiserver"), false);
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

static void draw_explanation(struct canvas *c, struct rect r, const struct buf *why)
{
	canvas_puts(c, r.x + 1, r.y, STYLE_CHANGED, "! ");
	draw_block(c, (struct rect){r.x + 3, r.y, r.w - 4, r.h}, STYLE_NORMAL, 0, buf_str(why),
		   "(x: all)");
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
	struct buf reply = {0}, numbers = {0}, why = {0};
	int y = r.y, end = r.y + r.h;

	client_reply_text(s, &reply);
	put_numbers(s, &numbers, s->call);
	put_explanation(s, &why);
	int lines = text_rows(c, buf_str(&reply), r.w - 4), ask = explanation_rows(c, &why, r.w);
	y += draw_others(s, c, r, r.h - 2 - ask - (lines > 1 ? lines : 1));
	if (end - y >= 3 || !reply.n)
		draw_request(s, c, (struct rect){r.x, y++, r.w, 1});
	int least = lines > 1 ? lines : 1; /* the reply comes first, then one row of why */
	if (ask > 0 && ask > end - y - 1 - least)
		ask = end - y - 1 - least > 1 ? end - y - 1 - least : end - y > 2;
	y += draw_reply(s, c, (struct rect){r.x + 3, y, r.w - 4, end - y - 1 - ask},
			buf_str(&reply));
	draw_bytes(c, r.x + 3, y, r.w - 3, STYLE_NORMAL, buf_bytes(&numbers), false);
	if (ask > 0)
		draw_explanation(c, (struct rect){r.x, y + 1, r.w, ask}, &why);
	canvas_clip(c, before);
	if (title)
		draw_client_title(s, c, r);
	buf_free(&reply);
	buf_free(&numbers);
	buf_free(&why);
}
