/* Reads the user's libedit settings line by line (editrc(5)).
 *
 * el_source() is not used: on a line with an unbalanced quote it hands an uninitialised argv to
 * el_wparse().
 */
#include "line/line_private.h"

#include <stdlib.h>
#include <string.h>

static FILE *open_editrc(void)
{
	const char *name = getenv("EDITRC"), *home = getenv("HOME");
	char path[4096];

	if (!name && home) {
		snprintf(path, sizeof path, "%s/.editrc", home);
		name = path;
	}
	return name && *name ? fopen(name, "re") : NULL;
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
