/* Growing arrays of any type: VEC(int) list = {0}; vec_push(&list, 3); list.v[0]; list.n;
 * vec_free(&list). Owned by whoever declares them; a push may move the elements.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdlib.h>
#include <string.h>

#include "base/die.h"

#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t n, cap;                                                                     \
	}

#define vec_reserve(vec, want)                                                                     \
	do {                                                                                       \
		if ((vec)->cap < (want)) {                                                         \
			size_t cap_ = (vec)->cap ? 2 * (vec)->cap : 8;                             \
			while (cap_ < (want))                                                      \
				cap_ *= 2;                                                         \
			(vec)->v = xrealloc((vec)->v, cap_ * sizeof *(vec)->v);                    \
			(vec)->cap = cap_;                                                         \
		}                                                                                  \
	} while (0)

#define vec_push(vec, ...)                                                                         \
	do {                                                                                       \
		vec_reserve(vec, (vec)->n + 1);                                                    \
		(vec)->v[(vec)->n++] = (__VA_ARGS__);                                              \
	} while (0)

/* Removes element i and keeps the order of the others. */
#define vec_remove(vec, i)                                                                         \
	do {                                                                                       \
		size_t i_ = (i);                                                                   \
		memmove((vec)->v + i_, (vec)->v + i_ + 1, ((vec)->n - i_ - 1) * sizeof *(vec)->v); \
		(vec)->n--;                                                                        \
	} while (0)

/* Makes dst a copy of src; dst must be empty or freed before. */
#define vec_copy(dst, src)                                                                         \
	do {                                                                                       \
		(dst)->v = NULL;                                                                   \
		(dst)->n = (dst)->cap = 0;                                                         \
		if ((src)->n) {                                                                    \
			vec_reserve(dst, (src)->n);                                                \
			memcpy((dst)->v, (src)->v, (src)->n * sizeof *(src)->v);                   \
			(dst)->n = (src)->n;                                                       \
		}                                                                                  \
	} while (0)

#define vec_free(vec)                                                                              \
	do {                                                                                       \
		free((vec)->v);                                                                    \
		(vec)->v = NULL;                                                                   \
		(vec)->n = (vec)->cap = 0;                                                         \
	} while (0)

#endif
