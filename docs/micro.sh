#!/bin/sh
# micro.sh makes the table "Single operations" of evaluation.md: what an update and a
# section of two accesses take in a built program, natively, as they are shipped, watched
# all the time, healed, and under the race detector.
#
#	docs/micro.sh [ROUNDS]    # 10 rounds: a minute and a half on 2 cores
#
# The programs take turns. benchstat, which is downloaded with the go command, prints medians.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/atomrace" ./cmd/atomrace
cp -R testdata/workloads/micro "$dir/micro"
(
	cd "$dir/micro"
	go build -o "$dir/native" .
	printf 'version: 1\npackages: []\n' >"$dir/none.yaml"
	"$dir/atomrace" build -races -spec="$dir/none.yaml" -o "$dir/races" .
	"$dir/atomrace" build -races -spec="$dir/none.yaml" -budget=none -o "$dir/races-all" .
	"$dir/atomrace" infer . >/dev/null
	"$dir/atomrace" build -o "$dir/sections" .
	"$dir/atomrace" build -budget=none -o "$dir/sections-all" .
	"$dir/atomrace" build -heal=lock -o "$dir/sections-healed" .
	go build -race -o "$dir/race-detector" .
)
round=0
while [ $round -lt "${1:-10}" ]; do
	round=$((round + 1))
	for variant in native races races-all sections sections-all sections-healed race-detector; do
		echo "variant: $variant"
		"$dir/$variant"
	done
done >"$dir/runs"
go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da -row .name -col variant "$dir/runs"
