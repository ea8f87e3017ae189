/* show limits: what etcd refuses, one page: limit, default, now, the setting for it, and what
 * happens beyond. */
#include "cmd/limits.h"

#include <inttypes.h>

#include "cmd/go_number.h"

enum { COLUMNS = 4, ROWS_MAX = 16 };

struct limit {
	struct bytes cells[COLUMNS]; /* name, default, now, setting */
	const char *beyond;
};

struct page {
	struct limit rows[ROWS_MAX];
	size_t n;
	struct buf text; /* of cells that are made */
};

/* Numbers of a row, made into text; the cells are set when the text moves no more. */
struct made {
	size_t from, to;
};

static struct made number(struct page *p, int64_t n)
{
	struct made m = {.from = p->text.n};

	buf_put_i64(&p->text, n);
	m.to = p->text.n;
	return m;
}

static struct made duration(struct page *p, int64_t ms)
{
	struct made m = {.from = p->text.n};

	go_put_duration(&p->text, ms);
	m.to = p->text.n;
	return m;
}

static struct made as_typed(struct page *p, const struct config *c, const char *setting)
{
	struct made m = {.from = p->text.n};

	config_get(c, setting, &p->text);
	m.to = p->text.n;
	return m;
}

static struct bytes made_cell(struct made m)
{
	return (struct bytes){(const char *)(uintptr_t)m.from, m.to - m.from};
}

static void add(struct page *p, const char *name, struct made fallback, struct made now,
		const char *setting, const char *beyond)
{
	check_that(p->n < ROWS_MAX);
	p->rows[p->n++] = (struct limit){
	    {bytes_of(name), made_cell(fallback), made_cell(now), bytes_of(setting)}, beyond};
}

static void add_setting(struct page *p, const struct config *c, const char *name,
			const char *setting, const char *beyond)
{
	struct made fallback = {.from = p->text.n};

	buf_puts(&p->text, config_setting((size_t)config_find(setting))->fallback);
	fallback.to = p->text.n;
	add(p, name, fallback, as_typed(p, c, setting), setting, beyond);
}

/* One and a half election timeouts, in whole seconds. */
static int64_t least_ttl_ms(int64_t election_ms)
{
	return (3 * election_ms / 2 + 999) / 1000 * 1000;
}

static void add_rows(struct page *p, const struct config *c)
{
	enum {
		CLIENT_MESSAGE = 2 * 1024 * 1024,
		COMMIT_GAP = 5000,
		CLIENT_MS = 5000,
		SERVER_MS = 5000
	};
	enum { ELECTION_MS = 1000 };

	add_setting(p, c, "request, bytes", "max-request-bytes",
		    "Error: etcdserver: request is too large; takes no index");
	add(p, "message of a client, bytes", number(p, CLIENT_MESSAGE), number(p, CLIENT_MESSAGE),
	    "-", "the client itself refuses: trying to send message larger than max");
	add_setting(p, c, "operations in a part of a txn", "max-txn-ops",
		    "Error: etcdserver: too many operations in txn request; compares count too");
	add_setting(p, c, "size of the store, bytes", "quota-backend-bytes",
		    "etcd raises the alarm NOSPACE and refuses puts, not deletes");
	add(p, "entries committed, not applied", number(p, COMMIT_GAP), number(p, COMMIT_GAP), "-",
	    "Error: etcdserver: too many requests");
	add(p, "TTL of a lease, least", duration(p, least_ttl_ms(ELECTION_MS)),
	    duration(p, least_ttl_ms(c->election_ms)), "election-timeout",
	    "a shorter one is raised to it");
	add(p, "TTL of a lease, most, s", number(p, LEASE_MAX_TTL), number(p, LEASE_MAX_TTL), "-",
	    "Error: failed to grant lease (etcdserver: too large lease TTL)");
	add(p, "time of a command, client", duration(p, CLIENT_MS), duration(p, CLIENT_MS),
	    "--command-timeout", "Error: context deadline exceeded; the outcome is unknown");
	add(p, "time of a request, server", duration(p, SERVER_MS + 2 * ELECTION_MS),
	    duration(p, SERVER_MS + (int64_t)2 * c->election_ms), "election-timeout",
	    "Error: etcdserver: request timed out; the outcome is unknown");
	add_setting(p, c, "entries between snapshots", "snapshot-count",
		    "a snapshot is taken, the log is cut");
	add_setting(p, c, "entries kept for followers", "snapshot-catchup-entries",
		    "a follower that is further behind gets a snapshot");
}

void limits_print(struct buf *out, const struct config *c)
{
	static const char *const titles[COLUMNS] = {"LIMIT", "DEFAULT", "NOW", "SETTING"};
	struct page p = {0};
	int width[COLUMNS];

	add_rows(&p, c);
	for (int k = 0; k < COLUMNS; k++)
		width[k] = (int)strlen(titles[k]);
	for (size_t i = 0; i < p.n; i++)
		for (int k = 0; k < COLUMNS; k++) {
			struct bytes *cell = &p.rows[i].cells[k];
			if (k == 1 || k == 2)
				cell->p = buf_str(&p.text) + (uintptr_t)cell->p;
			if ((int)cell->n > width[k])
				width[k] = (int)cell->n;
		}
	buf_printf(out, "%-*s  %*s  %*s  %-*s  BEYOND\n", width[0], titles[0], width[1], titles[1],
		   width[2], titles[2], width[3], titles[3]);
	for (size_t i = 0; i < p.n; i++) {
		const struct bytes *x = p.rows[i].cells;
		buf_printf(out, "%-*.*s  %*.*s  %*.*s  %-*.*s  %s\n", width[0], (int)x[0].n, x[0].p,
			   width[1], (int)x[1].n, x[1].p, width[2], (int)x[2].n, x[2].p, width[3],
			   (int)x[3].n, x[3].p, p.rows[i].beyond);
	}
	buf_free(&p.text);
}
