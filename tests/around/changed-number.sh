# A verification that cannot fail would be worth nothing: change one digit of what a demo recorded, and it must.
set -u
copy=${TMPDIR:-/tmp}/changed.scope
for mark in '|' '~'; do
	for demo in demos/*.scope; do
		# the last recorded line with a digit that is no part of the time
		awk -v mark="$mark" '
		{ line[NR] = $0 }
		substr($0, 1, 1) == mark && match(substr($0, 12), /[0-9]/) { last = NR; at = RSTART + 11 }
		END {
			if (!last)
				exit 1
			l = line[last]
			line[last] = substr(l, 1, at - 1) (substr(l, at, 1) + 1) % 10 substr(l, at + 1)
			for (i = 1; i <= NR; i++)
				print line[i]
		}' "$demo" >"$copy" || { echo "$demo has no recorded $mark line with a number" && exit 1; }
		"$ETCDSCOPE" run --verify "$copy" >"$copy.log" 2>&1
		status=$?
		tail -n 1 "$copy.log" >"$copy.last"
		if [ $status != 1 ] || ! grep -qx '0 passed, 1 failed' "$copy.last"; then
			echo "$demo with a changed $mark line: status $status, $(cat "$copy.last")"
			exit 1
		fi
		rm -f "$copy.log" "$copy.last"
	done
done
