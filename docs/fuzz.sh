#!/bin/sh
# Runs the own tests of modules with concurrency under the scheduler, as
# docs/fuzz.md reports it: docs/fuzz.sh [runs of each test]
set -u
runs=${1:-30}
flags=
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
go build -o "$work/atomrace" ./cmd/atomrace || exit 2

fuzz() { # module@version, packages
	module=$1
	shift
	dir=$(go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
	cp -r "$dir" "$work/module" && chmod -R u+w "$work/module"
	[ -f "$work/module/go.mod" ] || printf 'module %s\n\ngo 1.21\n' "${module%@*}" >"$work/module/go.mod"
	for package in "$@"; do
		echo "== $module $package"
		# One process at a time: some tests listen at a fixed port.
		(cd "$work/module" && GOFLAGS=-mod=mod "$work/atomrace" fuzz -j 1 -n "$runs" -timeout 30s $flags "$package" 2>"$work/progress") ||
			grep -v runs/s "$work/progress"
	done
	chmod -R u+w "$work/module"
	rm -rf "$work/module"
}

fuzz golang.org/x/sync@v0.24.0 ./errgroup ./semaphore ./singleflight
fuzz github.com/hashicorp/golang-lru/v2@v2.0.7 . ./simplelru ./expirable
fuzz github.com/patrickmn/go-cache@v2.1.0+incompatible .
fuzz github.com/robfig/cron/v3@v3.0.1 .
fuzz github.com/asaskevich/EventBus@v0.0.0-20200907212545-49d423059eef .
fuzz github.com/sourcegraph/conc@v0.3.1-0.20240121214520-5f936abd7ae8 . ./pool ./stream ./iter
fuzz github.com/jellydator/ttlcache/v3@v3.4.1 .
# Ten thousand goroutines, and two million decisions: five seconds a run.
flags="-skip SubmitWhileStopping|SubpoolStopAndWait"
fuzz github.com/alitto/pond/v2@v2.7.1 .
