/* A digest of a world: what decides its future and its picture.  No pointer goes in, so that it is
 * the same in every run.
 */
#include "sim/private.h"

struct digest {
	uint64_t h;
};

static void add(struct digest *d, uint64_t v)
{
	d->h = (d->h ^ v) * 0x9e3779b97f4a7c15u;
	d->h ^= d->h >> 29;
}

static void add_bytes(struct digest *d, struct bytes s)
{
	add(d, s.n);
	for (size_t i = 0; i < s.n; i++)
		add(d, (unsigned char)s.p[i]);
}

static void add_row(struct digest *d, const struct row *r)
{
	add(d, (uint64_t)r->main);
	add(d, r->sub);
	add(d, (uint64_t)r->create);
	add(d, (uint64_t)r->lease);
	add(d, r->version);
	add(d, row_is_tombstone(r));
	add_bytes(d, row_key(r));
	add_bytes(d, row_value(r));
}

static void add_log(struct digest *d, const struct raft *r)
{
	for (uint64_t i = raft_first_index(r); i <= raft_last_index(r); i++) {
		const struct entry *e = raft_entry(r, i);
		add(d, e ? e->term : 0);
		add(d, e ? e->type : 0);
		add(d, e ? e->size : 0);
	}
}

static void add_raft(struct digest *d, const struct raft *r)
{
	add_log(d, r);
	add(d, raft_term(r));
	add(d, raft_vote(r));
	add(d, raft_lead(r));
	add(d, raft_role(r));
	add(d, raft_commit(r));
	add(d, raft_applied(r));
	add(d, raft_last_index(r));
	add(d, raft_stable_index(r));
	add(d, raft_entry_term(r, raft_last_index(r)));
	add(d, raft_election_elapsed(r));
	add(d, raft_randomized_timeout(r));
	for (size_t i = 0; i < raft_nprogress(r); i++) {
		struct progress_view p = raft_progress(r, i);
		add(d, p.match);
		add(d, p.next);
		add(d, p.state);
		add(d, p.recent_active);
		add(d, p.paused);
		add(d, p.inflight);
	}
}

/* Every row: a digest is for tests and for the end of a run, not for a frame. */
static void add_store(struct digest *d, const struct mvcc *s)
{
	uint64_t n = mvcc_row_count(s);

	add(d, (uint64_t)s->current_rev);
	add(d, (uint64_t)s->compact_rev);
	add(d, (uint64_t)s->live_keys);
	add(d, (uint64_t)s->size);
	add(d, n);
	for (uint64_t i = 0; i < n; i++)
		add_row(d, mvcc_row(s, i));
}

static void add_membership(struct digest *d, const struct member *m)
{
	const struct conf_state *conf = server_conf(m);

	for (size_t i = 0; i < m->membership.n; i++) {
		const struct member_info *info = &m->membership.members[i];
		add(d, info->id);
		add(d, info->is_learner);
		add_bytes(d, bytes_of(info->name));
		add_bytes(d, bytes_of(info->peer_url));
	}
	add(d, m->membership.nremoved);
	add(d, m->membership.version);
	for (size_t i = 0; i < conf->nvoters; i++)
		add(d, conf->voters[i]);
	for (size_t i = 0; i < conf->nlearners; i++)
		add(d, conf->learners[i]);
}

static void add_auth(struct digest *d, const struct auth *a)
{
	add(d, a->enabled);
	add(d, a->revision);
	for (size_t i = 0; i < a->nusers; i++) {
		add_bytes(d, a->users[i].name);
		add(d, a->users[i].nroles);
	}
	for (size_t i = 0; i < a->nroles; i++) {
		add_bytes(d, a->roles[i].name);
		add(d, a->roles[i].npermissions);
	}
}

static void add_disk(struct digest *d, const struct member *m)
{
	const struct disk *k = &m->disk;

	add(d, (uint64_t)k->delay_ms << 32 | k->delay_most_ms);
	add(d, (uint64_t)k->full | (uint64_t)k->lose << 1 | (uint64_t)k->empty << 3 |
		   (uint64_t)k->store_damaged << 4 | (uint64_t)k->log_damaged << 5);
	add(d, k->wiped);
	for (uint32_t i = 0; i < m->wal.ndamages; i++) {
		add(d, m->wal.damages[i].kind);
		add(d, m->wal.damages[i].record);
		add(d, m->wal.damages[i].n);
	}
	add_bytes(d, bytes_of(m->failure ? m->failure : ""));
}

