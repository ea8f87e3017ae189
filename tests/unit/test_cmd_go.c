/* Numbers and strings of the Go language: values from the documentation of strconv, time and
 * encoding/json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/go_number.h"
#include "cmd/go_quote.h"

static void check_int(const char *text, int base, bool ok, int64_t want, const char *message)
{
	struct buf err = {0};
	int64_t v;

	assert_int_equal(go_parse_int(bytes_of(text), base, &v, &err), ok);
	if (ok)
		assert_int_equal(v, want);
	assert_string_equal(buf_str(&err), message);
	buf_free(&err);
}

static void decimal_numbers(void **state)
{
	(void)state;
	check_int("0", 10, true, 0, "");
	check_int("-1", 10, true, -1, "");
	check_int("+7", 10, true, 7, "");
	check_int("007", 10, true, 7, "");
	check_int("9223372036854775807", 10, true, INT64_MAX, "");
	check_int("-9223372036854775808", 10, true, INT64_MIN, "");
	check_int("9223372036854775808", 10, false, 0,
		  "strconv.ParseInt: parsing \"9223372036854775808\": value out of range");
	check_int("-9223372036854775809", 10, false, 0,
		  "strconv.ParseInt: parsing \"-9223372036854775809\": value out of range");
	check_int("", 10, false, 0, "strconv.ParseInt: parsing \"\": invalid syntax");
	check_int("-", 10, false, 0, "strconv.ParseInt: parsing \"-\": invalid syntax");
	check_int("1_000", 10, false, 0, "strconv.ParseInt: parsing \"1_000\": invalid syntax");
	check_int("a\"b", 10, false, 0, "strconv.ParseInt: parsing \"a\\\"b\": invalid syntax");
}

static void numbers_of_any_base(void **state)
{
	(void)state;
	check_int("0x1F", 0, true, 31, "");
	check_int("0b101", 0, true, 5, "");
	check_int("0o17", 0, true, 15, "");
	check_int("017", 0, true, 15, "");
	check_int("-0x10", 0, true, -16, "");
	check_int("1_000", 0, true, 1000, "");
	check_int("0x_1", 0, true, 1, "");
	check_int("0_7", 0, true, 7, "");
	check_int("1__0", 0, false, 0, "strconv.ParseInt: parsing \"1__0\": invalid syntax");
	check_int("_1", 0, false, 0, "strconv.ParseInt: parsing \"_1\": invalid syntax");
	check_int("08", 0, false, 0, "strconv.ParseInt: parsing \"08\": invalid syntax");
	check_int("0x", 0, false, 0, "strconv.ParseInt: parsing \"0x\": invalid syntax");
}

static void hexadecimal_ids(void **state)
{
	(void)state;
	check_int("694d77aa9e38260f", 16, true, 0x694d77aa9e38260f, "");
	check_int("FF", 16, true, 255, "");
	check_int("0x1", 16, false, 0, "strconv.ParseInt: parsing \"0x1\": invalid syntax");
	check_int("ffffffffffffffff", 16, false, 0,
		  "strconv.ParseInt: parsing \"ffffffffffffffff\": value out of range");
}

static void booleans(void **state)
{
	struct buf err = {0};
	bool v = false;

	(void)state;
	assert_true(go_parse_bool(bytes_of("T"), &v, NULL) && v);
	assert_true(go_parse_bool(bytes_of("False"), &v, NULL) && !v);
	assert_false(go_parse_bool(bytes_of("yes"), &v, &err));
	assert_string_equal(buf_str(&err), "strconv.ParseBool: parsing \"yes\": invalid syntax");
	buf_free(&err);
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
		const char *printed;
	} good[] = {
	    {"0", 0, "0s"},	      {"5s", 5000, "5s"},
	    {"1.5s", 1500, "1.5s"},   {"500ms", 500, "500ms"},
	    {"1m", 60000, "1m0s"},    {"1h2m3s", 3723000, "1h2m3s"},
	    {"1500ms", 1500, "1.5s"}, {"1us", 1, "1ms"},
	    {".5s", 500, "500ms"},    {"2.040s", 2040, "2.04s"},
	};
	static const char *const bad[] = {"", "5", "s", "5x", "1 s", ".s", "5s "};
	int64_t ms;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct buf out = {0};
		assert_true(go_parse_duration(bytes_of(good[i].text), &ms, NULL));
		assert_int_equal(ms, good[i].ms);
		go_put_duration(&out, ms);
		assert_string_equal(buf_str(&out), good[i].printed);
		buf_free(&out);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(go_parse_duration(bytes_of(bad[i]), &ms, NULL));
}

static const char *quoted(struct buf *out, struct bytes s)
{
	buf_clear(out);
	go_quote(out, s);
	return buf_str(out);
}

static void quoting(void **state)
{
	struct buf out = {0};

	(void)state;
	assert_string_equal(quoted(&out, BYTES("a\"b\\\n\t\a\v")), "\"a\\\"b\\\\\\n\\t\\a\\v\"");
	assert_string_equal(quoted(&out, BYTES("\x01\x7f\x80")), "\"\\x01\\x7f\\x80\"");
	assert_string_equal(quoted(&out, BYTES("größe 世界")), "\"größe 世界\"");
	/* no-break space, zero-width space, soft hyphen, an ideographic space, a private character
	 */
	assert_string_equal(quoted(&out, BYTES("\u00a0\u200b\u00ad\u3000\ue000")),
			    "\"\\u00a0\\u200b\\u00ad\\u3000\\ue000\"");
	assert_string_equal(quoted(&out, BYTES("\U000e0001")), "\"\\U000e0001\"");
	buf_clear(&out);
	go_quote_char(&out, '\'');
	go_quote_char(&out, 'f');
	assert_string_equal(buf_str(&out), "'\\'''f'");
	buf_free(&out);
}

