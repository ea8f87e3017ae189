/* Making, copying, freeing and looking at a world. */
#include "sim/private.h"

#include <stdio.h>

/* Timeouts of the default profile: S2 the election timeout, S3 one tick more, ..., S1 eight more
 * (design.md 3). */
static uint32_t fixed_timeout(unsigned number, uint32_t election_ticks)
{
	return number == 1 ? election_ticks + 8 : election_ticks + number - 2;
}

struct raft_config sim_raft_config(const struct world *w, unsigned number)
{
	uint32_t ticks = w->cfg.election_ms / w->cfg.heartbeat_ms;

	return (struct raft_config){
	    .id = w->peers[number - 1].id,
	    .election_tick = ticks,
	    .heartbeat_tick = 1,
	    .fixed_election_timeout = w->cfg.election_random ? 0 : fixed_timeout(number, ticks),
	    .seed = w->cfg.seed,
	    .max_size_per_msg = w->cfg.max_size_per_msg,
	    .max_committed_size_per_ready = 1 << 20,
	    .max_inflight_msgs = 512,
	    .check_quorum = w->cfg.check_quorum,
	    .pre_vote = w->cfg.pre_vote,
	};
}

static void log_line(void *arg, enum log_level level, const char *text)
{
	const struct trace_sink *sink = arg;
	struct trace *t = sink->trace;

	if (t->level < TRACE_RAFT || (level < LOG_INFO && t->level < TRACE_ALL))
		return;
	trace_add(t, &(struct trace_record){.kind = TRACE_LOG,
					    .level = level < LOG_INFO ? TRACE_ALL : TRACE_RAFT,
					    .member = sink->member,
					    .p = heap_dup(t->heap, text, strlen(text))});
}

struct raft_logger sim_logger(struct world *w, unsigned number)
{
	if (!w->trace)
		return (struct raft_logger){.level = LOG_NONE};
	return (struct raft_logger){
	    .level = LOG_DEBUG, .line = log_line, .arg = &w->trace->sinks[number]};
}

static void begin_cluster(struct world *w)
{
	w->prng.state = w->cfg.seed;
	w->nmembers = w->cfg.members;
	w->next_tick_ms = w->cfg.heartbeat_ms;
	w->next_lessor_ms = 500;
	w->instant.stage = STAGE_REST;
	w->npaused = w->nskewed = 0;
	w->publish = w->cfg.boot_etcd;
	for (size_t i = 0; i < KUBE_MAX; i++)
		w->kube[i].next_ms = INT64_MAX;
	roster_begin(w);
	kube_configure(w, 0, 0);
}

static void take_settings(struct world *w, const struct config *cfg)
{
	w->cfg = *cfg;
	w->settings = (struct server_settings){.election_ms = cfg->election_ms,
					       .max_request_bytes = cfg->max_request_bytes,
					       .quota_bytes = cfg->quota_bytes,
					       .snapshot_count = cfg->snapshot_count,
					       .snapshot_catchup = cfg->snapshot_catchup,
					       .max_txn_ops = cfg->max_txn_ops,
					       .watch_channel = cfg->watch_channel,
					       .etcd_version = cfg->etcd_version,
					       .member_lease_ids = cfg->member_lease_ids,
					       .send_parallel = cfg->send_parallel,
					       .lease_checkpoint = cfg->lease_checkpoint};
}

struct world *world_new(const struct config *cfg, struct trace *trace)
{
	struct world *w = xcalloc(1, sizeof *w);

	w->heap = heap_new();
	w->trace = trace;
	if (trace) {
		trace->heap = w->heap;
		trace->now_ms = 0;
		trace->event = 0;
		trace_truncate(trace, 0);
	}
	take_settings(w, cfg);
	w->next_call = w->next_number = w->next_stream = 1;
	w->next_lease = cfg->next_lease ? cfg->next_lease : 1;
	w->path.current = w->path.failed = -1;
	begin_cluster(w);
	return w;
}

static void copy_watches(struct world *dst, const struct world *src)
{
	vec_copy(&dst->watches, &src->watches);
	for (size_t i = 0; i < src->watches.n; i++) {
		vec_copy(&dst->watches.v[i].shown_events, &src->watches.v[i].shown_events);
		vec_copy(&dst->watches.v[i].parts, &src->watches.v[i].parts);
		vec_copy(&dst->watches.v[i].cache, &src->watches.v[i].cache);
	}
}

struct world *world_copy(struct world *w)
{
	struct world *c = xmalloc(sizeof *c);

	heap_freeze(w->heap);
	heap_share(w->heap);
	*c = *w;
	for (unsigned i = 0; i < w->nmembers; i++)
		c->members[i] = server_copy(w->members[i]);
	vec_copy(&c->work, &w->work);
	vec_copy(&c->later, &w->later);
	vec_copy(&c->aside, &w->aside);
	vec_copy(&c->net, &w->net);
	vec_copy(&c->calls, &w->calls);
	vec_copy(&c->notes, &w->notes);
	vec_copy(&c->ended_leases, &w->ended_leases);
	vec_copy(&c->files, &w->files);
	vec_copy(&c->dirs, &w->dirs);
	copy_watches(c, w);
	return c;
}

