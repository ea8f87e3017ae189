/* The answers of `endpoint status`, `endpoint hashkv` and `endpoint health`, one endpoint a line.
 */
#include <inttypes.h>

#include "cmd/go_number.h"
#include "cmd/go_quote.h"
#include "cmd/print.h"

/* A grid of texts in one buffer: cells end with a NUL. */
struct grid {
	struct buf text;
	size_t n;
};

static void end_cell(struct grid *g)
{
	buf_putc(&g->text, 0);
	g->n++;
}

static void cell(struct grid *g, const char *s)
{
	buf_puts(&g->text, s);
	end_cell(g);
}

static void cell_u64(struct grid *g, uint64_t v)
{
	buf_put_u64(&g->text, v);
	end_cell(g);
}

enum { CELLS_MAX = (MEMBERS_MAX + 1) * 10 };

static size_t grid_cells(const struct grid *g, struct bytes cells[CELLS_MAX])
{
	const char *p = buf_str(&g->text);

	for (size_t i = 0; i < g->n; i++) {
		cells[i] = bytes_of(p);
		p += cells[i].n + 1;
	}
	return g->n;
}

static void draw(struct buf *out, struct grid *g, size_t columns)
{
	struct bytes cells[CELLS_MAX];

	print_table(out, cells, grid_cells(g, cells), columns);
	buf_free(&g->text);
}

/* The simple form: the cells of each row joined with a comma; titles left out. */
static void join(struct buf *out, struct grid *g, size_t columns)
{
	struct bytes cells[CELLS_MAX];
	size_t n = grid_cells(g, cells);

	for (size_t i = columns; i < n; i++) {
		buf_put_bytes(out, cells[i]);
		buf_puts(out, (i + 1) % columns ? ", " : "\n");
	}
	buf_free(&g->text);
}

static void titles(struct grid *g, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cell(g, names[i]);
}

static void put_errors(struct buf *out, const struct member_status *m, const char *between)
{
	for (size_t i = 0; i < m->nerrors; i++) {
		buf_puts(out, i ? between : "");
		buf_puts(out, m->errors[i]);
	}
}

static void status_cells(struct grid *g, struct bytes name, const struct response *r)
{
	const struct member_status *m = r->status;

	buf_put_bytes(&g->text, name);
	end_cell(g);
	buf_printf(&g->text, "%" PRIx64, r->header.member_id);
	end_cell(g);
	cell(g, m->version);
	print_size(&g->text, m->db_size);
	end_cell(g);
	cell(g, m->leader == r->header.member_id ? "true" : "false");
	cell(g, m->is_learner ? "true" : "false");
	cell_u64(g, m->raft_term);
	cell_u64(g, m->raft_index);
	cell_u64(g, m->raft_applied_index);
	put_errors(&g->text, m, ", ");
	end_cell(g);
}

static void status_json(struct buf *out, struct bytes name, const struct response *r)
{
	const struct member_status *m = r->status;

	buf_puts(out, "{\"Endpoint\":");
	go_put_json_string(out, name);
	buf_puts(out, ",\"Status\":{\"header\":");
	print_header_json(out, &r->header);
	buf_puts(out, ",\"version\":");
	go_put_json_string(out, bytes_of(m->version));
	buf_printf(out, ",\"dbSize\":%" PRId64, m->db_size);
	if (m->leader)
		buf_printf(out, ",\"leader\":%" PRIu64, m->leader);
	buf_printf(out,
		   ",\"raftIndex\":%" PRIu64 ",\"raftTerm\":%" PRIu64
		   ",\"raftAppliedIndex\":%" PRIu64,
		   m->raft_index, m->raft_term, m->raft_applied_index);
	for (size_t i = 0; i < m->nerrors; i++) {
		buf_puts(out, i ? "," : ",\"errors\":[");
		go_put_json_string(out, bytes_of(m->errors[i]));
	}
	if (m->nerrors)
		buf_putc(out, ']');
	buf_printf(out, ",\"dbSizeInUse\":%" PRId64, m->db_size_in_use);
	buf_puts(out, m->is_learner ? ",\"isLearner\":true}}" : "}}");
}

static void status_fields(struct buf *out, struct bytes name, const struct response *r)
{
	const struct member_status *m = r->status;

	print_header_fields(out, &r->header);
	buf_printf(out,
		   "\"Version\" : \"%s\"\n\"DBSize\" : %" PRId64 "\n\"Leader\" : %" PRIu64
		   "\n\"IsLearner\" : %s\n",
		   m->version, m->db_size, m->leader, m->is_learner ? "true" : "false");
	buf_printf(out,
		   "\"RaftIndex\" : %" PRIu64 "\n\"RaftTerm\" : %" PRIu64
		   "\n\"RaftAppliedIndex\" : %" PRIu64 "\n\"Errors\" : [",
		   m->raft_index, m->raft_term, m->raft_applied_index);
	put_errors(out, m, " ");
	buf_puts(out, "]\n\"Endpoint\" : ");
	go_quote(out, name);
	buf_puts(out, "\n\n");
}

/* The parts of a JSON list or of a sequence of fields, for those that answered. */
static void put_each(struct buf *out, const struct endpoint_answers *a, bool json,
		     void (*one)(struct buf *, struct bytes, const struct response *))
{
	bool any = false;

	if (json)
		buf_putc(out, '[');
	for (size_t i = 0; i < a->n; i++) {
		if (!a->r[i])
			continue;
		if (json && any)
			buf_putc(out, ',');
		one(out, a->names[i], a->r[i]);
		any = true;
	}
	if (json)
		buf_puts(out, "]\n");
}

