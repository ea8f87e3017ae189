/* The rows of etcd's buckets, in order, as bytes (disk-formats.md 3).
 *
 *     alarm            AlarmMember                    (nothing)
 *     auth             authEnabled, authRevision      1; a number
 *     authRoles        name                           Role
 *     authUsers        name                           User
 *     cluster          clusterVersion                 "3.4.0"
 *     key              revision                       KeyValue          (mvcc/hash.c)
 *     lease            id                             Lease
 *     members          id, in hexadecimal             JSON
 *     members_removed  id, in hexadecimal             "removed"
 *     meta             confState, consistent_index, finishedCompactRev, scheduledCompactRev, term
 *
 * Passwords stand there as they are, where etcd has a salted hash, which no two files have in
 * common.
 */
#include "server/database.h"

#include "api/pb.h"

#include "base/buf.h"
#include "base/crc32c.h"

/* The walk over a database's rows. */
struct walk {
	uint32_t crc;
	uint64_t rows;
	struct buf key, value; /* of the row that is being made */
};

static void bucket(struct walk *w, const char *name)
{
	w->crc = crc32c(w->crc, name, strlen(name));
}

static void end_row(struct walk *w)
{
	w->crc = crc32c(w->crc, buf_str(&w->key), w->key.n);
	w->crc = crc32c(w->crc, buf_str(&w->value), w->value.n);
	w->rows++;
	buf_clear(&w->key);
	buf_clear(&w->value);
}

/* ---- encodings ---- */

static void put_be64(struct buf *b, uint64_t v)
{
	for (int shift = 56; shift >= 0; shift -= 8)
		buf_putc(b, (char)(v >> shift));
}

static void put_revision(struct buf *b, int64_t main)
{
	put_be64(b, (uint64_t)main);
	buf_putc(b, '_');
	put_be64(b, 0);
}

/* ---- buckets ---- */

static void walk_alarms(struct walk *w, const struct store_image *db)
{
	bucket(w, "alarm");
	for (size_t i = 0; i < db->alarms.n; i++) {
		pb_put_nonzero(&w->key, 1, db->alarms.v[i].member_id);
		pb_put_nonzero(&w->key, 2, db->alarms.v[i].kind);
		end_row(w);
	}
}

static void put_permission(struct buf *role, const struct permission *p)
{
	/* authpb: READ 0, WRITE 1, READWRITE 2, as here */
	struct buf b = {0};

	pb_put_nonzero(&b, 1, p->kind);
	pb_put_nonempty(&b, 2, p->range.key);
	pb_put_nonempty(&b, 3, p->range.end);
	pb_put_bytes(role, 2, buf_bytes(&b));
	buf_free(&b);
}

static void walk_roles(struct walk *w, const struct auth *a)
{
	bucket(w, "authRoles");
	for (size_t i = 0; i < a->nroles; i++) {
		const struct auth_role *r = &a->roles[i];
		buf_put_bytes(&w->key, r->name);
		pb_put_nonempty(&w->value, 1, r->name);
		for (size_t k = 0; k < r->npermissions; k++)
			put_permission(&w->value, &r->permissions[k]);
		end_row(w);
	}
}

static void walk_users(struct walk *w, const struct auth *a)
{
	bucket(w, "authUsers");
	for (size_t i = 0; i < a->nusers; i++) {
		const struct auth_user *u = &a->users[i];
		buf_put_bytes(&w->key, u->name);
		pb_put_nonempty(&w->value, 1, u->name);
		pb_put_nonempty(&w->value, 2, u->password);
		for (size_t k = 0; k < u->nroles; k++)
			pb_put_nonempty(&w->value, 3, u->roles[k]);
		if (u->no_password)
			pb_put_bytes(&w->value, 4, BYTES("\x08\x01"));
		end_row(w);
	}
}

static void walk_auth(struct walk *w, const struct auth *a)
{
	bucket(w, "auth");
	if (a->enabled) {
		buf_puts(&w->key, "authEnabled");
		buf_putc(&w->value, 1);
		end_row(w);
	}
	buf_puts(&w->key, "authRevision");
	put_be64(&w->value, a->revision);
	end_row(w);
	walk_roles(w, a);
	walk_users(w, a);
}

static void walk_cluster(struct walk *w, const struct membership *c)
{
	bucket(w, "cluster");
	if (!c->version)
		return;
	buf_puts(&w->key, "clusterVersion");
	buf_printf(&w->value, "%u.%u.0", c->version / 10, c->version % 10);
	end_row(w);
}

