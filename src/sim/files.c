/* The world's own disk: what is there, and what is put there. */
#include "sim/files.h"

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
