package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/internal/pattern"
)

// withoutTests are the files that are no tests, without the functions that say that they are
// for tests (ResetForTesting), and what is known of the identifiers and expressions in them.
func withoutTests(fset *token.FileSet, files []*ast.File, info *types.Info) ([]*ast.File, *types.Info) {
	type span struct{ from, to token.Pos }
	var kept []*ast.File
	var tests []span
	for _, f := range files {
		if strings.HasSuffix(fset.Position(f.FileStart).Filename, "_test.go") {
			tests = append(tests, span{f.FileStart, f.FileEnd})
			continue
		}
		if slices.ContainsFunc(f.Decls, forTesting) {
			rest := *f
			rest.Decls = nil
			for _, d := range f.Decls {
				if forTesting(d) {
					tests = append(tests, span{d.Pos(), d.End()})
				} else {
					rest.Decls = append(rest.Decls, d)
				}
			}
			f = &rest
		}
		kept = append(kept, f)
	}
	if len(tests) == 0 {
		return files, info
	}
	in := func(pos token.Pos) bool {
		return slices.ContainsFunc(tests, func(s span) bool { return s.from <= pos && pos < s.to })
	}
	rest := *info
	rest.Uses, rest.Types = map[*ast.Ident]types.Object{}, map[ast.Expr]types.TypeAndValue{}
	for id, obj := range info.Uses {
		if !in(id.Pos()) {
			rest.Uses[id] = obj
		}
	}
	for e, tv := range info.Types {
		if !in(e.Pos()) {
			rest.Types[e] = tv
		}
	}
	return kept, &rest
}

// forTesting says whether the declaration is a function that is there for tests, as its name tells.
func forTesting(d ast.Decl) bool {
	fn, ok := d.(*ast.FuncDecl)
	return ok && testHelpers.MatchString(fn.Name.Name)
}

var testHelpers = pattern.New(`.[fF]or(Unit)?[tT]est(s|ing)?(Only)?$|.TestOnly$`)
