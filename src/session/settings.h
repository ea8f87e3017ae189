/* What a person has chosen for good: theme, layout and the like, in
 * $XDG_CONFIG_HOME/etcdscope/settings.json, an object of strings. */
#ifndef SESSION_SETTINGS_H
#define SESSION_SETTINGS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"

struct saved_setting {
	char *name, *value;
};

struct settings {
	VEC(struct saved_setting) v;
};

/* False: the file is there but wrong; *err names file and line and says what would be right. */
bool settings_load(struct settings *s, struct buf *err);
void settings_free(struct settings *s);
/* NULL: it was never chosen. */
const char *settings_get(const struct settings *s, const char *name);
void settings_set(struct settings *s, const char *name, const char *value);
bool settings_save(const struct settings *s, struct buf *err);

#endif
