/* Users and what they may touch: permissions together cover a range; they are state like any other
 * (etcd: auth/range_perm_cache.go, store.go). */
#include "talk.h"

#include "server/auth.h"

static struct request about(enum request_kind kind, const char *user, const char *role)
{
	return (struct request){
	    .kind = kind,
	    .user = BYTES("root"),
	    .auth = {.user = bytes_of(user), .role = bytes_of(role), .password = BYTES("pw")}};
}

static void apply(struct auth *a, struct heap *h, struct request q)
{
	struct response r = {0};

	assert_int_equal(auth_apply(a, h, &q, &r), ERR_NONE);
}

static void grant(struct auth *a, struct heap *h, enum permission_kind kind, const char *key,
		  struct bytes end)
{
	struct request q = about(REQ_ROLE_GRANT_PERMISSION, "", "r");

	q.auth.permission =
	    (struct permission){.kind = kind, .range = {.key = bytes_of(key), .end = end}};
	apply(a, h, q);
}

static struct auth with_bob(struct heap *h)
{
	struct auth a = {.revision = 1};

	apply(&a, h, about(REQ_USER_ADD, "root", ""));
	apply(&a, h, about(REQ_USER_GRANT_ROLE, "root", "root"));
	apply(&a, h, about(REQ_USER_ADD, "bob", ""));
	apply(&a, h, about(REQ_ROLE_ADD, "", "r"));
	apply(&a, h, about(REQ_USER_GRANT_ROLE, "bob", "r"));
	apply(&a, h, about(REQ_AUTH_ENABLE, "", ""));
	return a;
}

static enum error read_as_bob(const struct auth *a, struct bytes key, struct bytes end)
{
	return auth_check_range(a, BYTES("bob"), a->revision, (struct key_range){key, end});
}

static void permissions_side_by_side_cover_a_range(void **state)
{
	struct heap *h = heap_new();
	struct auth a = with_bob(h);

	(void)state;
	grant(&a, h, PERMISSION_READ, "m", BYTES("p"));
	grant(&a, h, PERMISSION_READ, "b", BYTES("f"));
	grant(&a, h, PERMISSION_READWRITE, "d", BYTES("m"));
	assert_int_equal(read_as_bob(&a, BYTES("b"), BYTES("p")), ERR_NONE);
	assert_int_equal(read_as_bob(&a, BYTES("c"), BYTES("n")), ERR_NONE);
	assert_int_equal(read_as_bob(&a, BYTES("a"), BYTES("c")), ERR_PERMISSION_DENIED);
	assert_int_equal(read_as_bob(&a, BYTES("o"), BYTES("q")), ERR_PERMISSION_DENIED);
	assert_int_equal(read_as_bob(&a, BYTES("b"), BYTES("\0")), ERR_PERMISSION_DENIED);
	assert_int_equal(auth_check_key(&a, BYTES("bob"), a.revision, BYTES("e")), ERR_NONE);
	assert_int_equal(auth_check_key(&a, BYTES("bob"), a.revision, BYTES("c")),
			 ERR_PERMISSION_DENIED);
	/* One key alone: what follows it is not covered, but what begins right behind it goes on.
	 */
	grant(&a, h, PERMISSION_READ, "p", (struct bytes){0});
	assert_int_equal(read_as_bob(&a, BYTES("b"), BYTES("p\0")), ERR_NONE);
	assert_int_equal(read_as_bob(&a, BYTES("b"), BYTES("q")), ERR_PERMISSION_DENIED);
	grant(&a, h, PERMISSION_READ, "p", BYTES("\0"));
	assert_int_equal(read_as_bob(&a, BYTES("b"), BYTES("\0")), ERR_NONE);
	heap_free(h);
}

static void who_took_a_request_under_an_older_revision_is_told(void **state)
{
	struct heap *h = heap_new();
	struct auth a = with_bob(h);
	uint64_t old = a.revision;

	(void)state;
	grant(&a, h, PERMISSION_READ, "k", (struct bytes){0});
	assert_int_equal(
	    auth_check_range(&a, BYTES("bob"), old, (struct key_range){.key = BYTES("k")}),
	    ERR_AUTH_OLD_REVISION);
	heap_free(h);
}

static const char *do_as(struct talk *k, struct request r)
{
	return outcome(k, ask(k, r, 0));
}

static void users_come_with_a_snapshot_and_with_a_copy_of_the_world(void **state)
{
	struct talk k = TALK("snapshot-count 5", "snapshot-catchup-entries 2");

	(void)state;
	sim_kill(k.w, 3, KILL_PROCESS, KILL_NOW);
	assert_string_equal(do_as(&k, about(REQ_USER_ADD, "root", "")), "");
	assert_string_equal(do_as(&k, about(REQ_USER_GRANT_ROLE, "root", "root")), "");
	struct world *before = world_copy(k.w);
	assert_string_equal(do_as(&k, about(REQ_AUTH_ENABLE, "", "")), "");
	assert_string_equal(outcome(&k, put(&k, "a", "1", 0)), "etcdserver: user name is empty");
	assert_false(before->members[0]->auth.enabled);
	assert_int_equal(before->members[0]->auth.nusers, 1);
	world_free(before);
	for (int i = 0; i < 8; i++)
		assert_string_equal(do_as(&k, about(REQ_USER_LIST, "", "")), "");
	sim_restart(k.w, 3);
	wait_ms(&k, 500);
	assert_true(at(&k, 3)->snap_index > 8);
	assert_true(at(&k, 3)->auth.enabled);
	assert_int_equal(at(&k, 3)->auth.revision, at(&k, 1)->auth.revision);
	assert_string_equal(outcome(&k, get(&k, "a", 3, true)), "etcdserver: user name is empty");
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(permissions_side_by_side_cover_a_range),
	    cmocka_unit_test(who_took_a_request_under_an_older_revision_is_told),
	    cmocka_unit_test(users_come_with_a_snapshot_and_with_a_copy_of_the_world),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
