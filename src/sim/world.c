/* Making, copying, freeing and looking at a world. */
#include "sim/private.h"

#include <stdio.h>

const uint64_t member_ids[MEMBERS_MAX] = {
	0x8211f1d0f64f3269, 0x91bc3c398fb3c146, 0xfd422379fda50e48, 0x45d559f8148de837, 0xc91263fe1e1dd3b5,
	0xc095726c53f77e93, 0xf89af55e1b94f6c3, 0x5b79906609457ea0, 0x58004f6ecc3ed563,
};

static const char *const client_urls[MEMBERS_MAX] = {
	"http://127.0.0.1:2379",  "http://127.0.0.1:22379", "http://127.0.0.1:32379",
	"http://127.0.0.1:42379", "http://127.0.0.1:52379", "http://127.0.0.1:62379",
	"http://127.0.0.1:12479", "http://127.0.0.1:22479", "http://127.0.0.1:32479",
};

static const char *const peer_urls[MEMBERS_MAX] = {
	"http://127.0.0.1:12380", "http://127.0.0.1:22380", "http://127.0.0.1:32380",
	"http://127.0.0.1:42380", "http://127.0.0.1:52380", "http://127.0.0.1:62380",
	"http://127.0.0.1:12480", "http://127.0.0.1:22480", "http://127.0.0.1:32480",
};

const char *member_client_url(unsigned number)
{
	return client_urls[number - 1];
}

const char *member_peer_url(unsigned number)
{
	return peer_urls[number - 1];
}

/* Timeouts of the default profile: S2 the election timeout, S3 one tick more, ..., S1 eight more (design.md 3). */
static uint32_t fixed_timeout(unsigned number, uint32_t election_ticks)
{
	return number == 1 ? election_ticks + 8 : election_ticks + number - 2;
}

struct raft_config sim_raft_config(const struct world *w, unsigned number)
{
	uint32_t ticks = w->cfg.election_ms / w->cfg.heartbeat_ms;

	return (struct raft_config){
		.id = member_ids[number - 1],
		.election_tick = ticks,
		.heartbeat_tick = 1,
		.fixed_election_timeout = w->cfg.election_random ? 0 : fixed_timeout(number, ticks),
		.seed = w->cfg.seed,
		.max_size_per_msg = 1 << 20,
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
	return (struct raft_logger){.level = LOG_DEBUG, .line = log_line, .arg = &w->trace->sinks[number]};
}

static struct conf_state voters(unsigned n)
{
	struct conf_state c = {.nvoters = (uint8_t)n};

	/* Ascending by id, as raft keeps its sets. */
	for (unsigned i = 0; i < n; i++) {
		unsigned k = i;
		for (; k > 0 && c.voters[k - 1] > member_ids[i]; k--)
			c.voters[k] = c.voters[k - 1];
		c.voters[k] = member_ids[i];
	}
	return c;
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
	w->cfg = *cfg;
	w->prng.state = cfg->seed;
	w->nmembers = cfg->members;
	w->next_tick_ms = cfg->heartbeat_ms;
	w->next_lessor_ms = 500;
	w->instant.stage = STAGE_REST;
	w->next_call = w->next_number = w->next_stream = 1;
	w->next_lease = cfg->next_lease ? cfg->next_lease : 1;
	w->path.current = w->path.failed = -1;
	struct conf_state conf = voters(w->nmembers);
	for (unsigned i = 0; i < w->nmembers; i++) {
		struct raft_config rc = sim_raft_config(w, i + 1);
		w->members[i] = server_new(i + 1, member_ids[i], w->heap, &conf);
		server_start(w->members[i], &rc, sim_logger(w, i + 1), member_ids[0], 0, cfg->election_ms);
	}
	return w;
}

static void copy_watches(struct world *dst, const struct world *src)
{
	vec_copy(&dst->watches, &src->watches);
	for (size_t i = 0; i < src->watches.n; i++) {
		vec_copy(&dst->watches.v[i].shown_events, &src->watches.v[i].shown_events);
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
	vec_copy(&c->net, &w->net);
	vec_copy(&c->calls, &w->calls);
	vec_copy(&c->notes, &w->notes);
	vec_copy(&c->ended_leases, &w->ended_leases);
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
		vec_free(&w->watches.v[i].cache);
	}
	vec_free(&w->watches);
	vec_free(&w->work);
	vec_free(&w->net);
	vec_free(&w->calls);
	vec_free(&w->notes);
	vec_free(&w->ended_leases);
	heap_free(w->heap);
	free(w);
}

void sim_configure(struct world *w, const struct config *cfg)
{
	if (cfg->next_lease && cfg->next_lease != w->cfg.next_lease)
		w->next_lease = cfg->next_lease;
	w->cfg = *cfg;
}

unsigned world_leader(const struct world *w)
{
	unsigned best = 0;

	for (unsigned i = 1; i <= w->nmembers; i++) {
		const struct member *m = world_member(w, i);
		if (member_up(m) && raft_role(m->raft) == STATE_LEADER &&
		    (!best || raft_term(m->raft) > raft_term(world_member(w, best)->raft)))
			best = i;
	}
	return best;
}

/* What a member that is down has committed is what its disk says. */
static uint64_t committed(const struct member *m)
{
	return m->raft ? raft_commit(m->raft) : m->storage.hard_state.commit;
}

unsigned world_counters_member(const struct world *w)
{
	unsigned best = world_leader(w);

	if (best)
		return best;
	for (unsigned i = 1; i <= w->nmembers; i++) {
		const struct member *m = world_member(w, i);
		if (member_up(m) && (!best || committed(m) > committed(world_member(w, best))))
			best = i;
	}
	for (unsigned i = 1; i <= w->nmembers && !best; i++)
		best = i;
	return best;
}

unsigned world_default_endpoint(const struct world *w)
{
	if (w->cfg.endpoint && w->cfg.endpoint <= w->nmembers)
		return w->cfg.endpoint;
	unsigned leader = world_leader(w);
	for (unsigned i = 1; i <= w->nmembers && !leader; i++)
		if (member_up(world_member(w, i)))
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
	for (unsigned i = 0; i < w->nmembers; i++)
		if (member_ids[i] == id)
			return i + 1;
	return 0;
}

unsigned world_member_named(const struct world *w, struct bytes name)
{
	char hex[17];

	for (unsigned i = 1; i <= w->nmembers; i++) {
		snprintf(hex, sizeof hex, "%llx", (unsigned long long)member_ids[i - 1]);
		if ((name.n == 2 && (name.p[0] == 'S' || name.p[0] == 's') && name.p[1] == (char)('0' + i)) ||
		    bytes_is(name, hex) || bytes_is(name, client_urls[i - 1]) ||
		    bytes_is(name, client_urls[i - 1] + strlen("http://")))
			return i;
	}
	return 0;
}
