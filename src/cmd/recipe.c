#include "cmd/recipe.h"

#include <inttypes.h>
#include <stdio.h>

static void hold(struct shell *s, struct job *j);

bool recipe_failed(struct shell *s, struct job *j)
{
	if (j->results[0]->error == ERR_NONE)
		return false;
	command_fail(s, j, STATUS_ERROR, "%s", error_text(j->results[0]->error));
	return true;
}

static void call(struct shell *s, struct job *j, const struct request *req,
		 void (*resume)(struct shell *, struct job *))
{
	j->ncalls = 0;
	command_call(s, j, req, resume);
}

/* Looking at the store.  The client's library watches the keys; here the job looks at the store of
 * the member that would serve the watch, which gets its events when that store changes. */

static const struct member *server(const struct shell *s, const struct job *j)
{
	for (size_t i = 0; i < j->nshown; i++)
		if (world_member(s->w, j->endpoints[i])->condition == MEMBER_UP)
			return world_member(s->w, j->endpoints[i]);
	return world_member(s->w, world_default_endpoint(s->w));
}

static struct key_range under_prefix(struct shell *s, const struct job *j)
{
	return command_prefix(s, j->recipe.prefix);
}

const struct row *recipe_oldest(const struct shell *s, const struct job *j)
{
	const struct row *oldest = NULL;
	struct row_list list = {0};
	/* "NAME/" ends with a slash, so the prefix's end is "NAME0". */
	struct buf end = {0};

	buf_add(&end, j->recipe.prefix.p, j->recipe.prefix.n - 1);
	buf_putc(&end, '/' + 1);
	mvcc_range(&server(s, j)->store, (struct key_range){j->recipe.prefix, buf_bytes(&end)}, 0,
		   0, &list);
	for (size_t i = 0; i < list.rows.n; i++)
		if (!oldest || list.rows.v[i]->create < oldest->create)
			oldest = list.rows.v[i];
	vec_free(&list.rows);
	buf_free(&end);
	return oldest;
}

static bool is_gone(const struct shell *s, const struct job *j)
{
	struct row_list list = {0};
	bool gone;

	mvcc_range(&server(s, j)->store, (struct key_range){.key = j->recipe.before}, 0, 1, &list);
	gone = list.rows.n == 0;
	vec_free(&list.rows);
	return gone;
}

/* The session: a job of its own renews the lease at every third of its TTL while somebody holds it.
 */

static struct job *holder(const struct shell *s, int64_t lease)
{
	if (s->fg && s->fg->recipe.lease == lease && !s->fg->recipe.keeps_alive)
		return s->fg;
	for (size_t i = 0; i < s->bg.n; i++)
		if (s->bg.v[i]->recipe.lease == lease && !s->bg.v[i]->recipe.keeps_alive)
			return s->bg.v[i];
	return NULL;
}

static void renew(struct shell *s, struct job *k);

static void renewed(struct shell *s, struct job *k)
{
	enum { RETRY_MS = 500 };
	const struct response *r = k->results[0];
	struct job *j = holder(s, k->recipe.lease);
	bool ok = r->error == ERR_NONE && r->keep_alive.ttl > 0;
	bool gone = r->error == ERR_LEASE_NOT_FOUND || (r->error == ERR_NONE && !ok);

	if (!j || gone || (!ok && s->w->now_ms >= k->deadline_ms)) {
		if (j)
			j->recipe.expired = true;
		command_end(k);
	} else if (ok) {
		k->deadline_ms = s->w->now_ms + r->keep_alive.ttl * 1000;
		command_wait(k, s->w->now_ms + r->keep_alive.ttl * 1000 / 3, renew);
	} else {
		command_wait(k, s->w->now_ms + RETRY_MS, renew);
	}
}

static void renew(struct shell *s, struct job *k)
{
	if (!holder(s, k->recipe.lease)) {
		command_end(k);
		return;
	}
	struct request *req = command_request(s, REQ_LEASE_KEEP_ALIVE);
	req->keep_alive.id = k->recipe.lease;
	k->timeout_ms = k->deadline_ms - s->w->now_ms;
	if (k->timeout_ms < 1)
		k->timeout_ms = 1;
	call(s, k, req, renewed);
}

static void keep_alive(struct shell *s, const struct job *j, int64_t ttl)
{
	struct job *k = xcalloc(1, sizeof *k);

	k->row = j->row;
	k->client = j->client;
	k->background = true;
	k->phase = 1; /* its calls take no number */
	k->start_ms = s->w->now_ms;
	k->nshown = j->nshown;
	memcpy(k->endpoints, j->endpoints, sizeof k->endpoints);
	k->recipe = (struct recipe){.keeps_alive = true, .lease = j->recipe.lease};
	k->deadline_ms = s->w->now_ms + ttl * 1000;
	renew(s, k);
	if (k->wait == WAIT_NOTHING)
		k->wait = WAIT_TIME;
	shell_add_background(s, k);
}

