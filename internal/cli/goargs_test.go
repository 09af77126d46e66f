package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestSplitGoArgs(t *testing.T) {
	for _, test := range []struct{ verb, args, flags, packages, rest string }{
		{"test", "", "", ".", ""},
		{"test", "-race -run TestX ./... -v -count=3 -mine x -tags=a -args -v", "-race -run=TestX -v -count=3 -tags=a", "./...", "-mine x -args -v"},
		{"test", "-update -race", "-race", ".", "-update"},
		{"test", ". -v arg -race", "-v", ".", "arg -race"},
		{"test", "-C sub -tags a,b ./x", "-tags=a,b", "./x", ""},
		{"test", "-args -x", "", ".", "-args -x"},
		{"build", "-o out -trimpath ./a ./b", "-o=out -trimpath", "./a ./b", ""},
		{"run", "-race ./cmd/x -flag arg", "-race", "./cmd/x", "-flag arg"},
		{"run", "a.go b.go arg", "", "a.go b.go", "arg"},
	} {
		g, err := splitGoArgs(test.verb, strings.Fields(test.args))
		if err != nil {
			t.Errorf("%s %s: %v", test.verb, test.args, err)
			continue
		}
		got := []string{strings.Join(g.Flags, " "), strings.Join(g.Packages, " "), strings.Join(g.Rest, " ")}
		if want := []string{test.flags, test.packages, test.rest}; got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
			t.Errorf("%s %s: got %q, want %q", test.verb, test.args, got, want)
		}
	}
	for args, want := range map[string]string{
		"-nosuch ./...":      "unknown flag -nosuch",
		"-o":                 "flag -o needs a value",
		"-overlay x.json ./": "-overlay cannot be used",
	} {
		if _, err := splitGoArgs("build", strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("build %s: got error %v, want %q", args, err, want)
		}
	}
}

// What tests of several packages write is where the command was given, and all of it there.
func TestFilesIn(t *testing.T) {
	for settings, want := range map[string]string{
		"":                                   "",
		"log_path=race,log_format=json":      "log_path=/m/race log_format=json",
		"noise_file=a/b control=../c seed=1": "noise_file=/m/a/b control=/m/../c seed=1",
		"log_path=stderr\tlog_path=stdout":   "log_path=stderr log_path=stdout",
		"log_path=/x control= noise_file":    "log_path=/x control= noise_file",
		"noise_file=stderr":                  "noise_file=/m/stderr",
	} {
		if got := filesIn("/m", settings); filepath.ToSlash(got) != want {
			t.Errorf("%q: %q, want %q", settings, got, want)
		}
	}
	if got := filesIn("/my module", "log_path=race"); got != "log_path=race" {
		t.Errorf("%q cannot be understood", got)
	}
}
