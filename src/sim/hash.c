/* A digest of a world: what decides its future and its picture, field by field.  Left out are the
 * heap and the trace, which are shared; what other fields say already; how something was typed,
 * which can be done in several ways; and whether requests take numbers now, which scripts say.
 */
#include "sim/private.h"

#include "sim/digest.h"

/* ---- what is under way ---- */

static void forward(struct digest *d, const struct forward *f)
{
	digest_add(d, f->call);
	digest_add(d, f->from);
	digest_add(d, f->to);
	digest_add(d, f->life);
	digest_response(d, f->answer);
}

static void reply(struct digest *d, const struct reply *r)
{
	digest_add(d, r->call);
	digest_add(d, r->from);
	digest_response(d, r->response);
}

static void delivery(struct digest *d, const struct delivery *x)
{
	digest_watch_response(d, &x->r);
	digest_add(d, x->refused);
	digest_add(d, x->from);
}

/* What work is about is a number, or stands in the heap. */
static void argument(struct digest *d, const struct work *k)
{
	const void *p = (const void *)(uintptr_t)k->arg;

	if (k->kind == WORK_PROPOSE)
		digest_proposal(d, p);
	else if (k->kind == WORK_FORWARD)
		forward(d, p);
	else if (k->kind == WORK_REPLY && !k->member)
		reply(d, p);
	else if (k->kind == WORK_EVENT && !k->member)
		delivery(d, p);
	else
		digest_add(d, k->arg);
}

static void works(struct digest *d, const struct work *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++) {
		digest_add(d, v[i].kind);
		digest_add(d, v[i].member);
		digest_add(d, v[i].life);
		digest_int(d, v[i].due_ms);
		argument(d, &v[i]);
	}
}

static void flights(struct digest *d, const struct flight *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++) {
		digest_message(d, &v[i].m);
		digest_add(d, v[i].from);
		digest_add(d, v[i].to);
		digest_add(d, v[i].copy);
		digest_int(d, v[i].due_ms);
	}
}

/* ---- links ---- */

static void link(struct digest *d, const struct world *w, unsigned from, unsigned to)
{
	const struct link *l = &w->link[from][to];

	digest_add(d, w->cut[from][to]);
	digest_int(d, w->cut_ms[from][to]);
	if (w->link_last_ms[from][to] > w->now_ms)
		digest_int(d, w->link_last_ms[from][to]);
	if (!link_is_set(l))
		return;
	digest_int(d, l->delay_ms);
	digest_int(d, l->delay_max_ms);
	digest_add(d, l->loss);
	digest_add(d, l->duplicate);
	digest_add(d, l->reorder);
}

static void links(struct digest *d, const struct world *w)
{
	for (unsigned i = 0; i < w->nmembers; i++)
		for (unsigned j = 0; j < w->nmembers; j++)
			digest_int(d, w->active_ms[i][j]);
	for (unsigned i = 0; i < LINK_ENDS && w->faulty; i++)
		for (unsigned j = 0; j < LINK_ENDS; j++)
			link(d, w, i, j);
}

/* ---- clients ---- */

static void call(struct digest *d, const struct call *c)
{
	digest_add(d, c->id);
	digest_add(d, c->number);
	digest_text(d, c->client);
	digest_request(d, c->req);
	digest_bytes(d, (struct bytes){(const char *)c->asked, c->nasked});
	digest_add(d, c->at);
	digest_add(d, c->state);
	digest_add(d, c->follows_leader | 2u * c->arrived | 4u * c->parked | 8u * c->under_way |
			  16u * c->replied);
	digest_int(d, c->gives_up_ms);
	digest_int(d, c->start_ms);
	digest_int(d, c->deadline_ms);
	digest_int(d, c->end_ms);
	digest_int(d, c->rev_before);
	digest_int(d, c->rev_after);
	digest_add(d, c->log_before);
	digest_add(d, c->log_after);
	digest_add(d, c->term);
	digest_add(d, c->index);
	digest_add(d, c->done_event);
	digest_response(d, c->response);
}

/* What it was asked to do. */
static void watch_orders(struct digest *d, const struct watch_client *c)
{
	digest_add(d, c->number);
	digest_text(d, c->client);
	digest_text(d, c->name);
	digest_range(d, c->range);
	digest_bytes(d, c->user);
	digest_add(d, c->prev_kv | 2u * c->no_put | 4u * c->no_delete | 8u * c->fragment |
			  16u * c->progress_notify | 32u * c->informer | 64u * c->gone |
			  128u * c->stalled);
	digest_add(d, c->session);
	digest_int(d, c->asked_rev);
	digest_bytes(d, (struct bytes){(const char *)c->asked, c->nasked});
}

static void watch_connection(struct digest *d, const struct watch_client *c)
{
	digest_add(d, c->state);
	digest_add(d, c->cancel_reason);
	digest_int(d, c->cancel_compact);
	digest_add(d, c->at);
	digest_add(d, c->moved_from);
	digest_int(d, c->moved_ms);
	digest_add(d, c->stream);
	digest_int(d, c->retry_ms);
	digest_add(d, c->waits_for_leader | 2u * c->told_created);
}

