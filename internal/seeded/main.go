// Seeded breaks sequences of modules that others wrote, which are right as they are, and says which of the
// breaks atomrace check finds, which it doubts and for what reason, and which it misses ("Seeded bugs"
// in docs/evaluation.md).
//
//	go run ./internal/sample -keep DIR MODULE@VERSION …  # copies of modules
//	go run ./internal/seeded DIR/MODULE@VERSION …
//
// What is broken is a section whose lock is held from a test to the act that depends on
// it (see seeds.go), one atomic operation (atomics.go), or the lock of a whole method, a wait that is
// repeated, a second look, a copy (guards.go). Each break is a small change of one function,
// keeps all lines where they are, and leaves a program that compiles. Of the
// methods of one type one is broken at a time. A break is found when a diagnostic that is not made without it, or one of its
// related positions, lies between the test and the act in the broken function.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// options are the command's flags.
type options struct {
	tool   string // an atomrace that is built already
	rounds int    // at most so many methods of a type are broken
	flags  string // further flags of atomrace check
	list   bool   // print every break
	kinds  string // those breaks alone that are named, or all
}

func main() {
	var o options
	flag.StringVar(&o.tool, "tool", "", "use this atomrace instead of building one")
	flag.IntVar(&o.rounds, "rounds", 4, "how many times to go through each module: a method of each type is broken a time")
	flag.StringVar(&o.flags, "flags", "-doubtful", "further flags of atomrace check, with commas between them")
	flag.StringVar(&o.kinds, "kinds", "", "make breaks of these kinds alone, with commas between them (default: all)")
	flag.BoolVar(&o.list, "list", false, "print every break, and what was made of it")
	flag.Parse()
	if err := run(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "seeded:", err)
		os.Exit(1)
	}
}

func run(o options, modules []string) error {
	if len(modules) == 0 {
		return errors.New("no module is given: name directories of modules")
	}
	if o.tool == "" {
		tmp, err := os.MkdirTemp("", "seeded")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		o.tool = filepath.Join(tmp, "atomrace")
		if out, err := exec.Command("go", "build", "-o", o.tool, "github.com/atomrace/atomrace/cmd/atomrace").CombinedOutput(); err != nil {
			return fmt.Errorf("building atomrace: %w\n%s", err, out)
		}
	}
	t := tally{}
	for _, dir := range modules {
		if err := o.module(dir, t); err != nil {
			fmt.Fprintf(os.Stderr, "seeded: %s: %v\n", dir, err)
		}
	}
	t.print(os.Stdout)
	return nil
}

// module breaks one module, round by round, and counts what is found.
func (o options) module(dir string, t tally) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	seeds, err := seedsOf(dir)
	if err != nil {
		return err
	}
	if kinds := strings.FieldsFunc(o.kinds, func(r rune) bool { return r == ',' }); len(kinds) > 0 {
		seeds = slices.DeleteFunc(seeds, func(s *seed) bool { return !slices.Contains(kinds, s.kind) })
	}
	if len(seeds) == 0 {
		return nil
	}
	before, err := o.check(dir)
	if err != nil {
		return err
	}
	for round, batch := range batches(seeds) {
		if round == o.rounds {
			break
		}
		after, bad, err := o.broken(dir, batch)
		if err != nil {
			return err
		}
		for _, s := range batch {
			if slices.Contains(bad, s) {
				continue // does not compile
			}
			verdict := s.verdict(before, after)
			t.count(s.kind, verdict)
			if o.list {
				rel, _ := filepath.Rel(dir, s.file)
				fmt.Printf("%s\t%s\t%s:%d-%d\t%s\t%s\t%s\n", verdict, s.kind, rel, s.first, s.last, s.fn, s.variable, filepath.Base(dir))
			}
		}
	}
	return nil
}

// broken analyzes the module with the breaks in place, and puts it back as it was. Those that do not compile
// are returned, and were left out.
func (o options) broken(dir string, batch []*seed) (found []diagnostic, bad []*seed, err error) {
	for {
		undo, err := plant(batch, bad)
		if err != nil {
			return nil, nil, errors.Join(err, undo())
		}
		wrong := buildErrors(dir)
		if len(wrong) == 0 {
			found, err := o.check(dir)
			return found, bad, errors.Join(err, undo())
		}
		if err := undo(); err != nil {
			return nil, nil, err
		}
		n := len(bad)
		for _, s := range batch {
			if !slices.Contains(bad, s) && slices.Contains(wrong, s.file) {
				bad = append(bad, s)
			}
		}
		if len(bad) == n {
			return nil, nil, fmt.Errorf("does not compile: %s", strings.Join(wrong, " "))
		}
	}
}

// buildErrors are the files that go vet's compiler complains about.
func buildErrors(dir string) []string {
	cmd := exec.Command("go", "build", "-gcflags=-e", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	var files []string
	for line := range strings.Lines(string(out)) {
		if name, _, ok := strings.Cut(line, ":"); ok && strings.HasSuffix(name, ".go") {
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			if !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
	}
	return files
}

// diagnostic is what the tool says of one place, and of those related.
type diagnostic struct {
	analyzer, message string
	places            []string // file:line:column
}

// check runs the tool on all packages of the module.
func (o options) check(dir string) ([]diagnostic, error) {
	args := append([]string{"check", "-json", "-test=false"}, strings.FieldsFunc(o.flags, func(r rune) bool { return r == ',' })...)
	cmd := exec.Command(o.tool, append(args, "./...")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var tree map[string]map[string][]struct {
		Posn, Message string
		Related       []struct{ Posn string }
	}
	if jsonErr := json.Unmarshal(stdout.Bytes(), &tree); jsonErr != nil {
		return nil, fmt.Errorf("%v: %w\n%s", err, jsonErr, &stderr)
	}
	var list []diagnostic
	for _, analyzers := range tree {
		for name, diagnostics := range analyzers {
			for _, d := range diagnostics {
				places := []string{d.Posn}
				for _, r := range d.Related {
					places = append(places, r.Posn)
				}
				list = append(list, diagnostic{name, d.Message, places})
			}
		}
	}
	return list, nil
}
