/* What user, role and auth commands print. */
#include "cmd/go_quote.h"
#include "cmd/print.h"

#define TEXT(b) (int)(b).n, (b).p

static bool is_open(struct key_range r)
{
	return r.end.n == 1 && r.end.p[0] == 0;
}

/* Is the end the successor of the key as a prefix (clientv3: GetPrefixRangeEnd)? */
static bool is_prefix(struct key_range r)
{
	size_t n = r.key.n;

	while (n && (unsigned char)r.key.p[n - 1] == 0xff)
		n--;
	if (n == 0)
		return r.key.n > 0 && is_open(r);
	if (r.end.n != n)
		return false;
	return memcmp(r.key.p, r.end.p, n - 1) == 0 &&
	       (unsigned char)r.key.p[n - 1] + 1 == (unsigned char)r.end.p[n - 1];
}

static void put_permission(struct buf *out, struct key_range r)
{
	buf_puts(out, r.end.n ? "\t[" : "\t");
	buf_put_bytes(out, r.key);
	if (is_open(r)) {
		buf_puts(out, ", <open ended>");
	} else if (r.end.n) {
		buf_puts(out, ", ");
		buf_put_bytes(out, r.end);
		buf_putc(out, ')');
	}
	if (is_prefix(r)) {
		buf_puts(out, " (prefix ");
		buf_put_bytes(out, r.key);
		buf_putc(out, ')');
	}
	buf_putc(out, '\n');
}

static void put_permissions(struct buf *out, const struct response *r, enum permission_kind kind)
{
	buf_puts(out, kind == PERMISSION_READ ? "KV Read:\n" : "KV Write:\n");
	for (size_t i = 0; i < r->auth.npermissions; i++) {
		const struct permission *p = &r->auth.permissions[i];
		if (p->kind == kind || p->kind == PERMISSION_READWRITE)
			put_permission(out, p->range);
	}
}

static void put_role(struct buf *out, const struct response *r, struct bytes role)
{
	buf_printf(out, "Role %.*s\n", TEXT(role));
	put_permissions(out, r, PERMISSION_READ);
	put_permissions(out, r, PERMISSION_WRITE);
}

static void put_user(struct buf *out, const struct response *r, struct bytes user)
{
	buf_printf(out, "User: %.*s\nRoles:", TEXT(user));
	for (size_t i = 0; i < r->auth.n; i++)
		buf_printf(out, " %.*s", TEXT(r->auth.names[i]));
	buf_putc(out, '\n');
}

static void put_revoked(struct buf *out, const struct request *q)
{
	struct key_range r = q->auth.permission.range;

	buf_puts(out, r.end.n ? "Permission of range [" : "Permission of key ");
	buf_put_bytes(out, r.key);
	if (is_open(r)) {
		buf_puts(out, ", <open ended>");
	} else if (r.end.n) {
		buf_puts(out, ", ");
		buf_put_bytes(out, r.end);
		buf_putc(out, ')');
	}
	buf_printf(out, " is revoked from role %.*s\n", TEXT(q->auth.role));
}

void print_auth(struct buf *out, const struct response *r, const struct request *q)
{
	struct bytes user = q->auth.user, role = q->auth.role;

	switch (r->kind) {
	case REQ_USER_ADD:
		buf_printf(out, "User %.*s created\n", TEXT(user));
		break;
	case REQ_USER_DELETE:
		buf_printf(out, "User %.*s deleted\n", TEXT(user));
		break;
	case REQ_USER_GET:
		put_user(out, r, user);
		break;
	case REQ_USER_PASSWD:
		buf_puts(out, "Password updated\n");
		break;
	case REQ_USER_GRANT_ROLE:
		buf_printf(out, "Role %.*s is granted to user %.*s\n", TEXT(role), TEXT(user));
		break;
	case REQ_USER_REVOKE_ROLE:
		buf_printf(out, "Role %.*s is revoked from user %.*s\n", TEXT(role), TEXT(user));
		break;
	case REQ_USER_LIST:
	case REQ_ROLE_LIST:
		for (size_t i = 0; i < r->auth.n; i++)
			buf_printf(out, "%.*s\n", TEXT(r->auth.names[i]));
		break;
	case REQ_ROLE_ADD:
		buf_printf(out, "Role %.*s created\n", TEXT(role));
		break;
	case REQ_ROLE_DELETE:
		buf_printf(out, "Role %.*s deleted\n", TEXT(role));
		break;
	case REQ_ROLE_GET:
		put_role(out, r, role);
		break;
	case REQ_ROLE_GRANT_PERMISSION:
		buf_printf(out, "Role %.*s updated\n", TEXT(role));
		break;
	case REQ_ROLE_REVOKE_PERMISSION:
		put_revoked(out, q);
		break;
	default: /* auth enable and disable have their own words */
		break;
	}
}

/* ---- with the header ---- */

void print_auth_json(struct buf *out, const struct response *r)
{
	bool users = r->kind == REQ_USER_LIST;

	for (size_t i = 0; i < r->auth.n; i++) {
		buf_puts(out, i ? "," : users ? ",\"users\":[" : ",\"roles\":[");
		go_put_json_string(out, r->auth.names[i]);
	}
	for (size_t i = 0; i < r->auth.npermissions; i++) {
		const struct permission *p = &r->auth.permissions[i];
		buf_puts(out, i ? ",{" : ",\"perm\":[{");
		if (p->kind)
			buf_printf(out, "\"permType\":%d,", (int)p->kind);
		buf_puts(out, "\"key\":\"");
		go_put_base64(out, p->range.key);
		if (p->range.end.n) {
			buf_puts(out, "\",\"range_end\":\"");
			go_put_base64(out, p->range.end);
		}
		buf_puts(out, "\"}");
	}
	if (r->auth.n || r->auth.npermissions)
		buf_putc(out, ']');
}

void print_auth_fields(struct buf *out, const struct response *r)
{
	static const char *const kinds[] = {"READ", "WRITE", "READWRITE"};
	bool names = r->kind == REQ_ROLE_LIST;

	if (names)
		buf_puts(out, "\"Roles\" :");
	for (size_t i = 0; i < r->auth.n; i++) {
		buf_putc(out, ' ');
		go_quote(out, r->auth.names[i]);
	}
	if (names)
		buf_putc(out, '\n');
	for (size_t i = 0; i < r->auth.npermissions; i++) {
		const struct permission *p = &r->auth.permissions[i];
		buf_printf(out, "\"PermType\" :  %s\n\"Key\" : ", kinds[p->kind]);
		go_quote(out, p->range.key);
		buf_puts(out, "\n\"RangeEnd\" : ");
		go_quote(out, p->range.end);
		buf_putc(out, '\n');
	}
}
