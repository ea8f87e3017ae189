/* The log as bytes: etcd's own vectors and files, and what counts as torn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "api/pb.h"
#include "api/request.h"
#include "wal/record.h"

/* A small log that etcd's own dumper accepts: member 11, cluster 22 (hexadecimal). */
static const unsigned char small_log[] = {
    /* crc */
    0x04, 0, 0, 0, 0, 0, 0, 0x84, 0x08, 0x04, 0x10, 0x00, 0, 0, 0, 0,
    /* metadata */
    0x0e, 0, 0, 0, 0, 0, 0, 0x82, 0x08, 0x01, 0x10, 0xfd, 0x90, 0x8f, 0xac, 0x09, 0x1a, 0x04, 0x08,
    0x11, 0x10, 0x22, 0, 0,
    /* snapshot 0/0 */
    0x0e, 0, 0, 0, 0, 0, 0, 0x82, 0x08, 0x05, 0x10, 0xe8, 0xd0, 0xb2, 0xc2, 0x05, 0x1a, 0x04, 0x08,
    0x00, 0x10, 0x00, 0, 0,
    /* entry 1 of term 1 adds the member */
    0x4d, 0, 0, 0, 0, 0, 0, 0x83, 0x08, 0x02, 0x10, 0xda, 0xfa, 0x98, 0xa5, 0x0f, 0x1a, 0x43, 0x08,
    0x01, 0x10, 0x01, 0x18, 0x01, 0x22, 0x3b, 0x08, 0x00, 0x10, 0x00, 0x18, 0x11, 0x22, 0x33, '{',
    '"', 'i', 'd', '"', ':', '1', '7', ',', '"', 'p', 'e', 'e', 'r', 'U', 'R', 'L', 's', '"', ':',
    '[', '"', 'h', 't', 't', 'p', ':', '/', '/', 'S', '1', ':', '2', '3', '8', '0', '"', ']', ',',
    '"', 'n', 'a', 'm', 'e', '"', ':', '"', 'S', '1', '"', '}', 0, 0, 0,
    /* state: term 2, vote 11, commit 1 */
    0x10, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x03, 0x10, 0xe6, 0xa7, 0xca, 0xad, 0x0d, 0x1a, 0x06, 0x08,
    0x02, 0x10, 0x11, 0x18, 0x01,
    /* entry 2 of term 2, empty */
    0x10, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x02, 0x10, 0xe8, 0xbe, 0x99, 0x88, 0x05, 0x1a, 0x06, 0x08,
    0x00, 0x10, 0x02, 0x18, 0x02,
    /* entry 3: put a hi, request 1101 */
    0x20, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x02, 0x10, 0xa5, 0xcc, 0xbc, 0x0a, 0x1a, 0x17, 0x08, 0x00,
    0x10, 0x02, 0x18, 0x03, 0x22, 0x0f, 0x22, 0x07, 0x0a, 0x01, 0x61, 0x12, 0x02, 0x68, 0x69, 0xa2,
    0x06, 0x03, 0x08, 0x81, 0x22,
    /* state: term 2, vote 11, commit 3 */
    0x10, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x03, 0x10, 0xa0, 0xd8, 0xd6, 0xc2, 0x07, 0x1a, 0x06, 0x08,
    0x02, 0x10, 0x11, 0x18, 0x03};

static const struct bytes small = {(const char *)small_log, sizeof small_log};

static void put(struct buf *out, uint32_t *crc, enum wal_record_type type, struct buf *data)
{
	record_put(out, crc, type, buf_bytes(data));
	buf_clear(data);
}

static void put_entry(struct buf *out, uint32_t *crc, const struct entry *e,
		      const struct buf *payload)
{
	struct buf data = {0};

	record_entry(&data, e, buf_bytes(payload));
	put(out, crc, RECORD_ENTRY, &data);
	buf_free(&data);
}

