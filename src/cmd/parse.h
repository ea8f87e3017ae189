/* Flags of a command line, with the syntax and the error texts of Go's pflag, which etcdctl uses:
 * flags anywhere,
 * --name=value, --name value, -n value, -nvalue, -n=value, booleans without a value, and -- that
 * ends them.
 */
#ifndef CMD_PARSE_H
#define CMD_PARSE_H

#include <stdint.h>

#include "base/bytes.h"
#include "base/vec.h"
#include "cmd/table.h"

struct flag_value {
	bool set;
	int64_t number;	   /* of a bool, an integer, a duration in milliseconds */
	struct bytes text; /* of a string; points into the line */
};

enum { OWN_FLAGS_MAX = 16, GLOBAL_FLAGS_MAX = 20 };

/* One parsed command line.  Lives while its command begins; what must last is copied into the
 * world's heap. */
struct parsed {
	const struct command_row *row;
	VEC(struct bytes) args; /* positional */
	bool dash;		/* there was a -- */
	size_t dash_at;		/* how many arguments stood before it */
	bool help;		/* --help: nothing else counts */
	bool own_only; /* the flags of every command do not exist: a line of a transaction */
	struct flag_value own[OWN_FLAGS_MAX], global[GLOBAL_FLAGS_MAX];
	struct bytes block; /* lines of a transaction, without their `end`; p NULL: no block */
	struct bytes text;  /* the command as typed */
};

void parsed_free(struct parsed *p);
/* Parses the words behind a command's name.  False: err gets pflag's text ("unknown flag: --foo").
 */
bool parse_flags(struct parsed *p, const struct command_row *row, const struct bytes *words,
		 size_t n, struct buf *err);
/* The number of words that the flag at w takes: 0 if it is none, 1, or 2 with its value. */
size_t flag_width(const struct command_row *row, const struct bytes *w, size_t n);

/* Values by position in the row's table; the row's default if the flag was not given. */
bool flag_bool(const struct parsed *p, size_t i);
int64_t flag_int(const struct parsed *p, size_t i); /* integers, durations (ms) */
struct bytes flag_text(const struct parsed *p, size_t i);

/* Positions in global_flags. */
enum global_flag {
	GLOBAL_WRITE_OUT,
	GLOBAL_ENDPOINTS,
	GLOBAL_HEX,
	GLOBAL_COMMAND_TIMEOUT,
	GLOBAL_DIAL_TIMEOUT,
	GLOBAL_KEEPALIVE_TIME,
	GLOBAL_KEEPALIVE_TIMEOUT,
	GLOBAL_DEBUG,
	GLOBAL_USER,
	GLOBAL_PASSWORD,
	GLOBAL_DISCOVERY_SRV,
	GLOBAL_DISCOVERY_SRV_NAME,
	GLOBAL_INSECURE_DISCOVERY,
	GLOBAL_CACERT, /* from here on: accepted, without effect */
	GLOBAL_CERT,
	GLOBAL_KEY,
	GLOBAL_INSECURE_SKIP,
	GLOBAL_INSECURE_TRANSPORT,
	GLOBAL_COUNT
};

#endif
