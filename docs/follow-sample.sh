#!/usr/bin/env bash
# follow-sample.sh draws a hundred of the sections of follow.sh and shows for each
# where it was in the old release and where it is taken to be in the new one, so that
# somebody can judge whether that is the same code:
#
#	KEEP=1 docs/follow.sh                    # says where its files are
#	docs/follow-sample.sh DIRECTORY [N]
#
# The draw is the same each time. Of sections whose lines, from entry to ends, are word
# for word the same in a function of the same name only a line is printed.
set -euo pipefail
dir=$1 n=${2:-100}
PATH=$dir:$PATH
export GOFLAGS=-mod=mod

# places DIRECTORY: id, function, file, first and last line of each section there
places() {
	(cd "$1" && atomrace spec explain '*') | awk '
		/^[^ \n].*#[0-9]+$/ && !/:/ {id = $0; file = ""}
		$1 == "begins" || $1 == "ends" {
			split($2, p, ":")
			if ($2 == "gone") {gone = 1; next}
			if ($1 == "begins") {file = p[1]; from = to = p[2]; gone = 0}
			if (p[2] < from) from = p[2]
			if (p[2] > to) to = p[2]
		}
		/^  on .*, in .* of package / {
			f = $0; sub(/.*, in /, "", f); sub(/ of package .*/, "", f)
			printf "%s\t%s\t%s\t%d\t%d\n", id, f, (gone || file == "" ? "gone" : file), from, to
			gone = 0
		}'
}

for old in "$dir"/*/old.yaml; do
	module=$(dirname "$old")
	read -r first second < <(find "$module" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort -V | xargs)
	[ -e "$module/places" ] || join -t $'\t' <(places "$module/$first" | sort) <(places "$module/$second" | sort) >"$module/places"
	sed "s|^|$(basename "$module")\t$first\t$second\t|" "$module/places"
done | sort | shuf -n "$n" --random-source=<(yes) | {
	i=0
	while IFS=$'\t' read -r module first second id f1 file1 a1 b1 f2 file2 a2 b2; do
		i=$((i + 1))
		printf '%3d %s %s: ' "$i" "$module" "$id"
		was=$(sed -n "${a1},${b1}p" "$dir/$module/$first/$file1")
		if [ "$file2" = gone ]; then
			printf 'GONE; was in %s of %s\n%s\n' "$f1" "$file1" "$was"
			continue
		fi
		is=$(sed -n "${a2},${b2}p" "$dir/$module/$second/$file2")
		if [ "$f1" = "$f2" ] && [ "$(tr -d ' \t' <<<"$was")" = "$(tr -d ' \t' <<<"$is")" ]; then
			echo "the same lines in $f1 ($file1:$a1, $file2:$a2)"
		else
			printf 'DIFFERS\n--- %s %s:%s\n%s\n+++ %s %s:%s\n%s\n' "$f1" "$file1" "$a1" "$was" "$f2" "$file2" "$a2" "$is"
		fi
	done
}
