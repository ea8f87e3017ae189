/* `etcdscope run`: scripts without a screen, each in a new world.
 *
 * Printing reads a script as a stream and runs a command at a time; the other modes need the whole
 * file, since they write it again (rerun.c).
 */
#include "script/run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "script/reader.h"
#include "script/replace.h"
#include "script/rerun.h"
#include "script/runner.h"

struct run {
	const struct run_options *o;
	struct sink out;
	size_t passed, failed;
	int status;
};

static void worse(struct run *r, int status)
{
	if (status > r->status)
		r->status = status;
}

static void complain(struct run *r, struct bytes text, int status)
{
	sink_flush(&r->out);
	message_put(text);
	worse(r, status);
}

static bool is_standard_input(const char *name)
{
	return strcmp(name, "-") == 0;
}

static int open_script(struct run *r, const char *name)
{
	struct stat st;
	int fd = is_standard_input(name) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	int why = fd < 0 ? errno : fstat(fd, &st) < 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;

	if (!why)
		return fd;
	struct buf text = {0};
	buf_printf(&text, "%s:1: the script cannot be read (%s): name a file that can", name,
		   strerror(why));
	complain(r, buf_bytes(&text), STATUS_USAGE);
	buf_free(&text);
	if (fd > STDIN_FILENO)
		close(fd);
	return -1;
}

/* --- printing */

/* Does a file hold a line that begins with #?  Of a pipe that cannot be known: its requests are
 * numbered from the start. */
static bool has_question(int fd)
{
	enum { MARK = 3 };
	char part[64 << 10] = "\n"; /* the first line has one before it, too */
	size_t kept = 1;
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	for (off_t at = 0; (n = pread(fd, part + kept, sizeof part - kept, at)) > 0; at += n) {
		size_t all = kept + (size_t)n;
		if (memmem(part, all, "\n#?", MARK))
			return true;
		kept = all < MARK ? all : MARK - 1;
		memmove(part, part + all - kept, kept);
	}
	return false;
}

static void print_command(struct run *r, struct runner *x)
{
	sink_put(&r->out, runner_output(x));
	if (x->trace_text.n)
		sink_put(&r->out, buf_bytes(&x->trace_text));
}

static bool print_item(struct run *r, struct runner *x, const struct reader *in,
		       const struct scope_item *it)
{
	struct buf what = {0}, where = {0};

	if (it->kind == ITEM_QUESTION) {
		runner_question(x);
		return true;
	}
	bool ok = runner_command(x, it->text, &what);
	if (ok) {
		print_command(r, x);
	} else {
		scope_error(&where, in->name, it->line, buf_str(&what));
		complain(r, buf_bytes(&where), STATUS_USAGE);
	}
	buf_free(&what);
	buf_free(&where);
	return ok;
}

static void print_script(struct run *r, const char *name, int fd)
{
	struct reader in;
	struct runner x;
	struct scope_item it;
	struct buf err = {0};
	int got = 0;

	reader_init(&in, name, fd);
	runner_init(&x, r->o, !has_question(fd), r->o->trace != TRACE_NONE);
	do {
		if (r->out.terminal || !reader_has_line(&in))
			sink_flush(&r->out);
		got = reader_next(&in, &it, &err);
	} while (got > 0 && print_item(r, &x, &in, &it) && !x.quit && !x.violated && !r->out.error);
	if (got < 0)
		complain(r, buf_bytes(&err), STATUS_USAGE);
	buf_clear(&err);
	buf_printf(&err, "%s: ", name);
	if (!runner_end(&x, &err))
		complain(r, buf_bytes(&err), STATUS_FAILED);
	buf_free(&err);
	runner_free(&x);
	reader_free(&in);
}

/* --- running again */

static void count(struct run *r, const char *name, enum rerun_result result, struct buf *out)
{
	bool bad = result == RERUN_BROKEN || result == RERUN_VIOLATED ||
		   (r->o->mode == RUN_VERIFY && result == RERUN_DIFFERS);

	r->passed += !bad;
	r->failed += bad;
	if (bad)
		worse(r, STATUS_FAILED);
	if (r->o->mode == RUN_UPDATE && result == RERUN_DIFFERS) {
		struct buf err = {0};
		if (!replace_file(name, buf_bytes(out), &err))
			complain(r, buf_bytes(&err), STATUS_USAGE);
		buf_free(&err);
	}
	if (r->o->mode == RUN_VERIFY && bad)
		sink_put(&r->out, buf_bytes(out));
}

/* A whole script: of a file, its pages as they are; of a pipe, what could be read. */
struct text {
	struct bytes bytes;
	struct buf read;
	bool mapped;
};

/* 0, or -1 with errno. */
static int text_open(struct text *t, int fd)
{
	struct stat st;
	void *p = MAP_FAILED;

	*t = (struct text){0};
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0)
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	t->mapped = p != MAP_FAILED;
	if (!t->mapped && buf_read_fd(&t->read, fd) < 0)
		return -1;
	t->bytes = t->mapped ? (struct bytes){p, (size_t)st.st_size} : buf_bytes(&t->read);
	return 0;
}

static void text_close(struct text *t)
{
	if (t->mapped)
		munmap((void *)(uintptr_t)t->bytes.p, t->bytes.n);
	buf_free(&t->read);
}

static void rerun_script(struct run *r, const char *name, int fd)
{
	struct text text;
	struct buf out = {0}, err = {0};
	bool flow = r->o->mode == RUN_TRANSCRIPT;
	int status = STATUS_USAGE;

	if (text_open(&text, fd) < 0) {
		buf_printf(&err, "%s:1: the script cannot be read (%s): name a file that can", name,
			   strerror(errno));
		r->failed++;
	} else {
		enum rerun_result result =
		    rerun(r->o, name, text.bytes, &out, flow ? &r->out : NULL, &err);
		if (flow)
			sink_put(&r->out, buf_bytes(&out));
		count(r, name, result, &out);
		if (result == RERUN_VIOLATED)
			status = STATUS_FAILED;
	}
	if (err.n)
		complain(r, buf_bytes(&err), status);
	text_close(&text);
	buf_free(&out);
	buf_free(&err);
}

static void run_script(struct run *r, const char *name)
{
	int fd = open_script(r, name);

	if (fd < 0) {
		r->failed++;
		return;
	}
	if (r->o->mode == RUN_PRINT)
		print_script(r, name, fd);
	else
		rerun_script(r, name, fd);
	if (!is_standard_input(name))
		close(fd);
}

int run_files(const struct run_options *o, char *const *files, size_t n)
{
	struct run r = {.o = o};
	struct buf last = {0};

	sink_init(&r.out, STDOUT_FILENO);
	for (size_t i = 0; i < n && !r.out.error; i++)
		run_script(&r, files[i]);
	if (o->mode == RUN_VERIFY) {
		buf_printf(&last, "%zu passed, %zu failed\n", r.passed, r.failed);
		sink_put(&r.out, buf_bytes(&last));
		buf_free(&last);
	}
	int error = sink_end(&r.out);
	if (error) {
		message_printf("standard output cannot be written: %s", strerror(error));
		worse(&r, STATUS_FAILED);
	}
	return r.status;
}
