/* What stands on a member's disk, byte for byte, and what a process makes of it when it starts
 * (etcd: wal/wal.go, ReadAll; wal/repair.go; etcdserver/storage.go, readWAL).
 *
 * The log is one file here (etcd begins another every 64 MB):
 *
 *     crc, metadata, snapshot, [state], then the records since that snapshot
 */
#include "server/private.h"

#include "wal/record.h"

/* The file, and where the frame of each of the records begins; one place more: its end. */
struct wal_file {
	struct buf bytes;
	VEC(size_t) at;
	size_t before; /* records of the file that stand before the log's own */
};

static void file_free(struct wal_file *f)
{
	buf_free(&f->bytes);
	vec_free(&f->at);
}

/* Unique in the cluster, as large as etcd's are: a member's part, then a counter. */
static uint64_t request_id(const struct proposal *p)
{
	return UINT64_C(1) << 63 | (p->member & 0x7fff) << 48 | p->call;
}

static void put_entry(struct wal_file *f, uint32_t *crc, const struct entry *e)
{
	struct buf payload = {0}, data = {0};
	const struct proposal *p = e->payload;

	if (e->data)
		buf_add(&payload, e->data, e->size);
	else if (p)
		request_encode(&payload, p->req, request_id(p), p->auth_revision);
	record_entry(&data, e, buf_bytes(&payload));
	record_put(&f->bytes, crc, RECORD_ENTRY, buf_bytes(&data));
	buf_free(&payload);
	buf_free(&data);
}

static void put_state(struct wal_file *f, uint32_t *crc, uint64_t term, uint64_t vote,
		      uint64_t commit)
{
	struct buf data = {0};

	record_state(&data, term, vote, commit);
	record_put(&f->bytes, crc, RECORD_STATE, buf_bytes(&data));
	buf_free(&data);
}

static void put_snapshot(struct wal_file *f, uint32_t *crc, const struct snapshot *s)
{
	struct buf data = {0};

	record_snapshot(&data, s ? s->index : 0, s ? s->term : 0);
	record_put(&f->bytes, crc, RECORD_SNAPSHOT, buf_bytes(&data));
	buf_free(&data);
}

static void put_head(struct wal_file *f, uint32_t *crc, const struct member *m)
{
	const struct wal *w = &m->wal;
	struct buf data = {0};

	record_put_crc(&f->bytes, crc);
	record_metadata(&data, m->id, m->cluster_id);
	record_put(&f->bytes, crc, RECORD_METADATA, buf_bytes(&data));
	put_snapshot(f, crc, w->base);
	f->before = 3;
	if (w->base) {
		put_state(f, crc, w->base_term, w->base_vote, w->base_commit);
		f->before = 4;
	}
	buf_free(&data);
}

/* As it was written. */
static void write_file(const struct member *m, struct wal_file *f)
{
	const struct wal *w = &m->wal;
	uint32_t crc = 0;

	*f = (struct wal_file){0};
	put_head(f, &crc, m);
	for (uint64_t i = w->records.first; i < w->records.end; i++) {
		const struct wal_record *r = pvec_get(&w->records, i);
		vec_push(&f->at, f->bytes.n);
		if (r->type == WAL_ENTRY)
			put_entry(f, &crc, r->entry);
		else if (r->type == WAL_STATE)
			put_state(f, &crc, r->state.term, r->state.vote, r->state.commit);
		else
			put_snapshot(f, &crc, r->snapshot);
	}
	vec_push(&f->at, f->bytes.n);
}

/* Where a record's bytes end, what fills up its frame left out; *n: how many they are. */
static size_t record_end(const struct wal_file *f, size_t record, uint64_t *n)
{
	uint64_t padding;

	record_frame(buf_bytes(&f->bytes), f->at.v[record], n, &padding);
	return f->at.v[record + 1] - (size_t)padding;
}

static void spoil(struct wal_file *f, uint64_t first, const struct wal_damage *d)
{
	size_t record = (size_t)(d->record - first), end = f->at.v[record + 1];
	uint64_t n;

	if (d->kind == WAL_CUT) {
		if (f->bytes.n > end - d->n)
			f->bytes.n = end - d->n;
		return;
	}
	end = record_end(f, record, &n);
	if (d->kind == WAL_FLIPPED)
		f->bytes.p[end - d->n] ^= 1;
	else
		memset(f->bytes.p + end - d->n, 0, d->n);
}

/* As it is. */
static void read_file(const struct member *m, struct wal_file *f)
{
	write_file(m, f);
	for (uint32_t i = 0; i < m->wal.ndamages; i++)
		spoil(f, m->wal.records.first, &m->wal.damages[i]);
}

int64_t server_wal_size(const struct member *m)
{
	struct wal_file f;

	read_file(m, &f);
	int64_t n = (int64_t)f.bytes.n;
	file_free(&f);
	return n;
}

