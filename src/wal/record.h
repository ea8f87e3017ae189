/* The write-ahead log as bytes: frames, records and their chain of checksums (etcd: wal/encoder.go,
 * decoder.go; walpb/record.proto).
 *
 *     frame    length u64: low 56 bits n; top byte 0, or 0x80 | padding     n bytes   padding zeros
 *     record   08 TYPE   10 CRC   1a LENGTH DATA
 *
 * A frame begins at a multiple of eight, so that a length is never torn.  The checksum of a record
 * is that of the data of all records before it and of its own.
 *
 * What a crash leaves of the last record counts as torn if the file ends inside of it, or if all
 * that it has of some sector of 512 bytes is zero: it was never acknowledged, and restart cuts it
 * off.  Anything else that does not fit is damage, and restart refuses.
 */
#ifndef WAL_RECORD_H
#define WAL_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "api/entry.h"
#include "base/buf.h"

enum wal_record_type {
	RECORD_METADATA = 1,
	RECORD_ENTRY = 2,
	RECORD_STATE = 3,
	RECORD_CRC = 4,
	RECORD_SNAPSHOT = 5
};

/* Adds a record behind those that are in out; *crc is the running checksum, 0 at the start of a
 * log. */
void record_put(struct buf *out, uint32_t *crc, enum wal_record_type type, struct bytes data);
/* The first record of a file: the checksum so far. */
void record_put_crc(struct buf *out, uint32_t *crc);
/* Data of each kind. */
void record_metadata(struct buf *data, uint64_t member, uint64_t cluster);
void record_entry(struct buf *data, const struct entry *e, struct bytes payload);
void record_state(struct buf *data, uint64_t term, uint64_t vote, uint64_t commit);
void record_snapshot(struct buf *data, uint64_t index, uint64_t term);

enum record_result {
	RECORD_OK,
	RECORD_END,	     /* no more: the file ends, or zeros follow that were never written */
	RECORD_TORN,	     /* etcd: unexpected EOF */
	RECORD_CRC_MISMATCH, /* etcd: walpb: crc mismatch */
	RECORD_MALFORMED,    /* no record at all */
	RECORD_TOO_LARGE
};
/* etcd's words for it. */
const char *record_result_text(enum record_result r);

struct record {
	enum wal_record_type type;
	uint32_t crc;
	struct bytes data;
};

struct record_reader {
	struct bytes file;
	size_t at;    /* of the next frame: behind the last good record */
	uint32_t crc; /* running */
};

/* The next record, which points into the file. */
enum record_result record_next(struct record_reader *in, struct record *r);

/* Sizes at a frame's head: of the record, and of what fills it up. */
void record_frame(struct bytes file, size_t at, uint64_t *n, uint64_t *padding);

#endif