void world_free(struct world *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < w->nmembers; i++)
		server_free(w->members[i]);
	for (size_t i = 0; i < w->watches.n; i++) {
		vec_free(&w->watches.v[i].shown_events);
		vec_free(&w->watches.v[i].parts);
		vec_free(&w->watches.v[i].cache);
	}
	vec_free(&w->watches);
	vec_free(&w->work);
	vec_free(&w->later);
	vec_free(&w->aside);
	vec_free(&w->net);
	vec_free(&w->calls);
	vec_free(&w->notes);
	vec_free(&w->ended_leases);
	vec_free(&w->files);
	vec_free(&w->dirs);
	heap_free(w->heap);
	free(w);
}

/* The settings that shape a cluster from its start. */
static bool starts_alike(const struct config *a, const struct config *b)
{
	return a->members == b->members && a->seed == b->seed &&
	       a->etcd_version == b->etcd_version && a->pre_vote == b->pre_vote &&
	       a->check_quorum == b->check_quorum && a->heartbeat_ms == b->heartbeat_ms &&
	       a->election_ms == b->election_ms && a->election_random == b->election_random &&
	       a->max_size_per_msg == b->max_size_per_msg && a->boot_etcd == b->boot_etcd;
}

void sim_configure(struct world *w, const struct config *cfg)
{
	bool alike = starts_alike(&w->cfg, cfg);

	if (cfg->next_lease && cfg->next_lease != w->cfg.next_lease)
		w->next_lease = cfg->next_lease;
	int64_t interval_ms = w->cfg.kube_compact_ms;
	uint32_t servers = w->cfg.kube_apiservers;
	take_settings(w, cfg);
	for (unsigned i = 0; i < w->nmembers; i++)
		server_set_bugs(w->members[i], cfg->bugs);
	kube_configure(w, interval_ms, servers);
	for (unsigned i = 0; i < w->nmembers; i++)
		w->members[i]->watchable.channel = cfg->watch_channel;
	if (alike || w->events > 0 || w->next_call > 1 || w->watches.n)
		return;
	for (unsigned i = 0; i < w->nmembers; i++) {
		server_free(w->members[i]);
		w->members[i] = NULL;
		w->peers[i] = (struct peer){0};
	}
	w->origin = (struct origin){0};
	begin_cluster(w);
}

/* Who leads the cluster that lives now comes before whoever leads what is left of another. */
static bool leads_before(const struct world *w, const struct member *a, const struct member *b)
{
	if (a->cluster != b->cluster)
		return a->cluster == w->cluster;
	return raft_term(a->raft) > raft_term(b->raft);
}

unsigned world_leader(const struct world *w)
{
	unsigned best = 0;

	for (unsigned i = 1; i <= w->nmembers; i++) {
		const struct member *m = world_member(w, i);
		if (member_alive(m) && raft_role(m->raft) == STATE_LEADER &&
		    (!best || leads_before(w, m, world_member(w, best))))
			best = i;
	}
	return best;
}

/* What a member that is down has committed is what its disk says. */
static uint64_t committed(const struct member *m)
{
	return m->raft ? raft_commit(m->raft) : m->storage.hard_state.commit;
}

static bool knows_more(const struct world *w, const struct member *a, const struct member *b)
{
	if (a->cluster != b->cluster)
		return a->cluster == w->cluster;
	return committed(a) > committed(b);
}

unsigned world_counters_member(const struct world *w)
{
	unsigned best = world_leader(w);

	if (best)
		return best;
	for (unsigned i = 1; i <= w->nmembers; i++) {
		const struct member *m = world_member(w, i);
		if (member_alive(m) && (!best || knows_more(w, m, world_member(w, best))))
			best = i;
	}
	for (unsigned i = 1; i <= w->nmembers && !best; i++)
		if (world_member(w, i)->condition == MEMBER_DOWN)
			best = i;
	return best ? best : 1;
}

unsigned world_default_endpoint(const struct world *w)
{
	if (w->cfg.endpoint && w->cfg.endpoint <= w->nmembers)
		return w->cfg.endpoint;
	unsigned leader = world_leader(w);
	if (leader && !link_client_reaches(w, leader))
		leader = 0;
	for (unsigned i = 1; i <= w->nmembers && !leader; i++)
		if (member_up(world_member(w, i)) && link_client_reaches(w, i))
			leader = i;
	return leader ? leader : 1;
}

unsigned world_view(const struct world *w)
{
	if (w->cfg.view && w->cfg.view <= w->nmembers)
		return w->cfg.view;
	return world_counters_member(w);
}

unsigned world_member_with_id(const struct world *w, uint64_t id)
{
	for (unsigned i = 0; i < w->nmembers && id; i++)
		if (w->peers[i].id == id)
			return i + 1;
	return 0;
}

static bool is_named(const struct world *w, unsigned number, struct bytes name)
{
	const struct peer *p = &w->peers[number - 1];
	char hex[17];

	if (name.n == 2 && (name.p[0] == 'S' || name.p[0] == 's') &&
	    name.p[1] == (char)('0' + number))
		return true;
	snprintf(hex, sizeof hex, "%llx", (unsigned long long)p->id);
	return p->id &&
	       (bytes_is(name, p->name) || bytes_is(name, hex) || bytes_is(name, p->client_url) ||
		bytes_is(name, p->client_url + strlen("http://")));
}

unsigned world_member_named(const struct world *w, struct bytes name)
{
	for (unsigned i = 1; i <= w->nmembers; i++)
		if (is_named(w, i, name))
			return i;
	return 0;
}

const struct conf_state *world_conf(const struct world *w)
{
	return server_conf(world_member(w, world_counters_member(w)));
}

unsigned world_quorum(const struct world *w)
{
	return world_conf(w)->nvoters / 2u + 1;
}
