#!/bin/sh
# scaling.sh makes the table "Scaling" of evaluation.md: whether the cost of the hooks
# grows with the goroutines or the live objects of a program.
#
#	docs/scaling.sh [ROUNDS]    # 15 rounds: some minutes on 2 cores; 1 GB of memory
#
# Native and hooked take turns of a tenth of a second, so that what else the machine
# does falls on both alike; what counts is processor time, of all threads together. The ratio of each turn is taken by itself; the table has
# their medians.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/heal.test" ./heal
round=0
while [ $round -lt "${1:-15}" ]; do
	round=$((round + 1))
	(cd heal && "$dir/heal.test" -test.run XXX -test.bench Scale -test.benchtime 600000x)
done >"$dir/runs"
awk '
function median(list, n,    i, j, t, a) {
	split(list, a, " ")
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && a[j] + 0 < a[j-1] + 0; j--) { t = a[j]; a[j] = a[j-1]; a[j-1] = t }
	return n % 2 ? a[(n+1)/2] : (a[n/2] + a[n/2+1]) / 2
}
/^BenchmarkScale/ {
	split($1, part, "/")
	for (i = 4; i <= NF; i++) if ($i == "cpu-ns/op") cpu = $(i-1)
	what = part[2] " " part[3]
	if (part[4] ~ /off/) { native = cpu; next }
	if (!(what in n)) order[++rows] = what
	n[what]++
	natives[what] = natives[what] " " native
	added[what] = added[what] " " cpu - native
	ratios[what] = ratios[what] " " cpu / native
}
END {
	printf "%-40s %10s %10s %8s\n", "", "native ns", "added ns", "ratio"
	for (r = 1; r <= rows; r++) {
		w = order[r]
		printf "%-40s %10.0f %10.0f %8.2f\n", w, median(natives[w], n[w]), median(added[w], n[w]), median(ratios[w], n[w])
	}
}' "$dir/runs"
