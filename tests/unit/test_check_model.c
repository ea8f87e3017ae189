/* The checker's model: copies are independent, and it does not grow without end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "check/model.h"

static struct heap *heap;

static int make_heap(void **state)
{
	(void)state;
	heap = heap_new();
	return 0;
}

static int free_heap(void **state)
{
	(void)state;
	heap_free(heap);
	return 0;
}

static struct outcome apply(struct model *m, struct request q)
{
	struct entry e = {.type = ENTRY_NORMAL};

	return model_apply(m, &e, &q, 0, false);
}

static struct outcome put(struct model *m, const char *key, int64_t lease)
{
	struct put_request p = {.key = bytes_of(key), .value = BYTES("v"), .lease = lease};

	return apply(m, (struct request){.kind = REQ_PUT, .put = p});
}

static struct outcome del(struct model *m, const char *key)
{
	return apply(m, (struct request){.kind = REQ_DELETE_RANGE,
					 .del = {.range = {.key = bytes_of(key)}}});
}

static struct outcome compact(struct model *m, int64_t rev)
{
	return apply(m, (struct request){.kind = REQ_COMPACTION, .compaction = {.revision = rev}});
}

static struct outcome grant(struct model *m, int64_t id)
{
	return apply(m, (struct request){.kind = REQ_LEASE_GRANT, .grant = {.id = id, .ttl = 60}});
}

/* In one future the tombstone is dropped by a compaction; in the other one it never was. */
static void a_compaction_loses_tombstones_of_its_own_future_only(void **state)
{
	struct model a, b;

	(void)state;
	model_init(&a, heap, 1);
	put(&a, "k", 0);
	int64_t rev = del(&a, "k").rev;
	const struct version *tombstone = model_change(&a, 1);
	model_copy(&b, &a);
	assert_int_equal(compact(&b, rev).error, ERR_NONE);
	assert_true(model_is_lost(&b, tombstone));
	assert_false(model_is_lost(&b, model_change(&b, 0)));
	assert_false(model_is_lost(&a, tombstone));
	put(&a, "k", 0);
	assert_int_equal(compact(&a, rev + 1).error, ERR_NONE);
	assert_false(model_is_lost(&a, tombstone));
	model_free(&a);
	model_free(&b);
}

static void a_kept_tombstone_is_not_lost(void **state)
{
	struct model m;

	(void)state;
	model_init(&m, heap, 1);
	m.keep_tombstone_at_compact = true;
	put(&m, "k", 0);
	compact(&m, del(&m, "k").rev);
	assert_false(model_is_lost(&m, model_change(&m, 1)));
	model_free(&m);
}

/* A lock that is renewed for hours: one key, attached again each time. */
static void a_key_that_is_attached_again_is_noted_once(void **state)
{
	struct model m;

	(void)state;
	model_init(&m, heap, 1);
	grant(&m, 7);
	for (int i = 0; i < 10000; i++)
		put(&m, "k", 7);
	assert_in_range(model_lease(&m, 7)->keys.n, 1, 16);
	for (int i = 0; i < 10000; i++) {
		del(&m, "k");
		put(&m, "k", 7);
	}
	assert_in_range(model_lease(&m, 7)->keys.n, 1, 16);
	model_free(&m);
}

static void a_revocation_takes_what_is_attached_in_order(void **state)
{
	static const char *const keys[] = {"e", "b", "d", "a", "c", "b"};
	struct model m;

	(void)state;
	model_init(&m, heap, 1);
	grant(&m, 7);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		put(&m, keys[i], 7);
	put(&m, "d", 0); /* detached */
	del(&m, "c");
	struct outcome o =
	    apply(&m, (struct request){.kind = REQ_LEASE_REVOKE, .revoke = {.id = 7}});
	assert_int_equal(o.nchanges, 3);
	assert_true(bytes_is(model_change(&m, o.pos)->key, "a"));
	assert_true(bytes_is(model_change(&m, o.pos + 1)->key, "b"));
	assert_true(bytes_is(model_change(&m, o.pos + 2)->key, "e"));
	assert_int_equal(o.live_keys, 1);
	model_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_compaction_loses_tombstones_of_its_own_future_only),
	    cmocka_unit_test(a_kept_tombstone_is_not_lost),
	    cmocka_unit_test(a_key_that_is_attached_again_is_noted_once),
	    cmocka_unit_test(a_revocation_takes_what_is_attached_in_order),
	};

	return cmocka_run_group_tests_name("the checker's model", tests, make_heap, free_heap);
}