void print_endpoint_status(struct buf *out, const struct endpoint_answers *a, enum print_format f)
{
	static const char *const names[] = {"ENDPOINT",	 "ID",	       "VERSION",
					    "DB SIZE",	 "IS LEADER",  "IS LEARNER",
					    "RAFT TERM", "RAFT INDEX", "RAFT APPLIED INDEX",
					    "ERRORS"};
	struct grid g = {0};

	if (f == FORMAT_JSON || f == FORMAT_FIELDS) {
		put_each(out, a, f == FORMAT_JSON, f == FORMAT_JSON ? status_json : status_fields);
		return;
	}
	titles(&g, names, 10);
	for (size_t i = 0; i < a->n; i++)
		if (a->r[i])
			status_cells(&g, a->names[i], a->r[i]);
	(f == FORMAT_TABLE ? draw : join)(out, &g, 10);
}

static void hash_json(struct buf *out, struct bytes name, const struct response *r)
{
	buf_puts(out, "{\"Endpoint\":");
	go_put_json_string(out, name);
	buf_puts(out, ",\"HashKV\":{\"header\":");
	print_header_json(out, &r->header);
	if (r->hash_kv.hash)
		buf_printf(out, ",\"hash\":%" PRIu32, r->hash_kv.hash);
	if (r->hash_kv.compact_revision)
		buf_printf(out, ",\"compact_revision\":%" PRId64, r->hash_kv.compact_revision);
	buf_puts(out, "}}");
}

static void hash_fields(struct buf *out, struct bytes name, const struct response *r)
{
	print_header_fields(out, &r->header);
	buf_puts(out, "\"Endpoint\" : ");
	go_quote(out, name);
	buf_printf(out, "\n\"Hash\" : %" PRIu32 "\n\n", r->hash_kv.hash);
}

void print_endpoint_hash(struct buf *out, const struct endpoint_answers *a, enum print_format f)
{
	static const char *const names[] = {"ENDPOINT", "HASH"};
	struct grid g = {0};

	if (f == FORMAT_JSON || f == FORMAT_FIELDS) {
		put_each(out, a, f == FORMAT_JSON, f == FORMAT_JSON ? hash_json : hash_fields);
		return;
	}
	titles(&g, names, 2);
	for (size_t i = 0; i < a->n; i++) {
		if (!a->r[i])
			continue;
		buf_put_bytes(&g.text, a->names[i]);
		end_cell(&g);
		cell_u64(&g, a->r[i]->hash_kv.hash);
	}
	(f == FORMAT_TABLE ? draw : join)(out, &g, 2);
}

static void health_simple(struct buf *out, struct bytes name, int64_t took_ms, const char *error)
{
	buf_put_bytes(out, name);
	if (*error) {
		buf_printf(out, " is unhealthy: failed to commit proposal: %s\n", error);
		return;
	}
	buf_puts(out, " is healthy: successfully committed proposal: took = ");
	go_put_duration(out, took_ms);
	buf_putc(out, '\n');
}

/* Nothing if it has come to no request: the login has failed. */
static void put_took(struct buf *out, int64_t took_ms)
{
	if (took_ms >= 0)
		go_put_duration(out, took_ms);
}

static void health_json(struct buf *out, struct bytes name, int64_t took_ms, const char *error)
{
	buf_puts(out, "{\"endpoint\":");
	go_put_json_string(out, name);
	buf_printf(out, ",\"health\":%s,\"took\":\"", *error ? "false" : "true");
	put_took(out, took_ms);
	buf_putc(out, '"');
	if (*error) {
		buf_puts(out, ",\"error\":");
		go_put_json_string(out, bytes_of(error));
	}
	buf_putc(out, '}');
}

static void health_fields(struct buf *out, struct bytes name, int64_t took_ms, const char *error)
{
	buf_puts(out, "\"Endpoint\" : ");
	go_quote(out, name);
	buf_printf(out, "\n\"Health\" : %s\n\"Took\" : ", *error ? "false" : "true");
	put_took(out, took_ms);
	buf_printf(out, "\n\"Error\" : %s\n\n", error);
}

static void health_table(struct buf *out, const struct endpoint_answers *a,
			 const char *const *errors)
{
	static const char *const names[] = {"ENDPOINT", "HEALTH", "TOOK", "ERROR"};
	struct grid g = {0};

	titles(&g, names, 4);
	for (size_t i = 0; i < a->n; i++) {
		buf_put_bytes(&g.text, a->names[i]);
		end_cell(&g);
		cell(&g, *errors[i] ? "false" : "true");
		put_took(&g.text, a->took_ms[i]);
		end_cell(&g);
		cell(&g, errors[i]);
	}
	draw(out, &g, 4);
}

void print_endpoint_health(struct buf *out, const struct endpoint_answers *a,
			   const char *const *errors, enum print_format f)
{
	if (f == FORMAT_TABLE) {
		health_table(out, a, errors);
		return;
	}
	if (f == FORMAT_JSON)
		buf_putc(out, '[');
	for (size_t i = 0; i < a->n; i++) {
		if (f == FORMAT_JSON && i)
			buf_putc(out, ',');
		(f == FORMAT_JSON     ? health_json
		 : f == FORMAT_FIELDS ? health_fields
				      : health_simple)(out, a->names[i], a->took_ms[i], errors[i]);
	}
	if (f == FORMAT_JSON)
		buf_puts(out, "]\n");
}
