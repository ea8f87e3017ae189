/* SHA-1 against the examples of FIPS 180-4 and against ids that etcd gave its members. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/sha1.h"

static void digest_is(const char *text, const char *hex)
{
	unsigned char d[20];
	char got[41];

	sha1(bytes_of(text), d);
	for (int i = 0; i < 20; i++)
		snprintf(got + 2 * i, 3, "%02x", d[i]);
	assert_string_equal(got, hex);
}

static void knows_the_examples_of_the_standard(void **state)
{
	(void)state;
	digest_is("", "da39a3ee5e6b4b0d3255bfef95601890afd80709");
	digest_is("abc", "a9993e364706816aba3e25717850c26c9cd0d89d");
	digest_is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

/* cluster-facts T2: peers of the token "tok", and a member added at a known second. */
static void gives_the_ids_that_etcd_gave(void **state)
{
	(void)state;
	assert_true(sha1_id(BYTES("http://10.10.0.1:2380tok")) == 0x8e81af4513e7e81b);
	assert_true(sha1_id(BYTES("http://10.10.0.2:2380tok")) == 0x41b1a949432d5a46);
	assert_true(sha1_id(BYTES("http://10.10.0.3:2380tok")) == 0xf97b3f24e526ebab);
	assert_true(sha1_id(BYTES("http://10.10.0.4:23801795964955")) == 0x1f4de40a234c3b89);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(knows_the_examples_of_the_standard),
	    cmocka_unit_test(gives_the_ids_that_etcd_gave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
