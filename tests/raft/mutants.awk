# Makes one mutant of a source file: mutants.awk -v n=3 -v what=file|rule|source mutations [source file]
#
# Lines of the file are compared and replaced without the space around them; a text of several lines must stand in
# consecutive lines.  A first or last line may be a part of a line of the source.
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
FNR == NR && /^#/ { rule = substr($0, 3); if (last != "#") text = rule; else text = text " " rule; last = "#"; next }
FNR == NR && /^[a-z_]+\.c$/ { count++; if (count == n) { file = $0; said = text } last = "f"; next }
FNR == NR && /^- / { if (count == n) old[++nold] = trim(substr($0, 3)); last = "-"; next }
FNR == NR && /^\+ / { if (count == n) new[++nnew] = trim(substr($0, 3)); last = "+"; next }
FNR == NR { last = ""; next }
{ line[++nline] = $0 }
# Does the text stand at this line? The first line may begin and the last may end inside of a line.
function stands_at(i,   k, s) {
	if (nold == 1)
		return index(line[i], old[1]) > 0
	for (k = 1; k <= nold; k++) {
		s = trim(line[i + k - 1])
		if (k == 1 && substr(s, length(s) - length(old[k]) + 1) != old[k])
			return 0
		if (k == nold && substr(s, 1, length(old[k])) != old[k])
			return 0
		if (k > 1 && k < nold && s != old[k])
			return 0
	}
	return 1
}
function join(   k, s) {
	for (k = 1; k <= nnew; k++)
		s = s (k > 1 ? "\n" : "") new[k]
	return s
}
END {
	if (what == "count") { print count; exit }
	if (what == "file") { print file; exit }
	if (what == "rule") { print said; exit }
	for (i = 1; i + nold - 1 <= nline; i++)
		if (stands_at(i)) { found++; at = i }
	if (found != 1) {
		printf "stands %d times: %s\n", found, old[1] >"/dev/stderr"
		exit 1
	}
	for (i = 1; i <= nline; i++) {
		if (i != at) { print line[i]; continue }
		p = index(line[i], old[1])
		before = substr(line[i], 1, p - 1)
		e = line[i + nold - 1]
		q = index(e, old[nold])
		print before join() substr(e, q + length(old[nold]))
		i += nold - 1
	}
}