static void add_watchable(struct digest *d, const struct member *m)
{
	const struct watchable *w = &m->watchable;

	add(d, w->watchers.n);
	add(d, w->queue.n);
	add(d, w->unread.n);
	add(d, w->victims.n);
	add(d, m->victims_due);
	for (size_t i = 0; i < w->watchers.n; i++) {
		add(d, w->watchers.v[i].group);
		add(d, (uint64_t)w->watchers.v[i].min_rev);
		add(d, w->watchers.v[i].quiet);
		add(d, (uint64_t)w->watchers.v[i].progress_ms);
	}
}

static void add_member(struct digest *d, const struct member *m)
{
	add(d, m->condition);
	add(d, m->given_up + 2u * m->was_paused);
	if (m->condition == MEMBER_PAUSED || m->silent)
		add(d, (uint64_t)m->still_ms);
	add(d, (uint64_t)m->clock.rate_ppm);
	add(d, (uint64_t)(m->clock.said_ms - m->clock.from_ms));
	if (m->clock.rate_ppm) {
		add(d, (uint64_t)m->clock.from_ms);
		add(d, (uint64_t)m->clock.tick_ms);
		add(d, (uint64_t)m->clock.look_ms);
	}
	add(d, m->cluster_id);
	add(d, m->cluster);
	add(d, m->life);
	add(d, m->applied);
	add(d, m->applied_term);
	add(d, m->consistent_index);
	add(d, m->snap_index);
	add(d, m->storage.dummy_index);
	add(d, (uint64_t)m->stop_ms);
	add(d, (uint64_t)m->elected_ms);
	add(d, (uint64_t)m->publish_ms);
	add(d, (uint64_t)m->started_ms);
	add(d, m->ids);
	add(d, m->published);
	add(d, m->unguarded);
	add(d, m->store_ahead);
	add(d, m->store_behind);
	add(d, (uint64_t)m->compact_pause_ms);
	add(d, m->install ? m->install->index : 0);
	add(d, m->snapshots.n + m->reports.n);
	add_membership(d, m);
	add(d, (uint64_t)m->file_size);
	add_auth(d, &m->auth);
	for (size_t i = 0; i < m->alarms.n; i++) {
		add(d, m->alarms.v[i].member_id);
		add(d, m->alarms.v[i].kind);
	}
	add_disk(d, m);
	add(d, m->wal.synced);
	add(d, m->wal.records.end);
	add(d, m->cycle.busy);
	add(d, m->cycle.fsync_ms);
	add(d, m->to_apply.n - m->apply_head);
	add(d, m->kill_at);
	add(d, m->kill_how);
	for (size_t i = 0; i < m->waiting.n; i++) {
		add(d, m->waiting.v[i].call);
		add(d, m->waiting.v[i].phase);
		add(d, m->waiting.v[i].read_index);
		add(d, m->waiting.v[i].forwarded);
	}
	add(d, m->held.n);
	add_watchable(d, m);
	add(d, m->lessor.primary);
	add(d, (uint64_t)m->compactor.next_ms);
	add(d, (uint64_t)m->compactor.last_ms);
	add(d, (uint64_t)m->compactor.done_rev);
	add(d, m->compactor.revs.n);
	for (size_t i = 0; i < m->lessor.leases.n; i++) {
		add(d, (uint64_t)m->lessor.leases.v[i]->id);
		add(d, (uint64_t)m->lessor.leases.v[i]->expiry_ms);
		add(d, (uint64_t)m->lessor.leases.v[i]->remaining_ttl);
		add(d, (uint64_t)m->lessor.leases.v[i]->checkpoint_ms);
		add(d, m->lessor.leases.v[i]->keys.n);
	}
	if (m->raft)
		add_raft(d, m->raft);
	add_store(d, &m->store);
}

static void add_link(struct digest *d, const struct world *w, unsigned from, unsigned to)
{
	const struct link *l = &w->link[from][to];

	add(d, w->cut[from][to]);
	add(d, (uint64_t)w->cut_ms[from][to]);
	if (w->link_last_ms[from][to] > w->now_ms)
		add(d, (uint64_t)w->link_last_ms[from][to]);
	if (!link_is_set(l))
		return;
	add(d, (uint64_t)l->delay_ms);
	add(d, (uint64_t)l->delay_max_ms);
	add(d, l->loss);
	add(d, l->duplicate);
	add(d, l->reorder);
}

