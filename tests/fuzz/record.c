/* Any bytes at all are a log that ends somewhere for a reason; what was read of it is written again
 * as it was. */
#include "base/die.h"
#include "wal/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_again(struct buf *out, uint32_t *crc, const struct record *r)
{
	if (r->type == RECORD_CRC) {
		*crc = r->crc;
		record_put_crc(out, crc);
	} else {
		record_put(out, crc, r->type, r->data);
		check_that(*crc == r->crc);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record_reader in = {.file = {(const char *)data, size}}, again = {0};
	struct record r, same;
	struct buf out = {0};
	uint32_t crc = 0;
	size_t n = 0;

	for (; record_next(&in, &r) == RECORD_OK; n++) {
		check_that(in.at <= size);
		write_again(&out, &crc, &r);
	}
	again.file = buf_bytes(&out);
	for (; n > 0 && record_next(&again, &same) == RECORD_OK; n--)
		;
	check_that(n == 0);
	buf_free(&out);
	return 0;
}
