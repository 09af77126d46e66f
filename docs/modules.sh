#!/usr/bin/env bash
# modules.sh makes the tables "Real modules" of evaluation.md: it runs the tests
# of modules that others wrote, natively and instrumented, and compares which of
# them pass.
#
#	docs/modules.sh [NAME ...]    all modules, or those whose path contains a NAME
#
# It needs Go and a C compiler, and modules are downloaded with the go command.
# Everything else happens in a temporary directory, which is removed at the end;
# with KEEP=1 it stays and holds the output of every run. All of it takes 40
# minutes on 2 cores.
set -euo pipefail

# kind|module|packages|further runs
modules='
cache|github.com/hashicorp/golang-lru/v2@v2.0.7|./...|more
template engine|github.com/flosch/pongo2/v6@v6.0.0|./...|more
CLI framework|github.com/spf13/cobra@v1.10.1|./...|more
websocket library|github.com/gorilla/websocket@v1.5.3|./...|more
message-queue server|github.com/nsqio/nsq@v1.3.0|./nsqd ./nsqlookupd ./internal/...|more
embedded database|github.com/tidwall/buntdb@v1.3.0|.|more
RPC framework|connectrpc.com/connect@v1.18.1|. ./cmd/protoc-gen-connect-go ./internal/memhttp|
HTTP router|github.com/go-chi/chi/v5@v5.2.3|. ./middleware|
scheduler|github.com/robfig/cron/v3@v3.0.1|.|
logging library|go.uber.org/zap@v1.27.0|./...|
compressor|github.com/pierrec/lz4/v4@v4.1.22|./...|
cgo|github.com/DataDog/zstd@v1.5.7|.|
'

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
finish() {
	if [ -n "${KEEP:-}" ]; then echo "kept: $tmp" >&2; else chmod -R u+w "$tmp" && rm -rf "$tmp"; fi
}
trap finish EXIT
(cd "$root" && go build -o "$tmp/atomrace" ./cmd/atomrace)
atomrace=$tmp/atomrace
export XDG_CACHE_HOME=$tmp/cache

# results runs a test command and writes what became of each test to $out/$1.
results() {
	local name=$1
	shift
	"$@" -json -count=1 -vet=off -timeout=20m >"$out/$name.json" 2>"$out/$name.err" </dev/null || true
	sed -n 's/^.*"Action":"\(pass\|fail\|skip\)","Package":"\([^"]*\)"\(,"Test":"\(.*\)"\)\{0,1\},"Elapsed".*$/\1 \2 \4/p' \
		"$out/$name.json" | sort -u >"$out/$name"
}

# three runs a test command three times.
three() {
	local name=$1
	shift
	for i in 1 2 3; do results "$name.$i" "$@"; done
}

# budgets runs atomrace test three times too: functions are there twice, and run with their
# hooks, without, and by turns.
budgets() {
	local name=$1 i=1 budget
	shift
	for budget in none 0% 5%; do
		results $name.$i "$atomrace" test -budget=$budget "$@"
		i=$((i + 1))
	done
}

# settled prints the results that all three runs of $1 have in common: those are
# compared. What differs natively from run to run is not.
settled() {
	comm -12 "$out/$1.1" "$out/$1.2" | comm -12 - "$out/$1.3"
}

# compared says for each run of $2 whether the results are those of $1: "=", or
# the tests whose results differ, with what came of 10 native runs with the flags
# $3 while other processes kept the machine busy.
compared() {
	local want=$out/$1.settled i reports cell= package test top
	settled "$1" >"$want"
	for i in 1 2 3; do
		[ -e "$out/$2.$i" ] || continue
		# A package and a test fail with what is in them.
		comm -23 "$want" "$out/$2.$i" | awk '$3 !~ "/" {print $2, $3}' | sort >"$out/differ"
		awk 'NR == FNR {if (NF > 1) named[$1] = 1; next} NF > 1 || !named[$1]' "$out/differ" "$out/differ" >"$out/tests"
		reports=$(grep -c 'WARNING: ATOMRACE' "$out/$2.$i.json" || true)
		[ -s "$out/tests" ] || cell="$cell ="
		while read -r package test; do
			cell="$cell ${test:-$package} ($(busily "$package" "${test:-.}" ${3:-}) of 10 natively, busy)"
		done <"$out/tests"
		[ "$reports" = 0 ] || cell="$cell **$reports reports**"
	done
	echo "${cell# }"
}

