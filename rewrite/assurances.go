package rewrite

import (
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
)

// Assurances says of the active sections that the spec has in the package, and that
// are there, what a build of the package would find out about healing them: papers/001
// section 5.1. The package is loaded with syntax and types; with test files, or other
// sections of its variables, the answer may be another one. Lines are left out of the
// reasons, so that they change only when the code does.
func Assurances(pkg *packages.Package, spec *atomicity.Spec) (map[*atomicity.Section]atomicity.Assurance, error) {
	p := newPlan(pkg, newWatched(spec), Options{}, func(string) bool { return true }, func(file string) string { return file })
	p.timeless = true
	found := map[*atomicity.Section]atomicity.Assurance{}
	if len(p.sections) == 0 {
		return found, nil
	}
	// The healing locks that are taken ahead of the program's own count.
	for _, file := range pkg.Syntax {
		if p.untouchable(file) != "" {
			continue
		}
		x, err := newPass(p, file)
		if err != nil {
			return nil, err
		}
		x.placeHolds()
	}
	p.assure()
	for _, s := range p.sections {
		if entry := s.table.sections[s.index]; entry.assured {
			found[s.spec] = atomicity.Assured
		} else {
			found[s.spec] = atomicity.NotAssured(entry.assurance)
		}
	}
	return found, nil
}
