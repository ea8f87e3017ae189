/* Any bytes at all are a script or a message that says why not; what was cut lies inside the text.
 */
#include "base/die.h"
#include "script/scope.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes text = {.p = (const char *)data, .n = size};
	struct buf err = {0};
	struct scope s = {0};

	check_that(scope_parse(&s, "fuzz", text, &err) || err.n > 0);
	for (size_t i = 0; i < s.items.n; i++) {
		const struct bytes *t = &s.items.v[i].text;

		check_that(t->n == 0 || (t->p >= text.p && t->p + t->n <= text.p + text.n));
	}
	scope_free(&s);
	buf_free(&err);
	return 0;
}
