/* A command as the client pane writes it: in one row, without what says nothing there. */
#ifndef UI_REQUEST_TEXT_H
#define UI_REQUEST_TEXT_H

#include "base/buf.h"
#include "ui/canvas.h"

/* The command behind `as NAME`; a request's own text does not have that either. */
const char *without_actor(const char *command);
/* Appends a command in one row of w columns, as far as that can be had: of a transaction that is
 * longer `txn if mod = 2 then put v2 else get` is left. */
void put_request(struct buf *out, const struct canvas *c, const char *command, int w);

#endif
