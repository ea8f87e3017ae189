/* Every command of a session, written down before it runs.
 *
 * Records go out with one write(2) each and are not synced: the process may die at any moment, and
 * what was written is then in the kernel's hands.
 */
#include "session/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/files.h"

#define FIRST_LINE "etcdscope journal 1"

struct journal {
	int fd;
	bool broken;
	struct buf path, line;
};

static void cannot(struct buf *err, const char *path, int why)
{
	buf_printf(err, "the journal %s cannot be written (%s): a crash would lose this session",
		   path, strerror(why));
}

/* --- writing */

static bool put(struct journal *j, struct buf *err)
{
	if (!j || j->broken)
		return true;
	ssize_t n = write(j->fd, j->line.p, j->line.n);

	if (n == (ssize_t)j->line.n)
		return true;
	cannot(err, buf_str(&j->path), n < 0 ? errno : ENOSPC);
	j->broken = true;
	return false;
}

static struct buf *fresh_line(struct journal *j)
{
	buf_clear(&j->line);
	return &j->line;
}

bool journal_setting(struct journal *j, const char *name, const char *value, struct buf *err)
{
	if (j)
		buf_printf(fresh_line(j), "= %s %s\n", name, value);
	return put(j, err);
}

bool journal_position(struct journal *j, const char *branch, struct player_position at,
		      struct buf *err)
{
	if (j)
		buf_printf(fresh_line(j), "@ %s %zu %llu\n", branch, at.input,
			   (unsigned long long)at.event);
	return put(j, err);
}

bool journal_interrupt(struct journal *j, const char *branch, struct player_position at,
		       struct buf *err)
{
	unsigned long long input = at.input, events = at.event;

	if (j && branch)
		buf_printf(fresh_line(j), "^ %s %llu %llu\n", branch, input, events);
	else if (j)
		buf_printf(fresh_line(j), "%% %llu\n", events);
	return put(j, err);
}

bool journal_begin(struct journal *j, struct bytes text, struct buf *err)
{
	struct bytes line;
	char mark = '>';

	if (!j)
		return true;
	fresh_line(j);
	while (scope_next_line(&text, &line)) {
		buf_printf(&j->line, "%c ", mark);
		buf_put_bytes(&j->line, line);
		buf_putc(&j->line, '\n');
		mark = '+';
	}
	return put(j, err);
}

bool journal_load(struct journal *j, const char *path, struct buf *err)
{
	if (j)
		buf_printf(fresh_line(j), "< %s\n", path);
	return put(j, err);
}

bool journal_end(struct journal *j, bool refused, struct buf *err)
{
	if (j)
		buf_puts(fresh_line(j), refused ? "!\n" : ".\n");
	return put(j, err);
}

/* --- beginning and ending */

/* A name that no other file has: a journal that was left behind by a process of the same number
 * stays. */
static int create(struct journal *j, const char *folder)
{
	for (int i = 0; i < 100; i++) {
		buf_clear(&j->path);
		buf_printf(&j->path, "%s/journal-%ld", folder, (long)getpid());
		if (i)
			buf_printf(&j->path, "-%d", i);
		j->fd = open(buf_str(&j->path), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
			     0600);
		if (j->fd >= 0 || errno != EEXIST)
			break;
	}
	return j->fd;
}

/* A session that restores takes every journal that it can lock for one that was left behind: one
 * that cannot be locked (a network file system without locks) is not begun. */
