#include "session/settings.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>

#include "script/replace.h"
#include "session/files.h"

static bool path_of(struct buf *out)
{
	bool known = files_config(out);

	buf_puts(out, "/settings.json");
	return known;
}

const char *settings_get(const struct settings *s, const char *name)
{
	for (size_t i = 0; i < s->v.n; i++)
		if (strcmp(s->v.v[i].name, name) == 0)
			return s->v.v[i].value;
	return NULL;
}

void settings_set(struct settings *s, const char *name, const char *value)
{
	for (size_t i = 0; i < s->v.n; i++)
		if (strcmp(s->v.v[i].name, name) == 0) {
			free(s->v.v[i].value);
			s->v.v[i].value = xstrdup(value);
			return;
		}
	vec_push(&s->v, (struct saved_setting){xstrdup(name), xstrdup(value)});
}

void settings_free(struct settings *s)
{
	for (size_t i = 0; i < s->v.n; i++) {
		free(s->v.v[i].name);
		free(s->v.v[i].value);
	}
	vec_free(&s->v);
}

/* --- reading */

static size_t line_at(const char *text, const char *end)
{
	size_t line = 1;

	for (; text < end; text++)
		line += *text == '\n';
	return line;
}

/* Where in the text a name stands, for a message. */
static size_t line_of_name(const char *text, const char *name)
{
	struct buf quoted = {0};

	buf_printf(&quoted, "\"%s\"", name);
	const char *at = strstr(text, buf_str(&quoted));
	buf_free(&quoted);
	return line_at(text, at ? at : text);
}

static bool take(struct settings *s, const char *path, const char *text, struct buf *err)
{
	const char *end = NULL;
	cJSON *root = cJSON_ParseWithOpts(text, &end, true);
	bool ok = cJSON_IsObject(root);

	if (!root)
		buf_printf(
		    err,
		    "%s:%zu: this is not JSON: an object of strings, as in {\"theme\": \"dark\"}",
		    path, line_at(text, end));
	else if (!ok)
		buf_printf(
		    err,
		    "%s:1: this is no object: settings stand in one, as in {\"theme\": \"dark\"}",
		    path);
	for (cJSON *e = ok ? root->child : NULL; e; e = e->next) {
		if (cJSON_IsString(e)) {
			settings_set(s, e->string, e->valuestring);
			continue;
		}
		buf_printf(err, "%s:%zu: the value of \"%s\" is no string: put it in double quotes",
			   path, line_of_name(text, e->string), e->string);
		ok = false;
		break;
	}
	cJSON_Delete(root);
	return ok;
}

bool settings_load(struct settings *s, struct buf *err)
{
	struct buf path = {0}, text = {0};
	bool ok = true;

	if (path_of(&path)) {
		if (buf_read_file(&text, buf_str(&path)) == 0) {
			ok = take(s, buf_str(&path), buf_str(&text), err);
		} else if (errno != ENOENT && errno != ENOTDIR) {
			buf_printf(err, "%s cannot be read: %s", buf_str(&path), strerror(errno));
			ok = false;
		}
	}
	buf_free(&path);
	buf_free(&text);
	return ok;
}

/* --- writing */

bool settings_save(const struct settings *s, struct buf *err)
{
	struct buf folder = {0}, path = {0};
	cJSON *root = cJSON_CreateObject();

	for (size_t i = 0; i < s->v.n; i++)
		cJSON_AddStringToObject(root, s->v.v[i].name, s->v.v[i].value);
	char *text = cJSON_Print(root);
	bool ok = path_of(&path) && files_config(&folder);
	if (!ok)
		buf_puts(err, "there is no place for settings: set HOME or XDG_CONFIG_HOME");
	if (ok) {
		files_make_folder(buf_str(&folder));
		ok = text && replace_file(buf_str(&path), bytes_of(text), err);
	}
	cJSON_free(text);
	cJSON_Delete(root);
	buf_free(&folder);
	buf_free(&path);
	return ok;
}
