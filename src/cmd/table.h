/* Every command as a row: name, flags, usage, help, completion.  Parser, `help`, completion and the
 * man page all read this table.  A new command is a file with its row in it, a name in rows.h, and
 * a line in table.c.
 */
#ifndef CMD_TABLE_H
#define CMD_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Which layer runs it. */
enum command_layer { LAYER_SHELL, LAYER_PLAYER, LAYER_SESSION, LAYER_SCREEN };
enum command_group {
	GROUP_ETCDCTL,
	GROUP_WATCHERS,
	GROUP_ACTORS,
	GROUP_TIME,
	GROUP_FAULTS,
	GROUP_LOOKING,
	GROUP_SESSION
};

enum flag_type { FLAG_BOOL, FLAG_INT64, FLAG_STRING, FLAG_DURATION };

struct flag_row {
	const char *name; /* "prefix" */
	char shorthand;	  /* 'w'; 0: none */
	enum flag_type type;
	const char *fallback;
	const char *bare; /* its value where none is given (--flip); NULL: it needs one */
	const char *help;
	const char *etcdctl; /* what etcdctl's own help says; NULL: the same */
	bool of_group; /* a flag of the group (endpoint ...), which etcdctl lists among those of all
			*/
	const char *since;  /* version of etcdctl that has it first, if that is not 3.4; NULL */
	const char *values; /* for completion: "simple|json|fields|table", "@key", "@member",
			       "@lease", "@watcher"; NULL */
};

struct parsed; /* cmd/parse.h: words and flags of one command line */
struct shell;
struct job;

struct command_row {
	const char *name;  /* "lease grant": words separated by one blank */
	const char *alias; /* "compaction"; NULL */
	enum command_group group;
	enum command_layer layer;
	const char *usage;   /* "put [options] <key> (<value> or <stdin>)" */
	const char *summary; /* one sentence */
	const char *etcdctl_usage,
	    *etcdctl_summary;		 /* as etcdctl's help has them; NULL: the same */
	const char *etcdctl_description; /* more that it says there, in lines; NULL: nothing */
	const char *example;		 /* a command line that works */
	const char *cost;     /* of etcdctl's: what it does to the raft index and to the revision */
	const char *versions; /* where etcd's answer depends on its version; NULL: nowhere */
	const char
	    *arguments; /* completion of the positional arguments: "@key", "@member ..."; NULL */
	const struct flag_row *flags;
	size_t nflags;
	void (*table)(struct buf *out); /* what `help COMMAND` lists besides; NULL: nothing */
	bool stream;			/* opens a stream, which logs in by itself (login.h) */
	void (*run)(struct shell *s, struct job *j, const struct parsed *p); /* LAYER_SHELL only */
};

extern const struct command_row *const command_table[];
size_t command_count(void);

/* Flags that every etcdctl command takes (--endpoints, -w, --command-timeout, --hex ...). */
extern const struct flag_row global_flags[];
size_t global_flag_count(void);

/* The row that a line's first words name, abbreviations allowed (design.md 5); NULL: none, and err
 * says what would be right.  *used gets the number of words that belong to the name. */
const struct command_row *command_find(const struct bytes *words, size_t n, size_t *used,
				       struct buf *err);

/* Completion for the word that begins at or before the cursor: candidates are appended to out, one
 * a line. *start gets the offset in the line of the word that they replace. */
struct world;
void command_complete(const struct world *w, struct bytes line, size_t cursor, size_t *start,
		      struct buf *out);

/* The dim rest of the syntax after what was typed ("KEY VALUE [--lease=ID] ..."), "" if there is
 * none. */
void command_hint(struct bytes line, struct buf *out);

/* `help` and `help COMMAND`. */
void command_help(struct bytes name, struct buf *out);

#endif
