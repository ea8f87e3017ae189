/* Actions done to a world. */
#include "explore/action.h"

static const char *const keys[ACT_KEYS] = {"/a", "/b", "/c", "/d/1", "/d/2", "/e"};
static const char *const prefixes[ACT_RANGES] = {"", "/", "/d/", "/b"};
static const char *const ends[ACT_RANGES] = {"", "0", "/d0",
					     "/c"}; /* first key behind the prefix */

const char *action_key(unsigned i)
{
	return keys[i % ACT_KEYS];
}

const char *action_prefix(const struct action *a)
{
	return a->range ? prefixes[a->range % ACT_RANGES] : action_key(a->key);
}

static struct bytes keep(struct world *w, const char *s)
{
	size_t n = strlen(s);

	return (struct bytes){heap_dup(w->heap, s, n), n};
}

static struct key_range range_of(const struct action *a)
{
	if (a->range)
		return (struct key_range){bytes_of(prefixes[a->range % ACT_RANGES]),
					  bytes_of(ends[a->range % ACT_RANGES])};
	return (struct key_range){.key = bytes_of(action_key(a->key))};
}

static struct bytes value_of(struct world *w, uint32_t v)
{
	struct buf b = {0};

	buf_printf(&b, "v%u", v);
	struct bytes s = keep(w, buf_str(&b));
	buf_free(&b);
	return s;
}

static struct request *new_request(struct world *w, enum request_kind kind, size_t n)
{
	struct request *q = heap_alloc(w->heap, n * sizeof *q);

	memset(q, 0, n * sizeof *q);
	q->kind = kind;
	return q;
}

/* If the key has this revision, or this value: write it, and delete another one; else read. */
static void make_txn(struct world *w, const struct action *a, struct request *q)
{
	struct compare *c = heap_alloc(w->heap, sizeof *c);
	struct request *yes = new_request(w, REQ_PUT, 3), *no = new_request(w, REQ_RANGE, 1);

	*c = (struct compare){.result = a->flag2 ? COMPARE_GREATER : COMPARE_EQUAL,
			      .target = a->flag ? COMPARE_VERSION : COMPARE_MOD,
			      .range = {.key = bytes_of(action_key(a->key))},
			      .number = a->number};
	yes[0].put = (struct put_request){
	    .key = bytes_of(action_key(a->key)), .value = value_of(w, a->value), .lease = a->lease};
	yes[1].kind = REQ_RANGE;
	yes[1].range.range = range_of(a);
	yes[2].kind = REQ_DELETE_RANGE;
	yes[2].del.range = (struct key_range){.key = bytes_of(action_key(a->key2))};
	no->range.range = range_of(a);
	q->txn = (struct txn_request){.compares = c,
				      .ncompares = 1,
				      .success = yes,
				      .nsuccess = a->key == a->key2 ? 2 : 3,
				      .failure = no,
				      .nfailure = 1};
}

static const enum request_kind request_kinds[ACT_KINDS] = {
    [ACT_PUT] = REQ_PUT,
    [ACT_GET] = REQ_RANGE,
    [ACT_DELETE] = REQ_DELETE_RANGE,
    [ACT_TXN] = REQ_TXN,
    [ACT_COMPACT] = REQ_COMPACTION,
    [ACT_GRANT] = REQ_LEASE_GRANT,
    [ACT_REVOKE] = REQ_LEASE_REVOKE,
    [ACT_KEEP_ALIVE] = REQ_LEASE_KEEP_ALIVE,
    [ACT_TIME_TO_LIVE] = REQ_LEASE_TIME_TO_LIVE,
    [ACT_MEMBER_ADD] = REQ_MEMBER_ADD,
    [ACT_MEMBER_REMOVE] = REQ_MEMBER_REMOVE,
    [ACT_MEMBER_PROMOTE] = REQ_MEMBER_PROMOTE,
};

static const struct request *make_request(struct world *w, const struct action *a)
{
	struct request *q = new_request(w, request_kinds[a->kind], 1);

	switch (a->kind) {
	case ACT_PUT:
		q->put = (struct put_request){.key = bytes_of(action_key(a->key)),
					      .value = value_of(w, a->value),
					      .lease = a->lease,
					      .prev_kv = a->flag};
		break;
	case ACT_GET:
		q->range = (struct range_request){.range = range_of(a),
						  .serializable = a->flag,
						  .revision = a->number,
						  .limit = a->limit};
		break;
	case ACT_DELETE:
		q->del = (struct delete_request){.range = range_of(a), .prev_kv = a->flag};
		break;
	case ACT_TXN:
		make_txn(w, a, q);
		break;
	case ACT_COMPACT:
		q->compaction.revision = a->number;
		break;
	case ACT_GRANT:
		q->grant.ttl = a->number;
		break;
	case ACT_REVOKE:
		q->revoke.id = a->lease;
		break;
	case ACT_MEMBER_ADD:
		q->member.name = member_name(a->peer);
		q->member.peer_url = member_peer_url(a->peer);
		q->member.is_learner = a->flag;
		break;
	case ACT_MEMBER_REMOVE:
	case ACT_MEMBER_PROMOTE:
		q->member.id = w->peers[a->peer - 1].id;
		break;
	case ACT_KEEP_ALIVE:
		q->keep_alive.id = a->lease;
		break;
	default:
		q->time_to_live.id = a->lease;
		q->time_to_live.keys = true;
		break;
	}
	return q;
}

