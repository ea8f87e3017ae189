/* Theme files: JSON, read with cJSON (screen-design.md A.7).
 *
 * A file is right or refused as a whole: the theme before it stays, and one message says file,
 * line, and what would be right.  cJSON keeps no positions, so the line of a mistake is found again
 * in the text.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "ui/theme.h"

struct reading {
	const char *file, *text;
	struct buf *err;
};

static int line_at(const char *text, const char *p)
{
	int line = 1;

	for (; text < p && *text; text++)
		line += *text == '\n';
	return line;
}

/* Where `"key"` stands at or after p; p itself if it cannot be found (an escaped name). */
static const char *find_key(const char *p, const char *key)
{
	size_t n = strlen(key);

	for (const char *q = p; (q = strchr(q, '"')) != NULL; q++)
		if (strncmp(q + 1, key, n) == 0 && q[1 + n] == '"')
			return q;
	return p;
}

static bool wrong(const struct reading *r, const char *item, const char *field)
{
	const char *p = item ? find_key(r->text, item) : r->text;

	if (field)
		p = find_key(p, field);
	buf_printf(r->err, "%s:%d: ", r->file, line_at(r->text, p));
	return false;
}

static void put_value(struct buf *out, const cJSON *v)
{
	char *text = cJSON_PrintUnformatted(v);

	buf_puts(out, text ? text : "?");
	cJSON_free(text);
}

