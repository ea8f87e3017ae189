#include "cmd/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/go_number.h"
#include "cmd/go_quote.h"
#include "cmd/login.h"
#include "cmd/scratch.h"

struct buf *command_out(struct shell *s)
{
	return s->scratch->to_reply ? &s->scratch->reply : &s->out;
}

void command_end(struct job *j)
{
	j->wait = WAIT_NOTHING;
}

void command_fail_message(struct shell *s, struct job *j, enum exit_status status)
{
	struct buf *out = command_out(s);
	struct bytes text = buf_bytes(&s->scratch->message);

	buf_puts(out, "Error: ");
	buf_put_bytes(out, text);
	buf_putc(out, '\n');
	buf_clear(&s->last_error);
	buf_put_bytes(&s->last_error, text);
	s->last_error_call = j->ncalls ? j->calls[j->ncalls - 1] : 0;
	s->exit_status = (int)status;
	j->failed = true;
	command_end(j);
}

void command_fail(struct shell *s, struct job *j, enum exit_status status, const char *fmt, ...)
{
	va_list ap;

	buf_clear(&s->scratch->message);
	va_start(ap, fmt);
	buf_vprintf(&s->scratch->message, fmt, ap);
	va_end(ap);
	command_fail_message(s, j, status);
}

unsigned command_member(const struct world *w, struct bytes name)
{
	char url[64];
	struct bytes secure = BYTES("https://");
	struct bytes rest = {0}; /* host and port of a URL that is not written with http:// */

	if (bytes_starts(name, secure))
		rest = (struct bytes){name.p + secure.n, name.n - secure.n};
	else if (!bytes_starts(name, BYTES("http://")) && name.n && memchr(name.p, ':', name.n))
		rest = name;
	if (rest.n == 0)
		return world_member_named(w, name);
	if (rest.n >= sizeof url - sizeof "http://")
		return 0;
	snprintf(url, sizeof url, "http://%.*s", (int)rest.n, rest.p);
	return world_member_named(w, bytes_of(url));
}

/* --endpoints: a list of names, ids and URLs, kept as typed. */
static bool read_endpoints(struct shell *s, struct job *j, struct bytes list)
{
	while (list.n) {
		const char *comma = memchr(list.p, ',', list.n);
		struct bytes one = {list.p, comma ? (size_t)(comma - list.p) : list.n};
		unsigned member = command_member(s->w, one);

		if (!member || j->nshown == MEMBERS_MAX) {
			command_fail(s, j, STATUS_BAD_ARGS,
				     "no member at endpoint \"%.*s\": S1 to S%u, their ids and "
				     "their client URLs are known",
				     (int)one.n, one.p, s->w->nmembers);
			return false;
		}
		j->endpoints[j->nshown] = (uint8_t)member;
		j->shown[j->nshown++] = command_keep(s, one);
		list = comma ? (struct bytes){comma + 1, (size_t)(list.p + list.n - comma - 1)}
			     : (struct bytes){0};
	}
	return true;
}

/* Flags of secured connections work on a real cluster; here they are taken, and said to do nothing.
 */
static void tell_no_effect(struct shell *s, const struct parsed *p)
{
	bool any = false;
	bool https = p->global[GLOBAL_ENDPOINTS].set &&
		     bytes_starts(p->global[GLOBAL_ENDPOINTS].text, BYTES("https://"));

	for (size_t i = GLOBAL_CACERT; i < GLOBAL_COUNT; i++) {
		if (!p->global[i].set)
			continue;
		buf_printf(command_out(s), any ? ", --%s" : "note: --%s", global_flags[i].name);
		any = true;
	}
	if (https)
		buf_puts(command_out(s), any ? ", https" : "note: https");
	if (any || https)
		buf_puts(command_out(s),
			 ": without effect here, connections of this cluster are not encrypted\n");
}

