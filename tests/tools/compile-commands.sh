#!/bin/sh
# Writes compile_commands.json for editors and clang tools: the same command line for every file.
#
# usage: compile-commands.sh 'CC FLAGS...' FILE...
set -eu
command=$(printf '%s' "$1" | sed -e 's/"/\\"/g' -e 's/\\/\\\\/g' -e 's/\\\\"/\\"/g')
here=$(pwd)
shift
echo '['
comma=
for f in "$@"; do
	printf '%s{"directory": "%s", "file": "%s", "command": "%s -c %s"}' "$comma" "$here" "$f" "$command" "$f"
	comma=',
'
done
printf '\n]\n'
