/* The ground floor: what everything else takes for granted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/prng.h"
#include "base/pvec.h"
#include "base/text.h"
#include "base/vec.h"

/* ---- bytes ---- */

static void bytes_are_ordered_like_keys_in_etcd(void **state)
{
	(void)state;
	assert_true(bytes_cmp(BYTES("a"), BYTES("b")) < 0);
	assert_true(bytes_cmp(BYTES("a"), BYTES("aa")) < 0);
	assert_true(bytes_cmp(BYTES("a\xff"), BYTES("b")) < 0);
	assert_true(bytes_cmp(BYTES("\x7f"), BYTES("\x80")) < 0);
	assert_true(bytes_cmp(BYTES("a\0b"), BYTES("a")) > 0);
	assert_int_equal(bytes_cmp((struct bytes){0}, BYTES("")), 0);
	assert_true(bytes_starts(BYTES("/registry/pods"), BYTES("/registry")));
	assert_false(bytes_starts(BYTES("/reg"), BYTES("/registry")));
}

static void equal_bytes_hash_alike(void **state)
{
	char a[] = "xx/registry/pods/web-1", b[] = "/registry/pods/web-1";

	(void)state;
	assert_true(bytes_hash(bytes_of(a + 2)) == bytes_hash(bytes_of(b)));
	assert_false(bytes_hash(BYTES("a")) == bytes_hash(BYTES("a\0")));
}

/* ---- vec, buf ---- */

static void a_vec_grows_copies_and_removes(void **state)
{
	VEC(int) v = {0}, copy;

	(void)state;
	for (int i = 0; i < 100; i++)
		vec_push(&v, i);
	vec_copy(&copy, &v);
	assert_true(copy.v && copy.n == 100);
	vec_remove(&v, 50);
	assert_int_equal(v.n, 99);
	assert_int_equal(v.v[49], 49);
	assert_int_equal(v.v[50], 51);
	assert_int_equal(copy.v[50], 50);
	vec_free(&v);
	vec_free(&copy);
	vec_copy(&copy, &v);
	assert_null(copy.v);
}

static void a_buf_is_text_at_every_moment(void **state)
{
	struct buf b = {0};

	(void)state;
	assert_string_equal(buf_str(&b), "");
	buf_puts(&b, "n ");
	buf_put_u64(&b, UINT64_MAX);
	buf_putc(&b, ' ');
	buf_put_i64(&b, INT64_MIN);
	buf_printf(&b, " %s", "end");
	assert_string_equal(buf_str(&b), "n 18446744073709551615 -9223372036854775808 end");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "%d", i % 10);
	assert_int_equal(b.n, strlen(buf_str(&b)));
	buf_clear(&b);
	buf_put_i64(&b, 0);
	assert_string_equal(buf_str(&b), "0");
	buf_free(&b);
}

/* ---- numbers that others have published ---- */

static void crc32c_gives_the_published_values(void **state)
{
	static const unsigned char zeros[32],
	    ones[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
			255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
			255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
	unsigned char up[32];

	(void)state;
	for (int i = 0; i < 32; i++)
		up[i] = (unsigned char)i;
	assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283u);
	/* RFC 3720, B.4 */
	assert_int_equal(crc32c(0, zeros, 32), 0x8a9136aau);
	assert_int_equal(crc32c(0, ones, 32), 0x62a8ab43u);
	assert_int_equal(crc32c(0, up, 32), 0x46dd794eu);
}

static void crc32c_goes_on_where_it_stopped(void **state)
{
	char text[300];

	(void)state;
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)(i * 7);
	uint32_t whole = crc32c(0, text, sizeof text);
	for (size_t cut = 0; cut <= sizeof text; cut++)
		assert_int_equal(crc32c(crc32c(0, text, cut), text + cut, sizeof text - cut),
				 whole);
}

/* The outputs of splitmix64 for the seed 1234567, as the algorithm's tests list them. */
static void the_generator_is_splitmix64(void **state)
{
	static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
					    9817491932198370423u, 4593380528125082431u,
					    16408922859458223821u};
	struct prng g = {1234567};

	(void)state;
	for (size_t i = 0; i < 5; i++)
		assert_true(prng_next(&g) == expected[i]);
	for (int i = 0; i < 1000; i++)
		assert_true(prng_below(&g, 7) < 7);
}

/* ---- heap ---- */

static void the_heap_hands_out_aligned_pieces_that_stay(void **state)
{
	struct heap *h = heap_new();
	char *pieces[2000];

	(void)state;
	for (size_t i = 1; i < 2000; i++) {
		pieces[i] = heap_alloc(h, i);
		assert_int_equal((uintptr_t)pieces[i] % 8, 0);
		memset(pieces[i], (int)i, i);
	}
	for (size_t i = 1; i < 2000; i++)
		assert_int_equal((unsigned char)pieces[i][i - 1], i % 256);
	char *big = heap_alloc(h, 64 << 20);
	big[(64 << 20) - 1] = 1;
	assert_string_equal(heap_dup(h, "abcd", 3), "abc");
	heap_free(h);
}

/* ---- pvec against arrays, with copies that go their own way ---- */

enum { BRANCHES = 4, LONGEST = 3000, PVEC_STEPS = 40000 };

struct branch {
	struct pvec v;
	uintptr_t model[LONGEST];
};

