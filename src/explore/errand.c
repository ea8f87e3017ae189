/* Commands of several requests, as etcdctl makes them: whoever has a user logs in first;
 * move-leader asks a member whether it leads; alarm disarm asks for the alarms and clears each;
 * auth enable gives root its role if it has none.
 */
#include "explore/private.h"

/* What is waited for. */
enum stage {
	STAGE_LOGIN,
	STAGE_STATUS,
	STAGE_ALARMS,
	STAGE_DISARM,
	STAGE_ENABLE,
	STAGE_ROLE,
	STAGE_GRANT,
	STAGE_LAST
};

static uint64_t ask(struct world *w, const struct action *a, const struct request *req,
		    struct call_options o)
{
	struct request *q = heap_alloc(w->heap, sizeof *q);

	*q = *req;
	if (req->kind != REQ_AUTHENTICATE)
		q->user = bytes_of(action_user(a->user));
	return sim_call(w, q, &o);
}

/* Only the first request of a command takes a number. */
static uint64_t ask_more(struct world *w, const struct action *a, const struct request *req)
{
	struct call_options o = action_call_options(a);

	o.numbered = false;
	return ask(w, a, req, o);
}

static uint64_t log_in(struct world *w, const struct action *a)
{
	struct request q = {.kind = REQ_AUTHENTICATE};
	struct call_options o = action_call_options(a);

	q.auth.user = q.auth.password = bytes_of(action_user(a->user));
	o.timeout_ms = 5000;
	o.numbered = false;
	return ask(w, a, &q, o);
}

/* The command itself, by somebody who has logged in, or by nobody. */
static void run(struct world *w, struct errand *e)
{
	struct request q = {0};

	switch (e->a.kind) {
	case ACT_MOVE_LEADER:
		q.kind = REQ_STATUS;
		e->stage = STAGE_STATUS;
		e->call = ask(w, &e->a, &q, action_call_options(&e->a));
		return;
	case ACT_DISARM:
		q.kind = REQ_ALARM_LIST;
		e->stage = STAGE_ALARMS;
		e->call = ask(w, &e->a, &q, action_call_options(&e->a));
		return;
	case ACT_WATCH:
	case ACT_INFORMER:
		action_watch(w, &e->a);
		e->call = 0;
		return;
	default:
		e->stage = e->a.kind == ACT_AUTH && e->a.how == ACT_AUTH_ENABLE ? STAGE_ENABLE
										: STAGE_LAST;
		e->call = action_request(w, &e->a);
	}
}

static void ask_auth(struct world *w, struct errand *e, enum request_kind kind, enum stage stage)
{
	struct request q = {.kind = kind};

	q.auth.user = q.auth.role = bytes_of(action_user(ACT_ROOT));
	e->call = ask_more(w, &e->a, &q);
	e->stage = (uint8_t)stage;
}

static void move_leader(struct world *w, struct errand *e, const struct response *r)
{
	struct request q = {.kind = REQ_MOVE_LEADER};

	if (r->status->leader != r->header.member_id)
		return;
	q.move_leader.target = e->target;
	e->call = ask_more(w, &e->a, &q);
	e->stage = STAGE_LAST;
}

static void disarm_next(struct world *w, struct errand *e)
{
	struct request q = {.kind = REQ_ALARM_DEACTIVATE};

	if (e->next == e->alarms->alarms.n || e->next == MEMBERS_MAX)
		return;
	q.alarm = e->alarms->alarms.v[e->next++];
	e->call = ask_more(w, &e->a, &q);
	e->stage = STAGE_DISARM;
}

/* A stream is a connection of its own, which logs in once more (cmd/login.c). */
static bool has_stream(enum action_kind k)
{
	return k == ACT_WATCH || k == ACT_INFORMER || k == ACT_KEEP_ALIVE;
}

/* Where authentication is off, nobody is somebody. */
static void logged_in(struct world *w, struct errand *e, const struct response *r)
{
	if (r->error && r->error != ERR_AUTH_NOT_ENABLED)
		return;
	if (has_stream(e->a.kind) && e->next++ == 0) {
		e->call = log_in(w, &e->a);
		return;
	}
	if (r->error)
		e->a.user = ACT_NOBODY;
	run(w, e);
}

/* Its request has been answered.  Without another one it is over. */
static void answered(struct world *w, struct errand *e, const struct response *r)
{
	e->call = 0;
	if (e->stage == STAGE_LOGIN) {
		logged_in(w, e, r);
	} else if (e->stage == STAGE_ENABLE && r->error == ERR_NO_ROOT_ROLE) {
		ask_auth(w, e, REQ_ROLE_ADD, STAGE_ROLE);
	} else if (r->error) {
		return;
	} else if (e->stage == STAGE_STATUS) {
		move_leader(w, e, r);
	} else if (e->stage == STAGE_ALARMS) {
		e->alarms = r;
		disarm_next(w, e);
	} else if (e->stage == STAGE_DISARM) {
		disarm_next(w, e);
	} else if (e->stage == STAGE_ROLE) {
		ask_auth(w, e, REQ_USER_GRANT_ROLE, STAGE_GRANT);
	} else if (e->stage == STAGE_GRANT) {
		ask_auth(w, e, REQ_AUTH_ENABLE, STAGE_ENABLE);
	}
}

void errands_go_on(struct world *w, errand_list *list)
{
	for (size_t i = 0; i < list->n;) {
		struct errand *e = &list->v[i];
		const struct call *c = world_call(w, e->call);
		if (c->state == CALL_DONE)
			answered(w, e, c->response);
		if (e->call)
			i++;
		else
			vec_remove(list, i);
	}
}

bool errand_begin(struct world *w, const struct action *a, errand_list *list)
{
	struct errand e = {.a = *a, .stage = STAGE_LOGIN};

	if (a->user)
		e.call = log_in(w, a);
	else if (a->kind == ACT_MOVE_LEADER || a->kind == ACT_DISARM ||
		 (a->kind == ACT_AUTH && a->how == ACT_AUTH_ENABLE))
		run(w, &e);
	else
		return false;
	if (a->kind == ACT_MOVE_LEADER)
		e.target = w->peers[a->peer - 1].id;
	vec_push(list, e);
	return true;
}
