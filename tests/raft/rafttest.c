/* Runs the files of the Raft conformance suite: rafttest [--update] FILE|FOLDER...
 *
 * One line a file, a diff at the first mismatch of each, and at the end "N passed, N failed".
 * Every file runs twice, the second time with all nodes replaced by their copies after each
 * directive, and in a process of its own, so that a crash in one does not hide the others.
 */
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datadriven.h"
#include "diff.h"
#include "env.h"

/* One file */

static bool report_mismatch(const char *path, const struct dd_case *c, struct bytes actual)
{
	printf("%s:%d: %s\n", path, c->line, c->command);
	print_diff(stdout, c->expected, actual);
	return false;
}

/* A mismatch ends the file: what follows depends on the state.  With copies every node is
 * replaced by its copy after each directive. */
static bool compare(const char *path, const struct dd_file *f, bool copies)
{
	struct env e;
	bool same = true;

	env_init(&e);
	for (size_t i = 0; i < f->cases.n && same; i++) {
		struct bytes actual = env_run(&e, &f->cases.v[i]);

		if (!bytes_eq(actual, f->cases.v[i].expected))
			same = report_mismatch(path, &f->cases.v[i], actual);
		if (copies)
			env_replace_by_copy(&e);
	}
	env_free(&e);
	return same;
}

static bool write_file(const char *path, struct bytes text)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	fwrite(text.p, 1, text.n, out);
	return fclose(out) == 0;
}

static bool update(const char *path, const struct dd_file *f)
{
	struct env e;
	struct buf text = {0};

	env_init(&e);
	for (size_t i = 0; i < f->cases.n; i++)
		dd_write_case(&text, &f->cases.v[i], env_run(&e, &f->cases.v[i]));
	if (f->rest.n == 0 && text.n)
		text.n--;
	buf_put_bytes(&text, f->rest);
	bool written =
	    bytes_eq(buf_bytes(&text), buf_bytes(&f->text)) || write_file(path, buf_bytes(&text));

	if (!written)
		perror(path);
	buf_free(&text);
	env_free(&e);
	return written;
}

static bool run_file(const char *path, bool rewrite)
{
	struct dd_file f;
	bool ok = dd_read(&f, path);

	if (!ok)
		perror(path);
	else
		ok = rewrite ? update(path, &f)
			     : compare(path, &f, false) && compare(path, &f, true);
	dd_free(&f);
	return ok;
}

static bool run_in_child(const char *path, bool rewrite)
{
	int status = 0;

	fflush(stdout);
	pid_t pid = fork();

	if (pid == 0) {
		bool ok = run_file(path, rewrite);

		fflush(stdout);
		exit(ok ? 0 : 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return false;
	if (WIFSIGNALED(status))
		printf("%s: ended by signal %d\n", path, WTERMSIG(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Many files */

struct paths {
	char **v;
	size_t n, cap;
};

static bool ends_in_txt(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && strcmp(name + n - 4, ".txt") == 0;
}

static void collect(struct paths *out, const char *path);

static void collect_folder(struct paths *out, DIR *folder, const char *path)
{
	struct buf inner = {0};

	for (struct dirent *d = readdir(folder); d; d = readdir(folder)) {
		if (d->d_name[0] == '.')
			continue;
		buf_clear(&inner);
		buf_printf(&inner, "%s/%s", path, d->d_name);
		struct stat st;
		bool is_folder = stat(buf_str(&inner), &st) == 0 && S_ISDIR(st.st_mode);

		if (is_folder || ends_in_txt(d->d_name))
			collect(out, buf_str(&inner));
	}
	buf_free(&inner);
}

static void collect(struct paths *out, const char *path)
{
	DIR *folder = opendir(path);

	if (!folder) {
		vec_push(out, xstrdup(path));
		return;
	}
	collect_folder(out, folder, path);
	closedir(folder);
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* An argument's path without the slashes at its end. */
static void collect_argument(struct paths *out, const char *arg)
{
	char *path = xstrdup(arg);

	for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
		path[n - 1] = '\0';
	collect(out, path);
	free(path);
}

int main(int argc, char **argv)
{
	struct paths paths = {0};
	bool rewrite = argc > 1 && strcmp(argv[1], "--update") == 0;
	size_t passed = 0;

	for (int i = rewrite ? 2 : 1; i < argc; i++)
		collect_argument(&paths, argv[i]);
	if (paths.n == 0) {
		fputs("usage: rafttest [--update] FILE|FOLDER...\n", stderr);
		return 2;
	}
	qsort(paths.v, paths.n, sizeof *paths.v, by_bytes);
	for (size_t i = 0; i < paths.n; i++) {
		bool ok = run_in_child(paths.v[i], rewrite);

		printf("%s %s\n", ok ? "ok  " : "FAIL", paths.v[i]);
		passed += ok;
		free(paths.v[i]);
	}
	size_t failed = paths.n - passed;

	printf("%zu passed, %zu failed\n", passed, failed);
	vec_free(&paths);
	return failed ? 1 : 0;
}
