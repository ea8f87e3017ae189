#!/bin/sh
# Prints README.md with its first block of text replaced by what the screen shows now: Demo 1 at the commit.
#
# usage: readme-picture.sh PROGRAM
set -eu
picture=$(printf 'demo 1\ngoto 6\nshow screen 80x24\n' | "$1" repl)
PICTURE=$picture awk '
/^```/ && !done {
	print
	if (inside)
		done = 1
	else
		print ENVIRON["PICTURE"]
	inside = !inside
	next
}
!inside || done { print }' README.md
