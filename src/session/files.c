#include "session/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool xdg(struct buf *out, const char *variable, const char *under_home)
{
	const char *dir = getenv(variable), *home = getenv("HOME");

	/* The specification wants relative paths ignored. */
	if (dir && dir[0] == '/')
		buf_printf(out, "%s/etcdscope", dir);
	else if (home && home[0] == '/')
		buf_printf(out, "%s/%s/etcdscope", home, under_home);
	else
		return false;
	return true;
}

bool files_config(struct buf *out)
{
	return xdg(out, "XDG_CONFIG_HOME", ".config");
}

bool files_state(struct buf *out)
{
	return xdg(out, "XDG_STATE_HOME", ".local/state");
}

bool files_data(struct buf *out)
{
	return xdg(out, "XDG_DATA_HOME", ".local/share");
}

/* Variants build in a folder of their own: build/etcdscope, build/asan/etcdscope,
 * build/tests/unit/test_x. */
bool files_build_tree(struct buf *out)
{
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);

	if (n <= 0)
		return false;
	exe[n] = 0;
	for (char *slash; (slash = strrchr(exe, '/')) && slash != exe;) {
		*slash = 0;
		struct buf probe = {0};
		buf_printf(&probe, "%s/src/session/files.c", exe);
		bool here = access(buf_str(&probe), F_OK) == 0;
		buf_free(&probe);
		if (here) {
			buf_puts(out, exe);
			return true;
		}
	}
	return false;
}

void files_absolute(struct buf *out, const char *path)
{
	char *whole = realpath(path, NULL);

	buf_puts(out, whole ? whole : path);
	free(whole);
}

int files_make_folder(const char *path)
{
	struct buf part = {0};
	int result = 0;

	for (const char *c = path; result == 0 && *c; c++) {
		buf_putc(&part, *c);
		if ((c[1] == '/' || c[1] == 0) && part.n > 1)
			result = mkdir(buf_str(&part), 0700) == 0 || errno == EEXIST ? 0 : -1;
	}
	buf_free(&part);
	return result;
}
