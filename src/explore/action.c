/* Actions done to a world: requests and watchers. */
#include "explore/private.h"

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

/* A comparison of any kind; sometimes a second one. */
static size_t make_compares(struct world *w, const struct action *a, struct compare *c)
{
	c[0] = (struct compare){.result = (enum compare_result)a->at,
				.target = (enum compare_target)a->how,
				.range = {.key = bytes_of(action_key(a->key))}};
	if (a->how == COMPARE_VALUE)
		c[0].value = value_of(w, (uint32_t)a->number);
	else
		c[0].number = a->number;
	c[1] = (struct compare){.result = COMPARE_GREATER,
				.target = COMPARE_VERSION,
				.range = {.key = bytes_of(action_key(a->key2))}};
	return a->flag2 ? 2 : 1;
}

/* If the key is like that: write it, and delete another one; else read. */
static void make_txn(struct world *w, const struct action *a, struct request *q)
{
	struct compare *c = heap_alloc(w->heap, 2 * sizeof *c);
	struct request *yes = new_request(w, REQ_PUT, 3), *no = new_request(w, REQ_RANGE, 1);

	yes[0].put = (struct put_request){
	    .key = bytes_of(action_key(a->key)), .value = value_of(w, a->value), .lease = a->lease};
	yes[1].kind = REQ_RANGE;
	yes[1].range.range = range_of(a);
	yes[2].kind = REQ_DELETE_RANGE;
	yes[2].del.range = (struct key_range){.key = bytes_of(action_key(a->key2))};
	no->range.range = range_of(a);
	q->txn = (struct txn_request){.compares = c,
				      .ncompares = make_compares(w, a, c),
				      .success = yes,
				      .nsuccess = a->key == a->key2 ? 2 : 3,
				      .failure = no,
				      .nfailure = 1};
}

/* In order, it is set up; then it is used. */
const char *action_auth(unsigned step, struct request *q)
{
	static const struct {
		enum request_kind kind;
		const char *words, *user, *role, *password;
	} steps[ACT_AUTH_STEPS] = {
	    {REQ_USER_ADD, "user add root:root", "root", "", "root"},
	    {REQ_ROLE_ADD, "role add root", "", "root", ""},
	    {REQ_USER_GRANT_ROLE, "user grant-role root root", "root", "root", ""},
	    {REQ_USER_ADD, "user add u:u", "u", "", "u"},
	    {REQ_ROLE_ADD, "role add r", "", "r", ""},
	    {REQ_ROLE_GRANT_PERMISSION, "role grant-permission r readwrite /a /d0", "", "r", ""},
	    {REQ_USER_GRANT_ROLE, "user grant-role u r", "u", "r", ""},
	    {REQ_AUTH_ENABLE, "auth enable", "root", "root", ""},
	    {REQ_USER_REVOKE_ROLE, "user revoke-role u r", "u", "r", ""},
	    {REQ_AUTH_DISABLE, "auth disable", "root", "root", ""},
	};

	if (!q)
		return steps[step].words;
	q->kind = steps[step].kind;
	q->auth.user = bytes_of(steps[step].user);
	q->auth.role = bytes_of(steps[step].role);
	q->auth.password = bytes_of(steps[step].password);
	if (q->kind == REQ_ROLE_GRANT_PERMISSION)
		q->auth.permission =
		    (struct permission){.kind = PERMISSION_READWRITE,
					.range = {.key = BYTES("/a"), .end = BYTES("/d0")}};
	return steps[step].words;
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
    [ACT_DEFRAG] = REQ_DEFRAGMENT,
    [ACT_MEMBER_ADD] = REQ_MEMBER_ADD,
    [ACT_MEMBER_REMOVE] = REQ_MEMBER_REMOVE,
    [ACT_MEMBER_PROMOTE] = REQ_MEMBER_PROMOTE,
};

