/* A unified diff that is written while the new text is being made.
 *
 * Inside a block the longest common subsequence decides which lines stay (a table of old x new
 * lines); blocks too large for the table lose only what they share at the front and at the end.
 */
#include "script/diff.h"

#include <stdlib.h>

#include "base/die.h"
#include "script/scope.h"

enum { CONTEXT = 3, TABLE_MAX = 4 << 20 };

void diff_init(struct diff *d, const char *name, struct buf *out)
{
	*d = (struct diff){.name = name, .out = out};
}

static void put_line(struct buf *out, char mark, struct bytes line)
{
	buf_putc(out, mark);
	buf_put_bytes(out, line);
	buf_putc(out, '\n');
}

/* A range as diff writes it: the line before an empty one counts. */
static void put_range(struct buf *out, size_t start, size_t count)
{
	buf_put_u64(out, count ? start : start - 1);
	if (count != 1)
		buf_printf(out, ",%zu", count);
}

static void flush_hunk(struct diff *d)
{
	if (!d->hunk.n)
		return;
	buf_puts(d->out, "@@ -");
	put_range(d->out, d->old_start, d->old_count);
	buf_puts(d->out, " +");
	put_range(d->out, d->new_start, d->new_count);
	buf_puts(d->out, " @@\n");
	buf_put_bytes(d->out, buf_bytes(&d->hunk));
	buf_clear(&d->hunk);
}

static void keep_line(struct diff *d, struct bytes line)
{
	d->old_line++;
	d->new_line++;
	if (d->hunk.n && d->after < CONTEXT) {
		put_line(&d->hunk, ' ', line);
		d->old_count++;
		d->new_count++;
		d->after++;
		return;
	}
	/* A change within the next three lines joins the hunk; later ones begin their own. */
	if (d->hunk.n && d->before.n == CONTEXT)
		flush_hunk(d);
	if (d->before.n == CONTEXT)
		vec_remove(&d->before, 0);
	vec_push(&d->before, line);
}

static void open_hunk(struct diff *d)
{
	if (!d->any)
		buf_printf(d->out, "--- %s\n+++ %s (as it runs now)\n", d->name, d->name);
	d->any = true;
	if (!d->hunk.n) {
		d->old_start = d->old_line + 1 - d->before.n;
		d->new_start = d->new_line + 1 - d->before.n;
		d->old_count = d->new_count = 0;
	}
	for (size_t i = 0; i < d->before.n; i++)
		put_line(&d->hunk, ' ', d->before.v[i]);
	d->old_count += d->before.n;
	d->new_count += d->before.n;
	d->before.n = 0;
	d->after = 0;
}

static void change_line(struct diff *d, char mark, struct bytes line)
{
	open_hunk(d);
	put_line(&d->hunk, mark, line);
	if (mark == '-') {
		d->old_line++;
		d->old_count++;
	} else {
		d->new_line++;
		d->new_count++;
	}
}

/* Lines that stay matter only near a change; mostly there is none. */
static void look_at_kept(struct diff *d)
{
	struct bytes line;

	while (scope_next_line(&d->kept, &line))
		keep_line(d, line);
}

void diff_keep(struct diff *d, struct bytes text)
{
	struct bytes line;

	while (d->hunk.n && scope_next_line(&text, &line))
		keep_line(d, line);
	if (!text.n)
		return;
	if (!d->kept.n || d->kept.p + d->kept.n != text.p) {
		look_at_kept(d);
		d->kept = (struct bytes){text.p, 0};
	}
	d->kept.n += text.n;
}

struct lines {
	struct bytes *v;
	size_t n, cap;
};

static void cut_lines(struct lines *lines, struct bytes text)
{
	struct bytes line;

	while (scope_next_line(&text, &line))
		vec_push(lines, line);
}

/* length[i][j]: of the longest common subsequence of old[i..] and new[j..]. */
static uint32_t *common_lengths(const struct bytes *old, size_t n, const struct bytes *new,
				size_t m)
{
	uint32_t *t = xcalloc((n + 1) * (m + 1), sizeof *t);

	for (size_t i = n; i-- > 0;)
		for (size_t j = m; j-- > 0;) {
			uint32_t down = t[(i + 1) * (m + 1) + j], right = t[i * (m + 1) + j + 1];
			t[i * (m + 1) + j] = bytes_eq(old[i], new[j])
						 ? t[(i + 1) * (m + 1) + j + 1] + 1
					     : down > right ? down
							    : right;
		}
	return t;
}

static void change_middle(struct diff *d, const struct bytes *old, size_t n,
			  const struct bytes *new, size_t m)
{
	bool small = (n + 1) <= TABLE_MAX / (m + 1);
	uint32_t *t = small ? common_lengths(old, n, new, m) : NULL;
	size_t i = 0, j = 0;

	while (i < n || j < m) {
		if (t && i < n && j < m && bytes_eq(old[i], new[j])) {
			keep_line(d, old[i++]);
			j++;
		} else if (i < n &&
			   (!t || j == m || t[(i + 1) * (m + 1) + j] >= t[i * (m + 1) + j + 1])) {
			change_line(d, '-', old[i++]);
		} else {
			change_line(d, '+', new[j++]);
		}
	}
	free(t);
}

void diff_replace(struct diff *d, struct bytes old, struct bytes new)
{
	struct lines a = {0}, b = {0};
	size_t front = 0, back = 0;

	look_at_kept(d);
	cut_lines(&a, old);
	cut_lines(&b, new);
	while (front < a.n && front < b.n && bytes_eq(a.v[front], b.v[front]))
		keep_line(d, a.v[front++]);
	while (back < a.n - front && back < b.n - front &&
	       bytes_eq(a.v[a.n - 1 - back], b.v[b.n - 1 - back]))
		back++;
	/* A null pointer of an empty list must not be moved. */
	if (a.n + b.n)
		change_middle(d, a.n ? a.v + front : NULL, a.n - front - back,
			      b.n ? b.v + front : NULL, b.n - front - back);
	for (size_t i = a.n - back; i < a.n; i++)
		keep_line(d, a.v[i]);
	vec_free(&a);
	vec_free(&b);
}

void diff_end(struct diff *d)
{
	flush_hunk(d);
	buf_free(&d->hunk);
	vec_free(&d->before);
}
