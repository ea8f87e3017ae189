#include "session/demos.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/builtin.h"
#include "session/files.h"

#ifndef ETCDSCOPE_DATADIR
#define ETCDSCOPE_DATADIR "/usr/local/share/etcdscope"
#endif

#define COMPILED_IN "compiled in: "

static void copy(char *dst, size_t size, struct bytes src)
{
	while (src.n && (*src.p == ' ' || *src.p == '\t'))
		src = (struct bytes){src.p + 1, src.n - 1};
	while (src.n && (src.p[src.n - 1] == ' ' || src.p[src.n - 1] == '\t'))
		src.n--;
	if (src.n >= size)
		src.n = size - 1;
	memcpy(dst, src.p, src.n);
	dst[src.n] = 0;
}

void demos_describe(struct demo *d, struct bytes text)
{
	struct scope s;
	struct buf ignored = {0};
	struct bytes rest = text, line = {"", 0};

	if (scope_next_line(&rest, &line) && bytes_starts(line, BYTES("# Demo "))) {
		const char *colon = memchr(line.p, ':', line.n);
		struct bytes title = {colon ? colon + 1 : line.p + line.n, 0};
		title.n = (size_t)(line.p + line.n - title.p);
		const char *dash = memmem(title.p, title.n, " - ", 3);
		if (dash)
			copy(d->summary, sizeof d->summary,
			     (struct bytes){dash + 3, (size_t)(title.p + title.n - dash - 3)});
		copy(d->title, sizeof d->title,
		     (struct bytes){title.p, dash ? (size_t)(dash - title.p) : title.n});
		d->number = (int)strtol(line.p + 7, NULL, 10);
	}
	scope_parse(&s, "demo", text, &ignored);
	d->steps = s.steps;
	scope_free(&s);
	buf_free(&ignored);
}

/* --- finding */

static int by_number(const void *a, const void *b)
{
	const struct demo *x = a, *y = b;

	return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
				      : strcmp(x->path, y->path);
}

static void add_file(struct demo_list *list, const char *folder, const char *name)
{
	struct demo d = {0};
	struct buf text = {0};

	int n = snprintf(d.path, sizeof d.path, "%s/%s", folder, name);
	if (n > 0 && (size_t)n < sizeof d.path && buf_read_file(&text, d.path) == 0) {
		d.number = (int)strtol(name, NULL, 10);
		copy(d.title, sizeof d.title, bytes_of(name));
		demos_describe(&d, buf_bytes(&text));
		vec_push(&list->v, d);
	}
	buf_free(&text);
}

static void look_in(struct demo_list *list, const char *folder)
{
	DIR *dir = list->v.n ? NULL : opendir(folder);

	for (struct dirent *e; dir && (e = readdir(dir));) {
		const char *dot = strrchr(e->d_name, '.');
		if (dot && dot != e->d_name && strcmp(dot, ".scope") == 0)
			add_file(list, folder, e->d_name);
	}
	if (dir)
		closedir(dir);
}

static void look_in_program(struct demo_list *list)
{
	for (size_t i = 0; i < builtin_ndemos; i++) {
		const struct builtin *f = &builtin_demos[i];
		struct demo d = {.number = (int)strtol(f->name, NULL, 10)};
		snprintf(d.path, sizeof d.path, COMPILED_IN "%s", f->name);
		copy(d.title, sizeof d.title, bytes_of(f->name));
		demos_describe(&d, (struct bytes){f->text, f->length});
		vec_push(&list->v, d);
	}
}

void demos_find(struct demo_list *list)
{
	struct buf folder = {0};

	vec_free(&list->v);
	if (files_build_tree(&folder)) {
		buf_puts(&folder, "/demos");
		look_in(list, buf_str(&folder));
	}
	buf_clear(&folder);
	if (files_data(&folder)) {
		buf_puts(&folder, "/demos");
		look_in(list, buf_str(&folder));
	}
	buf_free(&folder);
	look_in(list, ETCDSCOPE_DATADIR "/demos");
	if (!list->v.n)
		look_in_program(list);
	if (list->v.n)
		qsort(list->v.v, list->v.n, sizeof *list->v.v, by_number);
}

/* --- choosing */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_named(const struct demo *d, const char *which)
{
	const char *file = base_name(d->path);
	size_t n = strlen(which);

	if (n == 0)
		return false;
	return strncasecmp(d->title, which, n) == 0 || strcmp(file, which) == 0 ||
	       (strstr(file, which) && strspn(which, "0123456789") < n);
}

const struct demo *demos_named(const struct demo_list *list, const char *which, struct buf *err)
{
	char *end;
	long number = strtol(which, &end, 10);
	bool is_number = *which && *end == 0;

	for (size_t i = 0; i < list->v.n; i++)
		if (is_number ? list->v.v[i].number == number : is_named(&list->v.v[i], which))
			return &list->v.v[i];
	buf_printf(err, "there is no demo %s: there are", which);
	for (size_t i = 0; i < list->v.n; i++)
		buf_printf(err, "%s %d %s", i ? "," : "", list->v.v[i].number, list->v.v[i].title);
	if (!list->v.n)
		buf_puts(err, " none");
	return NULL;
}

bool demos_read(const struct demo *d, struct buf *text, struct buf *err)
{
	size_t n = sizeof COMPILED_IN - 1;

	if (strncmp(d->path, COMPILED_IN, n) == 0) {
		for (size_t i = 0; i < builtin_ndemos; i++)
			if (strcmp(builtin_demos[i].name, d->path + n) == 0)
				buf_add(text, builtin_demos[i].text, builtin_demos[i].length);
		return true;
	}
	if (buf_read_file(text, d->path) == 0)
		return true;
	buf_printf(err, "%s cannot be read: %s", d->path, strerror(errno));
	return false;
}
