#!/usr/bin/env bash
# What packages of the standard library would add to a program that is instrumented:
# the size in bytes of one that uses what package heal imports, and of the same with
# one package more, linked as it would have to be used.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf 'module example.com/imports\n\ngo 1.26\n' >go.mod
base='fmt.Println(os.Args, reflect.TypeOf(1), strings.ToUpper("x"), time.Now(), runtime.NumCPU(), strconv.Quote("x"))'
printf '| package | bytes | more |\n|---|---:|---:|\n'
first=
for package in '' encoding/json log/slog expvar; do
	use=
	case $package in
	encoding/json) use='b, _ := extra.Marshal(os.Args); os.Stdout.Write(b)' ;;
	log/slog) use='extra.New(extra.NewJSONHandler(os.Stdout, nil)).Info("x")' ;;
	expvar) use='extra.Publish("x", extra.Func(func() any { return 1 }))' ;;
	esac
	{
		printf 'package main\n\nimport ("fmt"; "os"; "reflect"; "runtime"; "strconv"; "strings"; "time"'
		[ -z "$package" ] || printf '; extra "%s"' "$package"
		printf ')\n\nfunc main() { %s; %s }\n' "$base" "$use"
	} >main.go
	go build -o program .
	size=$(stat -c %s program)
	first=${first:-$size}
	printf '| %s | %d | %d %% |\n' "${package:-none}" "$size" $(((size - first) * 100 / first))
done