static void do_request(struct world *w, struct action *a)
{
	struct call_options o = {.timeout_ms = 5000, .numbered = true};
	/* etcdctl gives these no limit (cluster-facts rule 3) */
	bool patient =
	    a->kind == ACT_TXN || a->kind == ACT_KEEP_ALIVE || a->kind == ACT_TIME_TO_LIVE;
	bool about_member = a->kind == ACT_MEMBER_REMOVE || a->kind == ACT_MEMBER_PROMOTE;

	if (about_member && (a->peer > w->nmembers || !w->peers[a->peer - 1].id))
		return;
	if (a->kind == ACT_COMPACT && !a->number)
		a->number = world_member(w, world_counters_member(w))->store.current_rev;
	if (patient)
		o.timeout_ms = INT64_MAX;
	if (a->member) {
		o.endpoints[0] = a->member;
		o.nendpoints = 1;
	}
	sim_call(w, make_request(w, a), &o);
}

static void do_watch(struct world *w, const struct action *a)
{
	struct watch_options o = {.range = range_of(a),
				  .shown = bytes_of(action_prefix(a)),
				  .rev = a->number,
				  .prev_kv = a->flag,
				  .no_put = a->how == 1,
				  .no_delete = a->how == 2,
				  .informer = a->kind == ACT_INFORMER,
				  .endpoints = {a->member},
				  .nendpoints = a->member ? 1 : 0};
	sim_watch(w, &o);
}

/* What makes no sense is not written as a command either, which would do it. */
static void do_watcher(struct world *w, struct action *a)
{
	const struct watch_client *c = world_watch(w, (uint32_t)a->number);

	if (!c || c->gone)
		return;
	bool cut = c->state == WATCH_IS_CUT;
	if (a->kind == ACT_UNWATCH)
		sim_unwatch(w, c->number);
	else if (a->kind == ACT_DROP && !cut)
		sim_drop(w, c->number);
	else if (a->kind == ACT_RESUME && !c->list_call)
		sim_resume(w, c->number);
	else if (a->kind == ACT_STALL || a->kind == ACT_READ_ON)
		sim_stall(w, c->number, a->kind == ACT_STALL);
	else if (a->kind == ACT_PROGRESS)
		sim_progress(w, c->number);
	else
		a->kind = ACT_NOTHING;
}

/* Ctrl-C for the newest request. */
static void do_interrupt(struct world *w, struct action *a)
{
	for (size_t i = w->calls.n; i-- > 0;)
		if (w->calls.v[i].state == CALL_OPEN && w->calls.v[i].number) {
			a->number = (int64_t)w->calls.v[i].number;
			sim_call_cancel(w, w->calls.v[i].id);
			return;
		}
}

static unsigned victim(const struct world *w, const struct action *a)
{
	unsigned m = a->member ? a->member : world_leader(w);

	return m >= 1 && m <= w->nmembers ? m : 0;
}

/* The command names only members that there are, and two groups. */
static void do_partition(struct world *w, struct action *a)
{
	bool divides = false;

	if (a->peer > w->nmembers)
		a->peer = (uint8_t)w->nmembers;
	for (unsigned i = 1; i < a->peer; i++)
		divides |= a->group[i] != a->group[0];
	if (divides)
		sim_partition(w, a->group);
	else
		a->kind = ACT_NOTHING;
}

static void do_fault(struct world *w, struct action *a)
{
	unsigned m = victim(w, a);

	if (a->kind == ACT_HEAL)
		sim_heal(w);
	else if (a->kind == ACT_PARTITION)
		do_partition(w, a);
	else if (!m)
		return;
	a->member = (uint8_t)m;
	if (a->kind == ACT_KILL)
		sim_kill(w, m, (enum kill_how)a->how, (enum kill_point)a->at);
	else if (a->kind == ACT_RESTART)
		sim_restart(w, m);
	else if (a->kind == ACT_START)
		sim_start(w, m);
	else if (a->kind == ACT_TIMEOUT)
		sim_timeout(w, m);
	else if (a->kind == ACT_CUT && a->peer != m && a->peer <= w->nmembers)
		sim_cut(w, m, a->peer, a->flag);
	else if (a->kind == ACT_CUT)
		a->kind = ACT_NOTHING;
}

void action_do(struct world *w, struct action *a)
{
	if (a->member > w->nmembers && a->kind != ACT_HEAL && a->kind != ACT_PARTITION)
		return;
	switch (a->kind) {
	case ACT_NOTHING:
	case ACT_KINDS:
		break;
	case ACT_WATCH:
	case ACT_INFORMER:
		do_watch(w, a);
		break;
	case ACT_DROP:
	case ACT_RESUME:
	case ACT_UNWATCH:
	case ACT_STALL:
	case ACT_READ_ON:
	case ACT_PROGRESS:
		do_watcher(w, a);
		break;
	case ACT_INTERRUPT:
		do_interrupt(w, a);
		break;
	case ACT_KILL:
	case ACT_RESTART:
	case ACT_START:
	case ACT_PARTITION:
	case ACT_CUT:
	case ACT_HEAL:
	case ACT_TIMEOUT:
		do_fault(w, a);
		break;
	default:
		do_request(w, a);
	}
}
