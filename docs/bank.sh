#!/usr/bin/env bash
# Makes the tables about testdata/programs in docs/evaluation.md:
#
#	docs/bank.sh            # with 1,000 runs a program: about 50 minutes on 2 cores
#	docs/bank.sh 3          # a smoke test, as CI runs it
#
# Exits with 1 when a bar is missed.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-1000}
strong='noise=random:200/200us'
noise='noise=random:100/100us'
full='noise=random:1000/50us'

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
go build -o "$tools/atomrace" ./cmd/atomrace
go build -o "$tools/bank" ./internal/bank/cmd/bank
PATH=$tools:$PATH
status=0
# One unlucky run of ten is no news; one of a hundred is the bar. Of three runs, one is
# already too many: a program with fewer runs than twenty gets twenty before it is judged.
seldom=$((runs < 100 ? 80 : 99))
some=$((runs < 100 ? runs : 100))
again=$((runs < 20 ? 20 : 0))
# What is built is the same whatever ATOMRACE says at run time.
table() {
	printf '\n#### %s\n\n' "$1"
	shift
	bank -markdown "$@" || status=1
}

# The race detector waits a second at the end of each run, and there is no bar for it.
[ "$runs" -lt 20 ] || table "programs that break, Go's race detector" -n 20 -builder race fail
table "programs that break, $strong, not healed" \
	-n "$some" -binaries "$tools/built" -env "$strong" -require "reported>=$seldom%" -again "$again" fail
table "programs that break, $noise, not healed" -n "$runs" -binaries "$tools/built" -env "$noise" fail
table "healed by yield, $noise" -n "$runs" -heal yield -binaries "$tools/built" -env "$noise" fail
table "healed by lock, $noise" -n "$runs" -heal lock -binaries "$tools/built" -env "$noise" -require 'wrong<=0,crash<=0,timeout<=0' fail
# Under auto the first violation has happened before anything is healed.
table "healed by auto, $noise" -n "$runs" -heal auto -binaries "$tools/built" -env "$noise" -require 'crash<=0,timeout<=0' fail
table "correct programs, $full, every shared access watched (-races)" \
	-n "$runs" -builder races -env "$full" -require 'reported<=0,wrong<=0,crash<=0,timeout<=0' success
exit $status
