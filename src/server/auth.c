#include "server/auth.h"

#include <string.h>

static const struct bytes root = BYTES("root");

/* ---- finding ---- */

static const struct auth_user *find_user(const struct auth *a, struct bytes name)
{
	for (size_t i = 0; i < a->nusers; i++)
		if (bytes_eq(a->users[i].name, name))
			return &a->users[i];
	return NULL;
}

static const struct auth_role *find_role(const struct auth *a, struct bytes name)
{
	for (size_t i = 0; i < a->nroles; i++)
		if (bytes_eq(a->roles[i].name, name))
			return &a->roles[i];
	return NULL;
}

static bool has_role(const struct auth_user *u, struct bytes role)
{
	for (size_t i = 0; i < u->nroles; i++)
		if (bytes_eq(u->roles[i], role))
			return true;
	return false;
}

/* ---- changing: new arrays, in order ---- */

/* A list whose elements begin with their name, in order: a new one without the element of this
 * name, and with `add` (NULL: nothing) in its place.  Returns how many there are. */
static size_t rebuild(struct heap *h, const void **list, size_t n, size_t size, struct bytes name,
		      const void *add)
{
	char *v = heap_alloc(h, (n + 1) * size);
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		const char *item = (const char *)*list + i * size;
		int order = bytes_cmp(*(const struct bytes *)(const void *)item, name);
		if (order == 0)
			continue;
		if (order > 0 && add) {
			memcpy(v + out++ * size, add, size);
			add = NULL;
		}
		memcpy(v + out++ * size, item, size);
	}
	if (add)
		memcpy(v + out++ * size, add, size);
	*list = v;
	return out;
}

static void set_user(struct auth *a, struct heap *h, struct bytes name, const struct auth_user *u)
{
	const void *list = a->users;

	a->nusers = rebuild(h, &list, a->nusers, sizeof *u, name, u);
	a->users = list;
}

static void set_role(struct auth *a, struct heap *h, struct bytes name, const struct auth_role *r)
{
	const void *list = a->roles;

	a->nroles = rebuild(h, &list, a->nroles, sizeof *r, name, r);
	a->roles = list;
}

static void set_role_of(struct heap *h, struct auth_user *u, struct bytes role, bool has)
{
	const void *list = u->roles;

	u->nroles = rebuild(h, &list, u->nroles, sizeof role, role, has ? &role : NULL);
	u->roles = list;
}

static void commit_revision(struct auth *a)
{
	a->revision++;
}

/* ---- users ---- */

static enum error add_user(struct auth *a, struct heap *h, const struct request *q)
{
	if (q->auth.user.n == 0)
		return ERR_USER_EMPTY;
	if (find_user(a, q->auth.user))
		return ERR_USER_EXISTS;
	set_user(a, h, q->auth.user,
		 &(struct auth_user){.name = q->auth.user,
				     .password = q->auth.password,
				     .no_password = q->auth.no_password});
	commit_revision(a);
	return ERR_NONE;
}

static enum error delete_user(struct auth *a, struct heap *h, const struct request *q)
{
	if (a->enabled && bytes_eq(q->auth.user, root))
		return ERR_INVALID_AUTH_MGMT;
	if (!find_user(a, q->auth.user))
		return ERR_USER_NOT_FOUND;
	set_user(a, h, q->auth.user, NULL);
	commit_revision(a);
	return ERR_NONE;
}

static enum error change_password(struct auth *a, struct heap *h, const struct request *q)
{
	const struct auth_user *old = find_user(a, q->auth.user);

	if (!old)
		return ERR_USER_NOT_FOUND;
	struct auth_user u = *old;
	u.password = q->auth.password;
	u.no_password = false;
	set_user(a, h, u.name, &u);
	commit_revision(a);
	return ERR_NONE;
}

/* The root role need not be there to be granted. */
static enum error grant_role(struct auth *a, struct heap *h, const struct request *q)
{
	const struct auth_user *old = find_user(a, q->auth.user);

	if (!old)
		return ERR_USER_NOT_FOUND;
	if (!bytes_eq(q->auth.role, root) && !find_role(a, q->auth.role))
		return ERR_ROLE_NOT_FOUND;
	if (has_role(old, q->auth.role))
		return ERR_NONE;
	struct auth_user u = *old;
	set_role_of(h, &u, q->auth.role, true);
	set_user(a, h, u.name, &u);
	commit_revision(a);
	return ERR_NONE;
}

static enum error revoke_role(struct auth *a, struct heap *h, const struct request *q)
{
	const struct auth_user *old = find_user(a, q->auth.user);

