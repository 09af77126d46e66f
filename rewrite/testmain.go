package rewrite

import (
	"go/ast"
	"strings"
)

// addTestMains gives each package with tests a TestMain if it has none, so that
// what happens in an example, or while no test runs, is told by the exit status.
// A package has one for its own tests and those of package p_test together.
func addTestMains(plans []*plan) {
	has := map[string]bool{}
	path := func(p *plan) string { return strings.TrimSuffix(p.pkg.PkgPath, "_test") }
	for _, p := range plans {
		if p.pkg.Types.Scope().Lookup("TestMain") != nil {
			has[path(p)] = true
		}
	}
	for _, p := range plans {
		if has[path(p)] {
			continue
		}
		if p.testMain = p.testFile(); p.testMain != nil {
			has[path(p)] = true
		}
	}
}

// testFile is a test file of the package that may import testing, or nil. In the
// standard library that is one that does so already: testing itself is built on
// some of its packages.
func (p *plan) testFile() *ast.File {
	for _, f := range p.pkg.Syntax {
		if !p.isTest(f.Package) || p.untouchable(f) != "" {
			continue
		}
		if p.pkg.Module != nil {
			return f
		}
		for _, s := range f.Imports {
			if s.Path.Value == `"testing"` {
				return f
			}
		}
	}
	return nil
}
