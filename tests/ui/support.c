#include "support.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

static void begin(struct rig *r, unsigned members)
{
	struct config cfg;

	*r = (struct rig){0};
	config_init(&cfg);
	cfg.members = members;
	r->p = player_new(&cfg);
	canvas_init(&r->c, 80, 24, false);
	for (int i = 0; i < PANE_COUNT; i++)
		r->v.place[i].follow = true;
}

void rig_type(struct rig *r, const char *command)
{
	struct buf err = {0};

	if (player_type(r->p, bytes_of(command), &err) != SHELL_OK)
		fail_msg("%s: %s", command, buf_str(&err));
	buf_free(&err);
}

void rig_open_bare(struct rig *r, unsigned members)
{
	begin(r, members);
}

void rig_open(struct rig *r, unsigned members)
{
	struct buf err = {0};

	begin(r, members);
	assert_int_equal(player_set_up(r->p, BYTES("informer /registry/pods/"), &err), SHELL_OK);
	buf_free(&err);
}

void rig_open_demo(struct rig *r, int number)
{
	char pattern[64];
	struct buf err = {0};
	glob_t found;

	begin(r, 3);
	snprintf(pattern, sizeof pattern, "demos/%02d-*.scope", number);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(buf_read_file(&r->text, found.gl_pathv[0]), 0);
	assert_true(scope_parse(&r->scope, found.gl_pathv[0], buf_bytes(&r->text), &err));
	assert_true(player_load(r->p, &r->scope, &err)); /* the scope's name is the file's */
	globfree(&found);
	buf_free(&err);
}

void rig_close(struct rig *r)
{
	player_free(r->p);
	scope_free(&r->scope);
	buf_free(&r->text);
	buf_free(&r->picture);
	buf_free(&r->v.notice);
	buf_free(&r->v.over_text);
	canvas_free(&r->c);
}

const char *rig_draw(struct rig *r, int columns, int rows)
{
	canvas_reset(&r->c, columns, rows);
	scene_init(&r->s, r->p, &r->v, NULL);
	scene_draw(&r->s, &r->c);
	buf_clear(&r->picture);
	canvas_print(&r->c, &r->picture);
	return buf_str(&r->picture);
}

const char *rig_row(const struct rig *r, int y)
{
	static char row[4096];
	const char *p = buf_str(&r->picture);

	while (y-- > 0 && p)
		p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
	snprintf(row, sizeof row, "%.*s", p ? (int)strcspn(p, "\n") : 0, p ? p : "");
	return row;
}

bool rig_shows(const struct rig *r, const char *text)
{
	return strstr(buf_str(&r->picture), text) != NULL;
}
