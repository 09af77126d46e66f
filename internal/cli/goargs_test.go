package cli

import (
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
