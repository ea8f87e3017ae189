#include "sim/files.h"

#include "sim/private.h"

const struct world_file *world_file(const struct world *w, struct bytes name)
{
	for (size_t i = 0; i < w->files.n; i++)
		if (bytes_is(name, w->files.v[i].name))
			return &w->files.v[i];
	return NULL;
}

struct data_dir *world_dir(struct world *w, struct bytes name)
{
	for (size_t i = 0; i < w->dirs.n; i++)
		if (bytes_is(name, w->dirs.v[i].name))
			return &w->dirs.v[i];
	return NULL;
}

void sim_write_file(struct world *w, struct bytes name, const struct store_image *image)
{
	for (size_t i = 0; i < w->files.n; i++)
		if (bytes_is(name, w->files.v[i].name)) {
			w->files.v[i].image = image;
			return;
		}
	vec_push(&w->files,
		 (struct world_file){.name = heap_dup(w->heap, name.p, name.n), .image = image});
}

/* Directories that are made for the members of one cluster belong together.  One that is made for a
 * member for the second time begins the cluster another time. */
static uint32_t batch_of(const struct world *w, const struct data_dir *d)
{
	uint32_t newest = 0;

	for (size_t i = 0; i < w->dirs.n; i++) {
		const struct data_dir *other = &w->dirs.v[i];
		if (other->origin->cluster_id != d->origin->cluster_id || other->batch < newest)
			continue;
		newest = other->batch;
		if (other->id == d->id)
			newest++;
	}
	return newest;
}

void sim_make_dir(struct world *w, const struct data_dir *d)
{
	struct data_dir made = *d;

	made.batch = batch_of(w, d);
	made.cluster = 0;
	vec_push(&w->dirs, made);
}

/* ---- a cluster begins anew ---- */

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

void sim_start_from(struct world *w, unsigned member, struct data_dir *d)
{
	uint32_t cluster = begun(w, d);
	int64_t rev = d->image->store.current_rev, forgotten = newest_revision(w) - rev;

	d->cluster = cluster ? cluster : ++w->nclusters;
	if (!cluster) {
		w->cluster = d->cluster;
		w->origin = *d->origin;
		w->publish = true;
	}
	roster_reach(w, member);
	put_in_place(w, member, d);
	if (!cluster)
		observe_new_cluster(w, FAULT_RESTORE, member, rev, forgotten > 0 ? forgotten : 0);
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
	uint64_t discarded = server_force_new_cluster(m);

	m->cluster = w->cluster = ++w->nclusters;
	observe_new_cluster(w, FAULT_ALONE, member, (int64_t)discarded, 0);
	fault_start(w, member, FAULT_RESTART);
}
