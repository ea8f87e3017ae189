#!/bin/sh
# Includes go down.  For each folder of src/ stands here what it may include besides itself; a line is printed for
# every include that does not, for libedit outside line/ and for curses outside ui/curses.c.  Exit status 1 then.
set -eu
cd "$(dirname "$0")/../.."
awk '
BEGIN {
	below["base"] = ""
	below["api"] = "base"
	engine = "api base"
	below["raft"] = below["wal"] = below["mvcc"] = below["lease"] = below["bolt"] = engine
	below["watch"] = "mvcc " engine		# only watch reads mvcc
	below["server"] = engine = "raft wal mvcc lease watch " engine
	below["sim"] = engine = "server " engine
	below["check"] = engine = "sim " engine		# watches a const world
	below["live"] = "server bolt " below["server"]
	below["explore"] = engine = "check " engine
	below["cmd"] = engine = "live " engine
	below["line"] = "base"
	below["script"] = engine = "cmd " engine
	below["session"] = engine = "script " engine
	below["repl"] = below["ui"] = "session line " engine
	for (f in below) {
		n = split(below[f], to, " ")
		for (i = 1; i <= n; i++)
			may[f, to[i]] = 1
	}
}
FNR == 1 {
	n = split(FILENAME, part, "/")
	folder = n == 3 ? part[2] : "main"
	if (folder != "main" && !(folder in below)) {
		print FILENAME ": no folder of the design is called " folder
		bad = 1
	}
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quote, "\"")
	if (index(quote[2], "/") == 0) {
		if (folder != "main" && quote[2] !~ /_builtin/)
			wrong("is not written from src/")
		next
	}
	split(quote[2], to, "/")
	if (folder != "main" && to[1] != folder && !((folder, to[1]) in may))
		wrong(folder "/ may not include " to[1] "/")
}
/^[ \t]*#[ \t]*include[ \t]*<.*(histedit|editline|readline)/ && folder != "line" {
	wrong("libedit belongs to line/ alone")
}
/^[ \t]*#[ \t]*include[ \t]*<(n?cursesw?\/)?(n?curses|panel|menu|form|term)\.h/ && FILENAME != "src/ui/curses.c" {
	wrong("curses belongs to ui/curses.c alone")
}
function wrong(why)
{
	printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, why
	bad = 1
}
END { exit bad }' src/*/*.[ch] $(ls src/*.[ch] 2>/dev/null)
