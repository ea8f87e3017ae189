/* The lessor's rules (etcd-server.md section 2, cluster-facts E1 to E8), and the lessor against a
 * naive one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lease/lessor.h"

enum { MIN_TTL = 2, RETRY_MS = 7000, EXTEND_MS = 1000 };

struct world {
	struct heap *heap;
	struct lessor l;
};

static int set_up(void **state)
{
	struct world *w = xcalloc(1, sizeof *w);

	w->heap = heap_new();
	lessor_init(&w->l, w->heap, MIN_TTL);
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	lessor_free(&w->l);
	heap_free(w->heap);
	free(w);
	return 0;
}

static struct lessor *lessor(void **state)
{
	return &((struct world *)*state)->l;
}

static struct lessor *primary(void **state)
{
	struct lessor *l = lessor(state);

	lessor_promote(l, 0, 0);
	return l;
}

static int64_t grant(struct lessor *l, int64_t id, int64_t ttl, int64_t now_ms)
{
	int64_t granted = -1;

	assert_int_equal(lessor_grant(l, id, ttl, now_ms, &granted), ERR_NONE);
	return granted;
}

/* "3 1 2": the ids that are offered. */
static void assert_expired(struct lessor *l, int64_t now_ms, size_t max, const char *expected)
{
	int64_t ids[16];
	char text[128] = "";
	size_t n = lessor_take_expired(l, now_ms, RETRY_MS, ids, max), at = 0;

	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%lld", i ? " " : "",
				       (long long)ids[i]);
	assert_string_equal(text, expected);
}

static void attach(struct lessor *l, int64_t id, const char *key)
{
	assert_int_equal(lessor_attach(l, id, bytes_of(key)), ERR_NONE);
}

/* "a b c": the keys of a lease. */
static void assert_keys(const struct lessor *l, int64_t id, const char *expected)
{
	const struct lease *x = lessor_find(l, id);
	char text[128] = "";
	size_t at = 0;

	assert_non_null(x);
	for (size_t i = 0; i < x->keys.n; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%.*s", i ? " " : "",
				       (int)x->keys.v[i].n, x->keys.v[i].p);
	assert_string_equal(text, expected);
}

/* ---- granting ---- */

static void a_ttl_below_the_minimum_is_raised(void **state)
{
	struct lessor *l = lessor(state);

	assert_int_equal(grant(l, 1, 0, 0), 2);
	assert_int_equal(grant(l, 2, -5, 0), 2);
	assert_int_equal(grant(l, 3, 3, 0), 3);
	assert_int_equal(grant(l, 4, 9000000000, 0), 9000000000);
}

static void grants_that_etcd_refuses(void **state)
{
	struct lessor *l = lessor(state);
	int64_t ttl;

	grant(l, 1, 10, 0);
	assert_int_equal(lessor_grant(l, 1, 10, 0, &ttl), ERR_LEASE_EXISTS);
	assert_int_equal(lessor_grant(l, 2, 9000000001, 0, &ttl), ERR_LEASE_TTL_TOO_LARGE);
	assert_int_equal(lessor_grant(l, 1, 9000000001, 0, &ttl), ERR_LEASE_TTL_TOO_LARGE);
	assert_int_equal(lessor_grant(l, 0, 10, 0, &ttl), ERR_LEASE_NOT_FOUND);
	assert_int_equal(lessor_grant(l, -3, 10, 0, &ttl), ERR_NONE);
}

static void an_unknown_lease_is_not_found(void **state)
{
	struct lessor *l = lessor(state);
	int64_t ttl;

	assert_null(lessor_find(l, 5));
	assert_int_equal(lessor_revoke(l, 5, NULL), ERR_LEASE_NOT_FOUND);
	assert_int_equal(lessor_renew(l, 5, 0, &ttl), ERR_LEASE_NOT_FOUND);
	assert_int_equal(lessor_attach(l, 5, bytes_of("k")), ERR_LEASE_NOT_FOUND);
}

/* ---- keys ---- */

static void keys_stand_in_byte_order(void **state)
{
	struct lessor *l = lessor(state);

	grant(l, 1, 10, 0);
	attach(l, 1, "kc");
	attach(l, 1, "ka");
	attach(l, 1, "kb");
	attach(l, 1, "ka");
	assert_keys(l, 1, "ka kb kc");
}