bool command_client(struct shell *s, struct job *j, const struct parsed *p)
{
	const struct flag_value *g = p->global;

	tell_no_effect(s, p);
	j->format = print_format_of(g[GLOBAL_WRITE_OUT].set ? g[GLOBAL_WRITE_OUT].text
							    : bytes_of(s->format));
	j->hex = g[GLOBAL_HEX].set && g[GLOBAL_HEX].number;
	j->timeout_ms = g[GLOBAL_COMMAND_TIMEOUT].set ? g[GLOBAL_COMMAND_TIMEOUT].number : 5000;
	if (j->timeout_ms < 0)
		j->timeout_ms = 0;
	if (j->format == FORMAT_UNKNOWN) {
		command_fail(s, j, STATUS_BAD_FEATURE, "unsupported output format");
		return false;
	}
	if (g[GLOBAL_ENDPOINTS].set && g[GLOBAL_ENDPOINTS].text.n == 0) {
		command_fail(s, j, STATUS_BAD_CONNECTION, "etcdclient: no available endpoints");
		return false;
	}
	if (g[GLOBAL_ENDPOINTS].set && !read_endpoints(s, j, g[GLOBAL_ENDPOINTS].text))
		return false;
	return command_login(s, j, p);
}

struct request *command_request(struct shell *s, enum request_kind kind)
{
	struct request *r = heap_alloc(s->w->heap, sizeof *r);

	memset(r, 0, sizeof *r);
	r->kind = kind;
	return r;
}

struct bytes command_keep(struct shell *s, struct bytes b)
{
	return (struct bytes){heap_dup(s->w->heap, b.p, b.n), b.n};
}

/* The first request of a command does. */
static bool takes_number(const struct job *j)
{
	return j->number == 0 && j->ncalls == 0 && j->phase == 0;
}

/* The request of somebody who has logged in. */
static const struct request *as_user(struct shell *s, const struct job *j,
				     const struct request *req)
{
	if (j->user.n == 0)
		return req;
	struct request *own = heap_alloc(s->w->heap, sizeof *own);
	*own = *req;
	own->user = j->user;
	return own;
}

static void start_call(struct shell *s, struct job *j, const struct request *req,
		       struct call_options *o, void (*resume)(struct shell *, struct job *))
{
	o->client = j->client;
	o->text = j->text;
	o->timeout_ms = j->timeout_ms;
	uint64_t id = sim_call(s->w, as_user(s, j, req), o);
	if (o->numbered) {
		const struct call *c = world_call(s->w, id);
		j->number = c ? c->number : 0;
		if (c && c->text)
			j->text = (struct bytes){c->text, j->text.n};
	}
	j->results[j->ncalls] = NULL;
	j->calls[j->ncalls++] = id;
	j->wait = WAIT_CALLS;
	j->resume = resume;
}

void command_call(struct shell *s, struct job *j, const struct request *req,
		  void (*resume)(struct shell *, struct job *))
{
	struct call_options o = {0};

	o.nendpoints = j->nshown;
	memcpy(o.endpoints, j->endpoints, sizeof o.endpoints);
	o.numbered = takes_number(j);
	start_call(s, j, req, &o, resume);
}

void command_call_unnumbered(struct shell *s, struct job *j, const struct request *req,
			     void (*resume)(struct shell *, struct job *))
{
	struct call_options o = {0};

	o.nendpoints = j->nshown;
	memcpy(o.endpoints, j->endpoints, sizeof o.endpoints);
	start_call(s, j, req, &o, resume);
}

static struct call_options at_endpoint(const struct job *j, size_t endpoint)
{
	struct call_options o = {0};

	if (j->endpoints[endpoint]) {
		o.endpoints[0] = j->endpoints[endpoint];
		o.nendpoints = 1;
	}
	return o;
}

void command_call_endpoint(struct shell *s, struct job *j, const struct request *req,
			   size_t endpoint, void (*resume)(struct shell *, struct job *))
{
	struct call_options o = at_endpoint(j, endpoint);

	o.numbered = takes_number(j);
	start_call(s, j, req, &o, resume);
}

void command_call_login(struct shell *s, struct job *j, const struct request *req, size_t endpoint,
			void (*resume)(struct shell *, struct job *))
{
	struct call_options o = at_endpoint(j, endpoint);
	struct bytes user = j->user;

	j->user = (struct bytes){0};
	start_call(s, j, req, &o, resume);
	j->user = user;
}

void command_wait(struct job *j, int64_t until_ms, void (*resume)(struct shell *, struct job *))
{
	j->until_ms = until_ms;
	j->wait = WAIT_TIME;
	j->resume = resume;
}

const struct request *command_asked(const struct shell *s, const struct job *j)
{
	return world_call(s->w, j->calls[j->ncalls - 1])->req;
}

