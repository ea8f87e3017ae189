/* Where a person's files are (the XDG base directories) and where the program's are. */
#ifndef SESSION_FILES_H
#define SESSION_FILES_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends "$XDG_CONFIG_HOME/etcdscope", "$XDG_STATE_HOME/etcdscope", "$XDG_DATA_HOME/etcdscope", or
 * what stands for them under $HOME.  False: neither variable is set. */
bool files_config(struct buf *out);
bool files_state(struct buf *out);
bool files_data(struct buf *out);
/* The root of the tree that the running program was built in; false: it was not run from one. */
bool files_build_tree(struct buf *out);

/* Appends the path as it is called from every folder; a file that is not there keeps its name. */
void files_absolute(struct buf *out, const char *path);

/* Makes a folder and those above it.  0, or -1 with errno. */
int files_make_folder(const char *path);

#endif