static const struct request *make_request(struct world *w, const struct action *a)
{
	struct request *q = new_request(w, request_kinds[a->kind], 1);

	q->user = bytes_of(action_user(a->user));
	switch (a->kind) {
	case ACT_PUT:
		q->put = (struct put_request){.key = bytes_of(action_key(a->key)),
					      .lease = a->lease,
					      .prev_kv = a->flag,
					      .ignore_value = a->how == 1,
					      .ignore_lease = a->how == 2};
		if (!q->put.ignore_value)
			q->put.value = value_of(w, a->value);
		break;
	case ACT_GET:
		q->range = (struct range_request){.range = range_of(a),
						  .serializable = a->flag,
						  .revision = a->number,
						  .limit = a->limit};
		if (a->how)
			q->range.sort_order = SORT_DESCEND;
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
	case ACT_AUTH:
		action_auth(a->how, q);
		break;
	case ACT_DEFRAG:
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

/* Requests to which etcdctl gives no limit (cluster-facts rule 3). */
static bool is_patient(const struct action *a)
{
	return a->kind == ACT_TXN || a->kind == ACT_KEEP_ALIVE || a->kind == ACT_TIME_TO_LIVE ||
	       (a->kind == ACT_AUTH && a->how != ACT_AUTH_ENABLE && a->how != ACT_AUTH_STEPS - 1);
}

struct call_options action_call_options(const struct action *a)
{
	struct call_options o = {.timeout_ms = is_patient(a) ? INT64_MAX : 5000, .numbered = true};

	if (a->member) {
		o.endpoints[0] = a->member;
		o.nendpoints = 1;
	}
	return o;
}

const char *action_user(unsigned user)
{
	static const char *const names[ACT_USERS] = {"", "root", "u"};

	return names[user];
}

uint64_t action_request(struct world *w, const struct action *a)
{
	struct call_options o = action_call_options(a);

	return sim_call(w, make_request(w, a), &o);
}

/* False: nobody would type it now. */
static bool complete_request(struct world *w, struct action *a)
{
	if (a->kind == ACT_COMPACT && !a->number)
		a->number = world_member(w, world_counters_member(w))->store.current_rev;
	return (a->kind != ACT_MEMBER_REMOVE && a->kind != ACT_MEMBER_PROMOTE &&
		a->kind != ACT_MOVE_LEADER) ||
	       (a->peer <= w->nmembers && w->peers[a->peer - 1].id);
}

static void do_request(struct world *w, struct action *a, errand_list *e)
{
	if (!complete_request(w, a))
		a->kind = ACT_NOTHING;
	else if (!errand_begin(w, a, e))
		action_request(w, a);
}

void action_watch(struct world *w, const struct action *a)
{
	struct watch_options o = {.range = range_of(a),
				  .shown = bytes_of(action_prefix(a)),
				  .rev = a->number,
				  .prev_kv = a->flag && a->kind != ACT_INFORMER,
				  .no_put = a->how == 1,
				  .no_delete = a->how == 2,
				  .fragment = a->flag2,
				  .progress_notify = a->at,
				  .user = bytes_of(action_user(a->user)),
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

void action_do(struct world *w, struct action *a, errand_list *e)
{
	bool any_member = a->kind == ACT_HEAL || a->kind == ACT_PARTITION;

	if (a->member > w->nmembers && !any_member) {
		a->kind = ACT_NOTHING;
		return;
	}
	switch (a->kind) {
	case ACT_NOTHING:
	case ACT_KINDS:
		break;
	case ACT_WATCH:
	case ACT_INFORMER:
		if (!errand_begin(w, a, e))
			action_watch(w, a);
		break;
	case ACT_DROP:
	case ACT_RESUME:
	case ACT_UNWATCH:
	case ACT_STALL:
	case ACT_READ_ON:
	case ACT_PROGRESS:
		do_watcher(w, a);
		errands_go_on(w, e);
		break;
	case ACT_INTERRUPT:
		do_interrupt(w, a);
		errands_go_on(w, e);
		break;
	case ACT_START:
		action_fault(w, a);
		errands_go_on(w, e);
		break;
	default:
		if (!action_is_fault(a->kind)) {
			do_request(w, a, e);
			break;
		}
		action_fault(w, a);
		errands_go_on(w, e);
	}
}