void command_no_form(struct shell *s, struct job *j)
{
	static const char *const names[] = {"simple", "json", "fields", "table", "protobuf"};

	command_fail(s, j, STATUS_BAD_FEATURE, "%s not supported as output format",
		     names[j->format]);
}

void command_print(struct shell *s, struct job *j, const struct response *r,
		   const struct request *req)
{
	struct print_options o = {.format = j->format,
				  .hex = j->hex,
				  .value_only = j->value_only,
				  .keys = j->keys,
				  .id = j->id};

	command_end(j);
	if (!print_response(command_out(s), r, req, &o))
		command_no_form(s, j);
}

void command_finish(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (r->error != ERR_NONE)
		command_fail(s, j, STATUS_ERROR, "%s", error_text(r->error));
	else
		command_print(s, j, r, command_asked(s, j));
}

/* Does the member list give a client URL for it? */
static bool is_listed(const struct world *w, unsigned m)
{
	const struct member *asked = world_member(w, world_default_endpoint(w));

	return w->peers[m - 1].started && membership_find(&asked->membership, w->peers[m - 1].id);
}

void command_each_endpoint(struct shell *s, struct job *j, bool all_members)
{
	if (all_members) {
		j->nshown = 0;
		for (unsigned m = 1; m <= s->w->nmembers; m++) {
			if (!is_listed(s->w, m))
				continue;
			j->endpoints[j->nshown] = (uint8_t)m;
			j->shown[j->nshown++] = bytes_of(s->w->peers[m - 1].client_url);
		}
	} else if (j->nshown == 0) {
		j->endpoints[0] = (uint8_t)world_default_endpoint(s->w);
		j->shown[0] = BYTES("127.0.0.1:2379");
		j->nshown = 1;
	}
}

unsigned command_need_member(struct shell *s, struct job *j, struct bytes name)
{
	unsigned m = command_member(s->w, name);

	if (!m)
		command_fail(s, j, STATUS_BAD_ARGS, "no member \"%.*s\": the members are S1 to S%u",
			     (int)name.n, name.p, s->w->nmembers);
	return m;
}

bool command_members(struct shell *s, struct job *j, struct bytes list, bool out[MEMBERS_MAX])
{
	for (;;) {
		const char *comma = memchr(list.p, ',', list.n);
		struct bytes one = {list.p, comma ? (size_t)(comma - list.p) : list.n};
		unsigned m = command_need_member(s, j, one);

		if (!m)
			return false;
		out[m - 1] = true;
		if (!comma)
			return true;
		list = (struct bytes){comma + 1, (size_t)(list.p + list.n - comma - 1)};
	}
}

bool command_arguments(struct shell *s, struct job *j, const struct parsed *p, size_t least,
		       size_t most)
{
	if (p->args.n >= least && p->args.n <= most)
		return true;
	command_fail(s, j, STATUS_BAD_ARGS, "usage: %s; for example: %s", j->row->usage,
		     j->row->example);
	return false;
}

bool command_lease(struct shell *s, struct job *j, struct bytes text, int64_t *id)
{
	struct buf *m = &s->scratch->message;

	buf_clear(m);
	buf_puts(m, "bad lease ID arg (");
	if (go_parse_int(text, 16, id, m))
		return true;
	buf_puts(m, "), expecting ID in Hex");
	command_fail_message(s, j, STATUS_BAD_ARGS);
	return false;
}

uint32_t command_watcher(struct shell *s, struct job *j, struct bytes name)
{
	uint64_t n = 0;
	bool named = name.n > 1 && name.p[0] == 'w' &&
		     go_parse_uint((struct bytes){name.p + 1, name.n - 1}, 10, &n, NULL);
	const struct watch_client *c =
	    named && n <= UINT32_MAX ? world_watch(s->w, (uint32_t)n) : NULL;

	if (c && !c->gone)
		return c->number;
	for (size_t i = 0; i < s->w->watches.n; i++) {
		c = &s->w->watches.v[i];
		if (!c->gone && c->name && bytes_is(name, c->name))
			return c->number;
	}
	command_fail(
	    s, j, STATUS_BAD_ARGS,
	    "no watcher \"%.*s\": watchers are named w1, w2 and so on, in the order of their start",
	    (int)name.n, name.p);
	return 0;
}
