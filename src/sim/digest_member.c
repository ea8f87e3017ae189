/* The digest of a member, field by field.  Left out is what other fields say already (the stored
 * log: the WAL has it), what is there for speed, and touched, which only tells who has to look. */
#include "sim/digest.h"

static void process(struct digest *d, const struct member *m)
{
	digest_add(d, m->number);
	digest_add(d, m->id);
	digest_add(d, m->cluster_id);
	digest_add(d, m->cluster);
	digest_add(d, m->condition);
	digest_add(d, m->silent | 2u * m->given_up);
	digest_add(d, m->life);
	digest_int(d, m->since_ms);
	digest_int(d, m->still_ms);
	digest_int(d, m->started_ms);
	digest_int(d, m->stop_ms);
	digest_text(d, m->failure);
	digest_add(d, m->kill_at);
	digest_add(d, m->kill_how);
	digest_add(d, m->bugs);
}

/* Of a clock that is right: how far it is ahead. */
static void its_clock(struct digest *d, const struct clock *c)
{
	digest_int(d, c->rate_ppm);
	digest_int(d, c->said_ms - c->from_ms);
	if (!c->rate_ppm)
		return;
	digest_int(d, c->from_ms);
	digest_int(d, c->tick_ms);
	digest_int(d, c->look_ms);
}

static void its_disk(struct digest *d, const struct disk *k)
{
	digest_add(d, k->delay_ms);
	digest_add(d, k->delay_most_ms);
	digest_add(d, k->full);
	digest_add(d, k->lose);
	digest_add(d, k->wiped);
	digest_add(d, k->empty | 2u * k->store_damaged | 4u * k->log_damaged);
}

static void hard_state(struct digest *d, const struct hard_state *s)
{
	digest_add(d, s->term);
	digest_add(d, s->vote);
	digest_add(d, s->commit);
}

static void durable(struct digest *d, const struct member *m)
{
	its_disk(d, &m->disk);
	digest_wal(d, &m->wal);
	hard_state(d, &m->storage.hard_state);
	digest_snapshot(d, &m->storage.snapshot);
	digest_snapshot(d, &m->storage.to_send);
	digest_add(d, m->storage.dummy_index);
	digest_add(d, m->storage.dummy_term);
	digest_add(d, storage_last_index(&m->storage));
	digest_store(d, &m->store);
	digest_lessor(d, &m->lessor);
	digest_membership(d, &m->membership);
	digest_alarms(d, &m->alarms);
	digest_auth(d, &m->auth);
	digest_add(d, m->applied);
	digest_add(d, m->applied_term);
	digest_add(d, m->consistent_index);
	digest_int(d, m->file_size);
	digest_add(d, m->snap_index);
}

static void messages(struct digest *d, const struct message *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++)
		digest_message(d, &v[i]);
}

static void entries(struct digest *d, const struct entry *const *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++)
		digest_entry(d, v[i]);
}

static void cycle(struct digest *d, const struct ready_cycle *c)
{
	digest_add(d, c->busy);
	if (!c->busy)
		return;
	digest_add(d, c->must_sync | 2u * c->has_hard_state | 4u * c->sent | 8u * c->synced);
	digest_add(d, c->fsync_ms);
	digest_add(d, c->apply_after);
	digest_add(d, c->wait_apply);
	digest_snapshot(d, c->snapshot);
	hard_state(d, &c->hard_state);
	entries(d, c->entries.v, c->entries.n);
	messages(d, c->messages.v, c->messages.n);
}

static void waiting(struct digest *d, const struct waiting *w)
{
	digest_add(d, w->call);
	digest_request(d, w->req);
	digest_int(d, w->start_ms);
	digest_int(d, w->limit_ms);
	digest_add(d, w->read_index);
	digest_add(d, w->no_space | 2u * w->forwarded);
	digest_add(d, w->phase);
	digest_response(d, w->response);
}

/* What it has to do. */
static void work(struct digest *d, const struct member *m)
{
	cycle(d, &m->cycle);
	entries(d, m->to_apply.v + m->apply_head, m->to_apply.n - m->apply_head);
	digest_snapshot(d, m->install);
	messages(d, m->snapshots.v, m->snapshots.n);
	digest_add(d, m->reports.n);
	for (size_t i = 0; i < m->reports.n; i++) {
		digest_add(d, m->reports.v[i].to);
		digest_int(d, m->reports.v[i].fail_ms);
	}
	digest_add(d, m->waiting.n);
	for (size_t i = 0; i < m->waiting.n; i++)
		waiting(d, &m->waiting.v[i]);
	digest_add(d, m->held.n);
	for (size_t i = 0; i < m->held.n; i++)
		digest_proposal(d, m->held.v[i]);
}

static void compactor(struct digest *d, const struct compactor *c)
{
	digest_int(d, c->settings.period_ms);
	digest_int(d, c->settings.revisions);
	digest_int(d, c->next_ms);
	digest_int(d, c->last_ms);
	digest_int(d, c->done_rev);
	digest_add(d, c->waited);
	digest_add(d, c->revs.n);
	for (size_t i = 0; i < c->revs.n; i++)
		digest_int(d, c->revs.v[i]);
}

/* What it remembers as long as it runs. */
static void memory(struct digest *d, const struct member *m)
{
	digest_watchable(d, &m->watchable);
	digest_add(d, m->events_caused);
	digest_add(d, m->victims_due);
	digest_add(d, m->lead_seen);
	digest_add(d, m->role_seen);
	digest_int(d, m->compact_pause_ms);
	digest_int(d, m->elected_ms);
	digest_int(d, m->publish_ms);
	digest_add(d, m->published | 2u * m->was_ready | 4u * m->unguarded);
	digest_add(d, m->store_ahead | 2u * m->store_behind);
	digest_add(d, m->ids);
	digest_add(d, m->read_context);
	digest_add(d, m->next_context);
	digest_int(d, m->read_asked_ms);
	digest_int(d, m->leaderless_since_ms);
	compactor(d, &m->compactor);
}

void digest_member(struct digest *d, const struct member *m)
{
	process(d, m);
	its_clock(d, &m->clock);
	durable(d, m);
	work(d, m);
	memory(d, m);
	digest_add(d, m->raft != NULL);
	if (m->raft)
		digest_raft(d, m->raft);
}