static bool begin(struct journal *j, const char *folder)
{
	if (files_make_folder(folder) < 0 || create(j, folder) < 0)
		return false;
	if (flock(j->fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	int why = errno;
	unlink(buf_str(&j->path));
	close(j->fd);
	errno = why;
	return false;
}

static void journal_free(struct journal *j)
{
	buf_free(&j->path);
	buf_free(&j->line);
	free(j);
}

struct journal *journal_open(struct buf *err)
{
	struct journal *j = xcalloc(1, sizeof *j);
	struct buf folder = {0};
	bool known = files_state(&folder);

	if (!known || !begin(j, buf_str(&folder))) {
		cannot(err,
		       j->path.n ? buf_str(&j->path)
		       : known	 ? buf_str(&folder)
				 : "file",
		       known ? errno : ENOENT);
		journal_free(j);
		j = NULL;
	} else {
		buf_puts(fresh_line(j), FIRST_LINE "\n");
		put(j, err);
	}
	buf_free(&folder);
	return j;
}

const char *journal_path(const struct journal *j)
{
	return buf_str(&j->path);
}

void journal_close(struct journal *j, bool keep)
{
	if (!j)
		return;
	if (!keep)
		unlink(buf_str(&j->path));
	close(j->fd);
	journal_free(j);
}

/* --- reading what was left behind */

static struct record *add_record(struct left_journal *l, enum record_kind kind)
{
	vec_push(&l->records, (struct record){.kind = kind, .stop = UINT64_MAX});
	return &l->records.v[l->records.n - 1];
}

static struct bytes first_word(struct bytes *rest)
{
	const char *blank = memchr(rest->p, ' ', rest->n);
	struct bytes word = {rest->p, blank ? (size_t)(blank - rest->p) : rest->n};
	size_t skip = word.n + (blank != NULL);

	*rest = (struct bytes){rest->p + skip, rest->n - skip};
	return word;
}

static uint64_t number_of(struct bytes word)
{
	uint64_t n = 0;

	for (size_t i = 0; i < word.n && word.p[i] >= '0' && word.p[i] <= '9'; i++)
		n = n * 10 + (uint64_t)(word.p[i] - '0');
	return n;
}

static void read_position(struct left_journal *l, enum record_kind kind, struct bytes rest)
{
	struct record *r = add_record(l, kind);

	r->name = first_word(&rest);
	r->at.input = number_of(first_word(&rest));
	r->at.event = number_of(rest);
}

/* A script's input that was interrupted while a command (goto) ran: before the command. */
static void read_interrupt(struct left_journal *l, struct bytes rest)
{
	struct record *r;

	read_position(l, RECORD_INTERRUPT, rest);
	r = &l->records.v[l->records.n - 1];
	if (l->records.n > 1 && r[-1].kind == RECORD_COMMAND && !r[-1].ended) {
		struct record command = r[-1];
		r[-1] = *r;
		*r = command;
	}
}

static void read_record(struct left_journal *l, struct bytes line)
{
	struct bytes rest =
	    line.n > 2 ? (struct bytes){line.p + 2, line.n - 2} : (struct bytes){"", 0};
	struct record *last = l->records.n ? &l->records.v[l->records.n - 1] : NULL;

	switch (line.n ? line.p[0] : ' ') {
	case '=':
		add_record(l, RECORD_SETTING)->name = first_word(&rest);
		buf_put_bytes(&l->records.v[l->records.n - 1].text, rest);
		break;
	case '@':
		read_position(l, RECORD_POSITION, rest);
		break;
	case '^':
		read_interrupt(l, rest);
		break;
	case '%':
		if (last)
			last->stop = number_of(rest);
		break;
	case '>':
		buf_put_bytes(&add_record(l, RECORD_COMMAND)->text, rest);
		break;
	case '<':
		buf_put_bytes(&add_record(l, RECORD_LOAD)->text, rest);
		break;
	case '+':
		if (last && last->kind == RECORD_COMMAND) {
			buf_putc(&last->text, '\n');
			buf_put_bytes(&last->text, rest);
		}
		break;
	case '.':
	case '!':
		if (last) {
			last->ended = true;
			last->refused = line.p[0] == '!';
		}
		break;
	default:
		break;
	}
}

static bool read_journal(struct left_journal *l)
{
	struct bytes rest, line;

	if (buf_read_fd(&l->text, l->fd) < 0)
		return false;
	/* A last line without its newline was cut off by the crash. */
	while (l->text.n && l->text.p[l->text.n - 1] != '\n')
		l->text.n--;
	rest = buf_bytes(&l->text);
	if (!scope_next_line(&rest, &line) || !bytes_is(line, FIRST_LINE))
		return false;
	while (scope_next_line(&rest, &line))
		read_record(l, line);
	return true;
}

/* Opens and locks the journal if it is newer than the one found so far and its session is gone. */
static void consider(struct left_journal *l, const char *path, struct timespec *newest)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	bool newer = fstat(fd, &st) == 0 &&
		     (st.st_mtim.tv_sec > newest->tv_sec || (st.st_mtim.tv_sec == newest->tv_sec &&
							     st.st_mtim.tv_nsec > newest->tv_nsec));
	if (!newer || flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return;
	}
	if (l->fd >= 0)
		close(l->fd);
	l->fd = fd;
	*newest = st.st_mtim;
	buf_clear(&l->path);
	buf_puts(&l->path, path);
}

static void look_through(struct left_journal *l, const char *folder)
{
	DIR *d = opendir(folder);
	struct timespec newest = {0};
	struct buf path = {0};

	for (struct dirent *e; d && (e = readdir(d));) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", folder, e->d_name);
		if (strncmp(e->d_name, "journal-", 8) == 0)
			consider(l, buf_str(&path), &newest);
	}
	if (d)
		closedir(d);
	buf_free(&path);
}

bool journal_find(struct left_journal *l, struct buf *err)
{
	struct buf folder = {0};

	*l = (struct left_journal){.fd = -1};
	if (files_state(&folder))
		look_through(l, buf_str(&folder));
	bool found = l->fd >= 0 && read_journal(l);
	if (!found && l->fd < 0)
		buf_printf(
		    err, "nothing to restore: no journal of a session that ended badly lies in %s",
		    buf_str(&folder));
	else if (!found)
		buf_printf(err,
			   "%s is not a journal that can be read: remove it, or restore by hand",
			   buf_str(&l->path));
	buf_free(&folder);
	if (!found)
		journal_forget(l, false);
	return found;
}

void journal_forget(struct left_journal *l, bool done)
{
	if (done)
		unlink(buf_str(&l->path));
	if (l->fd >= 0)
		close(l->fd);
	for (size_t i = 0; i < l->records.n; i++)
		buf_free(&l->records.v[i].text);
	vec_free(&l->records);
	buf_free(&l->path);
	buf_free(&l->text);
	l->fd = -1;
}
