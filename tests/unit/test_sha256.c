/* SHA-256 against the examples of FIPS 180-4, and at the edges of its padding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"

static void digest_is(struct bytes text, const char *hex)
{
	unsigned char d[SHA256_SIZE];
	char got[2 * SHA256_SIZE + 1];

	sha256(text, d);
	for (int i = 0; i < SHA256_SIZE; i++)
		snprintf(got + 2 * i, 3, "%02x", d[i]);
	assert_string_equal(got, hex);
}

static void knows_the_examples_of_the_standard(void **state)
{
	(void)state;
	digest_is(BYTES(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	digest_is(BYTES("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	digest_is(BYTES("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void fills_its_last_block(void **state)
{
	char a[1000];

	(void)state;
	memset(a, 'a', 56);
	digest_is((struct bytes){a, 55},
		  "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
	digest_is((struct bytes){a, 56},
		  "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
	memset(a, 'x', sizeof a);
	digest_is((struct bytes){a, sizeof a},
		  "44f8354494a5ba03ba1792a8d3e9c534c47a9181980fde7a3f44b06ef2ae7c7f");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(knows_the_examples_of_the_standard),
	    cmocka_unit_test(fills_its_last_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
