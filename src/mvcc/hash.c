/* hashkv: one number for all that a store holds (etcd: kvstore.go: HashByRev; cluster-facts H1).
 *
 * CRC-32C over "key" and then, for each row that counts, over what bbolt holds of it:
 *     row key    main (8 bytes, big end first) '_' sub (8 bytes) and, for a tombstone, 't'
 *     row value  mvccpb.KeyValue: 1 key 2 create_revision 3 mod_revision 4 version 5 value 6 lease,
 *                without the fields that are zero or empty; of a tombstone the key alone
 */
#include "base/crc32c.h"
#include "mvcc/internal.h"

enum { FIELD_VARINT = 0, FIELD_BYTES = 2 };

static uint32_t crc_varint(uint32_t crc, unsigned tag, uint64_t v)
{
	unsigned char b[11];
	size_t n = 0;

	b[n++] = (unsigned char)tag;
	for (; v >= 0x80; v >>= 7)
		b[n++] = (unsigned char)(v | 0x80);
	b[n++] = (unsigned char)v;
	return crc32c(crc, b, n);
}

static uint32_t crc_number(uint32_t crc, unsigned field, int64_t v)
{
	return v ? crc_varint(crc, field << 3 | FIELD_VARINT, (uint64_t)v) : crc;
}

static uint32_t crc_bytes(uint32_t crc, unsigned field, struct bytes s)
{
	if (s.n == 0)
		return crc;
	return crc32c(crc_varint(crc, field << 3 | FIELD_BYTES, s.n), s.p, s.n);
}

static void put_be64(unsigned char *p, uint64_t v)
{
	v = __builtin_bswap64(v);
	memcpy(p, &v, 8);
}

static uint32_t crc_row(uint32_t crc, const struct row *r)
{
	unsigned char k[18];
	bool dead = row_is_tombstone(r);

	put_be64(k, (uint64_t)r->main);
	k[8] = '_';
	put_be64(k + 9, r->sub);
	k[17] = 't';
	crc = crc32c(crc, k, dead ? 18 : 17);
	crc = crc_bytes(crc, 1, row_key(r));
	if (dead)
		return crc;
	crc = crc_number(crc, 2, r->create);
	crc = crc_number(crc, 3, r->main);
	crc = crc_number(crc, 4, r->version);
	crc = crc_bytes(crc, 5, row_value(r));
	return crc_number(crc, 6, r->lease);
}

static bool any_key_at(const struct mvcc *m, int64_t rev)
{
	struct btree_cursor c;

	btree_seek(&m->index, (struct bytes){0}, &c);
	for (const struct row *r; (r = btree_next(&c));) {
		r = row_at(r, rev);
		if (r && !row_is_tombstone(r))
			return true;
	}
	return false;
}

uint32_t mvcc_hash_rows(const struct mvcc *m, uint32_t crc)
{
	uint64_t n = mvcc_row_count(m);

	for (uint64_t i = 0; i < n; i++)
		crc = crc_row(crc, mvcc_row(m, i));
	return crc;
}

enum error mvcc_hash(const struct mvcc *m, int64_t rev, uint32_t *hash)
{
	int64_t lowest = m->compact_rev + (m->keep_tombstone_at_compact ? 0 : 1);

	if (rev > 0 && rev < lowest)
		return ERR_COMPACTED;
	if (rev > m->current_rev)
		return ERR_FUTURE_REV;
	if (rev <= 0)
		rev = m->current_rev;
	/* etcd leaves superseded rows out only if some key exists at the revision. */
	bool leave_out = any_key_at(m, rev);
	uint64_t n = mvcc_row_count(m);
	uint32_t crc = crc32c(0, "key", 3);
	for (uint64_t i = 0; i < n; i++) {
		const struct row *r = mvcc_row(m, i);
		if (r->main > rev)
			break;
		if (r->main > m->compact_rev || !leave_out || mvcc_get(m, row_key(r), rev) == r)
			crc = crc_row(crc, r);
	}
	*hash = crc;
	return ERR_NONE;
}
