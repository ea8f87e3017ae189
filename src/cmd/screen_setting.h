/* Settings of the screen, which are no part of a world: `set` takes them everywhere, so that a
 * script can hold them; where there is no screen they change nothing. */
#ifndef CMD_SCREEN_SETTING_H
#define CMD_SCREEN_SETTING_H

#include "base/buf.h"

struct screen_setting {
	const char *name;
	const char *values; /* "on|off"; NULL: any */
	const char *meaning;
};

/* Ends with a row without a name. */
extern const struct screen_setting screen_settings[];
/* NULL: it is none. */
const struct screen_setting *screen_setting(const char *name);
/* False: err says which values there are. */
bool screen_setting_takes(const struct screen_setting *row, struct bytes value, struct buf *err);

#endif
