package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/curate"
)

// inferFiles are the files that infer brings up to date. New sections of a package
// go into the nearest one; those that another one has are looked after there.
type inferFiles struct {
	only  string // the file of -o
	add   []atomicity.Pattern
	files []*inferFile
	by    map[string][]*inferFile // those of a package, the nearest first
}

// inferFile is one of them.
type inferFile struct {
	name     string
	spec     *atomicity.Spec
	packages map[string]bool
	report   atomicity.MergeReport
	moves    []atomicity.Move
	marked   []*atomicity.Section
}

// assign finds the files of the packages: those in force, the nearest in the module
// first. A module without any gets one at its root.
func (x *inferFiles) assign(pkgs []*packages.Package) error {
	x.by = map[string][]*inferFile{}
	for _, p := range pkgs {
		var names []string
		switch {
		case x.only != "":
			names = []string{x.only}
		case p.Module != nil && p.Module.Dir != "" && p.Dir != "":
			names = atomicity.Files(p.Dir)
			if len(names) == 0 || !below(p.Module.Dir, names[0]) {
				names = slices.Insert(names, 0, filepath.Join(p.Module.Dir, atomicity.FileName))
			}
		default: // files on the command line
			root, err := moduleRoot(".")
			if err != nil {
				return err
			}
			names = []string{filepath.Join(root, atomicity.FileName)}
		}
		x.by[p.PkgPath] = nil
		for _, name := range names {
			f, err := x.open(name)
			if err != nil {
				return err
			}
			f.packages[p.PkgPath] = true
			x.by[p.PkgPath] = append(x.by[p.PkgPath], f)
		}
	}
	return nil
}

// open loads a file once; one that does not exist is empty.
func (x *inferFiles) open(name string) (*inferFile, error) {
	if i := slices.IndexFunc(x.files, func(f *inferFile) bool { return f.name == name }); i >= 0 {
		return x.files[i], nil
	}
	spec, err := loadSpec(name)
	if errors.Is(err, os.ErrNotExist) {
		spec, err = atomicity.New(), nil
	}
	if err != nil {
		return nil, err
	}
	f := &inferFile{name: name, spec: spec, packages: map[string]bool{}}
	x.files = append(x.files, f)
	return f, nil
}

// update infers, merges and, when all has gone well, writes the files.
func (x *inferFiles) update(ctx context.Context, env *environment, pkgs []*packages.Package) error {
	pairs := slices.Contains(x.add, atomicity.AccessInterleaving) ||
		slices.ContainsFunc(x.files, func(f *inferFile) bool { return hasPattern(f.spec, atomicity.AccessInterleaving) })
	found, err := analyze(pkgs, pairs)
	if err != nil {
		return err
	}
	for path := range found.packages { // with tests, or generated: not among pkgs by this name
		if x.by[path] == nil {
			delete(found.packages, path)
		}
	}
	for _, f := range x.files {
		if err := x.merge(ctx, f, found, pkgs); err != nil {
			return err
		}
	}
	if err := x.assure(pkgs); err != nil {
		return err
	}
	for _, f := range x.files {
		// A file farther away that says nothing of these packages is none of infer's
		// business, and a new one beneath it needs a reason.
		idle := len(f.report.Added)+len(f.report.Kept)+len(f.report.Updated)+len(f.report.Stale)+len(f.moves)+len(f.marked) == 0
		if idle && (!x.nearest(f) || f.spec.File() == "" && len(x.files) > 1) {
			continue
		}
		save := f.spec.Save
		if f.spec.File() == "" {
			save = f.spec.SaveNew
		}
		if err := save(shorter(f.name)); err != nil { // as it was loaded
			return err
		}
		f.print(env)
	}
	return nil
}

// nearest reports whether the file is the nearest one of a package.
func (x *inferFiles) nearest(f *inferFile) bool {
	for _, files := range x.by {
		if files[0] == f {
			return true
		}
	}
	return x.only != ""
}

// merge brings what was found into one file.
func (x *inferFiles) merge(ctx context.Context, f *inferFile, found *analyzed, pkgs []*packages.Package) error {
	mine := map[string]bool{}
	for path := range found.packages {
		if f.packages[path] {
			mine[path] = true
		}
	}
	inferred := specOf(found.candidates, mine)
	inferred.Packages = slices.DeleteFunc(inferred.Packages, func(p *atomicity.Package) bool { return !mine[p.Path] })
	taken := x.others(f, inferred)
	before := map[string]atomicity.Staleness{}
	for p := range f.spec.All() {
		before[p.Section.ID] = p.Section.Stale
	}
	var seen *codeSeen
	if len(f.spec.Packages) > 0 {
		var err error
		if seen, err = codeNames(ctx, f.spec, pkgs); err != nil {
			return err
		}
		f.moves = f.spec.Follow(inferred, seen.names)
	}
	unwanted := found.unwanted(x.add)
	for _, p := range inferred.Packages {
		for _, v := range p.Variables {
			for _, s := range v.Sections {
				unwanted[s] = unwanted[s] || x.by[p.Path][0] != f
			}
		}
	}
	keepOld(inferred, f.spec, unwanted)
	f.report = f.spec.Merge(inferred, taken...)
	if seen != nil {
		f.marked = curate.Mark(f.spec, seen.code, curate.Marking{Names: seen.names, Before: before})
	}
	return nil
}

// others takes out of what was inferred what only other files of its package have,
// and returns the ids that these have given away.
func (x *inferFiles) others(f *inferFile, inferred *atomicity.Spec) (taken []string) {
	known := func(in *inferFile, p *atomicity.Package, v *atomicity.Variable) []*atomicity.Section {
		if of := in.spec.Package(p.Path).Variable(v.Name); of != nil {
			return of.Recognise(v.Sections)
		}
		return make([]*atomicity.Section, len(v.Sections))
	}
	for _, p := range inferred.Packages {
		for _, other := range x.by[p.Path] {
			if other == f {
				continue
			}
			for _, v := range p.Variables {
				here, there := known(f, p, v), known(other, p, v)
				var kept []*atomicity.Section
				for i, s := range v.Sections {
					if there[i] == nil || here[i] != nil {
						kept = append(kept, s)
					}
				}
				v.Sections = kept
			}
			for of := range other.spec.All() {
				taken = append(taken, of.Section.ID)
			}
		}
		p.Variables = slices.DeleteFunc(p.Variables, func(v *atomicity.Variable) bool { return len(v.Sections) == 0 })
	}
	return taken
}

// print says what became of the file.
func (f *inferFile) print(env *environment) {
	for _, s := range f.marked {
		if s.Stale == atomicity.Gone {
			fmt.Fprintf(env.stderr, "atomrace infer: %s: not found in the code any more; 'atomrace spec lint' tells what may be meant, 'atomrace spec prune' deletes candidates\n", s.ID)
		} else {
			fmt.Fprintf(env.stderr, "atomrace infer: %s: in the code, but nothing to report any more; 'atomrace spec prune -fixed' deletes candidates\n", s.ID)
		}
	}
	for _, m := range f.moves {
		fmt.Fprintf(env.stdout, "followed %s: %s %s is %s now\n", m.ID, m.What, m.From, m.To)
	}
	stale := 0
	for p := range f.spec.All() {
		if p.Section.Stale != atomicity.NotStale {
			stale++
		}
	}
	fmt.Fprintf(env.stdout, "%s: %d added, %d kept, %d updated, %d stale\n", shorter(f.name),
		len(f.report.Added), len(f.report.Kept), len(f.report.Updated), stale)
}
