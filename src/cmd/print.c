#include "cmd/print.h"

#include <inttypes.h>

#include "base/text.h"

enum print_format print_format_of(struct bytes name)
{
	static const char *const names[] = {
	    [FORMAT_SIMPLE] = "simple", [FORMAT_JSON] = "json",		[FORMAT_FIELDS] = "fields",
	    [FORMAT_TABLE] = "table",	[FORMAT_PROTOBUF] = "protobuf",
	};

	for (size_t i = 0; i < FORMAT_UNKNOWN; i++)
		if (bytes_is(name, names[i]))
			return (enum print_format)i;
	return FORMAT_UNKNOWN;
}

const char *print_alarm_name(enum alarm_kind k)
{
	return k == ALARM_NO_SPACE ? "NOSPACE" : "CORRUPT";
}

bool print_response(struct buf *out, const struct response *r, const struct request *req,
		    const struct print_options *o)
{
	switch (o->format) {
	case FORMAT_SIMPLE:
		print_simple(out, r, req, o);
		return true;
	case FORMAT_JSON:
		print_json(out, r, req);
		return true;
	case FORMAT_FIELDS:
		return print_fields(out, r, req);
	case FORMAT_TABLE:
		if (r->kind != REQ_MEMBER_LIST)
			return false;
		print_member_table(out, r);
		return true;
	case FORMAT_PROTOBUF:
		print_protobuf(out, r, req);
		return true;
	default:
		return false;
	}
}

/* Plain if it is a word that could not be mistaken for a quoted one. */
static void put_word(struct buf *out, struct bytes s)
{
	bool plain = s.n > 0 && s.p[0] != '"';

	for (size_t i = 0; plain && i < s.n; i++)
		plain = s.p[i] >= 0x21 && s.p[i] <= 0x7e;
	if (plain)
		buf_put_bytes(out, s);
	else
		text_quote(out, s);
}

static void put_event(struct buf *out, const struct event *e, bool prev_kv)
{
	const struct row *row = e->row;
	bool gone = row_is_tombstone(row);

	buf_puts(out, gone ? "DELETE " : "PUT ");
	put_word(out, row_key(row));
	if (!gone) {
		buf_putc(out, ' ');
		put_word(out, row_value(row));
	}
	if (gone)
		buf_printf(out, " (mod %" PRId64, row->main);
	else
		buf_printf(
		    out, " (create %" PRId64 " mod %" PRId64 " version %" PRIu32 " lease %" PRId64,
		    row->create, row->main, row->version, row->lease);
	if (prev_kv && e->prev) {
		buf_puts(out, " prev ");
		put_word(out, row_value(e->prev));
	}
	buf_putc(out, ')');
}

void print_watch_note(struct buf *out, const struct watch_note *n, bool prev_kv)
{
	buf_printf(out, "w%" PRIu32 ": ", n->watcher);
	if (n->kind == NOTE_EVENT)
		put_event(out, &n->event, prev_kv);
	else if (n->kind == NOTE_LISTED)
		buf_printf(out, "listed %" PRIu64 " keys at revision %" PRId64, n->count,
			   n->revision);
	else if (n->kind == NOTE_PROGRESS)
		buf_printf(out, "progress notify: %" PRId64, n->revision);
	else if (n->kind == NOTE_FRAGMENT)
		buf_printf(out, "fragment of %" PRIu64 " %s, more to come", n->count,
			   n->count == 1 ? "event" : "events");
	else
		buf_printf(out, "canceled: %s (compact_revision %" PRId64 ")",
			   n->reason == ERR_NONE ? "mvcc: watcher range is empty"
						 : error_text(n->reason),
			   n->revision);
	buf_putc(out, '\n');
}
