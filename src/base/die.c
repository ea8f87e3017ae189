#include "base/die.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one piece of process-wide state: how to leave the terminal when everything else failed. */
static void (*last_hook)(void);

void die_set_hook(void (*hook)(void))
{
	last_hook = hook;
}

_Noreturn void die_at(const char *file, int line, const char *text)
{
	void (*hook)(void) = last_hook;

	last_hook = NULL;
	if (hook)
		hook();
	fprintf(stderr, "etcdscope: %s:%d: %s\n", file, line, text);
	abort();
}

static void *or_die(void *p)
{
	if (!p)
		die("out of memory");
	return p;
}

void *xmalloc(size_t n)
{
	return or_die(malloc(n ? n : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return or_die(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t n)
{
	return or_die(realloc(p, n ? n : 1));
}

char *xstrdup(const char *s)
{
	return or_die(strdup(s));
}