# busily counts the native failures of one test among 10 runs.
busily() {
	local package=$1 test=$2 failures=0 loops= i
	shift 2
	go test "$@" -c -o "$tmp/one" "$package" >"$out/busy" 2>&1
	for i in 1 2; do
		sh -c 'while :; do :; done' >/dev/null 2>&1 &
		loops="$loops $!"
	done
	for i in 1 2 3 4 5 6 7 8 9 10; do
		(cd "$(go list -f '{{.Dir}}' "$package")" && "$tmp/one" -test.run "^$test\$") >>"$out/busy" 2>&1 </dev/null || failures=$((failures + 1))
	done
	kill $loops
	echo "$failures"
}

passed() { settled "$1" | grep -c '^pass [^ ]* .' || true; }
# unsettled lists the tests whose native results differ.
unsettled() {
	cat "$out"/native*.[123] | sort | uniq -c | awk '$1 % 3 && NF == 4 && $4 !~ "/" {print $4}' | sort -u | tr '\n' ' '
}

# built compiles the tests of $packages with a cache that holds the standard
# library alone, and prints seconds of processor time and the binaries' size in MB.
built() {
	local name=$1 where=$tmp/built
	shift
	rm -rf "$where" "$tmp/gocache.$name"
	mkdir "$where"
	cp -al "$tmp/std" "$tmp/gocache.$name"
	TIMEFORMAT='%U %S'
	local failed=
	{ time GOCACHE=$tmp/gocache.$name "$@" -c -o "$where/" $packages >"$out/$name.build" 2>&1 || failed=yes; } 2>"$tmp/time"
	if [ -n "$failed" ]; then # go vet of the tests belongs to it
		echo "**failed** **failed**"
		return
	fi
	echo "$(tail -n 1 "$tmp/time" | awk '{printf "%.1f", $1 + $2}') $(du -cb "$where" | awk 'END {printf "%.1f", $1 / 1e6}')"
}

row() {
	local kind=$1 module=$2 packages=$3 more=$4
	local name dir out from
	name=$(echo "${module%@*}" | tr A-Z a-z | tr -c "a-z0-9\n" -) # a test of zap wants such a path
	dir=$tmp/$name out=$tmp/$name.out
	mkdir "$out"
	from=$(cd "$tmp" && go mod download -json "$module" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
	cp -R "$from" "$dir"
	chmod -R u+w "$dir"
	cd "$dir"
	[ -f go.mod ] || go mod init "${module%@*}" 2>/dev/null
	read -r seconds size <<<"$(built native go test)"
	read -r hookedseconds hookedsize <<<"$(built hooked "$atomrace" test -races)"
	counts=$("$atomrace" rewrite -races $packages 2>"$out/rewrite" | grep -c '^+.*{Var: .*Mode: .*File: ' || true)
	three native env GOCACHE="$tmp/gocache.native" go test $packages
	GOCACHE="$tmp/gocache.hooked" budgets races -races $packages
	cells="$(compared native races) |"
	if [ -n "$more" ]; then
		three native-race go test -race $packages
		three races-race "$atomrace" test -races -race $packages
		budgets sections $packages
		results lock.1 env ATOMRACE=heal=lock "$atomrace" test -races $packages
		results noise.1 env ATOMRACE=noise=random:20/50us "$atomrace" test -races $packages
		cells="$cells $(compared native-race races-race -race) | $(compared native sections) | $(compared native lock) | $(compared native noise) |"
	else
		cells="$cells | | | |"
	fi
	echo "| $kind | ${module%@*} ${module#*@} | $counts | $seconds / $hookedseconds | $size / $hookedsize | $(passed native) | $cells $(unsettled) |"
}

GOCACHE=$tmp/std go build std
echo "| kind | module | hooks | build, s | size, MB | tests passed | -races, 3 runs | -races -race, 3 runs | sections, 3 runs | -races, heal=lock | -races, noise | unsettled natively |"
echo "|---|---|---:|---:|---:|---:|---|---|---|---|---|---|"
echo "$modules" | while IFS='|' read -r kind module packages more; do
	[ -n "$module" ] || continue
	wanted=$([ $# -gt 0 ] || echo yes)
	for name in "$@"; do
		case $module in *"$name"*) wanted=yes ;; esac
	done
	[ -z "$wanted" ] || (row "$kind" "$module" "$packages" "$more") </dev/null
done
