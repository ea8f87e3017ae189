/* Sets of member ids as they stand in a conf_state: ascending arrays with a count.
 *
 * At most CONF_MAX members, so looking through is faster than anything clever.
 */
#ifndef RAFT_CONF_SET_H
#define RAFT_CONF_SET_H

#include <string.h>

#include "api/entry.h"
#include "base/die.h"

static inline bool conf_set_has(const uint64_t *set, size_t n, uint64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (set[i] == id)
			return true;
	return false;
}

static inline void conf_set_add(uint64_t *set, uint8_t *n, uint64_t id)
{
	size_t i = *n;

	if (conf_set_has(set, *n, id))
		return;
	check_that(*n < CONF_MAX);
	for (; i > 0 && set[i - 1] > id; i--)
		set[i] = set[i - 1];
	set[i] = id;
	(*n)++;
}

static inline void conf_set_remove(uint64_t *set, uint8_t *n, uint64_t id)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++)
		if (set[i] != id)
			set[kept++] = set[i];
	*n = (uint8_t)kept;
}

static inline bool conf_is_voter(const struct conf_state *c, uint64_t id)
{
	return conf_set_has(c->voters, c->nvoters, id) ||
	       conf_set_has(c->outgoing, c->noutgoing, id);
}

static inline bool conf_is_joint(const struct conf_state *c)
{
	return c->noutgoing > 0;
}

#endif
