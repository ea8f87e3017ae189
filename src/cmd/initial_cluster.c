/* (etcd: pkg/types/urls.go, urlsmap.go; etcdserver/config.go, VerifyBootstrap;
 * etcdserver/api/membership/member.go, cluster.go) */
#include "cmd/initial_cluster.h"

#include <stdlib.h>

#include "base/sha1.h"

enum { PAIRS_MAX = 32 };

/* NAME=URL, one of a list. */
struct pair {
	struct bytes name, url;
};

struct pairs {
	struct pair v[PAIRS_MAX];
	size_t n;
};

static struct bytes trim(struct bytes s)
{
	while (s.n && (*s.p == ' ' || *s.p == '\t'))
		s.p++, s.n--;
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
		s.n--;
	return s;
}

/* The part before the next comma; the rest is left in *list. */
static struct bytes next_part(struct bytes *list, bool *more)
{
	const char *comma = list->n ? memchr(list->p, ',', list->n) : NULL;
	struct bytes part = {list->p, comma ? (size_t)(comma - list->p) : list->n};

	*more = comma;
	list->p += part.n + (comma ? 1 : 0);
	list->n -= part.n + (comma ? 1 : 0);
	return part;
}

static bool add_pair(struct pairs *all, struct bytes name, struct bytes url, struct buf *err)
{
	if (all->n == PAIRS_MAX) {
		buf_printf(err, "more than %d URLs", PAIRS_MAX);
		return false;
	}
	all->v[all->n++] = (struct pair){name, url};
	return true;
}

static bool split_cluster(struct pairs *all, struct bytes list, struct buf *err)
{
	for (bool more = true; more;) {
		struct bytes part = next_part(&list, &more);
		const char *equals = part.n ? memchr(part.p, '=', part.n) : NULL;
		size_t n = equals ? (size_t)(equals - part.p) : part.n;
		struct bytes url = {equals ? equals + 1 : "", equals ? part.n - n - 1 : 0};
		if (n && !add_pair(all, (struct bytes){part.p, n}, url, err))
			return false;
	}
	return true;
}

static bool split_urls(struct pairs *all, struct bytes name, struct bytes list, struct buf *err)
{
	for (bool more = true; more;) {
		struct bytes url = next_part(&list, &more);
		if (!add_pair(all, name, url, err))
			return false;
	}
	return true;
}

/* What NewURLs says of one URL; NULL: nothing is wrong. */
static const char *complaint(struct bytes url)
{
	static const char *const schemes[] = {"http://", "https://", "unix://", "unixs://"};
	size_t n = 0;

	for (size_t i = 0; i < 4 && !n; i++)
		if (bytes_starts(url, bytes_of(schemes[i])))
			n = strlen(schemes[i]);
	if (!n)
		return "URL scheme must be http, https, unix, or unixs: ";
	const char *slash = url.n > n ? memchr(url.p + n, '/', url.n - n) : NULL;
	size_t end = slash ? (size_t)(slash - url.p) : url.n;
	if (end == n || !memchr(url.p + n, ':', end - n))
		return "URL address does not have the form \"host:port\": ";
	return slash ? "URL must not contain a path: " : NULL;
}

static bool check_urls(struct pairs *all, struct buf *err)
{
	for (size_t i = 0; i < all->n; i++) {
		all->v[i].url = trim(all->v[i].url);
		const char *wrong = complaint(all->v[i].url);
		if (!wrong)
			continue;
		buf_puts(err, wrong);
		buf_put_bytes(err, all->v[i].url);
		return false;
	}
	return true;
}

static int by_name_and_url(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int o = bytes_cmp(x->name, y->name);

	return o ? o : bytes_cmp(x->url, y->url);
}

static void sort_pairs(struct pairs *all)
{
	qsort(all->v, all->n, sizeof *all->v, by_name_and_url);
}

/* Of those with the name: ["http://a:1" "http://b:1"] */
static void put_list(struct buf *out, const struct pairs *all, struct bytes name)
{
	size_t n = 0;

	buf_puts(out, "len([");
	for (size_t i = 0; i < all->n; i++)
		if (bytes_eq(all->v[i].name, name))
			buf_printf(out, "%s\"%.*s\"", n++ ? " " : "", (int)all->v[i].url.n,
				   all->v[i].url.p);
	buf_puts(out, "])");
}

static size_t count(const struct pairs *all, struct bytes name)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += bytes_eq(all->v[i].name, name);
	return n;
}

static bool has(const struct pairs *all, const struct pair *p)
{
	for (size_t i = 0; i < all->n; i++)
		if (by_name_and_url(&all->v[i], p) == 0)
			return true;
	return false;
}

static void put_pair(struct buf *out, const struct pair *p)
{
	buf_printf(out, "%.*s=%.*s", (int)p->name.n, p->name.p, (int)p->url.n, p->url.p);
}

