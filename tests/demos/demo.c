#include <glob.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>

#include <cmocka.h>

#include "demo.h"

const int demo_numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 19, 20, 21, 0};

void demo_open(struct demo_rig *d, int number)
{
	char pattern[64];
	struct config cfg;
	struct buf err = {0};
	glob_t found;

	snprintf(pattern, sizeof pattern, "demos/%02d-*.scope", number);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	*d = (struct demo_rig){0};
	assert_int_equal(buf_read_file(&d->text, found.gl_pathv[0]), 0);
	assert_true(scope_parse(&d->scope, pattern, buf_bytes(&d->text), &err));
	globfree(&found);

	config_init(&cfg);
	d->player = player_new(&cfg);
	if (!player_load(d->player, &d->scope, &err))
		fail_msg("demo %d: %s", number, buf_str(&err));
	buf_free(&err);
}

void demo_close(struct demo_rig *d)
{
	player_free(d->player);
	scope_free(&d->scope);
	buf_free(&d->text);
}
