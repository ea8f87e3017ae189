/* What goes through the log, and how long it is there (cluster-facts: Raft index and revision per
 * request, X1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "api/request.h"
#include "base/buf.h"

enum { LIMIT = 1572864 };

static const struct request a_put = {.kind = REQ_PUT, .put = {.key = {"k", 1}}};
static const struct request a_get = {.kind = REQ_RANGE, .range = {.range = {.key = {"k", 1}}}};

static bool writes(enum request_kind kind)
{
	return request_is_write(&(struct request){.kind = kind});
}

static void what_takes_an_index(void **state)
{
	(void)state;
	assert_true(writes(REQ_PUT));
	assert_true(writes(REQ_DELETE_RANGE));
	assert_true(writes(REQ_COMPACTION));
	assert_true(writes(REQ_LEASE_GRANT));
	assert_true(writes(REQ_LEASE_REVOKE));
	assert_true(writes(REQ_ALARM_LIST)); /* although it only reads */
	assert_false(writes(REQ_RANGE));
	assert_false(writes(REQ_LEASE_KEEP_ALIVE));
	assert_false(writes(REQ_LEASE_TIME_TO_LIVE));
	assert_false(writes(REQ_LEASE_LEASES));
	assert_false(writes(REQ_HASH_KV));
	assert_false(writes(REQ_STATUS));
	assert_false(writes(REQ_DEFRAGMENT));
	assert_false(writes(REQ_MEMBER_LIST));
}

static void a_txn_of_gets_alone_is_a_read(void **state)
{
	struct request r = {.kind = REQ_TXN};

	(void)state;
	assert_false(request_is_write(&r)); /* empty */
	r.txn.success = &a_get;
	r.txn.nsuccess = 1;
	assert_false(request_is_write(&r));
	r.txn.failure = &a_put;
	r.txn.nfailure = 1;
	assert_true(request_is_write(&r));
}

/* Limits are measured against what the encoding takes, without making it. */
static void the_size_is_that_of_the_encoding(void **state)
{
	const struct compare compares[] = {
	    {.target = COMPARE_MOD, .range = {.key = {"k", 1}}, .number = 300},
	    {.result = COMPARE_NOT_EQUAL,
	     .target = COMPARE_VALUE,
	     .range = {.key = {"k", 1}, .end = {"l", 1}}},
	};
	const struct request del = {
	    .kind = REQ_DELETE_RANGE,
	    .del = {.range = {.key = {"a", 1}, .end = {"b", 1}}, .prev_kv = true}};
	const struct request requests[] = {
	    a_put,
	    del,
	    {.kind = REQ_PUT,
	     .user = {"root", 4},
	     .put = {.key = {"k", 1}, .value = {"v", 1}, .lease = -1, .prev_kv = true}},
	    {.kind = REQ_COMPACTION, .compaction = {.revision = 1000, .physical = true}},
	    {.kind = REQ_LEASE_GRANT, .grant = {.id = 1, .ttl = 60}},
	    {.kind = REQ_LEASE_REVOKE, .revoke = {.id = 1}},
	    {.kind = REQ_ALARM_LIST},
	    {.kind = REQ_ALARM_ACTIVATE, .alarm = {.member_id = 77, .kind = ALARM_NO_SPACE}},
	    {.kind = REQ_TXN,
	     .txn = {.compares = compares,
		     .ncompares = 2,
		     .success = &a_get,
		     .nsuccess = 1,
		     .failure = &del,
		     .nfailure = 1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
		struct buf b = {0};
		request_encode(&b, &requests[i], UINT64_MAX, 0);
		assert_int_equal(b.n, request_size(&requests[i]));
		buf_free(&b);
	}
}

/* X1: the largest value for a key of one byte. */
static void the_largest_put_is_etcds(void **state)
{
	struct request r = a_put;

	(void)state;
	r.put.value = (struct bytes){NULL, 1572839};
	assert_true(request_size(&r) <= LIMIT);
	r.put.value.n++;
	assert_true(request_size(&r) > LIMIT);
}

/* Counted by hand: header 2+1+11; field 6 and length 2; a compare 2 + (3 key, 2 mod_revision
 * target, 2 its number); a success 2 + (2 + put 3). */
static void a_txn_is_as_long_as_its_parts(void **state)
{
	const struct compare c = {.target = COMPARE_MOD, .range = {.key = {"k", 1}}, .number = 0};
	struct request r = {
	    .kind = REQ_TXN,
	    .txn = {.compares = &c, .ncompares = 1, .success = &a_put, .nsuccess = 1}};

	(void)state;
	assert_int_equal(request_size(&r), 14 + 2 + 2 + (3 + 2 + 2) + 2 + (2 + 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_takes_an_index),
	    cmocka_unit_test(a_txn_of_gets_alone_is_a_read),
	    cmocka_unit_test(the_size_is_that_of_the_encoding),
	    cmocka_unit_test(the_largest_put_is_etcds),
	    cmocka_unit_test(a_txn_is_as_long_as_its_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
