#include "base/mistakes.h"

enum { NAME_MAX_LENGTH = 31 };

static size_t least(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

size_t mistakes_between(struct bytes a, struct bytes b)
{
	size_t d[3][NAME_MAX_LENGTH + 1] = {{0}}; /* the rows of i, i - 1 and i - 2 */

	if (a.n > NAME_MAX_LENGTH || b.n > NAME_MAX_LENGTH)
		return NAME_MAX_LENGTH;
	for (size_t i = 0; i <= a.n; i++) {
		size_t *now = d[i % 3], *before = d[(i + 2) % 3], *two = d[(i + 1) % 3];
		now[0] = i;
		for (size_t k = 1; k <= b.n; k++) {
			if (i == 0) {
				now[k] = k;
				continue;
			}
			now[k] = least(before[k] + 1, now[k - 1] + 1,
				       before[k - 1] + (a.p[i - 1] != b.p[k - 1]));
			if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] && a.p[i - 2] == b.p[k - 1])
				now[k] = least(now[k], two[k - 2] + 1, now[k]);
		}
	}
	return d[a.n % 3][b.n];
}

bool mistakes_are_few(struct bytes word, size_t mistakes)
{
	return mistakes < word.n && mistakes <= (word.n <= 4 ? 1 : 2);
}
