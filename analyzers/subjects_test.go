package analyzers_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers"
)

const subjects = "../testdata/subjects"

// A subject is a small package with one broken sequence, or a right one that looks like
// it, written by somebody who knew neither the analyzers nor their rules.
type subject struct {
	id          string
	benign      bool
	first, last int // lines of the sequence
	found       bool
	note        string
}

// TestSubjects shows what is found in the subjects, each by each as subjects.tsv says in
// the column "found": a report in the lines of a broken sequence, three more or less, and
// none at all in what is benign.
func TestSubjects(t *testing.T) {
	l := loadLibrary(t)
	for _, set := range []string{"first", "second", "third", "fourth", "fifth", "sixth", "right"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(subjects, set)
			reports := l.reportsIn(t, set)
			found, broken := 0, 0
			for _, s := range readSubjects(t, filepath.Join(dir, "subjects.tsv")) {
				hit := false
				for _, r := range reports[s.id] {
					for _, line := range r.lines {
						hit = hit || s.first-3 <= line && line <= s.last+3
					}
					if s.benign && !s.found {
						t.Errorf("%s is benign, and reported: %s", s.id, r.message)
					}
				}
				if s.benign {
					continue
				}
				broken++
				if hit {
					found++
				}
				if hit != s.found {
					t.Errorf("%s: found %v, subjects.tsv says %v: %s", s.id, hit, s.found, s.note)
				}
			}
			t.Logf("%d of %d found", found, broken)
		})
	}
}

// report is the lines that a report points at.
type report struct {
	message string
	lines   []int
}

// reportsIn are the reports of all packages of a set, by the folder of the package.
func (l *library) reportsIn(t *testing.T, set string) map[string][]report {
	t.Helper()
	var pkgs []*packages.Package
	for _, id := range slices.Sorted(maps.Keys(l.files)) {
		if !strings.HasPrefix(id, set+"/") {
			continue
		}
		pkg, err := l.typed(id, l.files[id])
		if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, pkg)
	}
	graph, err := checker.Analyze(analyzers.All(), pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string][]report{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatal(act.Err)
		}
		for _, d := range act.Diagnostics {
			at := act.Package.Fset.Position(d.Pos)
			r := report{fmt.Sprintf("%s (line %d)", d.Message, at.Line), []int{at.Line}}
			for _, related := range d.Related {
				r.lines = append(r.lines, act.Package.Fset.Position(related.Pos).Line)
			}
			id := filepath.Base(filepath.Dir(at.Filename))
			reports[id] = append(reports[id], r)
		}
	}
	return reports
}

func readSubjects(t *testing.T, file string) []subject {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []subject
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 7 {
			t.Fatalf("%s: %q has %d fields, not 7", file, lines.Text(), len(fields))
		}
		if fields[0] == "id" {
			continue
		}
		first, last, _ := strings.Cut(fields[3], "-")
		s := subject{id: fields[0], benign: fields[1] == "benign", found: fields[5] == "yes", note: fields[6]}
		if s.first, err = strconv.Atoi(first); err == nil {
			s.last, err = strconv.Atoi(last)
		}
		if err != nil {
			t.Fatalf("%s: %s: %v", file, s.id, err)
		}
		list = append(list, s)
	}
	if lines.Err() != nil || len(list) == 0 {
		t.Fatalf("%s: %d subjects, %v", file, len(list), lines.Err())
	}
	return list
}
