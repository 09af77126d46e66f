#!/bin/sh
# macro.sh makes the table "What hooks cost" of evaluation.md: processor time and
# peak memory of five programs, natively, with hooks, and under the race detector.
#
#	docs/macro.sh [RUNS [WORKLOAD ...]]    # 10 runs: half an hour on 2 cores
#
# It needs Go; modules, and benchstat, are downloaded with the go command.
set -eu
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
runs=${1:-10}
[ $# -eq 0 ] || shift
go run ./internal/macro -n "$runs" "$@" >"$out"
go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da -col /variant "$out"