static void a_key_has_one_lease(void **state)
{
	struct lessor *l = lessor(state);

	grant(l, 1, 10, 0);
	grant(l, 2, 10, 0);
	attach(l, 1, "k");
	attach(l, 2, "k");
	assert_keys(l, 1, "");
	assert_keys(l, 2, "k");
	assert_int_equal(lessor_of_key(l, bytes_of("k")), 2);
	attach(l, 0, "k"); /* a put without lease */
	assert_keys(l, 2, "");
	assert_int_equal(lessor_of_key(l, bytes_of("k")), 0);
	lessor_detach(l, bytes_of("k"));
}

static void revoking_hands_over_the_keys(void **state)
{
	struct lessor *l = lessor(state);
	key_list keys = {0};

	grant(l, 1, 10, 0);
	attach(l, 1, "b");
	attach(l, 1, "a");
	assert_int_equal(lessor_revoke(l, 1, &keys), ERR_NONE);
	assert_int_equal(keys.n, 2);
	assert_true(bytes_is(keys.v[0], "a"));
	assert_true(bytes_is(keys.v[1], "b"));
	vec_free(&keys);
	assert_null(lessor_find(l, 1));
	assert_int_equal(lessor_of_key(l, bytes_of("a")), 0);
}

/* ---- time ---- */

static void only_the_primary_lets_leases_run_out(void **state)
{
	struct lessor *l = lessor(state);

	grant(l, 1, 5, 0);
	assert_int_equal(lessor_find(l, 1)->expiry_ms, LEASE_NEVER);
	assert_int_equal(lease_left_ms(lessor_find(l, 1), 1000), LEASE_NEVER);
	assert_expired(l, 1000000, 16, "");
}

static void a_lease_runs_out_when_its_ttl_has_passed(void **state)
{
	struct lessor *l = primary(state);

	grant(l, 1, 5, 1000);
	assert_int_equal(lease_left_ms(lessor_find(l, 1), 3500), 2500);
	assert_int_equal(lease_left_ms(lessor_find(l, 1), 9000), 0);
	assert_expired(l, 5999, 16, "");
	assert_expired(l, 6000, 16, "1");
}

static void a_renewal_gives_the_full_ttl_again(void **state)
{
	struct lessor *l = primary(state);
	int64_t ttl;

	grant(l, 1, 5, 0);
	assert_int_equal(lessor_renew(l, 1, 3000, &ttl), ERR_NONE);
	assert_int_equal(ttl, 5);
	assert_expired(l, 7999, 16, "");
	assert_expired(l, 8000, 16, "1");
}

static void leases_run_out_in_order_of_expiry_then_of_grant_or_renewal(void **state)
{
	struct lessor *l = primary(state);
	int64_t ttl, ids[4];

	grant(l, 1, 5, 0);
	grant(l, 4, 5, 0);
	grant(l, 3, 4, 0);
	grant(l, 2, 5, 0);
	lessor_renew(l, 1, 0, &ttl);
	lessor_list(l, ids);
	assert_memory_equal(ids, ((int64_t[]){3, 4, 2, 1}), sizeof ids);
	assert_expired(l, 5000, 3, "3 4 2");
	assert_expired(l, 5000, 3, "1");
}

/* The leader's revoke may fail; the lease is offered again, but not at every look. */
static void an_offered_lease_is_offered_again_after_the_retry_time(void **state)
{
	struct lessor *l = primary(state);

	grant(l, 1, 5, 0);
	grant(l, 2, 9, 0);
	assert_expired(l, 5000, 16, "1");
	assert_expired(l, 11999, 16, "2");
	assert_expired(l, 12000, 16, "1");
	lessor_revoke(l, 1, NULL);
	assert_expired(l, 19000, 16, "2");
	lessor_revoke(l, 2, NULL);
	assert_expired(l, 100000, 16, "");
}

/* E4: after a leader change the time left is the full TTL and an election timeout. */
static void a_new_leader_extends_every_lease(void **state)
{
	struct lessor *l = lessor(state);

	grant(l, 1, 20, 0);
	lessor_promote(l, 6000, EXTEND_MS);
	assert_int_equal(lessor_find(l, 1)->expiry_ms, 6000 + 20000 + 1000);
	lessor_demote(l);
	assert_int_equal(lessor_find(l, 1)->expiry_ms, LEASE_NEVER);
	assert_expired(l, 100000, 16, "");
}

