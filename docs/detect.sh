#!/usr/bin/env bash
# Makes the tables of docs/detection.md:
#
#	docs/detect.sh          # 1,000 rounds
#	docs/detect.sh 50       # half an hour on 2 busy cores
#
# Exits with 1 when a bar is missed.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-1000}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
go build -o "$tools/atomrace" ./cmd/atomrace
go build -o "$tools/detect" ./internal/bank/cmd/detect
status=0
table() {
	printf '\n#### %s\n\n' "$1"
	shift
	"$tools/detect" -tool "$tools/atomrace" -n "$rounds" "$@" || status=1
}
table 'detection in one run'
table 'healing' -healing
table 'noise on fail/echo' -echo
exit $status
