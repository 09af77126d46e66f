#!/usr/bin/env bash
# follow.sh makes the table "Following code through releases" of evaluation.md: what
# infer finds in one release of a module is confirmed with a note, infer runs again
# in a release a year or more later, and what became of the sections is counted.
#
#	docs/follow.sh [NAME ...]    all modules, or those whose path contains a NAME
#
# It needs Go; modules are downloaded with the go command. With KEEP=1 the files
# stay: old.yaml and new.yaml of each module, and diff, what 'atomrace spec diff'
# says about them, for reading. It takes about five minutes on 2 cores.
set -euo pipefail

modules='
github.com/nats-io/nats.go v1.28.0 v1.34.0
github.com/hashicorp/memberlist v0.5.0 v0.5.2
github.com/hashicorp/raft v1.3.11 v1.6.0
github.com/nsqio/nsq v1.2.0 v1.3.0
github.com/redis/go-redis/v9 v9.0.5 v9.6.1
github.com/segmentio/kafka-go v0.4.38 v0.4.47
github.com/eclipse/paho.mqtt.golang v1.3.5 v1.4.3
github.com/panjf2000/ants/v2 v2.7.0 v2.10.0
github.com/IBM/sarama v1.40.0 v1.43.3
'

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
finish() {
	if [ -n "${KEEP:-}" ]; then echo "kept: $tmp" >&2; else chmod -R u+w "$tmp" && rm -rf "$tmp"; fi
}
trap finish EXIT
(cd "$root" && go build -o "$tmp/atomrace" ./cmd/atomrace)
PATH=$tmp:$PATH
export GOFLAGS=-mod=mod

# release copies one release of a module to where it can be written to.
release() {
	local from
	from=$(cd "$tmp" && go mod download -json "$1@$2" | sed -n 's/^\t"Dir": "\(.*\)",/\1/p')
	cp -r "$from" "$3"
	chmod -R u+w "$3"
}

echo '| module | from | to | sections | found again | of these changed | renamed | nothing to report | gone | notes kept |'
echo '|---|---|---|---:|---:|---:|---:|---:|---:|---:|'
while read -r module old new; do
	[ -n "$module" ] || continue
	wanted=$([ $# -eq 0 ] && echo all || true)
	for name; do if [[ $module == *$name* ]]; then wanted=yes; fi; done
	[ -n "$wanted" ] || continue
	out=$tmp/$(tr / - <<<"$module")
	mkdir "$out"
	release "$module" "$old" "$out/$old"
	release "$module" "$new" "$out/$new"
	cd "$out/$old"
	atomrace infer ./... >/dev/null 2>"$out/err"
	atomrace spec promote '*' -note 'a note' >/dev/null
	cp atomicity.yaml "$out/old.yaml"
	cp atomicity.yaml "$out/$new/"
	cd "$out/$new"
	atomrace infer ./... >"$out/out" 2>"$out/err"
	cp atomicity.yaml "$out/new.yaml"
	atomrace spec diff "$out/old.yaml" "$out/new.yaml" >"$out/diff"
	n=$(grep -c 'note: "a note"' "$out/old.yaml")
	gone=$(grep -c 'stale: gone' "$out/new.yaml" || true)
	settled=$(grep -c 'stale: not-inferred' "$out/new.yaml" || true)
	changed=$(grep -c '^~' "$out/diff" || true) # the marks are changes, too
	echo "| $module | $old | $new | $n | $((n - gone - settled)) | $((changed - gone - settled)) | $(grep -c '^followed' "$out/out" || true) | $settled | $gone | $(grep -c 'note: "a note"' "$out/new.yaml") |"
done <<<"$modules"
