/* The world's own disk: files and directories that commands name (snapshot save, snapshot restore).
 *
 * It is part of the world, so it goes back in time with it, and the host's disk never hears of it.
 * What a file holds lives in the heap and does not change.
 */
#ifndef SIM_FILES_H
#define SIM_FILES_H

#include "sim/world.h"

const struct world_file *world_file(const struct world *w, struct bytes name);
const struct data_dir *world_dir(const struct world *w, struct bytes name);

/* Puts a snapshot under a name; what was there is replaced. */
void sim_write_file(struct world *w, struct bytes name, const struct store_image *image);
/* Changes a byte of it; its digest stays.  False: there is no value in it. */
bool sim_damage_file(struct world *w, struct bytes name);
/* Takes the free pages out of the database in a directory: one that was restored, or a member's
 * own, S1.etcd. */
enum defrag_result { DEFRAG_DONE, DEFRAG_MISSING, DEFRAG_IN_USE };
enum defrag_result sim_defrag_dir(struct world *w, struct bytes name);
/* Makes a directory; there is none of that name.  Its strings live in the heap. */
void sim_make_dir(struct world *w, const struct data_dir *d);

#endif