/* ---- a crash ---- */

void server_lose_unsynced(struct member *m, struct prng *prng)
{
	struct wal *w = &m->wal;
	struct wal_file f;

	if (m->disk.lose == LOSE_NONE) {
		wal_sync(w);
		return;
	}
	if (m->disk.lose == LOSE_ALL || !wal_has_unsynced(w)) {
		wal_crash(w);
		return;
	}
	write_file(m, &f);
	size_t i = (size_t)(w->synced - w->records.first), from = f.at.v[i];
	size_t end = from + 1 + (size_t)prng_below(prng, f.bytes.n - from);
	while (i + 1 < f.at.n && f.at.v[i + 1] <= end)
		i++;
	wal_keep(w, w->records.first + i);
	if (f.at.v[i] < end)
		wal_tear(w, (uint32_t)(f.at.v[i + 1] - end));
	else
		wal_crash(w);
	file_free(&f);
}

/* ---- damage ---- */

/* The newest record, or the newest entry; SIZE_MAX: none. */
static size_t newest(const struct wal *w, bool entry)
{
	for (uint64_t i = w->synced; i > w->records.first; i--) {
		const struct wal_record *r = pvec_get(&w->records, i - 1);
		if (!entry || r->type == WAL_ENTRY)
			return (size_t)(i - 1 - w->records.first);
	}
	return SIZE_MAX;
}

bool server_damage_wal(struct member *m, enum wal_damage_kind kind, uint32_t n)
{
	size_t record = newest(&m->wal, kind == WAL_FLIPPED);
	struct wal_file f;
	uint64_t most;

	if (record == SIZE_MAX)
		return false;
	if (kind == WAL_FLIPPED)
		n += m->wal.ndamages; /* another one each time: the same again would mend it */
	write_file(m, &f);
	record_end(&f, record, &most);
	if (kind == WAL_CUT)
		most = f.at.v[record + 1] - f.at.v[record];
	if (n > most)
		n = (uint32_t)most;
	file_free(&f);
	return wal_damage(&m->wal, (struct wal_damage){kind, m->wal.records.first + record, n});
}

/* The last byte of the newest value that has one. */
static bool damage_rows(struct mvcc *store, struct heap *heap)
{
	for (uint64_t i = mvcc_row_count(store); i-- > 0;) {
		const struct row *r = mvcc_row(store, i);
		struct bytes old = row_value(r);
		if (!old.n)
			continue;
		char *value = heap_dup(heap, old.p, old.n);
		value[old.n - 1] = old.p[old.n - 1] == 'X' ? 'Y' : 'X';
		mvcc_corrupt(store, i, (struct bytes){value, old.n});
		return true;
	}
	return false;
}

bool server_damage_store(struct member *m)
{
	if (!damage_rows(&m->store, m->heap))
		return false;
	m->disk.store_damaged = true;
	m->touched++;
	return true;
}

const struct store_image *server_damage_image(const struct store_image *image, struct heap *heap)
{
	struct store_image *copy = heap_alloc(heap, sizeof *copy);

	heap_freeze(heap); /* the rows are the old image's too */
	*copy = *image;
	copy->damaged = true;
	return damage_rows(&copy->store, heap) ? copy : NULL;
}

/* ---- a start ---- */

/* How many of the log's records can be read, and why no more. */
static enum record_result read_records(const struct member *m, uint64_t *good)
{
	struct wal_file f;
	struct record r;
	enum record_result end;
	size_t n = 0;

	read_file(m, &f);
	struct record_reader in = {.file = buf_bytes(&f.bytes)};
	while ((end = record_next(&in, &r)) == RECORD_OK)
		n++;
	*good = m->wal.records.first + n - f.before;
	file_free(&f);
	return end;
}

/* What cannot be read goes. */
static void cut_off(struct member *m, uint64_t good)
{
	if (good < m->wal.synced)
		m->disk.log_damaged = true;
	wal_keep(&m->wal, good);
	wal_crash(&m->wal);
	server_read_wal(m);
}

static enum wal_verdict open_damaged(struct member *m, const char **why)
{
	uint64_t good;
	enum record_result end = read_records(m, &good);
	bool torn = end == RECORD_TORN;

	*why = record_result_text(end);
	if (torn) {
		cut_off(m, good);
		end = read_records(m, &good); /* etcd repairs once */
	}
	if (end != RECORD_END) {
		*why = record_result_text(end);
		return WAL_REFUSED;
	}
	if (good < m->wal.records.end)
		cut_off(m, good); /* zeros follow, as if nothing had been written */
	return torn ? WAL_REPAIRED : WAL_READ;
}

enum wal_verdict server_open_wal(struct member *m, const char **why)
{
	return m->wal.ndamages ? open_damaged(m, why) : WAL_READ;
}
