#!/bin/sh
# Refines what infer proposes for programs of testdata/programs, from three seeds
# each, and prints the table of docs/refine.md. It needs atomrace on the PATH and is
# run at the root of the repository:
#
#	docs/refine.sh [program...]
set -eu
[ $# -gt 0 ] || set -- fail/bank fail/crawler fail/echo fail/pool fail/capture success/rwmutex success/crawler
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "| program | seed | candidates | stay | harmless | set aside | runs | correct |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|"
for program; do
	for seed in 1 1001 2001; do
		spec=$scratch/atomicity.yaml
		rm -f "$spec"
		atomrace infer -o "$spec" -pattern load-and-store,test-and-use,access-interleaving "./testdata/programs/$program" >/dev/null
		atomrace refine -spec "$spec" -seed $seed -oracle '"$PROGRAM" >"'"$scratch"'/out"' "./testdata/programs/$program" 2>"$scratch/err" |
			sed -n 's#.*: of \([0-9]*\) candidates \([0-9]*\) stay, \([0-9]*\) are harmless, \([0-9]*\) set aside; \([0-9]*\) runs, \([0-9]*\) correct#| '"$program | $seed"' | \1 | \2 | \3 | \4 | \5 | \6 |#p'
	done
done
