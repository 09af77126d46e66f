#!/bin/sh
# goroot.sh checks the two bars of evaluation.md, "The standard library", in
# full; go test ./rewrite checks them on a part. It needs Go and some minutes.
set -eu
cd "$(dirname "$0")/.."
go test ./rewrite -v -count=1 -timeout=2h -run='^(TestRoundTrip|TestStandardLibrary)$' -goroot.src=. -goroot.std=std
