# The examples in the manual pages do what they say.
set -u
dir=${TMPDIR:-/tmp}/examples
mkdir -p "$dir"

# Blocks of literal text under EXAMPLES, one file each.
rm -f "$dir"/*
awk -v dir="$dir" '
FNR == 1 { page++; inside = 0 }
/^\.Sh/ { inside = /EXAMPLES/ }
inside && /^\.Bd -literal/ { n++; block = 1; next }
/^\.Ed/ { block = 0 }
block { gsub(/\\e/, "\\"); print >(dir "/" page "-" n) }' man/etcdscope.1 man/etcdscope-script.5

status=0
for f in "$dir"/1-*; do
	# "$ command" and what it prints
	sed -n 's/^\$ //p' "$f" | sed "s|etcdscope run|\$ETCDSCOPE run|g" >"$f.sh"
	sed '/^\$ /d' "$f" >"$f.expected"
	sh "$f.sh" >"$f.out" 2>&1
	cmp "$f.expected" "$f.out" || { cat "$f" "$f.out" && status=1; }
done
for f in "$dir"/2-*; do
	if grep -q '^|' "$f"; then
		"$ETCDSCOPE" run --verify "$f" >"$f.out" 2>&1 || { cat "$f.out" && status=1; }
	else
		"$ETCDSCOPE" run "$f" >"$f.out" 2>&1 || { cat "$f.out" && status=1; }
	fi
done
[ -e "$dir/1-1" ] && [ "$(ls "$dir" | grep -c '^2-[0-9]*$')" -ge 3 ] || { echo 'no examples were found' && status=1; }

# One-line examples: the files that they name exist, and they run.
sed -n 's/^\.Dl \$ //p' man/etcdscope.1 | grep 'etcdscope run' | sed "s|etcdscope run|\$ETCDSCOPE run|g; s|\\\\e|\\\\|g" >"$dir/lines.sh"
sh -e "$dir/lines.sh" >"$dir/lines.out" 2>&1 || { tail -n 5 "$dir/lines.out" && status=1; }
exit $status
