/* The limit of the database's size, and the alarm that it raises (etcd: etcdserver/quota.go,
 * api/v3rpc/quota.go, apply.go).
 *
 * The limit is looked at twice: by the member that takes a request, against its own file, and by
 * everybody who applies it.  Who finds no room raises the alarm through the log, and as long as any
 * member's alarm is on, every member refuses what takes room.  Deleting takes none.
 */
#include "server/private.h"

enum { KEY_VALUE_OVERHEAD = 256, LEASE_OVERHEAD = 64, ROW_OVERHEAD = 64 };
#define DEFAULT_QUOTA 2147483648

static int64_t cost_of_puts(const struct request *ops, size_t n)
{
	int64_t cost = 0;

	for (size_t i = 0; i < n; i++)
		if (ops[i].kind == REQ_PUT)
			cost += server_cost(&ops[i]);
	return cost;
}

/* The dearer branch counts.  (Transactions inside it do not count in etcd either.) */
static int64_t cost_of_txn(const struct txn_request *t)
{
	int64_t success = cost_of_puts(t->success, t->nsuccess);
	int64_t failure = cost_of_puts(t->failure, t->nfailure);

	return success > failure ? success : failure;
}

int64_t server_cost(const struct request *req)
{
	switch (req->kind) {
	case REQ_PUT:
		return KEY_VALUE_OVERHEAD + (int64_t)req->put.key.n + (int64_t)req->put.value.n;
	case REQ_TXN:
		return cost_of_txn(&req->txn);
	case REQ_LEASE_GRANT:
		return LEASE_OVERHEAD;
	default:
		return 0;
	}
}

/* Bytes of rows that the request may add: at most, where it depends on a comparison. */
static int64_t rows_of(const struct member *m, const struct request *req)
{
	int64_t success = 0, failure = 0;
	struct row_list rows = {0};

	switch (req->kind) {
	case REQ_PUT:
		return ROW_OVERHEAD + (int64_t)req->put.key.n + (int64_t)req->put.value.n;
	case REQ_DELETE_RANGE:
		mvcc_range(&m->store, req->del.range, 0, 0, &rows);
		for (size_t i = 0; i < rows.rows.n; i++)
			success += ROW_OVERHEAD + (int64_t)row_key(rows.rows.v[i]).n;
		vec_free(&rows.rows);
		return success;
	case REQ_TXN:
		for (size_t i = 0; i < req->txn.nsuccess; i++)
			success += rows_of(m, &req->txn.success[i]);
		for (size_t i = 0; i < req->txn.nfailure; i++)
			failure += rows_of(m, &req->txn.failure[i]);
		return success > failure ? success : failure;
	default:
		return 0;
	}
}

bool server_fits_file(const struct member *m, const struct request *req)
{
	return server_file_size(m->store.size + rows_of(m, req)) <= m->file_size;
}

bool server_has_room(const struct member *m, const struct server_env *env,
		     const struct request *req)
{
	int64_t cost = server_cost(req);
	int64_t most = env->set->quota_bytes ? env->set->quota_bytes : DEFAULT_QUOTA;

	return cost == 0 || m->file_size + cost < most;
}

bool server_is_capped(const struct member *m)
{
	return m->alarms.n && alarms_have(&m->alarms, ALARM_NO_SPACE);
}

void server_raise_no_space(struct member *m, struct server_env *env, struct waiting *w)
{
	struct request *req = heap_alloc(m->heap, sizeof *req);
	struct proposal *p = heap_alloc(m->heap, sizeof *p);

	*req = (struct request){.kind = REQ_ALARM_ACTIVATE, .alarm = {m->id, ALARM_NO_SPACE}};
	*p = (struct proposal){.member = m->id, .req = req, .refused = w ? w->call : 0};
	if (w) {
		w->no_space = true;
		w->phase = WAIT_APPLY;
	}
	server_cause(m, env, WORK_PROPOSE, (uint64_t)(uintptr_t)p);
}

/* etcd makes the cap when the alarm goes on, around its bare store; when it is off again, or was on
 * when the member starts, the cap is where it belongs, around those who ask for users (etcd 3.4 and
 * 3.5: apply.go, applierV3backend.Alarm; server.go, restoreAlarms; put right in 3.6). */
static void put_cap(struct member *m, bool was_capped)
{
	bool is_capped = server_is_capped(m);

	if (is_capped != was_capped)
		m->unguarded = is_capped;
}

struct response *server_apply_alarm(struct member *m, const struct request *req)
{
	struct response *r = server_response(m, req->kind);
	struct alarm_list told = {0};
	bool was_capped = server_is_capped(m);

	if (req->kind == REQ_ALARM_LIST) {
		told = m->alarms;
	} else if (req->kind == REQ_ALARM_ACTIVATE) {
		alarms_add(&m->alarms, m->heap, req->alarm);
		alarms_add(&told, m->heap, req->alarm);
	} else if (alarms_take(&m->alarms, m->heap, req->alarm)) {
		alarms_add(&told, m->heap, req->alarm);
	}
	put_cap(m, was_capped);
	r->alarms.v = told.v;
	r->alarms.n = told.n;
	return r;
}

void server_errors(struct member *m, struct member_status *out)
{
	const char **errors = heap_alloc(m->heap, (m->alarms.n + 1) * sizeof *errors);
	size_t n = 0;

	if (!out->leader)
		errors[n++] = error_text(ERR_NO_LEADER);
	for (size_t i = 0; i < m->alarms.n; i++)
		errors[n++] = alarm_text(m->heap, m->alarms.v[i]);
	out->errors = errors;
	out->nerrors = n;
}
