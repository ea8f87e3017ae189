/* Any text at all is a theme, or one message, and then the theme before it stays. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "ui/theme.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct theme theme, before;
	struct buf err = {0};
	char *text = xmalloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	check_that(theme_builtin(&theme, "dark"));
	before = theme;
	if (!theme_parse(&theme, "fuzz.json", text, &err)) {
		check_that(err.n > 0);
		check_that(memcmp(theme.look, before.look, sizeof theme.look) == 0);
	}
	free(text);
	buf_free(&err);
	return 0;
}
