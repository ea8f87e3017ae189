/* What is wrong with a request before raft sees it (etcd: api/v3rpc/key.go). */
#include "server/private.h"

#include <stdlib.h>

static enum error check_put(const struct put_request *p)
{
	if (p->key.n == 0)
		return ERR_EMPTY_KEY;
	if (p->ignore_value && p->value.n)
		return ERR_VALUE_PROVIDED;
	if (p->ignore_lease && p->lease)
		return ERR_LEASE_PROVIDED;
	return ERR_NONE;
}

static enum error check_txn(const struct txn_request *t, uint32_t max_ops);

static enum error check_op(const struct request *op, uint32_t max_ops)
{
	switch (op->kind) {
	case REQ_RANGE:
		return op->range.range.key.n ? ERR_NONE : ERR_EMPTY_KEY;
	case REQ_DELETE_RANGE:
		return op->del.range.key.n ? ERR_NONE : ERR_EMPTY_KEY;
	case REQ_PUT:
		return check_put(&op->put);
	case REQ_TXN:
		return check_txn(&op->txn, max_ops);
	default:
		return ERR_NONE;
	}
}

static enum error check_ops(const struct request *ops, size_t n, uint32_t max_ops)
{
	enum error e = ERR_NONE;

	for (size_t i = 0; i < n && !e; i++)
		e = check_op(&ops[i], max_ops);
	return e;
}

static enum error check_txn(const struct txn_request *t, uint32_t max_ops)
{
	enum error e;

	if (t->ncompares > max_ops || t->nsuccess > max_ops || t->nfailure > max_ops)
		return ERR_TOO_MANY_OPS;
	for (size_t i = 0; i < t->ncompares; i++)
		if (t->compares[i].range.key.n == 0)
			return ERR_EMPTY_KEY;
	e = check_ops(t->success, t->nsuccess, max_ops);
	return e ? e : check_ops(t->failure, t->nfailure, max_ops);
}

/* (etcd: v3rpc/key.go, checkIntervals) The ends are compared as they are written: an end of one
 * zero byte, which means the end of the store elsewhere, is below every key here, so such a delete
 * never stands in a put's way. */
static bool covers(struct key_range r, struct bytes key)
{
	if (r.end.n == 0)
		return bytes_eq(r.key, key);
	return bytes_cmp(r.key, key) <= 0 && bytes_cmp(key, r.end) < 0;
}

/* Two puts of one key in a branch, or a put and a delete that covers it, are refused; deletes may
 * overlap. */
static enum error check_branch(const struct request *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (ops[i].kind == REQ_TXN) {
			enum error e = check_branch(ops[i].txn.success, ops[i].txn.nsuccess);
			if (!e)
				e = check_branch(ops[i].txn.failure, ops[i].txn.nfailure);
			if (e)
				return e;
		}
		if (ops[i].kind != REQ_PUT)
			continue;
		for (size_t j = 0; j < n; j++)
			if ((j < i && ops[j].kind == REQ_PUT &&
			     bytes_eq(ops[j].put.key, ops[i].put.key)) ||
			    (ops[j].kind == REQ_DELETE_RANGE &&
			     covers(ops[j].del.range, ops[i].put.key)))
				return ERR_DUPLICATE_KEY;
	}
	return ERR_NONE;
}

/* (etcd: pkg/types/urls.go, NewURLs) A scheme that etcd knows, host and port, and nothing more. */
static bool is_peer_url(struct bytes url)
{
	static const char *const schemes[] = {"http://", "https://", "unix://", "unixs://"};
	size_t n = 0;

	for (size_t i = 0; i < 4 && !n; i++)
		if (bytes_starts(url, bytes_of(schemes[i])))
			n = strlen(schemes[i]);
	struct bytes host = {url.p + n, url.n - n};
	const char *colon = n && host.n ? memrchr(host.p, ':', host.n) : NULL;
	return colon && colon + 1 < host.p + host.n && !memchr(host.p, '/', host.n);
}

static enum error check_peer_urls(const char *urls)
{
	for (const char *end; (end = strchr(urls, ',')); urls = end + 1)
		if (!is_peer_url((struct bytes){urls, (size_t)(end - urls)}))
			return ERR_BAD_URLS;
	return is_peer_url(bytes_of(urls)) ? ERR_NONE : ERR_BAD_URLS;
}

enum error server_check_request(const struct request *req, const struct server_env *env)
{
	enum error e = check_op(req, env->set->max_txn_ops);

	if (req->kind == REQ_MEMBER_ADD || req->kind == REQ_MEMBER_UPDATE)
		e = check_peer_urls(req->member.peer_url);
	if (!e && req->kind == REQ_TXN) {
		e = check_branch(req->txn.success, req->txn.nsuccess);
		if (!e)
			e = check_branch(req->txn.failure, req->txn.nfailure);
	}
	if (!e && request_is_write(req) && (int64_t)request_size(req) > env->set->max_request_bytes)
		e = ERR_REQUEST_TOO_LARGE;
	return e;
}
