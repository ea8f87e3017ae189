/* Digests of what members hold: rows, leases, members, users, watchers. */
#include "sim/digest.h"

/* Every row: a digest is for tests and for the end of a run, not for a frame. */
void digest_store(struct digest *d, const struct mvcc *s)
{
	uint64_t n = mvcc_row_count(s);

	digest_int(d, s->current_rev);
	digest_int(d, s->compact_rev);
	digest_int(d, s->live_keys);
	digest_int(d, s->size);
	digest_add(d, s->bugs);
	digest_add(d, s->keep_tombstone_at_compact);
	digest_add(d, n);
	for (uint64_t i = 0; i < n; i++)
		digest_row(d, mvcc_row(s, i));
}

void digest_membership(struct digest *d, const struct membership *c)
{
	digest_add(d, c->n);
	for (size_t i = 0; i < c->n; i++)
		digest_member_info(d, &c->members[i]);
	digest_add(d, c->nremoved);
	for (size_t i = 0; i < c->nremoved; i++)
		digest_add(d, c->removed[i]);
	digest_add(d, c->version);
}

void digest_origin(struct digest *d, const struct origin *o)
{
	digest_add(d, o->cluster_id);
	digest_conf(d, &o->conf);
	digest_membership(d, &o->membership);
}

void digest_alarms(struct digest *d, const struct alarm_list *l)
{
	digest_add(d, l->n);
	for (size_t i = 0; i < l->n; i++) {
		digest_add(d, l->v[i].member_id);
		digest_add(d, l->v[i].kind);
	}
}

void digest_auth(struct digest *d, const struct auth *a)
{
	digest_add(d, a->enabled);
	digest_add(d, a->revision);
	digest_add(d, a->nusers);
	for (size_t i = 0; i < a->nusers; i++) {
		const struct auth_user *u = &a->users[i];
		digest_bytes(d, u->name);
		digest_bytes(d, u->password);
		digest_add(d, u->no_password);
		digest_add(d, u->nroles);
		for (size_t j = 0; j < u->nroles; j++)
			digest_bytes(d, u->roles[j]);
	}
	digest_add(d, a->nroles);
	for (size_t i = 0; i < a->nroles; i++) {
		digest_bytes(d, a->roles[i].name);
		digest_permissions(d, a->roles[i].permissions, a->roles[i].npermissions);
	}
}

static void lease(struct digest *d, const struct lease *l)
{
	digest_int(d, l->id);
	digest_int(d, l->ttl);
	digest_int(d, l->remaining_ttl);
	digest_int(d, l->expiry_ms);
	digest_int(d, l->revoke_retry_ms);
	digest_int(d, l->checkpoint_ms);
	digest_add(d, l->renewed_seq);
	digest_add(d, l->keys.n);
	for (size_t i = 0; i < l->keys.n; i++)
		digest_bytes(d, l->keys.v[i]);
}

void digest_lessor(struct digest *d, const struct lessor *l)
{
	digest_add(d, l->primary);
	digest_int(d, l->min_ttl);
	digest_add(d, l->next_seq);
	digest_add(d, l->leases.n);
	for (size_t i = 0; i < l->leases.n; i++)
		lease(d, l->leases.v[i]);
}

/* ---- watchers ---- */

static void watcher(struct digest *d, const struct watcher *w)
{
	digest_add(d, w->id);
	digest_range(d, w->range);
	digest_int(d, w->min_rev);
	digest_int(d, w->start_rev);
	digest_add(d, w->prev_kv | 2u * w->no_put | 4u * w->no_delete | 8u * w->fragment |
			  16u * w->quiet);
	digest_int(d, w->progress_ms);
	digest_add(d, w->group);
	digest_add(d, w->seq);
}

void digest_watch_response(struct digest *d, const struct watch_response *r)
{
	digest_add(d, r->watcher);
	digest_int(d, r->revision);
	digest_int(d, r->compact_revision);
	digest_add(d, r->created | 2u * r->canceled | 4u * r->progress | 8u * r->fragment |
			  16u * r->arrived);
	digest_add(d, r->nevents);
	for (size_t i = 0; i < r->nevents; i++)
		digest_event(d, &r->events[i]);
}

static void watch_responses(struct digest *d, const struct watch_response *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++)
		digest_watch_response(d, &v[i]);
}

/* How much a channel holds is a setting. */
void digest_watchable(struct digest *d, const struct watchable *w)
{
	digest_add(d, w->bugs);
	digest_add(d, w->watchers.n);
	for (size_t i = 0; i < w->watchers.n; i++)
		watcher(d, &w->watchers.v[i]);
	watch_responses(d, w->queue.v, w->queue.n);
	watch_responses(d, w->unread.v, w->unread.n);
	digest_add(d, w->victims.n);
	for (size_t i = 0; i < w->victims.n; i++) {
		digest_watch_response(d, &w->victims.v[i].response);
		digest_int(d, w->victims.v[i].more_rev);
	}
	digest_add(d, w->next_seq);
}

/* ---- a database ---- */

static uint64_t digest_of(const struct store_image *image)
{
	struct digest d = {0};

	digest_store(&d, &image->store);
	digest_membership(&d, &image->membership);
	digest_alarms(&d, &image->alarms);
	digest_auth(&d, &image->auth);
	digest_add(&d, image->nleases);
	for (size_t i = 0; i < image->nleases; i++) {
		digest_int(&d, image->leases[i].id);
		digest_int(&d, image->leases[i].ttl);
	}
	digest_int(&d, image->file_size);
	digest_add(&d, image->damaged);
	digest_add(&d, image->consistent_index);
	digest_add(&d, image->term);
	digest_conf(&d, &image->conf);
	return d.h;
}

void digest_image(struct digest *d, const struct store_image *image)
{
	digest_add(d, image != NULL);
	if (!image)
		return;
	if (image != d->image) {
		d->image_h = digest_of(image);
		d->image = image;
	}
	digest_add(d, d->image_h);
}
