/* Conversations with a world: something is done, time passes, and one looks. */
#ifndef TALK_H
#define TALK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/sim.h"

struct talk {
	struct world *w;
	struct trace *t;
	uint64_t heard; /* trace records that were looked at */
};

/* Settings as "name value", up to NULL. */
struct talk talk_begin(const char *const *settings);
#define TALK(...) talk_begin((const char *const[]){__VA_ARGS__, NULL})
void talk_end(struct talk *k);

/* Until nothing more can happen at this instant. */
void rest(struct talk *k);
void wait_ms(struct talk *k, int64_t ms);
/* A setting that changes while the world runs. */
void set(struct talk *k, const char *name, const char *value);

/* Requests; endpoint 0: the leader.  They return the call; `rest` or `wait_ms` lets it go on. */
uint64_t ask(struct talk *k, struct request r, unsigned endpoint);
uint64_t ask_for(struct talk *k, struct request r, unsigned endpoint, int64_t timeout_ms);
uint64_t put(struct talk *k, const char *key, const char *value, unsigned endpoint);
uint64_t get(struct talk *k, const char *key, unsigned endpoint, bool serializable);
uint64_t add(struct talk *k, unsigned number, bool learner, unsigned endpoint);
uint64_t member(struct talk *k, enum request_kind kind, uint64_t id, unsigned endpoint);
uint64_t move_leader(struct talk *k, uint64_t id, unsigned endpoint);
/* The same, and what came back; the call must end without the clock moving. */
const struct response *answer(struct talk *k, uint64_t call);
/* "" if it went well, else etcd's text; "..." while it is still open. */
const char *outcome(struct talk *k, uint64_t call);

/* The trace since the last look, one record a line; of one kind only, if kind is not negative. */
const char *story(struct talk *k, struct buf *out, int kind);
/* Does a line of the trace since the last look have this in it? Does not count as a look. */
bool told(struct talk *k, const char *text);

struct member *at(struct talk *k, unsigned number);
int64_t rev(struct talk *k, unsigned number);
uint64_t term(struct talk *k, unsigned number);
uint64_t last(struct talk *k, unsigned number);
/* The value of a key in a member's own store; NULL: it has none. */
const char *value(struct talk *k, unsigned number, const char *key, struct buf *out);
/* Voters and learners as a member has applied them: "S1 S2 S3 (S4)". */
const char *conf(struct talk *k, unsigned number, struct buf *out);

#endif
