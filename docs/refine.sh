#!/bin/sh
# Refines what infer proposes for programs of testdata/programs, from three seeds
# each, and prints the table of docs/refine.md; mixed/X is fail/X with the patch in
# testdata/refine. It needs atomrace and git on the PATH and is run at the root of
# the repository; it takes about five minutes on 2 cores:
#
#	docs/refine.sh [program...]
set -eu
[ $# -gt 0 ] || set -- mixed/bank mixed/crawler mixed/echo mixed/pool fail/bank fail/crawler fail/echo fail/pool fail/capture success/rwmutex success/crawler
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$PWD
echo "| program | seed | candidates | stay | harmless | set aside | runs | correct |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|"
for program; do
	name=${program#*/}
	mkdir -p "$scratch/$program"
	printf 'module example.com/refined\n\ngo 1.26\n' >"$scratch/go.mod"
	case $program in
	mixed/*)
		cp "testdata/programs/fail/$name/main.go" "$scratch/$program/"
		(cd "$scratch/$program" && git apply "$root/testdata/refine/$name.patch")
		;;
	*) cp "testdata/programs/$program/main.go" "$scratch/$program/" ;;
	esac
	for seed in 1 1001 2001; do
		spec=$scratch/$program-$seed.yaml
		(
			cd "$scratch"
			export XDG_CACHE_HOME="$scratch/cache" # no runs of before
			atomrace infer -o "$spec" -pattern load-and-store,test-and-use,access-interleaving "./$program" >/dev/null
			atomrace refine -v -spec "$spec" -seed $seed -oracle '"$PROGRAM" >"'"$scratch"'/out"' "./$program" 2>"$scratch/err" >"$spec.out" || cat "$scratch/err" >&2
		)
		sed -n 's#.*: of \([0-9]*\) candidates \([0-9]*\) stay, \([0-9]*\) are harmless, \([0-9]*\) set aside; \([0-9]*\) runs, \([0-9]*\) correct#| '"$program | $seed"' | \1 | \2 | \3 | \4 | \5 | \6 |#p' "$spec.out"
		[ -z "${VERBOSE:-}" ] || sed 's/^/    /' "$spec.out" >&2
	done
done
