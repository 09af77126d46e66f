package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// withoutTests are the files that are no tests, and what is known of the identifiers
// and expressions in them.
func withoutTests(fset *token.FileSet, files []*ast.File, info *types.Info) ([]*ast.File, *types.Info) {
	isTest := func(f *ast.File) bool { return strings.HasSuffix(fset.Position(f.FileStart).Filename, "_test.go") }
	var tests []*ast.File
	for _, f := range files {
		if isTest(f) {
			tests = append(tests, f)
		}
	}
	if len(tests) == 0 {
		return files, info
	}
	in := func(pos token.Pos) bool {
		return slices.ContainsFunc(tests, func(f *ast.File) bool { return f.FileStart <= pos && pos < f.FileEnd })
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
	return slices.DeleteFunc(slices.Clone(files), isTest), &rest
}
