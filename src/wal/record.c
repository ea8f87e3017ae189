#include "wal/record.h"

#include "api/pb.h"
#include "base/crc32c.h"

enum { FRAME_HEAD = 8, SECTOR = 512, MOST = 10 << 20 };

/* ---- writing ---- */

static void put_frame(struct buf *out, struct bytes record)
{
	unsigned padding = (unsigned)(-record.n & 7);
	uint64_t length = record.n;

	if (padding)
		length |= (uint64_t)(0x80 | padding) << 56;
	for (unsigned i = 0; i < FRAME_HEAD; i++)
		buf_putc(out, (char)(length >> (8 * i)));
	buf_put_bytes(out, record);
	for (unsigned i = 0; i < padding; i++)
		buf_putc(out, 0);
}

static void put_record(struct buf *out, enum wal_record_type type, uint32_t crc, struct bytes data)
{
	struct buf record = {0};

	pb_put_number(&record, 1, type);
	pb_put_number(&record, 2, crc);
	if (data.p)
		pb_put_bytes(&record, 3, data);
	put_frame(out, buf_bytes(&record));
	buf_free(&record);
}

void record_put(struct buf *out, uint32_t *crc, enum wal_record_type type, struct bytes data)
{
	*crc = crc32c(*crc, data.p, data.n);
	put_record(out, type, *crc, data);
}

void record_put_crc(struct buf *out, uint32_t *crc)
{
	put_record(out, RECORD_CRC, *crc, (struct bytes){0});
}

void record_metadata(struct buf *data, uint64_t member, uint64_t cluster)
{
	pb_put_number(data, 1, member);
	pb_put_number(data, 2, cluster);
}

void record_entry(struct buf *data, const struct entry *e, struct bytes payload)
{
	pb_put_number(data, 1, e->type);
	pb_put_number(data, 2, e->term);
	pb_put_number(data, 3, e->index);
	if (e->has_data)
		pb_put_bytes(data, 4, payload);
}

void record_state(struct buf *data, uint64_t term, uint64_t vote, uint64_t commit)
{
	pb_put_number(data, 1, term);
	pb_put_number(data, 2, vote);
	pb_put_number(data, 3, commit);
}

void record_snapshot(struct buf *data, uint64_t index, uint64_t term)
{
	pb_put_number(data, 1, index);
	pb_put_number(data, 2, term);
}

/* ---- reading ---- */

const char *record_result_text(enum record_result r)
{
	static const char *const texts[] = {
	    [RECORD_OK] = "",
	    [RECORD_END] = "EOF",
	    [RECORD_TORN] = "unexpected EOF",
	    [RECORD_CRC_MISMATCH] = "walpb: crc mismatch",
	    [RECORD_MALFORMED] = "proto: Record: illegal tag",
	    [RECORD_TOO_LARGE] = "wal: max entry size limit exceeded",
	};

	return texts[r];
}

void record_frame(struct bytes file, size_t at, uint64_t *n, uint64_t *padding)
{
	uint64_t length = 0;

	for (unsigned i = 0; i < FRAME_HEAD; i++)
		length |= (uint64_t)(unsigned char)file.p[at + i] << (8 * i);
	*n = length & ~((uint64_t)0xff << 56);
	*padding = length >> 63 ? length >> 56 & 7 : 0;
}

static bool is_zero(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

/* Has one of the sectors that the frame covers (its head left out) nothing but zeros? */
static bool lost_a_sector(struct bytes file, size_t at, size_t n)
{
	while (n) {
		size_t part = SECTOR - at % SECTOR;
		if (part > n)
			part = n;
		if (is_zero(file.p + at, part))
			return true;
		at += part;
		n -= part;
	}
	return false;
}

static enum record_result read_record(struct bytes in, struct record *r)
{
	struct pb_field f;
	enum pb_result got;

	*r = (struct record){0};
	while ((got = pb_next(&in, &f)) == PB_FIELD) {
		if (f.number == 1 && f.wire == 0)
			r->type = (enum wal_record_type)f.value;
		else if (f.number == 2 && f.wire == 0)
			r->crc = (uint32_t)f.value;
		else if (f.number == 3 && f.wire == 2)
			r->data = f.bytes;
		else if (f.number <= 3)
			return RECORD_MALFORMED;
	}
	return got == PB_END ? RECORD_OK : got == PB_SHORT ? RECORD_TORN : RECORD_MALFORMED;
}

/* A record of checksums begins a file: it says with what the file before it ended. */
static enum record_result check_crc(struct record_reader *in, const struct record *r)
{
	if (r->type == RECORD_CRC) {
		if (in->crc && in->crc != r->crc)
			return RECORD_CRC_MISMATCH;
		in->crc = r->crc;
		return RECORD_OK;
	}
	uint32_t crc = crc32c(in->crc, r->data.p, r->data.n);
	if (crc != r->crc)
		return RECORD_CRC_MISMATCH;
	in->crc = crc;
	return RECORD_OK;
}

enum record_result record_next(struct record_reader *in, struct record *r)
{
	size_t left = in->file.n - in->at, body = in->at + FRAME_HEAD;
	uint64_t n, padding;
	enum record_result got;

	if (left == 0)
		return RECORD_END;
	if (left < FRAME_HEAD)
		return RECORD_TORN;
	record_frame(in->file, in->at, &n, &padding);
	if (n == 0 && padding == 0)
		return RECORD_END;
	if (n + padding >= MOST)
		return RECORD_TOO_LARGE;
	if (n + padding > in->file.n - body)
		return RECORD_TORN;
	got = read_record((struct bytes){in->file.p + body, (size_t)n}, r);
	if (got == RECORD_OK)
		got = check_crc(in, r);
	if (got == RECORD_OK)
		in->at = body + (size_t)(n + padding);
	else if (lost_a_sector(in->file, body, (size_t)(n + padding)))
		got = RECORD_TORN;
	return got;
}