static void add_net(struct digest *d, const struct world *w)
{
	for (size_t i = w->net_head; i < w->net.n; i++) {
		const struct flight *f = &w->net.v[i];
		add(d, f->m.type);
		add(d, f->from);
		add(d, f->to);
		add(d, f->m.term);
		add(d, f->m.index);
		add(d, f->m.commit);
		add(d, f->m.nentries);
		add(d, f->copy);
		add(d, (uint64_t)f->due_ms);
	}
	for (size_t i = w->work_head; i < w->work.n; i++) {
		add(d, w->work.v[i].kind);
		add(d, w->work.v[i].member);
	}
	for (size_t i = 0; i < w->later.n; i++) {
		add(d, w->later.v[i].kind);
		add(d, w->later.v[i].member);
		add(d, (uint64_t)w->later.v[i].due_ms);
	}
	for (size_t i = 0; i < w->aside.n; i++) {
		add(d, w->aside.v[i].kind);
		add(d, w->aside.v[i].member);
	}
	for (unsigned i = 0; i < w->nmembers; i++)
		for (unsigned j = 0; j < w->nmembers; j++)
			add(d, (uint64_t)w->active_ms[i][j]);
	for (unsigned i = 0; i < LINK_ENDS && w->faulty; i++)
		for (unsigned j = 0; j < LINK_ENDS; j++)
			add_link(d, w, i, j);
	for (unsigned i = 0; i < w->nmembers; i++) {
		add(d, w->peers[i].id);
		add(d, w->peers[i].started);
	}
}

static void add_watch(struct digest *d, const struct watch_client *c)
{
	add(d, c->state);
	add_bytes(d, c->range.key);
	add_bytes(d, c->range.end);
	add(d, (uint64_t)c->from);
	for (size_t i = 0; i < c->nasked; i++)
		add(d, c->asked[i]);
	add(d, c->gone);
	add(d, c->stalled);
	add(d, c->session);
	add(d, (uint64_t)c->seen);
	add(d, c->nevents);
	add(d, c->nprogress);
	add(d, c->parts.n);
	add(d, c->at);
	add(d, c->cache.n);
	add(d, (uint64_t)c->retry_ms);
}

static void add_clients(struct digest *d, const struct world *w)
{
	for (size_t i = 0; i < KUBE_MAX; i++) {
		add(d, (uint64_t)w->kube[i].next_ms);
		add(d, (uint64_t)w->kube[i].time);
		add(d, (uint64_t)w->kube[i].rev);
		add(d, w->kube[i].call);
	}
	for (size_t i = 0; i < w->calls.n; i++) {
		add(d, w->calls.v[i].id);
		add(d, w->calls.v[i].state);
		add(d, (uint64_t)w->calls.v[i].rev_after);
		add(d, w->calls.v[i].log_after);
		add(d, w->calls.v[i].under_way);
		add(d, w->calls.v[i].replied);
		add(d, (uint64_t)w->calls.v[i].gives_up_ms);
	}
	for (size_t i = 0; i < w->watches.n; i++)
		add_watch(d, &w->watches.v[i]);
}

static void add_files(struct digest *d, const struct world *w)
{
	for (size_t i = 0; i < w->files.n; i++) {
		add_bytes(d, bytes_of(w->files.v[i].name));
		add_store(d, &w->files.v[i].image->store);
		add(d, w->files.v[i].image != w->files.v[i].written);
	}
	for (size_t i = 0; i < w->dirs.n; i++) {
		const struct data_dir *dir = &w->dirs.v[i];
		add_bytes(d, bytes_of(dir->name));
		add(d, dir->id);
		add(d, dir->origin->cluster_id);
		add(d, dir->batch);
		add(d, dir->cluster);
		add(d, dir->unfinished);
		add_store(d, &dir->image->store);
		add(d, (uint64_t)dir->image->file_size);
	}
	add(d, w->cluster);
	add(d, w->nclusters);
	add(d, w->booted);
	add(d, w->publish);
}

static void add_settings(struct digest *d, const struct config *c)
{
	struct buf text = {0};

	for (size_t i = 0; i < config_nsettings(); i++)
		config_get(c, config_setting(i)->name, &text);
	add_bytes(d, buf_bytes(&text));
	buf_free(&text);
}

uint64_t world_hash(const struct world *w)
{
	struct digest d = {0x243f6a8885a308d3u};

	add(&d, (uint64_t)w->now_ms);
	add(&d, w->events);
	add(&d, w->prng.state);
	add(&d, w->next_call);
	add(&d, w->next_number);
	add(&d, (uint64_t)w->next_lease);
	add(&d, w->path.kind);
	add(&d, w->path.done);
	add(&d, w->path.index);
	add(&d, w->path.acks);
	add(&d, w->instant.stage);
	add(&d, w->instant.member);
	add(&d, w->notes.n);
	add_settings(&d, &w->cfg);
	if (w->cfg.bugs)
		add(&d, w->cfg.bugs);
	for (unsigned i = 0; i < w->nmembers; i++)
		add_member(&d, w->members[i]);
	add_net(&d, w);
	add_clients(&d, w);
	add_files(&d, w);
	return d.h;
}
