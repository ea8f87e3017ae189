/* One event after the other, in the order of design.md 3:
 *
 *   at the beginning of an instant   ticks by member, the lessors' looks, time limits, compactors
 *   then, until nothing is left      local work, oldest first; only when there is none, one message
 *
 * The clock moves only by sim_advance.
 */
#include "sim/private.h"

struct server_env sim_env(struct world *w)
{
	return (struct server_env){.now_ms = w->now_ms,
				   .set = &w->settings,
				   .next_lease = &w->next_lease,
				   .prng = &w->prng,
				   .npeers = w->nmembers,
				   .peers = w->peers,
				   .work = &w->work};
}

void sim_cause_at(struct world *w, enum work_kind kind, unsigned member, uint64_t arg,
		  int64_t due_ms)
{
	vec_push(&w->work, (struct work){.kind = kind,
					 .member = (uint8_t)member,
					 .life = member ? world_member(w, member)->life : 0,
					 .arg = arg,
					 .due_ms = due_ms});
}

void sim_cause(struct world *w, enum work_kind kind, unsigned member, uint64_t arg)
{
	sim_cause_at(w, kind, member, arg, w->now_ms);
}

/* What is next at the beginning of the instant; false: its beginning is over. */
struct timed {
	enum instant_stage stage;
	unsigned member;
};

static bool tick_due(const struct world *w, const struct member *m)
{
	return w->now_ms == clock_next_tick(w, m);
}

static bool looks(const struct member *m)
{
	return m->lessor.primary && m->lessor.leases.n;
}

static bool look_due(const struct world *w, const struct member *m)
{
	return looks(m) && w->now_ms == clock_next_look(w, m);
}

static bool next_timed(const struct world *w, struct timed *t)
{
	unsigned from = w->instant.member;

	t->stage = (enum instant_stage)w->instant.stage;
	for (; t->stage < STAGE_LIMITS; t->stage++, from = 0) {
		for (t->member = from + 1; t->member <= w->nmembers; t->member++) {
			const struct member *m = world_member(w, t->member);
			bool due = t->stage == STAGE_TICKS ? tick_due(w, m) : look_due(w, m);
			if (due && member_up(m))
				return true;
		}
	}
	t->member = 0;
	if (t->stage == STAGE_LIMITS && client_limit_due(w))
		return true;
	if (t->stage <= STAGE_COMPACTORS && kube_next_ms(w) <= w->now_ms) {
		t->stage = STAGE_COMPACTORS;
		return true;
	}
	return false;
}

/* What a change of a member's raft brings with it: it may die of a commit, its records are made,
 * and watchers look for another leader. */
void sim_changed(struct world *w, struct member *m, const struct observed *before)
{
	if (m->life != before->life)
		return;
	if (raft_view_holds(m->raft, &before->raft)) /* mostly */
		return;
	if (raft_commit(m->raft) > before->raft.commit && fault_strikes(w, m, KILL_COMMIT))
		return;
	if (observe_after(w, m, before))
		watcher_move_all(w);
}

static void run_tick(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	struct observed before = observe_before(m);

	observe_tick(w, m->number);
	server_tick(m, &env);
	sim_changed(w, m, &before);
	if (m->waiting.n)
		client_answer_leases(w, m);
	if (w->watches.n)
		watcher_check_leader(w, m);
}

static void run_lessor(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	size_t from = w->work.n;

	server_lease_look(m, &env);
	for (size_t i = from; i < w->work.n; i++) {
		const struct proposal *p = (const struct proposal *)(uintptr_t)w->work.v[i].arg;
		if (p->req->kind == REQ_LEASE_REVOKE)
			observe_lease(w, m->number, p->req->revoke.id, LEASE_EXPIRED, 0);
	}
}

static void run_timed(struct world *w, const struct timed *t)
{
	w->instant.stage = (uint8_t)t->stage;
	w->instant.member = (uint8_t)t->member;
	if (t->member)
		world_member(w, t->member)->touched++;
	if (t->stage == STAGE_TICKS)
		run_tick(w, world_member(w, t->member));
	else if (t->stage == STAGE_LESSORS)
		run_lessor(w, world_member(w, t->member));
	else if (t->stage == STAGE_LIMITS)
		client_run_limit(w);
	else
		kube_run(w);
}

/* The beginning of the instant is over: what came round is due again later. */
static void end_beginning(struct world *w)
{
	if (w->instant.stage == STAGE_REST)
		return;
	w->instant.stage = STAGE_REST;
	if (w->now_ms == w->next_tick_ms)
		w->next_tick_ms += w->cfg.heartbeat_ms;
	if (w->now_ms == w->next_lessor_ms)
		w->next_lessor_ms += 500;
	clock_end_instant(w);
}

static struct work take_work(struct world *w)
{
	struct work k = w->work.v[w->work_head++];

