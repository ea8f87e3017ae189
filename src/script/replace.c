#include "script/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, struct bytes text)
{
	while (text.n) {
		ssize_t n = write(fd, text.p, text.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		text.p += n;
		text.n -= (size_t)n;
	}
	return true;
}

/* Writes a new file with the mode of the one it will replace. */
static bool write_new(const char *path, const char *like, struct bytes text)
{
	struct stat st;
	mode_t mode = stat(like, &st) == 0 ? st.st_mode & 07777 : 0666;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	if (fd < 0)
		return false;
	bool ok = write_all(fd, text) && fsync(fd) == 0;
	int saved = errno;
	ok = close(fd) == 0 && ok;
	errno = ok ? 0 : saved;
	return ok;
}

/* What is at the end of a symbolic link is replaced, not the link. */
static void follow_links(const char *path, struct buf *out)
{
	char *real = realpath(path, NULL);

	buf_puts(out, real ? real : path);
	free(real);
}

static bool is_something_else(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

bool replace_file(const char *path, struct bytes text, struct buf *err)
{
	struct buf target = {0}, temp = {0};

	if (is_something_else(path)) {
		buf_printf(err, "%s is not a file: give the name of a file", path);
		return false;
	}
	follow_links(path, &target);
	buf_printf(&temp, "%s.tmp-%ld", buf_str(&target), (long)getpid());
	bool ok = write_new(buf_str(&temp), buf_str(&target), text) &&
		  rename(buf_str(&temp), buf_str(&target)) == 0;
	if (!ok) {
		int why = errno;
		unlink(buf_str(&temp));
		buf_printf(err, "%s cannot be written: %s", path, strerror(why));
	}
	buf_free(&target);
	buf_free(&temp);
	return ok;
}