/* The first two that differ when both lists are walked side by side. */
static void put_difference(struct buf *err, const struct pairs *own, const struct pairs *all,
			   struct bytes name)
{
	if (own->n != count(all, name)) {
		put_list(err, own, name);
		buf_puts(err, " != ");
		put_list(err, all, name);
		return;
	}
	for (size_t i = 0, k = 0; i < all->n; i++) {
		if (!bytes_eq(all->v[i].name, name))
			continue;
		const struct pair *mine = &own->v[k++];
		if (bytes_eq(mine->url, all->v[i].url))
			continue;
		buf_printf(err, "resolved urls: \"%.*s\" != \"%.*s\"", (int)mine->url.n,
			   mine->url.p, (int)all->v[i].url.n, all->v[i].url.p);
		return;
	}
}

/* What a member says of itself must be what the others are told. */
static bool matches(const struct pairs *own, const struct pairs *all, const struct bootstrap *b,
		    struct buf *err)
{
	for (size_t i = 0; i < all->n; i++) {
		if (!bytes_eq(all->v[i].name, b->name) || has(own, &all->v[i]))
			continue;
		buf_puts(err, "--initial-cluster has ");
		put_pair(err, &all->v[i]);
		buf_printf(err, " but missing from --initial-advertise-peer-urls=%.*s (",
			   (int)b->peer_urls.n, b->peer_urls.p);
		put_difference(err, own, all, b->name);
		buf_putc(err, ')');
		return false;
	}
	for (size_t i = 0; i < own->n; i++) {
		if (has(all, &own->v[i]))
			continue;
		buf_printf(err,
			   "--initial-advertise-peer-urls has %.*s but missing from "
			   "--initial-cluster=",
			   (int)own->v[i].url.n, own->v[i].url.p);
		for (size_t k = 0; k < own->n; k++) {
			buf_puts(err, k ? "," : "");
			put_pair(err, &own->v[k]);
		}
		return false;
	}
	return true;
}

static bool has_no_duplicates(const struct pairs *all, struct buf *err)
{
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < i; k++) {
			if (!bytes_eq(all->v[i].url, all->v[k].url))
				continue;
			buf_puts(err, "initial cluster ");
			for (size_t l = 0; l < all->n; l++) {
				buf_puts(err, l ? "," : "");
				put_pair(err, &all->v[l]);
			}
			buf_puts(err, " has duplicate url");
			return false;
		}
	return true;
}

/* ---- ids ---- */

static int by_id(const void *a, const void *b)
{
	uint64_t x = ((const struct founder *)a)->id, y = ((const struct founder *)b)->id;

	return (x > y) - (x < y);
}

/* URLs, one after the other, and the token. */
static uint64_t id_of(const struct pairs *all, struct bytes name, struct bytes token)
{
	struct buf b = {0};

	for (size_t i = 0; i < all->n; i++)
		if (bytes_eq(all->v[i].name, name))
			buf_put_bytes(&b, all->v[i].url);
	buf_put_bytes(&b, token);
	uint64_t id = sha1_id(buf_bytes(&b));
	buf_free(&b);
	return id;
}

static struct bytes joined(const struct pairs *all, struct bytes name, struct heap *h)
{
	struct buf b = {0};

	for (size_t i = 0; i < all->n; i++)
		if (bytes_eq(all->v[i].name, name)) {
			buf_puts(&b, b.n ? "," : "");
			buf_put_bytes(&b, all->v[i].url);
		}
	struct bytes kept = {heap_dup(h, buf_str(&b), b.n), b.n};
	buf_free(&b);
	return kept;
}

static uint64_t cluster_id_of(const struct founders *f)
{
	char ids[8 * FOUNDERS_MAX];

	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < 8; k++)
			ids[8 * i + k] = (char)(f->v[i].id >> (56 - 8 * k));
	return sha1_id((struct bytes){ids, 8 * f->n});
}

static bool found(struct founders *f, const struct pairs *all, const struct bootstrap *b,
		  struct heap *h, struct buf *err)
{
	*f = (struct founders){0};
	for (size_t i = 0; i < all->n; i++) {
		struct bytes name = all->v[i].name;
		if (i && bytes_eq(all->v[i - 1].name, name))
			continue;
		if (f->n == FOUNDERS_MAX) {
			buf_printf(err, "more than %d members in --initial-cluster", FOUNDERS_MAX);
			return false;
		}
		f->v[f->n++] =
		    (struct founder){name, joined(all, name, h), id_of(all, name, b->token)};
	}
	qsort(f->v, f->n, sizeof *f->v, by_id);
	for (size_t i = 0; i < f->n; i++)
		if (bytes_eq(f->v[i].name, b->name))
			f->self = &f->v[i];
	f->cluster_id = cluster_id_of(f);
	return true;
}

bool initial_cluster_read(struct founders *f, const struct bootstrap *b, struct heap *h,
			  struct buf *err)
{
	struct pairs own = {.n = 0}, all = {.n = 0};

	if (!split_urls(&own, b->name, b->peer_urls, err) || !check_urls(&own, err) ||
	    !split_cluster(&all, b->cluster, err) || !check_urls(&all, err))
		return false;
	sort_pairs(&own);
	sort_pairs(&all);
	if (count(&all, b->name) == 0) {
		buf_printf(err,
			   "couldn't find local name \"%.*s\" in the initial cluster configuration",
			   (int)b->name.n, b->name.p);
		return false;
	}
	return has_no_duplicates(&all, err) && matches(&own, &all, b, err) &&
	       found(f, &all, b, h, err);
}
