# src/README.md names files and functions: they must be where it says.
status=0
awk -F '|' '/^\| *[0-9]* *\|/ && $4 ~ /\.[ch]/ { gsub(/[ `]/, "", $4); print $4, $5 }' src/README.md |
{
	n=0
	while read -r file functions; do
		n=$((n + 1))
		[ -f "src/$file" ] || { echo "src/$file does not exist" && status=1 && continue; }
		for f in $functions; do
			grep -q "^[a-z].*[ *]$f(" "src/$file" || { echo "src/$file does not define $f" && status=1; }
		done
	done
	[ $n -ge 20 ] || { echo "only $n files were found in src/README.md" && status=1; }
	exit $status
}
