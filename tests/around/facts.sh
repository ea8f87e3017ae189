#!/bin/sh
# Every case of cluster-facts.md has a script in tests/cluster, and every incident one in tests/incidents.
facts=${ETCDSCOPE_CASES:-../shared}/conformance/cluster-facts.md incidents=${ETCDSCOPE_CASES:-../shared}/incidents.md
[ -e "$facts" ] && [ -e "$incidents" ] || { echo "no recorded cases at ${ETCDSCOPE_CASES:-../shared}"; exit 77; }

missing= n=0
for id in $(sed -n 's/^### \([A-Z][0-9]*\)  .*/\1/p' "$facts" | tr 'A-Z' 'a-z'); do
	n=$((n + 1))
	ls tests/cluster/"$id"-*.scope >/dev/null 2>&1 || missing="$missing $id"
done
for id in $(sed -n 's/^## \([0-9]*\)\. .*/\1/p' "$incidents"); do
	n=$((n + 1))
	ls tests/incidents/"$(printf %02d "$id")"-*.scope >/dev/null 2>&1 || missing="$missing incident-$id"
done
[ $n -gt 80 ] || { echo "only $n cases were found in $facts and $incidents"; exit 1; }
[ -z "$missing" ] || { echo "no script for:$missing"; exit 1; }
