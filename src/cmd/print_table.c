/* Tables as tablewriter draws them for etcdctl (etcd: printer_table.go). */
#include <inttypes.h>

#include "base/text.h"
#include "cmd/print.h"

enum { COLUMNS_MAX = 12 };

static void put_times(struct buf *out, char c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_putc(out, c);
}

static void put_rule(struct buf *out, const size_t *width, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_putc(out, '+');
		put_times(out, '-', width[i] + 2);
	}
	buf_puts(out, "+\n");
}

static void put_cells(struct buf *out, const struct bytes *cells, const size_t *width, size_t n,
		      bool title)
{
	for (size_t i = 0; i < n; i++) {
		size_t gap = width[i] - (size_t)text_columns(cells[i]),
		       left = title ? gap / 2 : gap;
		buf_puts(out, "| ");
		put_times(out, ' ', left);
		buf_put_bytes(out, cells[i]);
		put_times(out, ' ', gap - left + 1);
	}
	buf_puts(out, "|\n");
}

void print_table(struct buf *out, const struct bytes *cells, size_t ncells, size_t ncolumns)
{
	size_t width[COLUMNS_MAX] = {0};

	for (size_t i = 0; i < ncells; i++) {
		size_t w = (size_t)text_columns(cells[i]);
		if (w > width[i % ncolumns])
			width[i % ncolumns] = w;
	}
	put_rule(out, width, ncolumns);
	put_cells(out, cells, width, ncolumns, true);
	put_rule(out, width, ncolumns);
	for (size_t i = ncolumns; i < ncells; i += ncolumns)
		put_cells(out, cells + i, width, ncolumns, false);
	if (ncells > ncolumns)
		put_rule(out, width, ncolumns);
}

void print_size(struct buf *out, int64_t n)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double v = (double)n;
	size_t unit = 0;

	if (n < 10) {
		buf_printf(out, "%" PRId64 " B", n);
		return;
	}
	while (v >= 1000) {
		v /= 1000;
		unit++;
	}
	v = (double)(int64_t)(v * 10 + 0.5) / 10;
	buf_printf(out, v < 10 ? "%.1f %s" : "%.0f %s", v, units[unit]);
}

void print_member_table(struct buf *out, const struct response *r)
{
	enum { COLUMNS = 6 };
	struct buf ids = {0};
	struct bytes cells[(CONF_MAX + 1) * COLUMNS] = {BYTES("ID"),	       BYTES("STATUS"),
							BYTES("NAME"),	       BYTES("PEER ADDRS"),
							BYTES("CLIENT ADDRS"), BYTES("IS LEARNER")};
	size_t at[CONF_MAX + 1], n = r->member_list.n < CONF_MAX ? r->member_list.n : CONF_MAX;

	for (size_t i = 0; i < n; i++) {
		at[i] = ids.n;
		buf_printf(&ids, "%" PRIx64, r->member_list.members[i].id);
	}
	at[n] = ids.n;
	for (size_t i = 0; i < n; i++) {
		const struct member_info *m = &r->member_list.members[i];
		struct bytes *c = cells + (i + 1) * COLUMNS;
		c[0] = (struct bytes){buf_str(&ids) + at[i], at[i + 1] - at[i]};
		c[1] = bytes_of(*m->name ? "started" : "unstarted");
		c[2] = bytes_of(m->name);
		c[3] = bytes_of(m->peer_url);
		c[4] = bytes_of(m->client_url);
		c[5] = bytes_of(m->is_learner ? "true" : "false");
	}
	print_table(out, cells, (n + 1) * COLUMNS, COLUMNS);
	buf_free(&ids);
}
