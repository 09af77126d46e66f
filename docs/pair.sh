#!/bin/bash
# pair.sh compares the processor time of two programs, on a machine that does other things
# besides: they run at the same time, one on each of two processors, and change places.
#
#	docs/pair.sh RUNS A B    # prints what A and B took together, in s, and the ratio
#
# It needs Linux with taskset.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
TIMEFORMAT='%U %S'
run() { # PROCESSOR PROGRAM FILE
	{ time GOMAXPROCS=1 taskset -c "$1" "$2" >/dev/null 2>&1; } 2>>"$dir/$3"
}
for i in $(seq "$1"); do
	run $((i % 2)) "$2" a &
	run $(((i + 1) % 2)) "$3" b &
	wait
done
for f in a b; do
	awk '{ sum += $1 + $2 } END { print sum }' "$dir/$f"
done | paste - - | awk '{ printf "%.1f %.1f %.3f\n", $1, $2, $2 / $1 }'