static void watch_received(struct digest *d, const struct watch_client *c)
{
	digest_int(d, c->from);
	digest_int(d, c->seen);
	digest_add(d, c->nevents);
	digest_add(d, c->nprogress);
	digest_add(d, c->listed_count);
	digest_int(d, c->listed_rev);
	digest_add(d, c->nlists);
	digest_add(d, c->list_call);
	digest_add(d, c->shown_events.n);
	for (size_t i = 0; i < c->shown_events.n; i++) {
		digest_event(d, &c->shown_events.v[i].e);
		digest_add(d, c->shown_events.v[i].at);
	}
	digest_add(d, c->parts.n);
	for (size_t i = 0; i < c->parts.n; i++)
		digest_event(d, c->parts.v[i]);
	digest_add(d, c->cache.n);
	for (size_t i = 0; i < c->cache.n; i++)
		digest_row(d, c->cache.v[i]);
}

static void note(struct digest *d, const struct watch_note *n)
{
	digest_add(d, n->watcher);
	digest_add(d, n->kind);
	digest_event(d, &n->event);
	digest_add(d, n->reason);
	digest_int(d, n->revision);
	digest_add(d, n->count);
}

static void clients(struct digest *d, const struct world *w)
{
	for (size_t i = 0; i < KUBE_MAX; i++) {
		digest_int(d, w->kube[i].next_ms);
		digest_int(d, w->kube[i].time);
		digest_int(d, w->kube[i].rev);
		digest_add(d, w->kube[i].call);
	}
	digest_add(d, w->calls.n);
	for (size_t i = 0; i < w->calls.n; i++)
		call(d, &w->calls.v[i]);
	digest_add(d, w->watches.n);
	for (size_t i = 0; i < w->watches.n; i++) {
		watch_orders(d, &w->watches.v[i]);
		watch_connection(d, &w->watches.v[i]);
		watch_received(d, &w->watches.v[i]);
	}
	digest_add(d, w->notes.n);
	for (size_t i = 0; i < w->notes.n; i++)
		note(d, &w->notes.v[i]);
	digest_add(d, w->ended_leases.n);
	for (size_t i = 0; i < w->ended_leases.n; i++) {
		digest_int(d, w->ended_leases.v[i].id);
		digest_int(d, w->ended_leases.v[i].ms);
		digest_add(d, w->ended_leases.v[i].expired);
		digest_add(d, w->ended_leases.v[i].at);
	}
}

/* ---- the rest ---- */

static void files(struct digest *d, const struct world *w)
{
	digest_add(d, w->files.n);
	for (size_t i = 0; i < w->files.n; i++) {
		digest_text(d, w->files.v[i].name);
		digest_image(d, w->files.v[i].image);
		digest_image(d, w->files.v[i].written);
	}
	digest_add(d, w->dirs.n);
	for (size_t i = 0; i < w->dirs.n; i++) {
		const struct data_dir *dir = &w->dirs.v[i];
		digest_text(d, dir->name);
		digest_add(d, dir->id);
		digest_text(d, dir->member_name);
		digest_text(d, dir->peer_url);
		digest_origin(d, dir->origin);
		digest_image(d, dir->image);
		digest_add(d, dir->batch);
		digest_add(d, dir->cluster);
		digest_add(d, dir->unfinished);
	}
}

static void settings(struct digest *d, const struct config *c)
{
	struct buf text = {0};

	for (size_t i = 0; i < config_nsettings(); i++) {
		text.n = 0;
		config_get(c, config_setting(i)->name, &text);
		digest_bytes(d, buf_bytes(&text));
	}
	buf_free(&text);
	digest_add(d, c->bugs);
}

static void roster(struct digest *d, const struct world *w)
{
	digest_add(d, w->nmembers);
	for (unsigned i = 0; i < w->nmembers; i++) {
		const struct peer *p = &w->peers[i];
		digest_add(d, p->id);
		digest_text(d, p->name);
		digest_text(d, p->peer_url);
		digest_text(d, p->client_url);
		digest_add(d, p->started | 2u * p->publishes);
		digest_member(d, w->members[i]);
	}
	digest_origin(d, &w->origin);
	digest_add(d, w->cluster);
	digest_add(d, w->nclusters);
	digest_add(d, w->booted);
	digest_add(d, w->publish);
}

static void path(struct digest *d, const struct path *p)
{
	digest_add(d, p->kind);
	digest_add(d, p->call);
	digest_add(d, p->index);
	digest_add(d, p->done);
	digest_int(d, p->current);
	digest_int(d, p->failed);
	digest_add(d, p->member);
	digest_add(d, p->acks);
	digest_add(d, p->needed);
	digest_add(d, p->acked);
}

static void counters(struct digest *d, const struct world *w)
{
	digest_add(d, w->prng.state);
	digest_int(d, w->now_ms);
	digest_add(d, w->events);
	digest_add(d, w->instant.stage);
	digest_add(d, w->instant.member);
	digest_int(d, w->next_tick_ms);
	digest_int(d, w->next_lessor_ms);
	digest_add(d, w->next_call);
	digest_add(d, w->next_number);
	digest_add(d, w->next_stream);
	digest_add(d, w->calls_ended);
	digest_int(d, w->next_lease);
}

uint64_t world_hash(const struct world *w)
{
	struct digest d = {.h = 0x243f6a8885a308d3u};

	counters(&d, w);
	path(&d, &w->path);
	settings(&d, &w->cfg);
	roster(&d, w);
	flights(&d, w->net.v + w->net_head, w->net.n - w->net_head);
	works(&d, w->work.v + w->work_head, w->work.n - w->work_head);
	works(&d, w->later.v, w->later.n);
	works(&d, w->aside.v, w->aside.n);
	links(&d, w);
	clients(&d, w);
	files(&d, w);
	return d.h;
}
