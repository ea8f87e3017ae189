/* A unified diff by longest common subsequence; the outputs of a directive are short enough for a
 * table. */
#include "diff.h"

#include <stdint.h>

#include "base/vec.h"

enum { AROUND = 3 };

struct lines {
	struct bytes *v;
	size_t n, cap;
};

static struct lines split(struct bytes text)
{
	struct lines l = {0};

	while (text.n) {
		const char *nl = memchr(text.p, '\n', text.n);
		size_t n = nl ? (size_t)(nl - text.p) : text.n;

		vec_push(&l, (struct bytes){text.p, n});
		n += nl != NULL;
		text.p += n;
		text.n -= n;
	}
	return l;
}

/* Cell (i, k): length of the longest common subsequence of a[i..] and b[k..]. */
static uint32_t *table_of(const struct lines *a, const struct lines *b)
{
	size_t width = b->n + 1;
	uint32_t *t = xcalloc((a->n + 1) * width, sizeof *t);

	for (size_t i = a->n; i-- > 0;)
		for (size_t k = b->n; k-- > 0;) {
			uint32_t down = t[(i + 1) * width + k], right = t[i * width + k + 1];

			if (bytes_eq(a->v[i], b->v[k]))
				t[i * width + k] = t[(i + 1) * width + k + 1] + 1;
			else
				t[i * width + k] = down > right ? down : right;
		}
	return t;
}

struct edit {
	char sign;
	struct bytes line;
};

struct edits {
	struct edit *v;
	size_t n, cap;
};

static struct edits edits_of(const struct lines *a, const struct lines *b)
{
	struct edits out = {0};
	uint32_t *t = table_of(a, b);
	size_t i = 0, k = 0, width = b->n + 1;

	while (i < a->n || k < b->n) {
		if (i < a->n && k < b->n && bytes_eq(a->v[i], b->v[k])) {
			vec_push(&out, (struct edit){' ', a->v[i]});
			i++, k++;
		} else if (k == b->n ||
			   (i < a->n && t[(i + 1) * width + k] >= t[i * width + k + 1])) {
			vec_push(&out, (struct edit){'-', a->v[i++]});
		} else {
			vec_push(&out, (struct edit){'+', b->v[k++]});
		}
	}
	free(t);
	return out;
}

static bool near_change(const struct edits *e, size_t i)
{
	size_t from = i > AROUND ? i - AROUND : 0;

	for (size_t k = from; k < e->n && k <= i + AROUND; k++)
		if (e->v[k].sign != ' ')
			return true;
	return false;
}

static void print_edits(FILE *out, const struct edits *e)
{
	bool shown = true;

	for (size_t i = 0; i < e->n; i++) {
		bool show = near_change(e, i);

		if (show && !shown)
			fputs("@@\n", out);
		if (show)
			fprintf(out, "%c%.*s\n", e->v[i].sign, (int)e->v[i].line.n, e->v[i].line.p);
		shown = show;
	}
}

void print_diff(FILE *out, struct bytes expected, struct bytes actual)
{
	struct lines a = split(expected), b = split(actual);
	struct edits e = edits_of(&a, &b);

	fputs("--- expected\n+++ actual\n", out);
	print_edits(out, &e);
	vec_free(&a);
	vec_free(&b);
	vec_free(&e);
}
