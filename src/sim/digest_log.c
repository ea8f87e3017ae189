/* Digests of logs, and of what members send each other about them. */
#include "sim/digest.h"

static void members(struct digest *d, const uint64_t *v, uint8_t n)
{
	digest_add(d, n);
	for (uint8_t i = 0; i < n; i++)
		digest_add(d, v[i]);
}

void digest_conf(struct digest *d, const struct conf_state *c)
{
	members(d, c->voters, c->nvoters);
	members(d, c->outgoing, c->noutgoing);
	members(d, c->learners, c->nlearners);
	members(d, c->learners_next, c->nlearners_next);
	digest_add(d, c->auto_leave);
}

void digest_proposal(struct digest *d, const struct proposal *p)
{
	digest_add(d, p != NULL);
	if (!p)
		return;
	digest_add(d, p->call);
	digest_add(d, p->member);
	digest_add(d, p->auth_revision);
	digest_add(d, p->refused);
	digest_int(d, p->made_ms);
	digest_request(d, p->req);
}

/* What there is as a proposal is perhaps not there as bytes. */
void digest_entry(struct digest *d, const struct entry *e)
{
	digest_add(d, e != NULL);
	if (!e)
		return;
	digest_add(d, e->term);
	digest_add(d, e->index);
	digest_add(d, e->type);
	digest_add(d, e->size);
	digest_bytes(d, (struct bytes){e->data, e->data ? e->size : 0});
	digest_proposal(d, e->payload);
}

void digest_snapshot(struct digest *d, const struct snapshot *s)
{
	digest_add(d, s != NULL);
	if (!s)
		return;
	digest_add(d, s->index);
	digest_add(d, s->term);
	digest_conf(d, &s->conf);
	digest_image(d, s->data);
}

void digest_message(struct digest *d, const struct message *m)
{
	digest_add(d, m->type);
	digest_add(d, m->reject | 2u * m->transfer | 4u * m->has_context);
	digest_add(d, m->to);
	digest_add(d, m->from);
	digest_add(d, m->term);
	digest_add(d, m->log_term);
	digest_add(d, m->index);
	digest_add(d, m->commit);
	digest_add(d, m->vote);
	digest_add(d, m->reject_hint);
	digest_add(d, m->context);
	digest_add(d, m->nentries);
	for (size_t i = 0; i < m->nentries; i++)
		digest_entry(d, m->entries[i]);
	digest_snapshot(d, m->snapshot);
}

static void record(struct digest *d, const struct wal_record *r)
{
	digest_add(d, r->type);
	digest_add(d, r->received);
	if (r->type == WAL_ENTRY) {
		digest_entry(d, r->entry);
	} else if (r->type == WAL_SNAPSHOT) {
		digest_snapshot(d, r->snapshot);
	} else {
		digest_add(d, r->state.term);
		digest_add(d, r->state.vote);
		digest_add(d, r->state.commit);
	}
}

void digest_wal(struct digest *d, const struct wal *w)
{
	digest_snapshot(d, w->base);
	digest_add(d, w->base_term);
	digest_add(d, w->base_vote);
	digest_add(d, w->base_commit);
	digest_add(d, w->synced);
	digest_add(d, w->last);
	digest_add(d, w->durable);
	digest_add(d, w->records.first);
	digest_add(d, w->records.end);
	for (uint64_t i = w->records.first; i < w->records.end; i++)
		record(d, pvec_get(&w->records, i));
	digest_add(d, w->ndamages);
	for (uint32_t i = 0; i < w->ndamages; i++) {
		digest_add(d, w->damages[i].kind);
		digest_add(d, w->damages[i].record);
		digest_add(d, w->damages[i].n);
	}
}

static void progress(struct digest *d, const struct progress_view *p)
{
	digest_add(d, p->id);
	digest_add(d, p->match);
	digest_add(d, p->next);
	digest_add(d, p->pending_snapshot);
	digest_add(d, p->state);
	digest_add(d, p->recent_active | 2u * p->paused | 4u * p->is_learner);
	digest_add(d, p->inflight);
}

void digest_raft(struct digest *d, const struct raft *r)
{
	digest_add(d, raft_term(r));
	digest_add(d, raft_vote(r));
	digest_add(d, raft_lead(r));
	digest_add(d, raft_role(r));
	digest_add(d, raft_commit(r));
	digest_add(d, raft_applied(r));
	digest_add(d, raft_stable_index(r));
	digest_add(d, raft_election_elapsed(r));
	digest_add(d, raft_randomized_timeout(r));
	digest_conf(d, raft_conf(r));
	digest_add(d, raft_first_index(r));
	digest_add(d, raft_last_index(r));
	for (uint64_t i = raft_first_index(r); i <= raft_last_index(r); i++)
		digest_entry(d, raft_entry(r, i));
	for (size_t i = 0; i < raft_nprogress(r); i++) {
		struct progress_view p = raft_progress(r, i);
		progress(d, &p);
	}
}