	if (w->work_head == w->work.n)
		w->work_head = w->work.n = 0;
	return k;
}

/* Proposals and Readies are appended before they are durable; a proposal that raft takes shows what
 * it appended. */
static void run_propose(struct world *w, struct member *m, uint64_t arg)
{
	struct server_env env = sim_env(w);
	struct observed before = observe_before(m);
	uint64_t written = m->wal.records.end;

	server_propose(m, &env, (const struct proposal *)(uintptr_t)arg);
	if (m->wal.records.end != written)
		observe_append(w, m);
	sim_changed(w, m, &before);
}

static void run_append(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	struct observed before = observe_before(m);

	observe_append(w, m);
	server_append(m, &env);
	sim_changed(w, m, &before);
}

static void run_fsync(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	struct observed before = observe_before(m);

	observe_fsync(w, m);
	if (m->cycle.fsync_ms > 1000) /* etcd: wal.go, warnSyncDuration */
		observe_log(w, m, "sync duration of %gs, expected less than 1s",
			    m->cycle.fsync_ms / 1000.0);
	server_fsync(m, &env);
	sim_changed(w, m, &before);
}

static void run_send(struct world *w, struct member *m)
{
	struct observed before = observe_before(m);

	net_send_ready(w, m);
	sim_changed(w, m, &before);
}

static void log_snapshot(struct world *w, const struct member *m, uint64_t before)
{
	unsigned long long index = m->snap_index, first = server_first_index(m);

	observe_log(w, m,
		    "triggering snapshot [applied index: %llu, last snapshot index: %llu, snapshot "
		    "count: %llu]",
		    index, (unsigned long long)before, (unsigned long long)w->cfg.snapshot_count);
	observe_log(w, m, "saved snapshot [index: %llu]", index);
	if (first > 1)
		observe_log(w, m, "compacted Raft logs [compact index: %llu]", first - 1);
}

static void run_apply(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	int64_t rev = m->store.current_rev;
	uint64_t snap = m->snap_index;
	const struct entry *e = server_apply(m, &env);

	if (!e) {
		fault_ends(w, m);
		return;
	}
	observe_apply(w, m, e, rev);
	if (m->snap_index != snap)
		log_snapshot(w, m, snap);
	if (e->type != ENTRY_NORMAL)
		roster_learn(w, m, e);
	for (unsigned i = 0; i < w->nmembers && m->lessor.primary; i++)
		if (member_up(w->members[i]) && server_wants_lease_answer(w->members[i]))
			client_answer_leases(w, w->members[i]);
	fault_ends(w, m);
}

static void run_install(struct world *w, struct member *m)
{
	struct server_env env = sim_env(w);
	struct observed before = observe_before(m);
	int64_t rev = m->store.current_rev;
	const struct snapshot *s = server_install(m, &env);

	if (s)
		observe_install(w, m, s, rev);
	sim_changed(w, m, &before);
}

static enum kill_point point_of(enum work_kind k)
{
	switch (k) {
	case WORK_PROPOSE:
	case WORK_APPEND:
		return KILL_APPEND;
	case WORK_FSYNC:
		return KILL_FSYNC;
	case WORK_SEND:
	case WORK_SNAPSHOT:
		return KILL_SEND;
	case WORK_APPLY:
	case WORK_INSTALL:
		return KILL_APPLY;
	case WORK_REPLY:
		return KILL_REPLY;
	default:
		return KILL_NOW;
	}
}

/* What has left its member, or is on the way between two. */
static void run_arrival(struct world *w, const struct work *k)
{
	if (k->kind == WORK_REPLY)
		client_reply_arrives(w, k->arg);
	else if (k->kind == WORK_EVENT)
		watcher_receive(w, k->arg);
	else
		forward_arrive(w, k->arg);
}

static inline __attribute__((always_inline)) void run_work(struct world *w, const struct work *k)
{
	if (!k->member) {
		run_arrival(w, k);
		return;
	}
	struct member *m = world_member(w, k->member);

	m->touched++;
	switch (k->kind) {
	case WORK_REQUEST:
		client_arrive(w, k->member, k->arg);
		break;
	case WORK_PROPOSE:
		run_propose(w, m, k->arg);
		break;
	case WORK_APPEND:
		run_append(w, m);
		break;
	case WORK_FSYNC:
		run_fsync(w, m);
		break;
	case WORK_SEND:
		run_send(w, m);
		break;
	case WORK_APPLY:
		run_apply(w, m);
		break;
	case WORK_INSTALL:
		run_install(w, m);
		break;
	case WORK_SNAPSHOT:
		net_send_snapshot(w, m);
		break;
	case WORK_REPLY:
		client_reply(w, m, k->arg);
		break;
	case WORK_WATCH:
		watcher_arrive(w, k->arg);
		break;
	case WORK_SYNC: {
		struct server_env env = sim_env(w);
		server_sync_watchers(m, &env);
		watcher_synced(w, m);
		break;
	}
	case WORK_EVENT:
		watcher_send(w, m);
		break;
	case WORK_VICTIMS: {
		struct server_env env = sim_env(w);
		server_retry_victims(m, &env);
		break;
	}
	case WORK_ASK_PROGRESS:
		watcher_ask_progress(w, m, k->arg);
		break;
	case WORK_PROGRESS: {
		struct server_env env = sim_env(w);
		server_report_progress(m, &env, k->arg);
		break;
	}
	case WORK_SNAPSHOT_REPORT:
		net_report_snapshot(w, m, k->arg, true);
		break;
	case WORK_FORWARD:
		break; /* it is nobody's own */
	}
}

