/* Protobuf, as far as etcd's files need it: fields are added to a buffer in ascending order.
 *
 * A reader walks the fields of a message; what it hands out points into the message.
 */
#ifndef API_PB_H
#define API_PB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

void pb_put_varint(struct buf *out, uint64_t v);
/* A number that is there although it may be zero (proto2 "always there"). */
void pb_put_number(struct buf *out, unsigned field, uint64_t v);
/* A number that is absent if it is zero (proto3). */
void pb_put_nonzero(struct buf *out, unsigned field, uint64_t v);
/* Bytes, text or a nested message that is there although it may be empty. */
void pb_put_bytes(struct buf *out, unsigned field, struct bytes b);
/* Absent if it is empty. */
void pb_put_nonempty(struct buf *out, unsigned field, struct bytes b);

/* Bytes that a varint takes. */
size_t pb_varint_size(uint64_t v);

struct pb_field {
	uint64_t number;
	uint8_t wire;	    /* 0 a number, 2 bytes */
	uint64_t value;	    /* of wire 0 */
	struct bytes bytes; /* of wire 2 */
};

enum pb_result { PB_FIELD, PB_END, PB_SHORT, PB_MALFORMED };

/* The next field, which is taken off the front.  PB_SHORT: the message ends inside of it;
 * PB_MALFORMED: no field has such a number or form (f holds what was read). */
enum pb_result pb_next(struct bytes *in, struct pb_field *f);

#endif
