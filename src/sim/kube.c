/* How kube-apiserver compacts (k8s.io/apiserver: pkg/storage/etcd3/compact.go).
 *
 * Once in an interval each API server tries to be the one that counts the time: a transaction
 * compares the version of the key compact_rev_key with the time that it knows, and puts the
 * revision of one interval ago there, which makes the version one larger.  Who wins compacts to
 * that revision; who loses learns time and revision from the other and waits for its next turn.
 */
#include "sim/private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct bytes compact_key = BYTES("compact_rev_key");

static const char *name_of(size_t i)
{
	static const char *const names[] = {"kube-apiserver", "kube-apiserver-2",
					    "kube-apiserver-3"};
	return names[i];
}

static void send(struct world *w, struct kube_compactor *k, const struct request *req)
{
	k->call = sim_call(w, req,
			   &(struct call_options){.client = name_of((size_t)(k - w->kube)),
						  .timeout_ms = INT64_MAX});
}

static struct bytes rev_text(struct world *w, int64_t rev)
{
	char text[24];
	int n = snprintf(text, sizeof text, "%" PRId64, rev);

	return (struct bytes){heap_dup(w->heap, text, (size_t)n), (size_t)n};
}

/* txn: if version(compact_rev_key) = time then put rev else get */
static void take_turn(struct world *w, struct kube_compactor *k)
{
	struct compare *c = heap_alloc(w->heap, sizeof *c);
	struct request *ops = heap_alloc(w->heap, 2 * sizeof *ops),
		       *txn = heap_alloc(w->heap, sizeof *txn);

	*c = (struct compare){
	    .target = COMPARE_VERSION, .range = {.key = compact_key}, .number = k->time};
	ops[0] = (struct request){.kind = REQ_PUT,
				  .put = {.key = compact_key, .value = rev_text(w, k->rev)}};
	ops[1] = (struct request){.kind = REQ_RANGE, .range = {.range = {.key = compact_key}}};
	*txn = (struct request){.kind = REQ_TXN,
				.txn = {.compares = c,
					.ncompares = 1,
					.success = &ops[0],
					.nsuccess = 1,
					.failure = &ops[1],
					.nfailure = 1}};
	send(w, k, txn);
}

static void compact(struct world *w, struct kube_compactor *k, int64_t rev)
{
	struct request *req = heap_alloc(w->heap, sizeof *req);

	*req = (struct request){.kind = REQ_COMPACTION, .compaction = {.revision = rev}};
	send(w, k, req);
}

/* The next turn is an interval after the answer. */
static void rest(const struct world *w, struct kube_compactor *k)
{
	k->call = 0;
	k->next_ms = w->cfg.kube_compact_ms ? w->now_ms + w->cfg.kube_compact_ms : INT64_MAX;
}

static void turn_taken(struct world *w, struct kube_compactor *k, const struct response *r)
{
	int64_t rev = k->rev;

	k->rev = r->header.revision;
	if (!r->txn.succeeded) {
		const struct range_response *kvs = &r->txn.responses[0].range;
		k->time = kvs->n ? kvs->kvs[0]->version : 0;
	} else {
		k->time++;
	}
	if (r->txn.succeeded && rev) /* the first turn only begins to count */
		compact(w, k, rev);
	else
		rest(w, k);
}

void kube_answered(struct world *w, const struct call *c)
{
	for (size_t i = 0; i < KUBE_MAX; i++) {
		struct kube_compactor *k = &w->kube[i];
		if (k->call != c->id)
			continue;
		if (c->req->kind == REQ_TXN && !c->response->error)
			turn_taken(w, k, c->response);
		else
			rest(w, k);
		return;
	}
}

/* ---- when ---- */

int64_t kube_next_ms(const struct world *w)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < KUBE_MAX; i++)
		if (!w->kube[i].call && w->kube[i].next_ms < next)
			next = w->kube[i].next_ms;
	for (unsigned i = 0; i < w->nmembers; i++)
		if (member_up(w->members[i]) && w->members[i]->compactor.next_ms < next)
			next = w->members[i]->compactor.next_ms;
	return next;
}

void kube_run(struct world *w)
{
	for (unsigned i = 0; i < w->nmembers; i++) {
		struct member *m = w->members[i];
		struct server_env env = sim_env(w);
		if (!member_up(m) || m->compactor.next_ms > w->now_ms)
			continue;
		server_run_compactor(m, &env);
		return;
	}
	for (size_t i = 0; i < KUBE_MAX; i++)
		if (!w->kube[i].call && w->kube[i].next_ms <= w->now_ms) {
			take_turn(w, &w->kube[i]);
			return;
		}
}

void kube_configure_member(struct world *w, struct member *m)
{
	struct compactor_settings s = {0};

	if (w->cfg.compact_by_revision)
		s.revisions = w->cfg.compact_retention > 0 ? w->cfg.compact_retention : 0;
	else
		s.period_ms = config_retention_ms(&w->cfg);
	if (member_up(m))
		server_configure_compactor(m, &s, w->now_ms);
}

void kube_configure(struct world *w, int64_t old_interval_ms, uint32_t old_servers)
{
	for (unsigned i = 0; i < w->nmembers; i++)
		kube_configure_member(w, w->members[i]);
	for (size_t i = 0; i < KUBE_MAX; i++) {
		struct kube_compactor *k = &w->kube[i];
		bool runs = w->cfg.kube_compact_ms && i < w->cfg.kube_apiservers;
		bool ran = old_interval_ms && i < old_servers;
		if (!runs)
			*k = (struct kube_compactor){.next_ms = INT64_MAX};
		else if (!ran || old_interval_ms != w->cfg.kube_compact_ms)
			k->next_ms = w->now_ms + w->cfg.kube_compact_ms;
	}
}