static bool hex_color(const char *s, int32_t *color)
{
	if (s[0] != '#' || strlen(s) != 7 || strspn(s + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	*color = COLOR_RGB | (int32_t)strtol(s + 1, NULL, 16);
	return true;
}

static bool read_color(const cJSON *v, int32_t *color)
{
	if (cJSON_IsNumber(v)) {
		*color = v->valueint;
		return v->valuedouble >= 0 && v->valuedouble <= 255 &&
		       v->valuedouble == v->valueint;
	}
	if (!cJSON_IsString(v))
		return false;
	if (strcmp(v->valuestring, "default") == 0)
		return *color = COLOR_DEFAULT, true;
	if (strcmp(v->valuestring, "black") == 0)
		return *color = 16, true;
	if (strcmp(v->valuestring, "white") == 0)
		return *color = 231, true;
	return hex_color(v->valuestring, color);
}

static bool read_attr(const cJSON *v, uint8_t *attr)
{
	static const char *const word[] = {"bold", "dim", "underline", "reverse"};
	const char *p = cJSON_IsString(v) ? v->valuestring : NULL;

	*attr = 0;
	while (p && *p) {
		size_t n = strcspn(p, " ");
		int bit = 0;
		while (bit < 4 && (strlen(word[bit]) != n || strncmp(word[bit], p, n) != 0))
			bit++;
		if (n && bit == 4)
			return false;
		if (n)
			*attr |= (uint8_t)(1 << bit);
		p += n + (p[n] == ' ');
	}
	return p != NULL;
}

static bool read_field(const struct reading *r, const char *item, const cJSON *f, struct look *l)
{
	bool is_fg = strcmp(f->string, "fg") == 0;

	if (is_fg || strcmp(f->string, "bg") == 0) {
		if (read_color(f, is_fg ? &l->fg : &l->bg))
			return true;
		wrong(r, item, f->string);
		buf_printf(r->err, "\"%s\": ", f->string);
		put_value(r->err, f);
		buf_puts(r->err, " is no colour: default, 0 to 255, \"#rrggbb\", black or white");
		return false;
	}
	if (strcmp(f->string, "attr") == 0) {
		if (read_attr(f, &l->attr))
			return true;
		wrong(r, item, f->string);
		buf_puts(r->err, "\"attr\": ");
		put_value(r->err, f);
		buf_puts(r->err,
			 " is no attribute: bold, underline, reverse, dim, separated by blanks");
		return false;
	}
	wrong(r, item, f->string);
	buf_puts(r->err, "unknown field ");
	put_value(r->err, f);
	buf_printf(r->err, " \"%s\" of \"%s\": fg, bg and attr are known", f->string, item);
	return false;
}

static int style_named(const char *name)
{
	for (int s = 0; s < STYLE_COUNT; s++)
		if (style_name((enum style)s) && strcmp(style_name((enum style)s), name) == 0)
			return s;
	return -1;
}

static bool read_item(const struct reading *r, const cJSON *item, struct theme *t)
{
	int s = style_named(item->string);

	if (s < 0) {
		wrong(r, item->string, NULL);
		buf_printf(r->err, "unknown item \"%s\":", item->string);
		for (int i = 0; i < STYLE_COUNT; i++)
			if (style_name((enum style)i))
				buf_printf(r->err, " %s", style_name((enum style)i));
		buf_puts(r->err, " are known");
		return false;
	}
	if (!cJSON_IsObject(item)) {
		wrong(r, item->string, NULL);
		buf_printf(r->err, "\"%s\" must be an object: {\"fg\": \"black\", \"bg\": 117}",
			   item->string);
		return false;
	}
	struct look l = {COLOR_DEFAULT, COLOR_DEFAULT, 0};
	for (const cJSON *f = item->child; f; f = f->next)
		if (!read_field(r, item->string, f, &l))
			return false;
	t->look[s] = l;
	return true;
}

bool theme_parse(struct theme *t, const char *file, const char *text, struct buf *err)
{
	struct reading r = {file, text, err};
	const char *end = text;
	cJSON *root = cJSON_ParseWithOpts(text, &end, true);
	bool ok = root != NULL;

	if (!root) {
		buf_printf(err,
			   "%s:%d: this is no JSON: an object an item is right, as in "
			   "{\"leader\": {\"fg\": \"white\", \"bg\": 29, \"attr\": \"bold\"}}",
			   file, line_at(text, end));
	} else if (!cJSON_IsObject(root)) {
		ok = wrong(&r, NULL, NULL);
		buf_puts(err, "a theme is one JSON object with an object an item");
	}
	struct theme n = *t;
	for (const cJSON *i = ok ? root->child : NULL; ok && i; i = i->next)
		ok = read_item(&r, i, &n);
	if (ok)
		*t = n;
	cJSON_Delete(root);
	return ok;
}

/* The folders in which themes are looked for, in order; false after the last. */
static bool theme_folder(int i, char *out, size_t size)
{
	static const char *const near_program[] = {"/themes", "/../themes", "/../../themes", NULL,
						   "/../share/etcdscope/themes"};
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	out[0] = 0;
	if (i >= 5)
		return false;
	if (near_program[i]) {
		ssize_t n = readlink("/proc/self/exe", out, size - 40);
		if (n <= 0)
			return out[0] = 0, true;
		out[n] = 0;
		strcpy(strrchr(out, '/'), near_program[i]);
	} else if (config && config[0] == '/') {
		snprintf(out, size, "%s/etcdscope/themes", config);
	} else if (home) {
		snprintf(out, size, "%s/.config/etcdscope/themes", home);
	}
	return true;
}

static bool read_theme_file(struct theme *t, const char *name, const char *path, struct buf *err)
{
	struct buf text = {0};
	struct theme n;

	if (buf_read_file(&text, path) < 0) {
		buf_free(&text);
		return false;
	}
	theme_builtin(&n, "dark");
	bool ok = theme_parse(&n, path, buf_str(&text), err);
	if (ok) {
		snprintf(n.name, sizeof n.name, "%s", name);
		*t = n;
	}
	buf_free(&text);
	return ok;
}

static const char *automatic(void)
{
	const char *v = getenv("COLORFGBG"), *background = v ? strrchr(v, ';') : NULL;

	return background && (strcmp(background, ";7") == 0 || strcmp(background, ";15") == 0)
		   ? "light"
		   : "dark";
}

static bool no_such_theme(const char *name, struct buf *err)
{
	buf_printf(err, "there is no theme %s: auto", name);
	for (int i = 0; theme_names[i]; i++)
		buf_printf(err, ", %s", theme_names[i]);
	buf_puts(err, ", or a file NAME.json in the folder themes are right");
	return false;
}

bool theme_load(struct theme *t, const char *name, struct buf *err)
{
	char path[4200], folder[4096];

	if (strcmp(name, "auto") == 0)
		return theme_builtin(t, automatic());
	if (strchr(name, '/')) {
		errno = 0;
		if (read_theme_file(t, name, name, err))
			return true;
		if (!err->n)
			buf_printf(err, "%s: %s", name, strerror(errno));
		return false;
	}
	for (int i = 0; theme_folder(i, folder, sizeof folder); i++) {
		snprintf(path, sizeof path, "%s/%s.json", folder, name);
		if (folder[0] && read_theme_file(t, name, path, err))
			return true;
		if (err->n)
			return false;
	}
	return theme_builtin(t, name) || no_such_theme(name, err);
}