static void walk_leases(struct walk *w, const struct store_image *db)
{
	bucket(w, "lease");
	for (size_t i = 0; i < db->nleases; i++) {
		put_be64(&w->key, (uint64_t)db->leases[i].id);
		pb_put_nonzero(&w->value, 1, (uint64_t)db->leases[i].id);
		pb_put_nonzero(&w->value, 2, (uint64_t)db->leases[i].ttl);
		end_row(w);
	}
}

static void put_member(struct buf *b, const struct member_info *m)
{
	buf_puts(b, "{\"id\":");
	buf_put_u64(b, m->id);
	buf_printf(b, ",\"peerURLs\":[\"%s\"]", m->peer_url);
	if (m->is_learner)
		buf_puts(b, ",\"isLearner\":true");
	if (*m->name)
		buf_printf(b, ",\"name\":\"%s\"", m->name);
	if (*m->client_url)
		buf_printf(b, ",\"clientURLs\":[\"%s\"]", m->client_url);
	buf_putc(b, '}');
}

static void put_id(struct buf *b, uint64_t id)
{
	buf_printf(b, "%016llx", (unsigned long long)id);
}

static void walk_members(struct walk *w, const struct membership *c)
{
	bucket(w, "members");
	for (size_t i = 0; i < c->n; i++) {
		put_id(&w->key, c->members[i].id);
		put_member(&w->value, &c->members[i]);
		end_row(w);
	}
	bucket(w, "members_removed");
	for (size_t i = 0; i < c->nremoved; i++) {
		put_id(&w->key, c->removed[i]);
		buf_puts(&w->value, "removed");
		end_row(w);
	}
}

static void put_ids(struct buf *b, const char *name, const uint64_t *ids, size_t n)
{
	buf_printf(b, "\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		buf_puts(b, i ? "," : "");
		buf_put_u64(b, ids[i]);
	}
	buf_puts(b, "],");
}

static void put_conf(struct buf *b, const struct conf_state *c)
{
	buf_putc(b, '{');
	put_ids(b, "voters", c->voters, c->nvoters);
	if (c->nlearners)
		put_ids(b, "learners", c->learners, c->nlearners);
	buf_puts(b, "\"auto_leave\":false}");
}

/* Etcd 3.4 writes the index only together with something else. */
static void walk_meta(struct walk *w, const struct store_image *db, bool is_35)
{
	bucket(w, "meta");
	if (is_35) {
		buf_puts(&w->key, "confState");
		put_conf(&w->value, &db->conf);
		end_row(w);
	}
	if (db->consistent_index || is_35) {
		buf_puts(&w->key, "consistent_index");
		put_be64(&w->value, db->consistent_index);
		end_row(w);
	}
	if (db->store.compact_rev > 0) {
		buf_puts(&w->key, "finishedCompactRev");
		put_revision(&w->value, db->store.compact_rev);
		end_row(w);
		buf_puts(&w->key, "scheduledCompactRev");
		put_revision(&w->value, db->store.compact_rev);
		end_row(w);
	}
	if (is_35) {
		buf_puts(&w->key, "term");
		put_be64(&w->value, db->term);
		end_row(w);
	}
}

struct database_status database_status(const struct store_image *db, uint32_t etcd_version)
{
	uint64_t n = mvcc_row_count(&db->store);
	struct walk w = {0};

	walk_alarms(&w, db);
	walk_auth(&w, &db->auth);
	walk_cluster(&w, &db->membership);
	bucket(&w, "key");
	w.crc = mvcc_hash_rows(&db->store, w.crc);
	w.rows += n;
	walk_leases(&w, db);
	walk_members(&w, &db->membership);
	walk_meta(&w, db, etcd_version >= 35);
	buf_free(&w.key);
	buf_free(&w.value);
	return (struct database_status){.hash = w.crc,
					.revision = n ? mvcc_row(&db->store, n - 1)->main : 0,
					.rows = w.rows,
					.size = db->file_size};
}

void database_digest(const struct store_image *db, uint32_t etcd_version,
		     unsigned char digest[SNAPSHOT_DIGEST])
{
	struct database_status d = database_status(db, etcd_version);
	struct buf b = {0};

	put_be64(&b, d.hash);
	put_be64(&b, (uint64_t)d.revision);
	put_be64(&b, d.rows);
	put_be64(&b, (uint64_t)d.size);
	sha256(buf_bytes(&b), digest);
	buf_free(&b);
}
