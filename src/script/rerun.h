/* A script run again, line by line, with new recorded lines in the place of the old ones: what
 * --transcript prints,
 * --verify compares and --update writes. */
#ifndef SCRIPT_RERUN_H
#define SCRIPT_RERUN_H

#include "script/run.h"
#include "script/sink.h"

enum rerun_result {
	RERUN_SAME,
	RERUN_DIFFERS, /* out has the diff (RUN_VERIFY) */
	RERUN_BROKEN,  /* a script error, in err */
	RERUN_VIOLATED /* what etcd promises was broken, in err */
};

/* The text of a file is given; its new text (RUN_TRANSCRIPT, RUN_UPDATE) or the diff (RUN_VERIFY)
 * goes to out.  If flow is not NULL, out is handed to it and emptied after each command. */
enum rerun_result rerun(const struct run_options *o, const char *name, struct bytes text,
			struct buf *out, struct sink *flow, struct buf *err);

#endif
