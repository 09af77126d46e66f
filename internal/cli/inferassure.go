package cli

import (
	"fmt"

	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/rewrite"
)

// assure brings the assurance of the sections of the packages up to date. Of a section
// that several files have it stands in the nearest, as its code does. What is not
// watched, or not in the code that was looked at, has none.
func (x *inferFiles) assure(pkgs []*packages.Package) error {
	all := atomicity.New()
	inherited := map[string]bool{}
	inherit := func(path string, files []*inferFile) {
		for _, f := range files {
			all.Inherit(path, f.spec)
		}
		inherited[path] = true
	}
	for path, files := range x.by {
		inherit(path, files)
	}
	for _, f := range x.files { // sections of variables that the packages share with others
		for _, p := range f.spec.Packages {
			if !inherited[p.Path] {
				inherit(p.Path, x.files)
			}
		}
	}
	looked := map[string]bool{}
	for _, pkg := range pkgs {
		if all.Package(pkg.PkgPath) == nil || looked[pkg.PkgPath] {
			continue
		}
		looked[pkg.PkgPath] = true
		found, err := rewrite.Assurances(pkg, all)
		if err != nil {
			return fmt.Errorf("deciding how sections can be healed: %w", err)
		}
		for _, v := range all.Package(pkg.PkgPath).Variables {
			for _, s := range v.Sections {
				_, in := all.Source(s)
				in.Assurance = found[s]
			}
		}
	}
	return nil
}
