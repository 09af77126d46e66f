package analyzers_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/analyzers/section"
)

// broken names, for each program in testdata/programs/fail, the variables whose
// sequences its comment calls broken.
var broken = map[string][]string{
	"bank":         {"account.balance"},
	"capture":      {"verify.total", "checked"},
	"crawler":      {"crawler.visited[]", "stats.pages", "stats.bytes", "stats.links"},
	"doubleclose":  {"session.closed"},
	"echo":         {"server.requests", "server.bytes", "server.checksum", "server.inFlight"},
	"getset":       {"register.last"},
	"lazyinit":     {"route.meter"},
	"lazymap":      {"registry.counters[]"},
	"mapcount":     {"tally.counts[]"},
	"pool":         {"pool.free"},
	"rlockupgrade": {"theatre.taken[]"},
}

const programs = "../testdata/programs"

// TestFail shows that the broken sequence of every failing program is found, on
// the variable it is about, and that it is reported.
func TestFail(t *testing.T) {
	for _, name := range directories(t, "fail") {
		t.Run(name, func(t *testing.T) {
			candidates, reported := check(t, filepath.Join(programs, "fail", name))
			if reported == 0 {
				t.Error("nothing is reported")
			}
			want, ok := broken[name]
			if !ok {
				t.Fatalf("say in the table which variables program %s breaks", name)
			}
			for _, variable := range want {
				if !slices.ContainsFunc(candidates, func(c *section.Candidate) bool {
					return c.Name == variable && c.Sure && c.Section != nil
				}) {
					t.Errorf("no sure section on %s", variable)
				}
			}
		})
	}
}

// TestSuccess shows that nothing is reported on correct programs.
func TestSuccess(t *testing.T) {
	for _, name := range directories(t, "success") {
		t.Run(name, func(t *testing.T) {
			candidates, reported := check(t, filepath.Join(programs, "success", name))
			if reported == 0 {
				return
			}
			for _, c := range candidates {
				if c.Sure {
					t.Errorf("%s of %s: %s", c.Category, c.Name, c.Message)
				}
			}
		})
	}
}

func directories(t *testing.T, kind string) []string {
	entries, err := os.ReadDir(filepath.Join(programs, kind))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		t.Fatalf("no programs in %s", kind)
	}
	return names
}

// check runs the analyzers over the package in dir as a driver does.
func check(t *testing.T, dir string) (candidates []*section.Candidate, reported int) {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze(analyzers.All(), pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatal(act.Err)
		}
		reported += len(act.Diagnostics)
		if found, ok := act.Result.([]*section.Candidate); ok {
			candidates = append(candidates, found...)
		}
	}
	return candidates, reported
}
