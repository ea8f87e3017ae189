/* A file on the host is replaced whole or not at all: the new text goes to a temporary file beside
 * it, which is then renamed. */
#ifndef SCRIPT_REPLACE_H
#define SCRIPT_REPLACE_H

#include <stdbool.h>

#include "base/buf.h"

/* False: *err gets one message that names the file and the reason; the old file is as it was. */
bool replace_file(const char *path, struct bytes text, struct buf *err);

#endif
