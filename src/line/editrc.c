/* Reads the user's libedit settings line by line (editrc(5)).
 *
 * el_source() is not used: on a line with an unbalanced quote it hands an uninitialised argv to
 * el_wparse().
 *
 * Only a regular file is read: a pipe could keep us waiting, a device has no end.
 */
#include "line/line_private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *line_open_regular(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	FILE *f = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? fdopen(fd, "r") : NULL;

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static FILE *open_editrc(void)
{
	const char *name = getenv("EDITRC"), *home = getenv("HOME");
	char path[4096];

	if (!name && home) {
		snprintf(path, sizeof path, "%s/.editrc", home);
		name = path;
	}
	return name && *name ? line_open_regular(name) : NULL;
}

static void obey(EditLine *el, const wchar_t *line)
{
	TokenizerW *t = tok_winit(NULL);
	const wchar_t **words;
	int n;

	if (tok_wstr(t, line, &n, &words) == 0 && n > 0)
		el_wparse(el, n, words);
	tok_wend(t);
}

void line_source(EditLine *el)
{
	FILE *f = open_editrc();
	char line[1024];
	wchar_t wide[1024];

	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		if (line[strspn(line, " \t")] == '#' || mbstowcs(wide, line, 1024) == (size_t)-1)
			continue;
		wide[1023] = 0;
		obey(el, wide);
	}
	if (f)
		fclose(f);
}
