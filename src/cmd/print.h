/* What etcdctl prints for an answer, in its forms (etcd: etcdctl/ctlv3/command/printer*.go).  All
 * append to out. */
#ifndef CMD_PRINT_H
#define CMD_PRINT_H

#include "api/request.h"
#include "base/buf.h"
#include "sim/world.h"

enum print_format {
	FORMAT_SIMPLE,
	FORMAT_JSON,
	FORMAT_FIELDS,
	FORMAT_TABLE,
	FORMAT_PROTOBUF,
	FORMAT_UNKNOWN
};

enum print_format print_format_of(struct bytes name);

struct print_options {
	enum print_format format;
	bool hex, value_only;
	bool keys;	/* lease timetolive --keys */
	int64_t id;	/* move-leader: the leader before; revoke, keep-alive: the lease */
	int64_t target; /* move-leader: whom to */
};

/* An answer that is not an error, to the request req (rows are shared, so whether a value was asked
 * for is known from the request alone).  False: the form does not exist for this command, and
 * nothing was printed. */
bool print_response(struct buf *out, const struct response *r, const struct request *req,
		    const struct print_options *o);

void print_simple(struct buf *out, const struct response *r, const struct request *req,
		  const struct print_options *o);
void print_json(struct buf *out, const struct response *r, const struct request *req);
void print_protobuf(struct buf *out, const struct response *r, const struct request *req);
bool print_fields(struct buf *out, const struct response *r, const struct request *req);
/* Users, roles and authentication. */
void print_auth(struct buf *out, const struct response *r, const struct request *req);
void print_auth_json(struct buf *out, const struct response *r); /* what follows the header */
void print_auth_fields(struct buf *out, const struct response *r);
void print_member_table(struct buf *out, const struct response *r);

/* Answers of several endpoints; names as typed.  r[i] NULL: that one failed and is left out. */
struct endpoint_answers {
	size_t n;
	const struct bytes *names;
	const struct response *const *r;
	const int64_t *took_ms; /* of health */
};
void print_endpoint_status(struct buf *out, const struct endpoint_answers *a, enum print_format f);
void print_endpoint_hash(struct buf *out, const struct endpoint_answers *a, enum print_format f);
/* Healthy: its answer is no error.  errors[i]: text of what is wrong, "" if nothing. */
void print_endpoint_health(struct buf *out, const struct endpoint_answers *a,
			   const char *const *errors, enum print_format f);

/* Pieces that the files share. */
const char *print_alarm_name(enum alarm_kind k); /* "NOSPACE" */
void print_header_json(struct buf *out, const struct response_header *h);
void print_header_fields(struct buf *out, const struct response_header *h);

/* A table as tablewriter draws it: cells right-aligned, titles centred.  ncells is a multiple of
 * ncolumns, the first row holds the titles. */
void print_table(struct buf *out, const struct bytes *cells, size_t ncells, size_t ncolumns);
/* humanize.Bytes: "29 kB". */
void print_size(struct buf *out, int64_t n);

/* A watcher's line (conformance/README.md, Watches), with "wN: " and a newline. */
void print_watch_note(struct buf *out, const struct watch_note *n, bool prev_kv);

#endif
