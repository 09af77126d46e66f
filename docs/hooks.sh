#!/bin/sh
# hooks.sh makes the table "What it costs" of production.md: what the hooks of one
# section cost, watched and healed, beside a sync.Mutex.
#
#	docs/hooks.sh [ROUNDS]    # 15 rounds: a minute on 2 cores
#
# The benchmarks take turns, a few milliseconds each, so that what else the machine
# does falls on all of them alike. benchstat, which is downloaded with the go command,
# prints medians.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/heal.test" ./heal
round=0
while [ $round -lt "${1:-15}" ]; do
	round=$((round + 1))
	(cd heal && "$dir/heal.test" -test.run XXX -test.benchtime 10ms \
		-test.bench 'Native|Mutex|Update|Section|Alone|Contended|Set|Read')
done >"$dir/runs"
go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da "$dir/runs"