static void unquoting(void **state)
{
	struct buf out = {0};
	size_t used;

	(void)state;
	assert_true(go_unquote(BYTES("\"a\\tb\\x41\\u00e9\\101\\\"\" rest"), &used, &out));
	assert_int_equal(used, 22);
	assert_string_equal(buf_str(&out), "a\tbAéA\"");
	buf_clear(&out);
	assert_true(go_unquote(BYTES("`a\\b`"), &used, &out));
	assert_string_equal(buf_str(&out), "a\\b");
	assert_false(go_unquote(BYTES("\"open"), &used, &out));
	assert_int_equal(used, 0);
	assert_false(go_unquote(BYTES("plain"), &used, &out));
	assert_false(go_unquote(BYTES("\"a\\q\""), &used, &out));
	assert_int_equal(used, 5);
	assert_false(go_unquote(BYTES("\"\\ud800\""), &used, &out));
	assert_false(go_unquote(BYTES("\"\\400\""), &used, &out));
	assert_false(go_unquote(BYTES("\"\\'\""), &used, &out));
	buf_free(&out);
}

/* RFC 4648, section 10. */
static void base64(void **state)
{
	static const char *const pairs[][2] = {
	    {"", ""},	     {"f", "Zg=="},	   {"fo", "Zm8="},
	    {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct buf out = {0};
		go_put_base64(&out, bytes_of(pairs[i][0]));
		assert_string_equal(buf_str(&out), pairs[i][1]);
		buf_free(&out);
	}
}

static void json_strings(void **state)
{
	struct buf out = {0};

	(void)state;
	go_put_json_string(&out, BYTES("<a> & \"b\"\n\x01\u2028\xff"));
	assert_string_equal(buf_str(&out),
			    "\"\\u003ca\\u003e \\u0026 \\\"b\\\"\\n\\u0001\\u2028\\ufffd\"");
	buf_free(&out);
}

static void sixteen_places(void **state)
{
	struct buf out = {0};

	(void)state;
	go_put_hex16(&out, 0x1a);
	go_put_hex16(&out, -1);
	assert_string_equal(buf_str(&out), "000000000000001a-000000000000001");
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(decimal_numbers), cmocka_unit_test(numbers_of_any_base),
	    cmocka_unit_test(hexadecimal_ids), cmocka_unit_test(booleans),
	    cmocka_unit_test(durations),       cmocka_unit_test(quoting),
	    cmocka_unit_test(unquoting),       cmocka_unit_test(base64),
	    cmocka_unit_test(json_strings),    cmocka_unit_test(sixteen_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