static void a_checkpoint_shortens_what_a_new_leader_gives(void **state)
{
	struct lessor *l = lessor(state);
	int64_t ttl;

	grant(l, 1, 600, 0);
	l->leases.v[0]->remaining_ttl = 100;
	lessor_promote(l, 0, EXTEND_MS);
	assert_int_equal(lessor_find(l, 1)->expiry_ms, 101000);
	lessor_renew(l, 1, 0, &ttl);
	assert_int_equal(lessor_find(l, 1)->remaining_ttl, 0);
	assert_int_equal(lessor_find(l, 1)->expiry_ms, 600000);
}

/* A thousand leases or more that would run out together are spread, 750 to a second. */
static void many_leases_do_not_run_out_at_once(void **state)
{
	struct lessor *l = lessor(state);
	int64_t expiry[3] = {0};

	for (int64_t id = 1; id <= 2000; id++)
		grant(l, id, 10, 0);
	lessor_promote(l, 0, 0);
	for (int64_t id = 1; id <= 2000; id++) {
		int64_t late = lessor_find(l, id)->expiry_ms - 10000;
		assert_in_range(late, 0, 2999);
		expiry[late / 1000]++;
	}
	assert_in_range(expiry[0], 700, 750);
	assert_in_range(expiry[1], 700, 750);
}

static void a_copy_goes_its_own_way(void **state)
{
	struct lessor *l = primary(state), copy;

	grant(l, 1, 5, 0);
	attach(l, 1, "a");
	lessor_copy(&copy, l);
	attach(l, 1, "b");
	grant(l, 2, 5, 0);
	assert_expired(l, 5000, 16, "1 2");
	lessor_revoke(l, 1, NULL);
	assert_keys(&copy, 1, "a");
	assert_null(lessor_find(&copy, 2));
	assert_expired(&copy, 5000, 16, "1");
	lessor_free(&copy);
}

/* ---- against a naive lessor ---- */

enum { LEASES = 60, KEYS = 40 };

struct model {
	struct {
		bool there;
		int64_t ttl, expiry, retry;
		uint64_t seq;
	} lease[LEASES + 1];
	int key[KEYS]; /* its lease; 0: none */
	bool primary;
	uint64_t next_seq;
};

struct pair {
	struct lessor l;
	struct model m;
};

static struct bytes key_of(char *text, int k)
{
	return (struct bytes){text, (size_t)snprintf(text, 16, "key%02d", k)};
}

static void compare(const struct pair *p)
{
	char text[16];
	size_t there = 0, nkeys = 0;

	for (int id = 1; id <= LEASES; id++) {
		const struct lease *x = lessor_find(&p->l, id);
		assert_int_equal(x != NULL, p->m.lease[id].there);
		if (!x)
			continue;
		there++;
		nkeys += x->keys.n;
		assert_int_equal(x->expiry_ms, p->m.lease[id].expiry);
		size_t k = 0;
		for (int i = 0; i < KEYS; i++)
			if (p->m.key[i] == id)
				assert_true(bytes_eq(x->keys.v[k++], key_of(text, i)));
		assert_int_equal(k, x->keys.n);
	}
	assert_int_equal(p->l.leases.n, there);
	assert_int_equal(p->l.items.n, nkeys);
	for (int i = 0; i < KEYS; i++)
		assert_int_equal(lessor_of_key(&p->l, key_of(text, i)), p->m.key[i]);
}

/* The expired lease that comes first, by looking at all of them; 0: none. */
static int model_first(const struct model *m, int64_t now)
{
	int best = 0;

	for (int id = 1; id <= LEASES; id++) {
		if (!m->lease[id].there || m->lease[id].expiry > now || m->lease[id].retry > now)
			continue;
		if (!best || m->lease[id].expiry < m->lease[best].expiry ||
		    (m->lease[id].expiry == m->lease[best].expiry &&
		     m->lease[id].seq < m->lease[best].seq))
			best = id;
	}
	return best;
}

static void take(struct pair *p, int64_t now, size_t max)
{
	int64_t ids[LEASES];
	size_t n = lessor_take_expired(&p->l, now, RETRY_MS, ids, max);

	for (size_t i = 0; i < max; i++) {
		int id = p->m.primary ? model_first(&p->m, now) : 0;
		if (!id) {
			assert_int_equal(n, i);
			return;
		}
		assert_true(i < n);
		assert_int_equal(ids[i], id);
		p->m.lease[id].retry = now + RETRY_MS;
	}
	assert_int_equal(n, max);
}

