/* Tables as tablewriter draws them for etcdctl (etcd: printer_table.go). */
#include <inttypes.h>

#include "base/text.h"
#include "cmd/print.h"

enum { COLUMNS_MAX = 12, WIDTH_MAX = 30, WORDS_MAX = 64 };

/* ---- a cell of many words, in lines ---- */

static size_t split_words(struct bytes cell, struct bytes words[WORDS_MAX])
{
	size_t n = 0, from = 0;

	for (size_t i = 0; i <= cell.n; i++) {
		if (i < cell.n && (cell.p[i] != ' ' || n == WORDS_MAX - 1))
			continue;
		words[n++] = (struct bytes){cell.p + from, i - from};
		from = i + 1;
	}
	return n;
}

/* Words first to last, and what stands between them. */
static struct bytes words_from(const struct bytes *words, size_t first, size_t last)
{
	const char *end = words[last].p + words[last].n;

	return (struct bytes){words[first].p, (size_t)(end - words[first].p)};
}

/* Where each line ends that begins with word i: the squares of what the lines leave free are least
 * in sum, the last line apart. */
static void choose_ends(const struct bytes *words, size_t n, size_t width, size_t ends[WORDS_MAX])
{
	size_t cost[WORDS_MAX];

	for (size_t i = n; i-- > 0;) {
		cost[i] = SIZE_MAX;
		for (size_t j = i + 1; j <= n; j++) {
			size_t used = (size_t)text_columns(words_from(words, i, j - 1));
			size_t left = width - used, c = j == n ? 0 : left * left + cost[j];
			if (used > width || (j < n && c >= cost[i]))
				continue;
			cost[i] = c;
			ends[i] = j;
		}
	}
}

/* A longer word than may be in a line makes the lines longer. */
static size_t line_width(const struct bytes *words, size_t n)
{
	size_t width = WIDTH_MAX;

	for (size_t i = 0; i < n; i++)
		if ((size_t)text_columns(words[i]) > width)
			width = (size_t)text_columns(words[i]);
	return width;
}

/* Returns how many lines there are. */
static size_t wrap(struct bytes cell, struct bytes lines[WORDS_MAX])
{
	struct bytes words[WORDS_MAX];
	size_t ends[WORDS_MAX], n = split_words(cell, words), nlines = 0;

	choose_ends(words, n, line_width(words, n), ends);
	for (size_t i = 0; i < n; i = ends[i])
		lines[nlines++] = words_from(words, i, ends[i] - 1);
	return nlines;
}

/* ---- the grid ---- */

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

/* Cells of one row, line by line. */
static void put_row(struct buf *out, const struct bytes *cells, const size_t *width, size_t n)
{
	struct bytes lines[WORDS_MAX], line[COLUMNS_MAX];
	size_t high = 1;

	for (size_t at = 0; at < high; at++) {
		for (size_t i = 0; i < n; i++) {
			size_t nlines = wrap(cells[i], lines);
			line[i] = at < nlines ? lines[at] : BYTES("");
			high = nlines > high ? nlines : high;
		}
		put_cells(out, line, width, n, false);
	}
}

/* The column of a cell that is wrapped is as wide as its lines may be, also if none of them is. */
static void widen(size_t *width, struct bytes cell)
{
	struct bytes words[WORDS_MAX];
	size_t all = (size_t)text_columns(cell), most = line_width(words, split_words(cell, words));

	if ((all < most ? all : most) > *width)
		*width = all < most ? all : most;
}

void print_table(struct buf *out, const struct bytes *cells, size_t ncells, size_t ncolumns)
{
	size_t width[COLUMNS_MAX] = {0};

	for (size_t i = 0; i < ncells; i++)
		widen(&width[i % ncolumns], cells[i]);
	put_rule(out, width, ncolumns);
	put_cells(out, cells, width, ncolumns, true);
	put_rule(out, width, ncolumns);
	for (size_t i = ncolumns; i < ncells; i += ncolumns)
		put_row(out, cells + i, width, ncolumns);
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
