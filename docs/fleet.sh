#!/usr/bin/env bash
# fleet.sh merges what fifty instances of programs have reported into atomicity.yaml
# and prints how long that takes, for docs/production.md: fifty logs in one step, and
# fifty files of suggestions one after the other. It needs Go and a minute on 2 cores
# and is run at the root of the repository:
#
#	docs/fleet.sh
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/atomrace" ./cmd/atomrace
PATH=$tmp:$PATH
programs='bank crawler echo lazyinit pool'
for p in $programs; do
	atomrace build -o "$tmp/$p" "./testdata/programs/fail/$p"
	for i in $(seq 10); do # the noise makes each instance find something else
		ATOMRACE="log_format=json log_path=$tmp/$p-$i.log summary=0 exitcode=0 seed=$i noise=random:50/50us" "$tmp/$p" >/dev/null 2>&1 || true
	done
done
cp atomicity.yaml "$tmp/curated.yaml"

# timed TEXT COMMAND...: seconds of the command, below the text
timed() {
	local start=$EPOCHREALTIME text=$1
	shift
	"$@"
	awk -v a="$start" -v b="$EPOCHREALTIME" -v t="$text" 'BEGIN {printf "%-60s %5.2f s\n", t, b - a}'
}
suggest() { atomrace report -suggest "$tmp"/*.log* >"$tmp/suggested.yaml"; }
each() {
	for log in "$tmp"/*.log*; do atomrace report -suggest "$log" >"$log.yaml"; done
}

echo "$(ls "$tmp"/*.log* | wc -l) logs, $(cat "$tmp"/*.log* | wc -l) reports, $(grep -c ' - id:' "$tmp/curated.yaml") sections curated"
timed 'atomrace report -suggest *.log >suggested.yaml' suggest
timed 'atomrace spec merge -o atomicity.yaml … suggested.yaml' atomrace spec merge -o "$tmp/one.yaml" "$tmp/curated.yaml" "$tmp/suggested.yaml"
each
timed "atomrace spec merge -o atomicity.yaml … $(ls "$tmp"/*.log*.yaml | wc -l) files" atomrace spec merge -o "$tmp/all.yaml" "$tmp/curated.yaml" "$tmp"/*.log*.yaml
atomrace spec diff -exit-code "$tmp/one.yaml" "$tmp/all.yaml" && echo 'both ways give the same sections'
atomrace spec diff -exit-code "$tmp/curated.yaml" "$tmp/all.yaml" && echo 'what was curated is as it was'
printf 'version: 1\npackages: []\n' >"$tmp/empty.yaml"
timed 'the same fifty into an empty file' atomrace spec merge -o "$tmp/new.yaml" "$tmp/empty.yaml" "$tmp"/*.log*.yaml
echo "$(grep -c ' - id:' "$tmp/new.yaml") sections in it"
