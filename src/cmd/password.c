#include "cmd/password.h"

#include "cmd/rows.h"
#include "cmd/words.h"

/* user add without a password in its arguments, and user passwd always. */
static bool asks(const struct parsed *p)
{
	if (p->args.n != 1 || p->help)
		return false;
	struct bytes name = p->args.v[0];
	return p->row == &cmd_user_passwd ||
	       (!flag_bool(p, USER_NO_PASSWORD) && flag_text(p, USER_NEW_PASSWORD).n == 0 &&
		!(name.n && memchr(name.p, ':', name.n)));
}

unsigned password_lines(const struct parsed *p)
{
	return !asks(p) ? 0 : flag_bool(p, USER_INTERACTIVE) ? 2 : 1;
}

/* The next line, which is taken off the front. */
static struct bytes take_line(struct bytes *rest)
{
	const char *nl = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;
	struct bytes line = {rest->p, nl ? (size_t)(nl - rest->p) : rest->n};
	size_t n = line.n + (nl != NULL);

	*rest = (struct bytes){rest->p + n, rest->n - n};
	return line;
}

/* fmt.Scanf("%s") */
static struct bytes first_word(struct bytes line)
{
	size_t n = 0;

	while (line.n && (*line.p == ' ' || *line.p == '\t'))
		line = (struct bytes){line.p + 1, line.n - 1};
	while (n < line.n && line.p[n] != ' ' && line.p[n] != '\t')
		n++;
	return (struct bytes){line.p, n};
}

/* What is typed is not shown, but the end of the line is. */
static void ask(struct shell *s, const struct parsed *p, const char *before, const char *behind)
{
	buf_puts(command_out(s), before);
	buf_put_bytes(command_out(s), p->args.v[0]);
	buf_puts(command_out(s), behind);
}

static bool ask_twice(struct shell *s, struct job *j, const struct parsed *p, struct bytes lines,
		      struct bytes *password)
{
	*password = take_line(&lines);
	ask(s, p, "Password of ", ": \n");
	if (!password->n) {
		command_fail(s, j, STATUS_BAD_ARGS, "empty password");
		return false;
	}
	ask(s, p, "Type password of ", " again for confirmation: \n");
	if (bytes_eq(*password, take_line(&lines)))
		return true;
	command_fail(s, j, STATUS_BAD_ARGS, "given passwords are different");
	return false;
}

bool password_read(struct shell *s, struct job *j, const struct parsed *p)
{
	struct buf text = {0};
	struct bytes lines, password;
	unsigned n = password_lines(p);
	bool ok = true;

	line_expand(&text, p->block);
	lines = buf_bytes(&text);
	if (n == 2)
		ok = ask_twice(s, j, p, lines, &password);
	else
		password = n ? first_word(take_line(&lines)) : (struct bytes){0};
	if (ok)
		j->lines = command_keep(s, password);
	buf_free(&text);
	return ok;
}