static void the_small_log_is_written_byte_for_byte(void **state)
{
	static const char adds[] = "\x08\0\x10\0\x18\x11\x22\x33"
				   "{\"id\":17,\"peerURLs\":[\"http://S1:2380\"],\"name\":\"S1\"}";
	const struct request put_a = {.kind = REQ_PUT,
				      .put = {.key = {"a", 1}, .value = {"hi", 2}}};
	struct buf out = {0}, data = {0}, payload = {0};
	uint32_t crc = 0;

	(void)state;
	record_put_crc(&out, &crc);
	record_metadata(&data, 0x11, 0x22);
	put(&out, &crc, RECORD_METADATA, &data);
	record_snapshot(&data, 0, 0);
	put(&out, &crc, RECORD_SNAPSHOT, &data);
	buf_add(&payload, adds, sizeof adds - 1);
	put_entry(&out, &crc, &(struct entry){1, 1, .type = ENTRY_CONF_CHANGE, .has_data = true},
		  &payload);
	record_state(&data, 2, 0x11, 1);
	put(&out, &crc, RECORD_STATE, &data);
	put_entry(&out, &crc, &(struct entry){.term = 2, .index = 2}, &payload);
	buf_clear(&payload);
	request_encode(&payload, &put_a, 0x1101, 1);
	put_entry(&out, &crc, &(struct entry){.term = 2, .index = 3, .has_data = true}, &payload);
	record_state(&data, 2, 0x11, 3);
	put(&out, &crc, RECORD_STATE, &data);
	assert_int_equal(out.n, small.n);
	assert_memory_equal(out.p, small.p, small.n);
	buf_free(&out);
	buf_free(&data);
	buf_free(&payload);
}

/* Reads to the end; the number of good records. */
static size_t read_all(struct bytes file, enum record_result *end)
{
	struct record_reader in = {.file = file};
	struct record r;
	size_t n = 0;

	while ((*end = record_next(&in, &r)) == RECORD_OK)
		n++;
	return n;
}

static void expect(struct bytes file, size_t records, enum record_result result)
{
	enum record_result end;

	assert_int_equal(read_all(file, &end), records);
	assert_string_equal(record_result_text(end), record_result_text(result));
}

static void it_is_read_to_its_end(void **state)
{
	struct buf b = {0};
	char zeros[64] = {0};

	(void)state;
	expect(small, 8, RECORD_END);
	buf_put_bytes(&b, small); /* room that was prepared for more */
	buf_add(&b, zeros, sizeof zeros);
	expect(buf_bytes(&b), 8, RECORD_END);
	buf_free(&b);
}

/* Where the last record begins. */
enum { LAST = sizeof small_log - 24 };

static void a_file_that_ends_early_is_torn(void **state)
{
	(void)state;
	for (size_t n = LAST + 1; n < small.n; n++)
		expect((struct bytes){small.p, n}, 7, RECORD_TORN);
	expect((struct bytes){small.p, LAST}, 7, RECORD_END);
}

/* The kind of a record is not under its checksum; its data is. */
static void any_flipped_bit_of_the_data_is_found(void **state)
{
	struct buf b = {0};

	(void)state;
	buf_put_bytes(&b, small);
	for (size_t i = LAST + 17; i < small.n; i++)
		for (int bit = 0; bit < 8; bit++) {
			enum record_result end;
			b.p[i] = (char)(b.p[i] ^ 1 << bit);
			assert_int_equal(read_all(buf_bytes(&b), &end), 7);
			assert_int_not_equal(end, RECORD_END);
			b.p[i] = (char)(b.p[i] ^ 1 << bit);
		}
	b.p[small.n - 1] ^= 1;
	expect(buf_bytes(&b), 7, RECORD_CRC_MISMATCH);
	buf_free(&b);
}

/* A record that begins at 240 and whose data covers two sectors. */
static size_t long_record(struct buf *out)
{
	char value[600];
	uint32_t crc = 0x7855ac20; /* of the last record of the small log */

	memset(value, 'v', sizeof value);
	buf_put_bytes(out, small);
	size_t at = out->n;
	record_put(out, &crc, RECORD_ENTRY, (struct bytes){value, sizeof value});
	return at;
}

static void zeros_count_as_torn_only_from_a_sector_on(void **state)
{
	struct buf b = {0};
	size_t at = long_record(&b);

	(void)state;
	expect(buf_bytes(&b), 9, RECORD_END);
	memset(b.p + 512, 0, b.n - 512);
	expect(buf_bytes(&b), 8, RECORD_TORN);
	b.p[512] = 'v'; /* the sector was written, then damaged */
	expect(buf_bytes(&b), 8, RECORD_CRC_MISMATCH);
	buf_clear(&b);
	long_record(&b);
	memset(b.p + b.n - 6, 0, 6);
	expect(buf_bytes(&b), 8, RECORD_CRC_MISMATCH);
	memset(b.p + at, 0, 8); /* a length that was never written ends the log */
	expect(buf_bytes(&b), 8, RECORD_END);
	buf_free(&b);
}

/* ---- files of a real etcd ---- */

