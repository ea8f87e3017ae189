/* Transactions: compares decide which branch runs, all of it in one revision (etcd: apply.go, Txn).
 */
#include "server/private.h"

static int64_t number_of(const struct row *r, enum compare_target target)
{
	if (!r)
		return 0; /* a key that does not exist has version, create and mod 0, and no lease
			   */
	switch (target) {
	case COMPARE_VERSION:
		return r->version;
	case COMPARE_CREATE:
		return r->create;
	case COMPARE_MOD:
		return r->main;
	default:
		return r->lease;
	}
}

static bool holds(const struct compare *c, const struct row *r)
{
	int64_t n = number_of(r, c->target);
	int order = c->target == COMPARE_VALUE ? bytes_cmp(row_value(r), c->value)
					       : (n > c->number) - (n < c->number);

	switch (c->result) {
	case COMPARE_EQUAL:
		return order == 0;
	case COMPARE_NOT_EQUAL:
		return order != 0;
	case COMPARE_GREATER:
		return order > 0;
	case COMPARE_LESS:
		return order < 0;
	}
	return false;
}

static bool compare(struct member *m, const struct compare *c)
{
	struct row_list list = {0};
	bool all = true;

	mvcc_range(&m->store, c->range, 0, 0, &list);
	if (list.rows.n == 0)
		all = c->target != COMPARE_VALUE && holds(c, NULL);
	for (size_t i = 0; i < list.rows.n && all; i++)
		all = holds(c, list.rows.v[i]);
	vec_free(&list.rows);
	return all;
}

static bool compare_all(struct member *m, const struct txn_request *t)
{
	for (size_t i = 0; i < t->ncompares; i++)
		if (!compare(m, &t->compares[i]))
			return false;
	return true;
}

/* The path through nested transactions is decided before anything is written. */
struct plan {
	const struct request *ops;
	size_t n;
	bool succeeded;
	struct plan *inner; /* one an operation; used where it is a transaction */
};

static void make_plan(struct member *m, const struct txn_request *t, struct plan *p)
{
	p->succeeded = compare_all(m, t);
	p->ops = p->succeeded ? t->success : t->failure;
	p->n = p->succeeded ? t->nsuccess : t->nfailure;
	p->inner = NULL;
	for (size_t i = 0; i < p->n; i++) {
		if (p->ops[i].kind != REQ_TXN)
			continue;
		if (!p->inner)
			p->inner = xcalloc(p->n, sizeof *p->inner);
		make_plan(m, &p->ops[i].txn, &p->inner[i]);
	}
}

static void free_plan(struct plan *p)
{
	for (size_t i = 0; p->inner && i < p->n; i++)
		free_plan(&p->inner[i]);
	free(p->inner);
}

static enum error check_range(const struct member *m, const struct range_request *q)
{
	if (q->revision == 0) /* a negative one is not "now" here (etcd: checkRequestRange) */
		return ERR_NONE;
	if (q->revision > m->store.current_rev)
		return ERR_FUTURE_REV;
	return q->revision < m->store.compact_rev ? ERR_COMPACTED : ERR_NONE;
}

/* Puts are checked first, then ranges, each in order, before anything is written. */
static enum error check_plan(const struct member *m, const struct plan *p, bool puts)
{
	enum error e = ERR_NONE;

	for (size_t i = 0; i < p->n && !e; i++) {
		if (p->ops[i].kind == REQ_TXN)
			e = check_plan(m, &p->inner[i], puts);
		else if (p->ops[i].kind == REQ_PUT && puts)
			e = server_check_put(m, &p->ops[i].put);
		else if (p->ops[i].kind == REQ_RANGE && !puts)
			e = check_range(m, &p->ops[i].range);
	}
	return e;
}

/* Headers inside a transaction's answer carry the revision alone. */
static void plain_header(struct response *r)
{
	r->header = (struct response_header){.revision = r->header.revision};
}

static void run_plan(struct member *m, const struct plan *p, struct mvcc_txn *t,
		     struct response *out)
{
	struct response *list = heap_alloc(m->answers, (p->n + 1) * sizeof *list);

	for (size_t i = 0; i < p->n; i++) {
		const struct request *op = &p->ops[i];
		if (op->kind == REQ_PUT) {
			list[i] = *server_txn_put(m, t, &op->put);
		} else if (op->kind == REQ_DELETE_RANGE) {
			list[i] = *server_txn_delete(m, t, &op->del);
		} else if (op->kind == REQ_TXN) {
			list[i] = (struct response){.kind = REQ_TXN};
			run_plan(m, &p->inner[i], t, &list[i]);
		} else {
			list[i] = *server_apply_range(m, &op->range, t ? mvcc_txn_rev(t) : 0);
		}
		plain_header(&list[i]);
	}
	out->txn.succeeded = p->succeeded;
	out->txn.responses = list;
	out->txn.n = p->n;
}

static bool writes(const struct txn_request *t)
{
	struct request whole = {.kind = REQ_TXN, .txn = *t};

	return request_is_write(&whole);
}

struct response *server_apply_txn(struct member *m, struct server_env *env,
				  const struct txn_request *t, struct row_memo *memo)
{
	struct response *r = server_response(m, REQ_TXN);
	bool write = writes(t);
	struct mvcc_txn txn;
	struct plan p;

	make_plan(m, t, &p);
	r->error = write ? check_plan(m, &p, true) : ERR_NONE;
	if (!r->error)
		r->error = check_plan(m, &p, false);
	if (!r->error && write) {
		mvcc_txn_begin(&txn, &m->store, memo);
		run_plan(m, &p, &txn, r);
		r->header.revision = mvcc_txn_rev(&txn);
		server_end_write(m, env, &txn);
	} else if (!r->error) {
		run_plan(m, &p, NULL, r);
	}
	free_plan(&p);
	return r;
}
