/* Raft's log lines.  Nothing is formatted unless somebody looks at that level. */
#ifndef RAFT_LOGGER_H
#define RAFT_LOGGER_H

#include <inttypes.h>

#include "raft/raft.h"

/* Member ids are printed in hexadecimal, everything else in decimal. */
#define ID64 "%" PRIx64
#define U64 "%" PRIu64

static inline bool logger_wants(const struct raft_logger *l, enum log_level level)
{
	return l->line && level >= l->level;
}

void logger_line(const struct raft_logger *l, enum log_level level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The arguments are evaluated only if the line is wanted. */
#define LOG_LINE(logger, level, ...)                                                               \
	do {                                                                                       \
		if (logger_wants(logger, level))                                                   \
			logger_line(logger, level, __VA_ARGS__);                                   \
	} while (0)

#endif
