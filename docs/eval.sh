#!/usr/bin/env bash
# Measures recall on labelled bugs, for "Recall on labelled bugs" in
# docs/evaluation.md:
#
#	docs/eval.sh EVAL MIRRORS [WORK]
#	BUGS=docs/bugs.tsv docs/eval.sh EVAL MIRRORS [WORK]
#
# EVAL holds bugs.tsv, controls.tsv, checkout, which writes a commit's files to a
# directory, and score, for the controls. MIRRORS holds, for each repository OWNER/NAME, a git directory
# OWNER+NAME/repo. WORK keeps the checked out sources and the results (a temporary
# directory if it is not given). With BUGS, the bugs of that table are measured
# instead, and no controls. Modules without go.mod get one; what the modules need
# is downloaded by go. Tests are not analyzed: no label is in one.
set -euo pipefail
eval=$(realpath "$1")
bugs=$(realpath "${BUGS:-$1/bugs.tsv}")
mirrors=$(realpath "$2")
work=${3:-$(mktemp -d)}
mkdir -p "$work/sources" "$work/results" "$work/fixed"
work=$(realpath "$work")
cd "$(dirname "$0")/.."
go build -o "$work/atomrace" ./cmd/atomrace

# check ID REPO COMMIT PATH NOTE RESULTS: analyses one package at one commit.
check() {
	local id=$1 repo=$2 commit=$3 path=$4 note=$5 results=$6
	local root=$work/sources/$id-$commit base
	base=$root
	case $note in *GOPATH*) base=$root/src/github.com/$repo ;; esac
	if [ ! -d "$base" ]; then
		mkdir -p "$base"
		"$eval/checkout" "$mirrors/${repo/\//+}/repo" "$commit" "$base" >"$root.log" 2>&1 || return 0
	fi
	local dir=$base/$(dirname "$path")
	(
		cd "$dir"
		if [ "$base" != "$root" ]; then
			export GO111MODULE=off GOPATH=$root GOFLAGS=
		else
			export GOFLAGS=-mod=mod
			if [ "$(go env GOMOD)" = /dev/null ]; then
				(cd "$base" && go mod init "github.com/$repo" && go mod tidy -e) >>"$root.log" 2>&1 || true
			fi
		fi
		"$work/atomrace" check -json . >"$results/$id.json" 2>>"$root.log" || true
	)
}

# column NAME of a line of the table whose header is $header.
column() {
	awk -F'\t' -v name="$1" -v line="$2" 'BEGIN { n = split(ARGV[1], h, "\t"); split(line, f, "\t"); for (i = 1; i <= n; i++) if (h[i] == name) print f[i] }' "$header"
}

head -1 "$bugs" >"$work/bugs.tsv"
missing=
header=$(head -1 "$bugs")
while IFS= read -r line; do
	[ "$(column builds "$line")" = ok ] || continue
	printf '%s\n' "$line" >>"$work/bugs.tsv"
	id=$(column id "$line") repo=$(column repo "$line") path=$(column path "$line") note=$(column build_note "$line")
	check "$id" "$repo" "$(column parent_commit "$line")" "$path" "$note" "$work/results"
	check "$id" "$repo" "$(column fix_commit "$line")" "$path" "$note" "$work/fixed"
	[ -s "$work/results/$id.json" ] && [ -s "$work/fixed/$id.json" ] || missing="$missing $id"
done < <(tail -n +2 "$bugs")
go run ./internal/recall "$work/bugs.tsv" "$work/results" "$work/fixed"
if [ -z "${BUGS:-}" ]; then
	header=$(head -1 "$eval/controls.tsv")
	while IFS= read -r line; do
		check "$(column id "$line")" "$(column repo "$line")" "$(column commit "$line")" "$(column path "$line")" "" "$work/results"
	done < <(tail -n +2 "$eval/controls.tsv")
	"$eval/score" -controls "$eval/controls.tsv" "$work/results"
fi
echo "sources and results, of the fix commits too: $work"
if [ -n "$missing" ]; then
	echo "eval.sh: nothing is known of$missing, which count as missed: is the repository in $mirrors? The logs are in $work/sources" >&2
	exit 1
fi
