/* Which form the program takes, and the check of a theme (ui.h). */
#include "ui/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "ui/theme.h"

static bool is_set(const char *name)
{
	const char *v = getenv(name);

	return v && *v;
}

bool ui_can_draw(void)
{
	const char *term = getenv("TERM"), *plain = getenv("ETCDSCOPE_PLAIN");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	if ((plain && *plain && strcmp(plain, "0") != 0) || is_set("ACCESSIBLE"))
		return false;
	return term && *term && strcmp(term, "dumb") != 0;
}

bool ui_theme_known(const char *name, struct buf *err)
{
	struct theme t;

	return theme_load(&t, name, err);
}

int ui_theme_check(const char *name)
{
	struct theme t;
	struct buf out = {0}, err = {0};
	int warnings;

	if (!theme_load(&t, name, &err)) {
		message_printf("%s", buf_str(&err));
		buf_free(&err);
		return 2;
	}
	warnings = theme_check(&t, &out);
	fputs(buf_str(&out), stdout);
	buf_free(&out);
	buf_free(&err);
	return warnings > 0;
}