	if (a->enabled && bytes_eq(q->auth.user, root) && bytes_eq(q->auth.role, root))
		return ERR_INVALID_AUTH_MGMT;
	if (!old)
		return ERR_USER_NOT_FOUND;
	if (!has_role(old, q->auth.role))
		return ERR_ROLE_NOT_GRANTED;
	struct auth_user u = *old;
	set_role_of(h, &u, q->auth.role, false);
	set_user(a, h, u.name, &u);
	commit_revision(a);
	return ERR_NONE;
}

/* Everybody may look at himself. */
static enum error get_user(const struct auth *a, const struct request *q, struct response *out)
{
	enum error e = auth_check_admin(a, q->user);
	const struct auth_user *u = find_user(a, q->auth.user);

	if (e && !bytes_eq(q->user, q->auth.user))
		return e;
	if (!u)
		return ERR_USER_NOT_FOUND;
	out->auth.names = u->roles;
	out->auth.n = u->nroles;
	return ERR_NONE;
}

static void list_users(const struct auth *a, struct heap *h, struct response *out)
{
	struct bytes *names = heap_alloc(h, (a->nusers + 1) * sizeof *names);

	for (size_t i = 0; i < a->nusers; i++)
		names[i] = a->users[i].name;
	out->auth.names = names;
	out->auth.n = a->nusers;
}

/* ---- roles ---- */

static enum error add_role(struct auth *a, struct heap *h, const struct request *q)
{
	if (q->auth.role.n == 0)
		return ERR_ROLE_EMPTY;
	if (find_role(a, q->auth.role))
		return ERR_ROLE_EXISTS;
	set_role(a, h, q->auth.role, &(struct auth_role){.name = q->auth.role});
	commit_revision(a);
	return ERR_NONE;
}

/* Who had it just loses it. */
static enum error delete_role(struct auth *a, struct heap *h, const struct request *q)
{
	if (a->enabled && bytes_eq(q->auth.role, root))
		return ERR_INVALID_AUTH_MGMT;
	if (!find_role(a, q->auth.role))
		return ERR_ROLE_NOT_FOUND;
	set_role(a, h, q->auth.role, NULL);
	for (size_t i = 0; i < a->nusers; i++) {
		struct auth_user u = a->users[i];
		if (!has_role(&u, q->auth.role))
			continue;
		set_role_of(h, &u, q->auth.role, false);
		set_user(a, h, u.name, &u);
	}
	commit_revision(a);
	return ERR_NONE;
}

static enum error get_role(const struct auth *a, const struct request *q, struct response *out)
{
	enum error e = auth_check_admin(a, q->user);
	const struct auth_user *u = find_user(a, q->user);
	const struct auth_role *r = find_role(a, q->auth.role);

	if (e && !(u && has_role(u, q->auth.role)))
		return e;
	if (!r)
		return ERR_ROLE_NOT_FOUND;
	out->auth.permissions = r->permissions;
	out->auth.npermissions = r->npermissions;
	return ERR_NONE;
}

static void list_roles(const struct auth *a, struct heap *h, struct response *out)
{
	struct bytes *names = heap_alloc(h, (a->nroles + 1) * sizeof *names);

	for (size_t i = 0; i < a->nroles; i++)
		names[i] = a->roles[i].name;
	out->auth.names = names;
	out->auth.n = a->nroles;
}

static bool is_range(const struct permission *p, struct key_range r)
{
	return bytes_eq(p->range.key, r.key) && bytes_eq(p->range.end, r.end);
}

/* The first of this key's permissions is changed if it is of the same range; otherwise the new one
 * goes behind the last of them.  So one range can stand there twice, if a longer one stood first
 * (etcd: auth/store.go, RoleGrantPermission). */
static void add_permission(struct heap *h, struct auth_role *r, const struct permission *add)
{
	struct permission *v = heap_alloc(h, (r->npermissions + 1) * sizeof *v);
	size_t n = r->npermissions, first = 0, behind;

	while (first < n && bytes_cmp(r->permissions[first].range.key, add->range.key) < 0)
		first++;
	for (behind = first; behind < n; behind++)
		if (!bytes_eq(r->permissions[behind].range.key, add->range.key))
			break;
	bool change = first < n && is_range(&r->permissions[first], add->range);
	size_t at = change ? first : behind, rest = change ? first + 1 : behind;
	/* memcpy takes no NULL, which a role without permissions has */
	if (n) {
		memcpy(v, r->permissions, at * sizeof *v);
		memcpy(v + at + 1, r->permissions + rest, (n - rest) * sizeof *v);
	}
	v[at] = *add;
	r->permissions = v;
	r->npermissions = at + 1 + n - rest;
}

static void drop_permissions(struct heap *h, struct auth_role *r, struct key_range range)
{
	struct permission *v = heap_alloc(h, (r->npermissions + 1) * sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < r->npermissions; i++)
		if (!is_range(&r->permissions[i], range))
			v[n++] = r->permissions[i];
	r->permissions = v;
	r->npermissions = n;
}

