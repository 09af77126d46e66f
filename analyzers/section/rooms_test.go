package section

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRooms keeps the names of the files and the package comment true to each other: a
// prefix is explained in the comment, what is explained has files, and a search that run
// calls lies in the group that it is about, which is neither the engine nor the reasons
// for silence.
func TestRooms(t *testing.T) {
	files := map[string]int{} // by prefix
	for _, m := range regexp.MustCompile(`(?m)^//   - ([a-z]+)_: `).FindAllStringSubmatch(doc, -1) {
		files[m[1]] = 0
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	home := map[string]string{} // the file of each method of search
	var searches []string
	for _, name := range names {
		prefix := prefixOf(name)
		if _, explained := files[prefix]; !explained && prefix != "" {
			t.Errorf("%s: doc.go does not say what the prefix %s_ means", name, prefix)
		}
		files[prefix]++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			switch {
			case !ok:
			case fn.Recv == nil && fn.Name.Name == "run":
				searches = append(searches, calledInLoop(fn)...)
			case isOfSearch(fn):
				home[fn.Name.Name] = name
			}
		}
	}
	for prefix, n := range files {
		if n == 0 {
			t.Errorf("doc.go says what the prefix %s_ means, but no file has it", prefix)
		}
	}
	if len(searches) == 0 {
		t.Error("run calls no search")
	}
	for _, name := range searches {
		switch prefix := prefixOf(home[name]); prefix {
		case "", "spared", "doubt":
			t.Errorf("run calls the search %s, which lies in %q: no group of searches", name, home[name])
		}
	}
}

// prefixOf is what comes before the first underscore of the file's name.
func prefixOf(file string) string {
	prefix, _, found := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(file, ".go"), "_test"), "_")
	if !found {
		return ""
	}
	return prefix
}

// isOfSearch says whether the function is a method of *search.
func isOfSearch(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return false
	}
	star, ok := fn.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == "search"
}

// calledInLoop are the methods that the loops of the function call without arguments, for
// what they do and not for what they return.
func calledInLoop(fn *ast.FuncDecl) []string {
	var list []string
	for _, stmt := range fn.Body.List {
		loop, ok := stmt.(*ast.RangeStmt)
		if !ok {
			continue
		}
		for _, stmt := range loop.Body.List {
			if expr, ok := stmt.(*ast.ExprStmt); ok {
				if call, ok := expr.X.(*ast.CallExpr); ok && len(call.Args) == 0 {
					if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
						list = append(list, sel.Sel.Name)
					}
				}
			}
		}
	}
	return list
}