/* Work of a member that has died since is void. */
static bool is_void(const struct world *w, const struct work *k)
{
	if (!k->member)
		return false;
	const struct member *m = world_member(w, k->member);

	return !member_alive(m) || m->life != k->life;
}

static bool is_now(const struct world *w, const struct work *k)
{
	return k->due_ms <= w->now_ms && !is_void(w, k) && !stands_still(w, k->member);
}

/* Work that takes time waits for its instant. */
static void put_off(struct world *w, const struct work *k)
{
	size_t i = w->later.n;

	vec_push(&w->later, *k);
	for (; i > 0 && w->later.v[i - 1].due_ms > k->due_ms; i--)
		w->later.v[i] = w->later.v[i - 1];
	w->later.v[i] = *k;
}

/* The head of the list is not for this instant, or for nobody, or its member stands still. */
static __attribute__((noinline)) void pass_over(struct world *w)
{
	struct work k = take_work(w);

	if (k.due_ms > w->now_ms)
		put_off(w, &k);
	else if (!is_void(w, &k))
		pause_put_aside(w, &k);
}

/* The head of the list is work for this instant, or there is none. */
static void settle_work(struct world *w)
{
	while (w->work_head < w->work.n && !is_now(w, &w->work.v[w->work_head]))
		pass_over(w);
}

/* What was put off until now is this instant's first work. */
static void begin_put_off(struct world *w)
{
	size_t n = 0;

	for (; n < w->later.n && w->later.v[n].due_ms <= w->now_ms; n++)
		vec_push(&w->work, w->later.v[n]);
	if (!n)
		return;
	w->later.n -= n;
	memmove(w->later.v, w->later.v + n, w->later.n * sizeof *w->later.v);
}

static void begin_event(struct world *w)
{
	w->events++;
	if (w->trace) {
		w->trace->now_ms = w->now_ms;
		w->trace->event = w->events;
	}
}

static __attribute__((noinline)) void die_as_follower(struct world *w, struct member *m)
{
	if (member_up(m) && raft_role(m->raft) != STATE_LEADER)
		fault_die(w, m, (enum kill_how)m->kill_how);
}

/* member: the one whose event it was; 0: no member's. */
static void end_event(struct world *w, unsigned member)
{
	if (member && world_member(w, member)->kill_at == KILL_WHEN_FOLLOWER)
		die_as_follower(w, world_member(w, member));
	settle_work(w);
	if (w->trace)
		w->ntrace = w->trace->end;
}

bool sim_step(struct world *w)
{
	struct timed t;

	if (w->instant.stage != STAGE_REST) {
		if (next_timed(w, &t)) {
			begin_event(w);
			run_timed(w, &t);
			end_event(w, t.member);
			return true;
		}
		end_beginning(w);
	}
	settle_work(w);
	if (w->work_head < w->work.n) {
		struct work k = take_work(w);
		begin_event(w);
		if (!k.member || !fault_strikes(w, world_member(w, k.member), point_of(k.kind)))
			run_work(w, &k);
		end_event(w, k.member);
		return true;
	}
	size_t flight = net_next(w);
	if (flight == SIZE_MAX)
		return false;
	begin_event(w);
	end_event(w, net_deliver(w, flight));
	return true;
}

bool sim_pending(const struct world *w)
{
	struct timed t;

	for (size_t i = w->work_head; i < w->work.n; i++)
		if (is_now(w, &w->work.v[i]))
			return true;
	return next_timed(w, &t) || net_pending(w);
}

