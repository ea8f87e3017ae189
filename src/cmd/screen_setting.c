#include "cmd/screen_setting.h"

#include <string.h>

const struct screen_setting screen_settings[] = {
    {"quiz", "on|off", "asks before each step and hides the numbers"},
    {"notes", "on|off", "shows the answer and the next command, for the teacher"},
    {"mouse", "on|off", "the mouse presses and scrolls; off: the terminal has it"},
    {"trace", "list|ladder|off", "form of the trace pane"},
    {"layout", "auto|tiny|standard|large|wall|kinds", "form of the screen"},
    {"theme", NULL, "its colours"},
    {"pgdn", "pane|step", "what PgDn and PgUp move while a pane has the focus"},
    {NULL, NULL, NULL},
};

const struct screen_setting *screen_setting(const char *name)
{
	for (const struct screen_setting *s = screen_settings; s->name; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	return NULL;
}

bool screen_setting_takes(const struct screen_setting *row, struct bytes value, struct buf *err)
{
	for (const char *p = row->values, *end; p; p = *end ? end + 1 : NULL) {
		end = p + strcspn(p, "|");
		if (bytes_eq((struct bytes){p, (size_t)(end - p)}, value))
			return true;
	}
	if (!row->values)
		return true;
	buf_printf(err, "%s takes one of %s", row->name, row->values);
	return false;
}
