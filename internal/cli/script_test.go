package cli_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// binary is the directory that holds the atomrace binary under test, built once
// from this tree.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "atomrace-script-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "atomrace"), "../../cmd/atomrace")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "go build ./cmd/atomrace:", err)
			return 1
		}
		binary = dir
		// A script waits for one process after the other, and some of these sleep.
		flag.Parse()
		if n := runtime.GOMAXPROCS(0); flag.Lookup("test.parallel").Value.String() == strconv.Itoa(n) {
			if err := flag.Set("test.parallel", strconv.Itoa(n+1)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
		return m.Run()
	}())
}

// TestScript runs testdata/script: what a user types and sees, against the real
// binary. The scripts see the caches of the go command, and share one cache of
// atomrace's own.
func TestScript(t *testing.T) {
	goEnv := func(key string) string {
		out, err := exec.Command("go", "env", key).Output()
		if err != nil {
			t.Fatalf("go env %s: %v", key, err)
		}
		return string(out[:len(out)-1])
	}
	cache := t.TempDir()
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN"}
	values := map[string]string{}
	for _, key := range keys {
		values[key] = goEnv(key)
	}
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/script",
		Setup: func(env *testscript.Env) error {
			for _, key := range keys {
				env.Setenv(key, values[key])
			}
			if gogc := os.Getenv("GOGC"); gogc != "" {
				env.Setenv("GOGC", gogc)
			}
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("ATOMRACE_BINARY", filepath.Join(binary, "atomrace"))
			env.Setenv("REPOSITORY", repository)
			env.Setenv("PATH", binary+string(filepath.ListSeparator)+env.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "sarif": sarifValid},
	})
}

// exits runs a command and wants the given exit status: exits 3 atomrace check.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS command [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
