/* The options of `etcdscope sim`. */
#ifndef EXPLORE_OPTIONS_H
#define EXPLORE_OPTIONS_H

#include "explore/seed.h"

enum { CORES_MAX = 64 };

struct job {
	uint64_t first, last;
	double seconds; /* 0: no limit */
	unsigned cores;
	const char *out; /* the script that is written; NULL: sim-SEED.scope */
	struct seed_options seed;
};

enum options_result { OPTIONS_READ, OPTIONS_HELP, OPTIONS_WRONG };

/* argv[0] is "sim".  What is wrong has been said, and help has been printed. */
enum options_result options_read(int argc, char **argv, struct job *j);

#endif
