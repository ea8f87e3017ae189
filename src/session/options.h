/* The command line of the program (design.md 7). */
#ifndef SESSION_OPTIONS_H
#define SESSION_OPTIONS_H

#include "script/run.h"

enum mode { MODE_SCREEN, MODE_DEMO, MODE_REPL, MODE_RUN, MODE_THEME, MODE_HELP, MODE_VERSION };

struct options {
	enum mode mode;
	struct run_options run;	   /* cfg is every mode's */
	const char *theme, *color; /* NULL: not given */
	bool ascii, plain, restore;
	char **words; /* files, the demo's name, the theme's: what follows the mode's own word */
	size_t nwords;
};

/* False: *err has one message that says what would be right.  Reorders argv, which must live as
 * long as o. */
bool options_parse(struct options *o, int argc, char **argv, struct buf *err);
/* The text of --help. */
extern const char options_help[];

#endif
