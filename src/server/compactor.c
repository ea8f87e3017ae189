#include "server/private.h"

enum { HOUR_MS = 3600000, REVISION_INTERVAL_MS = 300000, LOOKS_AN_INTERVAL = 10 };

static int64_t interval(const struct compactor *c)
{
	return c->settings.period_ms > HOUR_MS ? HOUR_MS : c->settings.period_ms;
}

static int64_t look_every(const struct compactor *c)
{
	int64_t ms = c->settings.period_ms ? interval(c) / LOOKS_AN_INTERVAL : REVISION_INTERVAL_MS;

	return ms ? ms : 1;
}

/* Of the time that is kept: the oldest is what may go. */
static void remember(struct compactor *c, int64_t rev)
{
	vec_push(&c->revs, rev);
	if ((int64_t)c->revs.n > c->settings.period_ms / look_every(c))
		vec_remove(&c->revs, 0);
}

void compactor_stop(struct compactor *c)
{
	vec_free(&c->revs);
	*c = (struct compactor){.next_ms = INT64_MAX};
}

void compactor_start(struct compactor *c, const struct compactor_settings *s, int64_t now_ms,
		     int64_t rev)
{
	compactor_stop(c);
	c->settings = *s;
	if (!s->period_ms && !s->revisions)
		return;
	c->next_ms = now_ms + look_every(c);
	c->last_ms = now_ms;
	if (s->period_ms)
		remember(c, rev);
}

static int64_t look_periodic(struct compactor *c, int64_t now_ms, int64_t rev, bool leads)
{
	int64_t wait = c->waited ? interval(c) : c->settings.period_ms, to = 0;

	if (leads && now_ms - c->last_ms >= wait) {
		c->waited = true;
		to = c->revs.v[0];
	}
	remember(c, rev);
	return to;
}

int64_t compactor_look(struct compactor *c, int64_t now_ms, int64_t rev, bool leads)
{
	c->next_ms = now_ms + look_every(c);
	if (c->settings.period_ms)
		return look_periodic(c, now_ms, rev, leads);
	int64_t to = rev - c->settings.revisions;
	return leads && to > 0 && to != c->done_rev ? to : 0;
}

void compactor_done(struct compactor *c, int64_t rev, int64_t now_ms)
{
	c->done_rev = rev;
	c->last_ms = now_ms;
}

void server_configure_compactor(struct member *m, const struct compactor_settings *s,
				int64_t now_ms)
{
	const struct compactor_settings *old = &m->compactor.settings;

	if (s->period_ms != old->period_ms || s->revisions != old->revisions)
		compactor_start(&m->compactor, s, now_ms, m->store.current_rev);
}

void server_run_compactor(struct member *m, struct server_env *env)
{
	int64_t rev = compactor_look(&m->compactor, env->now_ms, m->store.current_rev,
				     raft_role(m->raft) == STATE_LEADER);

	if (!rev)
		return;
	struct request *req = heap_alloc(m->heap, sizeof *req);
	*req = (struct request){.kind = REQ_COMPACTION, .compaction = {.revision = rev}};
	server_propose_own(m, env, req);
}
