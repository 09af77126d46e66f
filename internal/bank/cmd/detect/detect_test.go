package main

import (
	"io"
	"strings"
	"testing"
)

// The short version of docs/detect.sh: a getter and a setter, atomic operations and a
// data race are found in each first run, and healed.
func TestShort(t *testing.T) {
	t.Chdir("../../../..")
	chosen := []string{"detect/lostupdate", "detect/limiter", "detect/hits"}
	if testing.Short() {
		chosen = chosen[1:]
	}
	for _, test := range []struct {
		args  []string
		lines int
	}{
		{[]string{"-n", "3"}, 2 + len(chosen) + 2},
		{[]string{"-n", "3", "-healing"}, 2 + len(chosen)},
	} {
		if testing.Short() {
			test.args[1] = "1"
		}
		c, err := parse(append(test.args, chosen...), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := run(t.Context(), c, &out); err != nil {
			t.Errorf("%v: %v", test.args, err)
		}
		if n := strings.Count(out.String(), "\n"); n != test.lines {
			t.Errorf("%v: %d lines, want %d:\n%s", test.args, n, test.lines, &out)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-n 0", "at least one round"},
		{"-healing -echo", "give one of them"},
		{"-echo limiter", "name no program"},
		{"-colour", "not defined"},
	} {
		if _, err := parse(strings.Fields(test.args), io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.args, err, test.want)
		}
	}
}
