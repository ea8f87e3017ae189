/* Snapshots: taken by count, sent with the store as applied now, installed in place of the own one
 * (etcd: etcdserver/server.go, triggerSnapshot, snapshot, applySnapshot; snapshot_merge.go).
 *
 * Taking one costs nothing here: the store itself is durable, so a snapshot says only how far, and
 * lets the log be compacted.  The rows are looked at when a snapshot is sent.
 */
#include "server/private.h"

#include "base/die.h"

enum { REPORT_MS = 5000, COMPACT_PAUSE_MS = 30000 };

/* ---- taking ---- */

static bool all_applied(const struct member *m)
{
	return m->apply_head == m->to_apply.n && !m->install;
}

/* Entries before the snapshot are kept for followers that are a little behind, but never less than
 * raft itself still needs. */
static void compact_log(struct member *m, const struct server_env *env)
{
	uint64_t i =
	    m->applied > env->set->snapshot_catchup ? m->applied - env->set->snapshot_catchup : 1;

	if (env->now_ms < m->compact_pause_ms)
		return;
	if (i > raft_applied(m->raft))
		i = raft_applied(m->raft);
	storage_compact(&m->storage, i);
}

void server_maybe_snapshot(struct member *m, struct server_env *env)
{
	if (m->applied - m->snap_index <= env->set->snapshot_count || !all_applied(m) ||
	    (m->cycle.busy && !m->cycle.synced))
		return;
	if (m->disk.full) {
		server_fail(m,
			    "save snapshot error: write S%u.etcd/member/snap: no space left on "
			    "device",
			    m->number);
		return;
	}
	struct snapshot *s = heap_alloc(m->heap, sizeof *s);

	*s = (struct snapshot){
	    .index = m->applied, .term = m->applied_term, .conf = m->storage.snapshot.conf};
	wal_add_snapshot(&m->wal, s, false);
	wal_sync(&m->wal);
	wal_release(&m->wal, s);
	m->storage.to_send = *s;
	m->snap_index = s->index;
	compact_log(m, env);
}

/* ---- sending ---- */

static const struct lease_image *lease_images(struct member *m)
{
	size_t n = m->lessor.leases.n;
	struct lease_image *v = heap_alloc(m->heap, (n + 1) * sizeof *v);

	for (size_t i = 0; i < n; i++)
		v[i] = (struct lease_image){m->lessor.leases.v[i]->id, m->lessor.leases.v[i]->ttl};
	return v;
}

const struct store_image *server_image(struct member *m)
{
	struct store_image *image = heap_alloc(m->heap, sizeof *image);

	heap_freeze(m->heap);
	*image = (struct store_image){.store = m->store,
				      .membership = m->membership,
				      .alarms = m->alarms,
				      .auth = m->auth,
				      .leases = lease_images(m),
				      .nleases = m->lessor.leases.n,
				      .consistent_index = m->consistent_index,
				      .term = m->applied_term,
				      .conf = m->storage.snapshot.conf,
				      .file_size = m->file_size,

				      .damaged = m->disk.store_damaged};
	return image;
}

void server_hold_snapshot(struct member *m, struct server_env *env, const struct message *msg)
{
	vec_push(&m->snapshots, *msg);
	if (all_applied(m))
		server_cause(m, env, WORK_SNAPSHOT, 0);
}

bool server_take_snapshot(struct member *m, struct server_env *env, struct message *out)
{
	if (!m->snapshots.n)
		return false;
	struct snapshot *s = heap_alloc(m->heap, sizeof *s);

	*s = (struct snapshot){.index = m->applied,
			       .term = m->applied_term,
			       .conf = m->storage.snapshot.conf,
			       .data = server_image(m)};
	*out = m->snapshots.v[0];
	out->snapshot = s;
	vec_remove(&m->snapshots, 0);
	m->compact_pause_ms = env->now_ms + COMPACT_PAUSE_MS;
	vec_push(&m->reports, (struct snapshot_report){out->to, env->now_ms + REPORT_MS});
	return true;
}

void server_report_snapshot(struct member *m, struct server_env *env, uint64_t to, bool ok)
{
	for (size_t i = 0; i < m->reports.n; i++)
		if (m->reports.v[i].to == to) {
			vec_remove(&m->reports, i);
			raft_report_snapshot(m->raft, to, ok);
			break;
		}
	server_poll(m, env);
}

void server_check_reports(struct member *m, struct server_env *env)
{
	for (size_t i = m->reports.n; i-- > 0;)
		if (m->reports.v[i].fail_ms <= env->now_ms)
			server_report_snapshot(m, env, m->reports.v[i].to, false);
}

void server_applied_all(struct member *m, struct server_env *env)
{
	if (!all_applied(m))
		return;
	for (size_t i = 0; i < m->snapshots.n; i++)
		server_cause(m, env, WORK_SNAPSHOT, 0);
}

/* ---- installing ---- */

static void restore_lessor(struct member *m, const struct store_image *image)
{
	int64_t min_ttl = m->lessor.min_ttl, granted;
	struct row_list rows = {0};

	lessor_free(&m->lessor);
	lessor_init(&m->lessor, m->heap, min_ttl);
	for (size_t i = 0; i < image->nleases; i++)
		lessor_grant(&m->lessor, image->leases[i].id, image->leases[i].ttl, 0, &granted);
	if (!image->nleases)
		return;
	mvcc_range(&m->store, (struct key_range){.end = {"\0", 1}}, 0, 0, &rows);
	for (size_t i = 0; i < rows.rows.n; i++)
		if (rows.rows.v[i]->lease)
			lessor_attach(&m->lessor, rows.rows.v[i]->lease, row_key(rows.rows.v[i]));
	vec_free(&rows.rows);
}

void server_load_store(struct member *m, const struct store_image *image)
{
	m->store = image->store;
	m->store.bugs = m->bugs;
	m->alarms = image->alarms;
	m->unguarded = false;
	m->auth = image->auth;
	m->file_size = image->file_size;
	m->disk.store_damaged = image->damaged;
	restore_lessor(m, image);
}

void server_load_image(struct member *m, const struct snapshot *s)
{
	const struct store_image *image = s->data;

	check_that(s->index > m->applied);
	server_load_store(m, image);
	m->membership = image->membership;
	m->applied = m->snap_index = s->index;
	m->applied_term = s->term;
	m->consistent_index = image->consistent_index;
}

/* The lessor comes before the keys in etcd, as keys refer to leases; here both are there at once.
 */
const struct snapshot *server_install(struct member *m, struct server_env *env)
{
	const struct snapshot *s = m->install;

	m->install = NULL;
	if (!s || s->index <= m->applied)
		return NULL;
	server_load_image(m, s);
	if (!bug_on(m->bugs, BUG_WATCH_AFTER_SNAPSHOT))
		watchable_restore(&m->watchable);
	if (watchable_has_unsynced(&m->watchable))
		server_cause(m, env, WORK_SYNC, 0);
	server_serve_reads(m, env);
	server_applied_all(m, env);
	server_go_on(m, env);
	return s;
}
