#!/usr/bin/env bash
# overhead.sh makes the table "Build time" of evaluation.md: what instrumenting
# adds to building a program of 76 packages.
#
#	docs/overhead.sh        # about 15 minutes on 2 cores
#
# It needs Go, and the module is downloaded with the go command. Everything else
# happens in a temporary directory, which is removed at the end. Each cell is
# seconds by the clock / seconds of processor time.
set -euo pipefail

module=google.golang.org/grpc@v1.75.0
package=./interop/server

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
(cd "$root" && go build -o "$tmp/atomrace" ./cmd/atomrace)
from=$(cd "$tmp" && go mod download -json "$module" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
cp -R "$from" "$tmp/module"
chmod -R u+w "$tmp/module"
cd "$tmp/module"
go mod download

# touch_files gives the files of directories another content and the same meaning.
changes=0
touch_files() {
	changes=$((changes + 1))
	for dir; do for file in "$dir"/*.go; do echo "// change $changes" >>"$file"; done; done
	sleep 3 # a file written within two seconds may change unseen, so that all is looked at again
}

cell() {
	TIMEFORMAT='%R %U %S'
	{ time "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 1; }; } 2>"$tmp/time"
	tail -n 1 "$tmp/time" | awk '{ printf " %.1f / %.1f |", $1, $2 + $3 }'
}

row() {
	name=$1
	shift
	export GOCACHE=$tmp/gocache XDG_CACHE_HOME=$tmp/cache
	chmod -R u+w "$GOCACHE" 2>/dev/null || true
	rm -rf "$GOCACHE" "$XDG_CACHE_HOME"
	printf '| %s |' "$name"
	cell "$@" # nothing is cached
	touch_files $(go list -deps -f '{{if .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}' $package)
	cell "$@" # the module has changed
	touch_files internal/grpcsync
	cell "$@"
	cell "$@" # nothing has
	echo
}

echo "$(go list -deps -f '{{if .Module}}{{if .Module.Main}}{{.ImportPath}}{{end}}{{end}}' $package | grep -c .) packages of $module, for $package" >&2
echo "| command | nothing cached | every file of the module changed | one package changed | no change |"
echo "|---|---:|---:|---:|---:|"
row "go build" go build -o "$tmp/program" $package
row "atomrace build" "$tmp/atomrace" build -o "$tmp/program" $package
row "atomrace build -races" "$tmp/atomrace" build -races -o "$tmp/program" $package
