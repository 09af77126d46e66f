package cli

import (
	"fmt"
	"strings"
	"testing"
)

func TestRefineFlags(t *testing.T) {
	own := func(name string) (known, isBool bool) {
		return strings.Contains(" p runs timeout v ", " "+name+" "), name == "v"
	}
	for args, want := range map[string]string{
		"-p 2 ./a ./b":                      "[-p 2 ./a ./b] [] []",
		"./a -run X -test.count=2 -p=3":     "[./a -p=3] [] [-test.run=X -test.count=2]",
		"-tags slow -race -short=false ./a": "[./a] [-tags=slow -race] [-test.short=false]",
		"-v ./a -- -v -timeout 5s -p 2":     "[-v ./a] [-p=2] [-test.v -test.timeout=5s]",
		"./a -args -run X -v":               "[./a] [] [-run X -v]",
		"./a -- -run X -args -- y":          "[./a] [] [-test.run=X -- y]",
		"-timeout":                          "[-timeout] [] []", // for package flag to complain of
		"-skip":                             "flag -skip needs a value",
		"-overlay=x":                        "-overlay cannot be used: refine does that itself, or needs a build",
		"-rnu X":                            "unknown flag -rnu (see 'atomrace help refine'; what is for the tests themselves stands behind -args)",
	} {
		var g goTestFlags
		rest, err := g.split(own, strings.Fields(args))
		got := fmt.Sprint(rest, " ", g.build, " ", g.test)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
}