static enum error grant_permission(struct auth *a, struct heap *h, const struct request *q)
{
	const struct auth_role *old = find_role(a, q->auth.role);

	if (!old)
		return ERR_ROLE_NOT_FOUND;
	struct auth_role r = *old;
	add_permission(h, &r, &q->auth.permission);
	set_role(a, h, r.name, &r);
	commit_revision(a);
	return ERR_NONE;
}

static enum error revoke_permission(struct auth *a, struct heap *h, const struct request *q)
{
	const struct auth_role *old = find_role(a, q->auth.role);

	if (!old)
		return ERR_ROLE_NOT_FOUND;
	struct auth_role r = *old;
	drop_permissions(h, &r, q->auth.permission.range);
	if (r.npermissions == old->npermissions)
		return ERR_PERMISSION_NOT_GRANTED;
	set_role(a, h, r.name, &r);
	commit_revision(a);
	return ERR_NONE;
}

/* ---- on and off ---- */

static enum error enable(struct auth *a)
{
	const struct auth_user *u = find_user(a, root);

	if (a->enabled)
		return ERR_NONE;
	if (!u)
		return ERR_NO_ROOT_USER;
	if (!has_role(u, root))
		return ERR_NO_ROOT_ROLE;
	a->enabled = true;
	return ERR_NONE;
}

static void disable(struct auth *a)
{
	if (a->enabled)
		commit_revision(a);
	a->enabled = false;
}

enum error auth_apply(struct auth *a, struct heap *h, const struct request *q, struct response *out)
{
	switch (q->kind) {
	case REQ_AUTH_ENABLE:
		return enable(a);
	case REQ_AUTH_DISABLE:
		return disable(a), ERR_NONE;
	case REQ_USER_ADD:
		return add_user(a, h, q);
	case REQ_USER_DELETE:
		return delete_user(a, h, q);
	case REQ_USER_GET:
		return get_user(a, q, out);
	case REQ_USER_LIST:
		return list_users(a, h, out), ERR_NONE;
	case REQ_USER_PASSWD:
		return change_password(a, h, q);
	case REQ_USER_GRANT_ROLE:
		return grant_role(a, h, q);
	case REQ_USER_REVOKE_ROLE:
		return revoke_role(a, h, q);
	case REQ_ROLE_ADD:
		return add_role(a, h, q);
	case REQ_ROLE_DELETE:
		return delete_role(a, h, q);
	case REQ_ROLE_GET:
		return get_role(a, q, out);
	case REQ_ROLE_LIST:
		return list_roles(a, h, out), ERR_NONE;
	case REQ_ROLE_GRANT_PERMISSION:
		return grant_permission(a, h, q);
	case REQ_ROLE_REVOKE_PERMISSION:
		return revoke_permission(a, h, q);
	default: /* a login changes nothing */
		return a->enabled ? ERR_NONE : ERR_AUTH_NOT_ENABLED;
	}
}

enum error auth_check_password(const struct auth *a, struct bytes user, struct bytes password)
{
	const struct auth_user *u = find_user(a, user);

	if (!a->enabled)
		return ERR_AUTH_NOT_ENABLED;
	if (u && u->no_password)
		return ERR_AUTH_NO_PASSWORD_USER;
	if (!u || !bytes_eq(u->password, password))
		return ERR_AUTH_FAILED;
	return ERR_NONE;
}

/* ---- what is refused ---- */

enum error auth_check_admin(const struct auth *a, struct bytes user)
{
	const struct auth_user *u = find_user(a, user);

	if (!a->enabled)
		return ERR_NONE;
	if (user.n == 0)
		return ERR_USER_EMPTY;
	return u && has_role(u, root) ? ERR_NONE : ERR_PERMISSION_DENIED;
}

enum error auth_check_admin_entry(const struct auth *a, const struct request *q)
{
	bool own =
	    q->kind == REQ_AUTHENTICATE || q->kind == REQ_USER_GET || q->kind == REQ_ROLE_GET;

	return request_is_auth(q) && !own ? auth_check_admin(a, q->user) : ERR_NONE;
}

static bool is_open(struct bytes end)
{
	return end.n == 1 && end.p[0] == 0;
}

/* A place among the keys: a key, or the one right behind it, which is longer by a zero byte. */
struct place {
	struct bytes key;
	bool behind;
};

static int compare_place(struct place at, struct bytes key)
{
	int order = bytes_cmp(at.key, key);

	if (!at.behind || order >= 0)
		return at.behind ? 1 : order;
	bool next =
	    key.n == at.key.n + 1 && key.p[at.key.n] == 0 && !memcmp(key.p, at.key.p, at.key.n);
	return next ? 0 : -1;
}

