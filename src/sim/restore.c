/* A cluster begins anew with what an old one has left: its members start from the directories that
 * snapshot restore has made, or one of them goes on alone (--force-new-cluster).
 */
#include "sim/private.h"

static int64_t newest_revision(const struct world *w)
{
	int64_t newest = 0;

	for (unsigned i = 0; i < w->nmembers; i++) {
		const struct member *m = w->members[i];
		if (m->cluster == w->cluster && m->store.current_rev > newest)
			newest = m->store.current_rev;
	}
	return newest;
}

/* Revisions that a cluster which begins at this one does not have. */
static int64_t forgotten(const struct world *w, int64_t rev)
{
	int64_t newest = newest_revision(w);

	return newest > rev ? newest - rev : 0;
}

/* The number of the cluster that the directory belongs to; 0: no member of it has started yet. */
static uint32_t begun(const struct world *w, const struct data_dir *d)
{
	for (size_t i = 0; i < w->dirs.n; i++) {
		const struct data_dir *other = &w->dirs.v[i];
		if (other->cluster && other->batch == d->batch &&
		    other->origin->cluster_id == d->origin->cluster_id)
			return other->cluster;
	}
	return 0;
}

static void put_in_place(struct world *w, unsigned number, const struct data_dir *d)
{
	struct member *m = server_new_restored(number, d->id, w->heap, d->origin, d->image);

	m->cluster = d->cluster;
	m->condition = MEMBER_DOWN;
	roster_replace(w, m, OTHER_MEMBER);
	w->peers[number - 1] = (struct peer){.id = d->id,
					     .name = d->member_name,
					     .peer_url = d->peer_url,
					     .client_url = member_client_url(number),
					     .started = true,
					     .publishes = true};
}

void sim_start_from(struct world *w, unsigned member, const struct data_dir *dir)
{
	struct data_dir *d = &w->dirs.v[dir - w->dirs.v];
	uint32_t cluster = begun(w, d);
	int64_t rev = d->image->store.current_rev, lost = forgotten(w, rev);

	d->cluster = cluster ? cluster : ++w->nclusters;
	if (!cluster) {
		w->cluster = d->cluster;
		w->origin = *d->origin;
		w->publish = true;
	}
	roster_reach(w, member);
	put_in_place(w, member, d);
	if (!cluster)
		observe_new_cluster(w, FAULT_RESTORE, member, rev, lost);
	fault_start(w, member, FAULT_START);
}

void sim_restart_alone(struct world *w, unsigned member)
{
	struct member *m = world_member(w, member);

	/* Without a log there is nothing to go on with, and the flag says nothing. */
	if (m->disk.empty || server_is_removed(m)) {
		sim_restart(w, member);
		return;
	}
	if (!disk_lets_start(w, m))
		return;
	int64_t lost = forgotten(w, m->store.current_rev);
	uint64_t last = server_last_index(m), discarded = server_force_new_cluster(m);

	if (discarded)
		observe_log(w, m,
			    "discarding uncommitted WAL entries [entry index: %llu, commit index "
			    "from WAL: %llu, number of discarded entries: %llu]",
			    (unsigned long long)(last - discarded + 1),
			    (unsigned long long)(last - discarded), (unsigned long long)discarded);
	m->cluster = w->cluster = ++w->nclusters;
	observe_new_cluster(w, FAULT_ALONE, member, (int64_t)discarded, lost);
	fault_start(w, member, FAULT_RESTART);
}
