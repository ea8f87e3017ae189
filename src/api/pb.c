/* Only the two wire types that etcd's messages have: numbers, and what has a length. */
#include "api/pb.h"

enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

size_t pb_varint_size(uint64_t v)
{
	size_t n = 1;

	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

void pb_put_varint(struct buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_putc(out, (char)(v | 0x80));
	buf_putc(out, (char)v);
}

static void put_tag(struct buf *out, unsigned field, unsigned wire)
{
	pb_put_varint(out, (uint64_t)field << 3 | wire);
}

void pb_put_number(struct buf *out, unsigned field, uint64_t v)
{
	put_tag(out, field, WIRE_NUMBER);
	pb_put_varint(out, v);
}

void pb_put_nonzero(struct buf *out, unsigned field, uint64_t v)
{
	if (v)
		pb_put_number(out, field, v);
}

void pb_put_bytes(struct buf *out, unsigned field, struct bytes b)
{
	put_tag(out, field, WIRE_BYTES);
	pb_put_varint(out, b.n);
	buf_put_bytes(out, b);
}

void pb_put_nonempty(struct buf *out, unsigned field, struct bytes b)
{
	if (b.n)
		pb_put_bytes(out, field, b);
}

static enum pb_result get_varint(struct bytes *in, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (!in->n)
			return PB_SHORT;
		uint64_t b = (unsigned char)*in->p++;
		in->n--;
		*v |= (b & 0x7f) << shift;
		if (b < 0x80)
			return PB_FIELD;
	}
	return PB_MALFORMED;
}

enum pb_result pb_next(struct bytes *in, struct pb_field *f)
{
	uint64_t tag;
	enum pb_result got;

	*f = (struct pb_field){0};
	if (!in->n)
		return PB_END;
	if ((got = get_varint(in, &tag)) != PB_FIELD)
		return got;
	f->number = tag >> 3;
	f->wire = tag & 7;
	if (f->number == 0 || (f->wire != WIRE_NUMBER && f->wire != WIRE_BYTES))
		return PB_MALFORMED;
	if ((got = get_varint(in, &f->value)) != PB_FIELD || f->wire == WIRE_NUMBER)
		return got;
	if (f->value > in->n)
		return PB_SHORT;
	f->bytes = (struct bytes){in->p, (size_t)f->value};
	in->p += f->value;
	in->n -= (size_t)f->value;
	return PB_FIELD;
}