static void set_role(struct pair *p, bool is_primary, int64_t now)
{
	if (is_primary)
		lessor_promote(&p->l, now, EXTEND_MS);
	else
		lessor_demote(&p->l);
	p->m.primary = is_primary;
	for (int id = 1; id <= LEASES; id++) {
		p->m.lease[id].retry = 0;
		p->m.lease[id].expiry =
		    is_primary ? now + p->m.lease[id].ttl * 1000 + EXTEND_MS : LEASE_NEVER;
	}
}

static void refresh(struct pair *p, int id, int64_t now)
{
	p->m.lease[id].expiry = p->m.primary ? now + p->m.lease[id].ttl * 1000 : LEASE_NEVER;
	p->m.lease[id].retry = 0;
	p->m.lease[id].seq = p->m.next_seq++;
}

static void random_step(struct pair *p, struct prng *g, int64_t now)
{
	int id = 1 + (int)prng_below(g, LEASES), k = (int)prng_below(g, KEYS);
	bool there = p->m.lease[id].there;
	enum error expected = there ? ERR_NONE : ERR_LEASE_NOT_FOUND;
	int64_t ttl = 2 + (int64_t)prng_below(g, 20), got;
	char text[16];

	switch (prng_below(g, 8)) {
	case 0:
		assert_int_equal(lessor_grant(&p->l, id, ttl, now, &got),
				 there ? ERR_LEASE_EXISTS : ERR_NONE);
		if (!there) {
			p->m.lease[id].there = true;
			p->m.lease[id].ttl = ttl;
			refresh(p, id, now);
		}
		break;
	case 1:
		assert_int_equal(lessor_revoke(&p->l, id, NULL), expected);
		p->m.lease[id].there = false;
		for (int i = 0; i < KEYS; i++)
			if (p->m.key[i] == id)
				p->m.key[i] = 0;
		break;
	case 2:
	case 3:
		assert_int_equal(lessor_attach(&p->l, id, key_of(text, k)), expected);
		if (there)
			p->m.key[k] = id;
		break;
	case 4:
		lessor_detach(&p->l, key_of(text, k));
		p->m.key[k] = 0;
		break;
	case 5:
		assert_int_equal(lessor_renew(&p->l, id, now, &got), expected);
		if (there)
			refresh(p, id, now);
		break;
	case 6:
		take(p, now, 1 + prng_below(g, 5));
		break;
	default:
		if (prng_below(g, 20) == 0)
			set_role(p, !p->m.primary, now);
	}
}

static void lessor_and_model_agree(void **state)
{
	struct pair pair[2] = {{.m = {.next_seq = 0}}};
	struct prng g = {42};

	lessor_init(&pair[0].l, lessor(state)->heap, MIN_TTL);
	lessor_copy(&pair[1].l, &pair[0].l);
	for (int64_t step = 0; step < 20000; step++) {
		struct pair *p = &pair[prng_below(&g, 2)], *other = p == pair ? pair + 1 : pair;
		random_step(p, &g, step * 20);
		if (step % 500 == 499) {
			heap_freeze(lessor(state)->heap);
			lessor_free(&other->l);
			lessor_copy(&other->l, &p->l);
			other->m = p->m;
		}
		if (step % 50 == 0) {
			compare(p);
			compare(other);
		}
	}
	lessor_free(&pair[0].l);
	lessor_free(&pair[1].l);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(a_ttl_below_the_minimum_is_raised),
	    T(grants_that_etcd_refuses),
	    T(an_unknown_lease_is_not_found),
	    T(keys_stand_in_byte_order),
	    T(a_key_has_one_lease),
	    T(revoking_hands_over_the_keys),
	    T(only_the_primary_lets_leases_run_out),
	    T(a_lease_runs_out_when_its_ttl_has_passed),
	    T(a_renewal_gives_the_full_ttl_again),
	    T(leases_run_out_in_order_of_expiry_then_of_grant_or_renewal),
	    T(an_offered_lease_is_offered_again_after_the_retry_time),
	    T(a_new_leader_extends_every_lease),
	    T(a_checkpoint_shortens_what_a_new_leader_gives),
	    T(many_leases_do_not_run_out_at_once),
	    T(a_copy_goes_its_own_way),
	    T(lessor_and_model_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
