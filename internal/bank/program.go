package bank

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Kind says which of the three folders a program is in.
type Kind string

const (
	Fail    Kind = "fail"    // broken: a sequence in it is not atomic
	Success Kind = "success" // right: nothing may be reported
	Detect  Kind = "detect"  // broken, as real code is: rarely
)

// programsDir holds the programs, relative to the root of the repository.
const programsDir = "testdata/programs"

// silentUnderRace names the programs in fail that have no data race: every
// access is locked or atomic, and still a sequence of them is broken.
var silentUnderRace = []string{"doubleclose", "getset", "lazymap", "mapcount", "pool", "rlockupgrade"}

// racy names the programs in detect that have a data race; the others have none.
var racy = []string{"firsterr", "hits", "nodes", "progress", "reload", "results", "robin", "singleton", "snapshot", "touched"}

// A Program is one of the programs under test.
type Program struct {
	Kind Kind
	Name string // of its directory
	Root string // of the module it belongs to
}

// String returns the name of the program with its kind, as in "fail/bank".
func (p Program) String() string {
	return string(p.Kind) + "/" + p.Name
}

// Package returns the argument that names the program to the go command, run
// in p.Root.
func (p Program) Package() string {
	return "./" + path.Join(programsDir, p.String())
}

// Racy reports whether the program has a data race, so that the race detector
// may speak of it. The other programs in fail and detect break without one.
func (p Program) Racy() bool {
	if p.Kind == Detect {
		return slices.Contains(racy, p.Name)
	}
	return p.Kind == Fail && !slices.Contains(silentUnderRace, p.Name)
}

// List returns the programs of the module whose root directory is given, those
// in fail first, then those in success and detect, each group ordered by name.
func List(root string) ([]Program, error) {
	var all []Program
	for _, kind := range []Kind{Fail, Success, Detect} {
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(programsDir), string(kind)))
		if err != nil {
			return nil, fmt.Errorf("listing the programs: %w", err)
		}
		for _, e := range entries {
			if e.IsDir() {
				all = append(all, Program{kind, e.Name(), root})
			}
		}
	}
	return all, nil
}

// Select returns the programs that the patterns name, in the order of all. A
// pattern is "fail", "success", "detect", one of them with a name as in "fail/NAME", or just
// "NAME", where NAME may hold the wildcards of path.Match. No pattern selects all. A
// pattern that names nothing is an error.
func Select(all []Program, patterns []string) ([]Program, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	chosen := make([]bool, len(all))
	for _, pattern := range patterns {
		found := false
		for i, p := range all {
			ok, err := p.matches(pattern)
			if err != nil {
				return nil, fmt.Errorf("program pattern %q: %w", pattern, err)
			}
			if ok {
				chosen[i], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("no program is called %q; there are: %s", pattern, names(all))
		}
	}
	var selected []Program
	for i, p := range all {
		if chosen[i] {
			selected = append(selected, p)
		}
	}
	return selected, nil
}

func (p Program) matches(pattern string) (bool, error) {
	if pattern == string(p.Kind) {
		return true, nil
	}
	subject := p.Name
	if strings.Contains(pattern, "/") {
		subject = p.String()
	}
	return path.Match(pattern, subject)
}

func names(all []Program) string {
	list := make([]string, len(all))
	for i, p := range all {
		list[i] = p.String()
	}
	return strings.Join(list, " ")
}