int64_t sim_next_ms(const struct world *w)
{
	int64_t next = w->next_tick_ms, limit = client_next_limit(w), compactor = kube_next_ms(w);

	for (unsigned i = 0; i < w->nmembers; i++) {
		const struct member *m = w->members[i];
		if (!member_up(m))
			continue;
		if (looks(m) && clock_next_look(w, m) < next)
			next = clock_next_look(w, m);
		if (w->nskewed && clock_next_tick(w, m) < next)
			next = clock_next_tick(w, m);
	}
	if (limit < next)
		next = limit;
	if (compactor < next)
		next = compactor;
	for (size_t i = w->net_head; i < w->net.n && w->net.v[i].due_ms < next; i++)
		if (!stands_still(w, w->net.v[i].to))
			next = w->net.v[i].due_ms;
	if (w->later.n && w->later.v[0].due_ms < next)
		next = w->later.v[0].due_ms;
	return next > w->now_ms ? next : w->now_ms;
}

void sim_advance(struct world *w, int64_t ms)
{
	check_that(ms >= w->now_ms);
	end_beginning(w);
	w->now_ms = ms;
	if (w->trace)
		w->trace->now_ms = ms;
	/* Looks that nobody needed are passed over. */
	while (w->next_lessor_ms < ms)
		w->next_lessor_ms += 500;
	begin_put_off(w);
	w->instant.stage = STAGE_TICKS;
	w->instant.member = 0;
}

bool sim_under_way(const struct world *w)
{
	for (size_t i = w->net_head; i < w->net.n; i++) {
		const struct flight *f = &w->net.v[i];
		if (stands_still(w, f->to))
			continue;
		bool beat = f->m.type == MSG_HEARTBEAT || f->m.type == MSG_HEARTBEAT_RESP;
		if (!beat || f->m.has_context)
			return true;
	}
	/* A watcher's next report is as regular as a heartbeat. */
	for (size_t i = 0; i < w->later.n; i++)
		if (!is_void(w, &w->later.v[i]) && !stands_still(w, w->later.v[i].member) &&
		    w->later.v[i].kind != WORK_PROGRESS)
			return true;
	return false;
}

bool sim_quiet(const struct world *w)
{
	if (sim_under_way(w))
		return false;
	for (size_t i = w->work_head; i < w->work.n; i++)
		if (!is_void(w, &w->work.v[i]) && !stands_still(w, w->work.v[i].member))
			return false;
	for (size_t i = 0; i < w->calls.n; i++)
		if (w->calls.v[i].state == CALL_OPEN)
			return false;
	return true;
}

bool sim_has_leader(const struct world *w)
{
	unsigned leader = world_leader(w);

	if (!leader || !member_up(world_member(w, leader)))
		return false;
	const struct raft *r = world_member(w, leader)->raft;
	return raft_entry_term(r, raft_commit(r)) == raft_term(r);
}

static const char *work_name(enum work_kind k)
{
	static const char *const names[] = {
	    [WORK_REQUEST] = "the request arrives at",
	    [WORK_PROPOSE] = "append at",
	    [WORK_APPEND] = "append at",
	    [WORK_FSYNC] = "fsync at",
	    [WORK_SEND] = "send from",
	    [WORK_APPLY] = "apply at",
	    [WORK_INSTALL] = "apply of a snapshot at",
	    [WORK_SNAPSHOT] = "send of a snapshot from",
	    [WORK_REPLY] = "reply from",
	    [WORK_WATCH] = "watch request at",
	    [WORK_SYNC] = "replay at",
	    [WORK_EVENT] = "watch event from",
	    [WORK_VICTIMS] = "retry of full watch channels at",
	    [WORK_ASK_PROGRESS] = "progress request at",
	    [WORK_PROGRESS] = "progress report of",
	    [WORK_SNAPSHOT_REPORT] = "report of a snapshot reaches",
	    [WORK_FORWARD] = "forwarded request reaches a member",
	};
	return names[k];
}

static void describe_work(const struct work *k, struct buf *out)
{
	if (k->member)
		buf_printf(out, "%s S%u", work_name(k->kind), k->member);
	else if (k->kind == WORK_FORWARD)
		buf_puts(out, work_name(k->kind));
	else
		buf_printf(out, "%s reaches its client",
			   k->kind == WORK_REPLY ? "the reply" : "a watch event");
}

bool sim_describe_next(const struct world *w, struct buf *out)
{
	static const char *const stages[] = {"tick of", "the lessor's look at"};
	struct timed t;

	if (next_timed(w, &t)) {
		if (t.member)
			buf_printf(out, "%s S%u", stages[t.stage], t.member);
		else
			buf_puts(out, t.stage == STAGE_LIMITS ? "a time limit ends"
							      : "a compactor's look");
		return true;
	}
	for (size_t i = w->work_head; i < w->work.n; i++)
		if (is_now(w, &w->work.v[i])) {
			describe_work(&w->work.v[i], out);
			return true;
		}
	size_t i = net_next(w);
	if (i == SIZE_MAX)
		return false;
	const struct flight *f = &w->net.v[i];
	buf_printf(out, "%s from S%u reaches S%u", message_type_name(f->m.type), f->from, f->to);
	return true;
}
