/* The world's own disk: what is there, and what is put there. */
#include "sim/files.h"

#include <stdio.h>

#include "sim/private.h"

const struct world_file *world_file(const struct world *w, struct bytes name)
{
	for (size_t i = 0; i < w->files.n; i++)
		if (bytes_is(name, w->files.v[i].name))
			return &w->files.v[i];
	return NULL;
}

const struct data_dir *world_dir(const struct world *w, struct bytes name)
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
			w->files.v[i].image = w->files.v[i].written = image;
			return;
		}
	vec_push(&w->files, (struct world_file){.name = heap_dup(w->heap, name.p, name.n),
						.image = image,
						.written = image});
}

bool sim_damage_file(struct world *w, struct bytes name)
{
	for (size_t i = 0; i < w->files.n; i++) {
		struct world_file *f = &w->files.v[i];
		if (!bytes_is(name, f->name))
			continue;
		const struct store_image *damaged = server_damage_image(f->image, w->heap);
		if (damaged)
			f->image = damaged;
		return damaged;
	}
	return false;
}

/* Directories that are made for the members of one cluster belong together.  One that is made for a
 * member for the second time begins the cluster another time. */
static uint32_t batch_of(const struct world *w, const struct data_dir *d)
{
	uint32_t newest = 0;

	for (size_t i = 0; i < w->dirs.n; i++) {
		const struct data_dir *other = &w->dirs.v[i];
		if (other->unfinished || other->batch < newest ||
		    other->origin->cluster_id != d->origin->cluster_id)
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

/* ---- defrag --data-dir ---- */

/* The member that has begun with the directory. */
static struct member *tenant(const struct world *w, const struct data_dir *d)
{
	for (unsigned i = 0; i < w->nmembers; i++)
		if (w->members[i]->cluster == d->cluster && w->members[i]->id == d->id)
			return w->members[i];
	return NULL;
}

/* Does the member's data lie in a directory that was made for it? */
static bool has_moved_in(const struct world *w, const struct member *m)
{
	for (size_t i = 0; i < w->dirs.n; i++)
		if (w->dirs.v[i].cluster && tenant(w, &w->dirs.v[i]) == m)
			return true;
	return false;
}

/* The member whose data lies in NAME.etcd. */
static struct member *owner(const struct world *w, struct bytes name)
{
	for (unsigned i = 0; i < w->nmembers; i++) {
		char own[32];
		snprintf(own, sizeof own, "%s.etcd", member_name(i + 1));
		if (bytes_is(name, own) && !has_moved_in(w, w->members[i]))
			return w->members[i];
	}
	return NULL;
}

static enum defrag_result defrag_member(struct member *m)
{
	if (m->condition == MEMBER_UNSTARTED || m->condition == MEMBER_ABSENT || m->disk.empty)
		return DEFRAG_MISSING;
	if (m->condition == MEMBER_UP || m->condition == MEMBER_PAUSED)
		return DEFRAG_IN_USE;
	m->file_size = server_file_size(m->store.size);
	m->touched++;
	return DEFRAG_DONE;
}

static void defrag_dir(struct world *w, size_t i)
{
	struct store_image *image = heap_alloc(w->heap, sizeof *image);

	*image = *w->dirs.v[i].image;
	image->file_size = server_file_size(image->store.size);
	w->dirs.v[i].image = image;
}

enum defrag_result sim_defrag_dir(struct world *w, struct bytes name)
{
	const struct data_dir *d = world_dir(w, name);

	if (d && !d->cluster) {
		defrag_dir(w, (size_t)(d - w->dirs.v));
		return DEFRAG_DONE;
	}
	struct member *m = d ? tenant(w, d) : owner(w, name);
	return m ? defrag_member(m) : DEFRAG_MISSING;
}
