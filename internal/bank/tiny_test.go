package bank

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// tinySource is a program that does what MODE says.
const tinySource = `package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	report := func(variable string) {
		fmt.Fprintf(os.Stderr, "WARNING: ATOMRACE: atomicity violation on %s of package tiny\n", variable)
	}
	switch os.Getenv("MODE") {
	case "right":
		fmt.Println("working")
		fmt.Println("ok: 1 thing done")
	case "wrong":
		fmt.Println("WRONG: 2 things done")
		os.Exit(1)
	case "panic":
		panic("lost my head")
	case "silent":
	case "wrong with status 0":
		fmt.Println("WRONG: 2 things done")
	case "right with status 3":
		fmt.Println("ok: 1 thing done")
		os.Exit(3)
	case "right with reports":
		report("{tiny.a, tiny.b}")
		report("tiny.Pool.free")
		report("tiny.count")
		report("tiny.count")
		fmt.Println("ok: 1 thing done")
		os.Exit(66)
	case "raced":
		fmt.Fprintln(os.Stderr, "WARNING: DATA RACE")
		fmt.Println("ok: 1 thing done")
		os.Exit(66)
	case "hang":
		for {
			time.Sleep(time.Hour)
		}
	case "by turns": // right and wrong by turns; the file is only there every other time
		if os.Remove(os.Getenv("TURN")) == nil {
			report("tiny.turn")
			fmt.Println("WRONG: not my turn")
			os.Exit(1)
		}
		os.WriteFile(os.Getenv("TURN"), nil, 0o666)
		fmt.Println("ok: my turn")
	}
}
`

// buildTiny makes a module with the tiny program and returns it, built.
func buildTiny(t *testing.T) (p Program, binary string) {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                               "module tiny\n\ngo 1.26\n",
		"testdata/programs/fail/tiny/main.go":  tinySource,
		"testdata/programs/success/README":     "not a program\n",
		"testdata/programs/detect/README":      "not a program\n",
		"testdata/programs/fail/other/main.go": "package main\n\nfunc main() { undefined() }\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p = Program{Fail, "tiny", root}
	binary = filepath.Join(root, "tiny")
	if err := plain(t)(t.Context(), p, binary); err != nil {
		t.Fatal(err)
	}
	return p, binary
}

func plain(t *testing.T) Builder {
	t.Helper()
	b, err := ParseBuilder("plain")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// measure runs the binary once for each unit of runs.
func measure(t *testing.T, p Program, binary string, runs int, env ...string) Tally {
	t.Helper()
	got, err := Measure(t.Context(), p, binary, Options{Runs: runs, Env: env, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
