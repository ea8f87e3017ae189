# The tables of the manual are those of the program: commands, flags, settings, styles.
status=0
for page in man/*.[1-9]; do
	"${ETCDSCOPE%/*}/man-tables" "$page" | diff -u "$page" - || status=1
done
[ $status = 0 ] || echo 'make man puts them right'
exit $status
