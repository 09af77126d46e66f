#!/usr/bin/env bash
# Measures what `go vet -vettool=atomrace` costs beside go vet's own analyzers,
# for "Time and memory" in docs/evaluation.md:
#
#	docs/vettime.sh [PACKAGES [DIR]]      # std if nothing is given
#
# Each of the two has a build cache of its own. "cold" begins with an empty one,
# "built" with one in which the packages are compiled and nothing is vetted, and
# "warm" repeats the command. The two take turns. Seconds are of processor time,
# of the go command and all that it starts, so that other work on the machine
# counts little; the peak is that of the largest process.
set -euo pipefail
packages=${1:-std}
dir=${2:-$(go env GOROOT)/src}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -C "$(dirname "$0")/.." -o "$tmp/atomrace" ./cmd/atomrace
go build -C "$(dirname "$0")/.." -o "$tmp/rusage" ./internal/rusage
cd "$dir"

# run NAME CACHE COMMAND...: prints a row.
run() {
	local name=$1 cache=$2
	shift 2
	GOCACHE=$tmp/$cache "$tmp/rusage" -name "$name" "$@" 2>>"$tmp/$cache.log"
}

echo "| run | processor seconds | seconds by the clock | peak MiB |"
echo "|---|---:|---:|---:|"
run "cold, go vet" vet go vet $packages
run "cold, atomrace" ours go vet -vettool="$tmp/atomrace" $packages
run "warm, go vet" vet go vet $packages
run "warm, atomrace" ours go vet -vettool="$tmp/atomrace" $packages
GOCACHE=$tmp/built1 go build $packages
cp -R "$tmp/built1" "$tmp/built2"
run "built, go vet" built1 go vet $packages
run "built, atomrace" built2 go vet -vettool="$tmp/atomrace" $packages
