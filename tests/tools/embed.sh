#!/bin/sh
# Writes a C file that holds files as text: the demos that the program falls back on when it finds neither a build
# tree nor an installed folder.
#
# usage: embed.sh NAME FILE...   defines builtin_NAME[] and builtin_nNAME, as src/session/builtin.h declares them
set -eu
name=$1
shift
cat <<END
/* Made from the files of $name/ by tools/embed.sh. */
#include "session/builtin.h"

const struct builtin builtin_$name[] = {
END
for f in "$@"; do
	printf '\t{ .name = "%s",\n\t  .text =' "${f##*/}"
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/\\t/g' -e 's/??/?""?/g' -e 's/^/\n\t"/' -e 's/$/\\n"/' "$f" | sed '/^$/d'
	printf '\t  , .length = %d },\n' "$(wc -c <"$f")"
done
cat <<END
	{ .name = NULL },
};
const size_t builtin_n$name = $#;
END
