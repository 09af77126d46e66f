#!/bin/sh
# modules.sh makes the table "Real modules" of evaluation.md: it runs the tests
# of modules that others wrote, plain and instrumented in every way.
#
#	docs/modules.sh [NAME ...]    all modules, or those whose path ends in NAME
#
# It needs Go, and modules are downloaded with the go command. Everything else
# happens in a temporary directory, which is removed at the end; with KEEP=1 it
# stays and holds the output of every run. TESTFLAGS are added to each go test.
set -eu

modules='
github.com/hashicorp/golang-lru/v2@v2.0.7 cache .,./simplelru
github.com/patrickmn/go-cache@v2.1.0+incompatible cache ./...
github.com/tidwall/buntdb@v1.3.0 key-value-store ./...
go.etcd.io/bbolt@v1.5.0 key-value-store .,./internal/...,./cmd/...
github.com/nsqio/go-diskqueue@v1.1.0 message-queue ./...
github.com/gorilla/websocket@v1.5.3 network-protocol ./...
github.com/panjf2000/ants/v2@v2.12.1 goroutine-pool ./...
go.uber.org/zap@v1.27.0 logging ./...
'

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
finish() {
	if [ -n "${KEEP:-}" ]; then echo "kept: $tmp" >&2; else chmod -R u+w "$tmp" && rm -rf "$tmp"; fi
}
trap finish EXIT
(cd "$root" && go build -o "$tmp/atomrace" ./cmd/atomrace)
atomrace=$tmp/atomrace

# hooks counts the hooked accesses of the module in the current directory.
hooks() {
	"$atomrace" rewrite "$@" | grep -c '^+.*Mode: .*File: ' || true
}

# run runs one command, keeps its output as $1 and prints what came of it: ok,
# or FAIL with the tests that failed, a report (!) and the seconds it took.
run() {
	log=$out/$1
	shift
	from=$(date +%s)
	status=ok
	"$@" >"$log" 2>&1 || status="FAIL $(sed -n 's/^--- FAIL: \([^ ]*\).*/\1/p' "$log" | sort -u | tr '\n' ' ')"
	if grep -q '^WARNING: ATOMRACE' "$log"; then status="$status, reports"; fi
	if grep -q '^WARNING: DATA RACE' "$log"; then status="$status, Go's detector"; fi
	printf '%s %ss' "$(echo "$status" | sed 's/ *$//')" "$(($(date +%s) - from))"
}

row() {
	module=$1 kind=$2 packages=$(echo "$3" | tr , ' ')
	name=$(echo "${module%@*}" | tr -c "a-z0-9\n" -) # a test of zap wants such a path
	dir=$tmp/$name out=$tmp/$name.out
	mkdir "$out"
	from=$(cd "$tmp" && go mod download -json "$module" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
	cp -R "$from" "$dir"
	chmod -R u+w "$dir"
	cd "$dir"
	[ -f go.mod ] || go mod init "${module%@*}" 2>/dev/null
	: "${TESTFLAGS:=-timeout=20m}"
	native=$(run native go test -count=1 $TESTFLAGS $packages)
	nativerace=$(run native-race go test -count=1 -race $TESTFLAGS $packages)
	findings=$("$atomrace" check $packages 2>&1 | grep -c '^[^ ]*:[0-9]*:[0-9]*: [^	]' || true)
	"$atomrace" infer >"$out/infer" 2>&1
	sections=$(grep -c '^ *- id:' atomicity.yaml 2>/dev/null || true)
	counts="${findings} | ${sections:-0} | $(hooks $packages) / $(hooks -races $packages)"
	cells=""
	for heal in off lock; do
		for flags in "" -race -races "-races -race"; do
			cells="$cells | $(ATOMRACE=heal=$heal run "heal=$heal$flags" "$atomrace" test -count=1 $flags $TESTFLAGS $packages)"
		done
	done
	echo "| ${module%@*} ${module#*@} | $kind | $3 | $counts | $native | $nativerace$cells |"
}

echo "| module | kind | packages | findings | sections | hooks / -races | go test | go test -race | atomrace test | -race | -races | -races -race | heal=lock | -race | -races | -races -race |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
echo "$modules" | while read -r module kind packages; do
	[ -n "$module" ] || continue
	wanted=$([ $# -gt 0 ] || echo yes)
	for name in "$@"; do
		case ${module%@*} in *"/$name") wanted=yes ;; esac
	done
	[ -z "$wanted" ] || (row "$module" "$kind" "$packages") </dev/null
done