/* The records of the first segment of an archive; false: there is no such archive here. */
static bool read_archive(const char *name, struct buf *out)
{
	const char *cases = getenv("ETCDSCOPE_CASES");
	struct buf command = {0};

	buf_printf(&command,
		   "cd '%s/fixtures/real-etcd' 2>/dev/null && tar -xzOf %s.tar.gz --wildcards "
		   "'*.wal' 2>/dev/null | head -c 65536",
		   cases ? cases : "../shared", name);
	FILE *f = popen(buf_str(&command), "r");
	char block[4096];
	for (size_t n; f && (n = fread(block, 1, sizeof block, f)) > 0;)
		buf_add(out, block, n);
	if (f)
		pclose(f);
	buf_free(&command);
	return out->n > 0;
}

/* Read and written again it is the same file. */
static void goes_round(const char *name)
{
	struct buf file = {0}, again = {0};
	struct record r;
	uint32_t crc = 0;
	size_t n = 0;

	if (!read_archive(name, &file))
		skip();
	struct record_reader in = {.file = buf_bytes(&file)};
	while (record_next(&in, &r) == RECORD_OK) {
		n++;
		if (r.type == RECORD_CRC)
			record_put_crc(&again, &crc);
		else
			record_put(&again, &crc, r.type, r.data);
	}
	assert_true(n > 30);
	assert_int_equal(again.n, in.at);
	assert_memory_equal(again.p, file.p, again.n);
	buf_free(&file);
	buf_free(&again);
}

static void etcds_files_go_round(void **state)
{
	(void)state;
	goes_round("single-member");
	goes_round("conflict-and-tail");
	goes_round("membership-snap");
}

/* The data of the entry at an index, and the id of its request. */
static struct bytes entry_data(struct bytes file, uint64_t index, uint64_t *id)
{
	struct record_reader in = {.file = file};
	struct bytes data = {0};
	struct record r;
	struct pb_field f;

	*id = 0;
	while (record_next(&in, &r) == RECORD_OK) {
		uint64_t at = 0;
		struct bytes d = {0};
		if (r.type != RECORD_ENTRY)
			continue;
		while (pb_next(&r.data, &f) == PB_FIELD) {
			at = f.number == 3 ? f.value : at;
			d = f.number == 4 ? f.bytes : d;
		}
		if (at == index)
			data = d;
	}
	for (struct bytes d = data; pb_next(&d, &f) == PB_FIELD;) {
		struct bytes header = f.bytes;
		if (f.number == 1 || (f.number == 100 && pb_next(&header, &f) == PB_FIELD))
			*id = f.value;
	}
	return data;
}

static void expect_request(struct bytes file, uint64_t index, const struct request *r)
{
	struct buf ours = {0};
	uint64_t id;
	struct bytes theirs = entry_data(file, index, &id);

	request_encode(&ours, r, id, 0);
	if (!bytes_eq(buf_bytes(&ours), theirs))
		fail_msg("entry %d is encoded otherwise than etcd's", (int)index);
	buf_free(&ours);
}

static void requests_are_written_as_etcd_writes_them(void **state)
{
	const uint64_t member = 0xb71f75320dc06a6c;
	const int64_t lease = 0x6a6ca227e3c8b108;
	struct buf file = {0};

	(void)state;
	if (!read_archive("single-member", &file))
		skip();
	struct bytes b = buf_bytes(&file);
#define EXPECT(index, ...) expect_request(b, index, &(const struct request){__VA_ARGS__})
	EXPECT(3, .kind = REQ_PUBLISH,
	       .member = {.id = member, .name = "S1", .client_url = "http://127.0.0.1:2379"});
	EXPECT(4, .kind = REQ_CLUSTER_VERSION, .member = {.id = 34});
	EXPECT(5, .kind = REQ_PUT, .put = {.key = {"a", 1}, .value = {"1", 1}});
	EXPECT(8, .kind = REQ_LEASE_GRANT, .grant = {.ttl = 100, .id = lease});
	EXPECT(9, .kind = REQ_PUT, .put = {.key = {"l", 1}, .value = {"x", 1}, .lease = lease});
	EXPECT(10, .kind = REQ_DELETE_RANGE, .del = {.range = {.key = {"nokey", 5}}});
	EXPECT(13, .kind = REQ_LEASE_REVOKE, .revoke = {.id = lease});
	EXPECT(15, .kind = REQ_COMPACTION, .compaction = {.revision = 4});
	EXPECT(16, .kind = REQ_ALARM_LIST);
#undef EXPECT
	buf_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_small_log_is_written_byte_for_byte),
	    cmocka_unit_test(it_is_read_to_its_end),
	    cmocka_unit_test(a_file_that_ends_early_is_torn),
	    cmocka_unit_test(any_flipped_bit_of_the_data_is_found),
	    cmocka_unit_test(zeros_count_as_torn_only_from_a_sector_on),
	    cmocka_unit_test(etcds_files_go_round),
	    cmocka_unit_test(requests_are_written_as_etcd_writes_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
