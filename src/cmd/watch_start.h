/* What watch, watch -i and watcher have in common: flags, arguments, the start. */
#ifndef CMD_WATCH_START_H
#define CMD_WATCH_START_H

#include "cmd/command.h"

/* Flags of watch and watcher, in these places of their tables. */
enum { WATCH_PREFIX, WATCH_PREV_KV, WATCH_REV, WATCH_PROGRESS, WATCH_COMMON };

#define WATCH_COMMON_FLAGS                                                                         \
	[WATCH_PREFIX] = {.name = "prefix",                                                        \
			  .etcdctl = "Watch on a prefix if prefix is set",                         \
			  .type = FLAG_BOOL,                                                       \
			  .fallback = "false",                                                     \
			  .help = "watch every key with the given prefix"},                        \
	[WATCH_PREV_KV] = {.name = "prev-kv",                                                      \
			   .etcdctl = "get the previous key-value pair before the event happens",  \
			   .type = FLAG_BOOL,                                                      \
			   .fallback = "false",                                                    \
			   .help = "show the pair before the event too"},                          \
	[WATCH_REV] = {.name = "rev",                                                              \
		       .etcdctl = "Revision to start watching",                                    \
		       .type = FLAG_INT64,                                                         \
		       .fallback = "0",                                                            \
		       .help = "revision to start watching from"},                                 \
	[WATCH_PROGRESS] = {                                                                       \
	    .name = "progress-notify",                                                             \
	    .etcdctl = "get periodic watch progress notification from server",                     \
	    .since = "3.5",                                                                        \
	    .type = FLAG_BOOL,                                                                     \
	    .fallback = "false",                                                                   \
	    .help = "hear every ten minutes how far it is, if nothing else came (watch: from 3.5 " \
		    "on)"}

/* How many arguments are key and range_end. */
size_t watch_arguments(const struct parsed *p);
/* etcdctl's text; NULL: it is right. */
const char *watch_count_is_wrong(size_t n);
/* What arguments (there are one or two) and the common flags say.  Returns etcdctl's text for what
 * is wrong with them, or NULL. */
const char *watch_read(struct shell *s, const struct parsed *p, struct watch_options *o);
/* Is --progress-notify given to an etcdctl that does not know it? */
bool watch_flag_is_unknown(const struct shell *s, const struct parsed *p);
/* Starts the watcher; resume is called when it is there or has been refused (NULL: the command ends
 * then). */
void watch_start(struct shell *s, struct job *j, struct watch_options *o,
		 void (*resume)(struct shell *, struct job *));
/* Says that the watcher is there; false: it was refused. */
bool watch_created(struct shell *s, struct job *j);
/* Behind --: a command that the watcher runs at each event. */
void watch_run_command(struct shell *s, const struct job *j, const struct parsed *p);
/* watch_interactive.c: watch -i. */
void watch_interactive(struct shell *s, struct job *j, const struct parsed *p);

#endif
