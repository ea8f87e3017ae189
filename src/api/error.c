#include "api/error.h"

#define X(name, text) [name] = text,
static const char *const texts[] = {API_ERRORS(X)};
#undef X

const char *error_text(enum error e)
{
	return texts[e];
}