static void pvec_step(struct branch *b, struct heap *h, struct prng *g)
{
	uintptr_t x = (uintptr_t)prng_next(g);
	uint64_t len = pvec_len(&b->v);

	if (b->v.end < LONGEST && prng_below(g, 100) < 80) {
		b->model[b->v.end] = x;
		pvec_push(&b->v, h, (void *)x);
	} else if (len && prng_below(g, 2)) {
		uint64_t pos = b->v.first + prng_below(g, len);
		b->model[pos] = x;
		pvec_set(&b->v, h, pos, (void *)x);
	} else if (len && prng_below(g, 2)) {
		pvec_truncate(&b->v, b->v.end - prng_below(g, len < 40 ? len : 40));
	} else if (len && b->v.first < LONGEST / 2) {
		pvec_drop_front(&b->v, b->v.first + prng_below(g, len < 9 ? len : 9));
	}
}

static void a_pvec_is_an_array_whose_copies_are_independent(void **state)
{
	struct heap *h = heap_new();
	struct branch *all = xcalloc(BRANCHES, sizeof *all);
	struct prng g = {3};

	(void)state;
	for (int i = 0; i < BRANCHES; i++)
		pvec_init(&all[i].v, 0);
	for (int step = 0; step < PVEC_STEPS; step++) {
		struct branch *b = &all[prng_below(&g, BRANCHES)],
			      *to = &all[prng_below(&g, BRANCHES)];
		pvec_step(b, h, &g);
		if (step % 200 == 0) {
			heap_freeze(h);
			if (to != b)
				*to = *b;
		}
		for (uint64_t pos = b->v.first; step % 50 == 0 && pos < b->v.end; pos++)
			assert_true((uintptr_t)pvec_get(&b->v, pos) == b->model[pos]);
	}
	free(all);
	heap_free(h);
}

/* ---- text that comes from outside ---- */

static void assert_safe(struct bytes s, bool keep_lines, const char *expected)
{
	struct buf b = {0};

	text_safe(&b, s, keep_lines);
	assert_string_equal(buf_str(&b), expected);
	buf_free(&b);
}

/* design.md 7, Bytes. */
static void nothing_in_a_value_can_act_on_a_terminal(void **state)
{
	(void)state;
	assert_safe(BYTES("plain, ümlaut, 日本"), false, "plain, ümlaut, 日本");
	assert_safe(BYTES("\x1b[2J\x7f\r"), true, "\\x1b[2J\\x7f\\x0d");
	assert_safe(BYTES("a\tb\nc"), true, "a\tb\nc");
	assert_safe(BYTES("a\tb\nc"), false, "a\\x09b\\x0ac");
	assert_safe(BYTES("\xc2\x9b"), true, "\\xc2\\x9b"); /* a C1 control */
	assert_safe(BYTES("\xff\xc3"), true, "\\xff\\xc3");
	assert_safe(BYTES("\xe2\x80\xae"), true, "\\u202e");
	assert_safe(BYTES("\xf3\xa0\x80\x81"), true, "\\U000e0001");
	assert_safe(BYTES("a\0b"), true, "a\\x00b");
}

static void only_shortest_utf8_of_real_characters_is_valid(void **state)
{
	(void)state;
	assert_true(utf8_valid(BYTES("aé€😀")));
	assert_false(utf8_valid(BYTES("\xc0\x80")));	     /* too long */
	assert_false(utf8_valid(BYTES("\xed\xa0\x80")));     /* a surrogate */
	assert_false(utf8_valid(BYTES("\xf4\x90\x80\x80"))); /* above U+10FFFF */
	assert_false(utf8_valid(BYTES("\xe2\x82")));	     /* cut */
}

static void every_character_survives_encoding(void **state)
{
	(void)state;
	for (uint32_t c = 0; c < 0x110000; c++) {
		char s[4];
		uint32_t back;
		if (c >= 0xd800 && c < 0xe000)
			continue;
		int n = utf8_encode(s, c);
		assert_int_equal(utf8_decode(s, (size_t)n, &back), n);
		assert_int_equal(back, c);
	}
}

static void columns_are_counted_as_terminals_do(void **state)
{
	(void)state;
	assert_int_equal(text_columns(BYTES("abc")), 3);
	assert_int_equal(text_columns(BYTES("日本")), 4);
	assert_int_equal(text_columns(BYTES("e\xcc\x81")), 1); /* e, combining acute */
	assert_int_equal(text_columns(BYTES("😀")), 2);
}

/* conformance/README.md, Watches: how keys and values are quoted. */
static void quoting_is_that_of_the_watch_lines(void **state)
{
	struct buf b = {0};

	(void)state;
	text_quote(&b, BYTES("a \"b\" \\ \n\t\r \x01 \xc3\xbc"));
	assert_string_equal(buf_str(&b), "\"a \\\"b\\\" \\\\ \\n\\t\\r \\x01 \\xc3\\xbc\"");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bytes_are_ordered_like_keys_in_etcd),
	    cmocka_unit_test(equal_bytes_hash_alike),
	    cmocka_unit_test(a_vec_grows_copies_and_removes),
	    cmocka_unit_test(a_buf_is_text_at_every_moment),
	    cmocka_unit_test(crc32c_gives_the_published_values),
	    cmocka_unit_test(crc32c_goes_on_where_it_stopped),
	    cmocka_unit_test(the_generator_is_splitmix64),
	    cmocka_unit_test(the_heap_hands_out_aligned_pieces_that_stay),
	    cmocka_unit_test(a_pvec_is_an_array_whose_copies_are_independent),
	    cmocka_unit_test(nothing_in_a_value_can_act_on_a_terminal),
	    cmocka_unit_test(only_shortest_utf8_of_real_characters_is_valid),
	    cmocka_unit_test(every_character_survives_encoding),
	    cmocka_unit_test(columns_are_counted_as_terminals_do),
	    cmocka_unit_test(quoting_is_that_of_the_watch_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
