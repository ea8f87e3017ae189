/* One line of input with editing, history and completion, by libedit.  The only folder that knows
 * libedit.
 *
 * The editor works on a private pseudo-terminal and asks its caller for every key, so it never
 * touches the real terminal and the caller's event loop stays in charge (the screen draws while it
 * waits for a key).
 */
#ifndef LINE_LINE_H
#define LINE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>
#include <wchar.h>

#include "base/buf.h"

struct line;

/* What the caller does for the editor. */
struct line_calls {
	/* Waits for the next key of the editor: a character, or one of enum line_key.  1: *c is
	 * set; 0: end of input. */
	int (*key)(void *arg, wchar_t *c);
	/* Candidates for completion, one a line, into out; *start: offset of the word they replace.
	 */
	void (*complete)(void *arg, struct bytes line, size_t cursor, size_t *start,
			 struct buf *out);
	/* A character was typed that does not fit any more (1000 do); first: of this line.  May be
	 * NULL. */
	void (*full)(void *arg, bool first);
	void *arg;
};

/* Keys that are not characters; C1 codes, which the caller must drop when they come from outside.
 */
enum line_key {
	LINE_UP = 0x81,
	LINE_DOWN,
	LINE_RIGHT,
	LINE_LEFT,
	LINE_HOME,
	LINE_END,
	LINE_DELETE,
	LINE_PASTE = 0x90, /* from line_pasted_key */
	LINE_CANCEL	   /* Ctrl-C: empties the line */
};

/* NULL if no pseudo-terminal can be had.  user: the real terminal's modes (erase and kill keys);
 * may be NULL. */
struct line *line_open(const struct line_calls *calls, const struct termios *user);
void line_close(struct line *l);

/* Reads one line (without newline) into out.  1: a line; 0: end of input; -1: cancelled (Ctrl-C).
 */
int line_read(struct line *l, struct buf *out);

/* Takes pasted text.  From then on line_pasted_key returns the keys that stand for it, ENTER for a
 * newline, and 0 when there are no more; the caller hands them to the editor before it waits for
 * keys.  False: why says that a line, or all of it, is too long; nothing has been taken. */
enum { LINE_PASTE_MAX = 1 << 20 };
bool line_paste(struct line *l, const wchar_t *text, size_t n, struct buf *why);
wchar_t line_pasted_key(struct line *l);
/* Forgets the rest; Ctrl-C (LINE_CANCEL) does so too. */
void line_drop_pasted(struct line *l);
/* Replaces the line under edit (a key that stands for a command fills it in). */
void line_set(struct line *l, const char *text);

/* What the caller draws: prompt (changes while searching), text, cursor in characters, and the list
 * of candidates of the last completion ("" if none). */
struct line_view {
	const wchar_t *prompt; /* "" or the search's own */
	const wchar_t *text;
	size_t length, cursor;
	const char *candidates;
};
struct line_view line_look(struct line *l);

/* Does the editor itself need a lone ESC now?  (a search under way; vi's command mode) */
bool line_wants_escape(struct line *l);

/* History across runs; entries are unique, a line that starts with a space is not kept. */
void line_history_load(struct line *l, const char *path);
bool line_history_save(struct line *l, const char *path); /* to a temporary file, then rename */
void line_history_add(struct line *l, const char *text);

#endif
