package cli

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atomrace/atomrace/analyzers/shared"
)

// lookKey is set in the environment of a go vet that runs for check where what it has kept
// of the same question before is lost, to the number of the look, for another key of its cache.
const lookKey = "ATOMRACE_LOOK"

// looks is how often check looks at the packages: where what the second look found is lost too,
// the third one is kept under a key that is never asked for again.
const looks = 3

// lookName is the value of lookKey for a look after the first.
func lookName(look int) string {
	if look < looks-1 {
		return strconv.Itoa(look)
	}
	return strconv.FormatInt(time.Now().UnixNano(), 10)
}

// A listed is one of the packages that go vet is asked about.
type listed struct {
	path   string
	tests  bool // it has test files of its own
	speaks bool // it is said of it who calls what
}

// listAsked lists the packages; flags is what the go command takes.
func listAsked(ctx context.Context, flags, packages []string) (all []listed, err error) {
	const fields = `{{len .TestGoFiles}} {{and .Module (not .Standard) (or .GoFiles .CgoFiles) | not | not}} {{.ImportPath}}`
	out, err := exec.CommandContext(ctx, "go", slices.Concat([]string{"list", "-f", fields}, flags, []string{"--"}, packages)...).Output()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		var tests int
		var p listed
		if _, err := fmt.Sscan(line, &tests, &p.speaks, &p.path); err != nil {
			return nil, err
		}
		p.tests = tests > 0
		all = append(all, p)
	}
	return all, nil
}

// lost says whether what was found in one of the packages is lost: each says who calls what, if
// nothing else. Go vet's cache keeps that apart from what importers need to know, and takes a
// package for looked at when the latter is there: on a full disk only that may have been kept.
func lost(all []listed, calls map[string]*shared.Calls) bool {
	return slices.ContainsFunc(all, func(p listed) bool { return p.speaks && calls[p.path] == nil })
}