/* Does the permission hold there?  An end of one zero byte is that of the key space. */
static bool reaches(const struct permission *p, struct place at)
{
	if (p->range.end.n == 0)
		return compare_place(at, p->range.key) == 0;
	return compare_place(at, p->range.key) >= 0 &&
	       (is_open(p->range.end) || compare_place(at, p->range.end) < 0);
}

/* The user's permissions of this kind, one after the other; NULL: no more. */
struct walk {
	const struct auth *a;
	const struct auth_user *u;
	enum permission_kind kind;
	size_t role, place;
};

static const struct permission *next_permission(struct walk *w)
{
	for (; w->role < w->u->nroles; w->role++, w->place = 0) {
		const struct auth_role *r = find_role(w->a, w->u->roles[w->role]);
		while (r && w->place < r->npermissions) {
			const struct permission *p = &r->permissions[w->place++];
			if (p->kind == w->kind || p->kind == PERMISSION_READWRITE)
				return p;
		}
	}
	return NULL;
}

/* Of the permissions that hold at a place the one that goes farthest; NULL: there is none. */
static const struct permission *farthest(struct walk w, struct place at)
{
	const struct permission *best = NULL;

	for (const struct permission *p; (p = next_permission(&w));) {
		if (!reaches(p, at))
			continue;
		if (is_open(p->range.end))
			return p;
		if (!best || bytes_cmp(best->range.end, p->range.end) < 0)
			best = p;
	}
	return best;
}

/* Do the permissions together cover the range, without a gap? */
static bool covers(struct walk w, struct key_range r)
{
	struct place at = {.key = r.key};

	/* Of a range that is empty or runs backwards etcd's intervals ask for its first key alone.
	 */
	if (r.end.n == 0 || (!is_open(r.end) && bytes_cmp(r.end, r.key) <= 0))
		return farthest(w, at) != NULL;
	while (is_open(r.end) || compare_place(at, r.end) < 0) {
		const struct permission *p = farthest(w, at);
		if (!p)
			return false;
		if (is_open(p->range.end))
			return true;
		at.behind = p->range.end.n == 0; /* one key: what follows is right behind it */
		at.key = at.behind ? p->range.key : p->range.end;
	}
	return true;
}

static enum error check(const struct auth *a, struct bytes user, uint64_t revision,
			struct key_range r, enum permission_kind kind)
{
	if (!a->enabled)
		return ERR_NONE;
	if (user.n == 0)
		return ERR_USER_EMPTY;
	if (revision < a->revision)
		return ERR_AUTH_OLD_REVISION;
	const struct auth_user *u = find_user(a, user);
	if (!u)
		return ERR_PERMISSION_DENIED;
	if (has_role(u, root))
		return ERR_NONE;
	return covers((struct walk){.a = a, .u = u, .kind = kind}, r) ? ERR_NONE
								      : ERR_PERMISSION_DENIED;
}

enum error auth_check_key(const struct auth *a, struct bytes user, uint64_t revision,
			  struct bytes key)
{
	return check(a, user, revision, (struct key_range){.key = key}, PERMISSION_WRITE);
}

enum error auth_check_range(const struct auth *a, struct bytes user, uint64_t revision,
			    struct key_range r)
{
	return check(a, user, revision, r, PERMISSION_READ);
}

static enum error check_op(const struct auth *a, const struct request *q, struct bytes user,
			   uint64_t revision)
{
	enum error e = ERR_NONE;

	switch (q->kind) {
	case REQ_RANGE:
		return auth_check_range(a, user, revision, q->range.range);
	case REQ_PUT:
		e = auth_check_key(a, user, revision, q->put.key);
		if (!e && q->put.prev_kv)
			e = auth_check_range(a, user, revision,
					     (struct key_range){.key = q->put.key});
		return e;
	case REQ_DELETE_RANGE:
		e = check(a, user, revision, q->del.range, PERMISSION_WRITE);
		if (!e && q->del.prev_kv)
			e = auth_check_range(a, user, revision, q->del.range);
		return e;
	default:
		return ERR_NONE;
	}
}

static enum error check_txn(const struct auth *a, const struct request *q, uint64_t revision)
{
	const struct txn_request *t = &q->txn;
	enum error e = ERR_NONE;

	for (size_t i = 0; i < t->ncompares && !e; i++)
		e = auth_check_range(a, q->user, revision, t->compares[i].range);
	for (size_t i = 0; i < t->nsuccess && !e; i++)
		e = check_op(a, &t->success[i], q->user, revision);
	for (size_t i = 0; i < t->nfailure && !e; i++)
		e = check_op(a, &t->failure[i], q->user, revision);
	return e;
}

enum error auth_check_keys(const struct auth *a, const struct request *q, uint64_t revision)
{
	if (!a->enabled)
		return ERR_NONE;
	return q->kind == REQ_TXN ? check_txn(a, q, revision) : check_op(a, q, q->user, revision);
}
