/* Bytes that come from outside, made printable.
 *
 * Nothing that a value contains may act on a terminal (design.md 7, Bytes): every byte below 0x20
 * but tab and newline, 0x7f, the C1 controls and invalid UTF-8 appear as \xHH; text that is
 * invisible or changes the direction of writing appears as \u202e or \U000e0001, in Go's form.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* One character of UTF-8 at s (n > 0 bytes left): its length and code point, or 0 if it is invalid.
 */
int utf8_decode(const char *s, size_t n, uint32_t *code);
int utf8_encode(char out[4], uint32_t code);
bool utf8_valid(struct bytes s);

/* Is the character one that must not reach a terminal as it is? */
bool text_is_unsafe(uint32_t code);

/* Columns that a code point takes on a terminal: 0 for a combining mark, 2 for a wide one.  Does
 * not depend on the locale, so that a screen is the same everywhere. */
int text_width(uint32_t code);

/* Appends s made safe.  keep_lines: tab and newline stay (output of a command); else they too are
 * escaped (one cell of a pane). */
void text_safe(struct buf *out, struct bytes s, bool keep_lines);

/* Appends a double-quoted C string as in conformance/README.md: \" \\ \n \t \r, and \xHH for every
 * other byte outside 0x20..0x7e. */
void text_quote(struct buf *out, struct bytes s);

/* Columns of a safe text. */
int text_columns(struct bytes s);

#endif
