/* Numbers as Go's strconv and time packages read and write them, with their error texts: etcdctl
 * passes these texts on, so a user can meet them.
 */
#ifndef CMD_GO_NUMBER_H
#define CMD_GO_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* strconv.ParseInt(s, base, 64): base 0 takes 0x, 0o, 0b, a leading 0 and underscores, as flags do.
 * False: err (may be NULL) gets `strconv.ParseInt: parsing "x": invalid syntax` or `... value out
 * of range`. */
bool go_parse_int(struct bytes s, int base, int64_t *out, struct buf *err);
/* strconv.ParseUint likewise. */
bool go_parse_uint(struct bytes s, int base, uint64_t *out, struct buf *err);
/* strconv.ParseBool. */
bool go_parse_bool(struct bytes s, bool *out, struct buf *err);
/* time.ParseDuration to milliseconds (rounded down; a positive one below 1 ms is 1 ms). */
bool go_parse_duration(struct bytes s, int64_t *ms, struct buf *err);
/* time.Duration's String of whole milliseconds: "0s", "500ms", "1.5s", "1m0s". */
void go_put_duration(struct buf *out, int64_t ms);
/* %016x of a signed number: a minus sign counts as one of the 16 places. */
void go_put_hex16(struct buf *out, int64_t v);

#endif