static void granted(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];
	struct buf key = {0};

	if (recipe_failed(s, j))
		return;
	j->recipe.lease = r->grant.id;
	buf_put_bytes(&key, j->recipe.prefix);
	buf_printf(&key, "%" PRIx64, (uint64_t)r->grant.id);
	j->recipe.key = command_keep(s, buf_bytes(&key));
	buf_free(&key);
	j->recipe.next(s, j);
	keep_alive(s, j, r->grant.ttl);
}

void recipe_open(struct shell *s, struct job *j, struct bytes name, int64_t ttl,
		 void (*opened)(struct shell *, struct job *))
{
	struct request *req = command_request(s, REQ_LEASE_GRANT);
	char *prefix = heap_alloc(s->w->heap, name.n + 1);

	memcpy(prefix, name.p, name.n);
	prefix[name.n] = '/';
	j->recipe.prefix = (struct bytes){prefix, name.n + 1};
	j->timeout_ms = INT64_MAX;
	j->recipe.next = opened;
	req->grant.ttl = ttl;
	call(s, j, req, granted);
}

/* The key. */

static struct request *oldest_request(struct shell *s, const struct job *j)
{
	struct request *req = command_request(s, REQ_RANGE);

	req->range.range = under_prefix(s, j);
	req->range.sort_target = SORT_CREATE;
	req->range.sort_order = SORT_ASCEND;
	req->range.limit = 1;
	return req;
}

void recipe_ask_oldest(struct shell *s, struct job *j, void (*resume)(struct shell *, struct job *))
{
	call(s, j, oldest_request(s, j), resume);
}

static void ask_for_key(struct shell *s, struct job *j,
			void (*resume)(struct shell *, struct job *))
{
	struct request *req = command_request(s, REQ_RANGE);

	req->range.range.key = j->recipe.key;
	call(s, j, req, resume);
}

/* Won: what the command itself does with its key. */
static void have_it(struct shell *s, struct job *j)
{
	if (!recipe_failed(s, j))
		j->recipe.next(s, j);
}

/* waitDeletes: the newest of the keys that are older than ours must go, then again, until there is
 * none.  It waits on when its own session has expired: who gets his turn finds his key gone. */
static void next_older(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (recipe_failed(s, j))
		return;
	if (r->range.n == 0) {
		ask_for_key(s, j, have_it);
		return;
	}
	j->recipe.before = row_key(r->range.kvs[0]);
	j->wait = WAIT_STORE;
	j->changed = is_gone;
	j->resume = hold;
}

static void hold(struct shell *s, struct job *j)
{
	struct request *req = oldest_request(s, j);

	req->range.sort_order = SORT_DESCEND;
	req->range.max_create = j->recipe.rev - 1;
	call(s, j, req, next_older);
}

static void key_is_there(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (recipe_failed(s, j))
		return;
	j->recipe.rev = r->header.revision;
	if (!r->txn.succeeded)
		j->recipe.rev = r->txn.responses[0].range.kvs[0]->create;
	hold(s, j);
}

void recipe_acquire(struct shell *s, struct job *j, void (*won)(struct shell *, struct job *))
{
	struct request *req = command_request(s, REQ_TXN);
	struct compare *c = heap_alloc(s->w->heap, sizeof *c);
	struct request *put = command_request(s, REQ_PUT), *get = command_request(s, REQ_RANGE);

	*c = (struct compare){.target = COMPARE_CREATE, .range.key = j->recipe.key};
	put->put.key = get->range.range.key = j->recipe.key;
	put->put.value = j->recipe.value;
	put->put.lease = j->recipe.lease;
	req->txn.compares = c;
	req->txn.success = put;
	req->txn.failure = get;
	req->txn.ncompares = req->txn.nsuccess = req->txn.nfailure = 1;
	j->interrupted = recipe_release;
	j->recipe.next = won;
	call(s, j, req, key_is_there);
}

static void released(struct shell *s, struct job *j)
{
	(void)s;
	command_end(j);
}

void recipe_release(struct shell *s, struct job *j)
{
	struct request *req = command_request(s, REQ_DELETE_RANGE);

	if (j->recipe.rev == 0)
		return;
	j->recipe.rev = 0;
	j->interrupted = NULL;
	req->del.range.key = j->recipe.key;
	call(s, j, req, released);
}
