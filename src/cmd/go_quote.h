/* Quoted strings of the Go language, and its other forms of bytes, as etcdctl reads and prints
 * them. */
#ifndef CMD_GO_QUOTE_H
#define CMD_GO_QUOTE_H

#include <stdbool.h>

#include "base/buf.h"

/* %q: the string in double quotes, with Go's escapes. */
void go_quote(struct buf *out, struct bytes s);
/* %q of a byte: 'f'. */
void go_quote_char(struct buf *out, unsigned char c);
/* strconv.Unquote of a double-quoted or backquoted literal at the beginning of s, appended to out;
 * *used gets the literal's length.  False: no such literal, or one with a bad escape (then *used is
 * not 0). */
bool go_unquote(struct bytes s, size_t *used, struct buf *out);
/* Standard base64 with padding, as encoding/json writes []byte. */
void go_put_base64(struct buf *out, struct bytes s);
/* A string of encoding/json: quoted, with <, > and & as \u003c and so on. */
void go_put_json_string(struct buf *out, struct bytes s);
/* etcdctl's --hex: \x2f\x72... */
void go_put_hex_bytes(struct buf *out, struct bytes s);

#endif
